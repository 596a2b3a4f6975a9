#include "index/inverted/checks.h"

akin_status ak_checks_new(ak_checks **out, akin_ctx *ctx,
                          const ak_tensors *file, const uint32_t *sums,
                          int64_t n)
{
    const akin_allocator a = ak_ctx_allocator(ctx);
    ak_checks *c = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &c));
    AK_TRY(AK_NEW(ctx, n / 64 + 1, &c->seen));
    c->file = file;
    c->sums = sums;
    atomic_init(&c->bad, -1);
    *out = c;
    c = NULL;
done:
    ak_checks_free(c, &a);
    return st;
}

void ak_checks_free(ak_checks *c, const akin_allocator *a)
{
    if (c == NULL)
        return;
    if (c->seen != NULL)
        a->release(a->user, c->seen);
    a->release(a->user, c);
}

void ak_checks_blame(ak_checks *c, int64_t b)
{
    atomic_store_explicit(&c->bad, b, memory_order_relaxed);
}

bool ak_checks_look(ak_checks *c, int64_t b, const void *data, size_t bytes)
{
    if (ak_checksum_part(data, bytes) != c->sums[b]) {
        ak_checks_blame(c, b);
        return false;
    }
    atomic_fetch_or_explicit(&c->seen[b / 64], UINT64_C(1) << b % 64,
                             memory_order_relaxed);
    return true;
}
