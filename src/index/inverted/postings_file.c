/* Postings in files. */
#include "index/inverted/postings.h"

akin_status ak_postings_fail(const ak_postings *p, akin_ctx *ctx)
{
    const ak_checks *c = p->checks;
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

/* The checksum of each block. Those of a file are looked at first: damage is
 * not to be written under a checksum that fits it. */
static akin_status put_sums(const ak_postings *p, akin_ctx *ctx, ak_tensors *t)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    uint32_t *sums;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->n_blocks, &sums));
    for (int64_t b = 0; b < p->n_blocks; ++b) {
        if (p->checks && !ak_postings_look(p, b))
            AK_TRY(ak_postings_fail(p, ctx));
        sums[b] = ak_checksum_part(p->words + p->at[b],
                                   (size_t)(ak_postings_end(p, b) - p->at[b]) *
                                       sizeof *p->words);
    }
    AK_TRY(ak_tensors_put_copy(t, ctx,
                               (ak_tensor){.name = "block.sum",
                                           .dtype = AK_DTYPE_I32,
                                           .n_dims = 1,
                                           .shape = {p->n_blocks},
                                           .data = sums}));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_postings_put(const ak_postings *p, akin_ctx *ctx, ak_tensors *t)
{
    const struct {
        const char *name;
        ak_dtype dtype;
        int64_t n;
        const void *data;
    } all[] = {
        {"term.column", AK_DTYPE_I32, p->n_terms, p->terms},
        {"term.block", AK_DTYPE_I64, p->n_terms + 1, p->blocks},
        {"term.rows", AK_DTYPE_I32, p->n_terms, p->counts},
        {"block.row", AK_DTYPE_I32, p->n_blocks, p->first},
        {"block.word", AK_DTYPE_I64, p->n_blocks, p->at},
        {"block.bits", AK_DTYPE_U8, 2 * p->n_blocks, p->bits},
        {"postings", AK_DTYPE_I32, p->n_words, p->words},
    };
    akin_status st = AKIN_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && st == AKIN_OK; ++i)
        st = ak_tensors_put_vector(t, ctx, all[i].name, all[i].dtype, all[i].n,
                                   all[i].data);
    if (st == AKIN_OK)
        st = put_sums(p, ctx, t);
    if (st == AKIN_OK)
        st = ak_tensors_note_i64(t, ctx, "plain", p->plain);
    return st;
}

static akin_status take_vector(const ak_tensors *t, akin_ctx *ctx,
                               const char *name, ak_dtype dtype, int64_t *n,
                               const void **data)
{
    const ak_tensor *x;
    const akin_status st = ak_tensors_need(t, ctx, name, dtype, 1, &x);
    if (st != AKIN_OK)
        return st;
    if (*n >= 0 && x->shape[0] != *n)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: tensor '%s' has %" PRId64
                       " entries (expected %" PRId64 ")",
                       ak_tensors_path(t), name, x->shape[0], *n);
    *n = x->shape[0];
    *data = x->data;
    return AKIN_OK;
}

static akin_status bad_block(akin_ctx *ctx, const ak_tensors *t, int64_t b)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: block %" PRId64 " is damaged",
                   ak_tensors_path(t), b);
}

/* Columns rise, and each has the blocks that its rows need. */
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

/* The words of one block after the other fill the tensor, and the slack. */
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

/* A file without checksums of blocks, as there were, is read as a whole. */
static akin_status take_sums(ak_postings *p, akin_ctx *ctx, const ak_tensors *t)
{
    const void *sums = NULL;
    akin_status st = AKIN_OK;
    if (ak_tensors_find(t, "block.sum") == NULL)
        return ak_tensors_settle(t, ctx, "postings");
    AK_TRY(take_vector(t, ctx, "block.sum", AK_DTYPE_I32, &p->n_blocks, &sums));
    AK_TRY(ak_checks_new(&p->checks, ctx, t, sums, p->n_blocks));
done:
    return st;
}

akin_status ak_postings_take(ak_postings *p, akin_ctx *ctx, const ak_tensors *t,
                             int64_t n, int64_t d)
{
    int64_t plus_one = -1, twice = -1, plain = 0;
    const void *a[7] = {0};
    akin_status st = AKIN_OK;
    *p = (ak_postings){.n = n, .n_terms = -1, .n_blocks = -1, .n_words = -1};
    p->allocator = ak_ctx_allocator(ctx);
    AK_TRY(
        take_vector(t, ctx, "term.column", AK_DTYPE_I32, &p->n_terms, &a[0]));
    plus_one = p->n_terms + 1;
    AK_TRY(take_vector(t, ctx, "term.block", AK_DTYPE_I64, &plus_one, &a[1]));
    AK_TRY(take_vector(t, ctx, "term.rows", AK_DTYPE_I32, &p->n_terms, &a[2]));
    AK_TRY(take_vector(t, ctx, "block.row", AK_DTYPE_I32, &p->n_blocks, &a[3]));
    AK_TRY(
        take_vector(t, ctx, "block.word", AK_DTYPE_I64, &p->n_blocks, &a[4]));
    twice = 2 * p->n_blocks;
    AK_TRY(take_vector(t, ctx, "block.bits", AK_DTYPE_U8, &twice, &a[5]));
    AK_TRY(take_vector(t, ctx, "postings", AK_DTYPE_I32, &p->n_words, &a[6]));
    AK_TRY(ak_tensors_need_i64(t, ctx, "plain", &plain));
    p->plain = plain != 0;
    p->terms = a[0];
    p->blocks = a[1];
    p->counts = a[2];
    p->first = a[3];
    p->at = a[4];
    p->bits = a[5];
    p->words = a[6];
    AK_TRY(check_terms(p, ctx, t, d));
    AK_TRY(check_blocks(p, ctx, t));
    AK_TRY(take_sums(p, ctx, t));
    AK_TRY(ak_postings_guide(p, ctx));
done:
    return st;
}
