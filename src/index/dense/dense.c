/* Indexes of vectors: two kinds, which differ by a graph. In a file they are
 * "vectors". */
#include "index/dense/dense.h"

#include <math.h>
#include <string.h>

#include "la/clones.h"
#include "model/diagonal.h"
#include "model/walk.h"

static double total(const double s[8])
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* Eight running sums, whatever the processor. */
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

int64_t ak_dense_hidden(const ak_wanted *w, int64_t t)
{
    const int64_t *rows;
    return w->n_hidden + (w->ignore ? akin_lists_get(w->ignore, t, &rows) : 0);
}

bool ak_dense_hides(const akin_index *x, const ak_wanted *w, int64_t t,
                    int64_t i)
{
    const int64_t *rows;
    const int64_t n = w->ignore ? akin_lists_get(w->ignore, t, &rows) : 0;
    for (int64_t k = 0; k < n; ++k)
        if (rows[k] == i)
            return true;
    for (int64_t k = 0; k < w->n_hidden; ++k)
        if (w->hidden[k] == i)
            return true;
    return x->gone[i];
}

static akin_status body_of(akin_index *x, akin_ctx *ctx, ak_dense **out)
{
    const ak_model_kind *kind = x->model->kind;
    akin_status st = AKIN_OK;
    if (x->body == NULL)
        AK_TRY(AK_NEW(ctx, 1, (ak_dense **)&x->body));
    *out = x->body;
    (*out)->k = ak_index_dim(x);
    (*out)->w = kind->embed ? NULL : ak_diagonal_w(x->model);
done:
    return st;
}

/* Is any weight negative? Then a row's own score is not its norm. */
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
    akin_status st = AKIN_OK;
    AK_TRY(ak_resize(ctx, x->n, sizeof *v->norm, &v->norm));
    if (negative)
        AK_TRY(ak_resize(ctx, x->n, sizeof *v->self, &v->self));
    for (int64_t i = first; i < x->n; ++i) {
        v->norm[i] = ak_dense_self(v, v->vectors + i * v->k, true);
        if (negative)
            v->self[i] = ak_dense_self(v, v->vectors + i * v->k, false);
    }
done:
    return st;
}

static akin_status set_rates(akin_index *x, akin_ctx *ctx)
{
    ak_dense *v = ak_dense_of(x);
    const ak_sizes sizes = {.norm = v->norm, .self = v->self};
    ak_rates_free(&v->rates, x);
    return ak_rates_make(&v->rates, ctx, x, &sizes, x->by);
}

/* Room for all rows, in memory of our own. */
static akin_status grow(akin_index *x, akin_ctx *ctx, int64_t first)
{
    ak_dense *v = ak_dense_of(x);
    float *vectors = NULL;
    int64_t size = 0;
    if (!ak_mul_i64(x->n, v->k, &size) || size > PTRDIFF_MAX / 8)
        return ak_nomem(ctx, SIZE_MAX);
    const akin_status st = AK_NEW(ctx, size, &vectors);
    if (st != AKIN_OK)
        return st;
    if (first * v->k > 0)
        memcpy(vectors, v->vectors, (size_t)(first * v->k) * sizeof *vectors);
    ak_index_release(x, v->own);
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
                   " columns are too many for vectors (leave out "
                   "--approximate)",
                   rows->n, k);
}

static akin_status dense_add(akin_index *x, akin_ctx *ctx,
                             const akin_rows *rows)
{
    const int64_t first = x->n - rows->n;
    akin_rows *ready = NULL, *vectors = NULL;
    ak_dense *v;
    akin_status st = AKIN_OK;
    AK_TRY(body_of(x, ctx, &v));
    AK_TRY(akin_model_prepare(&ready, ctx, x->model, rows, AKIN_RIGHT));
    AK_TRY(akin_model_embed(&vectors, ctx, x->model, ready, AKIN_RIGHT));
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

/* Rows stand on the right of the similarity, queries on the left. */
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
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_put(
        t, ctx,
        (ak_tensor){"vectors", AK_DTYPE_F32, 2, {x->n, v->k}, v->vectors}));
    if (x->kind == &ak_index_hnsw)
        AK_TRY(ak_graph_put(x, ctx, t));
done:
    return st;
}

static akin_status dense_take(akin_index *x, akin_ctx *ctx, const ak_tensors *t)
{
    const ak_tensor *vectors;
    ak_dense *v;
    akin_status st = AKIN_OK;
    AK_TRY(body_of(x, ctx, &v));
    AK_TRY(ak_tensors_need(t, ctx, "vectors", AK_DTYPE_F32, 2, &vectors));
    if (vectors->shape[0] != x->n || vectors->shape[1] != v->k)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " vectors of %" PRId64
                       " numbers (expected %" PRId64 " of %" PRId64 ")",
                       ak_tensors_path(t), vectors->shape[0], vectors->shape[1],
                       x->n, v->k));
    v->vectors = vectors->data;
    for (int64_t i = 0; i < x->n * v->k; ++i)
        if (!isfinite(v->vectors[i]))
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                           "%s: vector %" PRId64 " is not finite",
                           ak_tensors_path(t), i / v->k));
    AK_TRY(measure(x, ctx, 0));
    AK_TRY(set_rates(x, ctx));
    if (x->kind == &ak_index_hnsw)
        AK_TRY(ak_graph_take(x, ctx, t));
done:
    return st;
}

static void dense_free(akin_index *x)
{
    ak_dense *v = x->body;
    if (v == NULL)
        return;
    ak_graph_free(v);
    ak_index_release(x, v->own);
    ak_index_release(x, v->norm);
    ak_index_release(x, v->self);
    ak_rates_free(&v->rates, x);
    ak_index_release(x, v);
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
