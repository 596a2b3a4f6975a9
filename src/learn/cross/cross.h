/* learn/cross/cross.h - what learners between two kinds of rows share: rows as
 * matrices of doubles, and sums over the pairs that match. */
#ifndef AK_LEARN_CROSS_CROSS_H
#define AK_LEARN_CROSS_CROSS_H

#include "data/supervision/pairs.h"

/* Numbers in a matrix, at most: 2 GiB. */
enum { AK_CROSS_MOST = 1 << 28 };

/* All rows as an n x d matrix, scratch. ESHAPE: more than `most` numbers. */
akin_status ak_cross_dense(double **out, akin_ctx *ctx, const akin_rows *rows,
                           int64_t most);
/* The rows of one side of a grid, n x d. */
akin_status ak_cross_side(double **out, akin_ctx *ctx, const akin_rows *rows,
                          const ak_grid_side *side, int64_t most);

/* degree[side][i]: the matching pairs that row i of a side stands in; and
 * Z (rows of the left x d of the right): row i the sum of the right-hand rows
 * Y that match it. */
akin_status ak_cross_matches(akin_ctx *ctx, const ak_pairs *p, const double *Y,
                             double *degree[2], double *Z);

#endif
