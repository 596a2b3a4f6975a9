#include "learn/metric/full_metric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "la/dense.h"
#include "model/metric.h"

const akin_recipe_options ak_recipe_minmax = {sizeof(akin_recipe_options),
                                              "none", "minmax", "none", 0};

akin_status ak_metric_check_rows(akin_ctx *ctx, const akin_options *options,
                                 const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = rows->d;
    float *first, *room;
    bool equal = true;
    akin_status st = AKIN_OK;
    if (rows->n < 2)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s needs at least two rows",
                       options->learner));
    AK_TRY(AK_SCRATCH(ctx, d, &first));
    AK_TRY(AK_SCRATCH(ctx, d, &room));
    memcpy(first, ak_rows_full(rows, 0, room), (size_t)d * sizeof *first);
    for (int64_t i = 1; i < rows->n && equal; ++i) {
        const float *x = ak_rows_full(rows, i, room);
        for (int64_t j = 0; j < d && equal; ++j)
            equal = x[j] == first[j];
    }
    if (equal)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "all rows are equal: there is no distance to learn"));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_metric_check_size(akin_ctx *ctx, const akin_options *options,
                                 const akin_rows *rows, int64_t n)
{
    const int64_t d = rows->d;
    const bool fits = rows->offsets == NULL || n <= AK_METRIC_NUMBERS / d;
    if (fits && ak_min_i64(n, d) <= AK_METRIC_COLUMNS)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_ESHAPE,
                   "%s takes at most %d columns or %d rows%s (these are "
                   "%" PRId64 " rows of %" PRId64
                   " columns): use fewer, or a learner for many, such as "
                   "logistic",
                   options->learner, AK_METRIC_COLUMNS, AK_METRIC_COLUMNS,
                   fits ? "" : ", and a table of 100 million numbers", n, d);
}

/* With M = B B' and the covariance C of the rows, B'C B = Q diag(lambda) Q' is
 * the covariance of the embedded rows; the last k columns of B Q are kept. */
static akin_status reduce(akin_model **out, akin_ctx *ctx,
                          const akin_rows *rows, const akin_model *full,
                          int64_t rank)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = rows->d;
    int64_t r;
    const double *B = ak_metric_B(full, &r);
    const int64_t k = ak_min_i64(rank, r);
    double *C, *CB, *Q, *lambda, *BQ;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d * d, &C));
    AK_TRY(AK_SCRATCH(ctx, d * r, &CB));
    AK_TRY(AK_SCRATCH(ctx, r * r, &Q));
    AK_TRY(AK_SCRATCH(ctx, r, &lambda));
    AK_TRY(AK_SCRATCH(ctx, d * k, &BQ));
    AK_TRY(ak_covariance(ctx, rows->n, d, ak_fetch_row, rows, C));
    AK_TRY(ak_gemm(ctx, false, false, d, r, d, 1.0, C, d, B, r, 0.0, CB, r));
    AK_TRY(ak_gemm(ctx, true, false, r, r, d, 1.0, B, r, CB, r, 0.0, Q, r));
    AK_TRY(ak_eigh(ctx, r, Q, lambda));
    AK_TRY(ak_gemm(ctx, false, false, d, k, r, 1.0, B, r, Q + r - k, r, 0.0, BQ,
                   k));
    AK_TRY(ak_metric_new_factor(out, ctx, d, k, BQ, AKIN_BY_DISTANCE));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Takes over `full`, and reduces it to `rank`. */
static akin_status reduce_model(akin_model **out, akin_ctx *ctx,
                                const akin_rows *rows, akin_model *full,
                                int64_t rank)
{
    int64_t k;
    akin_status st = AKIN_OK;
    const double *B = ak_metric_B(full, &k);
    if (rank > 0 && rank < k) {
        AK_TRY(reduce(out, ctx, rows, full, rank));
    } else if (k < rows->d && ak_metric_M(full) != NULL) {
        AK_TRY(ak_metric_new_factor(out, ctx, rows->d, k, B, AKIN_BY_DISTANCE));
    } else {
        *out = full;
        full = NULL;
    }
done:
    akin_model_free(full);
    return st;
}

akin_status ak_metric_learned(akin_model **out, akin_ctx *ctx,
                              const akin_rows *rows, const double *M,
                              int64_t rank)
{
    akin_model *full = NULL;
    AK_CHECK(ak_metric_new(&full, ctx, rows->d, M, AKIN_BY_DISTANCE));
    return reduce_model(out, ctx, rows, full, rank);
}

akin_status ak_metric_learned_factor(akin_model **out, akin_ctx *ctx,
                                     const akin_rows *rows, int64_t k,
                                     const double *B, int64_t rank)
{
    akin_model *full = NULL;
    AK_CHECK(ak_metric_new_factor(&full, ctx, rows->d, k, B, AKIN_BY_DISTANCE));
    return reduce_model(out, ctx, rows, full, rank);
}

typedef struct points {
    const double *X;
    int64_t d;
} points;

static void fetch_point(const void *arg, int64_t i, double *x)
{
    const points *p = arg;
    memcpy(x, p->X + i * p->d, (size_t)p->d * sizeof *x);
}

akin_status ak_metric_start(akin_ctx *ctx, int64_t n, int64_t d,
                            const double *X, int64_t rank, double *B)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const points all = {X, d};
    double *C, *lambda;
    akin_status st = AKIN_OK;
    memset(B, 0, (size_t)(d * rank) * sizeof *B);
    for (int64_t j = 0; j < rank && rank == d; ++j)
        B[j * d + j] = 1.0;
    if (rank == d)
        goto done;
    AK_TRY(AK_SCRATCH(ctx, d * d, &C));
    AK_TRY(AK_SCRATCH(ctx, d, &lambda));
    AK_TRY(ak_covariance(ctx, n, d, fetch_point, &all, C));
    AK_TRY(ak_eigh(ctx, d, C, lambda));
    for (int64_t i = 0; i < d; ++i)
        for (int64_t k = 0; k < rank; ++k)
            B[i * rank + k] = C[i * d + d - 1 - k];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_metric_of_transform(akin_model **out, akin_ctx *ctx, int64_t d,
                                   int64_t rank, const double *B)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *M;
    akin_status st = AKIN_OK;
    if (rank < d) {
        AK_TRY(ak_metric_new_factor(out, ctx, d, rank, B, AKIN_BY_DISTANCE));
        goto done;
    }
    AK_TRY(AK_SCRATCH(ctx, d * d, &M));
    AK_TRY(ak_gram(ctx, false, d, rank, B, rank, M));
    AK_TRY(ak_metric_new(out, ctx, d, M, AKIN_BY_DISTANCE));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_metric_note(akin_model *m, akin_ctx *ctx, const char *key,
                           double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.9g", value);
    return ak_model_set_note(m, ctx, key, text);
}

double ak_printed_below(double x, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, x);
    const double near = strtod(text, NULL);
    if (!(near > x))
        return near;
    const double unit = pow(10.0, floor(log10(fabs(x))) - digits + 1);
    snprintf(text, sizeof text, "%.*g", digits, near - unit);
    return strtod(text, NULL);
}
