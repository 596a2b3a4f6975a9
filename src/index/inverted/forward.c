#include "index/inverted/forward.h"

#include <math.h>
#include <string.h>

enum { HEADER = 2 };  // words

void ak_forward_free(ak_forward *f)
{
    akin_free(f->own[0]);
    akin_free(f->own[1]);
    ak_block_checks_free(f->checks);
    *f = (ak_forward){0};
}

static int64_t row_words(int64_t n, unsigned bits)
{
    return HEADER + (n * (int64_t)bits + 31) / 32;
}

/* ---- writing ---- */

/* Entries that are transposed at a time, to bound memory. */
enum { AT_ONCE = 1 << 24 };

typedef struct writer {
    ak_forward *f;
    const ak_postings *p;
    int32_t *counts;     // n: entries of each row
    int64_t *next;       // n_terms: block at which the next rows begin
    int64_t begin, end;  // rows that are transposed
    int64_t *to;         // end - begin: where the next entry of each row goes
    int32_t *cols;
    float *vals;
    int64_t *at;
    uint32_t *words;
    int64_t n_words, room;
} writer;

static akin_status count_rows(writer *w, akin_ctx *ctx)
{
    const ak_postings *p = w->p;
    ak_posting_block b;
    for (int64_t t = 0; t < p->n_terms; ++t)
        for (int64_t k = p->blocks[t]; k < p->blocks[t + 1]; ++k) {
            if (!ak_postings_rows(p, t, k, &b))
                return ak_postings_fail(p, ctx);
            for (int64_t i = 0; i < b.n; ++i)
                ++w->counts[b.rows[i]];
        }
    return AKIN_OK;
}

/* The end of the next batch of rows, at least one row. */
static int64_t end_of(const writer *w, int64_t begin, int64_t *entries)
{
    int64_t end = begin;
    *entries = 0;
    while (end < w->p->n &&
           (end == begin || *entries + w->counts[end] <= AT_ONCE))
        *entries += w->counts[end++];
    return end;
}

static akin_status begin_writing(writer *w, akin_ctx *ctx)
{
    const ak_postings *p = w->p;
    int64_t entries, most = 0, rows = 0;
    AK_CHECK(AK_SCRATCH(ctx, p->n, &w->counts));
    AK_CHECK(AK_SCRATCH(ctx, p->n_terms, &w->next));
    AK_CHECK(AK_NEW(ctx, p->n + 1, &w->at));
    AK_CHECK(count_rows(w, ctx));
    for (int64_t t = 0; t < p->n_terms; ++t)
        w->next[t] = p->blocks[t];
    for (int64_t i = 0, end; i < p->n; i = end) {
        end = end_of(w, i, &entries);
        most = ak_max_i64(most, entries);
        rows = ak_max_i64(rows, end - i);
    }
    AK_CHECK(AK_SCRATCH(ctx, rows, &w->to));
    AK_CHECK(AK_SCRATCH(ctx, most, &w->cols));
    return AK_SCRATCH(ctx, most, &w->vals);
}

/* Entries of the rows [begin, end) in one column. */
static bool take_term(writer *w, int64_t t)
{
    const ak_postings *p = w->p;
    int64_t k = w->next[t];
    ak_posting_block b;
    for (; k < p->blocks[t + 1] && p->first[k] < w->end; ++k) {
        if (!ak_postings_block(p, t, k, &b))
            return false;
        for (int64_t i = 0; i < b.n; ++i) {
            if (b.rows[i] < w->begin || b.rows[i] >= w->end)
                continue;
            const int64_t to = w->to[b.rows[i] - w->begin]++;
            w->cols[to] = p->terms[t];
            w->vals[to] = ak_posting_value(&b, i);
        }
        if (b.last >= w->end)
            break;
    }
    w->next[t] = k;
    return true;
}

static void put_bits(uint32_t *out, int64_t bit, uint32_t v, unsigned bits)
{
    uint32_t *word = out + bit / 32;
    const unsigned shift = (unsigned)(bit % 32);
    word[0] |= v << shift;
    if (shift + bits > 32)
        word[1] |= v >> (32 - shift);
}

/* The value as a whole number less one; false: it is none. */
static bool as_count(float v, uint32_t *less_one)
{
    const bool is = v >= 1.0F && v <= 16777216.0F && v == (float)(uint32_t)v;
    *less_one = is ? (uint32_t)v - 1 : 0;
    return is;
}

static uint32_t as_number(float v, unsigned bits)
{
    uint32_t number;
    if (bits == AK_PACK_WORDS)
        memcpy(&number, &v, sizeof number);
    else
        as_count(v, &number);
    return number;
}

static akin_status put_row(writer *w, akin_ctx *ctx, int64_t n,
                           const int32_t *cols, const float *vals)
{
    uint32_t gaps = 0, values = 0, less_one;
    bool counts = true;
    for (int64_t k = 0; k < n; ++k) {
        gaps |= (uint32_t)(cols[k] - (k ? cols[k - 1] + 1 : 0));
        counts = as_count(vals[k], &less_one) && counts;
        values |= less_one;
    }
    const unsigned gap_bits = ak_pack_bits(gaps);
    const unsigned value_bits = counts ? ak_pack_bits(values) : AK_PACK_WORDS;
    const int64_t size = row_words(n, gap_bits + value_bits);
    AK_CHECK(ak_grow(ctx, w->n_words + size + AK_PACK_SLACK, &w->room,
                     sizeof *w->words, &w->words));
    uint32_t *to = w->words + w->n_words;
    memset(to, 0, (size_t)(size + AK_PACK_SLACK) * sizeof *to);
    to[0] = (uint32_t)n;
    to[1] = gap_bits + 256 * value_bits;
    for (int64_t k = 0; k < n; ++k) {
        put_bits(to + HEADER, k * gap_bits,
                 (uint32_t)(cols[k] - (k ? cols[k - 1] + 1 : 0)), gap_bits);
        put_bits(to + HEADER, n * gap_bits + k * value_bits,
                 as_number(vals[k], value_bits), value_bits);
    }
    w->n_words += size;
    return AKIN_OK;
}

/* Rows from w->end on. */
static akin_status put_next_rows(writer *w, akin_ctx *ctx)
{
    int64_t entries, at = 0;
    w->begin = w->end;
    w->end = end_of(w, w->begin, &entries);
    for (int64_t i = w->begin; i < w->end; ++i) {
        w->to[i - w->begin] = at;
        at += w->counts[i];
    }
    for (int64_t t = 0; t < w->p->n_terms; ++t)
        if (!take_term(w, t))
            return ak_postings_fail(w->p, ctx);
    for (int64_t i = w->begin; i < w->end; ++i) {
        const int64_t from = w->to[i - w->begin] - w->counts[i];
        w->at[i] = w->n_words;
        AK_CHECK(put_row(w, ctx, w->counts[i], w->cols + from, w->vals + from));
    }
    return AKIN_OK;
}

akin_status ak_forward_make(ak_forward *f, akin_ctx *ctx, const ak_postings *p,
                            int64_t d)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    writer w = {.f = f, .p = p};
    akin_status st = AKIN_OK;
    *f = (ak_forward){.n = p->n, .d = d};
    AK_TRY(begin_writing(&w, ctx));
    while (w.end < p->n) {
        AK_TRY(ak_ctx_poll(ctx));
        AK_TRY(put_next_rows(&w, ctx));
    }
    w.at[p->n] = w.n_words;
done:
    f->own[0] = w.at;
    f->own[1] = w.words;
    f->at = w.at;
    f->words = w.words;
    if (st != AKIN_OK)
        ak_forward_free(f);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- reading ---- */

static bool blame(const ak_forward *f, int64_t i)
{
    if (f->checks != NULL)
        ak_block_checks_blame(f->checks, i);
    return false;
}

static size_t row_bytes(const ak_forward *f, int64_t i)
{
    return (size_t)(f->at[i + 1] - f->at[i]) * sizeof *f->words;
}

static bool is_width(unsigned bits)
{
    return bits <= AK_PACK_MOST || bits == AK_PACK_WORDS;
}

bool ak_forward_begin(const ak_forward *f, int64_t i, ak_forward_row *row)
{
    const uint32_t *words = f->words + f->at[i];
    if (f->checks && !ak_block_checks_verified(f->checks, i) &&
        !ak_block_checks_verify(f->checks, i, words, row_bytes(f, i)))
        return false;
    *row = (ak_forward_row){.n = words[0],
                            .gap_bits = words[1] % 256,
                            .value_bits = words[1] / 256,
                            .bits = words + HEADER};
    const bool ok = row->n <= f->d && is_width(row->gap_bits) &&
                    is_width(row->value_bits) &&
                    row_words(row->n, row->gap_bits + row->value_bits) ==
                        f->at[i + 1] - f->at[i];
    return ok || blame(f, i);
}

/* Eight bytes hold any number; there is slack behind the last one. */
static inline uint32_t get_bits(const uint32_t *in, int64_t bit, unsigned bits)
{
    uint64_t word;
    memcpy(&word, (const char *)in + bit / 8, sizeof word);
    return (uint32_t)(word >> bit % 8 & ((UINT64_C(1) << bits) - 1));
}

bool ak_forward_next(const ak_forward *f, int64_t i, ak_forward_row *row,
                     uint32_t *columns, int64_t *count)
{
    const int64_t n = ak_min_i64(row->n - row->done, AK_PACK_BLOCK);
    uint64_t column = row->column;
    for (int64_t k = 0; k < n; ++k) {
        column +=
            get_bits(row->bits, (row->done + k) * row->gap_bits, row->gap_bits);
        columns[k] = (uint32_t)column++;
    }
    row->done += n;
    row->column = column;
    *count = n;
    return column <= (uint64_t)f->d || blame(f, i);
}

float ak_forward_value(const ak_forward_row *row, int64_t k)
{
    const uint32_t number =
        get_bits(row->bits, row->n * row->gap_bits + k * row->value_bits,
                 row->value_bits);
    float value = (float)(number + 1);
    if (row->value_bits == AK_PACK_WORDS)
        memcpy(&value, &number, sizeof value);
    return value;
}

void ak_forward_fetch(const ak_forward *f, int64_t i)
{
    const char *words = (const char *)(f->words + f->at[i]);
    const char *end = (const char *)(f->words + f->at[i + 1]);
    for (; words < end; words += 64)
        __builtin_prefetch(words);
}

/* ---- files ---- */

akin_status ak_forward_fail(const ak_forward *f, akin_ctx *ctx)
{
    const ak_block_checks *c = f->checks;
    const int64_t i = c ? atomic_load(&c->bad) : -1;
    if (i < 0)
        return ak_fail(ctx, AKIN_EFORMAT, "the index is damaged");
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: row %" PRId64 ", at byte %" PRId64 ", is damaged",
                   ak_tensors_path(c->file), i,
                   ak_tensors_byte(c->file, "forward") +
                       f->at[i] * (int64_t)sizeof *f->words);
}

/* The checksum of each row; rows of a file are verified first, so that damage
 * is never written with a matching checksum. */
static akin_status put_sums(const ak_forward *f, akin_ctx *ctx, ak_tensors *t)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    uint32_t *sums;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, f->n, &sums));
    for (int64_t i = 0; i < f->n; ++i) {
        const uint32_t *words = f->words + f->at[i];
        if (f->checks &&
            !ak_block_checks_verify(f->checks, i, words, row_bytes(f, i)))
            AK_TRY(ak_forward_fail(f, ctx));
        sums[i] = ak_checksum_part(words, row_bytes(f, i));
    }
    AK_TRY(ak_tensors_put_copy(t, ctx,
                               (ak_tensor){.name = "forward.sum",
                                           .dtype = AK_DTYPE_I32,
                                           .n_dims = 1,
                                           .shape = {f->n},
                                           .data = sums}));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_forward_put(const ak_forward *f, akin_ctx *ctx, ak_tensors *t)
{
    if (f->at == NULL)
        return AKIN_OK;
    AK_CHECK(ak_tensors_put_vector(t, ctx, "forward.at", AK_DTYPE_I64, f->n + 1,
                                   f->at));
    AK_CHECK(ak_tensors_put_vector(t, ctx, "forward", AK_DTYPE_I32,
                                   f->at[f->n] + AK_PACK_SLACK, f->words));
    return put_sums(f, ctx, t);
}

/* Rows follow each other and fill the tensor. */
static bool is_in_order(const ak_forward *f, int64_t n_words)
{
    bool ok = f->at[0] == 0;
    for (int64_t i = 0; i < f->n && ok; ++i)
        ok = f->at[i + 1] >= f->at[i] + HEADER && f->at[i + 1] <= n_words;
    return ok && f->at[f->n] + AK_PACK_SLACK == n_words;
}

akin_status ak_forward_take(ak_forward *f, akin_ctx *ctx, const ak_tensors *t,
                            int64_t n, int64_t d)
{
    const ak_tensor *at, *words, *sums;
    *f = (ak_forward){0};
    if (ak_tensors_find(t, "forward") == NULL)
        return AKIN_OK;
    AK_CHECK(ak_tensors_need(t, ctx, "forward.at", AK_DTYPE_I64, 1, &at));
    AK_CHECK(ak_tensors_need(t, ctx, "forward", AK_DTYPE_I32, 1, &words));
    AK_CHECK(ak_tensors_need(t, ctx, "forward.sum", AK_DTYPE_I32, 1, &sums));
    *f = (ak_forward){.n = n, .d = d, .words = words->data};
    AK_CHECK(ak_alloc(ctx, at->shape[0], sizeof *f->at, &f->own[0]));
    memcpy(f->own[0], at->data, (size_t)at->shape[0] * sizeof *f->at);
    f->at = f->own[0];
    if (at->shape[0] != n + 1 || sums->shape[0] != n ||
        !is_in_order(f, words->shape[0]))
        return ak_fail(ctx, AKIN_EFORMAT, "%s: tensor 'forward.at' is damaged",
                       ak_tensors_path(t));
    return ak_block_checks_new(&f->checks, ctx, t, sums->data, n);
}
