/* opt/itml.h - a metric near M0 under which pairs of points are near, or far.
 *
 * Points are of one set (Y is X) or of two, as when a pair has one of each. */
#ifndef AK_OPT_ITML_H
#define AK_OPT_ITML_H

#include "base/ctx.h"

typedef struct ak_itml {
    int64_t d;
    const double *X, *Y;  // rows of d numbers: of the first, of the second
    int64_t count;        // pairs, similar ones first
    int64_t similar;
    const int64_t *ij;  // 2 numbers each, a row of X and one of Y
    double near, far;   // wanted squared distances: at most, at least; > 0
    double gamma;       // weight of the wanted distances against staying; > 0
    double tol;         // when it is done: see below
    int64_t max_iterations;

    double *M;       // d x d: M0 > 0 at the beginning, the metric at the end
    double *lambda;  // count: multipliers >= 0, written
    double *xi;      // count: the distances settled for, written
    int64_t iterations;  // written, as are the last three
    bool converged;
    double objective;  // of (1)
    int64_t active;    // pairs with a multiplier above 0
} ak_itml;

/* M, lambda and xi of d and count, zeros; scratch memory. */
akin_status ak_itml_room(ak_itml *p, akin_ctx *ctx);
/* By Newton's method on M: some ten or twenty iterations, each of some ten
 * products of all pairs with a matrix. `tol`: the Newton decrement, whose
 * square bounds how far the objective is from its least value.
 * Pairs of points that are the same say nothing and are passed over.
 * ENUMERIC: M0 is not positive definite, or a value is not finite. */
akin_status ak_itml_newton(ak_itml *p, akin_ctx *ctx);
/* The same in all d dimensions, also where the points are fewer. */
akin_status ak_itml_newton_full(ak_itml *p, akin_ctx *ctx);
/* By projections, one pair after the other, as in the paper; an iteration is a
 * sweep over all. `tol`: the relative change of the multipliers in a sweep.
 * Linear convergence, hundreds of sweeps and more where pairs are many. */
akin_status ak_itml_cyclic(ak_itml *p, akin_ctx *ctx);

static inline double ak_itml_sign(const ak_itml *p, int64_t c)
{
    return c < p->similar ? 1.0 : -1.0;
}

static inline double ak_itml_target(const ak_itml *p, int64_t c)
{
    return c < p->similar ? p->near : p->far;
}

/* v = x - y of pair c. */
static inline void ak_itml_difference(const ak_itml *p, int64_t c, double *v)
{
    const double *x = p->X + p->ij[2 * c] * p->d;
    const double *y = p->Y + p->ij[2 * c + 1] * p->d;
    for (int64_t j = 0; j < p->d; ++j)
        v[j] = x[j] - y[j];
}

#endif
