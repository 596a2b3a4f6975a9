/* opt/itml.h - a metric near M0 under which pairs of points are near, or far:
 * cyclic projections for the LogDet divergence, opt/itml.c.
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
    double tol;         // relative change of the multipliers that ends it
    int64_t max_sweeps;

    double *M;       // d x d: M0 > 0 at the beginning, the metric at the end
    double *lambda;  // count: multipliers >= 0, written
    double *xi;      // count: the distances settled for, written
    int64_t sweeps;  // written, as are the last three
    bool converged;
    double objective;  // of (1)
    int64_t active;    // pairs with a multiplier above 0
} ak_itml;

/* Pairs of points that are the same say nothing and are passed over.
 * ENUMERIC: M0 is not positive definite, or a value is not finite. */
akin_status ak_itml_cyclic(ak_itml *p, akin_ctx *ctx);

#endif
