/* rLRR without any n x n matrix; the iteration of learn/captions/rlrr_dense.c.
 *
 * With V of X = V diag(s) Q', b of learn/captions/rlrr_groups.h, and S_w, S_y
 * sparse on the peers, M of low rank (M = A B'), Psi and Phi r x n, at every
 * step
 *
 *   W = S_w + M / (rho + b) + V Psi                                    (1)
 *   Y = S_y - b M / (rho + b) + V Phi         multiplier of W = J      (2)
 *
 * because, after J and with F = rho (B - E) + U in the coordinates of Q,
 *
 *   M   <- rho J + b/(rho_prev + b) M,   G = -Phi + s F                (3)
 *   rhs  = M - S_y + V G,   z of the W-step                            (4)
 *   S_w <- (z - S_y)/(rho + b),  Psi <- (G - th V'(rhs + z))/(rho + b) (5)
 *   S_y <- S_y + rho S_w,        Phi <- Phi + rho Psi                  (6)
 *
 * What is r x n in print is n x r here, a row a face. V'S_y is kept up to date
 * with S_y. */
#include "learn/captions/rlrr.h"

#include <math.h>
#include <string.h>

#include "learn/captions/rlrr_gap.h"
#include "learn/captions/rlrr_work.h"

enum { PASSES = 30, GAP_EVERY = 5 };

/* ---- products -------------------------------------------------------------
 */

/* W + Y/rho times a block: `sum` and `right` hold what does not change. */
static akin_status product(void *arg, akin_ctx *ctx, bool transposed, int64_t b,
                           const double *Y, double *out)
{
    const ak_rlrr_work *w = arg;
    const int64_t n = w->x->n;
    const double base = w->step.base;
    const double by = (1.0 - base / w->rho) / (w->rho_prev + base);
    akin_status st = AKIN_OK;
    AK_TRY(ak_peers_product(ctx, w->peers, transposed ? NULL : w->mirror,
                            w->sum, b, Y, out));
    AK_TRY(ak_pair_product(ctx, n, w->M.k, by, w->M.A, w->M.B, transposed, b, Y,
                           out));
    AK_TRY(ak_pair_product(ctx, n, w->x->r, 1.0, w->x->V, w->right, transposed,
                           b, Y, out));
done:
    return st;
}

/* ---- the run ----------------------------------------------------------------
 */

static akin_status make_mirror(ak_rlrr_work *w, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_peers *p = w->peers;
    int64_t *next;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->n, &next));
    for (int64_t j = 0; j < p->n; ++j) {
        const int32_t *peers;
        const int64_t m = ak_peers_get(p, j, &peers);
        for (int64_t k = 0; k < m; ++k)  // peers rise, so do their visitors
            w->mirror[p->start[j] + k] =
                (int32_t)(p->start[peers[k]] + next[peers[k]]++);
    }
    ak_scratch_end(ctx, mark);
done:
    return st;
}

static akin_status take_room(ak_rlrr_work *w, akin_ctx *ctx)
{
    const int64_t n = w->x->n, size = n * w->x->r, nnz = w->peers->start[n];
    double **const arrays[] = {&w->Phi, &w->E,  &w->U,     &w->VSy, &w->G,
                               &w->VR,  &w->VZ, &w->right, &w->low};
    akin_status st = AKIN_OK;
    if (nnz > INT32_MAX)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%" PRId64 " pairs of faces share a name (at most %d)",
                       nnz, INT32_MAX));
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
        AK_TRY(AK_SCRATCH(ctx, size, arrays[k]));
    AK_TRY(AK_SCRATCH(ctx, nnz, &w->mirror));
    AK_TRY(AK_SCRATCH(ctx, nnz, &w->Sy));
    AK_TRY(AK_SCRATCH(ctx, nnz, &w->sum));
    AK_TRY(AK_SCRATCH(ctx, 2 * ((n + AK_RLRR_BLOCK - 1) / AK_RLRR_BLOCK),
                      &w->sums));
    AK_TRY(make_mirror(w, ctx));
done:
    return st;
}

/* W = (1 - H)/n, E = X - X W. */
static akin_status begin(ak_rlrr_work *w, akin_ctx *ctx)
{
    const int64_t n = w->x->n, r = w->x->r;
    akin_status st = AKIN_OK;
    AK_TRY(take_room(w, ctx));
    for (int64_t j = 0; j < n; ++j) {
        const int32_t *peers;
        const int64_t m = ak_peers_get(w->peers, j, &peers);
        for (int64_t k = 0; k < m; ++k)
            w->Sw[w->peers->start[j] + k] = peers[k] == j ? 0.0
                                                          : 1.0 / (double)n;
    }
    AK_TRY(ak_peers_product(ctx, w->peers, NULL, w->Sw, r, w->x->V, w->VZ));
    for (int64_t t = 0; t < n * r; ++t)
        w->E[t] = w->x->s[t % r] * (w->x->V[t] - w->VZ[t]);
    AK_TRY(ak_wstep_new(&w->step, ctx, w->x, w->peers, w->p));
done:
    return st;
}

/* How far from the optimum; rho is that of the last step. */
static akin_status certify(const ak_rlrr_work *w, akin_ctx *ctx, double rho,
                           ak_rlrr_result *out)
{
    const double base = w->step.base;
    const ak_rlrr_point point = {
        .x = w->x,
        .peers = w->peers,
        .p = w->p,
        .k = w->J.k,
        .width = w->J.width,
        .m = w->M.k,
        .P = w->J.U,
        .R = w->J.V,
        .sigma = w->J.sigma,
        .less = 1.0 / rho,
        .by = -base / (rho + base),
        .U = w->U,
        .Phi = w->Phi,
        .A = w->M.A,
        .B = w->M.B,
        .S = w->Sy,
        .mirror = w->mirror,
    };
    return ak_rlrr_gap(&out->value, &out->bound, ctx, &point);
}

static akin_status step(ak_rlrr_work *w, akin_ctx *ctx, ak_rlrr_result *out)
{
    const int64_t n = w->x->n, nnz = w->peers->start[n];
    const double tolerance = w->p->eps;
    akin_status st = AKIN_OK;
    ak_wstep_set(&w->step, w->rho);
    for (int64_t k = 0; k < nnz; ++k)
        w->sum[k] = w->Sw[k] + w->Sy[k] / w->rho;
    for (int64_t t = 0; t < n * w->x->r; ++t)
        w->right[t] = w->Psi[t] + w->Phi[t] / w->rho;
    AK_TRY(
        ak_svt_find(&w->J, ctx, product, w, 1.0 / w->rho, tolerance, PASSES));
    AK_TRY(ak_rlrr_next_M(w, ctx));
    AK_TRY(ak_rlrr_update(w, ctx));
    AK_TRY(ak_rlrr_measure(w, ctx, out));
done:
    return st;
}

/* W of (1) as one pair and a sparse part, from the caller's scratch. */
static akin_status hand_over(ak_rlrr_work *w, akin_ctx *ctx,
                             ak_rlrr_result *out, double **L, double **R)
{
    const int64_t n = w->x->n, r = w->x->r, m = w->M.k, k = m + r;
    const double by = 1.0 / (w->rho_prev + w->step.base);
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, n * k, L));
    AK_TRY(AK_NEW(ctx, n * k, R));
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t t = 0; t < m; ++t)
            (*L)[i * k + t] = by * w->M.A[i * m + t];
        memcpy(*R + i * k, w->M.B + i * m, (size_t)m * sizeof **R);
        memcpy(*L + i * k + m, w->x->V + i * r, (size_t)r * sizeof **L);
        memcpy(*R + i * k + m, w->Psi + i * r, (size_t)r * sizeof **R);
    }
    out->W = (ak_representation){n, k, *L, *R, w->peers, w->Sw};
    out->rank = w->J.k;
done:
    return st;
}

/* Copies that are released become the caller's scratch. */
static akin_status settle(ak_rlrr_result *out, akin_ctx *ctx, double *L,
                          double *R)
{
    const int64_t size = out->W.n * out->W.k;
    double *to[2];
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, size, &to[0]));
    AK_TRY(AK_SCRATCH(ctx, size, &to[1]));
    memcpy(to[0], L, (size_t)size * sizeof *L);
    memcpy(to[1], R, (size_t)size * sizeof *R);
    out->W.L = to[0];
    out->W.R = to[1];
done:
    return st;
}

akin_status ak_rlrr_solve(ak_rlrr_result *out, akin_ctx *ctx,
                          const ak_faces_svd *x, const ak_peers *peers,
                          const ak_rlrr_params *p)
{
    ak_rlrr_work w = {.x = x,
                      .peers = peers,
                      .p = p,
                      .rho = p->rho,
                      .rho_prev = p->rho,
                      .J.n = x->n};
    double *L = NULL, *R = NULL;
    akin_status st = AKIN_OK;
    *out = (ak_rlrr_result){0};
    AK_TRY(AK_SCRATCH(ctx, peers->start[x->n], &w.Sw));  // outlive the rest
    AK_TRY(AK_SCRATCH(ctx, x->n * x->r, &w.Psi));
    const ak_mark mark = ak_scratch_begin(ctx);
    st = begin(&w, ctx);
    while (st == AKIN_OK && out->iterations < p->most && !out->converged) {
        ++out->iterations;
        st = step(&w, ctx, out);
        out->converged = out->r1 <= p->eps && out->r2 <= p->eps;
        w.rho_prev = w.rho;
        w.rho = fmin(w.rho * (1.0 + p->delta_rho), p->rho_max);
        if (st == AKIN_OK && p->gap > 0.0 && out->iterations % GAP_EVERY == 0) {
            st = certify(&w, ctx, w.rho_prev, out);
            out->converged = out->converged || ak_rlrr_is_close(out, p);
        }
        if (st == AKIN_OK)
            st = ak_ctx_tick(ctx, "iterations", out->iterations, p->most,
                             out->r1);
    }
    st = st == AKIN_OK ? certify(&w, ctx, w.rho_prev, out) : st;
    st = st == AKIN_OK ? hand_over(&w, ctx, out, &L, &R) : st;
    ak_scratch_end(ctx, mark);
    AK_TRY(st);
    AK_TRY(settle(out, ctx, L, R));
done:
    ak_release(ctx, L);
    ak_release(ctx, R);
    ak_low_rank_free(&w.M, ctx);
    ak_low_rank_free(&w.next, ctx);
    ak_svt_free(&w.J, ctx);
    return st;
}
