/* learn/diagonal/hadamard.h - v = x * (x+ - x-) for a block of triplets.
 *
 * Diagonal learners need a triplet only through v: the score difference of the
 * two answers is w.v. Blocks are merged in parallel, then learned from one
 * after the other. */
#ifndef AK_LEARN_DIAGONAL_HADAMARD_H
#define AK_LEARN_DIAGONAL_HADAMARD_H

#include "base/ctx.h"
#include "data/supervision/supervision.h"

typedef struct ak_hadamards {
    int64_t n;         // triplets in the block
    int64_t *offsets;  // n + 1 starts in cols and vals
    int64_t *counts;   // n entries used from there
    int32_t *cols;
    double *vals;
    int64_t room;       // entries there is room for
    int64_t room_rows;  // triplets there is room for
} ak_hadamards;

/* A block of no more than `most` triplets, and not much more than what fits
 * the cache; at least one. Returns in h->n how many of `count` it took. */
akin_status ak_hadamards_fill(ak_hadamards *h, akin_ctx *ctx,
                              const akin_rows *rows, const int64_t *triplets,
                              int64_t count, int64_t most);
/* The first `count` triplets of a sampler at once, packed. */
akin_status ak_hadamards_all(ak_hadamards *h, akin_ctx *ctx,
                             const akin_rows *rows, const ak_sampler *sampler,
                             int64_t count);
void ak_hadamards_free(ak_hadamards *h, akin_ctx *ctx);

#endif
