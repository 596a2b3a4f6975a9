/* ITML: the metric closest to a given one that brings similar pairs near and
 * keeps dissimilar pairs far.
 *   [1] Davis, Kulis, Jain, Sra, Dhillon. Information-theoretic metric
 * learning. ICML 2007.
 *
 *   min  D(M, M0) + gamma sum_c D(xi_c, xi0_c)                           (1)
 *   s.t. v'M v <= xi_c (similar), v'M v >= xi_c (dissimilar),  v = x_i - y_j
 *        D(A, B) = tr(A B^-1) - log det(A B^-1) - order of A
 *
 * with the target xi0 = near or far. [1] projects on one pair after the other,
 * with s = 1 (similar) or -1:
 *
 *   w = M v,  p = v'w                                                    (2)
 *   a = min(lambda, s gamma / (gamma + 1) (1/p - 1/xi))                  (3)
 *   b = s a / (1 - s a p)                                                (4)
 *   xi <- gamma xi / (gamma + s a xi),  lambda <- lambda - a             (5)
 *   M  <- M + b w w'                                                     (6)
 *
 * (3) is the exact projection; [1] prints s/2 (1/p - gamma/xi), which is exact
 * for gamma = 1 only. Then M^-1 = M0^-1 + sum_c s lambda_c v v' holds     (7)
 * throughout, and v'M v = xi_c wherever lambda_c > 0.
 *
 * A step costs 4 d^2 flops in matrix-vector products. Here pairs are taken in
 * blocks V (n x d): with P = V M and G = P V' at the start of the block, the
 * products h_ce = w_c'v_e of all its steps follow from G by elimination,
 *
 *   h_ce = G_ce + sum_{k<c} b_k h_kc h_ke,                               (8)
 *   w_c  = P_c  + sum_{k<c} b_k h_kc w_k,                                (9)
 *
 * and (6) is one matrix product per block: the same steps, several times
 * faster. The sum (6) drifts over very many steps, so M is recomputed from (7)
 * at the end. Newton's method, below, reaches the same M in fewer passes. */
#include "learn/metric/itml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checkpoint.h"
#include "la/dense.h"
#include "la/shared.h"
#include "learn/metric/full_metric.h"

static double sign_of(const ak_itml *p, int64_t c)
{
    return c < p->similar ? 1.0 : -1.0;
}

static double target_of(const ak_itml *p, int64_t c)
{
    return c < p->similar ? p->near : p->far;
}

/* v = x - y of pair c. */
static void difference(const ak_itml *p, int64_t c, double *v)
{
    const double *x = p->X + p->ij[2 * c] * p->d;
    const double *y = p->Y + p->ij[2 * c + 1] * p->d;
    for (int64_t j = 0; j < p->d; ++j)
        v[j] = x[j] - y[j];
}

/* ---- the paper's cyclic projections -------------------------------------- */

enum { BLOCK = 24 };

typedef struct work {
    double *V, *P, *bW;  // BLOCK x d; P becomes W
    double *G;           // BLOCK x BLOCK; the upper part becomes h
    double b[BLOCK];
    double *M0_inverse;  // d x d
    double *last;        // multipliers before the sweep
} work;

/* One step, of pair c at the distance q: (3) to (5); returns b. */
static double itml_step(ak_itml *p, int64_t c, double q)
{
    const double s = sign_of(p, c), gamma = p->gamma;
    if (!(q > 1e-300))
        return 0.0;
    const double a = fmin(p->lambda[c], s * gamma / (gamma + 1.0) *
                                            (1.0 / q - 1.0 / p->xi[c]));
    p->xi[c] = gamma * p->xi[c] / (gamma + s * a * p->xi[c]);
    p->lambda[c] -= a;
    return s * a / (1.0 - s * a * q);
}

/* Row c of h by (8), the step of its pair, and row c of W by (9). */
static void step_in_block(ak_itml *p, work *w, int64_t pair, int64_t c,
                          int64_t n)
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
    w->b[c] = itml_step(p, pair, h[c]);
    if (w->b[c] == 0.0)
        return;
    for (int64_t k = 0; k < c; ++k) {
        const double f = w->b[k] * w->G[k * n + c];
        if (f != 0.0)
            ak_axpy(p->d, f, w->P + k * p->d, w->P + c * p->d);
    }
}

/* The steps of pairs [from, from + n), and (6). */
static akin_status project_block(ak_itml *p, akin_ctx *ctx, work *w,
                                 int64_t from, int64_t n)
{
    const int64_t d = p->d;
    int64_t moved = 0;
    for (int64_t c = 0; c < n; ++c)
        difference(p, from + c, w->V + c * d);
    AK_CHECK(ak_gemm(ctx, false, false, n, d, d, 1.0, w->V, d, p->M, d, 0.0,
                     w->P, d));
    AK_CHECK(ak_gemm(ctx, false, true, n, n, d, 1.0, w->P, d, w->V, d, 0.0,
                     w->G, n));
    for (int64_t c = 0; c < n; ++c)
        step_in_block(p, w, from + c, c, n);
    for (int64_t c = 0; c < n; ++c) {
        if (w->b[c] == 0.0)
            continue;
        for (int64_t j = 0; j < d; ++j) {
            w->bW[moved * d + j] = w->b[c] * w->P[c * d + j];
            w->V[moved * d + j] = w->P[c * d + j];  // V is free now
        }
        ++moved;
    }
    AK_CHECK(ak_gemm(ctx, true, false, d, d, moved, 1.0, w->bW, d, w->V, d, 1.0,
                     p->M, d));  // (6)
    return AKIN_OK;
}

/* M of (7), from the lower triangle of the sum. */
static akin_status recompute(ak_itml *p, akin_ctx *ctx, work *w)
{
    const int64_t d = p->d;
    memcpy(p->M, w->M0_inverse, (size_t)(d * d) * sizeof *p->M);
    for (int64_t from = 0; from < p->count; from += BLOCK) {
        const int64_t n = ak_min_i64(BLOCK, p->count - from);
        for (int64_t c = 0; c < n; ++c) {
            const double f = sign_of(p, from + c) * p->lambda[from + c];
            difference(p, from + c, w->V + c * d);
            for (int64_t j = 0; j < d; ++j)
                w->bW[c * d + j] = f * w->V[c * d + j];
        }
        AK_CHECK(ak_gemm(ctx, true, false, d, d, n, 1.0, w->bW, d, w->V, d, 1.0,
                         p->M, d));
    }
    return ak_spd_inverse(ctx, d, p->M);
}

/* (1). */
static akin_status objective(ak_itml *p, akin_ctx *ctx, work *w)
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
        const double r = p->xi[c] / target_of(p, c);
        sum += p->gamma * (r - log(r) - 1.0);
    }
    p->objective = sum;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Have the multipliers stopped changing? */
static bool is_stationary(const ak_itml *p, const work *w)
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
    AK_CHECK(AK_SCRATCH_EACH(ctx, BLOCK * d, &w->V, &w->P, &w->bW));
    AK_CHECK(AK_SCRATCH(ctx, BLOCK * BLOCK, &w->G));
    AK_CHECK(AK_SCRATCH(ctx, p->count, &w->last));
    AK_CHECK(AK_SCRATCH(ctx, d * d, &w->M0_inverse));
    memcpy(w->M0_inverse, p->M, (size_t)(d * d) * sizeof *p->M);
    AK_CHECK(ak_spd_inverse(ctx, d, w->M0_inverse));
    for (int64_t c = 0; c < p->count; ++c) {
        p->lambda[c] = 0.0;
        p->xi[c] = target_of(p, c);
    }
    return AKIN_OK;
}

static akin_status sweep(ak_itml *p, akin_ctx *ctx, work *w)
{
    memcpy(w->last, p->lambda, (size_t)p->count * sizeof *w->last);
    for (int64_t from = 0; from < p->count; from += BLOCK)
        AK_CHECK(
            project_block(p, ctx, w, from, ak_min_i64(BLOCK, p->count - from)));
    ak_symmetrize(p->d, p->M);
    return AKIN_OK;
}

/* The state after a sweep. */
static akin_status visit_sweep(void *self, akin_ctx *ctx, ak_state *s)
{
    ak_itml *p = self;
    AK_CHECK(
        ak_state_i64(s, ctx, "sweeps", &p->iterations, 1, p->max_iterations));
    AK_CHECK(ak_state_f64(s, ctx, "M", p->d * p->d, p->M));
    AK_CHECK(ak_state_f64(s, ctx, "lambda", p->count, p->lambda));
    return ak_state_f64(s, ctx, "xi", p->count, p->xi);
}

akin_status ak_itml_cyclic(ak_itml *p, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_section section = {"cyclic", visit_sweep, p, NULL};
    work w = {0};
    bool continued;
    akin_status st = AKIN_OK;
    p->converged = false;
    p->iterations = 0;
    AK_TRY(prepare(p, ctx, &w));
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    while (p->iterations < p->max_iterations && !p->converged &&
           !ak_ctx_stopped(ctx)) {
        AK_TRY(sweep(p, ctx, &w));
        ++p->iterations;
        p->converged = is_stationary(p, &w);
        AK_TRY(
            ak_ctx_step(ctx, "sweeps", p->iterations, p->max_iterations, NAN));
        if (!p->converged)
            AK_TRY(ak_section_step(ctx));
    }
    AK_TRY(recompute(p, ctx, &w));
    AK_TRY(objective(p, ctx, &w));
    p->active = 0;
    for (int64_t c = 0; c < p->count; ++c)
        p->active += p->lambda[c] > 0.0;
done:
    ak_section_leave(ctx, &section);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- Newton's method ----------------------------------------------------- */

/* The distances reached follow from M: xi_c = v'M v =: p_c for pairs on the
 * wrong side of their target xi0_c, and xi0_c for the others. So (1) becomes,
 * with r - log r - 1 =: f(r) and the active pairs A on the wrong side,
 *
 *   F(M) = D(M, M0) + gamma sum_{c in A} f(p_c / xi0_c),  M > 0        (10)
 *
 * convex, once differentiable everywhere and twice except where a pair changes
 * sides; a sum of linear terms and logarithms, so Newton's method needs no
 * scale. In the coordinates M = L L', z = L'v, u = z / |z|:
 *
 *   G    = L'M0^-1 L - I + gamma sum_A (p / xi0 - 1) u u'              (11)
 *   H[E] = E + gamma sum_A (u'E u) u u'                                (12)
 *   H[E] = -G  by conjugate gradients                                  (13)
 *   M(t) = L (I + t E) L',  p(t) = p + t z'E z                         (14)
 *
 * The eigenvalues of E, computed once per iteration, make F(M(t)) cheap for
 * every t, so the line search is nearly exact. The decrement sqrt(-<G, E>)
 * bounds the distance to the optimum, where the multipliers are
 *
 *   lambda_c = gamma s (1/xi0 - 1/p)                                   (15)
 *
 * Far from the optimum, many pairs at once may drive M to the boundary of the
 * cone, along which progress is slow; so gamma grows in steps to its value.
 *
 * When there are fewer points than columns, F is minimised in their subspace.
 * With M0 = L L' and the points (less one of them) times L in the columns of
 * P = Q R, no pair depends on anything outside the span of Q, and M = M0 there:
 *
 *   M = M0 + (L Q) (A - I) (L Q)'                                      (16)
 *
 * where A is learned from the columns of R, starting at the identity, with the
 * same objective. */
#define SHRINK 0.9  // most that a direction of M may lose in one iteration
#define GROWTH 4.0  // of gamma
#define ROUGH 1.0   // decrement that suffices before gamma grows

enum {
    MAX_CG = 500,
    MAX_SEARCH = 60,
    SOME = 256,  // pairs of a product
};

typedef struct newton {
    ak_itml *p;
    akin_ctx *ctx;
    double *V, *U;                       // count x d; U: of this rank's pairs
    double *q, *r;                       // p_c and its change; count
    double *room;                        // 2 x SOME x d, of each worker
    double *M0_inverse, *L;              // d x d, as are all below
    double *K, *T;                       // L'M0^-1 L; scratch
    double *G, *E, *R, *D, *HD, *eigen;  // eigen: d
    double log_det;                      // of M0
    double gamma;                        // grows to p->gamma
    double decrement;                    // of the last step
} newton;

static akin_status alloc_newton(newton *s, akin_ctx *ctx)
{
    const int64_t n = s->p->count, d = s->p->d;
    double **const squares[] = {&s->M0_inverse, &s->L, &s->K, &s->T, &s->G,
                                &s->E,          &s->R, &s->D, &s->HD};
    s->ctx = ctx;
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * d, &s->V, &s->U));
    AK_CHECK(AK_SCRATCH_EACH(ctx, n, &s->q, &s->r));
    AK_CHECK(AK_SCRATCH(ctx, ak_workers(ctx) * 2 * SOME * d, &s->room));
    for (int i = 0; i < 9; ++i)
        AK_CHECK(AK_SCRATCH(ctx, d * d, squares[i]));
    return AK_SCRATCH(ctx, d, &s->eigen);
}

static bool is_active(const newton *s, int64_t c)
{
    const double off = s->q[c] - target_of(s->p, c);
    return sign_of(s->p, c) * off > 0.0 && s->q[c] > 1e-300;
}

/* u and p of some pairs. */
static akin_status place_pairs(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const newton *s = arg;
    const int64_t d = s->p->d;
    (void)worker;
    for (int64_t to; begin < end; begin = to) {
        to = ak_min_i64(begin + SOME, end);
        AK_CHECK(ak_gemm(NULL, false, false, to - begin, d, d, 1.0,
                         s->V + begin * d, d, s->L, d, 0.0, s->U + begin * d,
                         d));
        for (int64_t c = begin; c < to; ++c) {
            double *u = s->U + c * d;
            s->q[c] = ak_dot(d, u, u);
            for (int64_t j = 0; j < d && s->q[c] > 1e-300; ++j)
                u[j] /= sqrt(s->q[c]);
        }
    }
    return AKIN_OK;
}

/* z'E z of some pairs. */
static akin_status change_pairs(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const newton *s = arg;
    const int64_t d = s->p->d;
    double *Y = s->room + worker * 2 * SOME * d;
    for (int64_t to; begin < end; begin = to) {
        to = ak_min_i64(begin + SOME, end);
        AK_CHECK(ak_gemm(NULL, false, false, to - begin, d, d, 1.0,
                         s->U + begin * d, d, s->E, d, 0.0, Y, d));
        for (int64_t c = begin; c < to; ++c)
            s->r[c] = s->q[c] * ak_dot(d, Y + (c - begin) * d, s->U + c * d);
    }
    return AKIN_OK;
}

/* One number of each pair, as `fn` has it: all ranks get all. */
static akin_status for_pairs(newton *s, akin_ctx *ctx, ak_block_fn fn,
                             double *numbers)
{
    const int64_t n = s->p->count, d = s->p->d;
    return AK_COMM_MAP(ctx, n, ak_shared_block(n, AK_SHARED_ROWS, d * d), fn, s,
                       {numbers, sizeof *numbers});
}

/* The active ones of the pairs [begin, end), side by side; returns how many. */
static int64_t take_active(const newton *s, int64_t begin, int64_t end,
                           double *U, double *w)
{
    const int64_t d = s->p->d;
    int64_t n = 0;
    for (int64_t c = begin; c < end; ++c) {
        if (!is_active(s, c))
            continue;
        memcpy(U + n * d, s->U + c * d, (size_t)d * sizeof *U);
        w[n++] = s->gamma * (s->q[c] / target_of(s->p, c) - 1.0);
    }
    return n;
}

/* out += sum_k w_k u_k u_k' of n rows; Y is overwritten. */
static akin_status add_weighted(int64_t n, int64_t d, const double *U,
                                const double *w, double *Y, double *out)
{
    for (int64_t k = 0; k < n; ++k)
        for (int64_t j = 0; j < d; ++j)
            Y[k * d + j] = w[k] * U[k * d + j];
    return ak_gemm(NULL, true, false, d, d, n, 1.0, Y, d, U, d, 1.0, out, d);
}

/* The sum in (12) with D for E, of some pairs; without D that in (11). */
static akin_status add_pairs(const newton *s, int64_t begin, int64_t end,
                             int64_t worker, const double *D, double *sum)
{
    const int64_t d = s->p->d;
    double *U = s->room + worker * 2 * SOME * d, *Y = U + SOME * d, w[SOME];
    for (int64_t to; begin < end; begin = to) {
        to = ak_min_i64(begin + SOME, end);
        const int64_t n = take_active(s, begin, to, U, w);
        AK_CHECK(ak_ctx_poll(s->ctx));
        if (D != NULL)
            AK_CHECK(ak_gemm(NULL, false, false, n, d, d, 1.0, U, d, D, d, 0.0,
                             Y, d));
        for (int64_t k = 0; k < n && D != NULL; ++k)
            w[k] = s->gamma * ak_dot(d, Y + k * d, U + k * d);
        AK_CHECK(add_weighted(n, d, U, w, Y, sum));
    }
    return AKIN_OK;
}

static akin_status slope_pairs(void *arg, int64_t begin, int64_t end,
                               int64_t worker, double *sum)
{
    return add_pairs(arg, begin, end, worker, NULL, sum);
}

static akin_status hessian_pairs(void *arg, int64_t begin, int64_t end,
                                 int64_t worker, double *sum)
{
    const newton *s = arg;
    return add_pairs(s, begin, end, worker, s->D, sum);
}

static akin_status sum_pairs(newton *s, akin_ctx *ctx, ak_sum_fn fn,
                             double *out)
{
    const int64_t d = s->p->d;
    return ak_shared_sum(ctx, s->p->count, AK_SHARED_ROWS, d * d, fn, s, out);
}

/* L, U and p of M, and (11). */
static akin_status evaluate(newton *s, akin_ctx *ctx)
{
    ak_itml *p = s->p;
    const int64_t d = p->d;
    memcpy(s->L, p->M, (size_t)(d * d) * sizeof *s->L);
    AK_CHECK(ak_cholesky(ctx, d, s->L));
    AK_CHECK(for_pairs(s, ctx, place_pairs, s->q));
    AK_CHECK(ak_gemm(ctx, false, false, d, d, d, 1.0, s->M0_inverse, d, s->L, d,
                     0.0, s->T, d));
    AK_CHECK(ak_gemm(ctx, true, false, d, d, d, 1.0, s->L, d, s->T, d, 0.0,
                     s->K, d));
    AK_CHECK(sum_pairs(s, ctx, slope_pairs, s->G));
    for (int64_t k = 0; k < d * d; ++k)
        s->G[k] += s->K[k] - (k % (d + 1) == 0 ? 1.0 : 0.0);
    return AKIN_OK;
}

/* HD = H[D], (12), for symmetric D. */
static akin_status hessian_product(newton *s, akin_ctx *ctx)
{
    const int64_t d = s->p->d;
    AK_CHECK(sum_pairs(s, ctx, hessian_pairs, s->HD));
    ak_axpy(d * d, 1.0, s->D, s->HD);
    return AKIN_OK;
}

/* (13). The gains of the iterations add up to -<G, E>; it stops when as many
 * iterations again would gain little. The closer the optimum, the stricter. */
static akin_status solve(newton *s, akin_ctx *ctx)
{
    const int64_t dd = s->p->d * s->p->d;
    double rr = ak_dot(dd, s->G, s->G), gained = 0.0, gain = INFINITY;
    memset(s->E, 0, (size_t)dd * sizeof *s->E);
    for (int64_t k = 0; k < dd; ++k)
        s->D[k] = s->R[k] = -s->G[k];
    for (int i = 0; i < MAX_CG && rr > 0.0; ++i) {
        if (i * gain <= gained * fmin(0.5, sqrt(gained)))
            break;
        AK_CHECK(ak_ctx_step(ctx, "iterations", s->p->iterations,
                             s->p->max_iterations, NAN));
        if (ak_ctx_stopped(ctx))
            break;
        AK_CHECK(hessian_product(s, ctx));
        const double length = rr / ak_dot(dd, s->D, s->HD);
        ak_axpy(dd, length, s->D, s->E);
        ak_axpy(dd, -length, s->HD, s->R);
        gain = rr * length;
        gained += gain;
        const double next = ak_dot(dd, s->R, s->R), beta = next / rr;
        for (int64_t k = 0; k < dd; ++k)
            s->D[k] = s->R[k] + beta * s->D[k];
        rr = next;
    }
    return AKIN_OK;
}

/* The pairs' part of (10). */
static double pairs_value(const newton *s)
{
    double sum = 0.0;
    for (int64_t c = 0; c < s->p->count; ++c) {
        const double ratio = s->q[c] / target_of(s->p, c);
        if (sign_of(s->p, c) * (ratio - 1.0) > 0.0 && s->q[c] > 1e-300)
            sum += ratio - log(ratio) - 1.0;
    }
    return s->gamma * sum;
}

/* D(M, M0) + the pairs' part. */
static double value(const newton *s)
{
    const int64_t d = s->p->d;
    double sum = s->log_det - (double)d + pairs_value(s);
    for (int64_t j = 0; j < d; ++j)
        sum += s->K[j * (d + 1)] - 2.0 * log(s->L[j * (d + 1)]);
    return sum;
}

/* The derivative of F(M(t)) by t. */
static double slope_at(const newton *s, double t)
{
    double sum = ak_dot(s->p->d * s->p->d, s->K, s->E), pairs = 0.0;
    for (int64_t j = 0; j < s->p->d; ++j)
        sum -= s->eigen[j] / (1.0 + t * s->eigen[j]);
    for (int64_t c = 0; c < s->p->count; ++c) {
        const double q = s->q[c] + t * s->r[c], to = target_of(s->p, c);
        if (sign_of(s->p, c) * (q - to) > 0.0 && s->q[c] > 1e-300)
            pairs += s->r[c] * (1.0 / to - 1.0 / q);
    }
    return sum + s->gamma * pairs;
}

/* The changes of p along E, and the eigenvalues of E. */
static akin_status prepare_line(newton *s, akin_ctx *ctx)
{
    const int64_t d = s->p->d;
    AK_CHECK(for_pairs(s, ctx, change_pairs, s->r));
    memcpy(s->T, s->E, (size_t)(d * d) * sizeof *s->T);
    return ak_eigh(ctx, d, s->T, s->eigen);
}

/* The step t at which F along the line is nearly flat. F is convex, so its
 * derivative decides. */
static double search_line(const newton *s, double slope)
{
    const double end = s->eigen[0] < 0.0 ? -SHRINK / s->eigen[0] : INFINITY;
    double low = 0.0, high = INFINITY, t = fmin(1.0, end);
    for (int i = 0; i < MAX_SEARCH; ++i) {
        const double now = slope_at(s, t);
        if (fabs(now) <= -0.1 * slope || (now < 0.0 && t >= end))
            return t;
        if (now > 0.0)
            high = t;
        else
            low = t;
        t = isinf(high) ? fmin(2.0 * t, end) : 0.5 * (low + high);
    }
    return low > 0.0 ? low : t;
}

/* M = L (I + t E) L'. */
static akin_status move(newton *s, akin_ctx *ctx, double t)
{
    const int64_t d = s->p->d;
    double *M = s->p->M;
    for (int64_t k = 0; k < d * d; ++k)
        s->D[k] = t * s->E[k] + (k % (d + 1) == 0 ? 1.0 : 0.0);
    AK_CHECK(ak_gemm(ctx, false, false, d, d, d, 1.0, s->L, d, s->D, d, 0.0,
                     s->T, d));
    AK_CHECK(
        ak_gemm(ctx, false, true, d, d, d, 1.0, s->T, d, s->L, d, 0.0, M, d));
    ak_symmetrize(d, M);
    return AKIN_OK;
}

static akin_status begin_newton(newton *s, akin_ctx *ctx)
{
    ak_itml *p = s->p;
    const int64_t d = p->d;
    AK_CHECK(alloc_newton(s, ctx));
    for (int64_t c = 0; c < p->count; ++c)
        difference(p, c, s->V + c * d);
    memcpy(s->M0_inverse, p->M, (size_t)(d * d) * sizeof *p->M);
    AK_CHECK(ak_spd_inverse(ctx, d, s->M0_inverse));
    memcpy(s->L, p->M, (size_t)(d * d) * sizeof *p->M);
    AK_CHECK(ak_cholesky(ctx, d, s->L));
    for (int64_t j = 0; j < d; ++j)
        s->log_det += 2.0 * log(s->L[j * (d + 1)]);
    return AKIN_OK;
}

/* (15), and the distances reached. */
static void write_result(newton *s)
{
    ak_itml *p = s->p;
    p->active = 0;
    for (int64_t c = 0; c < p->count; ++c) {
        const double sign = sign_of(p, c), target = target_of(p, c);
        const bool active = is_active(s, c);
        p->active += active;
        p->xi[c] = active ? s->q[c] : target;
        p->lambda[c] = active ? p->gamma * sign * (1.0 / target - 1.0 / s->q[c])
                              : 0.0;
    }
}

/* The state after a step; the rest follows from M. */
static akin_status visit_step(void *self, akin_ctx *ctx, ak_state *state)
{
    newton *s = self;
    ak_itml *p = s->p;
    AK_CHECK(ak_state_i64(state, ctx, "iterations", &p->iterations, 1,
                          p->max_iterations));
    AK_CHECK(ak_state_f64(state, ctx, "M", p->d * p->d, p->M));
    AK_CHECK(ak_state_f64(state, ctx, "gamma", 1, &s->gamma));
    return ak_state_f64(state, ctx, "decrement", 1, &s->decrement);
}

/* Newton steps for s->gamma until the decrement is `tol` or less. */
static akin_status descend(newton *s, akin_ctx *ctx, double tol)
{
    ak_itml *p = s->p;
    AK_CHECK(evaluate(s, ctx));
    while (s->decrement > tol && p->iterations < p->max_iterations &&
           !ak_ctx_stopped(ctx)) {
        AK_CHECK(solve(s, ctx));
        const double slope = ak_dot(p->d * p->d, s->G, s->E);
        s->decrement = sqrt(fmax(0.0, -slope));
        if (!(slope < 0.0))
            break;
        AK_CHECK(prepare_line(s, ctx));
        AK_CHECK(move(s, ctx, search_line(s, slope)));
        AK_CHECK(evaluate(s, ctx));
        AK_CHECK(ak_ctx_step(ctx, "iterations", ++p->iterations,
                             p->max_iterations, value(s)));
        AK_CHECK(ak_section_step(ctx));
    }
    return AKIN_OK;
}

akin_status ak_itml_newton_full(ak_itml *p, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    newton s = {.p = p, .decrement = INFINITY};
    ak_section section = {"newton", visit_step, &s, NULL};
    bool continued;
    akin_status st = AKIN_OK;
    p->iterations = 0;
    AK_TRY(begin_newton(&s, ctx));
    s.gamma = fmin(p->gamma, (double)p->d / (double)p->count);
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    while (s.gamma < p->gamma && !ak_ctx_stopped(ctx)) {
        AK_TRY(descend(&s, ctx, ROUGH));
        s.gamma *= GROWTH;
        s.decrement = INFINITY;
    }
    s.gamma = p->gamma;
    AK_TRY(descend(&s, ctx, p->tol));
    p->converged = s.decrement <= p->tol;
    p->objective = value(&s);
    write_result(&s);
done:
    ak_section_leave(ctx, &section);
    ak_scratch_end(ctx, mark);
    return st;
}

/* Points of X (side 0) or Y (side 1): the largest number in a pair, plus 1. */
static int64_t points_of(const ak_itml *p, int side)
{
    int64_t most = 0;
    for (int64_t c = 0; c < p->count; ++c)
        most = ak_max_i64(most, p->ij[2 * c + side] + 1);
    return most;
}

typedef struct subspace {
    int64_t nx, n;          // points of X, and all
    double *L, *P, *R, *C;  // d x d, d x n, n x n, R'
    double *B, *BA;         // d x n: L Q; times A - I
} subspace;

/* P, from the points of X and, where Y is another set, of Y. */
static akin_status take_points(const ak_itml *p, akin_ctx *ctx, subspace *s)
{
    const int64_t d = p->d, n = s->n;
    double *shifted;
    AK_CHECK(AK_SCRATCH(ctx, n * d, &shifted));
    for (int64_t i = 0; i < n; ++i) {
        const double *x = i < s->nx ? p->X + i * d : p->Y + (i - s->nx) * d;
        for (int64_t j = 0; j < d; ++j)
            shifted[i * d + j] = x[j] - p->X[j];
    }
    return ak_gemm(ctx, true, true, d, n, d, 1.0, s->L, d, shifted, d, 0.0,
                   s->P, n);
}

/* (16) of A, which is overwritten. */
static akin_status lift(ak_itml *p, akin_ctx *ctx, subspace *s, double *A)
{
    const int64_t d = p->d, n = s->n;
    for (int64_t j = 0; j < n; ++j)
        A[j * (n + 1)] -= 1.0;
    AK_CHECK(ak_gemm(ctx, false, false, d, n, d, 1.0, s->L, d, s->P, n, 0.0,
                     s->B, n));
    AK_CHECK(
        ak_gemm(ctx, false, false, d, n, n, 1.0, s->B, n, A, n, 0.0, s->BA, n));
    AK_CHECK(ak_gemm(ctx, false, true, d, d, n, 1.0, s->BA, n, s->B, n, 1.0,
                     p->M, d));
    for (int64_t i = 0; i < d; ++i)
        for (int64_t j = 0; j < i; ++j)
            p->M[j * d + i] = p->M[i * d + j];
    return AKIN_OK;
}

static akin_status alloc_subspace(const ak_itml *p, akin_ctx *ctx, subspace *s)
{
    const int64_t d = p->d, n = s->n;
    AK_CHECK(AK_SCRATCH(ctx, d * d, &s->L));
    AK_CHECK(AK_SCRATCH_EACH(ctx, d * n, &s->P, &s->B, &s->BA));
    return AK_SCRATCH_EACH(ctx, n * n, &s->R, &s->C);
}

static akin_status newton_in_subspace(ak_itml *p, akin_ctx *ctx, subspace *s)
{
    const int64_t d = p->d, n = s->n;
    ak_itml q = *p;
    AK_CHECK(alloc_subspace(p, ctx, s));
    for (int64_t k = 0; k < d * d; ++k)
        s->L[k] = p->M[k];
    AK_CHECK(ak_cholesky(ctx, d, s->L));
    AK_CHECK(take_points(p, ctx, s));
    AK_CHECK(ak_qr(ctx, d, n, s->P, s->R));
    for (int64_t k = 0; k < n * n; ++k)
        s->C[k] = s->R[k % n * n + k / n];
    q.d = n;
    q.X = s->C;
    q.Y = p->Y == p->X ? s->C : s->C + s->nx * n;
    AK_CHECK(AK_SCRATCH(ctx, n * n, &q.M));
    for (int64_t j = 0; j < n; ++j)
        q.M[j * (n + 1)] = 1.0;
    AK_CHECK(ak_itml_newton_full(&q, ctx));
    AK_CHECK(lift(p, ctx, s, q.M));
    p->iterations = q.iterations;
    p->converged = q.converged;
    p->objective = q.objective;
    p->active = q.active;
    return AKIN_OK;
}

akin_status ak_itml_newton(ak_itml *p, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    subspace s = {.nx = points_of(p, 0)};
    akin_status st = AKIN_OK;
    if (p->Y == p->X)
        s.n = s.nx = ak_max_i64(s.nx, points_of(p, 1));
    else
        s.n = s.nx + points_of(p, 1);
    st = 4 * s.n > 3 * p->d ? ak_itml_newton_full(p, ctx)
                            : newton_in_subspace(p, ctx, &s);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- the learner --------------------------------------------------------- */

akin_status ak_itml_alloc(ak_itml *p, akin_ctx *ctx)
{
    AK_CHECK(AK_SCRATCH(ctx, p->d * p->d, &p->M));
    return AK_SCRATCH_EACH(ctx, p->count, &p->lambda, &p->xi);
}

/* M0: the identity, or the inverse covariance of all rows. */
static akin_status start_metric(akin_ctx *ctx, const akin_itml_options *o,
                                const akin_rows *rows, double *M)
{
    const int64_t d = rows->d;
    akin_status st = AKIN_OK;
    if (strcmp(o->start, "covariance") == 0) {
        AK_TRY(ak_covariance(ctx, rows->n, d, ak_fetch_row, rows, M));
        st = ak_spd_inverse(ctx, d, M);
    } else {
        for (int64_t j = 0; j < d; ++j)
            M[j * d + j] = 1.0;
    }
    if (st == AKIN_ENUMERIC)
        st = ak_fail(ctx, AKIN_EINVAL,
                     "`start` covariance: the covariance is singular (there "
                     "are directions in which the rows do not vary)");
done:
    return st;
}

/* Squared distances of all pairs under M, sorted. */
static akin_status sorted_distances(const ak_itml *p, akin_ctx *ctx,
                                    double *out)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = p->d;
    double *v, *Mv;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH_EACH(ctx, d, &v, &Mv));
    for (int64_t c = 0; c < p->count; ++c) {
        difference(p, c, v);
        AK_TRY(ak_gemm(ctx, false, false, 1, d, d, 1.0, v, d, p->M, d, 0.0, Mv,
                       d));
        out[c] = ak_dot(d, v, Mv);
    }
    qsort(out, (size_t)p->count, sizeof *out, ak_compare_f64);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* The q-quantile of n sorted values, interpolated. */
static double quantile(int64_t n, const double *sorted, double q)
{
    const double at = q * (double)(n - 1);
    const int64_t low = (int64_t)at;
    const int64_t high = ak_min_i64(low + 1, n - 1);
    return sorted[low] + (at - (double)low) * (sorted[high] - sorted[low]);
}

/* near and far as given, or the 5% and 95% quantiles of the distances under M0.
 * More than 5% of the pairs may be of equal points, so `near` is kept above
 * 0. */
static akin_status choose_targets(ak_itml *p, akin_ctx *ctx,
                                  const akin_itml_options *o)
{
    double *all;
    akin_status st = AKIN_OK;
    p->near = o->near;
    p->far = o->far;
    if (p->near > 0.0 && p->far > 0.0)
        goto done;
    AK_TRY(AK_SCRATCH(ctx, p->count, &all));
    AK_TRY(sorted_distances(p, ctx, all));
    if (!(all[p->count - 1] > 0.0))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "all pairs are of equal rows: there is no distance to "
                       "learn from"));
    if (p->far <= 0.0)
        p->far = quantile(p->count, all, 0.95);
    if (p->far <= 0.0)
        p->far = all[p->count - 1];
    if (p->near <= 0.0)
        p->near = quantile(p->count, all, 0.05);
    if (p->near < 1e-6 * p->far)
        p->near = 1e-6 * p->far;
done:
    if (st == AKIN_OK && p->near > p->far)
        st = ak_fail(ctx, AKIN_EINVAL,
                     "`near` %.6g is above `far` %.6g (similar pairs must be "
                     "nearer than dissimilar ones)",
                     p->near, p->far);
    return st;
}

static akin_status itml_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    const akin_itml_options *o = (const akin_itml_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_itml p = {.d = data->rows->d,
                 .gamma = o->gamma,
                 .tol = o->tol,
                 .max_iterations = o->max_iterations};
    ak_constraints pairs;
    double *X;
    int64_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_check_rows(ctx, head, data->rows));
    AK_TRY(ak_constraints_of(&pairs, ctx, data, AK_METRIC_PAIRS));
    AK_TRY(ak_constraints_points(&X, &n, ctx, &pairs, data->rows));
    p.X = p.Y = X;
    p.count = pairs.count;
    p.similar = pairs.similar;
    p.ij = pairs.ij;
    AK_TRY(ak_itml_alloc(&p, ctx));
    AK_TRY(start_metric(ctx, o, data->rows, p.M));
    AK_TRY(choose_targets(&p, ctx, o));
    AK_TRY(strcmp(o->solver, "cyclic") == 0 ? ak_itml_cyclic(&p, ctx)
                                            : ak_itml_newton(&p, ctx));
    AK_TRY(ak_metric_learned(out, ctx, data->rows, p.M, o->rank));
    AK_TRY(ak_metric_note(*out, ctx, "near", p.near));
    AK_TRY(ak_metric_note(*out, ctx, "far", p.far));
    ak_log(ctx, AKIN_LOG_INFO,
           "target squared distances: at most %.4g of similar pairs, at least "
           "%.4g of dissimilar ones",
           p.near, p.far);
    info->examples = p.count;
    ak_metric_ended(info, p.converged, p.active, p.iterations, p.objective);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(
        akin_itml_options, gamma, 1e-12, 1e12,
        "weight of the distance targets against staying near the start", 1e-2,
        1e-1, 1.0, 10.0),
    AK_OPTION(akin_itml_options, near, 0.0, 1e12,
              "upper bound on the squared distance of similar pairs; 0: the "
              "5th percentile of all pairs"),
    AK_OPTION(akin_itml_options, far, 0.0, 1e12,
              "lower bound on the squared distance of dissimilar pairs; 0: the "
              "95th percentile of all pairs"),
    AK_OPTION_WORD(akin_itml_options, start, "identity|covariance",
                   "the metric to stay near: the plain one, or mahalanobis"),
    AK_OPTION_WORD(akin_itml_options, solver, "newton|cyclic",
                   "Newton's method, or projections one pair after the other"),
    AK_OPTION(
        akin_itml_options, tol, 0.0, 1.0,
        "stopping tolerance: the Newton decrement, or the relative change "
        "of the multipliers in a sweep"),
    AK_OPTION(akin_itml_options, max_iterations, 1, 1e9,
              "maximum number of iterations or sweeps"),
    AK_METRIC_RANK_OPTION(akin_itml_options),
};

const ak_learner ak_learner_itml = {
    .info =
        {
            .name = "itml",
            .shares = "pairs, by Newton's method",
            .summary = "metric close to a given one that separates pairs",
            .when = "pairs or few labels, up to a thousand columns",
            .paper = "davis2007itml",
            .has_checkpoints = 1,
            .takes = AKIN_LABELS | AKIN_PAIRS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_minmax,
            AK_OPTION_ROWS(akin_itml_options, AKIN_ITML_DEFAULTS, options),
        },
    .learn = itml_learn,
};
