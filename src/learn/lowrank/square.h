/* learn/lowrank/square.h - learners that keep a matrix of the rows' dimension,
 * n x n, the identity at the start. */
#ifndef AK_LEARN_LOWRANK_SQUARE_H
#define AK_LEARN_LOWRANK_SQUARE_H

#include "learn/learner.h"

typedef struct ak_square {
    int64_t n;
    double *M;  // n x n; pages that nothing touched take no memory
} ak_square;

/* EINVAL, with both sizes, when n x n doubles are more than `gib` GiB. */
akin_status ak_square_begin(ak_square *s, akin_ctx *ctx,
                            const akin_options *options,
                            const akin_supervision *data);
/* The matrix of a model, n x n. */
void ak_square_copy(ak_square *s, const double *M);

#define AK_MEMORY_OPTION(type) \
    AK_OPTION(type, memory, 1e-6, 1e6, "most memory for the matrix, in GiB")

#endif
