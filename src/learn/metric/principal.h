/* learn/metric/principal.h - orthonormal axes of the largest variance. */
#ifndef AK_LEARN_METRIC_PRINCIPAL_H
#define AK_LEARN_METRIC_PRINCIPAL_H

#include "base/ctx.h"

typedef struct ak_axes {
    int64_t k;
    double *V;       // d x k, orthonormal columns
    double *spread;  // k, sums of squares along them, decreasing, above 0
} ak_axes;

/* The axes of n rows X (n x d), which are centred: all along which they vary by
 * more than rounding, min(n, d) at most. The smaller of X'X and X X' is
 * decomposed. Scratch memory. */
akin_status ak_axes_of(ak_axes *out, akin_ctx *ctx, int64_t n, int64_t d,
                       const double *X);
/* Subtracts the mean of n rows of d numbers from each. */
void ak_center_rows(int64_t n, int64_t d, double *X, double *mean);

#endif
