#include "learn/diagonal/hadamard.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/sparse.h"

enum {
    SLACK = 16,  // entries that ak_hadamard may write past the end
    CACHE_ENTRIES = 1 << 16,
    MERGE_BLOCK = 16,
    DRAW_BLOCK = 1024,
    AHEAD = 2,  // triplets to prefetch
};

typedef struct merge {
    ak_hadamards *h;
    const akin_rows *rows;
    const int64_t *triplets;
} merge;

static int64_t row_count(const akin_rows *rows, int64_t i)
{
    return rows->offsets ? rows->offsets[i + 1] - rows->offsets[i] : rows->d;
}

static int64_t dense_hadamard(const akin_rows *rows, const int64_t *t,
                              int32_t *cols, double *vals)
{
    const float *x = ak_rows_dense(rows, t[0]);
    const float *p = ak_rows_dense(rows, t[1]);
    const float *n = ak_rows_dense(rows, t[2]);
    int64_t count = 0;
    for (int64_t j = 0; j < rows->d; ++j) {
        const double v = (double)x[j] * ((double)p[j] - (double)n[j]);
        cols[count] = (int32_t)j;
        vals[count] = v;
        count += v != 0.0;
    }
    return count;
}

static int64_t sparse_hadamard(const akin_rows *rows, const int64_t *t,
                               int32_t *cols, double *vals)
{
    const ak_sparse x = ak_rows_sparse(rows, t[0]);
    const ak_sparse p = ak_rows_sparse(rows, t[1]);
    const ak_sparse n = ak_rows_sparse(rows, t[2]);
    return ak_hadamard(x.n, x.cols, x.vals, p.n, p.cols, p.vals, n.n, n.cols,
                       n.vals, cols, vals);
}

/* The rows of a triplet are anywhere in memory: prefetch them while others are
 * merged. The empty instruction keeps gcc from removing a function that seems
 * to do nothing. */
static void prefetch(const akin_rows *rows, const int64_t *t)
{
    __asm__ volatile("");
    for (int k = 0; k < 3; ++k) {
        const int64_t begin = rows->offsets[t[k]];
        const int64_t end = rows->offsets[t[k] + 1];
        for (int64_t i = begin; i < end; i += 16) {
            __builtin_prefetch(rows->cols + i);
            __builtin_prefetch(rows->vals + i);
        }
    }
}

static akin_status merge_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const merge *m = arg;
    ak_hadamards *h = m->h;
    (void)worker;
    for (int64_t k = begin; k < end; ++k) {
        const int64_t *t = m->triplets + 3 * k;
        const int64_t at = h->offsets[k];
        if (m->rows->offsets == NULL) {
            h->counts[k] =
                dense_hadamard(m->rows, t, h->cols + at, h->vals + at);
            continue;
        }
        if (k + AHEAD < h->n)
            prefetch(m->rows, t + (ptrdiff_t)3 * AHEAD);
        h->counts[k] = sparse_hadamard(m->rows, t, h->cols + at, h->vals + at);
    }
    return AKIN_OK;
}

static akin_status reserve(ak_hadamards *h, akin_ctx *ctx, int64_t most,
                           int64_t entries)
{
    if (most > h->room_rows) {
        AK_CHECK(ak_resize(ctx, most + 1, sizeof *h->offsets, &h->offsets));
        AK_CHECK(ak_resize(ctx, most, sizeof *h->counts, &h->counts));
        h->room_rows = most;
    }
    if (entries > h->room) {
        AK_CHECK(ak_resize(ctx, entries, sizeof *h->cols, &h->cols));
        AK_CHECK(ak_resize(ctx, entries, sizeof *h->vals, &h->vals));
        h->room = entries;
    }
    return AKIN_OK;
}

akin_status ak_hadamards_fill(ak_hadamards *h, akin_ctx *ctx,
                              const akin_rows *rows, const int64_t *triplets,
                              int64_t count, int64_t most)
{
    const int64_t limit = ak_min_i64(count, most);
    AK_CHECK(reserve(h, ctx, limit, 0));
    int64_t entries = 0;
    h->n = 0;
    while (h->n < limit && (h->n == 0 || entries < CACHE_ENTRIES)) {
        h->offsets[h->n] = entries;
        entries += row_count(rows, triplets[3 * h->n]) + SLACK;
        ++h->n;
    }
    h->offsets[h->n] = entries;
    AK_CHECK(reserve(h, ctx, limit, entries));
    merge m = {h, rows, triplets};
    return ak_parallel_for(ctx, h->n, MERGE_BLOCK, merge_block, &m);
}

/* Append the vectors of a block, without the gaps between them. */
static akin_status append(ak_hadamards *h, akin_ctx *ctx,
                          const ak_hadamards *block)
{
    int64_t total = h->offsets[h->n];
    for (int64_t k = 0; k < block->n; ++k)
        total += block->counts[k];
    akin_status st = AKIN_OK;
    if (total > h->room)
        st = reserve(h, ctx, 0, total + total / 2);
    for (int64_t k = 0; k < block->n && st == AKIN_OK; ++k) {
        const int64_t at = h->offsets[h->n], from = block->offsets[k];
        const int64_t n = block->counts[k];
        memcpy(h->cols + at, block->cols + from, (size_t)n * sizeof *h->cols);
        memcpy(h->vals + at, block->vals + from, (size_t)n * sizeof *h->vals);
        h->counts[h->n++] = n;
        h->offsets[h->n] = at + n;
    }
    return st;
}

akin_status ak_hadamards_all(ak_hadamards *h, akin_ctx *ctx,
                             const akin_rows *rows, const ak_sampler *sampler,
                             int64_t count)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_hadamards block = {0};
    int64_t *triplets = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 3 * DRAW_BLOCK, &triplets));
    AK_TRY(reserve(h, ctx, count, 1));
    h->n = 0;
    h->offsets[0] = 0;
    while (h->n < count) {
        const int64_t n = ak_min_i64(DRAW_BLOCK, count - h->n);
        ak_sampler_draw(sampler, h->n, n, triplets);
        AK_TRY(ak_hadamards_fill(&block, ctx, rows, triplets, n, n));
        AK_TRY(append(h, ctx, &block));
        AK_TRY(ak_ctx_tick(ctx, "examples", h->n, count, NAN));
    }
done:
    ak_hadamards_free(&block);
    ak_scratch_end(ctx, mark);
    return st;
}

void ak_hadamards_free(ak_hadamards *h)
{
    akin_free(h->offsets);
    akin_free(h->counts);
    akin_free(h->cols);
    akin_free(h->vals);
}
