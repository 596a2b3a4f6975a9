/* Two covariances at once (probabilistic linear discriminant analysis).
 *   [1] Prince, Elder. Probabilistic linear discriminant analysis for
 *       inferences about identity. ICCV 2007.
 *
 *   W = V diag(w) V',  R = V diag(w)^-1/2,  R'T R = U diag(1 + b) U'
 *   M = R U                                                            (1)
 *   y | count faces ~ N(b s / (b count + 1), b / (b count + 1))        (2)
 *
 * for the sum s of the faces, each coordinate for itself. A face of quality w
 * has the noise W / w, and counts w times in s and count. */
#include "naming/gaussians.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

static const double drawn = 0.4;  // towards a multiple of I

akin_status ak_gaussians_fit(ak_gaussians *g, akin_ctx *ctx, double *W,
                             const double *T, double *work)
{
    const int64_t d = g->d;
    double *R = W, *TR = work, *A = work + d * d, trace = 0.0;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < d; ++k)
        trace += W[k * d + k];
    for (int64_t k = 0; k < d * d; ++k)
        W[k] = (1.0 - drawn) * W[k] +
               (k % (d + 1) == 0 ? drawn * trace / (double)d : 0.0);
    AK_TRY(ak_eigh(ctx, d, W, g->b));
    for (int64_t k = 0; k < d * d; ++k)
        R[k] /= sqrt(fmax(g->b[k % d], 1e-12 * trace));
    AK_TRY(ak_gemm(ctx, false, false, d, d, d, 1.0, T, d, R, d, 0.0, TR, d));
    AK_TRY(ak_gemm(ctx, true, false, d, d, d, 1.0, R, d, TR, d, 0.0, A, d));
    AK_TRY(ak_eigh(ctx, d, A, g->b));
    AK_TRY(ak_gemm(ctx, false, false, d, d, d, 1.0, R, d, A, d, 0.0, g->M, d));
    for (int64_t k = 0; k < d; ++k)
        g->b[k] = fmax(g->b[k] - 1.0, 0.0);
done:
    return st;
}

double ak_gaussians_ratio(const ak_gaussians *g, const double *z,
                          double quality, const double *sum, double count)
{
    const double noise = 1.0 / quality;
    double total = 0.0, variances = 1.0, logs = 0.0;
    for (int64_t k = 0; k < g->d; ++k) {
        const double b = g->b[k], shrunk = b / (b * count + 1.0);
        const double alone = noise + b, beside = noise + shrunk;
        const double gap = z[k] - shrunk * sum[k];
        total += z[k] * z[k] / alone - gap * gap / beside;
        variances *= alone / beside;
        if (variances > 1e100) {
            logs += log(variances);
            variances = 1.0;
        }
    }
    return 0.5 * (total + logs + log(variances));
}
