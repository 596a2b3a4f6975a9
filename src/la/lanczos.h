/* la/lanczos.h - the largest eigenvalues of a matrix known by its products. */
#ifndef AK_LA_LANCZOS_H
#define AK_LA_LANCZOS_H

#include "base/ctx.h"

/* Columns of X at most. */
enum { AK_LANCZOS_BLOCK = 32 };

/* Y = A X, both m x b. */
typedef akin_status (*ak_product_fn)(const void *arg, akin_ctx *ctx, int64_t b,
                                     const double *X, double *Y);

typedef struct ak_lanczos {
    int64_t m, k;  // A is m x m, symmetric, no eigenvalue below 0; pairs wanted
    double tol;    // of |A u - lambda u| / lambda
    int64_t
        most;  // columns of the basis at most, 2 k or more; m always suffices

    double *values;  // written: k, decreasing,
    double *U;       // m x k, orthonormal; both in scratch memory,
    int64_t basis;   // the columns that it took,
    bool converged;  // and whether all pairs are within `tol`
} ak_lanczos;

/* The start is random, by the seed. */
akin_status ak_lanczos_run(ak_lanczos *p, akin_ctx *ctx, ak_product_fn product,
                           const void *arg);

#endif
