/* W, E and the multipliers of rLRR without full matrices: (4) to (6) of
 * learn/captions/rlrr.c. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "learn/captions/rlrr_gap.h"
#include "learn/captions/rlrr_work.h"

/* ---- (4) and (5) -----------------------------------------------------------
 */

/* VR = V' rhs, a row a face: B (V'A)' - V'S_y + G; P is V'A, r x k. */
static akin_status project_rhs(ak_rlrr_work *w, akin_ctx *ctx, const double *P)
{
    const int64_t n = w->x->n, r = w->x->r, k = w->M.k;
    for (int64_t t = 0; t < n * r; ++t) {
        const double s = w->x->s[t % r];
        w->G[t] = -w->Phi[t] +
                  s * (w->rho * (s * w->x->V[t] - w->E[t]) + w->U[t]);
        w->VR[t] = w->G[t] - w->VSy[t];
    }
    return ak_gemm(ctx, false, true, n, r, k, 1.0, w->M.B, k, P, k, 1.0, w->VR,
                   r);
}

/* Rows `which` of a matrix with k columns. */
static void gather(int64_t n, const int32_t *which, int64_t k, const double *X,
                   double *out)
{
    for (int64_t i = 0; i < n; ++i)
        memcpy(out + i * k, X + which[i] * k, (size_t)k * sizeof *X);
}

/* rhs_N - V_N th V'rhs = A_N B' - S_y + V_N (G - th VR)'. */
static akin_status side_of(const void *arg, akin_ctx *ctx, const int32_t *N,
                           int64_t n_N, const int32_t *faces, int64_t n_faces,
                           double *out)
{
    const ak_rlrr_work *w = arg;
    const int64_t r = w->x->r, k = w->M.k;
    double *AN, *BF, *VN, *GF;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n_N * k, &AN));
    AK_TRY(AK_SCRATCH(ctx, n_faces * k, &BF));
    AK_TRY(AK_SCRATCH(ctx, n_N * r, &VN));
    AK_TRY(AK_SCRATCH(ctx, n_faces * r, &GF));
    gather(n_N, N, k, w->M.A, AN);
    gather(n_faces, faces, k, w->M.B, BF);
    gather(n_N, N, r, w->x->V, VN);
    for (int64_t c = 0; c < n_faces; ++c)
        for (int64_t t = 0; t < r; ++t)
            GF[c * r + t] = w->G[faces[c] * r + t] -
                            w->step.theta[t] * w->VR[faces[c] * r + t];
    for (int64_t i = 0; i < n_N; ++i)
        for (int64_t c = 0; c < n_faces; ++c)
            out[i * n_faces + c] = -w->Sy[w->peers->start[faces[c]] + i];
    AK_TRY(ak_gemm(ctx, false, true, n_N, n_faces, k, 1.0, AN, k, BF, k, 1.0,
                   out, n_faces));
    AK_TRY(ak_gemm(ctx, false, true, n_N, n_faces, r, 1.0, VN, r, GF, r, 1.0,
                   out, n_faces));
done:
    return st;
}

/* ---- (5), (6), E and U ------------------------------------------------------
 */

/* A block of faces; squares of the residual of X, of X, and of W's parts. */
static akin_status last_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const ak_rlrr_work *w = arg;
    const int64_t r = w->x->r;
    const double rho = w->rho, by = 1.0 / (rho + w->step.base);
    double *sums = w->sums + begin / AK_RLRR_BLOCK * 2;
    (void)worker;
    sums[0] = sums[1] = 0.0;
    for (int64_t j = begin; j < end; ++j) {
        double *E = w->E + j * r, *U = w->U + j * r, norm = 0.0;
        for (int64_t t = 0; t < r; ++t) {
            const int64_t at = j * r + t;
            const double T = w->VR[at] + w->VZ[at];
            w->Psi[at] = (w->G[at] - w->step.theta[t] * T) * by;
            w->Phi[at] += rho * w->Psi[at];
            const double VSw = (w->VZ[at] - w->VSy[at]) * by;
            w->VSy[at] += rho * VSw;
            /* X - X W in place of G, which is done */
            w->G[at] = w->x->s[t] *
                       (w->x->V[at] - VSw - by * w->low[at] - w->Psi[at]);
            E[t] = w->G[at] + U[t] / rho;
            norm += E[t] * E[t];
        }
        const double size = sqrt(norm), bound = w->p->lambda / rho;
        const double keep = size > bound ? 1.0 - bound / size : 0.0;
        for (int64_t t = 0; t < r; ++t) {
            const double B = w->x->s[t] * w->x->V[j * r + t];
            E[t] *= keep;
            const double R = w->G[j * r + t] - E[t];
            U[t] += rho * R;
            sums[0] += R * R;
            sums[1] += B * B;
        }
    }
    for (int64_t k = w->peers->start[begin]; k < w->peers->start[end]; ++k) {
        w->Sw[k] = (w->step.z[k] - w->Sy[k]) * by;
        w->Sy[k] += rho * w->Sw[k];
    }
    return AKIN_OK;
}

akin_status ak_rlrr_update(ak_rlrr_work *w, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = w->x->n, r = w->x->r, k = w->M.k;
    double *P;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r * k, &P));
    AK_TRY(ak_gemm(ctx, true, false, r, k, n, 1.0, w->x->V, r, w->M.A, k, 0.0,
                   P, k));
    AK_TRY(project_rhs(w, ctx, P));
    AK_TRY(ak_wstep_solve(&w->step, ctx, side_of, w));
    AK_TRY(ak_peers_product(ctx, w->peers, NULL, w->step.z, r, w->x->V, w->VZ));
    AK_TRY(ak_gemm(ctx, false, true, n, r, k, 1.0, w->M.B, k, P, k, 0.0, w->low,
                   r));
    AK_TRY(ak_parallel_for(ctx, n, AK_RLRR_BLOCK, last_block, w));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
