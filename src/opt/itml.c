/* Information-theoretic metric learning by cyclic projections.
 *   [1] Davis, Kulis, Jain, Sra, Dhillon. Information-theoretic metric
 * learning. ICML 2007.
 *
 *   min  D(M, M0) + gamma sum_c D(xi_c, xi0_c)                           (1)
 *   s.t. v'M v <= xi_c (similar), v'M v >= xi_c (dissimilar),  v = x_i - y_j
 *        D(A, B) = tr(A B^-1) - log det(A B^-1) - order of A
 *
 * with xi0 = near or far. One pair after the other, with s = 1 or -1:
 *
 *   w = M v,  p = v'w                                                    (2)
 *   a = min(lambda, s gamma / (gamma + 1) (1/p - 1/xi))                  (3)
 *   b = s a / (1 - s a p)                                                (4)
 *   xi <- gamma xi / (gamma + s a xi),  lambda <- lambda - a             (5)
 *   M  <- M + b w w'                                                     (6)
 *
 * (3) is the exact projection; [1] prints s/2 (1/p - gamma/xi), which is so
 * for gamma = 1 alone. Then M^-1 = M0^-1 + sum_c s lambda_c v v' holds     (7)
 * throughout, and v'M v = xi_c wherever lambda_c > 0.
 *
 * A step is 4 d^2 flops in matrix-vector products. Here pairs go in blocks V
 * (n x d): with P = V M and G = P V' of the block's beginning, the products
 * h_ce = w_c'v_e of all steps in it follow from G by elimination,
 *
 *   h_ce = G_ce + sum_{k<c} b_k h_kc h_ke,                               (8)
 *   w_c  = P_c  + sum_{k<c} b_k h_kc w_k,                                (9)
 *
 * and (6) is one product of matrices a block: the same steps, several times as
 * fast. The sum (6) of very many steps drifts, so M is made of (7) at the
 * end. */
#include "opt/itml.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

enum { BLOCK = 24 };

typedef struct work {
    double *V, *P, *bW;  // BLOCK x d; P becomes W
    double *G;           // BLOCK x BLOCK; the upper part becomes h
    double b[BLOCK];
    double *M0_inverse;  // d x d
    double *last;        // multipliers before the sweep
} work;

/* (3) to (5) at the distance q; returns b. */
static double project(ak_itml *p, int64_t c, double q)
{
    const double s = ak_itml_sign(p, c), gamma = p->gamma;
    if (!(q > 1e-300))
        return 0.0;
    const double a = fmin(p->lambda[c], s * gamma / (gamma + 1.0) *
                                            (1.0 / q - 1.0 / p->xi[c]));
    p->xi[c] = gamma * p->xi[c] / (gamma + s * a * p->xi[c]);
    p->lambda[c] -= a;
    return s * a / (1.0 - s * a * q);
}

/* Row c of h by (8), the step of its pair, and row c of W by (9). */
static void step(ak_itml *p, work *w, int64_t pair, int64_t c, int64_t n)
{
    double *h = w->G + c * n;
    for (int64_t k = 0; k < c; ++k) {
        const double *hk = w->G + k * n;
        const double f = w->b[k] * hk[c];
        if (f == 0.0)
            continue;
        for (int64_t e = c; e < n; ++e)
            h[e] += f * hk[e];
    }
    w->b[c] = project(p, pair, h[c]);
    if (w->b[c] == 0.0)
        return;
    for (int64_t k = 0; k < c; ++k) {
        const double f = w->b[k] * w->G[k * n + c];
        if (f != 0.0)
            ak_axpy(p->d, f, w->P + k * p->d, w->P + c * p->d);
    }
}

static akin_status block(ak_itml *p, akin_ctx *ctx, work *w, int64_t from,
                         int64_t n)
{
    const int64_t d = p->d;
    int64_t moved = 0;
    akin_status st = AKIN_OK;
    for (int64_t c = 0; c < n; ++c)
        ak_itml_difference(p, from + c, w->V + c * d);
    AK_TRY(ak_gemm(ctx, false, false, n, d, d, 1.0, w->V, d, p->M, d, 0.0, w->P,
                   d));
    AK_TRY(ak_gemm(ctx, false, true, n, n, d, 1.0, w->P, d, w->V, d, 0.0, w->G,
                   n));
    for (int64_t c = 0; c < n; ++c)
        step(p, w, from + c, c, n);
    for (int64_t c = 0; c < n; ++c) {
        if (w->b[c] == 0.0)
            continue;
        for (int64_t j = 0; j < d; ++j) {
            w->bW[moved * d + j] = w->b[c] * w->P[c * d + j];
            w->V[moved * d + j] = w->P[c * d + j];  // V has served
        }
        ++moved;
    }
    AK_TRY(ak_gemm(ctx, true, false, d, d, moved, 1.0, w->bW, d, w->V, d, 1.0,
                   p->M, d));  // (6)
done:
    return st;
}

/* (7); the lower triangle decides. */
static akin_status settle(ak_itml *p, akin_ctx *ctx, work *w)
{
    const int64_t d = p->d;
    akin_status st = AKIN_OK;
    memcpy(p->M, w->M0_inverse, (size_t)(d * d) * sizeof *p->M);
    for (int64_t from = 0; from < p->count; from += BLOCK) {
        const int64_t n = ak_min_i64(BLOCK, p->count - from);
        for (int64_t c = 0; c < n; ++c) {
            const double f = ak_itml_sign(p, from + c) * p->lambda[from + c];
            ak_itml_difference(p, from + c, w->V + c * d);
            for (int64_t j = 0; j < d; ++j)
                w->bW[c * d + j] = f * w->V[c * d + j];
        }
        AK_TRY(ak_gemm(ctx, true, false, d, d, n, 1.0, w->bW, d, w->V, d, 1.0,
                       p->M, d));
    }
    AK_TRY(ak_spd_inverse(ctx, d, p->M));
done:
    return st;
}

/* (1), M is left as it was. */
static akin_status value(ak_itml *p, akin_ctx *ctx, work *w)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = p->d;
    double sum = -(double)d, *L;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d * d, &L));
    for (int s = 0; s < 2; ++s) {  // log det of M0^-1, then of M
        memcpy(L, s ? p->M : w->M0_inverse, (size_t)(d * d) * sizeof *L);
        AK_TRY(ak_cholesky(ctx, d, L));
        for (int64_t j = 0; j < d; ++j)
            sum -= 2.0 * log(L[j * d + j]);
    }
    sum += ak_dot(d * d, p->M, w->M0_inverse);
    for (int64_t c = 0; c < p->count; ++c) {
        const double r = p->xi[c] / ak_itml_target(p, c);
        sum += p->gamma * (r - log(r) - 1.0);
    }
    p->objective = sum;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Have the multipliers come to rest? */
static bool is_at_rest(const ak_itml *p, const work *w)
{
    double moved = 0.0;
    for (int64_t c = 0; c < p->count; ++c)
        moved += fabs(p->lambda[c] - w->last[c]);
    const double size = sqrt(ak_dot(p->count, p->lambda, p->lambda)) +
                        sqrt(ak_dot(p->count, w->last, w->last));
    return size == 0.0 || moved / size < p->tol;
}

static akin_status prepare(ak_itml *p, akin_ctx *ctx, work *w)
{
    const int64_t d = p->d;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, BLOCK * d, &w->V));
    AK_TRY(AK_SCRATCH(ctx, BLOCK * d, &w->P));
    AK_TRY(AK_SCRATCH(ctx, BLOCK * d, &w->bW));
    AK_TRY(AK_SCRATCH(ctx, BLOCK * BLOCK, &w->G));
    AK_TRY(AK_SCRATCH(ctx, p->count, &w->last));
    AK_TRY(AK_SCRATCH(ctx, d * d, &w->M0_inverse));
    memcpy(w->M0_inverse, p->M, (size_t)(d * d) * sizeof *p->M);
    AK_TRY(ak_spd_inverse(ctx, d, w->M0_inverse));
    for (int64_t c = 0; c < p->count; ++c) {
        p->lambda[c] = 0.0;
        p->xi[c] = ak_itml_target(p, c);
    }
done:
    return st;
}

static akin_status sweep(ak_itml *p, akin_ctx *ctx, work *w)
{
    akin_status st = AKIN_OK;
    memcpy(w->last, p->lambda, (size_t)p->count * sizeof *w->last);
    for (int64_t from = 0; from < p->count; from += BLOCK)
        AK_TRY(block(p, ctx, w, from, ak_min_i64(BLOCK, p->count - from)));
    for (int64_t i = 0; i < p->d; ++i)
        for (int64_t j = 0; j < i; ++j) {
            const double mean = 0.5 * (p->M[i * p->d + j] + p->M[j * p->d + i]);
            p->M[i * p->d + j] = p->M[j * p->d + i] = mean;
        }
done:
    return st;
}

akin_status ak_itml_cyclic(ak_itml *p, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    work w = {0};
    akin_status st = AKIN_OK;
    p->converged = false;
    AK_TRY(prepare(p, ctx, &w));
    for (p->iterations = 0;
         p->iterations < p->max_iterations && !p->converged;) {
        AK_TRY(sweep(p, ctx, &w));
        ++p->iterations;
        p->converged = is_at_rest(p, &w);
        AK_TRY(
            ak_ctx_tick(ctx, "sweeps", p->iterations, p->max_iterations, NAN));
    }
    AK_TRY(settle(p, ctx, &w));
    AK_TRY(value(p, ctx, &w));
    p->active = 0;
    for (int64_t c = 0; c < p->count; ++c)
        p->active += p->lambda[c] > 0.0;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_itml_room(ak_itml *p, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->d * p->d, &p->M));
    AK_TRY(AK_SCRATCH(ctx, p->count, &p->lambda));
    AK_TRY(AK_SCRATCH(ctx, p->count, &p->xi));
done:
    return st;
}
