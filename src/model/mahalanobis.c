/* The inverse of a covariance, and roots of positive semi-definite matrices.
 *
 *   mean = sum_i x_i / n                                     (1)
 *   C    = sum_i (x_i - mean)(x_i - mean)' / (n - 1)         (2)
 *   s_j  = sqrt(C_jj), 1 where that is 0;  R_ij = C_ij / (s_i s_j)  (3)
 *   M_ij = (R^-1)_ij / (s_i s_j)                             (4)
 *
 * by eigenvectors, R = V diag(lambda) V', so that a direction in which the
 * rows do not vary is seen for what it is, whatever the units of the columns.
 * Such directions are left out of (4), which changes no distance between rows
 * that the covariance was taken from. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "la/shared.h"
#include "model/compare.h"
#include "model/metric.h"

enum { BLOCK = 256 };

void ak_fetch_row(const void *rows, int64_t i, double *out)
{
    const akin_rows *r = rows;
    const ak_row x = ak_row_of(r, i);
    memset(out, 0, (size_t)r->d * sizeof *out);
    for (int64_t k = 0; k < x.n; ++k)
        out[ak_row_col(&x, k)] = x.vals[k];
}

typedef struct row_sums {
    akin_ctx *ctx;
    int64_t n, d;
    ak_fetch_fn fetch;
    const void *arg;
    double *mean;  // d
    double *X;     // BLOCK x d, of each worker
} row_sums;

/* The sum of the rows. */
static akin_status add_rows(void *arg, int64_t begin, int64_t end,
                            int64_t worker, double *sum)
{
    const row_sums *s = arg;
    double *x = s->X + worker * BLOCK * s->d;
    for (int64_t i = begin; i < end; ++i) {
        s->fetch(s->arg, i, x);
        ak_axpy(s->d, 1.0, x, sum);
    }
    return AKIN_OK;
}

/* The lower triangle of the sum in (2). */
static akin_status add_squares(void *arg, int64_t begin, int64_t end,
                               int64_t worker, double *sum)
{
    const row_sums *s = arg;
    const int64_t d = s->d;
    double *X = s->X + worker * BLOCK * d;
    for (; begin < end; begin += BLOCK) {
        const int64_t count = ak_min_i64(BLOCK, end - begin);
        for (int64_t i = 0; i < count; ++i) {
            s->fetch(s->arg, begin + i, X + i * d);
            ak_axpy(d, -1.0, s->mean, X + i * d);
        }
        AK_CHECK(ak_gram_add(NULL, true, d, count, 1.0, X, d, sum));
        AK_CHECK(worker == 0 ? ak_ctx_tick(s->ctx, "rows", begin, s->n, NAN)
                             : ak_ctx_poll(s->ctx));
    }
    return AKIN_OK;
}

akin_status ak_covariance(akin_ctx *ctx, int64_t n, int64_t d,
                          ak_fetch_fn fetch, const void *arg, double *C)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    row_sums s = {ctx, n, d, fetch, arg, NULL, NULL};
    akin_status st = AKIN_OK;
    if (n < 2)
        AK_TRY(ak_fail(
            ctx, AKIN_EINVAL,
            "a covariance needs at least two rows (there are %" PRId64 ")", n));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * BLOCK * d, &s.X));
    AK_TRY(AK_SCRATCH(ctx, d, &s.mean));
    AK_TRY(ak_check_dims(ctx, d, d, d));
    AK_TRY(ak_shared_sum(ctx, n, AK_SHARED_ROWS, d, add_rows, &s, s.mean));
    for (int64_t j = 0; j < d; ++j)
        s.mean[j] /= (double)n;  // (1)
    AK_TRY(ak_shared_sum(ctx, n, AK_SHARED_ROWS, d * d, add_squares, &s, C));
    for (int64_t j = 0; j < d * d; ++j)
        C[j] /= (double)(n - 1);  // (2)
    ak_mirror(d, C);
    AK_TRY(ak_ctx_tick(ctx, "rows", n, n, NAN));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_psd_root(akin_ctx *ctx, int64_t n, double *A, bool inverted,
                        double *B, int64_t *rank)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *lambda;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &lambda));
    AK_TRY(ak_eigh(ctx, n, A, lambda));
    /* What rounding leaves of a zero eigenvalue is below this. */
    const double least = n > 0 ? lambda[n - 1] * (double)n * DBL_EPSILON : 0.0;
    int64_t zeros = 0;
    while (zeros < n && lambda[zeros] <= fmax(least, 0.0))
        ++zeros;
    *rank = n - zeros;
    for (int64_t k = zeros; k < n; ++k) {
        const double root = sqrt(inverted ? 1.0 / lambda[k] : lambda[k]);
        for (int64_t i = 0; i < n; ++i)
            B[i * n + k - zeros] = root * A[i * n + k];
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_mahalanobis(akin_ctx *ctx, int64_t n, int64_t d,
                           ak_fetch_fn fetch, const void *arg, double *M)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *C, *B, *s;
    int64_t rank;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d * d, &C));
    AK_TRY(AK_SCRATCH(ctx, d * d, &B));
    AK_TRY(AK_SCRATCH(ctx, d, &s));
    AK_TRY(ak_covariance(ctx, n, d, fetch, arg, C));
    for (int64_t j = 0; j < d; ++j)
        s[j] = C[j * d + j] > 0.0 ? sqrt(C[j * d + j]) : 1.0;
    for (int64_t i = 0; i < d; ++i)
        for (int64_t j = 0; j < d; ++j)
            C[i * d + j] /= s[i] * s[j];  // (3)
    AK_TRY(ak_psd_root(ctx, d, C, true, B, &rank));
    if (rank < d)
        ak_log(ctx, AKIN_LOG_WARNING,
               "the covariance is singular (rank %" PRId64 " of %" PRId64
               "): directions in which the rows do not vary are ignored",
               rank, d);
    for (int64_t i = 0; i < d; ++i)
        for (int64_t k = 0; k < rank; ++k)
            B[i * d + k] /= s[i];
    AK_TRY(ak_gram(ctx, false, d, rank, B, d, M));  // (4)
done:
    ak_scratch_end(ctx, mark);
    return st;
}
