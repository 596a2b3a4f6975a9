/* base/comm.h - work in fixed blocks, by ranks.
 *
 * A rank has a contiguous range of the blocks, and does them by its threads.
 * Elements are computed by one rank each and then sent to all. A sum adds the
 * blocks in an order that depends on their number alone. So results are the
 * same bytes for any number of ranks. Every rank must make these calls alike.
 * With one rank they cost nothing.
 *
 * None of them may be called inside a block, or by some ranks only. A context
 * that a worker makes for itself has one rank. */
#ifndef AK_BASE_COMM_H
#define AK_BASE_COMM_H

#include <akin/comm.h>

#include "base/parallel.h"

typedef struct ak_rank_range {
    int64_t begin, end;
} ak_rank_range;

/* The part of [0, n) that a rank has, in whole blocks. The first rank has some
 * unless n is 0. */
ak_rank_range ak_comm_range(const akin_ctx *ctx, int64_t n, int64_t block,
                            int64_t rank);
ak_rank_range ak_comm_own(const akin_ctx *ctx, int64_t n, int64_t block);

/* Results of elements: element i has `size` bytes at `at` + i * size. */
typedef struct ak_comm_array {
    void *at;
    size_t size;
} ak_comm_array;

/* ak_parallel_for over the blocks of this rank. Where one fails, all ranks
 * return the status of the first that failed. */
akin_status ak_comm_for(akin_ctx *ctx, int64_t n, int64_t block, ak_block_fn fn,
                        void *arg);
/* The same over any range, which only this rank has. */
akin_status ak_comm_run(akin_ctx *ctx, ak_rank_range own, int64_t block,
                        ak_block_fn fn, void *arg);
/* Send the elements of each rank to all others, one array after another. */
akin_status ak_comm_gather(akin_ctx *ctx, int64_t n, int64_t block,
                           const ak_comm_array *arrays, int64_t n_arrays);
/* Bytes [offsets[r], offsets[r + 1]) of rank r, of ranges that all know. */
akin_status ak_comm_gather_bytes(akin_ctx *ctx, void *bytes,
                                 const size_t *offsets);
/* `for` and `gather`: all ranks have all elements. */
akin_status ak_comm_map(akin_ctx *ctx, int64_t n, int64_t block, ak_block_fn fn,
                        void *arg, const ak_comm_array *arrays,
                        int64_t n_arrays);
#define AK_COMM_MAP(ctx, n, block, fn, arg, ...)                         \
    ak_comm_map((ctx), (n), (block), (fn), (arg),                        \
                (const ak_comm_array[]){__VA_ARGS__},                    \
                (int64_t)(sizeof((const ak_comm_array[]){__VA_ARGS__}) / \
                          sizeof(ak_comm_array)))

/* sums[i] becomes the sum of sums[b * size + i] over the blocks b of [0, n), a
 * binary tree of them. A rank has computed those of its blocks; the places of
 * the others are overwritten. */
akin_status ak_comm_sum(akin_ctx *ctx, int64_t n, int64_t block, int64_t size,
                        double *sums);

/* Bytes of each rank, of lengths that only it knows: `*all` has those of rank r
 * at [offsets[r], offsets[r + 1]). Scratch memory. */
akin_status ak_comm_collect(akin_ctx *ctx, const void *own, size_t n,
                            unsigned char **all, const size_t **offsets);
/* The same, but rank 0 alone gets them; NULL for the others. */
akin_status ak_comm_deliver(akin_ctx *ctx, const void *own, size_t n,
                            unsigned char **all, const size_t **offsets);
/* Bytes of rank `root`, to all others. */
akin_status ak_comm_broadcast(akin_ctx *ctx, void *bytes, size_t n,
                              int64_t root);

/* The status of the first rank that has an error, with its message. */
akin_status ak_comm_agree(akin_ctx *ctx, akin_status st);
/* The status of rank 0, which alone did something. */
akin_status ak_comm_follow(akin_ctx *ctx, akin_status st);

#endif
