#include "index/inverted/block_checks.h"

void ak_block_checks_free(ak_block_checks *c)
{
    if (c == NULL)
        return;
    akin_free(c->verified);
    akin_free(c);
}

akin_status ak_block_checks_new(ak_block_checks **out, akin_ctx *ctx,
                                const ak_tensors *file, const uint32_t *sums,
                                int64_t n)
{
    ak_block_checks *c = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &c));
    AK_TRY(AK_NEW(ctx, n / 64 + 1, &c->verified));
    c->file = file;
    c->sums = sums;
    atomic_init(&c->bad, -1);
    *out = c;
    c = NULL;
done:
    ak_block_checks_free(c);
    return st;
}

void ak_block_checks_blame(ak_block_checks *c, int64_t b)
{
    atomic_store_explicit(&c->bad, b, memory_order_relaxed);
}

bool ak_block_checks_verify(ak_block_checks *c, int64_t b, const void *data,
                            size_t bytes)
{
    if (ak_checksum_part(data, bytes) != c->sums[b]) {
        ak_block_checks_blame(c, b);
        return false;
    }
    atomic_fetch_or_explicit(&c->verified[b / 64], UINT64_C(1) << b % 64,
                             memory_order_relaxed);
    return true;
}
