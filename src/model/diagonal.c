/* Diagonal similarity, weights w of any sign:
 *
 *   dot        S(x, y) = sum_j w_j x_j y_j                         (1)
 *   cosine     S(x, y) / sqrt(N(x) N(y)),  N(x) = sum_j |w_j| x_j^2  (2)
 *   distance   - sum_j w_j (x_j - y_j)^2                           (3)
 *
 * (2) is in [-1, 1] by Cauchy and Schwarz, and 0 where N is. In a file, w is
 * "w" or, when that is shorter, its non-zeros: "w.index" and "w.value". Ones
 * alone are not written. */
#include "model/diagonal.h"

#include <math.h>
#include <string.h>

#include "la/sparse.h"
#include "model/compare.h"

typedef struct diagonal {
    double *w;  // d, NULL: ones
    int64_t nonzeros;
} diagonal;

static const diagonal *params(const akin_model *m)
{
    return m->params;
}

bool ak_model_is_diagonal(const akin_model *m)
{
    return m->kind == &ak_kind_diagonal;
}

const double *ak_diagonal_w(const akin_model *m)
{
    return params(m)->w;
}

static double weight(const double *w, int64_t j)
{
    return w ? w[j] : 1.0;
}

static double dot(const double *w, ak_row x, ak_row y)
{
    if (x.cols && y.cols)
        return ak_sparse_dot(x.n, x.cols, x.vals, y.n, y.cols, y.vals, w);
    double sum = 0.0;
    for (ak_walk k = {.row = {x, y}}; ak_walk_next(&k);)
        sum += weight(w, k.col) * k.x * k.y;
    return sum;
}

static double norm2(const double *w, ak_row x)
{
    double sum = 0.0;
    for (int64_t k = 0; k < x.n; ++k) {
        const double v = x.vals[k];
        sum += fabs(weight(w, ak_row_col(&x, k))) * v * v;
    }
    return sum;
}

static double distance(const double *w, ak_row x, ak_row y)
{
    double sum = 0.0;
    for (ak_walk k = {.row = {x, y}}; ak_walk_next(&k);) {
        const double u = k.x - k.y;
        sum += weight(w, k.col) * u * u;
    }
    return sum;
}

/* 1 / sqrt(N(x) N(y)), the factor of (2); each root by itself, so that the
 * product cannot overflow. */
static double cosine_factor(const double *w, ak_row x, ak_row y)
{
    const double n = sqrt(norm2(w, x)) * sqrt(norm2(w, y));
    return n > 0.0 ? 1.0 / n : 0.0;
}

static double diagonal_score(const akin_model *m, const akin_rows *left,
                             int64_t i, const akin_rows *right, int64_t j,
                             akin_compare by)
{
    const double *w = params(m)->w;
    const ak_row x = ak_row_of(left, i), y = ak_row_of(right, j);
    if (by == AKIN_BY_DISTANCE)
        return -distance(w, x, y);
    if (by == AKIN_BY_COSINE)
        return dot(w, x, y) * cosine_factor(w, x, y);
    return dot(w, x, y);
}

static int64_t diagonal_explain(const akin_model *m, const akin_rows *left,
                                int64_t i, const akin_rows *right, int64_t j,
                                akin_compare by, akin_reason *reasons)
{
    const double *w = params(m)->w;
    const ak_row x = ak_row_of(left, i), y = ak_row_of(right, j);
    const double factor = by == AKIN_BY_COSINE ? cosine_factor(w, x, y) : 1.0;
    int64_t n = 0;
    if (reasons == NULL)
        return x.n + y.n;
    for (ak_walk k = {.row = {x, y}}; ak_walk_next(&k);) {
        const double u = k.x - k.y;
        const double part = by == AKIN_BY_DISTANCE ? -u * u : k.x * k.y;
        const double all = weight(w, k.col) * part * factor;
        if (all != 0.0)
            reasons[n++] = (akin_reason){k.col, all};
    }
    return n;
}

static int64_t diagonal_nonzeros(const akin_model *m)
{
    return params(m)->nonzeros;
}

static int64_t diagonal_parameters(const akin_model *m)
{
    return m->d[0];
}

static int64_t diagonal_rank(const akin_model *m)
{
    (void)m;
    return 0;
}

static void count_nonzeros(const akin_model *m)
{
    diagonal *b = m->params;
    b->nonzeros = b->w ? 0 : m->d[0];
    for (int64_t j = 0; b->w && j < m->d[0]; ++j)
        b->nonzeros += b->w[j] != 0.0;
}

akin_status ak_diagonal_new(akin_model **out, akin_ctx *ctx, int64_t d,
                            const double *w, akin_compare by)
{
    akin_model *m = NULL;
    diagonal *b;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_new(&m, ctx, &ak_kind_diagonal, d, d, by));
    AK_TRY(AK_NEW(ctx, 1, &b));
    m->params = b;
    if (w != NULL) {
        AK_TRY(AK_NEW(ctx, d, &b->w));
        memcpy(b->w, w, (size_t)d * sizeof *w);
    }
    count_nonzeros(m);
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

static void diagonal_free(akin_model *m)
{
    diagonal *b = m->params;
    if (b == NULL)
        return;
    akin_free(b->w);
    akin_free(b);
}

static akin_status put_sparse(const akin_model *m, akin_ctx *ctx, ak_tensors *t)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const diagonal *b = params(m);
    int32_t *index;
    double *value;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, b->nonzeros, &index));
    AK_TRY(AK_SCRATCH(ctx, b->nonzeros, &value));
    for (int64_t j = 0; j < m->d[0]; ++j)
        if (b->w[j] != 0.0) {
            index[n] = (int32_t)j;
            value[n++] = b->w[j];
        }
    AK_TRY(ak_tensors_put_copy(
        t, ctx, (ak_tensor){"w.index", AK_DTYPE_I32, 1, {n}, index}));
    AK_TRY(ak_tensors_put_copy(
        t, ctx, (ak_tensor){"w.value", AK_DTYPE_F64, 1, {n}, value}));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status diagonal_put(const akin_model *m, akin_ctx *ctx,
                                ak_tensors *t)
{
    const diagonal *b = params(m);
    const int64_t d = m->d[0];
    if (b->w == NULL)
        return AKIN_OK;
    if (b->nonzeros < d - d / 3)  // 12 bytes each against 8
        return put_sparse(m, ctx, t);
    return ak_tensors_put_vector(t, ctx, "w", AK_DTYPE_F64, d, b->w);
}

static akin_status check_weight(akin_ctx *ctx, const ak_tensors *t, int64_t j,
                                double w)
{
    if (isfinite(w))
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EFORMAT, "%s: weight %" PRId64 " is not finite",
                   ak_tensors_path(t), j);
}

static akin_status take_dense(akin_model *m, akin_ctx *ctx, const ak_tensors *t)
{
    const int64_t d = m->d[0];
    diagonal *b = m->params;
    const ak_tensor *w;
    AK_CHECK(ak_tensors_need(t, ctx, "w", AK_DTYPE_F64, 1, &w));
    if (w->shape[0] != d)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " weights (expected %" PRId64 ")",
                       ak_tensors_path(t), w->shape[0], d);
    AK_CHECK(AK_NEW(ctx, d, &b->w));
    memcpy(b->w, w->data, (size_t)d * sizeof *b->w);
    for (int64_t j = 0; j < d; ++j)
        AK_CHECK(check_weight(ctx, t, j, b->w[j]));
    count_nonzeros(m);
    return AKIN_OK;
}

/* A small file may be of many columns: memory that is zero is not touched. */
static akin_status take_sparse(akin_model *m, akin_ctx *ctx,
                               const ak_tensors *t)
{
    const int64_t d = m->d[0];
    diagonal *b = m->params;
    const ak_tensor *index, *value;
    AK_CHECK(ak_tensors_need(t, ctx, "w.index", AK_DTYPE_I32, 1, &index));
    AK_CHECK(ak_tensors_need(t, ctx, "w.value", AK_DTYPE_F64, 1, &value));
    const int32_t *j = index->data;
    const double *w = value->data;
    const int64_t n = index->shape[0];
    bool ok = n == value->shape[0];
    for (int64_t k = 0; ok && k < n; ++k)
        ok = j[k] >= 0 && j[k] < d && (k == 0 || j[k] > j[k - 1]);
    if (!ok)
        return ak_fail(
            ctx, AKIN_EFORMAT,
            "%s: w.index and w.value must be increasing columns below %" PRId64
            " and their weights",
            ak_tensors_path(t), d);
    AK_CHECK(AK_NEW(ctx, d, &b->w));
    for (int64_t k = 0; k < n; ++k) {
        AK_CHECK(check_weight(ctx, t, j[k], w[k]));
        b->w[j[k]] = w[k];
        b->nonzeros += w[k] != 0.0;
    }
    return AKIN_OK;
}

static akin_status diagonal_take(akin_model *m, akin_ctx *ctx,
                                 const ak_tensors *t)
{
    diagonal *b;
    if (m->d[0] != m->d[1])
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: a diagonal model has %" PRId64
                       " columns on the left and %" PRId64
                       " on the right (must be equal)",
                       ak_tensors_path(t), m->d[0], m->d[1]);
    AK_CHECK(AK_NEW(ctx, 1, &b));
    m->params = b;
    if (ak_tensors_find(t, "w.index") != NULL)
        AK_CHECK(take_sparse(m, ctx, t));
    else if (ak_tensors_find(t, "w") != NULL)
        AK_CHECK(take_dense(m, ctx, t));
    else
        count_nonzeros(m);
    return AKIN_OK;
}

const ak_model_kind ak_kind_diagonal = {
    .name = "diagonal",
    .score = diagonal_score,
    .explain = diagonal_explain,
    .nonzeros = diagonal_nonzeros,
    .parameters = diagonal_parameters,
    .rank = diagonal_rank,
    .put = diagonal_put,
    .take = diagonal_take,
    .free = diagonal_free,
};
