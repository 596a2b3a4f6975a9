/* Rows as features of a kernel. With K = Q diag(w) Q' over the support rows,
 * eigenvalues below 1e-10 of the largest left out,
 *
 *   T = Q diag(w)^-1/2,  z(x) = T'k(x),  z(x)'z(y) = k(x)'K^+ k(y)       (1)
 *
 * which is the kernel itself among the support rows, and its approximation of
 * Nystroem elsewhere. */
#include <math.h>

#include "la/dense.h"
#include "learn/rsl.h"

akin_status ak_rsl_features(double **T, double **Z, int64_t *r, akin_ctx *ctx,
                            int64_t m, double *K)
{
    double *w = NULL;
    int64_t first = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, m, &w));
    AK_TRY(ak_eigh(ctx, m, K, w));
    while (first < m && !(w[first] > 1e-10 * fmax(w[m - 1], 0.0)))
        ++first;
    *r = m - first;
    if (*r == 0)
        AK_TRY(ak_fail(ctx, AKIN_ENUMERIC,
                       "no eigenvalue of the kernel matrix is above 0"));
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
