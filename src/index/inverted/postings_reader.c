/* Reads postings: from a file, block by block, and the term of a column. */
#include "index/inverted/postings.h"

#include <math.h>
#include <string.h>

#include "la/clones.h"

/* ---- blocks ---- */

void ak_postings_free(ak_postings *p)
{
    for (int i = 0; i < 7; ++i)
        akin_free(p->own[i]);
    akin_free(p->guide);
    ak_block_checks_free(p->checks);
    *p = (ak_postings){0};
}

bool ak_postings_verify(const ak_postings *p, int64_t b)
{
    const uint32_t *words = p->words + p->at[b];
    return ak_block_checks_verify(p->checks, b, words,
                                  (size_t)(ak_postings_end(p, b) - p->at[b]) *
                                      sizeof *words);
}

/* Damage that a checksum does not show: a file written that way. */
static bool blame(const ak_postings *p, int64_t b)
{
    if (p->checks != NULL)
        ak_block_checks_blame(p->checks, b);
    return false;
}

bool ak_postings_rows(const ak_postings *p, int64_t t, int64_t b,
                      ak_posting_block *out)
{
    if (p->checks && !ak_block_checks_verified(p->checks, b) &&
        !ak_postings_verify(p, b))
        return false;
    const int64_t before = (b - p->blocks[t]) * AK_PACK_BLOCK;
    out->n = ak_min_i64(p->counts[t] - before, AK_PACK_BLOCK);
    out->last = ak_unpack_rising(out->n, p->words + p->at[b], p->bits[2 * b],
                                 (uint32_t)p->first[b], out->rows);
    return out->last < (uint64_t)p->n || blame(p, b);
}

bool ak_postings_values(const ak_postings *p, int64_t b, ak_posting_block *out)
{
    const unsigned bits = p->bits[2 * b + 1];
    out->floats = bits == AK_PACK_WORDS;
    ak_unpack(out->n,
              p->words + p->at[b] + ak_pack_size(out->n, p->bits[2 * b]), bits,
              out->less_one);
    for (int64_t i = 0; i < out->n && out->floats; ++i)
        if (!isfinite(out->value[i]))
            return blame(p, b);
    return true;
}

bool ak_postings_block(const ak_postings *p, int64_t t, int64_t b,
                       ak_posting_block *out)
{
    return ak_postings_rows(p, t, b, out) && ak_postings_values(p, b, out);
}

bool ak_postings_value(const ak_postings *p, int64_t b,
                       const ak_posting_block *rows, int64_t at, float *value)
{
    const unsigned bits = p->bits[2 * b + 1];
    const uint32_t *words = p->words + p->at[b] +
                            ak_pack_size(rows->n, p->bits[2 * b]);
    const uint32_t number = ak_unpack_one(rows->n, words, bits, at);
    *value = (float)(number + 1);
    if (bits == AK_PACK_WORDS)
        memcpy(value, &number, sizeof *value);
    return isfinite(*value) || blame(p, b);
}

/* One past the position, 0: none. */
AK_CLONES static uint32_t find_equal(const uint32_t *rows, uint32_t n,
                                     uint32_t row)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; ++i)
        at |= rows[i] == row ? i + 1 : 0;
    return at;
}

int64_t ak_posting_find(const ak_posting_block *b, uint32_t row)
{
    return (int64_t)find_equal(b->rows, (uint32_t)b->n, row) - 1;
}

/* guide[b] is the first term whose column is at least b << shift; one entry
 * for about every four terms. */
akin_status ak_postings_guide(ak_postings *p, akin_ctx *ctx)
{
    const int64_t last = p->n_terms ? p->terms[p->n_terms - 1] : 0;
    p->shift = 0;
    while (last >> p->shift > p->n_terms / 4)
        ++p->shift;
    const int64_t n = (last >> p->shift) + 2;
    const akin_status st = AK_NEW(ctx, n, &p->guide);
    for (int64_t b = 0, t = 0; b < n && st == AKIN_OK; ++b) {
        while (t < p->n_terms && p->terms[t] >> p->shift < b)
            ++t;
        p->guide[b] = (int32_t)t;
    }
    return st;
}

void ak_postings_fetch_column(const ak_postings *p, int64_t column, int step)
{
    if (p->n_terms == 0 || column > p->terms[p->n_terms - 1])
        return;
    const int32_t *guide = &p->guide[column >> p->shift];
    __builtin_prefetch(step == 0 ? (const void *)guide
                                 : (const void *)&p->terms[*guide]);
}

void ak_postings_fetch_term(const ak_postings *p, int64_t t, int step)
{
    if (step == 0) {
        __builtin_prefetch(&p->blocks[t]);
        __builtin_prefetch(&p->counts[t]);
        return;
    }
    const int64_t b = p->blocks[t];
    if (step == 1) {
        __builtin_prefetch(&p->first[b]);
        __builtin_prefetch(&p->at[b]);
        __builtin_prefetch(&p->bits[2 * b]);
        if (p->checks != NULL)
            __builtin_prefetch((const void *)&p->checks->verified[b / 64]);
    }
}

/* Hardware prefetching covers the rest of a long list. */
void ak_postings_fetch_words(const ak_postings *p, int64_t t)
{
    enum { LINE = 64 / sizeof *p->words, MOST = 32 };
    const int64_t begin = p->at[p->blocks[t]];
    const int64_t end = ak_min_i64(ak_postings_end(p, p->blocks[t + 1] - 1),
                                   begin + MOST * LINE);
    for (int64_t at = begin; at < end + LINE; at += LINE)
        __builtin_prefetch(p->words + at);
}

int64_t ak_postings_term(const ak_postings *p, int64_t column)
{
    if (p->n_terms == 0 || column > p->terms[p->n_terms - 1])
        return -1;
    int64_t low = p->guide[column >> p->shift];
    int64_t high = p->guide[(column >> p->shift) + 1];
    while (low < high) {
        const int64_t mid = (low + high) / 2;
        if (p->terms[mid] < column)
            low = mid + 1;
        else
            high = mid;
    }
    return low < p->n_terms && p->terms[low] == column ? low : -1;
}

/* ---- files ---- */

akin_status ak_postings_fail(const ak_postings *p, akin_ctx *ctx)
{
    const ak_block_checks *c = p->checks;
    const int64_t b = c ? atomic_load(&c->bad) : -1;
    if (b < 0)
        return ak_fail(ctx, AKIN_EFORMAT, "the index is damaged");
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: block %" PRId64 " of the postings, at byte %" PRId64
                   ", is damaged",
                   ak_tensors_path(c->file), b,
                   ak_tensors_byte(c->file, "postings") +
                       p->at[b] * (int64_t)sizeof *p->words);
}

static akin_status take_vector(const ak_tensors *t, akin_ctx *ctx,
                               const char *name, ak_dtype dtype, int64_t *n,
                               const void **data)
{
    const ak_tensor *x;
    AK_CHECK(ak_tensors_need(t, ctx, name, dtype, 1, &x));
    if (*n >= 0 && x->shape[0] != *n)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: tensor '%s' has %" PRId64
                       " entries (expected %" PRId64 ")",
                       ak_tensors_path(t), name, x->shape[0], *n);
    *n = x->shape[0];
    *data = x->data;
    return AKIN_OK;
}

/* The same, copied: what was checked stays as it is, whatever becomes of the
 * file. */
static akin_status copy_vector(const ak_tensors *t, akin_ctx *ctx,
                               const char *name, ak_dtype dtype, int64_t *n,
                               void **copy)
{
    const void *data = NULL;
    AK_CHECK(take_vector(t, ctx, name, dtype, n, &data));
    AK_CHECK(ak_alloc(ctx, *n, ak_dtype_size(dtype), copy));
    if (*n > 0)
        memcpy(*copy, data, (size_t)*n * ak_dtype_size(dtype));
    return AKIN_OK;
}

static akin_status bad_block(akin_ctx *ctx, const ak_tensors *t, int64_t b)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: block %" PRId64 " is damaged",
                   ak_tensors_path(t), b);
}

/* Columns must increase, and each needs the blocks for its rows. */
static akin_status check_terms(ak_postings *p, akin_ctx *ctx,
                               const ak_tensors *t, int64_t d)
{
    int64_t block = 0, before = -1;
    for (int64_t k = 0; k < p->n_terms; ++k) {
        const int64_t n = p->counts[k];
        const bool ok = p->terms[k] > before && p->terms[k] < d && n > 0 &&
                        n <= p->n && p->blocks[k] == block;
        if (!ok)
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s: entry %" PRId64 " of the columns is damaged",
                           ak_tensors_path(t), k);
        before = p->terms[k];
        block += (n + AK_PACK_BLOCK - 1) / AK_PACK_BLOCK;
        p->count += n;
    }
    if (p->blocks[p->n_terms] != block || block != p->n_blocks)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " blocks (expected %" PRId64 ")",
                       ak_tensors_path(t), p->n_blocks, block);
    return AKIN_OK;
}

static bool is_width(unsigned bits)
{
    return bits <= AK_PACK_MOST || bits == AK_PACK_WORDS;
}

/* The words of all blocks and the slack fill the tensor exactly. */
static akin_status check_blocks(const ak_postings *p, akin_ctx *ctx,
                                const ak_tensors *t)
{
    int64_t at = 0;
    for (int64_t k = 0; k < p->n_terms; ++k)
        for (int64_t b = p->blocks[k]; b < p->blocks[k + 1]; ++b) {
            const unsigned rows = p->bits[2 * b], values = p->bits[2 * b + 1];
            const int64_t n =
                ak_min_i64(p->counts[k] - (b - p->blocks[k]) * AK_PACK_BLOCK,
                           AK_PACK_BLOCK);
            const bool later = b > p->blocks[k];
            if (!is_width(rows) || !is_width(values) || p->at[b] != at ||
                p->first[b] < 0 || p->first[b] >= p->n ||
                (later && p->first[b] <= p->first[b - 1]))
                return bad_block(ctx, t, b);
            at += ak_pack_size(n, rows) + ak_pack_size(n, values);
        }
    if (p->n_words != at + AK_PACK_SLACK)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " words of postings (expected %" PRId64
                       ")",
                       ak_tensors_path(t), p->n_words, at + AK_PACK_SLACK);
    return AKIN_OK;
}

/* An old file without block checksums is verified as a whole. */
static akin_status take_sums(ak_postings *p, akin_ctx *ctx, const ak_tensors *t)
{
    const void *sums = NULL;
    if (ak_tensors_find(t, "block.sum") == NULL)
        return ak_tensors_settle(t, ctx, "postings");
    AK_CHECK(
        take_vector(t, ctx, "block.sum", AK_DTYPE_I32, &p->n_blocks, &sums));
    return ak_block_checks_new(&p->checks, ctx, t, sums, p->n_blocks);
}

akin_status ak_postings_take(ak_postings *p, akin_ctx *ctx, const ak_tensors *t,
                             int64_t n, int64_t d)
{
    int64_t plus_one = -1, twice = -1, plain = 0;
    const void *words = NULL;
    void **own = p->own;
    *p = (ak_postings){.n = n, .n_terms = -1, .n_blocks = -1, .n_words = -1};
    AK_CHECK(
        copy_vector(t, ctx, "term.column", AK_DTYPE_I32, &p->n_terms, &own[0]));
    plus_one = p->n_terms + 1;
    AK_CHECK(
        copy_vector(t, ctx, "term.block", AK_DTYPE_I64, &plus_one, &own[1]));
    AK_CHECK(
        copy_vector(t, ctx, "term.rows", AK_DTYPE_I32, &p->n_terms, &own[2]));
    AK_CHECK(
        copy_vector(t, ctx, "block.row", AK_DTYPE_I32, &p->n_blocks, &own[3]));
    AK_CHECK(
        copy_vector(t, ctx, "block.word", AK_DTYPE_I64, &p->n_blocks, &own[4]));
    twice = 2 * p->n_blocks;
    AK_CHECK(copy_vector(t, ctx, "block.bits", AK_DTYPE_U8, &twice, &own[5]));
    AK_CHECK(
        take_vector(t, ctx, "postings", AK_DTYPE_I32, &p->n_words, &words));
    AK_CHECK(ak_tensors_need_i64(t, ctx, "plain", &plain));
    p->plain = plain != 0;
    p->terms = own[0];
    p->blocks = own[1];
    p->counts = own[2];
    p->first = own[3];
    p->at = own[4];
    p->bits = own[5];
    p->words = words;
    AK_CHECK(check_terms(p, ctx, t, d));
    AK_CHECK(check_blocks(p, ctx, t));
    AK_CHECK(take_sums(p, ctx, t));
    return ak_postings_guide(p, ctx);
}
