/* Exact search among vectors: products of a block of queries and a chunk of
 * rows in float, and those that may be among the best once more in double. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "index/dense/dense.h"
#include "index/select.h"
#include "la/dense.h"

enum {
    QUERIES = 256,   // in a block at most
    HITS = 1 << 21,  // of a block, all queries together
    LEAST = 64,      // and at least, where there are as many
    CHUNK = 1024,    // rows
    ROOM = 1024,     // candidates of a query beside the wanted ones
};

/* What a worker has for itself. */
typedef struct room {
    float *queries;   // QUERIES x k, where they are sparse
    float *products;  // QUERIES x CHUNK
    ak_select found[QUERIES];
    double norm[QUERIES];  // of the comparison
    ak_hit *best;          // top
} room;

typedef struct job {
    const akin_index *x;
    const ak_dense *v;
    const ak_wanted *w;
    const ak_rates *rates;
    akin_ctx *ctx;
    ak_rates other;  // where the search compares by something else
    room *rooms;
} job;

/* Query t of the block: how well its products are known. */
static void begin_query(const job *a, room *r, int64_t t, int64_t query,
                        const float *q)
{
    const ak_dense *v = a->v;
    const akin_compare by = a->w->by;
    const double size = sqrt(ak_dense_self(v, q, true)) * a->rates->largest;
    const double eps = (double)FLT_EPSILON * (double)(v->k + 4);
    double error = eps * size;
    if (by == AKIN_BY_DISTANCE)
        error = 2.0 * eps * (size + a->rates->largest * a->rates->largest);
    r->norm[t] = ak_dense_self(v, q, by == AKIN_BY_COSINE);
    ak_select *s = &r->found[t];
    s->top = ak_min_i64(a->w->top + ak_dense_hidden(a->w, query), a->x->n);
    s->slack = 2.0 * error;
    s->least = -INFINITY;
    ak_select_clear(s);
    s->full = !a->rates->safe || !(size < 1e12);
}

static void offer(const job *a, room *r, int64_t t, int64_t query,
                  const float *q, int64_t i, int64_t *count)
{
    if (ak_dense_hides(a->x, a->w, query, i))
        return;
    const double score = ak_dense_score(a->v, q, r->norm[t], i, a->w->by);
    *count = ak_hits_offer(r->best, *count, a->w->top, (ak_hit){score, i});
}

/* The candidates exactly, or all rows where there were too many. */
static void end_query(const job *a, room *r, int64_t t, int64_t query,
                      const float *q)
{
    ak_select *s = &r->found[t];
    int64_t count = 0;
    ak_select_filter(s);
    if (s->full)
        for (int64_t i = 0; i < a->x->n; ++i)
            offer(a, r, t, query, q, i, &count);
    else
        for (int64_t k = 0; k < s->n_rows; ++k)
            offer(a, r, t, query, q, s->rows[k], &count);
    ak_hits_sort(r->best, count);
    ak_wanted_give(a->w, query, r->best, count);
}

/* The queries of a block, one behind the other. */
static const float *block_of(const job *a, room *r, int64_t begin, int64_t end)
{
    const akin_rows *queries = a->w->queries;
    if (queries->offsets == NULL)
        return queries->vals + begin * a->v->k;
    for (int64_t t = begin; t < end; ++t)
        ak_dense_query(a->v, queries, t, r->queries + (t - begin) * a->v->k);
    return r->queries;
}

static akin_status search_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const job *a = arg;
    const int64_t k = a->v->k, count = end - begin;
    room *r = &a->rooms[worker];
    const float *q = block_of(a, r, begin, end);
    akin_status st = AKIN_OK;
    for (int64_t t = 0; t < count; ++t)
        begin_query(a, r, t, begin + t, q + t * k);
    for (int64_t i = 0; i < a->x->n; i += CHUNK) {
        const int64_t n = ak_min_i64(CHUNK, a->x->n - i);
        if (k > 0)
            AK_TRY(ak_gemm_f32(a->ctx, count, n, k, q, k, a->v->vectors + i * k,
                               k, r->products, CHUNK));
        for (int64_t t = 0; t < count; ++t)
            ak_select_rows(&r->found[t], i, n, r->products + t * CHUNK,
                           a->rates->times + i, a->rates->plus + i,
                           a->x->gone + i);
    }
    for (int64_t t = 0; t < count; ++t)
        end_query(a, r, t, begin + t, q + t * k);
done:
    return st;
}

static int64_t most_hidden(const ak_wanted *w)
{
    int64_t most = 0;
    for (int64_t t = 0; t < w->queries->n; ++t)
        most = ak_max_i64(most, ak_dense_hidden(w, t));
    return most;
}

static akin_status take_memory(room *r, akin_ctx *ctx, const job *a,
                               int64_t block, int64_t hidden)
{
    const int64_t top = ak_min_i64(a->w->top + hidden, a->x->n);
    const int64_t most = ak_min_i64(4 * top + ROOM, a->x->n);
    akin_status st = AKIN_OK;
    if (a->w->queries->offsets)
        AK_TRY(AK_NEW(ctx, QUERIES * a->v->k, &r->queries));
    AK_TRY(AK_NEW(ctx, QUERIES * CHUNK, &r->products));
    AK_TRY(AK_NEW(ctx, a->w->top, &r->best));
    for (int t = 0; t < block && t < a->w->queries->n; ++t) {
        ak_select *s = &r->found[t];
        s->room = most;
        AK_TRY(AK_NEW(ctx, most, &s->rows));
        AK_TRY(AK_NEW(ctx, most, &s->scores));
    }
done:
    return st;
}

static void release(room *r, akin_ctx *ctx)
{
    ak_release(ctx, r->queries);
    ak_release(ctx, r->products);
    ak_release(ctx, r->best);
    for (int t = 0; t < QUERIES; ++t) {
        ak_release(ctx, r->found[t].rows);
        ak_release(ctx, r->found[t].scores);
    }
}

/* Large blocks for many queries, small ones where each wants a lot. */
static int64_t queries_at_once(const ak_wanted *w, int64_t workers)
{
    const int64_t share = w->queries->n / workers + 1;
    const int64_t block = ak_min_i64(ak_max_i64(share, LEAST), QUERIES);
    return ak_max_i64(ak_min_i64(block, HITS / (w->top + 1)), 1);
}

akin_status ak_dense_search(const akin_index *x, akin_ctx *ctx,
                            const ak_wanted *w)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_dense *v = ak_dense_of(x);
    const int64_t block = queries_at_once(w, ak_workers(ctx));
    const int64_t blocks = (w->queries->n + block - 1) / block;
    const int64_t workers = ak_min_i64(ak_workers(ctx), blocks);
    const ak_sizes sizes = {.norm = v->norm, .self = v->self};
    job a = {.x = x, .v = v, .w = w, .rates = &v->rates, .ctx = ctx};
    akin_status st = AKIN_OK;
    if (w->by != v->rates.by) {
        AK_TRY(ak_rates_make(&a.other, ctx, x, &sizes, w->by));
        a.rates = &a.other;
    }
    AK_TRY(AK_SCRATCH(ctx, workers, &a.rooms));
    for (int64_t k = 0; k < workers; ++k)
        AK_TRY(take_memory(&a.rooms[k], ctx, &a, block, most_hidden(w)));
    AK_TRY(ak_parallel_for(ctx, w->queries->n, block, search_block, &a));
done:
    for (int64_t k = 0; k < workers && a.rooms; ++k)
        release(&a.rooms[k], ctx);
    ak_rates_free(&a.other, x);
    ak_scratch_end(ctx, mark);
    return st;
}
