/* Indexes of vectors: exact, or with a graph. In a file they are "vectors". */
#include "index/dense/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "index/candidates.h"
#include "la/clones.h"
#include "la/dense.h"
#include "model/compare.h"
#include "model/diagonal.h"

static double total(const double s[8])
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* Eight running sums on every processor. */
AK_CLONES static double dot(int64_t n, const float *a, const float *b)
{
    double s[8] = {0};
    int64_t j = 0;
    for (; j + 8 <= n; j += 8)
        for (int l = 0; l < 8; ++l)
            s[l] += (double)a[j + l] * (double)b[j + l];
    for (int l = 0; j + l < n; ++l)
        s[l] += (double)a[j + l] * (double)b[j + l];
    return total(s);
}

double ak_dense_self(const ak_dense *v, const float *a, bool absolute)
{
    double s[8] = {0};
    if (absolute || v->w == NULL)
        return dot(v->k, a, a);
    for (int64_t j = 0; j < v->k; ++j) {
        const double x = a[j];
        s[j % 8] += v->w[j] < 0.0 ? -(x * x) : x * x;
    }
    return total(s);
}

double ak_dense_score(const ak_dense *v, const float *q, double norm, int64_t i,
                      akin_compare by)
{
    const double product = dot(v->k, v->vectors + i * v->k, q);
    if (by == AKIN_BY_DOT)
        return product;
    if (by == AKIN_BY_COSINE) {
        const double size = sqrt(norm) * sqrt(v->norm[i]);
        return size > 0.0 ? product / size : 0.0;
    }
    const double minus = (2.0 * product - norm) -
                         (v->self ? v->self[i] : v->norm[i]);
    return !v->self && minus > 0.0 ? 0.0 : minus;
}

const float *ak_dense_query(const ak_dense *v, const akin_rows *queries,
                            int64_t t, float *room)
{
    const ak_row row = ak_row_of(queries, t);
    if (row.cols == NULL)
        return row.vals;
    memset(room, 0, (size_t)v->k * sizeof *room);
    for (int64_t j = 0; j < row.n; ++j)
        room[row.cols[j]] = row.vals[j];
    return room;
}

int64_t ak_dense_hidden(const ak_search *w, int64_t t)
{
    const int64_t *rows;
    return w->n_hidden + (w->ignore ? akin_lists_get(&rows, w->ignore, t) : 0);
}

bool ak_dense_hides(const akin_index *x, const ak_search *w, int64_t t,
                    int64_t i)
{
    const int64_t *rows;
    const int64_t n = w->ignore ? akin_lists_get(&rows, w->ignore, t) : 0;
    for (int64_t k = 0; k < n; ++k)
        if (rows[k] == i)
            return true;
    for (int64_t k = 0; k < w->n_hidden; ++k)
        if (w->hidden[k] == i)
            return true;
    return x->gone[i] || (w->exclude && w->exclude[i]);
}

static akin_status state_of(akin_index *x, akin_ctx *ctx, ak_dense **out)
{
    const ak_model_kind *kind = x->model->kind;
    if (x->state == NULL)
        AK_CHECK(AK_NEW(ctx, 1, (ak_dense **)&x->state));
    *out = x->state;
    (*out)->k = ak_index_dim(x);
    (*out)->w = kind->embed ? NULL : ak_diagonal_w(x->model);
    return AKIN_OK;
}

/* With a negative weight a row's score with itself is not its norm. */
static bool has_negative(const ak_dense *v)
{
    for (int64_t j = 0; v->w && j < v->k; ++j)
        if (v->w[j] < 0.0)
            return true;
    return false;
}

/* Norms of the rows from `first` on. */
static akin_status measure(akin_index *x, akin_ctx *ctx, int64_t first)
{
    ak_dense *v = ak_dense_of(x);
    const bool negative = has_negative(v);
    AK_CHECK(ak_resize(ctx, x->n, sizeof *v->norm, &v->norm));
    if (negative)
        AK_CHECK(ak_resize(ctx, x->n, sizeof *v->self, &v->self));
    for (int64_t i = first; i < x->n; ++i) {
        v->norm[i] = ak_dense_self(v, v->vectors + i * v->k, true);
        if (negative)
            v->self[i] = ak_dense_self(v, v->vectors + i * v->k, false);
    }
    return AKIN_OK;
}

static akin_status set_rates(akin_index *x, akin_ctx *ctx)
{
    ak_dense *v = ak_dense_of(x);
    const ak_sizes sizes = {.norm = v->norm, .self = v->self};
    ak_score_factors_free(&v->factors);
    return ak_score_factors_make(&v->factors, ctx, x, &sizes, x->by);
}

/* Grow to all rows, in memory of our own. */
static akin_status grow(akin_index *x, akin_ctx *ctx, int64_t first)
{
    ak_dense *v = ak_dense_of(x);
    float *vectors = NULL;
    int64_t size = 0;
    if (!ak_mul_i64(x->n, v->k, &size) || size > PTRDIFF_MAX / 8)
        return ak_nomem(ctx, SIZE_MAX);
    AK_CHECK(AK_NEW(ctx, size, &vectors));
    if (first * v->k > 0)
        memcpy(vectors, v->vectors, (size_t)(first * v->k) * sizeof *vectors);
    akin_free(v->own);
    v->vectors = v->own = vectors;
    return AKIN_OK;
}

static akin_status check_size(akin_ctx *ctx, const akin_rows *rows, int64_t k)
{
    int64_t size = 0;
    if (!rows->offsets || (ak_mul_i64(rows->n, k, &size) && size <= INT32_MAX))
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "%" PRId64 " sparse rows of %" PRId64
                   " columns are too many for vectors (use approximate "
                   "none)",
                   rows->n, k);
}

static akin_status dense_add(akin_index *x, akin_ctx *ctx,
                             const akin_rows *rows)
{
    const int64_t first = x->n - rows->n;
    akin_rows *ready = NULL, *vectors = NULL;
    ak_dense *v;
    akin_status st = AKIN_OK;
    AK_TRY(state_of(x, ctx, &v));
    AK_TRY(akin_model_prepare(&ready, ctx, x->model, rows, AKIN_RIGHT));
    AK_TRY(ak_model_embed(&vectors, ctx, x->model, ready, AKIN_RIGHT));
    AK_TRY(check_size(ctx, vectors, v->k));
    AK_TRY(grow(x, ctx, first));
    for (int64_t i = 0; i < rows->n; ++i) {
        float *to = v->own + (first + i) * v->k;
        const float *from = ak_dense_query(v, vectors, i, to);
        if (from != to)
            memcpy(to, from, (size_t)v->k * sizeof *to);
    }
    AK_TRY(measure(x, ctx, first));
    AK_TRY(set_rates(x, ctx));
    if (x->kind == &ak_index_hnsw)
        AK_TRY(ak_graph_add(x, ctx, first));
done:
    akin_rows_free(ready);
    akin_rows_free(vectors);
    return st;
}

static akin_status dense_remove(akin_index *x, akin_ctx *ctx)
{
    if (x->kind == &ak_index_hnsw)
        ak_graph_remove(x);
    return set_rates(x, ctx);
}

/* Rows are the right side of the similarity, queries the left. */
static akin_status dense_rows(const akin_index *x, akin_ctx *ctx,
                              const int64_t *which, int64_t count,
                              akin_rows **out)
{
    const ak_dense *v = ak_dense_of(x);
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_index_check_sides(x, ctx));
    AK_TRY(ak_rows_new(&r, ctx, count, v->k));
    AK_TRY(AK_NEW(ctx, count * v->k, &r->vals));
    for (int64_t i = 0; i < count * v->k; ++i) {
        const int64_t j = i % v->k;
        const float a = v->vectors[which[i / v->k] * v->k + j];
        r->vals[i] = v->w && v->w[j] < 0.0 ? -a : a;
    }
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

static akin_status dense_put(const akin_index *x, akin_ctx *ctx, ak_tensors *t)
{
    const ak_dense *v = ak_dense_of(x);
    AK_CHECK(ak_tensors_put(
        t, ctx,
        (ak_tensor){"vectors", AK_DTYPE_F32, 2, {x->n, v->k}, v->vectors}));
    if (x->kind == &ak_index_hnsw)
        AK_CHECK(ak_graph_put(x, ctx, t));
    return AKIN_OK;
}

static akin_status dense_take(akin_index *x, akin_ctx *ctx, const ak_tensors *t)
{
    const ak_tensor *vectors;
    ak_dense *v;
    AK_CHECK(state_of(x, ctx, &v));
    AK_CHECK(ak_tensors_need(t, ctx, "vectors", AK_DTYPE_F32, 2, &vectors));
    if (vectors->shape[0] != x->n || vectors->shape[1] != v->k)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " vectors of %" PRId64
                       " numbers (expected %" PRId64 " of %" PRId64 ")",
                       ak_tensors_path(t), vectors->shape[0], vectors->shape[1],
                       x->n, v->k);
    v->vectors = vectors->data;
    for (int64_t i = 0; i < x->n * v->k; ++i)
        if (!isfinite(v->vectors[i]))
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s: vector %" PRId64 " is not finite",
                           ak_tensors_path(t), i / v->k);
    AK_CHECK(measure(x, ctx, 0));
    AK_CHECK(set_rates(x, ctx));
    if (x->kind == &ak_index_hnsw)
        AK_CHECK(ak_graph_take(x, ctx, t));
    return AKIN_OK;
}

static void dense_free(akin_index *x)
{
    ak_dense *v = x->state;
    if (v == NULL)
        return;
    ak_graph_free(v);
    akin_free(v->own);
    akin_free(v->norm);
    akin_free(v->self);
    ak_score_factors_free(&v->factors);
    akin_free(v);
}

/* ---- exact search ----------------------------------------------------------
 *
 * Products of a block of queries and a chunk of rows in float; rows that may be
 * among the best are scored again in double. */

enum {
    QUERIES = 256,   // largest block
    HITS = 1 << 21,  // in a block, all queries together
    LEAST = 64,      // smallest block, if there are as many
    CHUNK = 1024,    // rows
    ROOM = 1024,     // extra candidates per query
};

/* The state of a worker. */
typedef struct search_worker {
    float *queries;   // QUERIES x k, where they are sparse
    float *products;  // QUERIES x CHUNK
    ak_candidates candidates[QUERIES];
    double norm[QUERIES];  // of the comparison
    ak_hit *best;          // top
} search_worker;

typedef struct search_job {
    const akin_index *x;
    const ak_dense *v;
    const ak_search *w;
    const ak_score_factors *factors;
    const unsigned char *skip;  // n: rows that no query finds
    akin_ctx *ctx;
    ak_score_factors other;  // when the search uses another comparison
    search_worker *workers;
} search_job;

/* Set up query t of the block: the error bound of its products. */
static void begin_query(const search_job *a, search_worker *r, int64_t t,
                        int64_t query, const float *q)
{
    const ak_dense *v = a->v;
    const akin_compare by = a->w->by;
    const double size = sqrt(ak_dense_self(v, q, true)) * a->factors->largest;
    const double eps = (double)FLT_EPSILON * (double)(v->k + 4);
    double error = eps * size;
    if (by == AKIN_BY_DISTANCE)
        error = 2.0 * eps * (size + a->factors->largest * a->factors->largest);
    r->norm[t] = ak_dense_self(v, q, by == AKIN_BY_COSINE);
    ak_candidates *s = &r->candidates[t];
    s->top = ak_min_i64(a->w->top + ak_dense_hidden(a->w, query), a->x->n);
    s->slack = 2.0 * error;
    s->least = s->known = -INFINITY;
    ak_candidates_clear(s);
    s->full = !a->factors->safe || !(size < 1e12);
}

static void offer(const search_job *a, search_worker *r, int64_t t,
                  int64_t query, const float *q, int64_t i, int64_t *count)
{
    if (ak_dense_hides(a->x, a->w, query, i))
        return;
    const double score = ak_dense_score(a->v, q, r->norm[t], i, a->w->by);
    *count = ak_hits_offer(r->best, *count, a->w->top, (ak_hit){score, i});
}

/* Score the candidates exactly, or all rows where there are too many. */
static void end_query(const search_job *a, search_worker *r, int64_t t,
                      int64_t query, const float *q)
{
    ak_candidates *s = &r->candidates[t];
    int64_t count = 0;
    ak_candidates_filter(s);
    if (s->full)
        for (int64_t i = 0; i < a->x->n; ++i)
            offer(a, r, t, query, q, i, &count);
    else
        for (int64_t k = 0; k < s->n_rows; ++k)
            offer(a, r, t, query, q, s->rows[k], &count);
    ak_hits_sort(r->best, count);
    ak_search_store(a->w, query, r->best, count);
}

/* The queries of a block, contiguous. */
static const float *block_of(const search_job *a, search_worker *r,
                             int64_t begin, int64_t end)
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
    const search_job *a = arg;
    const int64_t k = a->v->k, count = end - begin;
    search_worker *r = &a->workers[worker];
    const float *q = block_of(a, r, begin, end);
    for (int64_t t = 0; t < count; ++t)
        begin_query(a, r, t, begin + t, q + t * k);
    for (int64_t i = 0; i < a->x->n; i += CHUNK) {
        const int64_t n = ak_min_i64(CHUNK, a->x->n - i);
        if (k > 0)
            AK_CHECK(ak_gemm_f32(a->ctx, count, n, k, q, k,
                                 a->v->vectors + i * k, k, r->products, CHUNK));
        for (int64_t t = 0; t < count; ++t)
            ak_candidates_rows(&r->candidates[t], i, n, r->products + t * CHUNK,
                               a->factors->times + i, a->factors->plus + i,
                               a->skip + i);
    }
    for (int64_t t = 0; t < count; ++t)
        end_query(a, r, t, begin + t, q + t * k);
    return AKIN_OK;
}

static int64_t most_hidden(const ak_search *w)
{
    int64_t most = 0;
    for (int64_t t = 0; t < w->queries->n; ++t)
        most = ak_max_i64(most, ak_dense_hidden(w, t));
    return most;
}

static akin_status take_memory(search_worker *r, akin_ctx *ctx,
                               const search_job *a, int64_t block,
                               int64_t hidden)
{
    const int64_t top = ak_min_i64(a->w->top + hidden, a->x->n);
    const int64_t most = ak_min_i64(4 * top + ROOM, a->x->n);
    if (a->w->queries->offsets)
        AK_CHECK(AK_NEW(ctx, QUERIES * a->v->k, &r->queries));
    AK_CHECK(AK_NEW(ctx, QUERIES * CHUNK, &r->products));
    AK_CHECK(AK_NEW(ctx, a->w->top, &r->best));
    for (int t = 0; t < block && t < a->w->queries->n; ++t) {
        ak_candidates *s = &r->candidates[t];
        s->room = most;
        AK_CHECK(AK_NEW(ctx, most, &s->rows));
        AK_CHECK(AK_NEW(ctx, most, &s->scores));
    }
    return AKIN_OK;
}

static void release(search_worker *r)
{
    akin_free(r->queries);
    akin_free(r->products);
    akin_free(r->best);
    for (int t = 0; t < QUERIES; ++t) {
        akin_free(r->candidates[t].rows);
        akin_free(r->candidates[t].scores);
    }
}

/* Large blocks for many queries, small ones where each wants many hits. */
static int64_t queries_at_once(const ak_search *w, int64_t workers)
{
    const int64_t share = w->queries->n / workers + 1;
    const int64_t block = ak_min_i64(ak_max_i64(share, LEAST), QUERIES);
    return ak_max_i64(ak_min_i64(block, HITS / (w->top + 1)), 1);
}

/* Flags of rows that are removed or excluded. */
static akin_status skipped_rows(const akin_index *x, akin_ctx *ctx,
                                const ak_search *w, const unsigned char **out)
{
    unsigned char *skip;
    *out = x->gone;
    if (w->n_exclude == 0)
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(ctx, x->n, &skip));
    for (int64_t i = 0; i < x->n; ++i)
        skip[i] = x->gone[i] || w->exclude[i];
    *out = skip;
    return AKIN_OK;
}

akin_status ak_dense_search(const akin_index *x, akin_ctx *ctx,
                            const ak_search *w)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_dense *v = ak_dense_of(x);
    const int64_t block = queries_at_once(w, ak_workers(ctx));
    const int64_t blocks = (w->queries->n + block - 1) / block;
    const int64_t workers = ak_min_i64(ak_workers(ctx), blocks);
    const ak_sizes sizes = {.norm = v->norm, .self = v->self};
    search_job a = {.x = x, .v = v, .w = w, .factors = &v->factors, .ctx = ctx};
    akin_status st = AKIN_OK;
    if (w->by != v->factors.by) {
        AK_TRY(ak_score_factors_make(&a.other, ctx, x, &sizes, w->by));
        a.factors = &a.other;
    }
    AK_TRY(skipped_rows(x, ctx, w, &a.skip));
    AK_TRY(AK_SCRATCH(ctx, workers, &a.workers));
    for (int64_t k = 0; k < workers; ++k)
        AK_TRY(take_memory(&a.workers[k], ctx, &a, block, most_hidden(w)));
    AK_TRY(ak_search_run(ctx, w, block, search_block, &a));
done:
    for (int64_t k = 0; k < workers && a.workers; ++k)
        release(&a.workers[k]);
    ak_score_factors_free(&a.other);
    ak_scratch_end(ctx, mark);
    return st;
}

const ak_index_kind ak_index_dense = {
    .name = "dense",
    .add = dense_add,
    .remove = dense_remove,
    .search = ak_dense_search,
    .rows = dense_rows,
    .put = dense_put,
    .take = dense_take,
    .free = dense_free,
};

const ak_index_kind ak_index_hnsw = {
    .name = "hnsw",
    .add = dense_add,
    .remove = dense_remove,
    .search = ak_graph_search,
    .rows = dense_rows,
    .put = dense_put,
    .take = dense_take,
    .free = dense_free,
};
