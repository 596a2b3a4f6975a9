/* Writes postings: from rows and from older postings, and into a file. */
#include <string.h>

#include "index/inverted/postings.h"

/* Postings transposed at a time, to bound memory. */
enum { AT_ONCE = 1 << 24 };

/* Growing arrays. */
typedef struct writer {
    ak_postings *p;
    int32_t *terms, *counts, *first;
    int64_t *blocks, *at;
    uint8_t *bits;
    uint32_t *words;
    int64_t room_terms, room_blocks, room_words;
} writer;

/* Arrays of one length share one capacity. */
static akin_status room_for_term(writer *w, akin_ctx *ctx)
{
    const int64_t need = w->p->n_terms + 2;
    int64_t room = w->room_terms;
    AK_CHECK(ak_grow(ctx, need, &room, sizeof *w->terms, &w->terms));
    room = w->room_terms;
    AK_CHECK(ak_grow(ctx, need, &room, sizeof *w->counts, &w->counts));
    return ak_grow(ctx, need, &w->room_terms, sizeof *w->blocks, &w->blocks);
}

static akin_status room_for_block(writer *w, akin_ctx *ctx)
{
    const int64_t need = w->p->n_blocks + 1;
    int64_t room = w->room_blocks;
    AK_CHECK(ak_grow(ctx, need, &room, sizeof *w->first, &w->first));
    room = w->room_blocks;
    AK_CHECK(ak_grow(ctx, need, &room, 2 * sizeof *w->bits, &w->bits));
    AK_CHECK(ak_grow(ctx, need, &w->room_blocks, sizeof *w->at, &w->at));
    return ak_grow(ctx, w->p->n_words + 2 * AK_PACK_BLOCK + AK_PACK_SLACK,
                   &w->room_words, sizeof *w->words, &w->words);
}

static bool is_count(float v)
{
    return v >= 1.0F && v <= 16777216.0F && v == (float)(uint32_t)v;
}

/* The values minus one, or as floats; returns the bits in use. */
static uint32_t as_numbers(int64_t n, const float *v, uint32_t *out)
{
    uint32_t most = 0;
    bool counts = true;
    for (int64_t i = 0; i < n; ++i)
        counts = counts && is_count(v[i]);
    if (!counts) {
        memcpy(out, v, (size_t)n * sizeof *v);
        return UINT32_MAX;
    }
    for (int64_t i = 0; i < n; ++i) {
        out[i] = (uint32_t)v[i] - 1;
        most |= out[i];
    }
    return most;
}

static void pack(writer *w, int64_t n, const uint32_t *v, uint32_t most,
                 uint8_t *bits)
{
    *bits = (uint8_t)ak_pack_bits(most);
    ak_pack(n, v, *bits, w->words + w->p->n_words);
    w->p->n_words += ak_pack_size(n, *bits);
}

static akin_status put_block(writer *w, akin_ctx *ctx, int64_t n,
                             const int32_t *rows, const float *v)
{
    ak_postings *p = w->p;
    uint32_t numbers[AK_PACK_BLOCK], most = 0;
    AK_CHECK(ak_ctx_poll(ctx));
    AK_CHECK(room_for_block(w, ctx));
    const int64_t b = p->n_blocks++;
    w->first[b] = rows[0];
    w->at[b] = p->n_words;
    numbers[0] = 0;
    for (int64_t i = 1; i < n; ++i) {
        numbers[i] = (uint32_t)(rows[i] - rows[i - 1] - 1);
        most |= numbers[i];
    }
    pack(w, n, numbers, most, &w->bits[2 * b]);
    most = as_numbers(n, v, numbers);
    pack(w, n, numbers, most, &w->bits[2 * b + 1]);
    for (int64_t i = 0; i < n; ++i)
        p->plain = p->plain && v[i] >= 1e-12F;
    return AKIN_OK;
}

static akin_status put_term(writer *w, akin_ctx *ctx, int32_t column, int64_t n,
                            const int32_t *rows, const float *v)
{
    ak_postings *p = w->p;
    if (n == 0)
        return AKIN_OK;
    AK_CHECK(room_for_term(w, ctx));
    w->terms[p->n_terms] = column;
    w->counts[p->n_terms] = (int32_t)n;
    w->blocks[p->n_terms++] = p->n_blocks;
    p->count += n;
    for (int64_t i = 0; i < n; i += AK_PACK_BLOCK)
        AK_CHECK(put_block(w, ctx, ak_min_i64(n - i, AK_PACK_BLOCK), rows + i,
                           v + i));
    return AKIN_OK;
}

/* The postings own what was written, complete or not. */
static void hand_over(writer *w)
{
    void *const own[] = {w->terms, w->blocks, w->counts, w->first,
                         w->at,    w->bits,   w->words};
    ak_postings *p = w->p;
    memcpy(p->own, own, sizeof own);
    p->terms = w->terms;
    p->blocks = w->blocks;
    p->counts = w->counts;
    p->first = w->first;
    p->at = w->at;
    p->bits = w->bits;
    p->words = w->words;
}

static akin_status finish(writer *w, akin_ctx *ctx)
{
    AK_CHECK(room_for_term(w, ctx));
    AK_CHECK(room_for_block(w, ctx));
    w->blocks[w->p->n_terms] = w->p->n_blocks;
    memset(w->words + w->p->n_words, 0, AK_PACK_SLACK * sizeof *w->words);
    w->p->n_words += AK_PACK_SLACK;
    return AKIN_OK;
}

/* Columns [begin, end) of rows, transposed. */
typedef struct transpose {
    const akin_rows *rows;
    const unsigned char *keep;
    int64_t d, begin, end;
    int64_t *offsets;  // d + 1: of all columns
    int64_t *at;       // d
    int32_t *row;      // of the current columns
    float *value;
} transpose;

static bool is_kept(const transpose *x, int64_t j)
{
    return x->keep == NULL || x->keep[j];
}

/* The end of the next batch of columns, at least one column. */
static int64_t end_of(const transpose *x, int64_t begin)
{
    int64_t end = begin + 1;
    while (end < x->d && x->offsets[end + 1] - x->offsets[begin] <= AT_ONCE)
        ++end;
    return end;
}

static akin_status transpose_begin(transpose *x, akin_ctx *ctx)
{
    const akin_rows *r = x->rows;
    int64_t room = 0;
    AK_CHECK(AK_SCRATCH(ctx, x->d + 1, &x->offsets));
    AK_CHECK(AK_SCRATCH(ctx, x->d, &x->at));
    for (int64_t k = 0; k < r->offsets[r->n]; ++k)
        x->offsets[r->cols[k] + 1] += is_kept(x, r->cols[k]);
    for (int64_t j = 0; j < x->d; ++j)
        x->offsets[j + 1] += x->offsets[j];
    for (int64_t j = 0, end; j < x->d; j = end) {
        end = end_of(x, j);
        room = ak_max_i64(room, x->offsets[end] - x->offsets[j]);
    }
    AK_CHECK(AK_SCRATCH(ctx, room, &x->row));
    return AK_SCRATCH(ctx, room, &x->value);
}

/* Transpose the columns from x->end on. */
static void transpose_next(transpose *x)
{
    const akin_rows *r = x->rows;
    x->begin = x->end;
    x->end = end_of(x, x->begin);
    for (int64_t j = x->begin; j < x->end; ++j)
        x->at[j] = x->offsets[j] - x->offsets[x->begin];
    const bool all = x->end - x->begin == x->d && x->keep == NULL;
    for (int64_t i = 0; i < r->n; ++i)
        for (int64_t k = r->offsets[i]; k < r->offsets[i + 1]; ++k) {
            const int64_t j = r->cols[k];
            if (!all && (j < x->begin || j >= x->end || !is_kept(x, j)))
                continue;
            const int64_t to = x->at[j]++;
            x->row[to] = (int32_t)i;
            x->value[to] = r->vals[k];
        }
}

/* One column of the old postings, in order, without removed rows. */
typedef struct column {
    int32_t *row;
    float *value;
    int64_t n, room, room_value;
} column;

static akin_status append_old(column *c, akin_ctx *ctx, const ak_postings *p,
                              int64_t t, const unsigned char *gone)
{
    ak_posting_block b;
    const int64_t need = c->n + p->counts[t];
    AK_CHECK(ak_grow(ctx, need, &c->room, sizeof *c->row, &c->row));
    AK_CHECK(ak_grow(ctx, need, &c->room_value, sizeof *c->value, &c->value));
    for (int64_t k = p->blocks[t]; k < p->blocks[t + 1]; ++k) {
        if (!ak_postings_block(p, t, k, &b))
            return ak_postings_fail(p, ctx);
        for (int64_t i = 0; i < b.n; ++i) {
            const int64_t from = ak_posting_place(&b, i);
            if (gone != NULL && gone[b.rows[from]])
                continue;
            c->row[c->n] = (int32_t)b.rows[from];
            c->value[c->n++] = ak_posting_value(&b, from);
        }
    }
    return AKIN_OK;
}

static akin_status append_new(column *c, akin_ctx *ctx, const transpose *x,
                              int64_t j, int64_t first)
{
    const int64_t from = x->offsets[j] - x->offsets[x->begin];
    const int64_t n = x->offsets[j + 1] - x->offsets[j];
    AK_CHECK(ak_grow(ctx, c->n + n, &c->room, sizeof *c->row, &c->row));
    AK_CHECK(
        ak_grow(ctx, c->n + n, &c->room_value, sizeof *c->value, &c->value));
    for (int64_t i = 0; i < n; ++i) {
        c->row[c->n] = (int32_t)(first + x->row[from + i]);
        c->value[c->n++] = x->value[from + i];
    }
    return AKIN_OK;
}

static akin_status merge_all(writer *w, akin_ctx *ctx, const ak_postings *old,
                             const unsigned char *gone, transpose *x)
{
    column c = {0};
    int64_t t = 0;
    akin_status st = AKIN_OK;
    for (int64_t j = 0; j < x->d; ++j) {
        c.n = 0;
        if (j == x->end && x->rows != NULL)
            transpose_next(x);
        while (t < old->n_terms && old->terms[t] == j)
            AK_TRY(append_old(&c, ctx, old, t++, gone));
        if (x->rows != NULL && x->offsets[j + 1] > x->offsets[j])
            AK_TRY(append_new(&c, ctx, x, j, old->n));
        AK_TRY(put_term(w, ctx, (int32_t)j, c.n, c.row, c.value));
    }
done:
    akin_free(c.row);
    akin_free(c.value);
    return st;
}

akin_status ak_postings_merge(ak_postings *p, akin_ctx *ctx,
                              const ak_postings *old, const unsigned char *gone,
                              const akin_rows *more, const unsigned char *keep)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t last = old->n_terms ? old->terms[old->n_terms - 1] : -1;
    transpose x = {.rows = more, .keep = keep, .d = more ? more->d : 0};
    writer w = {.p = p};
    akin_status st = AKIN_OK;
    *p = (ak_postings){.n = old->n + (more ? more->n : 0), .plain = true};
    x.d = ak_max_i64(x.d, last + 1);
    if (p->n > INT32_MAX)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE, "more than 2147483647 rows"));
    if (more != NULL)
        AK_TRY(transpose_begin(&x, ctx));
    AK_TRY(merge_all(&w, ctx, old, gone, &x));
    AK_TRY(finish(&w, ctx));
done:
    hand_over(&w);
    if (st == AKIN_OK)
        st = ak_postings_guide(p, ctx);
    if (st != AKIN_OK)
        ak_postings_free(p);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- into a file ---- */

/* The checksum of each block. Blocks of a file are verified first, so that
 * damage is never written with a matching checksum. */
static akin_status put_sums(const ak_postings *p, akin_ctx *ctx, ak_tensors *t)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    uint32_t *sums;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->n_blocks, &sums));
    for (int64_t b = 0; b < p->n_blocks; ++b) {
        if (p->checks && !ak_postings_verify(p, b))
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
