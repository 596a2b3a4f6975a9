/* opt/vectors.h - long vectors, in fixed blocks by all threads. */
#ifndef AK_OPT_VECTORS_H
#define AK_OPT_VECTORS_H

#include "base/ctx.h"

/* *sum = x'y. */
akin_status ak_vector_dot(akin_ctx *ctx, int64_t n, const double *x,
                          const double *y, double *sum);
/* y = a x + b y; y is not read when b is 0. */
akin_status ak_vector_add(akin_ctx *ctx, int64_t n, double a, const double *x,
                          double b, double *y);

#endif
