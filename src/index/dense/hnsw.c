/* The graph of neighbours of an index: building, searching, in a file as
 * "graph.base", "graph.level" and "graph.upper". Its vectors are those of the
 * index, of length one where it compares by the cosine. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "index/dense/dense.h"
#include "index/dense/hnsw_shim.h"
#include "la/sparse.h"

enum {
    EFFORT = 128,  // of a search, at least
    LINKS_MOST = 4096,
};

/* ---- distances of vectors in float ----------------------------------------
 *
 * One source, compiled for each width of the processor's vectors. */

typedef float (*distance_fn)(const void *a, const void *b, const void *dim);

typedef float four __attribute__((vector_size(4 * sizeof(float))));

/* Four running vectors of sums, added up in parts of four; what is left over is
 * added one by one. */
#define DEFINE_SUMS(name, attribute, lanes, term)                              \
    attribute static inline float name(const float *a, const float *b,         \
                                       int64_t n)                              \
    {                                                                          \
        typedef float vector                                                   \
            __attribute__((vector_size((lanes) * sizeof(float)), aligned(4))); \
        vector s[4] = {{0}};                                                   \
        int64_t i = 0;                                                         \
        for (; i + 4 * (lanes) <= n; i += 4 * (lanes))                         \
            for (int k = 0; k < 4; ++k) {                                      \
                const vector x = *(const vector *)(a + i + k * (lanes));       \
                const vector y = *(const vector *)(b + i + k * (lanes));       \
                s[k] += term;                                                  \
            }                                                                  \
        union {                                                                \
            vector whole;                                                      \
            four part[(lanes) / 4];                                            \
        } u = {.whole = (s[0] + s[1]) + (s[2] + s[3])};                        \
        for (int k = 1; k < (lanes) / 4; ++k)                                  \
            u.part[0] += u.part[k];                                            \
        float sum = (u.part[0][0] + u.part[0][2]) +                            \
                    (u.part[0][1] + u.part[0][3]);                             \
        for (; i < n; ++i) {                                                   \
            const float x = a[i], y = b[i];                                    \
            sum += term;                                                       \
        }                                                                      \
        return sum;                                                            \
    }
#define DEFINE_DISTANCES(name, attribute, lanes)                          \
    DEFINE_SUMS(name##_dot, attribute, lanes, x *y)                       \
    DEFINE_SUMS(name##_gap, attribute, lanes, (x - y) * (x - y))          \
    attribute static float name##_minus_dot(const void *a, const void *b, \
                                            const void *dim)              \
    {                                                                     \
        return -name##_dot(a, b, *(const int64_t *)dim);                  \
    }                                                                     \
    attribute static float name##_distance(const void *a, const void *b,  \
                                           const void *dim)               \
    {                                                                     \
        return name##_gap(a, b, *(const int64_t *)dim);                   \
    }

DEFINE_DISTANCES(portable, , 4)
#if defined(__x86_64__)
DEFINE_DISTANCES(avx2, __attribute__((target("avx2"))), 8)
DEFINE_DISTANCES(avx512, __attribute__((target("avx512f"))), 16)
#else
#define avx2_minus_dot portable_minus_dot
#define avx2_distance portable_distance
#define avx512_minus_dot portable_minus_dot
#define avx512_distance portable_distance
#endif

/* The squared distance, or minus the dot product, in the best form for this
 * processor. `dim` points to an int64_t: the length of each vector. */
static distance_fn distance_of(bool distance)
{
    switch (ak_la_level_now()) {
    case AK_LA_AVX512:
        return distance ? avx512_distance : avx512_minus_dot;
    case AK_LA_AVX2:
        return distance ? avx2_distance : avx2_minus_dot;
    default:
        return distance ? portable_distance : portable_minus_dot;
    }
}

/* ---- the graph ---- */

bool ak_graph_exists(void)
{
    return true;
}

void ak_graph_free(ak_dense *v)
{
    ak_hnsw_free(v->graph);
    v->graph = NULL;
}

static akin_status no_memory(akin_ctx *ctx)
{
    return ak_fail(ctx, AKIN_ENOMEM, "not enough memory for the graph");
}

static akin_status new_graph(akin_index *x, akin_ctx *ctx)
{
    ak_dense *v = ak_dense_of(x);
    if (v->self && x->by == AKIN_BY_DISTANCE)
        return ak_fail(ctx, AKIN_EINVAL,
                       "HNSW needs non-negative weights to search by distance "
                       "(use `approximate` none)");
    if (v->k < 1)
        return ak_fail(ctx, AKIN_EINVAL,
                       "HNSW needs vectors of at least one number");
    if (ak_hnsw_new(&v->graph, v->k, x->n, v->links, v->effort,
                    distance_of(x->by == AKIN_BY_DISTANCE)) != 0)
        return no_memory(ctx);
    return AKIN_OK;
}

/* A vector in the graph's form. */
static const float *graph_vector(const ak_dense *v, akin_compare by,
                                 const float *a, double norm, float *room)
{
    if (by != AKIN_BY_COSINE || !(norm > 0.0))
        return a;
    const double factor = 1.0 / sqrt(norm);
    for (int64_t j = 0; j < v->k; ++j)
        room[j] = (float)(factor * (double)a[j]);
    return room;
}

akin_status ak_graph_add(akin_index *x, akin_ctx *ctx, int64_t first)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_dense *v = ak_dense_of(x);
    float *room;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, v->k, &room));
    if (v->graph == NULL) {
        v->links = x->links;
        v->effort = x->effort;
        AK_TRY(new_graph(x, ctx));
    }
    if (ak_hnsw_grow(v->graph, x->n) != 0)
        AK_TRY(no_memory(ctx));
    for (int64_t i = first; i < x->n; ++i) {
        const float *a =
            graph_vector(v, x->by, v->vectors + i * v->k, v->norm[i], room);
        if (ak_hnsw_add(v->graph, a) != 0)
            AK_TRY(no_memory(ctx));
        AK_TRY(ak_ctx_tick(ctx, "rows", i + 1 - first, x->n - first, NAN));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

void ak_graph_remove(akin_index *x)
{
    for (int64_t i = 0; i < x->n; ++i)
        if (x->gone[i])
            ak_hnsw_remove(ak_dense_of(x)->graph, i);
}

typedef struct job {
    const akin_index *x;
    const ak_search *w;
    int64_t effort;
    int64_t *rows;  // effort a worker, and how far they are off
    float *gaps;
    float *room;   // 2 k a worker
    ak_hit *best;  // top a worker
} job;

/* Twice what rounding can make of a gap: of a sum of k products, none of them
 * larger together than the square of both lengths. */
static float slack_of(const ak_dense *v, double norm, akin_compare by)
{
    const double reach = by == AKIN_BY_COSINE ? 2.0
                                              : sqrt(norm) + v->factors.largest;
    return (float)(4.0 * (double)FLT_EPSILON * (double)(v->k + 8) * reach *
                   reach);
}

/* The best of the n rows that were met, the nearest last. Those that are behind
 * enough others are not looked at again. */
static int64_t choose(const job *a, int64_t t, const float *q, int64_t n,
                      const int64_t *rows, const float *gaps, ak_hit *best)
{
    const ak_dense *v = ak_dense_of(a->x);
    const akin_compare by = a->w->by;
    const double norm = ak_dense_self(v, q, by == AKIN_BY_COSINE);
    const float slack = slack_of(v, ak_dense_self(v, q, true), by);
    float cut = INFINITY;
    int64_t count = 0, seen = 0;
    for (int64_t k = n - 1; k >= 0 && !(gaps[k] > cut); --k) {
        if (ak_dense_hides(a->x, a->w, t, rows[k]))
            continue;
        count = ak_hits_offer(
            best, count, a->w->top,
            (ak_hit){ak_dense_score(v, q, norm, rows[k], by), rows[k]});
        if (++seen == a->w->top)
            cut = gaps[k] + slack;
    }
    ak_hits_sort(best, count);
    return count;
}

static akin_status search_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const job *a = arg;
    const ak_dense *v = ak_dense_of(a->x);
    const akin_compare by = a->w->by;
    float *room = a->room + worker * 2 * v->k;
    int64_t *rows = a->rows + worker * a->effort;
    float *gaps = a->gaps + worker * a->effort;
    ak_hit *best = a->best + worker * a->w->top;
    for (int64_t t = begin; t < end; ++t) {
        int64_t n = 0;
        const float *q = ak_dense_query(v, a->w->queries, t, room);
        const double norm = ak_dense_self(v, q, by == AKIN_BY_COSINE);
        const float *at = graph_vector(v, by, q, norm, room + v->k);
        if (ak_hnsw_search(v->graph, at, a->effort, rows, gaps, &n) != 0)
            return AKIN_ENOMEM;
        ak_search_store(a->w, t, best, choose(a, t, q, n, rows, gaps, best));
    }
    return AKIN_OK;
}

/* As many more as a query must not list. Where these are one row in eight or
 * more, comparing with every row takes less time. */
static int64_t effort_of(const akin_index *x, const ak_search *w)
{
    int64_t hidden = 0;
    if (w->n_exclude > x->n / 8)
        return x->n;
    for (int64_t t = 0; t < w->queries->n; ++t)
        hidden = ak_max_i64(hidden, w->n_exclude + ak_dense_hidden(w, t));
    const int64_t least = ak_max_i64(EFFORT, 2 * w->top);
    const int64_t effort = w->effort > 0 ? w->effort : least;
    return ak_min_i64(ak_max_i64(effort, w->top) + hidden, x->n);
}

/* Where the effort is that of looking at every row, that is done instead. */
akin_status ak_graph_search(const akin_index *x, akin_ctx *ctx,
                            const ak_search *w)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t workers = ak_workers(ctx);
    const ak_dense *v = ak_dense_of(x);
    job a = {.x = x, .w = w, .effort = effort_of(x, w)};
    akin_status st = AKIN_OK;
    if (w->by != x->by)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "the graph was made to compare by %s, not %s",
                       ak_compare_word(x->by), ak_compare_word(w->by)));
    if (a.effort == x->n) {
        AK_TRY(ak_dense_search(x, ctx, w));
        goto done;
    }
    AK_TRY(AK_SCRATCH(ctx, workers * a.effort, &a.rows));
    AK_TRY(AK_SCRATCH(ctx, workers * a.effort, &a.gaps));
    AK_TRY(AK_SCRATCH(ctx, workers * 2 * v->k, &a.room));
    AK_TRY(AK_SCRATCH(ctx, workers * w->top, &a.best));
    st = ak_search_run(ctx, w, 1, search_block, &a);
    if (st == AKIN_ENOMEM)
        st = no_memory(ctx);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_graph_put(const akin_index *x, akin_ctx *ctx, ak_tensors *t)
{
    const ak_dense *v = ak_dense_of(x);
    const int64_t n_upper = ak_hnsw_upper(v->graph);
    const int64_t base = AK_HNSW_BASE(v->links),
                  upper = AK_HNSW_UPPER(v->links);
    int32_t *lists[3] = {NULL};
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, x->n * base, &lists[0]));
    AK_TRY(AK_NEW(ctx, x->n, &lists[1]));
    AK_TRY(AK_NEW(ctx, n_upper * upper, &lists[2]));
    ak_hnsw_give(v->graph, lists[0], lists[1], lists[2]);
    AK_TRY(ak_tensors_put_copy(
        t, ctx,
        (ak_tensor){"graph.base", AK_DTYPE_I32, 2, {x->n, base}, lists[0]}));
    AK_TRY(ak_tensors_put_copy(
        t, ctx, (ak_tensor){"graph.level", AK_DTYPE_I32, 1, {x->n}, lists[1]}));
    AK_TRY(ak_tensors_put_copy(
        t, ctx,
        (ak_tensor){
            "graph.upper", AK_DTYPE_I32, 2, {n_upper, upper}, lists[2]}));
    AK_TRY(ak_tensors_note_i64(t, ctx, "links", v->links));
    AK_TRY(ak_tensors_note_i64(t, ctx, "effort", v->effort));
    AK_TRY(ak_tensors_note_i64(t, ctx, "entry", ak_hnsw_entry(v->graph)));
done:
    for (int i = 0; i < 3; ++i)
        akin_free(lists[i]);
    return st;
}

static akin_status bad_graph(akin_ctx *ctx, const ak_tensors *t, int64_t row)
{
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: the neighbours of row %" PRId64 " are damaged",
                   ak_tensors_path(t), row);
}

/* Neighbours on a level are rows that reach up to it. */
static bool is_list(const int32_t *list, int64_t room, int32_t level,
                    const int32_t *levels, int64_t n)
{
    if (list[0] < 0 || list[0] > room)
        return false;
    for (int64_t k = 1; k <= list[0]; ++k)
        if (list[k] < 0 || list[k] >= n || levels[list[k]] < level)
            return false;
    return true;
}

typedef struct stored {
    const int32_t *base, *levels, *upper;
    int64_t n_upper, entry;
} stored;

static akin_status check_graph(const akin_index *x, akin_ctx *ctx,
                               const ak_tensors *t, const stored *s)
{
    const int64_t links = ak_dense_of(x)->links;
    int64_t at = 0;
    for (int64_t i = 0; i < x->n; ++i)
        if (s->levels[i] < 0 || s->levels[i] > s->n_upper)
            return bad_graph(ctx, t, i);
    for (int64_t i = 0; i < x->n; ++i) {
        bool ok = s->levels[i] <= s->n_upper - at &&
                  is_list(s->base + i * AK_HNSW_BASE(links), 2 * links, 0,
                          s->levels, x->n);
        for (int32_t level = 1; ok && level <= s->levels[i]; ++level)
            ok = is_list(s->upper + at++ * AK_HNSW_UPPER(links), links, level,
                         s->levels, x->n);
        if (!ok)
            return bad_graph(ctx, t, i);
    }
    const bool entry = x->n == 0 || (s->entry >= 0 && s->entry < x->n);
    if (at != s->n_upper || !entry)
        return bad_graph(ctx, t, s->entry);
    for (int64_t i = 0; i < x->n; ++i)
        if (s->levels[i] > s->levels[s->entry])
            return bad_graph(ctx, t, i);
    return AKIN_OK;
}

static akin_status take_lists(const akin_index *x, akin_ctx *ctx,
                              const ak_tensors *t, stored *s)
{
    const int64_t links = ak_dense_of(x)->links;
    const ak_tensor *base, *level, *upper;
    AK_CHECK(ak_tensors_need(t, ctx, "graph.base", AK_DTYPE_I32, 2, &base));
    AK_CHECK(ak_tensors_need(t, ctx, "graph.level", AK_DTYPE_I32, 1, &level));
    AK_CHECK(ak_tensors_need(t, ctx, "graph.upper", AK_DTYPE_I32, 2, &upper));
    if (base->shape[0] != x->n || base->shape[1] != AK_HNSW_BASE(links) ||
        level->shape[0] != x->n || upper->shape[1] != AK_HNSW_UPPER(links))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: the graph does not have %" PRId64
                       " rows with %" PRId64 " links",
                       ak_tensors_path(t), x->n, links);
    s->base = base->data;
    s->levels = level->data;
    s->upper = upper->data;
    s->n_upper = upper->shape[0];
    AK_CHECK(ak_tensors_need_i64(t, ctx, "entry", &s->entry));
    return check_graph(x, ctx, t, s);
}

/* The vectors as the graph has them, all of them. */
static akin_status all_graph_vectors(const akin_index *x, akin_ctx *ctx,
                                     const float **out)
{
    const ak_dense *v = ak_dense_of(x);
    float *unit;
    *out = v->vectors;
    if (x->by != AKIN_BY_COSINE)
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(ctx, x->n * v->k, &unit));
    for (int64_t i = 0; i < x->n; ++i)
        graph_vector(v, x->by, v->vectors + i * v->k, v->norm[i],
                     unit + i * v->k);
    *out = unit;
    return AKIN_OK;
}

akin_status ak_graph_take(akin_index *x, akin_ctx *ctx, const ak_tensors *t)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_dense *v = ak_dense_of(x);
    const float *vectors;
    stored s = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need_i64(t, ctx, "links", &v->links));
    AK_TRY(ak_tensors_need_i64(t, ctx, "effort", &v->effort));
    if (v->links < 2 || v->links > LINKS_MOST || v->effort < 1)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: a graph cannot have %" PRId64 " links",
                       ak_tensors_path(t), v->links));
    AK_TRY(take_lists(x, ctx, t, &s));
    AK_TRY(new_graph(x, ctx));
    AK_TRY(all_graph_vectors(x, ctx, &vectors));
    if (ak_hnsw_take(v->graph, x->n, vectors, s.base, s.levels, s.upper,
                     s.entry) != 0)
        AK_TRY(no_memory(ctx));
    ak_graph_remove(x);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
