/* Full metric, M symmetric and positive semi-definite:
 *
 *   distance   - (x - y)' M (x - y)                      (1)
 *   dot        x' M y                                    (2)
 *   cosine     x' M y / sqrt(x' M x  y' M y)             (3)
 *
 * A factor M = B B', B d x k, takes rows to the space B'x in which these are
 * the plain distance, dot product and cosine. Either M is what was learned, and
 * the factor is made of it when the model is made or loaded, or the factor is
 * all there is. In a file:
 *
 *   M                               full                      (d x d)
 *   M.offsets, M.columns, M.values  half of M is zero or more (CSR)
 *   B                               M = B B' of low rank      (d x k) */
#include "model/metric.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "model/compare.h"
#include "model/sparse_rows.h"

enum { FEW = 32 };

typedef struct metric {
    double *M;  // d x d; NULL: the factor is all there is
    double *B;  // d x k, M = B B'
    int64_t k;
} metric;

static const metric *params(const akin_model *m)
{
    return m->params;
}

const double *ak_metric_M(const akin_model *m)
{
    return params(m)->M;
}

const double *ak_metric_B(const akin_model *m, int64_t *k)
{
    *k = params(m)->k;
    return params(m)->B;
}

static const ak_row nothing;

/* Coordinates [from, from + n) of B' u. */
static void few_of(const akin_model *m, ak_walk u, int64_t from, int64_t n,
                   double *out)
{
    const metric *b = params(m);
    memset(out, 0, (size_t)n * sizeof *out);
    while (ak_walk_next(&u)) {
        const double *row = b->B + u.col * b->k + from;
        for (int64_t c = 0; c < n; ++c)
            out[c] += (u.x - u.y) * row[c];
    }
}

/* u' B B' v, some coordinates at a time. */
static double form_of_factor(const akin_model *m, ak_walk u, ak_walk v)
{
    const int64_t k = params(m)->k;
    double sum = 0.0, a[FEW], b[FEW];
    for (int64_t from = 0; from < k; from += FEW) {
        const int64_t n = ak_min_i64(FEW, k - from);
        few_of(m, u, from, n, a);
        few_of(m, v, from, n, b);
        for (int64_t c = 0; c < n; ++c)
            sum += a[c] * b[c];
    }
    return sum;
}

/* u' M v of the differences that two walks go over. */
static double form(const akin_model *m, ak_walk u, ak_walk v)
{
    const double *M = params(m)->M;
    double sum = 0.0;
    if (M == NULL)
        return form_of_factor(m, u, v);
    while (ak_walk_next(&u)) {
        const double *row = M + u.col * m->d[0];
        double Mv = 0.0;
        for (ak_walk k = v; ak_walk_next(&k);)
            Mv += row[k.col] * (k.x - k.y);
        sum += (u.x - u.y) * Mv;
    }
    return sum;
}

/* 1 / sqrt(x' M x  y' M y), the factor of (3). */
static double cosine_factor(const akin_model *m, ak_walk x, ak_walk y)
{
    const double n = sqrt(fmax(form(m, x, x), 0.0)) *
                     sqrt(fmax(form(m, y, y), 0.0));
    return n > 0.0 ? 1.0 / n : 0.0;
}

static double metric_score(const akin_model *m, const akin_rows *left,
                           int64_t i, const akin_rows *right, int64_t j,
                           akin_compare by)
{
    const ak_row rows[2] = {ak_row_of(left, i), ak_row_of(right, j)};
    const ak_walk x = {.row = {rows[0], nothing}};
    const ak_walk y = {.row = {rows[1], nothing}};
    const ak_walk u = {.row = {rows[0], rows[1]}};
    if (by == AKIN_BY_DISTANCE)
        return -form(m, u, u);
    if (by == AKIN_BY_COSINE)
        return form(m, x, y) * cosine_factor(m, x, y);
    return form(m, x, y);
}

/* Feature j takes the part u_j (M v)_j of u' M v. */
static int64_t metric_explain(const akin_model *m, const akin_rows *left,
                              int64_t i, const akin_rows *right, int64_t j,
                              akin_compare by, akin_reason *reasons)
{
    const ak_row rows[2] = {ak_row_of(left, i), ak_row_of(right, j)};
    const bool apart = by == AKIN_BY_DISTANCE;
    const ak_walk x = {.row = {rows[0], nothing}};
    const ak_walk y = {.row = {rows[1], nothing}};
    const ak_walk both = {.row = {rows[0], rows[1]}};
    const ak_walk v = apart ? both : y;
    int64_t n = 0;
    if (reasons == NULL)
        return rows[0].n + rows[1].n;
    const double factor = apart                  ? -1.0
                          : by == AKIN_BY_COSINE ? cosine_factor(m, x, y)
                                                 : 1.0;
    for (ak_walk u = apart ? both : x; ak_walk_next(&u);) {
        const float part = 1.0F;
        const int32_t col = (int32_t)u.col;
        const ak_walk one = {.row = {{1, &col, &part}, nothing}};
        const double all = factor * (u.x - u.y) * form(m, one, v);
        if (all != 0.0)
            reasons[n++] = (akin_reason){u.col, all};
    }
    return n;
}

static void metric_embed(const akin_model *m, const akin_rows *rows, int64_t i,
                         akin_side side, double *out)
{
    const metric *b = params(m);
    const ak_row x = ak_row_of(rows, i);
    (void)side;
    memset(out, 0, (size_t)b->k * sizeof *out);
    for (int64_t k = 0; k < x.n; ++k)
        if (x.vals[k] != 0.0F)
            ak_axpy(b->k, x.vals[k], b->B + ak_row_col(&x, k) * b->k, out);
}

static int64_t metric_embed_dim(const akin_model *m)
{
    return params(m)->k;
}

static int64_t metric_parameters(const akin_model *m)
{
    const metric *b = params(m);
    return m->d[0] * (b->M ? m->d[0] : b->k);
}

static int64_t metric_nonzeros(const akin_model *m)
{
    const metric *b = params(m);
    return ak_sparse_rows_nonzeros(b->M ? b->M : b->B, metric_parameters(m));
}

static int64_t metric_rank(const akin_model *m)
{
    const int64_t k = params(m)->k;
    return k < m->d[0] ? k : 0;
}

/* B of a matrix that is singular: eigenvectors, those of zero left out. */
static akin_status factor_singular(akin_ctx *ctx, int64_t d, metric *b)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A, *V;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d * d, &A));
    AK_TRY(AK_SCRATCH(ctx, d * d, &V));
    memcpy(A, b->M, (size_t)(d * d) * sizeof *A);
    AK_TRY(ak_psd_root(ctx, d, A, false, V, &b->k));
    for (int64_t i = 0; i < d; ++i)
        memcpy(b->B + i * b->k, V + i * d, (size_t)b->k * sizeof *V);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status fill(akin_model *m, akin_ctx *ctx, const double *M)
{
    const int64_t d = m->d[0];
    metric *b;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &b));
    m->params = b;
    AK_TRY(AK_NEW(ctx, d * d, &b->M));
    AK_TRY(AK_NEW(ctx, d * d, &b->B));
    memcpy(b->M, M, (size_t)(d * d) * sizeof *M);
    memcpy(b->B, M, (size_t)(d * d) * sizeof *M);
    b->k = d;
    st = ak_cholesky(ctx, d, b->B);
    if (st == AKIN_ENUMERIC)
        AK_TRY(factor_singular(ctx, d, b));
done:
    return st;
}

static akin_status fill_factor(akin_model *m, akin_ctx *ctx, int64_t k,
                               const double *B)
{
    metric *b;
    AK_CHECK(AK_NEW(ctx, 1, &b));
    m->params = b;
    AK_CHECK(AK_NEW(ctx, m->d[0] * k, &b->B));
    if (m->d[0] * k > 0)
        memcpy(b->B, B, (size_t)(m->d[0] * k) * sizeof *B);
    b->k = k;
    return AKIN_OK;
}

/* Of M or, where that is NULL, of B. */
static akin_status make(akin_model **out, akin_ctx *ctx, int64_t d,
                        akin_compare by, const double *M, int64_t k,
                        const double *B)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_new(&m, ctx, &ak_kind_metric, d, d, by));
    if (M != NULL)
        AK_TRY(fill(m, ctx, M));
    else
        AK_TRY(fill_factor(m, ctx, k, B));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

akin_status ak_metric_new(akin_model **out, akin_ctx *ctx, int64_t d,
                          const double *M, akin_compare by)
{
    return make(out, ctx, d, by, M, 0, NULL);
}

akin_status ak_metric_new_factor(akin_model **out, akin_ctx *ctx, int64_t d,
                                 int64_t k, const double *B, akin_compare by)
{
    return make(out, ctx, d, by, NULL, k, B);
}

static void metric_free(akin_model *m)
{
    metric *b = m->params;
    if (b == NULL)
        return;
    akin_free(b->M);
    akin_free(b->B);
    akin_free(b);
}

static akin_status put_sparse(const double *M, int64_t d, int64_t nonzeros,
                              akin_ctx *ctx, ak_tensors *t)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *offsets, at = 0;
    int32_t *cols;
    double *vals;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d + 1, &offsets));
    AK_TRY(AK_SCRATCH(ctx, nonzeros, &cols));
    AK_TRY(AK_SCRATCH(ctx, nonzeros, &vals));
    for (int64_t k = 0; k < d * d; ++k) {
        if (M[k] != 0.0) {
            cols[at] = (int32_t)(k % d);
            vals[at++] = M[k];
        }
        offsets[k / d + 1] = at;
    }
    AK_TRY(ak_tensors_put_copy(
        t, ctx, (ak_tensor){"M.offsets", AK_DTYPE_I64, 1, {d + 1}, offsets}));
    AK_TRY(ak_tensors_put_copy(
        t, ctx, (ak_tensor){"M.columns", AK_DTYPE_I32, 1, {at}, cols}));
    AK_TRY(ak_tensors_put_copy(
        t, ctx, (ak_tensor){"M.values", AK_DTYPE_F64, 1, {at}, vals}));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status metric_put(const akin_model *m, akin_ctx *ctx, ak_tensors *t)
{
    const metric *b = params(m);
    const int64_t d = m->d[0];
    if (b->M == NULL)
        return ak_tensors_put(
            t, ctx, (ak_tensor){"B", AK_DTYPE_F64, 2, {d, b->k}, b->B});
    const int64_t nonzeros = ak_sparse_rows_nonzeros(b->M, d * d);
    if (2 * nonzeros <= d * d)
        return put_sparse(b->M, d, nonzeros, ctx, t);
    return ak_tensors_put(t, ctx,
                          (ak_tensor){"M", AK_DTYPE_F64, 2, {d, d}, b->M});
}

static akin_status misfit(akin_ctx *ctx, const ak_tensors *t, const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: %s", ak_tensors_path(t), what);
}

static bool is_symmetric(int64_t d, const double *M)
{
    for (int64_t i = 0; i < d; ++i)
        for (int64_t j = 0; j <= i; ++j)
            if (M[i * d + j] != M[j * d + i] || !isfinite(M[i * d + j]))
                return false;
    return true;
}

static akin_status take_full(akin_model *m, akin_ctx *ctx, const ak_tensors *t,
                             const double *M)
{
    if (!is_symmetric(m->d[0], M))
        return misfit(ctx, t, "M is not symmetric and finite");
    return fill(m, ctx, M);
}

static akin_status take_dense(akin_model *m, akin_ctx *ctx, const ak_tensors *t)
{
    const ak_tensor *M;
    AK_CHECK(ak_tensors_need(t, ctx, "M", AK_DTYPE_F64, 2, &M));
    if (M->shape[0] != m->d[0] || M->shape[1] != m->d[0])
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: M is %" PRId64 " by %" PRId64
                       " in a model of %" PRId64 " by %" PRId64 " columns",
                       ak_tensors_path(t), M->shape[0], M->shape[1], m->d[0],
                       m->d[1]);
    return take_full(m, ctx, t, M->data);
}

/* The rows of a CSR matrix into zeros; false when it is none of order d. */
static bool spread(int64_t d, const ak_tensor *offsets, const ak_tensor *cols,
                   const ak_tensor *vals, double *M)
{
    const int64_t *at = offsets->data, n = cols->shape[0];
    const int32_t *col = cols->data;
    const double *val = vals->data;
    if (vals->shape[0] != n || at[0] != 0 || at[d] != n)
        return false;
    for (int64_t i = 0; i < d; ++i) {
        if (at[i + 1] < at[i] || at[i + 1] > n)
            return false;
        for (int64_t k = at[i]; k < at[i + 1]; ++k) {
            if (col[k] < 0 || col[k] >= d ||
                (k > at[i] && col[k] <= col[k - 1]))
                return false;
            M[i * d + col[k]] = val[k];
        }
    }
    return true;
}

static akin_status take_sparse(akin_model *m, akin_ctx *ctx,
                               const ak_tensors *t)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_tensor *offsets, *cols, *vals;
    const int64_t d = m->d[0];
    double *M;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need(t, ctx, "M.offsets", AK_DTYPE_I64, 1, &offsets));
    AK_TRY(ak_tensors_need(t, ctx, "M.columns", AK_DTYPE_I32, 1, &cols));
    AK_TRY(ak_tensors_need(t, ctx, "M.values", AK_DTYPE_F64, 1, &vals));
    if (offsets->shape[0] - 1 != d || d > AK_METRIC_MOST)
        AK_TRY(misfit(ctx, t, "tensor 'M.offsets' does not match the model"));
    AK_TRY(AK_SCRATCH(ctx, d * d, &M));
    if (!spread(d, offsets, cols, vals, M))
        AK_TRY(misfit(ctx, t, "the parts of M do not match"));
    AK_TRY(take_full(m, ctx, t, M));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status take_factor(akin_model *m, akin_ctx *ctx,
                               const ak_tensors *t)
{
    const ak_tensor *B;
    AK_CHECK(ak_tensors_need(t, ctx, "B", AK_DTYPE_F64, 2, &B));
    const double *b = B->data;
    if (B->shape[0] != m->d[0])
        return misfit(ctx, t, "tensor 'B' does not match the model");
    for (int64_t k = 0; k < B->shape[0] * B->shape[1]; ++k)
        if (!isfinite(b[k]))
            return misfit(ctx, t, "B is not finite");
    return fill_factor(m, ctx, B->shape[1], b);
}

static akin_status metric_take(akin_model *m, akin_ctx *ctx,
                               const ak_tensors *t)
{
    if (m->d[0] != m->d[1])
        return misfit(
            ctx, t,
            "a metric needs as many columns on the left as on the right");
    if (ak_tensors_find(t, "B") != NULL)
        return take_factor(m, ctx, t);
    if (ak_tensors_find(t, "M.offsets") != NULL)
        return take_sparse(m, ctx, t);
    return take_dense(m, ctx, t);
}

const ak_model_kind ak_kind_metric = {
    .name = "metric",
    .score = metric_score,
    .embed = metric_embed,
    .embed_dim = metric_embed_dim,
    .explain = metric_explain,
    .nonzeros = metric_nonzeros,
    .parameters = metric_parameters,
    .rank = metric_rank,
    .put = metric_put,
    .take = metric_take,
    .free = metric_free,
};
