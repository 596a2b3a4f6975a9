/* learn/cross/fixed_rank.h - the manifold of m x n matrices of rank k.
 *
 *   W  = U diag(s) V',  U'U = V'V = I,  s falling and above 0            (1)
 *   xi = U M V' + Up V' + U Vp',  U'Up = 0, V'Vp = 0                     (2)
 *   <xi, eta> = tr(xi' eta)                                              (3)
 *
 * The three parts of (2) are orthogonal to each other, so a tangent vector is
 * one array, M then Up then Vp, and (3) is the dot product of two arrays.
 * Matrices are row-major; no m x n matrix is formed. */
#ifndef AK_LEARN_CROSS_FIXED_RANK_H
#define AK_LEARN_CROSS_FIXED_RANK_H

#include "base/ctx.h"
#include "base/rng.h"

typedef struct ak_fixed_rank {
    int64_t m, n, k;
} ak_fixed_rank;

/* A point (1): U is m x k, s has k entries, V is n x k. */
typedef struct ak_fixed_point {
    double *U, *s, *V;
} ak_fixed_point;

/* Numbers in a tangent vector, and where its parts are. */
static inline int64_t ak_tangent_size(ak_fixed_rank r)
{
    return (r.k + r.m + r.n) * r.k;
}

static inline double *ak_tangent_Up(ak_fixed_rank r, double *xi)
{
    return xi + r.k * r.k;
}

static inline double *ak_tangent_Vp(ak_fixed_rank r, double *xi)
{
    return xi + (r.k + r.m) * r.k;
}

/* Room for a point, from scratch. */
akin_status ak_fixed_point_new(ak_fixed_point *x, akin_ctx *ctx,
                               ak_fixed_rank r);
void ak_fixed_point_copy(ak_fixed_rank r, ak_fixed_point from,
                         ak_fixed_point to);
/* U and V with the law of the singular vectors of a Gaussian matrix, s = 1. */
akin_status ak_fixed_point_random(ak_fixed_point x, akin_ctx *ctx,
                                  ak_fixed_rank r, ak_rng *rng);
double ak_fixed_point_norm(ak_fixed_rank r, ak_fixed_point x);

/* Up <- (I - UU') Up and Vp <- (I - VV') Vp, in place, twice for rounding. The
 * projection of any Z is M = U'ZV, Up = ZV, Vp = Z'U, and then this. */
akin_status ak_tangent_project(akin_ctx *ctx, ak_fixed_rank r, ak_fixed_point x,
                               double *xi);
/* A tangent vector at x of standard normal coordinates. */
akin_status ak_tangent_random(akin_ctx *ctx, ak_fixed_rank r, ak_fixed_point x,
                              ak_rng *rng, double *xi);

/* y = the best approximation of W + xi of rank k. Singular values below
 * `least` are raised to it, so that y has rank k. y and x share no memory. */
akin_status ak_fixed_retract(akin_ctx *ctx, ak_fixed_rank r, ak_fixed_point x,
                             const double *xi, double least, ak_fixed_point y);
/* eta = xi, tangent at x, projected on the tangent space at y. */
akin_status ak_fixed_transport(akin_ctx *ctx, ak_fixed_rank r, ak_fixed_point x,
                               const double *xi, ak_fixed_point y, double *eta);

#endif
