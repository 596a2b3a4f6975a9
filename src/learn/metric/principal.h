/* learn/metric/principal.h - orthonormal axes of the largest variance. */
#ifndef AK_LEARN_METRIC_PRINCIPAL_H
#define AK_LEARN_METRIC_PRINCIPAL_H

#include "data/rows.h"

typedef struct ak_axes {
    int64_t k;
    double *V;       // d x k, orthonormal columns
    double *spread;  // k, sums of squares along them, decreasing, above 0
    double all;      // the sum of squares along all axes
    bool converged;  // of ak_axes_of_sparse
} ak_axes;

/* The axes of n rows X (n x d), which are centred: all along which they vary by
 * more than rounding, min(n, d) at most. The smaller of X'X and X X' is
 * decomposed. Scratch memory. */
akin_status ak_axes_of(ak_axes *out, akin_ctx *ctx, int64_t n, int64_t d,
                       const double *X);
/* The first `most` of all rows of sparse rows, minus their mean, by Lanczos
 * steps; the rows are not stored as dense ones. Scratch memory. */
akin_status ak_axes_of_sparse(ak_axes *out, akin_ctx *ctx,
                              const akin_rows *rows, int64_t most);
/* Subtracts the mean of n rows of d numbers from each. A constant column
 * becomes zero, not what rounding leaves of it. */
void ak_center_rows(int64_t n, int64_t d, double *X, double *mean);

#endif
