/* RSL: a similarity of fixed rank between two kinds of rows, learned from pairs
 * that match or do not by Riemannian trust regions.
 *   [1] Cheng. Riemannian similarity learning. ICML 2013.
 *   [2] Vandereycken. Low-rank matrix completion by Riemannian optimization.
 *       SIAM J. Optim. 23(2):1214-1236, 2013, Proposition 2.3.
 *
 *   f(x, y) = x' W y,  W = U S V',  S = diag(s), rank k                  (1)
 *   J(W)    = mean of loss(f) over the pairs + lambda |W|^2 / 2          (2)
 *
 * [1] has |W| unsquared, a Hessian by differences and rows that are not
 * centred; all three are options. A minimum of [1] is a minimum of (2) for
 * another lambda, so nothing is lost, and (2) has minima other than W = 0. Rows
 * are centred, because otherwise the constant direction dominates.
 *
 * The derivatives on the manifold of rank k, with A = X U, B = Y V, the
 * derivatives c and h of the losses by f, and G the Euclidean gradient X'CY
 * (C: c as a matrix, samples by samples):
 *
 *   gradient   M = A'C B + lambda S,  Up = P X'C B,  Vp = P Y'C'A        (3)
 *
 * where P is the projection off U or V, and of a tangent vector (M, Up, Vp),
 * with C0 = X Up, C1 = Y Vp, df = <A M + C0, B> + <A, C1>, H: h df as C,
 *
 *   Hessian    M'  = A'H B + lambda M                                    (4)
 *              Up' = P X'(H B + C C1 / S) + lambda Up
 *              Vp' = P Y'(H'A + C'C0 / S) + lambda Vp
 *
 * [2] with both terms of Up' under one product with X. The regulariser has no
 * part in the curvature: P W = 0.
 *
 * Products with the rows are in rsl_rows.c, sums over pairs in rsl_pairs.c. */
#include "learn/cross/rsl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/checkpoint.h"
#include "la/dense.h"
#include "la/tall.h"
#include "learn/cross/kernel_map.h"
#include "learn/cross/span.h"
#include "learn/learner.h"
#include "learn/metric/full_metric.h"
#include "model/blend.h"
#include "model/prototypes.h"

enum { ROUNDS = 4, LENGTHS = 8 };  // of the spectral start
enum {
    MOST_PAIRS = 1 << 23,  // of a grid that is learned from as a whole,
    LEAST_DRAWN = 1 << 19,
    PAIRS_OF_ROW = 32
};
enum { KERNEL_ROWS = 4000, KERNEL_SUPPORT = 1000 };  // of kernel "auto"

/* ---- the objective ------------------------------------------------------- */

/* How many pairs have numbers of their own: none of a grid. */
static int64_t pairs_of(const ak_rsl *p)
{
    return p->pairs.grid ? 0 : ak_rsl_padded(p->pairs.count);
}

static akin_status make_state(ak_rsl_state *s, akin_ctx *ctx, const ak_rsl *p)
{
    const int64_t k = p->shape.k, pairs = pairs_of(p);
    AK_CHECK(ak_fixed_point_new(&s->x, ctx, p->shape));
    AK_CHECK(AK_SCRATCH(ctx, ak_rsl_padded(p->side[0].N) * k, &s->A));
    AK_CHECK(AK_SCRATCH(ctx, ak_rsl_padded(p->side[1].N) * k, &s->B));
    return AK_SCRATCH_EACH(ctx, pairs, &s->c, &s->h);
}

akin_status ak_rsl_begin(ak_rsl *p, akin_ctx *ctx)
{
    const int64_t k = p->shape.k, pairs = pairs_of(p);
    p->aligned = ak_rsl_is_aligned(p);
    AK_CHECK(make_state(&p->now, ctx, p));
    AK_CHECK(make_state(&p->next, ctx, p));
    for (int side = 0; side < 2; ++side) {
        AK_CHECK(AK_SCRATCH_EACH(ctx, p->side[side].N * k, &p->P[side],
                                 &p->C[side], &p->D[side]));
    }
    AK_CHECK(AK_SCRATCH_EACH(ctx, p->side[0].N * k, &p->Q, &p->E));
    AK_CHECK(AK_SCRATCH(ctx, pairs, &p->w));
    if (p->differences) {
        AK_CHECK(
            AK_SCRATCH_EACH(ctx, ak_tangent_size(p->shape), &p->g, &p->g_next));
    }
    return AKIN_OK;
}

/* The value at s->x, once A and B are known. */
static akin_status revalue(ak_rsl *p, akin_ctx *ctx, ak_rsl_state *s)
{
    const double norm = ak_fixed_point_norm(p->shape, s->x);
    const akin_status st = ak_rsl_value(&s->value, ctx, p, s);
    s->value += p->frobenius ? p->lambda * norm : 0.5 * p->lambda * norm * norm;
    return st;
}

static akin_status evaluate(ak_rsl *p, akin_ctx *ctx, ak_rsl_state *s)
{
    const int64_t k = p->shape.k;
    if (p->aligned) {
        AK_CHECK(ak_rsl_aligned_place(ctx, p, s));
    } else {
        AK_CHECK(ak_rsl_project(ctx, &p->side[0], k, s->x.U, s->A));
        AK_CHECK(ak_rsl_project(ctx, &p->side[1], k, s->x.V, s->B));
    }
    return revalue(p, ctx, s);
}

akin_status ak_rsl_move(ak_rsl *p, akin_ctx *ctx)
{
    return evaluate(p, ctx, &p->now);
}

/* M = A'Q and both sides gathered from P, the parts of a tangent vector. */
static akin_status collect(ak_rsl *p, akin_ctx *ctx, const double *A,
                           const double *Q, double *out)
{
    const int64_t k = p->shape.k;
    AK_CHECK(ak_tall_cross(ctx, p->side[0].N, k, A, k, Q, out));
    AK_CHECK(ak_rsl_gather(ctx, &p->side[0], k, p->P[0],
                           ak_tangent_Up(p->shape, out)));
    return ak_rsl_gather(ctx, &p->side[1], k, p->P[1],
                         ak_tangent_Vp(p->shape, out));
}

/* (3) at a state, of the losses and without P. */
static akin_status first(ak_rsl *p, akin_ctx *ctx, const ak_rsl_state *s,
                         double *g)
{
    if (p->aligned)
        return ak_rsl_aligned_first(ctx, p, s, g);
    AK_CHECK(ak_rsl_first(ctx, p, s));
    return collect(p, ctx, s->A, p->P[0], g);
}

/* (3) at a state. */
static akin_status gradient_at(ak_rsl *p, akin_ctx *ctx, const ak_rsl_state *s,
                               double *g)
{
    const int64_t k = p->shape.k;
    const double norm = ak_fixed_point_norm(p->shape, s->x);
    const double pull = p->frobenius ? p->lambda / norm : p->lambda;
    AK_CHECK(first(p, ctx, s, g));
    AK_CHECK(ak_tangent_project(ctx, p->shape, s->x, g));
    for (int64_t c = 0; c < k; ++c)
        g[c * k + c] += pull * s->x.s[c];
    return AKIN_OK;
}

static akin_status gradient(void *self, akin_ctx *ctx, double *g)
{
    ak_rsl *p = self;
    AK_CHECK(gradient_at(p, ctx, &p->now, g));
    if (p->g != NULL)
        memcpy(p->g, g, (size_t)ak_tangent_size(p->shape) * sizeof *g);
    return AKIN_OK;
}

/* C0, C1, these over S in D, and E = A M + C0. */
static akin_status lift(ak_rsl *p, akin_ctx *ctx, const double *xi)
{
    const int64_t k = p->shape.k;
    const double *s = p->now.x.s;
    const double *part[2] = {xi + k * k, xi + (k + p->shape.m) * k};
    for (int side = 0; side < 2; ++side) {
        AK_CHECK(
            ak_rsl_project(ctx, &p->side[side], k, part[side], p->C[side]));
        for (int64_t i = 0; i < p->side[side].N; ++i)
            for (int64_t c = 0; c < k; ++c)
                p->D[side][i * k + c] = p->C[side][i * k + c] / s[c];
    }
    memcpy(p->E, p->C[0], (size_t)(p->side[0].N * k) * sizeof *p->E);
    return ak_tall_multiply(ctx, p->side[0].N, k, 1.0, p->now.A, k, k, xi, 1.0,
                            p->E);
}

/* The regulariser's part: lambda xi, or for |W| with w = W / |W|
 * lambda / |W| (xi - w <w, xi>). */
static akin_status regularise(const ak_rsl *p, akin_ctx *ctx, const double *xi,
                              double *out)
{
    const int64_t k = p->shape.k;
    const double *s = p->now.x.s;
    const double norm = ak_fixed_point_norm(p->shape, p->now.x);
    const double pull = p->frobenius ? p->lambda / norm : p->lambda;
    double along = 0.0;
    for (int64_t c = 0; c < k && p->frobenius; ++c)
        along += s[c] * xi[c * k + c] / (norm * norm);
    for (int64_t c = 0; c < k; ++c)
        out[c * k + c] -= pull * along * s[c];
    return ak_vector_add(ctx, ak_tangent_size(p->shape), pull, xi, 1.0, out);
}

/* (4) of the losses, without P. */
static akin_status second(ak_rsl *p, akin_ctx *ctx, const double *xi,
                          double *out)
{
    if (p->aligned)
        return ak_rsl_aligned_second(ctx, p, xi, out);
    AK_CHECK(lift(p, ctx, xi));
    AK_CHECK(ak_rsl_second(ctx, p));
    return collect(p, ctx, p->now.A, p->Q, out);
}

static akin_status exact(ak_rsl *p, akin_ctx *ctx, const double *xi,
                         double *out)
{
    AK_CHECK(second(p, ctx, xi, out));
    AK_CHECK(ak_tangent_project(ctx, p->shape, p->now.x, out));
    return regularise(p, ctx, xi, out);
}

/* next = R(step). */
static akin_status retract(ak_rsl *p, akin_ctx *ctx, const double *step)
{
    AK_CHECK(ak_fixed_retract(ctx, p->shape, p->now.x, step,
                              DBL_EPSILON * p->now.x.s[0], p->next.x));
    return evaluate(p, ctx, &p->next);
}

/* The Hessian by differences: the gradient at a nearby point, transported back,
 * less the gradient here. */
static akin_status differences(ak_rsl *p, akin_ctx *ctx, const double *xi,
                               double *out)
{
    const int64_t size = ak_tangent_size(p->shape);
    const double norm = ak_fixed_point_norm(p->shape, p->now.x);
    double length = 0.0;
    AK_CHECK(ak_vector_dot(ctx, size, xi, xi, &length));
    AK_CHECK(ak_vector_add(ctx, size, 0.0, xi, 0.0, out));
    if (length == 0.0)
        return AKIN_OK;
    const double h = sqrt(DBL_EPSILON) * fmax(1.0, norm) / sqrt(length);
    AK_CHECK(ak_vector_add(ctx, size, h, xi, 0.0, p->g_next));
    AK_CHECK(retract(p, ctx, p->g_next));
    AK_CHECK(gradient_at(p, ctx, &p->next, p->g_next));
    AK_CHECK(
        ak_fixed_transport(ctx, p->shape, p->next.x, p->g_next, p->now.x, out));
    return ak_vector_add(ctx, size, -1.0 / h, p->g, 1.0 / h, out);
}

static akin_status hessian(void *self, akin_ctx *ctx, const double *xi,
                           double *out)
{
    ak_rsl *p = self;
    return p->differences ? differences(p, ctx, xi, out)
                          : exact(p, ctx, xi, out);
}

static akin_status attempt(void *self, akin_ctx *ctx, const double *step,
                           double *value)
{
    ak_rsl *p = self;
    const akin_status st = retract(p, ctx, step);
    *value = p->next.value;
    return st;
}

static akin_status accept(void *self, akin_ctx *ctx)
{
    ak_rsl *p = self;
    const ak_rsl_state was = p->now;
    (void)ctx;
    p->now = p->next;
    p->next = was;
    return AKIN_OK;
}

static double point_value(void *self)
{
    return ((ak_rsl *)self)->now.value;
}

static double point_norm(void *self)
{
    const ak_rsl *p = self;
    return ak_fixed_point_norm(p->shape, p->now.x);
}

static akin_status random_tangent(void *self, akin_ctx *ctx, ak_rng *rng,
                                  double *xi)
{
    const ak_rsl *p = self;
    return ak_tangent_random(ctx, p->shape, p->now.x, rng, xi);
}

ak_objective ak_rsl_objective(ak_rsl *p)
{
    const ak_fixed_rank r = p->shape;
    return (ak_objective){.self = p,
                          .size = ak_tangent_size(r),
                          .dim = (r.m + r.n - r.k) * r.k,
                          .value = point_value,
                          .norm = point_norm,
                          .gradient = gradient,
                          .hessian = hessian,
                          .attempt = attempt,
                          .accept = accept,
                          .random = random_tangent};
}

/* ---- starts ----------------------------------------------------------------
 *
 * At W = 0 the gradient is X'C Y with C the slopes of the losses at f = 0; its
 * leading singular vectors, by subspace iteration (Halko, Martinsson, Tropp,
 * SIAM Review 53, 2011), are the directions in which J falls fastest. */

akin_status ak_rsl_random(ak_rsl *p, akin_ctx *ctx, ak_rng *rng)
{
    AK_CHECK(ak_fixed_point_random(p->now.x, ctx, p->shape, rng));
    return ak_rsl_move(p, ctx);
}

/* U = X'C Y V, or for side 1 V = Y'C'X U. */
static akin_status cross(ak_rsl *p, akin_ctx *ctx, int side, const double *from,
                         double *to)
{
    const int64_t k = p->shape.k;
    ak_rsl_state *s = &p->now;
    if (p->aligned)
        return ak_rsl_aligned_cross(ctx, p, side, from, to);
    AK_CHECK(
        ak_rsl_project(ctx, &p->side[1 - side], k, from, side ? s->A : s->B));
    AK_CHECK(ak_rsl_first(ctx, p, s));
    return ak_rsl_gather(ctx, &p->side[side], k, p->P[side], to);
}

/* With s = 0 every f is 0, and the slopes are those at W = 0. U and V become
 * bases of the leading singular spaces; R (k x k) is V'G'U. */
static akin_status iterate(ak_rsl *p, akin_ctx *ctx, double *R)
{
    const int64_t k = p->shape.k;
    ak_rsl_state *s = &p->now;
    double value = 0.0;
    memset(s->x.s, 0, (size_t)k * sizeof *s->x.s);
    AK_CHECK(ak_rsl_value(&value, ctx, p, s));
    for (int i = 0; i < ROUNDS; ++i) {
        AK_CHECK(cross(p, ctx, 0, s->x.V, s->x.U));
        AK_CHECK(ak_tall_qr(ctx, p->shape.m, k, s->x.U, R));
        AK_CHECK(cross(p, ctx, 1, s->x.U, s->x.V));
        AK_CHECK(ak_tall_qr(ctx, p->shape.n, k, s->x.V, R));
    }
    return AKIN_OK;
}

/* Q <- Q T for an m x k matrix. */
static akin_status rotate(akin_ctx *ctx, int64_t m, int64_t k, double *Q,
                          const double *T)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *copy = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, m * k, &copy));
    memcpy(copy, Q, (size_t)(m * k) * sizeof *Q);
    AK_TRY(ak_tall_multiply(ctx, m, k, 1.0, copy, k, k, T, 0.0, Q));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* -G = U (-R') V' = U a diag(d) b' V'. */
static akin_status diagonalise(ak_rsl *p, akin_ctx *ctx, const double *R,
                               double *d)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = p->shape.k;
    double *T = NULL, *a = NULL, *bt = NULL, *b = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH_EACH(ctx, k * k, &T, &a, &bt, &b));
    for (int64_t i = 0; i < k * k; ++i)
        T[i] = -R[i % k * k + i / k];
    AK_TRY(ak_svd(ctx, k, k, T, d, a, bt));
    for (int64_t i = 0; i < k * k; ++i)
        b[i] = bt[i % k * k + i / k];
    AK_TRY(rotate(ctx, p->shape.m, k, p->now.x.U, a));
    AK_TRY(rotate(ctx, p->shape.n, k, p->now.x.V, b));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Go to s = d / d_1 times a length; no singular value becomes zero. */
static akin_status go(ak_rsl *p, akin_ctx *ctx, const double *d, double length)
{
    for (int64_t c = 0; c < p->shape.k; ++c)
        p->now.x.s[c] = length * fmax(d[c] / d[0], 1e-3);
    return revalue(p, ctx, &p->now);
}

/* Increase the length until J increases. */
static akin_status best_length(ak_rsl *p, akin_ctx *ctx, const double *d)
{
    double best = 0.0625, least = INFINITY, length = best;
    AK_CHECK(ak_rsl_move(p, ctx));
    for (int i = 0; i < LENGTHS; ++i, length *= 4.0) {
        AK_CHECK(go(p, ctx, d, length));
        if (!(p->now.value < least))
            break;
        least = p->now.value;
        best = length;
    }
    return go(p, ctx, d, best);
}

akin_status ak_rsl_spectral(ak_rsl *p, akin_ctx *ctx, ak_rng *rng)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = p->shape.k;
    double *R = NULL, *d = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, k * k, &R));
    AK_TRY(AK_SCRATCH(ctx, k, &d));
    AK_TRY(ak_fixed_point_random(p->now.x, ctx, p->shape, rng));
    AK_TRY(iterate(p, ctx, R));
    AK_TRY(diagonalise(p, ctx, R, d));
    if (d[0] > 0.0)
        AK_TRY(best_length(p, ctx, d));
    else
        AK_TRY(ak_rsl_random(p, ctx, rng));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- the rows of both sides ---------------------------------------------- */

/* Samples of one side: the rows in place `key` of the pairs, renumbered. */
static akin_status distinct(ak_kernel_map *map, akin_ctx *ctx,
                            const ak_pairs *pairs, int key, int64_t *numbers)
{
    int64_t *number = NULL, *which = NULL;
    AK_CHECK(AK_SCRATCH(ctx, map->rows->n, &number));
    AK_CHECK(AK_SCRATCH(ctx, map->rows->n, &which));
    map->which = which;
    for (int64_t t = 0; t < pairs->count; ++t)
        number[pairs->numbers[3 * t + key]] = 1;
    for (int64_t i = 0; i < map->rows->n; ++i)
        if (number[i]) {
            number[i] = map->n;
            which[map->n++] = i;
        }
    for (int64_t t = 0; t < pairs->count; ++t)
        numbers[3 * t + key] = number[pairs->numbers[3 * t + key]];
    return AKIN_OK;
}

/* The distinct rows of the pairs become the samples of both sides, and the
 * pairs are renumbered; the samples of a grid are those of its sides. */
static akin_status find_samples(ak_kernel_map map[2], int64_t **numbers,
                                akin_ctx *ctx, const ak_pairs *pairs)
{
    map[0].rows = pairs->left;
    map[1].rows = pairs->right;
    for (int side = 0; side < 2 && pairs->is_grid; ++side) {
        map[side].n = pairs->side[side].n;
        map[side].which = pairs->side[side].rows;
    }
    if (pairs->is_grid)
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(ctx, 3 * pairs->count, numbers));
    memcpy(*numbers, pairs->numbers,
           (size_t)(3 * pairs->count) * sizeof **numbers);
    for (int side = 0; side < 2; ++side)
        AK_CHECK(distinct(&map[side], ctx, pairs, side, *numbers));
    return AKIN_OK;
}

/* The side of a map whose way, kernel and samples are set. If there are more
 * than `most` rows (0: 4000), that many are drawn at random to support the
 * kernel. */
static akin_status open_side(ak_rsl_side *side, akin_ctx *ctx,
                             ak_kernel_map *map, int64_t most)
{
    double *Z = NULL;
    if (map->way == AK_MAP_PLAIN)
        return ak_rsl_side_rows(side, ctx, map->rows, map->which, map->n);
    AK_CHECK(ak_kernel_map_features(&Z, ctx, map, most));
    ak_rsl_side_dense(side, map->n, map->r, Z);
    return AKIN_OK;
}

/* Where there are too many pairs, the similarity is learned from pairs that are
 * drawn: from a short list first, since the first steps, which are long, need
 * few pairs, and then from SHORTER times as many. Drawing changes J by about
 * 1e-3 of itself, so both are solved to the tolerances below at best. */
enum { STAGES = 2, SHORTER = 4 };
static const double TOL_SHORT = 3e-2, TOL_DRAWN = 1e-2, FALL_DRAWN = 1e-5;

typedef struct rsl {
    const akin_rsl_options *o;
    ak_pairs pairs;
    ak_kernel_map map[2];
    int64_t support;  // rows of a kernel at most; 0: as usual
    ak_rsl p;
    ak_rsl_pairs stage[STAGES];
    int n_stages;          // the last has all pairs that are learned from
    int64_t start, at;     // where the run is: in stage `at` of this start,
    ak_trust_info before;  // after these stages
    ak_fixed_point best;   // of several starts
    ak_trust_info info;    // of the best
    ak_derivatives worst;  // where they are checked
} rsl;

/* Warn when rows are not centred and their mean is large. */
static akin_status warn_if_not_centred(const rsl *r, akin_ctx *ctx, int side)
{
    double bias = 0.0;
    AK_CHECK(ak_rsl_side_bias(&bias, ctx, &r->p.side[side]));
    if (bias > 0.01)
        ak_log(ctx, AKIN_LOG_WARNING,
               "the %s rows are not centred: their mean has %.0f %% of their "
               "square length (set `origin` to mean)",
               ak_side_name(side), 100.0 * bias);
    return AKIN_OK;
}

/* Weights by which every class of a side counts the same, so that the centre is
 * the mean of the class means. Where most rows are of one class, that class
 * would else be at the origin, and no W makes its rows similar. Rows with
 * several labels weigh the same. */
static akin_status weigh_classes(rsl *r, akin_ctx *ctx, int side)
{
    const ak_grid_side *g = &r->pairs.side[side];
    double *weights = NULL, *rows = NULL, classes = 0.0;
    AK_CHECK(AK_SCRATCH(ctx, g->n, &weights));
    AK_CHECK(AK_SCRATCH(ctx, r->pairs.n_labels, &rows));
    for (int64_t a = 0; a < g->n; ++a)
        classes += rows[g->classes[a]]++ == 0.0;
    for (int64_t a = 0; a < g->n; ++a)
        weights[a] = (double)g->n / (classes * rows[g->classes[a]]);
    r->p.side[side].weights = weights;
    return AKIN_OK;
}

static akin_status prepare_side(rsl *r, akin_ctx *ctx, int side)
{
    const akin_rsl_options *o = r->o;
    ak_rsl_side *s = &r->p.side[side];
    AK_CHECK(ak_kernel_map_blame(
        ctx, open_side(s, ctx, &r->map[side], r->support), side));
    if (strcmp(o->origin, "classes") == 0 && r->pairs.is_grid &&
        r->pairs.side[side].classes != NULL)
        AK_CHECK(weigh_classes(r, ctx, side));
    if (strcmp(o->origin, "zero") != 0)
        AK_CHECK(ak_rsl_side_center(s, ctx));
    else
        AK_CHECK(warn_if_not_centred(r, ctx, side));
    if (strcmp(o->length, "one") == 0 && !ak_rsl_side_scale(s))
        return ak_fail(ctx, AKIN_EINVAL,
                       "the %s rows are all equal (at least two must "
                       "differ)",
                       ak_side_name(side));
    return AKIN_OK;
}

/* The rank of the options; 0: the number of classes, or 10, at most the
 * dimension. */
static akin_status choose_rank(rsl *r, akin_ctx *ctx)
{
    const int64_t dim[2] = {r->p.side[0].n, r->p.side[1].n};
    const int64_t most = ak_min_i64(dim[0], dim[1]);
    const int64_t usual = r->pairs.is_grid ? r->pairs.n_labels : 10;
    const int side = r->p.side[1].n < r->p.side[0].n;
    int64_t rank = r->o->rank;
    AK_CHECK(ak_kernel_map_rank(ctx, r->map, dim, rank));
    if (most == 0)
        return ak_fail(ctx, AKIN_ESHAPE, "the %s rows have no columns",
                       ak_side_name(side));
    if (rank == 0)
        rank = ak_max_i64(1, ak_min_i64(usual, most));
    r->p.shape = (ak_fixed_rank){r->p.side[0].n, r->p.side[1].n, rank};
    return AKIN_OK;
}

/* Class means need classes, and not too many. */
static bool has_prototypes(const rsl *r)
{
    return r->o->prototypes && r->pairs.is_grid &&
           r->pairs.n_labels <= AK_PROTOTYPES_MOST;
}

/* Checked before learning, which may take long. */
static akin_status check_read_out(const rsl *r, akin_ctx *ctx)
{
    return r->o->blend > 0.0 ? ak_side_check_columns(ctx, &r->pairs, "blend")
                             : AKIN_OK;
}

/* The kernel of the options; auto: rbf for dense rows with labels, up to
 * KERNEL_ROWS of either side. *support is then KERNEL_SUPPORT at most. */
static ak_kernel_choice choose_kernel(const rsl *r, int64_t *support)
{
    const akin_rsl_options *o = r->o;
    const ak_pairs *p = &r->pairs;
    ak_kernel_choice c = {o->kernel, o->kernel_right, o->gamma, o->coef,
                          o->degree};
    const bool fits = p->is_grid && p->left->offsets == NULL &&
                      p->right->offsets == NULL &&
                      p->side[0].n <= KERNEL_ROWS &&
                      p->side[1].n <= KERNEL_ROWS &&
                      strcmp(o->kernel_right, "same") == 0;
    *support = o->support;
    if (strcmp(o->kernel, "auto") != 0)
        return c;
    c.kernel = fits ? "rbf" : "none";
    if (*support == 0)
        *support = KERNEL_SUPPORT;
    return c;
}

/* How many pairs of a grid to learn from: `sample`; 0: all, or where there are
 * more than MOST_PAIRS so many for each row, at least LEAST_DRAWN. */
static int64_t pairs_to_draw(const ak_pairs *p, int64_t sample)
{
    const int64_t rows = p->side[0].n + p->side[1].n;
    if (sample > 0)
        return ak_max_i64(2, ak_min_i64(sample, p->count));
    return p->count <= MOST_PAIRS
               ? p->count
               : ak_min_i64(p->count,
                            ak_max_i64(LEAST_DRAWN, PAIRS_OF_ROW * rows));
}

/* Lists of growing length, drawn from the grid. */
static akin_status draw_stages(rsl *r, akin_ctx *ctx, const double weight[2],
                               int64_t count)
{
    const ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_PAIRS);
    r->n_stages = STAGES;
    for (int t = STAGES - 1; t >= 0; --t, count /= SHORTER)
        AK_CHECK(ak_rsl_draw(&r->stage[t], ctx, &r->pairs, weight,
                             ak_max_i64(2, count),
                             ak_rng_split(rng, (uint64_t)t)));
    ak_log(ctx, AKIN_LOG_INFO,
           "learning from %" PRId64 " of %" PRId64 " pairs (set by `sample`)",
           r->stage[STAGES - 1].count, r->pairs.count);
    return AKIN_OK;
}

/* The grid, the list that is given, or lists drawn from the grid. */
static akin_status choose_pairs(rsl *r, akin_ctx *ctx, int64_t sample,
                                const int64_t *numbers)
{
    const ak_pairs *all = &r->pairs;
    const bool mean = strcmp(r->o->loss_scale, "mean") == 0;
    const double scale = mean ? 1.0 / (double)all->count : 1.0;
    const double weight[2] = {scale * all->weight[0], scale * all->weight[1]};
    r->n_stages = 1;
    if (!all->is_grid && sample > 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`sample` draws pairs from labels, and pairs are given");
    if (!all->is_grid)
        return ak_rsl_list(&r->stage[0], ctx, r->p.side[0].N, r->p.side[1].N,
                           numbers, all->count, weight);
    const int64_t count = pairs_to_draw(all, sample);
    if (count < all->count)
        return draw_stages(r, ctx, weight, count);
    r->stage[0] = (ak_rsl_pairs){.count = count, .grid = all};
    memcpy(r->stage[0].weight, weight, sizeof weight);
    return AKIN_OK;
}

static akin_status prepare(rsl *r, akin_ctx *ctx, const akin_supervision *data)
{
    const akin_rsl_options *o = r->o;
    ak_rsl *p = &r->p;
    int64_t *numbers = NULL;
    AK_CHECK(ak_pairs_of(&r->pairs, ctx, data));
    if (strcmp(o->origin, "zero") != 0)
        AK_CHECK(ak_pairs_differ(&r->pairs, ctx));
    AK_CHECK(check_read_out(r, ctx));
    AK_CHECK(find_samples(r->map, &numbers, ctx, &r->pairs));
    const ak_kernel_choice kernel = choose_kernel(r, &r->support);
    ak_kernel_map_choose(r->map, &kernel);
    for (int side = 0; side < 2; ++side)
        AK_CHECK(prepare_side(r, ctx, side));
    AK_CHECK(choose_rank(r, ctx));
    p->loss = strcmp(o->loss, "log") == 0      ? AK_RSL_LOG
              : strcmp(o->loss, "hinge2") == 0 ? AK_RSL_HINGE2
                                               : AK_RSL_RIDGE;
    p->lambda = o->lambda;
    p->frobenius = strcmp(o->reg, "fro") == 0;
    p->differences = strcmp(o->hessian, "fd") == 0;
    AK_CHECK(choose_pairs(r, ctx, data->sample, numbers));
    p->pairs = r->stage[r->n_stages - 1];
    AK_CHECK(ak_rsl_begin(p, ctx));
    p->aligned = p->aligned && r->n_stages == 1;
    return ak_fixed_point_new(&r->best, ctx, p->shape);
}

/* Log the errors of the derivatives, and refuse to continue with wrong ones.
 * Second differences of hinge2 cross its kinks, and a Hessian by differences is
 * symmetric only up to their error. */
static akin_status check_derivatives(rsl *r, akin_ctx *ctx, ak_rng *rng)
{
    const ak_objective J = ak_rsl_objective(&r->p);
    const bool smooth = r->p.loss != AK_RSL_HINGE2 && !r->p.differences;
    ak_derivatives worst;
    AK_CHECK(ak_check_derivatives(ctx, &J, rng, &worst));
    r->worst = worst;
    ak_log(ctx, AKIN_LOG_INFO,
           "derivatives against finite differences: gradient %.1e, Hessian "
           "%.1e, its "
           "symmetry %.1e",
           worst.gradient, worst.hessian, worst.symmetry);
    if (worst.gradient > 1e-4 || (smooth && worst.hessian > 1e-2) ||
        (smooth && worst.symmetry > 1e-8))
        return ak_fail(ctx, AKIN_ENUMERIC,
                       "the derivatives do not agree with finite differences");
    return AKIN_OK;
}

/* With many features for each row the last digits of J take long, and bring
 * nothing on other rows. */
static bool uses_auto_kernel(const rsl *r)
{
    return strcmp(r->o->kernel, "auto") == 0 && r->map[0].way == AK_MAP_KERNEL;
}

/* The list of pairs of the next stage, at the same point. */
static akin_status enter_stage(rsl *r, akin_ctx *ctx, int t)
{
    r->p.pairs = r->stage[t];
    return ak_rsl_move(&r->p, ctx);
}

static akin_status go_to_start(rsl *r, akin_ctx *ctx, int64_t number)
{
    const akin_rsl_options *o = r->o;
    ak_rng rng = ak_rng_split(ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_START),
                              (uint64_t)number);
    r->p.pairs = r->stage[0];
    if (number == 0 && strcmp(o->start, "spectral") == 0)
        AK_CHECK(ak_rsl_spectral(&r->p, ctx, &rng));
    else
        AK_CHECK(ak_rsl_random(&r->p, ctx, &rng));
    if (number == 0 && o->check_derivatives)
        AK_CHECK(check_derivatives(r, ctx, &rng));
    return AKIN_OK;
}

static akin_status visit_point(ak_fixed_rank r, ak_fixed_point x, akin_ctx *ctx,
                               const char *const names[3], ak_state *s)
{
    AK_CHECK(ak_state_f64(s, ctx, names[0], r.m * r.k, x.U));
    AK_CHECK(ak_state_f64(s, ctx, names[1], r.k, x.s));
    return ak_state_f64(s, ctx, names[2], r.n * r.k, x.V);
}

/* The best of the starts before. */
static akin_status visit_best(rsl *r, akin_ctx *ctx, ak_state *s)
{
    static const char *const names[] = {"best.U", "best.s", "best.V"};
    ak_trust_info *info = &r->info;
    int64_t end = (int64_t)info->end;
    AK_CHECK(visit_point(r->p.shape, r->best, ctx, names, s));
    AK_CHECK(ak_state_i64(s, ctx, "best.end", &end, 0, AK_TRUST_RADIUS));
    info->end = (ak_trust_end)end;
    AK_CHECK(ak_state_i64(s, ctx, "best.iterations", &info->iterations, 0,
                          r->o->max_iterations));
    AK_CHECK(ak_state_i64(s, ctx, "best.rejected", &info->rejected, 0,
                          info->iterations));
    AK_CHECK(ak_state_f64(s, ctx, "best.value", 1, &info->value));
    AK_CHECK(ak_state_f64(s, ctx, "best.gradient", 1, &info->gradient));
    return ak_state_f64(s, ctx, "best.gradient_first", 1,
                        &info->gradient_first);
}

static akin_status visit(void *self, akin_ctx *ctx, ak_state *s)
{
    static const char *const names[] = {"U", "s", "V"};
    rsl *r = self;
    ak_trust_info *before = &r->before;
    AK_CHECK(ak_state_i64(s, ctx, "start", &r->start, 0, r->o->starts - 1));
    AK_CHECK(ak_state_i64(s, ctx, "stage", &r->at, 0, r->n_stages - 1));
    AK_CHECK(ak_state_i64(s, ctx, "iterations", &before->iterations, 0,
                          r->o->max_iterations));
    AK_CHECK(ak_state_i64(s, ctx, "rejected", &before->rejected, 0,
                          before->iterations));
    AK_CHECK(
        ak_state_f64(s, ctx, "gradient_first", 1, &before->gradient_first));
    AK_CHECK(visit_point(r->p.shape, r->p.now.x, ctx, names, s));
    AK_CHECK(ak_state_f64(s, ctx, "worst.gradient", 1, &r->worst.gradient));
    AK_CHECK(ak_state_f64(s, ctx, "worst.hessian", 1, &r->worst.hessian));
    AK_CHECK(ak_state_f64(s, ctx, "worst.symmetry", 1, &r->worst.symmetry));
    return r->start > 0 ? visit_best(r, ctx, s) : AKIN_OK;
}

/* All stages from where the point is; `info` counts all of them. */
static akin_status descend(rsl *r, akin_ctx *ctx, ak_trust_info *info)
{
    const ak_fixed_rank s = r->p.shape;
    const ak_objective J = ak_rsl_objective(&r->p);
    ak_trust_options t = {.relative = true,
                          .max_iterations = r->o->max_iterations,
                          .radius_max = (double)((s.m + s.n) * s.k)};
    *info = r->before;
    for (; r->at < r->n_stages && (r->at == 0 || !ak_ctx_stopped(ctx));
         ++r->at) {
        const ak_trust_info before = *info;
        const bool drawn = r->n_stages > 1, last = r->at == r->n_stages - 1;
        r->before = before;
        if (r->at > 0)
            AK_CHECK(enter_stage(r, ctx, (int)r->at));
        const bool rough = drawn || uses_auto_kernel(r);
        t.tol = fmax(r->o->tol, !rough ? 0.0 : last ? TOL_DRAWN : TOL_SHORT);
        t.fall = !rough ? 1e-10 : last ? FALL_DRAWN : 0.0;
        t.first = before.gradient_first;
        t.before = before.iterations;
        t.radius =
            fmin(t.radius_max / 4.0, (r->at == 0 ? 4.0 : 0.1) * J.norm(&r->p));
        AK_CHECK(ak_trust_region(ctx, &J, &t, info));
        info->iterations += before.iterations;
        info->rejected += before.rejected;
    }
    return AKIN_OK;
}

static akin_status run_start(rsl *r, akin_ctx *ctx, bool continued)
{
    ak_trust_info info;
    if (continued) {
        AK_CHECK(enter_stage(r, ctx, (int)r->at));
    } else {
        r->at = 0;
        r->before = (ak_trust_info){0};
        AK_CHECK(go_to_start(r, ctx, r->start));
    }
    AK_CHECK(descend(r, ctx, &info));
    if (r->start > 0 && !(info.value < r->info.value))
        return AKIN_OK;
    r->info = info;
    ak_fixed_point_copy(r->p.shape, r->p.now.x, r->best);
    return AKIN_OK;
}

/* All starts. */
static akin_status run(rsl *r, akin_ctx *ctx)
{
    ak_section section = {"rsl", visit, r, NULL};
    bool continued;
    akin_status st = AKIN_OK;
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    for (; r->start < r->o->starts && !ak_ctx_stopped(ctx); ++r->start) {
        AK_TRY(run_start(r, ctx, continued));
        continued = false;
    }
done:
    ak_section_leave(ctx, &section);
    return st;
}

/* ---- the model ----------------------------------------------------------- */

/* F = scale U diag(sqrt s) of a side, times T where there is a kernel, and the
 * offset that stands for the mean. */
static akin_status factors(double **F, double **offset, akin_ctx *ctx,
                           const ak_rsl_side *side, const ak_kernel_map *map,
                           int64_t k, const double *U, const double *s)
{
    double *A = NULL;
    AK_CHECK(AK_SCRATCH(ctx, side->n * k, &A));
    AK_CHECK(AK_SCRATCH(ctx, k, offset));
    for (int64_t i = 0; i < side->n * k; ++i)
        A[i] = side->scale * U[i] * sqrt(s[i % k]);
    if (side->mean != NULL)
        AK_CHECK(ak_tall_cross(ctx, side->n, 1, side->mean, k, A, *offset));
    return ak_kernel_map_factors(F, ctx, map, k, A);
}

/* The model of a point: left and right rows embed as sqrt(s) U'x and sqrt(s)
 * V'y, with x and y centred and scaled as the sides are. */
static akin_status factored_model(akin_model **out, akin_ctx *ctx,
                                  const ak_rsl *p, const ak_kernel_map map[2],
                                  akin_compare by)
{
    const int64_t k = p->shape.k;
    const ak_fixed_point x = p->now.x;
    double *F[2], *offset[2];
    for (int side = 0; side < 2; ++side)
        AK_CHECK(factors(&F[side], &offset[side], ctx, &p->side[side],
                         &map[side], k, side ? x.V : x.U, x.s));
    return ak_kernel_map_model(out, ctx, map, k, F, offset, by);
}

/* Prototypes are the mean directions of the classes in the learned space. With
 * e(x) the embedding of a row, scaled to length 1, the prototype of class c is
 *
 *   z_c = the sum of mean e(x) and mean e(y), at length 1 each and then
 *         itself, over the left rows x and the right rows y of class c   (5)
 *
 * so that both sides count the same, however many rows they have. A sharpness
 * of 5 was as good as 10 or better on held-out rows. */
static const double SHARPNESS = 5.0;

/* Scale x to length 1; false, and x stays, where x is 0. */
static bool set_length_1(int64_t k, double *x)
{
    double square = 0.0;
    for (int64_t c = 0; c < k; ++c)
        square += x[c] * x[c];
    for (int64_t c = 0; c < k && square > 0.0; ++c)
        x[c] /= sqrt(square);
    return square > 0.0;
}

/* Add the embedded rows of a side to the sums of their classes. */
static void add_places(const ak_rsl *p, const ak_grid_side *side,
                       const double *A, double *place, double *sums)
{
    const int64_t k = p->shape.k;
    for (int64_t a = 0; a < side->n; ++a) {
        for (int64_t c = 0; c < k; ++c)
            place[c] = sqrt(p->now.x.s[c]) * A[a * k + c];
        if (!set_length_1(k, place))
            continue;
        for (int64_t i = side->offsets[a]; i < side->offsets[a + 1]; ++i)
            for (int64_t c = 0; c < k; ++c)
                sums[side->labels[i] * k + c] += place[c];
    }
}

/* (5), n x k, of the n classes whose sum is not 0. */
static akin_status find_middles(akin_ctx *ctx, const ak_rsl *p,
                                const ak_pairs *pairs, double **Z, int64_t *n)
{
    const int64_t k = p->shape.k, all = pairs->n_labels;
    const double *A[2] = {p->now.A, p->now.B};
    double *sums[2], *place;
    AK_CHECK(AK_SCRATCH(ctx, k, &place));
    for (int side = 0; side < 2; ++side) {
        AK_CHECK(AK_SCRATCH(ctx, all * k, &sums[side]));
        add_places(p, &pairs->side[side], A[side], place, sums[side]);
    }
    *Z = sums[0];
    *n = 0;
    for (int64_t c = 0; c < all; ++c) {
        double *x = sums[0] + c * k, *y = sums[1] + c * k;
        set_length_1(k, x);
        set_length_1(k, y);
        for (int64_t i = 0; i < k; ++i)
            x[i] += y[i];
        if (set_length_1(k, x))
            memmove(*Z + (*n)++ * k, x, (size_t)k * sizeof *x);
    }
    return AKIN_OK;
}

/* Make *m, learned from a grid, compare rows by the shares of the class
 * prototypes; it stays as it is where all rows are 0. */
static akin_status add_prototypes(akin_model **m, akin_ctx *ctx,
                                  const ak_rsl *p, const ak_pairs *pairs)
{
    double *Z = NULL;
    int64_t n = 0;
    AK_CHECK(find_middles(ctx, p, pairs, &Z, &n));
    if (n > 0)
        AK_CHECK(ak_prototypes_over(m, ctx, n, Z, SHARPNESS));
    return AKIN_OK;
}

/* Warn when singular values are zero. */
static void warn_if_rank_is_lower(const rsl *r, akin_ctx *ctx)
{
    const double *s = r->p.now.x.s;
    int64_t used = 0;
    while (used < r->p.shape.k && s[used] >= 1e-8 * s[0])
        ++used;
    if (used < r->p.shape.k)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%" PRId64 " of %" PRId64
               " singular values are zero at the optimum (rank %" PRId64
               " is enough)",
               r->p.shape.k - used, r->p.shape.k, used);
}

static akin_status note_figures(const rsl *r, akin_ctx *ctx, akin_model *m)
{
    AK_CHECK(ak_metric_note(m, ctx, "gradient", r->info.gradient));
    AK_CHECK(ak_metric_note(m, ctx, "gradient_start", r->info.gradient_first));
    if (!r->o->check_derivatives)
        return AKIN_OK;
    AK_CHECK(ak_metric_note(m, ctx, "gradient_error", r->worst.gradient));
    AK_CHECK(ak_metric_note(m, ctx, "hessian_error", r->worst.hessian));
    return ak_metric_note(m, ctx, "hessian_asymmetry", r->worst.symmetry);
}

/* The learned similarity, with prototypes and blend on top. */
static akin_status make_model(rsl *r, akin_ctx *ctx, akin_model **out)
{
    const akin_rsl_options *o = r->o;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(factored_model(&m, ctx, &r->p, r->map,
                          ak_compare_by(o->score, AKIN_BY_COSINE)));
    if (has_prototypes(r))
        AK_TRY(add_prototypes(&m, ctx, &r->p, &r->pairs));
    if (o->blend > 0.0)
        AK_TRY(ak_blend_with_rows(&m, ctx, o->blend));
    AK_TRY(note_figures(r, ctx, m));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

static akin_status rsl_learn(akin_model **out, akin_ctx *ctx,
                             const akin_options *head,
                             const akin_supervision *data,
                             akin_learn_info *info)
{
    static const akin_outcome outcomes[] = {AKIN_CONVERGED, AKIN_STEP_LIMIT,
                                            AKIN_STALLED};
    const ak_mark mark = ak_scratch_begin(ctx);
    rsl r = {.o = (const akin_rsl_options *)head};
    akin_status st = AKIN_OK;
    AK_TRY(prepare(&r, ctx, data));
    AK_TRY(run(&r, ctx));
    ak_fixed_point_copy(r.p.shape, r.best, r.p.now.x);
    AK_TRY(ak_rsl_move(&r.p, ctx));
    warn_if_rank_is_lower(&r, ctx);
    info->outcome = outcomes[r.info.end];
    info->examples = r.p.pairs.count;
    info->iterations = r.info.iterations;
    info->updates = r.info.iterations - r.info.rejected;
    info->objective = r.info.value;
    AK_TRY(ak_rsl_value(&info->loss, ctx, &r.p, &r.p.now));
    AK_TRY(make_model(&r, ctx, out));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_rsl_options, rank, 0, 1e6,
                   "rank of the similarity; 0: the number of classes, or 10", 5,
                   10, 20, 40),
    AK_OPTION_GRID(akin_rsl_options, lambda, 0.0, 1e12,
                   "weight of the squared norm against the loss", 1e-6, 1e-5,
                   1e-4, 1e-3, 1e-2),
    AK_OPTION_WORD(akin_rsl_options, loss, "log|hinge2|ridge",
                   "log(1 + e^-yf), max(0, 1 - yf)^2 or (f - y)^2"),
    AK_OPTION_WORD(akin_rsl_options, loss_scale, "mean|sum",
                   "the loss is the mean over the pairs, or their sum"),
    AK_OPTION_WORD(akin_rsl_options, reg, "sq|fro",
                   "half the squared norm, or the norm as published"),
    AK_OPTION_WORD(akin_rsl_options, hessian, "exact|fd",
                   "exact, or by differences of gradients as published"),
    AK_OPTION_WORD(
        akin_rsl_options, origin, "classes|mean|zero",
        "classes: rows are centred at the mean of the class means (sparse rows "
        "stay sparse), pairs as mean; mean: at the mean; zero: as they are"),
    AK_OPTION_WORD(
        akin_rsl_options, length, "one|given",
        "one: rows are scaled to a mean square length of 1; given: not scaled"),
    AK_OPTION_WORD(akin_rsl_options, start, "spectral|random",
                   "the first start; further ones are random"),
    AK_OPTION(akin_rsl_options, starts, 1, 1e6,
              "number of starts; the best result is kept"),
    AK_OPTION(akin_rsl_options, tol, 0.0, 1.0,
              "stop when the gradient falls below this share of the first one"),
    AK_OPTION(akin_rsl_options, max_iterations, 0, 1e9,
              "maximum number of iterations of each start"),
    AK_OPTION_WORD(akin_rsl_options, score, AK_SCORE_WORDS, AK_SCORE_HELP),
    AK_OPTION(akin_rsl_options, prototypes, 0, 1,
              "1: after learning from labels, compare rows by the shares of "
              "the class means in them (up to 256 classes)"),
    AK_OPTION_BLEND(akin_rsl_options),
    AK_OPTION_KERNEL_OR(akin_rsl_options, "auto|",
                        "; auto: rbf for up to 4000 dense rows with labels, "
                        "on at most 1000 support rows, else none"),
    AK_OPTION_KERNEL_RIGHT(akin_rsl_options),
    AK_OPTION(akin_rsl_options, check_derivatives, 0, 1,
              "1: first check the derivatives against finite differences"),
};

static const akin_recipe_options where_units_differ = {
    .size = sizeof(akin_recipe_options),
    .weights = "none",
    .scale = "auto-minmax",
    .norm = "none"};

const ak_learner ak_learner_rsl = {
    .info =
        {
            .name = "rsl",
            .summary = "similarity of fixed rank between two kinds of rows",
            .when = "rows of two kinds, or pairs that match and do not",
            .paper = "cheng2013rsl",
            .has_checkpoints = 1,
            .shares = "rows, and pairs (at most 8 ranks)",
            .takes = AKIN_LABELS | AKIN_PAIRS,
            .makes = "factored",
            .takes_right = 1,
            .weighs_pairs = 1,
            .recipe = &where_units_differ,
            AK_OPTION_ROWS(akin_rsl_options, AKIN_RSL_DEFAULTS, options),
        },
    .learn = rsl_learn,
};
