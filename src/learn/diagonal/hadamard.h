/* learn/diagonal/hadamard.h - v = x * (x+ - x-) for a block of triplets.
 *
 * Diagonal learners need only v of a triplet: S(x, x+) - S(x, x-) = w.v. The
 * vectors of a block are computed in parallel, then learned from in order. */
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
    int64_t room;       // capacity of cols and vals
    int64_t room_rows;  // capacity in triplets
} ak_hadamards;

/* A block of the first h->n of `count` triplets: at least one, at most `most`,
 * and not much more than the cache holds. */
akin_status ak_hadamards_fill(ak_hadamards *h, akin_ctx *ctx,
                              const akin_rows *rows, const int64_t *triplets,
                              int64_t count, int64_t most);
/* The first `count` triplets of a sampler, packed. */
akin_status ak_hadamards_all(ak_hadamards *h, akin_ctx *ctx,
                             const akin_rows *rows, const ak_sampler *sampler,
                             int64_t count);
void ak_hadamards_free(ak_hadamards *h);

#endif
