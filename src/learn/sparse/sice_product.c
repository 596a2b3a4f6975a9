/* The product that both coordinate descent and conjugate gradients live on:
 * D w_j for a block of columns j, D sparse or not. */
#include <string.h>

#include "la/clones.h"
#include "la/dense.h"
#include "learn/sparse/sice_parts.h"

AK_CLONES
static void add_scaled(int64_t n, double a, const double *x, double *y)
{
    for (int64_t j = 0; j < n; ++j)
        y[j] += a * x[j];
}

akin_status ak_sice_product(akin_ctx *ctx, const ak_pattern *at,
                            const double *D, const double *W, int64_t begin,
                            int64_t count, double *Y, double *room)
{
    const int64_t m = at->m;
    if (8 * at->offsets[m] >= m * m)
        return ak_gemm(ctx, false, false, count, m, m, 1.0, W + begin * m, m, D,
                       m, 0.0, Y, m);
    for (int64_t k = 0; k < m; ++k) {
        double *y = room + k * AK_SICE_BLOCK;
        memset(y, 0, AK_SICE_BLOCK * sizeof *y);
        for (int64_t a = at->offsets[k]; a < at->offsets[k + 1]; ++a) {
            const double d = D[k * m + at->cols[a]];
            if (d != 0.0)
                add_scaled(count, d, W + at->cols[a] * m + begin, y);
        }
        for (int64_t j = 0; j < count; ++j)
            Y[j * m + k] = y[j];
    }
    return AKIN_OK;
}
