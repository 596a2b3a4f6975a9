#include "base/comm.h"

#include <stdio.h>
#include <string.h>

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

akin_status ak_comm_broadcast(akin_ctx *ctx, void *bytes, size_t n,
                              int64_t root)
{
    const akin_comm *c = ak_ctx_comm(ctx);
    if (c == NULL || n == 0)
        return AKIN_OK;
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

/* All have the message of the rank that failed first. */
static akin_status pass_message(akin_ctx *ctx, akin_status st, int64_t who)
{
    char message[1024] = "";
    if (akin_ctx_rank(ctx) == who)
        snprintf(message, sizeof message, "%s", akin_ctx_message(ctx));
    AK_CHECK(ak_comm_broadcast(ctx, message, sizeof message, who));
    return akin_ctx_rank(ctx) == who ? st : ak_fail(ctx, st, "%s", message);
}

akin_status ak_comm_agree(akin_ctx *ctx, akin_status st)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t ranks = akin_ctx_ranks(ctx);
    int32_t *all;
    akin_status first = st;
    int64_t who = 0;
    if (ranks == 1)
        return st;
    AK_CHECK(AK_SCRATCH(ctx, ranks, &all));
    all[akin_ctx_rank(ctx)] = (int32_t)st;
    const akin_status sent = gather_values(ctx, all, sizeof *all);
    for (int64_t r = ranks; sent == AKIN_OK && r-- > 0;)
        if (all[r] != AKIN_OK) {
            first = (akin_status)all[r];
            who = r;
        }
    ak_scratch_end(ctx, mark);
    if (sent != AKIN_OK || first == AKIN_OK)
        return sent;
    return pass_message(ctx, first, who);
}

akin_status ak_comm_follow(akin_ctx *ctx, akin_status st)
{
    int32_t value = (int32_t)st;
    if (akin_ctx_ranks(ctx) == 1)
        return st;
    AK_CHECK(ak_comm_broadcast(ctx, &value, sizeof value, 0));
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

/* Where the bytes of each rank lie behind those of the ranks before it. */
static akin_status gather_offsets(akin_ctx *ctx, size_t n,
                                  const size_t **offsets)
{
    const int64_t ranks = akin_ctx_ranks(ctx);
    size_t *at;
    AK_CHECK(AK_SCRATCH(ctx, ranks + 1, &at));
    at[akin_ctx_rank(ctx) + 1] = n;
    if (ranks > 1)
        AK_CHECK(gather_values(ctx, at + 1, sizeof *at));
    for (int64_t r = 0; r < ranks; ++r)
        at[r + 1] += at[r];
    *offsets = at;
    return AKIN_OK;
}

akin_status ak_comm_collect(akin_ctx *ctx, const void *own, size_t n,
                            unsigned char **all, const size_t **offsets)
{
    AK_CHECK(gather_offsets(ctx, n, offsets));
    AK_CHECK(AK_SCRATCH(ctx, (int64_t)(*offsets)[akin_ctx_ranks(ctx)], all));
    if (n > 0)
        memcpy(*all + (*offsets)[akin_ctx_rank(ctx)], own, n);
    return ak_comm_gather_bytes(ctx, *all, *offsets);
}

akin_status ak_comm_deliver(akin_ctx *ctx, const void *own, size_t n,
                            unsigned char **all, const size_t **offsets)
{
    const akin_comm *c = ak_ctx_comm(ctx);
    AK_CHECK(gather_offsets(ctx, n, offsets));
    const size_t *at = *offsets;
    const int64_t size = akin_ctx_ranks(ctx), rank = akin_ctx_rank(ctx);
    *all = NULL;
    if (c != NULL)
        ak_ctx_count_communicated(ctx, (int64_t)(at[size] - at[1]));
    if (rank > 0)
        return n > 0 ? done_with(ctx, 0,
                                 c->exchange(c->user, own, n, 0, NULL, 0, 0))
                     : AKIN_OK;
    AK_CHECK(AK_SCRATCH(ctx, (int64_t)at[size], all));
    if (n > 0)
        memcpy(*all, own, n);
    for (int64_t r = 1; r < size; ++r)
        if (at[r + 1] > at[r])
            AK_CHECK(done_with(ctx, 0,
                               c->exchange(c->user, NULL, 0, 0, *all + at[r],
                                           at[r + 1] - at[r], r)));
    return AKIN_OK;
}

/* ---- sums ------------------------------------------------------------------
 *
 * Blocks are the leaves of a binary tree whose shape depends on their number
 * alone, and a node is the sum of its two halves. A rank adds up the largest
 * nodes within its blocks, its roots, of which there are few. Then each rank
 * receives its slice of all roots, adds them up, and sends the result to all.
 * Of a short sum every rank receives all. */

enum {
    SHORT = 2048,  // numbers
    STEP = 2048,   // numbers that are added at a time, and stay in the cache
};

typedef struct tree_sum {
    int64_t blocks, size;
    double *sums;
    ak_rank_range *roots;  // in order
    int64_t *first;        // root of each rank, and the number of all
} tree_sum;

static int64_t rank_of(const akin_ctx *ctx, int64_t blocks, int64_t b)
{
    const int64_t size = akin_ctx_ranks(ctx);
    const int64_t each = blocks / size, left = blocks % size;
    return b < left * (each + 1) ? b / (each + 1) : (b - left) / each;
}

/* Where the second half of a node begins. */
static int64_t middle(ak_rank_range node)
{
    int64_t half = 1;
    while (2 * half < node.end - node.begin)
        half *= 2;
    return node.begin + half;
}

static void find_roots(tree_sum *t, const akin_ctx *ctx, ak_rank_range node)
{
    const int64_t rank = rank_of(ctx, t->blocks, node.begin);
    if (rank == rank_of(ctx, t->blocks, node.end - 1)) {
        const int64_t ranks = akin_ctx_ranks(ctx);
        t->roots[t->first[ranks]++] = node;
        for (int64_t r = rank + 1; r < ranks; ++r)
            t->first[r] = t->first[ranks];
        return;
    }
    find_roots(t, ctx, (ak_rank_range){node.begin, middle(node)});
    find_roots(t, ctx, (ak_rank_range){middle(node), node.end});
}

/* Add up the numbers [i, i + count) of a node; of several ranks (`ctx` not
 * NULL), where their roots have been added up. */
static void add_node(const tree_sum *t, const akin_ctx *ctx, ak_rank_range node,
                     int64_t i, int64_t count)
{
    const int64_t second = middle(node);
    double *to = t->sums + node.begin * t->size + i;
    const double *from = t->sums + second * t->size + i;
    if (node.end - node.begin == 1 ||
        (ctx != NULL && rank_of(ctx, t->blocks, node.begin) ==
                            rank_of(ctx, t->blocks, node.end - 1)))
        return;
    add_node(t, ctx, (ak_rank_range){node.begin, second}, i, count);
    add_node(t, ctx, (ak_rank_range){second, node.end}, i, count);
    for (int64_t k = 0; k < count; ++k)
        to[k] += from[k];
}

static void add_up(const tree_sum *t, const akin_ctx *ctx, ak_rank_range node,
                   ak_rank_range slice)
{
    for (int64_t i = slice.begin; i < slice.end; i += STEP)
        add_node(t, ctx, node, i, ak_min_i64(STEP, slice.end - i));
}

/* A slice of the roots of a rank, one after another. */
static void pack(const tree_sum *t, int64_t rank, ak_rank_range slice,
                 double *out)
{
    const int64_t n = slice.end - slice.begin;
    for (int64_t k = t->first[rank]; k < t->first[rank + 1]; ++k, out += n)
        memcpy(out, t->sums + t->roots[k].begin * t->size + slice.begin,
               (size_t)n * sizeof *out);
}

static void unpack(const tree_sum *t, int64_t rank, ak_rank_range slice,
                   const double *in)
{
    const int64_t n = slice.end - slice.begin;
    for (int64_t k = t->first[rank]; k < t->first[rank + 1]; ++k, in += n)
        memcpy(t->sums + t->roots[k].begin * t->size + slice.begin, in,
               (size_t)n * sizeof *in);
}

/* Every rank receives all roots. */
static akin_status sum_short(const tree_sum *t, akin_ctx *ctx)
{
    const int64_t ranks = akin_ctx_ranks(ctx), rank = akin_ctx_rank(ctx);
    const ak_rank_range all = {0, t->size};
    size_t *offsets;
    double *packed;
    AK_CHECK(AK_SCRATCH(ctx, ranks + 1, &offsets));
    AK_CHECK(AK_SCRATCH(ctx, t->first[ranks] * t->size, &packed));
    for (int64_t r = 0; r <= ranks; ++r)
        offsets[r] = (size_t)(t->first[r] * t->size) * sizeof *packed;
    pack(t, rank, all, packed + t->first[rank] * t->size);
    AK_CHECK(ak_comm_gather_bytes(ctx, packed, offsets));
    for (int64_t r = 0; r < ranks; ++r)
        if (r != rank)
            unpack(t, r, all, packed + t->first[r] * t->size);
    add_up(t, ctx, (ak_rank_range){0, t->blocks}, all);
    return AKIN_OK;
}

/* Every rank receives its slice of the roots. */
static akin_status scatter_roots(const tree_sum *t, akin_ctx *ctx)
{
    const akin_comm *c = ak_ctx_comm(ctx);
    const ak_rank_range own = ak_comm_own(ctx, t->size, 1);
    const int64_t most = t->size / c->size + 1, n = own.end - own.begin;
    const int64_t mine = t->first[c->rank + 1] - t->first[c->rank];
    double *out, *in;
    int64_t received = 0;
    AK_CHECK(AK_SCRATCH(ctx, mine * most, &out));
    AK_CHECK(AK_SCRATCH(ctx, t->first[c->size] * n, &in));
    for (int64_t s = 1; s < c->size; ++s) {
        const int64_t to = (c->rank + s) % c->size;
        const int64_t from = (c->rank - s + c->size) % c->size;
        const ak_rank_range theirs = ak_comm_range(ctx, t->size, 1, to);
        const int64_t n_out = mine * (theirs.end - theirs.begin);
        const int64_t n_in = (t->first[from + 1] - t->first[from]) * n;
        pack(t, c->rank, theirs, out);
        AK_CHECK(
            done_with(ctx, 0,
                      c->exchange(c->user, out, (size_t)n_out * sizeof *out, to,
                                  in, (size_t)n_in * sizeof *in, from)));
        unpack(t, from, own, in);
    }
    for (int64_t r = 0; r < c->size; ++r) {
        const ak_rank_range x = ak_comm_range(ctx, t->size, 1, r);
        received += (t->first[r + 1] - t->first[r]) *
                    (t->size - (x.end - x.begin));
    }
    ak_ctx_count_communicated(ctx, received * (int64_t)sizeof *out);
    return AKIN_OK;
}

static akin_status sum_ranks(tree_sum *t, akin_ctx *ctx)
{
    const int64_t ranks = akin_ctx_ranks(ctx), rank = akin_ctx_rank(ctx);
    AK_CHECK(AK_SCRATCH(ctx, ranks * 2 * 64, &t->roots));
    AK_CHECK(AK_SCRATCH(ctx, ranks + 1, &t->first));
    find_roots(t, ctx, (ak_rank_range){0, t->blocks});
    for (int64_t k = t->first[rank]; k < t->first[rank + 1]; ++k)
        add_up(t, NULL, t->roots[k], (ak_rank_range){0, t->size});
    if (t->size <= SHORT)
        return sum_short(t, ctx);
    AK_CHECK(scatter_roots(t, ctx));
    add_up(t, ctx, (ak_rank_range){0, t->blocks}, ak_comm_own(ctx, t->size, 1));
    return ak_comm_gather(ctx, t->size, 1,
                          &(ak_comm_array){t->sums, sizeof *t->sums}, 1);
}

akin_status ak_comm_sum(akin_ctx *ctx, int64_t n, int64_t block, int64_t size,
                        double *sums)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    tree_sum t = {n / block + (n % block != 0), size, sums, NULL, NULL};
    akin_status st = AKIN_OK;
    if (t.blocks == 0)
        return AKIN_OK;
    if (akin_ctx_ranks(ctx) == 1)
        add_up(&t, NULL, (ak_rank_range){0, t.blocks},
               (ak_rank_range){0, size});
    else
        st = sum_ranks(&t, ctx);
    ak_scratch_end(ctx, mark);
    return st;
}
