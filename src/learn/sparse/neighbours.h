/* learn/sparse/neighbours.h - the nearest neighbours of every point of a set,
 * exact.
 *
 * Found by products in float and decided in double. */
#ifndef AK_LEARN_SPARSE_NEIGHBOURS_H
#define AK_LEARN_SPARSE_NEIGHBOURS_H

#include "base/ctx.h"

/* The k nearest of n points X (n x d) to each, by the plain distance, itself
 * left out: k row numbers each, nearest first, of equal distances the lower
 * number. 0 < k < n. */
akin_status ak_neighbours(akin_ctx *ctx, int64_t n, int64_t d, const double *X,
                          int64_t k, int32_t *out);

#endif
