/* base/parallel.h - work in fixed blocks, by as many threads as the context
 * says. Blocks do not depend on the number of threads, so neither does a sum
 * that is taken per block and then over blocks in order. */
#ifndef AK_BASE_PARALLEL_H
#define AK_BASE_PARALLEL_H

#include "base/ctx.h"

/* The elements [begin, end) of block number begin / block; `worker` is below
 * ak_workers() and names the caller's private memory. No message may be set
 * from here: return the status. */
typedef akin_status (*ak_block_fn)(void *arg, int64_t begin, int64_t end,
                                   int64_t worker);

/* Run fn over [0, n) in blocks of `block`; all blocks run even if one fails.
 * Returns the status of the first block that failed; ECANCELLED, with blocks
 * left out, after akin_ctx_set_cancelled. */
akin_status ak_parallel_for(akin_ctx *ctx, int64_t n, int64_t block,
                            ak_block_fn fn, void *arg);

/* The same. While the caller's thread waits for the others, it calls `watch`
 * from time to time: a place to report progress, and to hear that the run is to
 * stop. */
akin_status ak_parallel_for_watched(akin_ctx *ctx, int64_t n, int64_t block,
                                    ak_block_fn fn, void (*watch)(void *arg),
                                    void *arg);

/* How many workers there can be: room to prepare for each. */
int64_t ak_workers(akin_ctx *ctx);

/* Internal to base: end the threads of a context. */
void ak_pool_free(void *pool);

#endif
