#include "base/comm.h"

#include <string.h>

enum { SLICE = 1 << 15 };  // numbers of a sum that are sent together

ak_rank_range ak_comm_range(const akin_ctx *ctx, int64_t n, int64_t block,
                            int64_t rank)
{
    const int64_t blocks = n / block + (n % block != 0);
    const int64_t size = akin_ctx_ranks(ctx);
    const int64_t each = blocks / size, left = blocks % size;
    const int64_t begin = each * rank + ak_min_i64(rank, left);
    const int64_t end = begin + each + (rank < left);
    return (ak_rank_range){ak_min_i64(begin * block, n),
                           ak_min_i64(end * block, n)};
}

ak_rank_range ak_comm_own(const akin_ctx *ctx, int64_t n, int64_t block)
{
    return ak_comm_range(ctx, n, block, akin_ctx_rank(ctx));
}

/* ---- messages ---- */

/* Count what all ranks receive, and say why it failed. */
static akin_status done_with(akin_ctx *ctx, size_t received, akin_status st)
{
    ak_ctx_count_communicated(ctx, (int64_t)received);
    if (st == AKIN_OK)
        return st;
    return ak_fail(ctx, st,
                   st == AKIN_ECANCELLED ? "interrupted"
                                         : "a message between ranks was lost");
}

static akin_status broadcast(akin_ctx *ctx, void *bytes, size_t n, int64_t root)
{
    const akin_comm *c = ak_ctx_comm(ctx);
    return done_with(ctx, n * (size_t)(c->size - 1),
                     c->broadcast(c->user, bytes, n, root));
}

akin_status ak_comm_gather_bytes(akin_ctx *ctx, void *bytes,
                                 const size_t *offsets)
{
    const akin_comm *c = ak_ctx_comm(ctx);
    if (c == NULL)
        return AKIN_OK;
    return done_with(ctx, offsets[c->size] * (size_t)(c->size - 1),
                     c->gather(c->user, bytes, offsets));
}

/* A value of each rank, all of the same size. */
static akin_status gather_values(akin_ctx *ctx, void *values, size_t size)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t ranks = akin_ctx_ranks(ctx);
    size_t *offsets;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ranks + 1, &offsets));
    for (int64_t r = 0; r <= ranks; ++r)
        offsets[r] = (size_t)r * size;
    AK_TRY(ak_comm_gather_bytes(ctx, values, offsets));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_comm_agree(akin_ctx *ctx, akin_status st)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t ranks = akin_ctx_ranks(ctx);
    int32_t *all;
    akin_status first = st;
    if (ranks == 1)
        return st;
    AK_CHECK(AK_SCRATCH(ctx, ranks, &all));
    all[akin_ctx_rank(ctx)] = (int32_t)st;
    const akin_status sent = gather_values(ctx, all, sizeof *all);
    for (int64_t r = ranks; sent == AKIN_OK && r-- > 0;)
        if (all[r] != AKIN_OK)
            first = (akin_status)all[r];
    if (st == AKIN_OK && first != AKIN_OK)
        ak_fail(ctx, first, "another rank failed: %s",
                akin_status_meaning(first));
    ak_scratch_end(ctx, mark);
    return sent != AKIN_OK ? sent : first;
}

akin_status ak_comm_follow(akin_ctx *ctx, akin_status st)
{
    int32_t value = (int32_t)st;
    if (akin_ctx_ranks(ctx) == 1)
        return st;
    AK_CHECK(broadcast(ctx, &value, sizeof value, 0));
    if (st == AKIN_OK && value != AKIN_OK)
        return ak_fail(ctx, (akin_status)value, "rank 0 failed: %s",
                       akin_status_meaning((akin_status)value));
    return (akin_status)value;
}

/* ---- elements ---- */

typedef struct shifted {
    ak_block_fn fn;
    void *arg;
    int64_t by;
} shifted;

static akin_status run_shifted(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const shifted *s = arg;
    return s->fn(s->arg, s->by + begin, s->by + end, worker);
}

akin_status ak_comm_run(akin_ctx *ctx, ak_rank_range own, int64_t block,
                        ak_block_fn fn, void *arg)
{
    shifted s = {fn, arg, own.begin};
    return ak_comm_agree(
        ctx, ak_parallel_for(ctx, own.end - own.begin, block, run_shifted, &s));
}

akin_status ak_comm_for(akin_ctx *ctx, int64_t n, int64_t block, ak_block_fn fn,
                        void *arg)
{
    return ak_comm_run(ctx, ak_comm_own(ctx, n, block), block, fn, arg);
}

akin_status ak_comm_gather(akin_ctx *ctx, int64_t n, int64_t block,
                           const ak_comm_array *arrays, int64_t n_arrays)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t ranks = akin_ctx_ranks(ctx);
    size_t *offsets;
    akin_status st = AKIN_OK;
    if (ranks == 1)
        return AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ranks + 1, &offsets));
    for (int64_t a = 0; a < n_arrays; ++a) {
        for (int64_t r = 0; r < ranks; ++r)
            offsets[r + 1] = (size_t)ak_comm_range(ctx, n, block, r).end *
                             arrays[a].size;
        AK_TRY(ak_comm_gather_bytes(ctx, arrays[a].at, offsets));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_comm_map(akin_ctx *ctx, int64_t n, int64_t block, ak_block_fn fn,
                        void *arg, const ak_comm_array *arrays,
                        int64_t n_arrays)
{
    AK_CHECK(ak_comm_for(ctx, n, block, fn, arg));
    return ak_comm_gather(ctx, n, block, arrays, n_arrays);
}

akin_status ak_comm_collect(akin_ctx *ctx, const void *own, size_t n,
                            unsigned char **all, const size_t **offsets)
{
    const int64_t ranks = akin_ctx_ranks(ctx), rank = akin_ctx_rank(ctx);
    size_t *at;
    AK_CHECK(AK_SCRATCH(ctx, ranks + 1, &at));
    at[rank + 1] = n;
    if (ranks > 1)
        AK_CHECK(gather_values(ctx, at + 1, sizeof *at));
    for (int64_t r = 0; r < ranks; ++r)
        at[r + 1] += at[r];
    AK_CHECK(AK_SCRATCH(ctx, (int64_t)at[ranks], all));
    if (n > 0)
        memcpy(*all + at[rank], own, n);
    *offsets = at;
    return ak_comm_gather_bytes(ctx, *all, at);
}

/* ---- sums ---- */

static void add_blocks(double *sum, const double *sums, int64_t size,
                       int64_t from, int64_t to, int64_t count)
{
    for (int64_t b = from; b < to; ++b)
        for (int64_t i = 0; i < count; ++i)
            sum[i] += sums[b * size + i];
}

/* The sum goes from rank to rank, each adds its blocks. It goes in slices, so
 * that ranks add at the same time. */
static akin_status pass_on(akin_ctx *ctx, ak_rank_range blocks, int64_t size,
                           double *sums)
{
    const akin_comm *c = ak_ctx_comm(ctx);
    for (int64_t i = 0; i < size; i += SLICE) {
        const int64_t count = ak_min_i64(SLICE, size - i);
        const size_t bytes = (size_t)count * sizeof *sums;
        /* Block 0 is of the first rank: its place is free in the others. */
        if (c->rank > 0)
            AK_CHECK(done_with(
                ctx, 0, c->receive(c->user, sums + i, bytes, c->rank - 1)));
        add_blocks(sums + i, sums + i, size, ak_max_i64(blocks.begin, 1),
                   blocks.end, count);
        if (c->rank + 1 < c->size)
            AK_CHECK(done_with(ctx, 0,
                               c->send(c->user, sums + i, bytes, c->rank + 1)));
    }
    ak_ctx_count_communicated(ctx,
                              (c->size - 1) * size * (int64_t)sizeof *sums);
    return AKIN_OK;
}

akin_status ak_comm_sum(akin_ctx *ctx, int64_t n, int64_t block, int64_t size,
                        double *sums)
{
    const int64_t blocks = n / block + (n % block != 0);
    const int64_t ranks = akin_ctx_ranks(ctx);
    if (ranks == 1) {
        add_blocks(sums, sums, size, 1, blocks, size);
        return AKIN_OK;
    }
    AK_CHECK(pass_on(ctx, ak_comm_own(ctx, blocks, 1), size, sums));
    return broadcast(ctx, sums, (size_t)size * sizeof *sums, ranks - 1);
}
