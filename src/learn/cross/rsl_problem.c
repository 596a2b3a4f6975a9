/* The objective of rsl and its derivatives on the manifold of rank k.
 *   [1] Vandereycken. Low-rank matrix completion by Riemannian optimization.
 *       SIAM J. Optim. 23(2):1214-1236, 2013, Proposition 2.3.
 *
 * With A = X U, B = Y V, the derivatives c and h of the losses by f, and G the
 * Euclidean gradient X'CY (C: c as a matrix, samples by samples):
 *
 *   gradient   M = A'C B + lambda S,  Up = P X'C B,  Vp = P Y'C'A        (1)
 *
 * where P is the projection off U or V, and of a tangent vector (M, Up, Vp),
 * with C0 = X Up, C1 = Y Vp, df = <A M + C0, B> + <A, C1>, H: h df as C,
 *
 *   Hessian    M'  = A'H B + lambda M                                    (2)
 *              Up' = P X'(H B + C C1 / S) + lambda Up
 *              Vp' = P Y'(H'A + C'C0 / S) + lambda Vp
 *
 * [1] with both terms of Up' under one product with X. The regulariser has no
 * part in the curvature: P W = 0. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "la/tall.h"
#include "learn/cross/rsl.h"
#include "learn/cross/rsl_dense.h"
#include "opt/vectors.h"

/* Numbers to keep one of for each pair. */
static int64_t pairs_of(const ak_rsl *p)
{
    return p->pairs.grid ? 0 : ak_rsl_padded(p->pairs.count);
}

static akin_status make_state(ak_rsl_state *s, akin_ctx *ctx, const ak_rsl *p)
{
    const int64_t k = p->shape.k, pairs = pairs_of(p);
    akin_status st = AKIN_OK;
    AK_TRY(ak_fixed_point_new(&s->x, ctx, p->shape));
    AK_TRY(AK_SCRATCH(ctx, ak_rsl_padded(p->side[0].N) * k, &s->A));
    AK_TRY(AK_SCRATCH(ctx, ak_rsl_padded(p->side[1].N) * k, &s->B));
    AK_TRY(AK_SCRATCH(ctx, pairs, &s->c));
    AK_TRY(AK_SCRATCH(ctx, pairs, &s->h));
done:
    return st;
}

akin_status ak_rsl_begin(ak_rsl *p, akin_ctx *ctx)
{
    const int64_t k = p->shape.k, pairs = pairs_of(p);
    akin_status st = AKIN_OK;
    p->own = ak_rsl_is_own(p);
    AK_TRY(make_state(&p->now, ctx, p));
    AK_TRY(make_state(&p->next, ctx, p));
    for (int side = 0; side < 2; ++side) {
        AK_TRY(AK_SCRATCH(ctx, p->side[side].N * k, &p->P[side]));
        AK_TRY(AK_SCRATCH(ctx, p->side[side].N * k, &p->C[side]));
        AK_TRY(AK_SCRATCH(ctx, p->side[side].N * k, &p->D[side]));
    }
    AK_TRY(AK_SCRATCH(ctx, p->side[0].N * k, &p->Q));
    AK_TRY(AK_SCRATCH(ctx, p->side[0].N * k, &p->E));
    AK_TRY(AK_SCRATCH(ctx, pairs, &p->w));
    if (p->differences) {
        AK_TRY(AK_SCRATCH(ctx, ak_tangent_size(p->shape), &p->g));
        AK_TRY(AK_SCRATCH(ctx, ak_tangent_size(p->shape), &p->g_next));
    }
done:
    return st;
}

akin_status ak_rsl_value(double *sum, akin_ctx *ctx, const ak_rsl *p,
                         ak_rsl_state *s)
{
    return p->pairs.grid ? ak_rsl_grid_value(sum, ctx, p, s)
           : p->own      ? ak_rsl_own_value(sum, ctx, p, s)
                         : ak_rsl_list_value(sum, ctx, p, s);
}

akin_status ak_rsl_first(akin_ctx *ctx, ak_rsl *p, const ak_rsl_state *s)
{
    return p->pairs.grid ? ak_rsl_grid_first(ctx, p, s)
                         : ak_rsl_list_first(ctx, p, s);
}

akin_status ak_rsl_second(akin_ctx *ctx, ak_rsl *p)
{
    return p->pairs.grid ? ak_rsl_grid_second(ctx, p)
                         : ak_rsl_list_second(ctx, p);
}

/* All that follows from s->x once A and B are there. */
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
    akin_status st = AKIN_OK;
    if (p->own) {
        AK_TRY(ak_rsl_own_place(ctx, p, s));
    } else {
        AK_TRY(ak_rsl_project(ctx, &p->side[0], k, s->x.U, s->A));
        AK_TRY(ak_rsl_project(ctx, &p->side[1], k, s->x.V, s->B));
    }
    AK_TRY(revalue(p, ctx, s));
done:
    return st;
}

akin_status ak_rsl_move(ak_rsl *p, akin_ctx *ctx)
{
    return evaluate(p, ctx, &p->now);
}

akin_status ak_rsl_rescale(ak_rsl *p, akin_ctx *ctx)
{
    return revalue(p, ctx, &p->now);
}

/* M = A'Q and both sides gathered from P, the parts of a tangent vector. */
static akin_status collect(ak_rsl *p, akin_ctx *ctx, const double *A,
                           const double *Q, double *out)
{
    const int64_t k = p->shape.k;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tall_cross(ctx, p->side[0].N, k, A, k, Q, out));
    AK_TRY(ak_rsl_gather(ctx, &p->side[0], k, p->P[0],
                         ak_tangent_Up(p->shape, out)));
    AK_TRY(ak_rsl_gather(ctx, &p->side[1], k, p->P[1],
                         ak_tangent_Vp(p->shape, out)));
done:
    return st;
}

/* (1) at a state, of the losses and without P. */
static akin_status first(ak_rsl *p, akin_ctx *ctx, const ak_rsl_state *s,
                         double *g)
{
    akin_status st = AKIN_OK;
    if (p->own)
        return ak_rsl_own_first(ctx, p, s, g);
    AK_TRY(ak_rsl_first(ctx, p, s));
    AK_TRY(collect(p, ctx, s->A, p->P[0], g));
done:
    return st;
}

/* (1) at a state. */
static akin_status gradient_at(ak_rsl *p, akin_ctx *ctx, const ak_rsl_state *s,
                               double *g)
{
    const int64_t k = p->shape.k;
    const double norm = ak_fixed_point_norm(p->shape, s->x);
    const double pull = p->frobenius ? p->lambda / norm : p->lambda;
    akin_status st = AKIN_OK;
    AK_TRY(first(p, ctx, s, g));
    AK_TRY(ak_tangent_project(ctx, p->shape, s->x, g));
    for (int64_t c = 0; c < k; ++c)
        g[c * k + c] += pull * s->x.s[c];
done:
    return st;
}

static akin_status gradient(void *self, akin_ctx *ctx, double *g)
{
    ak_rsl *p = self;
    const akin_status st = gradient_at(p, ctx, &p->now, g);
    if (st == AKIN_OK && p->g != NULL)
        memcpy(p->g, g, (size_t)ak_tangent_size(p->shape) * sizeof *g);
    return st;
}

/* C0, C1, these over S in D, and E = A M + C0. */
static akin_status lift(ak_rsl *p, akin_ctx *ctx, const double *xi)
{
    const int64_t k = p->shape.k;
    const double *s = p->now.x.s;
    const double *part[2] = {xi + k * k, xi + (k + p->shape.m) * k};
    akin_status st = AKIN_OK;
    for (int side = 0; side < 2; ++side) {
        AK_TRY(ak_rsl_project(ctx, &p->side[side], k, part[side], p->C[side]));
        for (int64_t i = 0; i < p->side[side].N; ++i)
            for (int64_t c = 0; c < k; ++c)
                p->D[side][i * k + c] = p->C[side][i * k + c] / s[c];
    }
    memcpy(p->E, p->C[0], (size_t)(p->side[0].N * k) * sizeof *p->E);
    AK_TRY(ak_tall_multiply(ctx, p->side[0].N, k, 1.0, p->now.A, k, k, xi, 1.0,
                            p->E));
done:
    return st;
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

/* (2) of the losses, without P. */
static akin_status second(ak_rsl *p, akin_ctx *ctx, const double *xi,
                          double *out)
{
    akin_status st = AKIN_OK;
    if (p->own)
        return ak_rsl_own_second(ctx, p, xi, out);
    AK_TRY(lift(p, ctx, xi));
    AK_TRY(ak_rsl_second(ctx, p));
    AK_TRY(collect(p, ctx, p->now.A, p->Q, out));
done:
    return st;
}

static akin_status exact(ak_rsl *p, akin_ctx *ctx, const double *xi,
                         double *out)
{
    akin_status st = AKIN_OK;
    AK_TRY(second(p, ctx, xi, out));
    AK_TRY(ak_tangent_project(ctx, p->shape, p->now.x, out));
    AK_TRY(regularise(p, ctx, xi, out));
done:
    return st;
}

/* next = R(step). */
static akin_status retract(ak_rsl *p, akin_ctx *ctx, const double *step)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_fixed_retract(ctx, p->shape, p->now.x, step,
                            DBL_EPSILON * p->now.x.s[0], p->next.x));
    AK_TRY(evaluate(p, ctx, &p->next));
done:
    return st;
}

/* The gradient a little further on, brought back, less the gradient here. */
static akin_status differences(ak_rsl *p, akin_ctx *ctx, const double *xi,
                               double *out)
{
    const int64_t size = ak_tangent_size(p->shape);
    const double norm = ak_fixed_point_norm(p->shape, p->now.x);
    double length = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_vector_dot(ctx, size, xi, xi, &length));
    AK_TRY(ak_vector_add(ctx, size, 0.0, xi, 0.0, out));
    if (length == 0.0)
        goto done;
    const double h = sqrt(DBL_EPSILON) * fmax(1.0, norm) / sqrt(length);
    AK_TRY(ak_vector_add(ctx, size, h, xi, 0.0, p->g_next));
    AK_TRY(retract(p, ctx, p->g_next));
    AK_TRY(gradient_at(p, ctx, &p->next, p->g_next));
    AK_TRY(
        ak_fixed_transport(ctx, p->shape, p->next.x, p->g_next, p->now.x, out));
    AK_TRY(ak_vector_add(ctx, size, -1.0 / h, p->g, 1.0 / h, out));
done:
    return st;
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

static double value(void *self)
{
    return ((ak_rsl *)self)->now.value;
}

static double norm(void *self)
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
                          .value = value,
                          .norm = norm,
                          .gradient = gradient,
                          .hessian = hessian,
                          .attempt = attempt,
                          .accept = accept,
                          .random = random_tangent};
}
