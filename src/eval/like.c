/* Queries by several examples: the mean of a row and of rows like it. */
#include <stdlib.h>
#include <string.h>

#include "eval/retrieval.h"
#include "model/compare.h"

/* The sum of some rows, in double, and the columns that it has. */
typedef struct sum {
    double *value;         // d
    unsigned char *there;  // d
    int32_t *cols;         // d
    int64_t n, d;
} sum;

static void add_row(sum *s, const akin_rows *rows, int64_t i)
{
    const ak_row row = ak_row_of(rows, i);
    for (int64_t k = 0; k < row.n; ++k) {
        const int64_t j = ak_row_col(&row, k);
        if (!s->there[j]) {
            s->there[j] = 1;
            s->cols[s->n++] = (int32_t)j;
        }
        s->value[j] += (double)row.vals[k];
    }
}

/* Adds up query t and its examples; returns how many rows that were. */
static double add_query(sum *s, const ak_retrieval *r, int64_t t)
{
    const int64_t *rows, query = ak_query_row(r, t);
    const int64_t n = akin_lists_get(&rows, r->o.like, query);
    add_row(s, r->queries, query);
    for (int64_t k = 0; k < n; ++k)
        add_row(s, r->rows, rows[k]);
    return (double)(n + 1);
}

static int by_column(const void *left, const void *right)
{
    const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

/* Moves the mean to the end of a sparse row, and clears the sum. */
static int64_t take_sparse(sum *s, double count, akin_rows *to, int64_t at)
{
    if (s->n > 0)
        qsort(s->cols, (size_t)s->n, sizeof *s->cols, by_column);
    for (int64_t k = 0; k < s->n; ++k) {
        const int32_t j = s->cols[k];
        const float mean = (float)(s->value[j] / count);
        if (mean != 0.0f) {
            to->cols[at] = j;
            to->vals[at++] = mean;
        }
        s->value[j] = 0.0;
        s->there[j] = 0;
    }
    s->n = 0;
    return at;
}

static void take_dense(sum *s, double count, float *to)
{
    for (int64_t k = 0; k < s->n; ++k) {
        const int32_t j = s->cols[k];
        to[j] = (float)(s->value[j] / count);
        s->value[j] = 0.0;
        s->there[j] = 0;
    }
    s->n = 0;
}

/* Entries of all means together, at most. */
static int64_t count_entries(const ak_retrieval *r)
{
    int64_t n = 0;
    for (int64_t t = 0; t < r->count; ++t) {
        const int64_t *rows, query = ak_query_row(r, t);
        const int64_t n_rows = akin_lists_get(&rows, r->o.like, query);
        n += ak_row_of(r->queries, query).n;
        for (int64_t k = 0; k < n_rows; ++k)
            n += ak_row_of(r->rows, rows[k]).n;
    }
    return n;
}

static akin_status take_memory(akin_rows *q, akin_ctx *ctx,
                               const ak_retrieval *r, bool sparse)
{
    int64_t n = 0;
    akin_status st = AKIN_OK;
    if (sparse) {
        n = count_entries(r);
        AK_TRY(AK_NEW(ctx, q->n + 1, &q->offsets));
        AK_TRY(AK_NEW(ctx, n, &q->cols));
    } else if (!ak_mul_i64(q->n, q->d, &n)) {
        AK_TRY(ak_nomem(ctx, SIZE_MAX));
    }
    AK_TRY(AK_NEW(ctx, n, &q->vals));
done:
    return st;
}

akin_status ak_like_rows(akin_rows **out, akin_ctx *ctx, const ak_retrieval *r)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const bool sparse = r->rows->offsets && r->queries->offsets;
    sum s = {.d = ak_max_i64(r->rows->d, r->queries->d)};
    akin_rows *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s.d, &s.value));
    AK_TRY(AK_SCRATCH(ctx, s.d, &s.there));
    AK_TRY(AK_SCRATCH(ctx, s.d, &s.cols));
    AK_TRY(ak_rows_new(&q, ctx, r->count, s.d));
    AK_TRY(take_memory(q, ctx, r, sparse));
    for (int64_t t = 0; t < r->count; ++t) {
        const double count = add_query(&s, r, t);
        if (sparse)
            q->offsets[t + 1] = take_sparse(&s, count, q, q->offsets[t]);
        else
            take_dense(&s, count, q->vals + t * q->d);
    }
    *out = q;
    q = NULL;
done:
    akin_rows_free(q);
    ak_scratch_end(ctx, mark);
    return st;
}
