/* Full metric, M symmetric and positive semi-definite:
 *
 *   distance   - (x - y)' M (x - y)                      (1)
 *   dot        x' M y                                    (2)
 *   cosine     x' M y / sqrt(x' M x  y' M y)             (3)
 *
 * A factor M = B B', B d x k, takes rows to the space B'x in which these are
 * the plain distance, dot product and cosine. Either M is what was learned, and
 * the factor is made of it when the model is made or loaded, or the factor is
 * all there is. */
#include "model/metric.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "model/kinds.h"
#include "model/metric_body.h"
#include "model/sparse_rows.h"
#include "model/walk.h"

enum { FEW = 32 };

const double *ak_metric_M(const akin_model *m)
{
    return ak_metric_body(m)->M;
}

const double *ak_metric_B(const akin_model *m, int64_t *k)
{
    *k = ak_metric_body(m)->k;
    return ak_metric_body(m)->B;
}

static const ak_row nothing;

/* Coordinates [from, from + n) of B' u. */
static void few_of(const akin_model *m, ak_walk u, int64_t from, int64_t n,
                   double *out)
{
    const ak_metric *b = ak_metric_body(m);
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
    const int64_t k = ak_metric_body(m)->k;
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
    const double *M = ak_metric_body(m)->M;
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
    const ak_metric *b = ak_metric_body(m);
    const ak_row x = ak_row_of(rows, i);
    (void)side;
    memset(out, 0, (size_t)b->k * sizeof *out);
    for (int64_t k = 0; k < x.n; ++k)
        if (x.vals[k] != 0.0F)
            ak_axpy(b->k, x.vals[k], b->B + ak_row_col(&x, k) * b->k, out);
}

static int64_t metric_embed_dim(const akin_model *m)
{
    return ak_metric_body(m)->k;
}

static int64_t metric_parameters(const akin_model *m)
{
    const ak_metric *b = ak_metric_body(m);
    return m->d[0] * (b->M ? m->d[0] : b->k);
}

static int64_t metric_nonzeros(const akin_model *m)
{
    const ak_metric *b = ak_metric_body(m);
    return ak_sparse_rows_nonzeros(b->M ? b->M : b->B, metric_parameters(m));
}

static int64_t metric_rank(const akin_model *m)
{
    const int64_t k = ak_metric_body(m)->k;
    return k < m->d[0] ? k : 0;
}

/* B of a matrix that is singular: eigenvectors, those of zero left out. */
static akin_status factor_singular(akin_ctx *ctx, int64_t d, ak_metric *b)
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

akin_status ak_metric_fill(akin_model *m, akin_ctx *ctx, const double *M)
{
    const int64_t d = m->d[0];
    ak_metric *b;
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

akin_status ak_metric_fill_factor(akin_model *m, akin_ctx *ctx, int64_t k,
                                  const double *B)
{
    ak_metric *b;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &b));
    m->body = b;
    AK_TRY(AK_NEW(ctx, m->d[0] * k, &b->B));
    if (m->d[0] * k > 0)
        memcpy(b->B, B, (size_t)(m->d[0] * k) * sizeof *B);
    b->k = k;
done:
    return st;
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
        AK_TRY(ak_metric_fill(m, ctx, M));
    else
        AK_TRY(ak_metric_fill_factor(m, ctx, k, B));
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
    ak_metric *b = m->body;
    if (b == NULL)
        return;
    akin_free(b->M);
    akin_free(b->B);
    akin_free(b);
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
    .put = ak_metric_put,
    .take = ak_metric_take,
    .free = metric_free,
};
