/* Rows as features of a kernel. With K = Q diag(w) Q' over the support rows,
 * eigenvalues below 1e-10 of the largest left out,
 *
 *   T = Q diag(w)^-1/2,  z(x) = T'k(x),  z(x)'z(y) = k(x)'K^+ k(y)       (1)
 *
 * which is the kernel itself among the support rows, and its approximation of
 * Nystroem elsewhere. Rounding to 32 bits makes eigenvalues a little negative;
 * those that are more so are no kernel's. */
#include <math.h>

#include "la/dense.h"
#include "learn/cross/rsl.h"

/* Of eigenvalues w, rising. */
static akin_status check_kernel(akin_ctx *ctx, int64_t m, const double *w)
{
    if (w[0] < -1e-5 * fabs(w[m - 1]))
        return ak_fail(ctx, AKIN_EINVAL,
                       "a kernel matrix is not positive semi-definite: its "
                       "smallest eigenvalue is %.3g, its largest %.3g",
                       w[0], w[m - 1]);
    if (!(w[m - 1] > 0.0))
        return ak_fail(ctx, AKIN_EINVAL, "a kernel matrix is all zero");
    return AKIN_OK;
}

akin_status ak_rsl_features(double **T, double **Z, int64_t *r, akin_ctx *ctx,
                            int64_t m, double *K)
{
    double *w = NULL;
    int64_t first = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, m, &w));
    AK_TRY(ak_eigh(ctx, m, K, w));
    AK_TRY(check_kernel(ctx, m, w));
    while (first < m - 1 && !(w[first] > 1e-10 * w[m - 1]))
        ++first;
    *r = m - first;
    AK_TRY(AK_SCRATCH(ctx, m * *r, T));
    AK_TRY(AK_SCRATCH(ctx, m * *r, Z));
    for (int64_t i = 0; i < m; ++i)
        for (int64_t c = 0; c < *r; ++c) {
            const double q = K[i * m + m - 1 - c], root = sqrt(w[m - 1 - c]);
            (*T)[i * *r + c] = q / root;
            (*Z)[i * *r + c] = q * root;
        }
done:
    return st;
}
