/* Where rsl begins. At W = 0 the gradient is X'C Y with C the slopes of the
 * losses at f = 0; its leading singular vectors, by subspace iteration
 * (Halko, Martinsson, Tropp, SIAM Review 53, 2011), are the directions in
 * which J falls fastest. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "la/tall.h"
#include "learn/cross/rsl.h"

enum { ROUNDS = 4, LENGTHS = 8 };

akin_status ak_rsl_random(ak_rsl *p, akin_ctx *ctx, ak_rng *rng)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_fixed_point_random(p->now.x, ctx, p->shape, rng));
    AK_TRY(ak_rsl_move(p, ctx));
done:
    return st;
}

/* U = X'C Y V, or for side 1 V = Y'C'X U. */
static akin_status cross(ak_rsl *p, akin_ctx *ctx, int side, const double *from,
                         double *to)
{
    const int64_t k = p->shape.k;
    ak_rsl_state *s = &p->now;
    akin_status st = AKIN_OK;
    if (p->own)
        return ak_rsl_own_cross(ctx, p, side, from, to);
    AK_TRY(
        ak_rsl_project(ctx, &p->side[1 - side], k, from, side ? s->A : s->B));
    AK_TRY(ak_rsl_first(ctx, p, s));
    AK_TRY(ak_rsl_gather(ctx, &p->side[side], k, p->P[side], to));
done:
    return st;
}

/* With s = 0 every f is 0, and the slopes are those at W = 0. U and V become
 * bases of the leading singular spaces; R (k x k) is V'G'U. */
static akin_status iterate(ak_rsl *p, akin_ctx *ctx, double *R)
{
    const int64_t k = p->shape.k;
    ak_rsl_state *s = &p->now;
    double value = 0.0;
    akin_status st = AKIN_OK;
    memset(s->x.s, 0, (size_t)k * sizeof *s->x.s);
    AK_TRY(ak_rsl_value(&value, ctx, p, s));
    for (int i = 0; i < ROUNDS; ++i) {
        AK_TRY(cross(p, ctx, 0, s->x.V, s->x.U));
        AK_TRY(ak_tall_qr(ctx, p->shape.m, k, s->x.U, R));
        AK_TRY(cross(p, ctx, 1, s->x.U, s->x.V));
        AK_TRY(ak_tall_qr(ctx, p->shape.n, k, s->x.V, R));
    }
done:
    return st;
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
    AK_TRY(AK_SCRATCH(ctx, k * k, &T));
    AK_TRY(AK_SCRATCH(ctx, k * k, &a));
    AK_TRY(AK_SCRATCH(ctx, k * k, &bt));
    AK_TRY(AK_SCRATCH(ctx, k * k, &b));
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

/* Go to s = d / d_1 times a length; no part of it is as good as none. */
static akin_status go(ak_rsl *p, akin_ctx *ctx, const double *d, double length)
{
    for (int64_t c = 0; c < p->shape.k; ++c)
        p->now.x.s[c] = length * fmax(d[c] / d[0], 1e-3);
    return ak_rsl_rescale(p, ctx);
}

/* Lengths that rise until J does. */
static akin_status best_length(ak_rsl *p, akin_ctx *ctx, const double *d)
{
    double best = 0.0625, least = INFINITY, length = best;
    akin_status st = AKIN_OK;
    AK_TRY(ak_rsl_move(p, ctx));
    for (int i = 0; i < LENGTHS; ++i, length *= 4.0) {
        AK_TRY(go(p, ctx, d, length));
        if (!(p->now.value < least))
            break;
        least = p->now.value;
        best = length;
    }
    AK_TRY(go(p, ctx, d, best));
done:
    return st;
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
