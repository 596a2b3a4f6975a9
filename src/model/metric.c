/* Full metric, M symmetric and positive semi-definite:
 *
 *   distance   - (x - y)' M (x - y)                      (1)
 *   dot        x' M y                                    (2)
 *   cosine     x' M y / sqrt(x' M x  y' M y)             (3)
 *
 * A factor M = B B', B d x k, takes rows to the space B'x in which these are
 * the plain distance, dot product and cosine. It is made of M when the model
 * is made or loaded and not written to the file. */
#include "model/metric.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "model/kinds.h"
#include "model/walk.h"

typedef struct metric {
    double *M;  // d x d
    double *B;  // d x k
    int64_t k;
} metric;

static const metric *body(const akin_model *m)
{
    return m->body;
}

const double *ak_metric_M(const akin_model *m)
{
    return body(m)->M;
}

static const ak_row nothing;

/* u' M v of the differences that two walks go over. */
static double form(const akin_model *m, ak_walk u, ak_walk v)
{
    const double *M = body(m)->M;
    double sum = 0.0;
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
    const metric *b = body(m);
    const ak_row x = ak_row_of(rows, i);
    (void)side;
    memset(out, 0, (size_t)b->k * sizeof *out);
    for (int64_t k = 0; k < x.n; ++k)
        if (x.vals[k] != 0.0F)
            ak_axpy(b->k, x.vals[k], b->B + ak_row_col(&x, k) * b->k, out);
}

static int64_t metric_embed_dim(const akin_model *m)
{
    return body(m)->k;
}

static int64_t metric_nonzeros(const akin_model *m)
{
    const int64_t d = m->d[0];
    int64_t n = 0;
    for (int64_t k = 0; k < d * d; ++k)
        n += body(m)->M[k] != 0.0;
    return n;
}

static int64_t metric_parameters(const akin_model *m)
{
    return m->d[0] * m->d[0];
}

static int64_t metric_rank(const akin_model *m)
{
    return body(m)->k < m->d[0] ? body(m)->k : 0;
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

/* Take M and make the factor of it. */
static akin_status fill(akin_model *m, akin_ctx *ctx, const double *M)
{
    const int64_t d = m->d[0];
    metric *b;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &b));
    m->body = b;
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

akin_status ak_metric_new(akin_model **out, akin_ctx *ctx, int64_t d,
                          const double *M, akin_compare by)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_new(&m, ctx, &ak_kind_metric, d, d, by));
    AK_TRY(fill(m, ctx, M));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

static void metric_free(akin_model *m)
{
    metric *b = m->body;
    if (b == NULL)
        return;
    if (b->M != NULL)
        m->allocator.release(m->allocator.user, b->M);
    if (b->B != NULL)
        m->allocator.release(m->allocator.user, b->B);
    m->allocator.release(m->allocator.user, b);
}

static akin_status metric_put(const akin_model *m, akin_ctx *ctx, ak_tensors *t)
{
    const int64_t d = m->d[0];
    return ak_tensors_put(
        t, ctx, (ak_tensor){"M", AK_DTYPE_F64, 2, {d, d}, body(m)->M});
}

static bool is_symmetric(int64_t d, const double *M)
{
    for (int64_t i = 0; i < d; ++i)
        for (int64_t j = 0; j <= i; ++j)
            if (M[i * d + j] != M[j * d + i] || !isfinite(M[i * d + j]))
                return false;
    return true;
}

static akin_status metric_take(akin_model *m, akin_ctx *ctx,
                               const ak_tensors *t)
{
    const ak_tensor *M;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need(t, ctx, "M", AK_DTYPE_F64, 2, &M));
    if (M->shape[0] != m->d[0] || M->shape[1] != m->d[0] || m->d[0] != m->d[1])
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: M is %" PRId64 " by %" PRId64
                       " in a model of %" PRId64 " by %" PRId64 " columns",
                       ak_tensors_path(t), M->shape[0], M->shape[1], m->d[0],
                       m->d[1]));
    if (!is_symmetric(m->d[0], M->data))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: M is not symmetric and finite",
                       ak_tensors_path(t)));
    AK_TRY(fill(m, ctx, M->data));
done:
    return st;
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
