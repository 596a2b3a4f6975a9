#include "learn/metric/principal.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

/* Rows are of 32 bits: squares of smaller ratios are rounding. */
static const double LEAST = 1e-12;

void ak_center_rows(int64_t n, int64_t d, double *X, double *mean)
{
    memset(mean, 0, (size_t)d * sizeof *mean);
    for (int64_t i = 0; i < n; ++i)
        ak_axpy(d, 1.0 / (double)n, X + i * d, mean);
    for (int64_t i = 0; i < n; ++i)
        ak_axpy(d, -1.0, mean, X + i * d);
}

/* The columns of G (m x m, eigenvectors by rising value) in decreasing order,
 * those above rounding. */
static akin_status largest(ak_axes *out, akin_ctx *ctx, int64_t m,
                           const double *G, const double *values, double **U)
{
    int64_t k = 0;
    while (k < m && values[m - 1 - k] > LEAST * values[m - 1])
        ++k;
    out->k = k;
    AK_CHECK(AK_SCRATCH(ctx, k, &out->spread));
    AK_CHECK(AK_SCRATCH(ctx, m * k, U));
    for (int64_t c = 0; c < k; ++c) {
        out->spread[c] = values[m - 1 - c];
        for (int64_t i = 0; i < m; ++i)
            (*U)[i * k + c] = G[i * m + m - 1 - c];
    }
    return AKIN_OK;
}

akin_status ak_axes_of(ak_axes *out, akin_ctx *ctx, int64_t n, int64_t d,
                       const double *X)
{
    const bool by_rows = n < d;
    const int64_t m = by_rows ? n : d;
    double *G, *values, *U;
    AK_CHECK(AK_SCRATCH(ctx, m * m, &G));
    AK_CHECK(AK_SCRATCH(ctx, m, &values));
    AK_CHECK(ak_gram(ctx, !by_rows, m, by_rows ? d : n, X, d, G));
    AK_CHECK(ak_check_finite(ctx, m * m, G));
    AK_CHECK(ak_eigh(ctx, m, G, values));
    AK_CHECK(largest(out, ctx, m, G, values, &U));
    if (!by_rows) {
        out->V = U;
        return AKIN_OK;
    }
    for (int64_t i = 0; i < n; ++i)  // V = X'U diag(1/s)
        for (int64_t c = 0; c < out->k; ++c)
            U[i * out->k + c] /= sqrt(out->spread[c]);
    AK_CHECK(AK_SCRATCH(ctx, d * out->k, &out->V));
    return ak_gemm(ctx, true, false, d, out->k, n, 1.0, X, d, U, out->k, 0.0,
                   out->V, out->k);
}
