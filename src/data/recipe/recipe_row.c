/* One row through a recipe. */
#include <math.h>
#include <string.h>

#include "data/recipe/recipe_body.h"

/* A raw row; sparse ones have fewer numbers than columns. */
typedef struct raw_row {
    int64_t n;
    const int32_t *cols;  // NULL: dense
    const float *vals;
    double sum;  // for tf
} raw_row;

static raw_row raw_of(const akin_recipe *r, const akin_rows *rows, int64_t i)
{
    raw_row x = {0};
    if (rows->offsets != NULL) {
        const ak_sparse row = ak_rows_sparse(rows, i);
        x = (raw_row){row.n, row.cols, row.vals, 0.0};
    } else {
        x = (raw_row){rows->d, NULL, ak_rows_dense(rows, i), 0.0};
    }
    const bool tf = r->weights == AK_WEIGHTS_TF ||
                    r->weights == AK_WEIGHTS_TFIDF;
    for (int64_t k = 0; tf && k < x.n; ++k)
        x.sum += (double)x.vals[k];
    return x;
}

static double weigh(const akin_recipe *r, double c, double sum, int64_t j)
{
    const double idf = r->idf ? r->idf[j] : 1.0;
    switch (r->weights) {
    case AK_WEIGHTS_BINARY:
    case AK_WEIGHTS_BINARY_IDF:
        return c != 0.0 ? idf : 0.0;
    case AK_WEIGHTS_TF:
    case AK_WEIGHTS_TFIDF:
        return c != 0.0 ? c / sum * idf : 0.0;
    case AK_WEIGHTS_SQRT:
    case AK_WEIGHTS_SQRT_IDF:
        return sqrt(c) * idf;
    case AK_WEIGHTS_LOG:
        return log1p(c);
    default:
        return c;
    }
}

double ak_recipe_entry(const akin_recipe *r, double c, double sum, int64_t j)
{
    const double v = weigh(r, c, sum, j);
    return r->factor ? v * r->factor[j] : v;
}

static void normalise(const akin_recipe *r, int64_t n, double *v)
{
    double by = r->global;
    if (r->norm == AK_NORM_L2 || r->rotation != NULL) {
        double sum = 0.0;
        for (int64_t k = 0; k < n; ++k)
            sum += v[k] * v[k];
        if (sum > 0.0)
            by /= sqrt(sum);
    }
    if (by != 1.0)
        for (int64_t k = 0; k < n; ++k)
            v[k] *= by;
}

static int64_t sparse_row(const akin_recipe *r, const raw_row *x, int32_t *cols,
                          double *out)
{
    int64_t n = 0;
    for (int64_t k = 0; k < x->n; ++k) {
        const int32_t j = x->cols[k];
        const double v = ak_recipe_entry(r, (double)x->vals[k], x->sum, j);
        cols[n] = j;
        out[n] = v;
        n += v != 0.0;
    }
    normalise(r, n, out);
    return n;
}

/* Columns come one after the other, so a rotation needs no copy of the row. */
static int64_t dense_row(const akin_recipe *r, const raw_row *x, double *out)
{
    const int64_t d = r->d;
    int64_t at = 0;
    if (r->rotation != NULL)
        memset(out, 0, (size_t)d * sizeof *out);
    for (int64_t j = 0; j < d; ++j) {
        const bool there = x->cols ? at < x->n && x->cols[at] == j : j < x->n;
        double v = there ? weigh(r, (double)x->vals[at++], x->sum, j) : 0.0;
        if (r->shift != NULL)
            v -= r->shift[j];
        if (r->factor != NULL)
            v *= r->factor[j];
        if (r->rotation == NULL)
            out[j] = v;
        for (int64_t k = 0; k < r->rank; ++k)
            out[k] += v * r->rotation[j * r->rank + k];
    }
    normalise(r, d, out);
    return d;
}

int64_t ak_recipe_row(const akin_recipe *r, const akin_rows *rows, int64_t i,
                      int32_t *cols, double *out)
{
    const raw_row x = raw_of(r, rows, i);
    if (ak_recipe_makes_dense(r, rows))
        return dense_row(r, &x, out);
    return sparse_row(r, &x, cols, out);
}

static bool wants_counts(ak_weights w)
{
    return w != AK_WEIGHTS_NONE && w != AK_WEIGHTS_BINARY &&
           w != AK_WEIGHTS_BINARY_IDF;
}

static akin_status check_counts(const akin_recipe *r, akin_ctx *ctx,
                                const akin_rows *rows)
{
    const int64_t n = rows->offsets ? rows->offsets[rows->n]
                                    : rows->n * rows->d;
    int64_t at = 0, row = 0;
    while (at < n && !(rows->vals[at] < 0.0f))
        ++at;
    if (at == n)
        return AKIN_OK;
    while (rows->offsets ? rows->offsets[row + 1] <= at
                         : (row + 1) * rows->d <= at)
        ++row;
    const int64_t column = rows->offsets ? rows->cols[at] : at % rows->d;
    const bool from_1 = rows->index_base == AKIN_BASE_1;  // as in its file
    return ak_fail(ctx, AKIN_EINVAL,
                   "row %" PRId64 ", %s %" PRId64
                   ": %g is negative (weights=%s wants counts)",
                   row, from_1 ? "index" : "column", column + from_1,
                   (double)rows->vals[at], ak_weights_words[r->weights]);
}

akin_status ak_recipe_check(const akin_recipe *r, akin_ctx *ctx,
                            const akin_rows *rows)
{
    const bool fits = rows->offsets ? rows->d <= r->d : rows->d == r->d;
    if (!fits)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "the rows have %" PRId64
                       " columns (the recipe was made for %" PRId64 ")",
                       rows->d, r->d);
    return wants_counts(r->weights) ? check_counts(r, ctx, rows) : AKIN_OK;
}
