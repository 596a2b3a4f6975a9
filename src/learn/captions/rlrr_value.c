/* The value of rLRR's (1) and a bound below the least one, with full matrices;
 * learn/captions/rlrr.h. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/captions/rlrr.h"

/* The sum of lambda |x_j - X w_j|. */
static akin_status face_term(double *out, akin_ctx *ctx, const ak_faces_svd *x,
                             double lambda, const double *W)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = x->n, r = x->r;
    double *VW;
    akin_status st = AKIN_OK;
    *out = 0.0;
    AK_TRY(AK_SCRATCH(ctx, n * r, &VW));
    AK_TRY(ak_gemm(ctx, true, false, n, r, n, 1.0, W, n, x->V, r, 0.0, VW, r));
    for (int64_t j = 0; j < n; ++j) {
        double norm = 0.0;
        for (int64_t c = 0; c < r; ++c) {
            const double gap = x->s[c] * (x->V[j * r + c] - VW[j * r + c]);
            norm += gap * gap;
        }
        *out += lambda * sqrt(norm);
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rlrr_objective(double *out, akin_ctx *ctx, const ak_faces_svd *x,
                              const ak_peers *peers, const ak_rlrr_params *p,
                              const double *W)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = x->n;
    double *copy, *U, *Vt, *s, sum = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * n, &copy));
    AK_TRY(AK_SCRATCH(ctx, n * n, &U));
    AK_TRY(AK_SCRATCH(ctx, n * n, &Vt));
    AK_TRY(AK_SCRATCH(ctx, n, &s));
    AK_TRY(face_term(&sum, ctx, x, p->lambda, W));
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j)
            if (ak_rlrr_penalised(peers, p->penalise, i, j))
                sum += p->gamma / 2.0 * W[i * n + j] * W[i * n + j];
    memcpy(copy, W, (size_t)(n * n) * sizeof *W);
    AK_TRY(ak_svd(ctx, n, n, copy, s, U, Vt));
    for (int64_t k = 0; k < n; ++k)
        sum += s[k];
    *out = sum;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

bool ak_rlrr_penalised(const ak_peers *peers, ak_penalise what, int64_t i,
                       int64_t j)
{
    const int32_t *members;
    const int64_t n = ak_peers_get(peers, j, &members);
    if (what == AK_PENALISE_SELF)
        return i == j && n > 0;
    if (i == j && what == AK_PENALISE_BOTH)
        return true;
    return n == 0 || members[ak_peers_at(members, n, i)] != i;
}

/* V := X'U where H = 0 (everywhere for gamma = 0), both scaled until |V|_2 <= 1
 * and |u_j| <= lambda; then <U, X> - |(X'U - V) o H|^2 / (2 gamma). */
akin_status ak_rlrr_bound(double *out, akin_ctx *ctx, const ak_faces_svd *x,
                          const ak_peers *peers, const ak_rlrr_params *p,
                          const double *U, const double *V)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = x->n, r = x->r;
    double *XU, *F, *copy, *left, *right, *s, k = 1.0, sum = 0.0, gap = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * n, &XU));
    AK_TRY(AK_SCRATCH(ctx, n * n, &F));
    AK_TRY(AK_SCRATCH(ctx, n * n, &copy));
    AK_TRY(AK_SCRATCH(ctx, n * n, &left));
    AK_TRY(AK_SCRATCH(ctx, n * n, &right));
    AK_TRY(AK_SCRATCH(ctx, n, &s));
    for (int64_t j = 0; j < n * r; ++j)
        F[j] = x->s[j % r] * x->V[j];
    AK_TRY(ak_gemm(ctx, false, true, n, n, r, 1.0, F, r, U, r, 0.0, XU, n));
    for (int64_t j = 0; j < n; ++j)
        for (int64_t c = 0; c < r; ++c)
            sum += U[j * r + c] * F[j * r + c];
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) {
            const bool held = p->gamma > 0.0 &&
                              ak_rlrr_penalised(peers, p->penalise, i, j);
            const double v = held ? V[i * n + j] : XU[i * n + j];
            gap += (XU[i * n + j] - v) * (XU[i * n + j] - v);
            copy[i * n + j] = v;
        }
    AK_TRY(ak_svd(ctx, n, n, copy, s, left, right));
    k = fmax(k, s[0]);
    for (int64_t j = 0; j < n; ++j)
        k = fmax(k, sqrt(ak_dot(r, U + j * r, U + j * r)) / p->lambda);
    *out = sum / k - (p->gamma > 0.0 ? gap / (k * k) / (2.0 * p->gamma) : 0.0);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
