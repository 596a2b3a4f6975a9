/* Faces by their singular vectors, and the range of lambda. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "la/dense.h"
#include "learn/captions/rlrr.h"

static const double least_share = 1e-12;

akin_status ak_faces_svd_of(ak_faces_svd *out, akin_ctx *ctx, int64_t n,
                            int64_t d, const double *X)
{
    const int64_t most = ak_min_i64(n, d);
    ak_faces_svd x = {.n = n, .d = d};
    double *copy, *U, *Vt;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * most, &x.V));
    AK_TRY(AK_SCRATCH(ctx, d * most, &x.Q));
    AK_TRY(AK_SCRATCH(ctx, most, &x.s));
    const ak_mark mark = ak_scratch_begin(ctx);
    st = AK_SCRATCH(ctx, n * d, &copy);
    st = st == AKIN_OK ? AK_SCRATCH(ctx, n * most, &U) : st;
    st = st == AKIN_OK ? AK_SCRATCH(ctx, most * d, &Vt) : st;
    if (st == AKIN_OK) {
        memcpy(copy, X, (size_t)(n * d) * sizeof *X);
        st = ak_svd(ctx, n, d, copy, x.s, U, Vt);
    }
    while (st == AKIN_OK && x.r < most && x.s[x.r] > least_share * x.s[0])
        ++x.r;
    for (int64_t i = 0; st == AKIN_OK && i < n; ++i)
        memcpy(x.V + i * x.r, U + i * most, (size_t)x.r * sizeof *U);
    for (int64_t k = 0; st == AKIN_OK && k < d * x.r; ++k)
        x.Q[k] = Vt[k % x.r * d + k / x.r];
    ak_scratch_end(ctx, mark);
    if (st == AKIN_OK && x.r == 0)
        st = ak_fail(ctx, AKIN_ESHAPE,
                     "all faces are zero (or all alike, and --scale leaves "
                     "nothing of them)");
    *out = x;
done:
    return st;
}

static int rising(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* |X' X^|_2 with X^ the faces at length 1: both are coordinates of Q, so it is
 * the root of the largest eigenvalue of S C S, C = sum of x^ x^'. */
static akin_status norm_of_zero(double *out, akin_ctx *ctx,
                                const ak_faces_svd *x)
{
    const int64_t n = x->n, r = x->r;
    double *B, *C, *values;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * r, &B));
    AK_TRY(AK_SCRATCH(ctx, r * r, &C));
    AK_TRY(AK_SCRATCH(ctx, r, &values));
    for (int64_t j = 0; j < n; ++j) {
        double norm = 0.0;
        for (int64_t c = 0; c < r; ++c) {
            B[j * r + c] = x->s[c] * x->V[j * r + c];
            norm += B[j * r + c] * B[j * r + c];
        }
        for (int64_t c = 0; c < r; ++c)  // s x^: X' X^ = V diag(s) X^
            B[j * r + c] *= norm > 0.0 ? x->s[c] / sqrt(norm) : 0.0;
    }
    AK_TRY(ak_gram(ctx, true, r, n, B, r, C));
    AK_TRY(ak_eigh(ctx, r, C, values));
    *out = sqrt(fmax(values[r - 1], 0.0));
done:
    return st;
}

akin_status ak_lambda_of(ak_lambda_range *out, akin_ctx *ctx,
                         const ak_faces_svd *x, double kappa)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = x->n, r = x->r;
    double *w, norm = 0.0, mean = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &w));
    for (int64_t j = 0; j < n; ++j) {
        for (int64_t c = 0; c < r; ++c) {
            const double a = x->V[j * r + c] / x->s[c];
            w[j] += a * a;
        }
        w[j] = sqrt(w[j]);
        mean += w[j] / (double)n;
    }
    qsort(w, (size_t)n, sizeof *w, rising);
    const double median = n % 2 ? w[n / 2] : (w[n / 2 - 1] + w[n / 2]) / 2.0;
    AK_TRY(norm_of_zero(&norm, ctx, x));
    out->zero = 1.0 / norm;
    out->full = w[n - 1];
    out->standard = fmax(3.0 * out->zero, fmin(kappa * mean, median));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
