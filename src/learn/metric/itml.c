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
 * at the end. learn/metric/itml_newton.c reaches the same M in fewer passes. */
#include "learn/metric/itml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "la/dense.h"
#include "learn/metric/full_metric.h"

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
    akin_status st = AKIN_OK;
    for (int64_t c = 0; c < n; ++c)
        ak_itml_difference(p, from + c, w->V + c * d);
    AK_TRY(ak_gemm(ctx, false, false, n, d, d, 1.0, w->V, d, p->M, d, 0.0, w->P,
                   d));
    AK_TRY(ak_gemm(ctx, false, true, n, n, d, 1.0, w->P, d, w->V, d, 0.0, w->G,
                   n));
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
    AK_TRY(ak_gemm(ctx, true, false, d, d, moved, 1.0, w->bW, d, w->V, d, 1.0,
                   p->M, d));  // (6)
done:
    return st;
}

/* M of (7), from the lower triangle of the sum. */
static akin_status recompute(ak_itml *p, akin_ctx *ctx, work *w)
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
        const double r = p->xi[c] / ak_itml_target(p, c);
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
        AK_TRY(
            project_block(p, ctx, w, from, ak_min_i64(BLOCK, p->count - from)));
    ak_symmetrize(p->d, p->M);
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
    for (p->iterations = 0; p->iterations < p->max_iterations &&
                            !p->converged && !ak_ctx_stopped(ctx);) {
        AK_TRY(sweep(p, ctx, &w));
        ++p->iterations;
        p->converged = is_stationary(p, &w);
        AK_TRY(
            ak_ctx_step(ctx, "sweeps", p->iterations, p->max_iterations, NAN));
    }
    AK_TRY(recompute(p, ctx, &w));
    AK_TRY(objective(p, ctx, &w));
    p->active = 0;
    for (int64_t c = 0; c < p->count; ++c)
        p->active += p->lambda[c] > 0.0;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_itml_alloc(ak_itml *p, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->d * p->d, &p->M));
    AK_TRY(AK_SCRATCH(ctx, p->count, &p->lambda));
    AK_TRY(AK_SCRATCH(ctx, p->count, &p->xi));
done:
    return st;
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
    AK_TRY(AK_SCRATCH(ctx, d, &v));
    AK_TRY(AK_SCRATCH(ctx, d, &Mv));
    for (int64_t c = 0; c < p->count; ++c) {
        ak_itml_difference(p, c, v);
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
           "squared distances wanted: at most %.4g of similar pairs, at least "
           "%.4g of dissimilar ones",
           p.near, p.far);
    info->examples = p.count;
    ak_metric_ended(info, p.converged, p.active, p.iterations, p.objective);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_itml_options, gamma, 1e-12, 1e12,
                   "weight of the wanted distances against staying", 1e-2, 1e-1,
                   1.0, 10.0),
    AK_OPTION(akin_itml_options, near, 0.0, 1e12,
              "squared distance wanted of similar pairs, at most; 0: the 5th "
              "of a hundred pairs has it"),
    AK_OPTION(akin_itml_options, far, 0.0, 1e12,
              "squared distance wanted of dissimilar pairs, at least; 0: the "
              "95th of a hundred pairs has it"),
    AK_OPTION_WORD(akin_itml_options, start, "identity|covariance",
                   "the metric to stay near: the plain one, or mahalanobis"),
    AK_OPTION_WORD(akin_itml_options, solver, "newton|cyclic",
                   "Newton's method, or projections one pair after the other"),
    AK_OPTION(akin_itml_options, tol, 0.0, 1.0,
              "when it is done: the Newton decrement, or the relative change "
              "of the multipliers in a sweep"),
    AK_OPTION(akin_itml_options, max_iterations, 1, 1e9,
              "iterations, or sweeps, at the most"),
    AK_METRIC_RANK_OPTION(akin_itml_options),
};
AK_OPTIONS_COVER(akin_itml_options, options);

static const akin_itml_options defaults = AKIN_ITML_DEFAULTS;

const ak_learner ak_learner_itml = {
    .info =
        {
            .name = "itml",
            .summary = "metric near a given one, pairs near or far",
            .when = "pairs or few labels, up to a thousand columns",
            .paper = "davis2007itml",
            .takes = AKIN_LABELS | AKIN_PAIRS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_minmax,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = itml_learn,
};
