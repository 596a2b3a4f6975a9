/* Rows added up with weights. */
#include "data/mix.h"

/* One row as it is added up. */
typedef struct sum {
    double *value;         // d
    unsigned char *there;  // d
    int64_t d;
} sum;

static void add_row(sum *m, const akin_rows *rows, int64_t i, double by)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, rows, i);
    for (int64_t k = 0; k < n; ++k) {
        const int64_t j = cols ? cols[k] : k;
        m->value[j] += by * (double)vals[k];
        m->there[j] = 1;
    }
}

static int64_t entries_of(const akin_rows *rows, int64_t i)
{
    return rows->offsets ? rows->offsets[i + 1] - rows->offsets[i] : rows->d;
}

/* The largest sizes of the parts, and whether all are sparse. */
typedef struct form {
    int64_t n, d, entries;
    bool sparse;
} form;

/* The combined queries have no more entries than the parts. */
static form form_of(const akin_rows *queries, const ak_share *shares,
                    int64_t n_shares)
{
    form f = {.n = queries ? queries->n : 1, .sparse = true};
    for (int64_t i = 0; i < n_shares; ++i) {
        const ak_share *s = &shares[i];
        for (int64_t k = s->first; k < s->first + s->n; ++k)
            f.entries += f.n * entries_of(s->rows, k);
        if (s->n > 0) {
            f.sparse = f.sparse && s->rows->offsets;
            f.d = ak_max_i64(f.d, s->rows->d);
        }
    }
    for (int64_t t = 0; queries && t < f.n; ++t)
        f.entries += entries_of(queries, t);
    if (queries) {
        f.sparse = f.sparse && queries->offsets;
        f.d = ak_max_i64(f.d, queries->d);
    }
    return f;
}

static akin_status new_queries(akin_rows **out, akin_ctx *ctx, form f)
{
    int64_t most = f.entries;
    akin_rows *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_rows_new(&q, ctx, f.n, f.d));
    if (!f.sparse && !ak_mul_i64(f.n, f.d, &most))
        AK_TRY(ak_nomem(ctx, SIZE_MAX));
    if (f.sparse) {
        AK_TRY(AK_NEW(ctx, f.n + 1, &q->offsets));
        AK_TRY(AK_NEW(ctx, most, &q->cols));
    }
    AK_TRY(AK_NEW(ctx, most, &q->vals));
    *out = q;
    q = NULL;
done:
    akin_rows_free(q);
    return st;
}

/* The only row that is added up; false: there are several. */
static bool only_row(const akin_rows *queries, double weight,
                     const ak_share *shares, int64_t n_shares, ak_share *only)
{
    int64_t n = queries ? 1 : 0;
    *only = (ak_share){queries, 0, 1, weight};
    for (int64_t i = 0; i < n_shares; ++i) {
        if (shares[i].n > 0)
            *only = shares[i];
        n += shares[i].n;
    }
    return n == 1;
}

/* Row t is one row times its weight: the sum without the columns of others. */
static void take_only(const ak_share *only, int64_t row, akin_rows *q,
                      int64_t t)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, only->rows, row);
    int64_t at = q->offsets[t];
    for (int64_t k = 0; k < n; ++k) {
        const float v = (float)(only->weight * (double)vals[k]);
        q->cols[at] = cols[k];
        q->vals[at] = v;
        at += v != 0.0F;
    }
    q->offsets[t + 1] = at;
}

/* Move the sum to row t and clear it. */
static void take_sum(sum *m, akin_rows *q, int64_t t)
{
    int64_t at = q->offsets ? q->offsets[t] : t * q->d;
    for (int64_t j = 0; j < m->d; ++j) {
        const float v = m->there[j] ? (float)m->value[j] : 0.0F;
        if (q->offsets == NULL)
            q->vals[at++] = v;
        else if (v != 0.0F) {
            q->cols[at] = (int32_t)j;
            q->vals[at++] = v;
        }
        m->value[j] = 0.0;
        m->there[j] = 0;
    }
    if (q->offsets)
        q->offsets[t + 1] = at;
}

/* Every query by sums over all columns. */
static akin_status add_up(akin_ctx *ctx, const akin_rows *queries,
                          double weight, const ak_share *shares,
                          int64_t n_shares, akin_rows *q)
{
    sum m = {.d = q->d};
    AK_CHECK(AK_SCRATCH(ctx, m.d, &m.value));
    AK_CHECK(AK_SCRATCH(ctx, m.d, &m.there));
    for (int64_t t = 0; t < q->n; ++t) {
        if (queries)
            add_row(&m, queries, t, weight);
        for (int64_t i = 0; i < n_shares; ++i)
            for (int64_t k = 0; k < shares[i].n; ++k)
                add_row(&m, shares[i].rows, shares[i].first + k,
                        shares[i].weight);
        take_sum(&m, q, t);
    }
    return AKIN_OK;
}

akin_status ak_rows_mix(akin_rows **out, akin_ctx *ctx,
                        const akin_rows *queries, double weight,
                        const ak_share *shares, int64_t n_shares)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const form f = form_of(queries, shares, n_shares);
    akin_rows *q = NULL;
    ak_share only;
    akin_status st = AKIN_OK;
    AK_TRY(new_queries(&q, ctx, f));
    if (f.sparse && only_row(queries, weight, shares, n_shares, &only))
        for (int64_t t = 0; t < f.n; ++t)
            take_only(&only, queries ? t : only.first, q, t);
    else
        AK_TRY(add_up(ctx, queries, weight, shares, n_shares, q));
    *out = q;
    q = NULL;
done:
    akin_rows_free(q);
    ak_scratch_end(ctx, mark);
    return st;
}
