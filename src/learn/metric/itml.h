/* learn/metric/itml.h - the problem that ITML solves: a metric near M0 under
 * which similar pairs are near and dissimilar pairs are far.
 *
 * learn/metric/itml.c has the equations and both solvers. Symm
 * (learn/cross/symm.c) solves the same problem with pairs across two sets of
 * points. */
#ifndef AK_LEARN_METRIC_ITML_H
#define AK_LEARN_METRIC_ITML_H

#include "base/ctx.h"

typedef struct ak_itml {
    int64_t d;
    const double *X, *Y;  // rows of d numbers; Y = X when there is one set
    int64_t count;        // pairs, similar ones first
    int64_t similar;
    const int64_t *ij;  // 2 numbers each, a row of X and a row of Y
    double near, far;   // target squared distances: at most, at least; > 0
    double gamma;       // weight of the targets against staying at M0; > 0
    double tol;         // stopping tolerance, see the solvers
    int64_t max_iterations;

    double *M;           // d x d: M0 > 0 on entry, the metric on return
    double *lambda;      // count: multipliers >= 0, written
    double *xi;          // count: the distances reached, written
    int64_t iterations;  // written, as are the last three
    bool converged;
    double objective;  // (1) of itml.c
    int64_t active;    // pairs with a multiplier above 0
} ak_itml;

/* Allocates M, lambda and xi for d and count, zeros; scratch memory. */
akin_status ak_itml_alloc(ak_itml *p, akin_ctx *ctx);
/* Newton's method on M: ten or twenty iterations, each about ten products of
 * all pairs with a matrix. `tol` bounds the Newton decrement, whose square
 * bounds the distance of the objective from its minimum. Pairs of equal points
 * are ignored.
 * ENUMERIC: M0 is not positive definite, or a value is not finite. */
akin_status ak_itml_newton(ak_itml *p, akin_ctx *ctx);
/* The same in all d dimensions, even when the points span fewer. */
akin_status ak_itml_newton_full(ak_itml *p, akin_ctx *ctx);
/* The paper's cyclic projections, one pair at a time; an iteration is a sweep
 * over all pairs. `tol` bounds the relative change of the multipliers in a
 * sweep. Converges linearly: hundreds of sweeps and more for many pairs. */
akin_status ak_itml_cyclic(ak_itml *p, akin_ctx *ctx);

#endif
