/* naming/gaussians.h - votes by what a person's faces have in common; inside
 * naming/ alone. */
#ifndef AK_NAMING_GAUSSIANS_H
#define AK_NAMING_GAUSSIANS_H

#include "base/ctx.h"

/* A face x of a person: x = y + e, where y, the person, and e, the picture, are
 * Gaussian with covariances B and W. In coordinates in which W is I and B is
 * diagonal, by what several faces of one person tell of y. */
typedef struct ak_gaussians {
    int64_t d;
    double *M;  // d x d: x M are the coordinates
    double *b;  // d: the diagonal of B
} ak_gaussians;

/* By W, which is overwritten, and the covariance T of all faces. W is drawn
 * towards a multiple of I. Room for g and 2 d^2 numbers of work is given. */
akin_status ak_gaussians_fit(ak_gaussians *g, akin_ctx *ctx, double *W,
                             const double *T, double *work);

/* The log of how much more likely z, of a face of this quality, is beside
 * `count` faces of the same person with this sum than alone; coordinates all.
 */
double ak_gaussians_ratio(const ak_gaussians *g, const double *z,
                          double quality, const double *sum, double count);

#endif
