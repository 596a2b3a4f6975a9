/* Bilinear similarity: x goes to W'x on the left, y stays as it is on the
 * right, and those are compared:
 *
 *   dot        x' W y                                    (1)
 *   cosine     (1) / (|W'x| |y|), 0 where a length is 0  (2)
 *   distance   - |W'x - y|^2                             (3)
 */
#include "model/full.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "model/compare.h"

const double *ak_full_W(const akin_model *m)
{
    return m->kind == &ak_kind_full ? m->params : NULL;
}

static const double *row_of(const akin_model *m, int64_t i)
{
    return (const double *)m->params + i * m->d[AKIN_RIGHT];
}

/* (W'x)_c */
static double coordinate(const akin_model *m, ak_row x, int64_t c)
{
    double sum = 0.0;
    for (int64_t k = 0; k < x.n; ++k)
        sum += (double)x.vals[k] * row_of(m, ak_row_col(&x, k))[c];
    return sum;
}

/* W_i.y */
static double row_times(const akin_model *m, int64_t i, ak_row y)
{
    const double *row = row_of(m, i);
    double sum = 0.0;
    for (int64_t k = 0; k < y.n; ++k)
        sum += row[ak_row_col(&y, k)] * (double)y.vals[k];
    return sum;
}

/* 1 / (|W'x| |y|) of (2). */
static double cosine_factor(const akin_model *m, ak_row x, ak_row y)
{
    double xx = 0.0, yy = 0.0;
    for (int64_t c = 0; c < m->d[AKIN_RIGHT]; ++c) {
        const double a = coordinate(m, x, c);
        xx += a * a;
    }
    for (int64_t k = 0; k < y.n; ++k)
        yy += (double)y.vals[k] * (double)y.vals[k];
    return xx > 0.0 && yy > 0.0 ? 1.0 / (sqrt(xx) * sqrt(yy)) : 0.0;
}

static double distance(const akin_model *m, ak_row x, ak_row y)
{
    double sum = 0.0;
    for (int64_t c = 0, k = 0; c < m->d[AKIN_RIGHT]; ++c) {
        const bool here = k < y.n && ak_row_col(&y, k) == c;
        const double gap = coordinate(m, x, c) -
                           (here ? (double)y.vals[k] : 0.0);
        sum += gap * gap;
        k += here;
    }
    return sum;
}

static double full_score(const akin_model *m, const akin_rows *left, int64_t i,
                         const akin_rows *right, int64_t j, akin_compare by)
{
    const ak_row x = ak_row_of(left, i), y = ak_row_of(right, j);
    double sum = 0.0;
    if (by == AKIN_BY_DISTANCE)
        return -distance(m, x, y);
    for (int64_t k = 0; k < x.n; ++k)
        sum += (double)x.vals[k] * row_times(m, ak_row_col(&x, k), y);
    return by == AKIN_BY_COSINE ? sum * cosine_factor(m, x, y) : sum;
}

static void full_embed(const akin_model *m, const akin_rows *rows, int64_t i,
                       akin_side side, double *out)
{
    const int64_t d = m->d[AKIN_RIGHT];
    const ak_row x = ak_row_of(rows, i);
    memset(out, 0, (size_t)d * sizeof *out);
    for (int64_t k = 0; k < x.n; ++k) {
        if (side == AKIN_RIGHT)
            out[ak_row_col(&x, k)] = (double)x.vals[k];
        else if (x.vals[k] != 0.0F)
            ak_axpy(d, (double)x.vals[k], row_of(m, ak_row_col(&x, k)), out);
    }
}

static int64_t full_embed_dim(const akin_model *m)
{
    return m->d[AKIN_RIGHT];
}

/* Feature j takes x_j W_j.y of the dot product; of the distance
 * (x_j W_j - y_j e_j).(W'x - y), with e_j the j-th unit vector. */
static double part(const akin_model *m, ak_row x, ak_row y, const ak_walk *at,
                   akin_compare by)
{
    const bool has_row = at->col < m->d[AKIN_LEFT];
    double sum = has_row ? at->x * row_times(m, at->col, y) : 0.0;
    if (by != AKIN_BY_DISTANCE)
        return sum;
    for (int64_t c = 0; c < m->d[AKIN_RIGHT]; ++c) {
        const double xw = has_row ? at->x * row_of(m, at->col)[c] : 0.0;
        sum -= (xw - (c == at->col ? at->y : 0.0)) * coordinate(m, x, c);
    }
    return sum - at->y * at->y;
}

static int64_t full_explain(const akin_model *m, const akin_rows *left,
                            int64_t i, const akin_rows *right, int64_t j,
                            akin_compare by, akin_reason *reasons)
{
    const ak_row x = ak_row_of(left, i), y = ak_row_of(right, j);
    int64_t n = 0;
    if (reasons == NULL)
        return x.n + y.n;
    const double factor = by == AKIN_BY_COSINE ? cosine_factor(m, x, y) : 1.0;
    for (ak_walk w = {.row = {x, y}}; ak_walk_next(&w);) {
        const double all = factor * part(m, x, y, &w, by);
        if (all != 0.0)
            reasons[n++] = (akin_reason){w.col, all};
    }
    return n;
}

static int64_t full_parameters(const akin_model *m)
{
    return m->d[AKIN_LEFT] * m->d[AKIN_RIGHT];
}

static int64_t full_nonzeros(const akin_model *m)
{
    const double *W = m->params;
    int64_t n = 0;
    for (int64_t k = 0; k < full_parameters(m); ++k)
        n += W[k] != 0.0;
    return n;
}

static int64_t full_rank(const akin_model *m)
{
    (void)m;
    return 0;
}

static akin_status fill(akin_model *m, akin_ctx *ctx, const double *W)
{
    double *copy = NULL;
    const akin_status st = AK_NEW(ctx, full_parameters(m), &copy);
    if (st == AKIN_OK)
        memcpy(copy, W, (size_t)full_parameters(m) * sizeof *W);
    m->params = copy;
    return st;
}

akin_status ak_full_new(akin_model **out, akin_ctx *ctx, int64_t d_left,
                        int64_t d_right, const double *W, akin_compare by)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_new(&m, ctx, &ak_kind_full, d_left, d_right, by));
    AK_TRY(fill(m, ctx, W));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

static void full_free(akin_model *m)
{
    akin_free(m->params);
}

static akin_status full_put(const akin_model *m, akin_ctx *ctx, ak_tensors *t)
{
    return ak_tensors_put(
        t, ctx,
        (ak_tensor){"W", AK_DTYPE_F64, 2, {m->d[0], m->d[1]}, m->params});
}

static akin_status full_take(akin_model *m, akin_ctx *ctx, const ak_tensors *t)
{
    const ak_tensor *W;
    AK_CHECK(ak_tensors_need(t, ctx, "W", AK_DTYPE_F64, 2, &W));
    if (W->shape[0] != m->d[0] || W->shape[1] != m->d[1])
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: W is %" PRId64 " by %" PRId64
                       " in a model of %" PRId64 " by %" PRId64 " columns",
                       ak_tensors_path(t), W->shape[0], W->shape[1], m->d[0],
                       m->d[1]);
    const double *values = W->data;
    for (int64_t k = 0; k < full_parameters(m); ++k)
        if (!isfinite(values[k]))
            return ak_fail(ctx, AKIN_EFORMAT, "%s: W is not finite",
                           ak_tensors_path(t));
    return fill(m, ctx, values);
}

const ak_model_kind ak_kind_full = {
    .name = "full",
    .score = full_score,
    .embed = full_embed,
    .embed_dim = full_embed_dim,
    .explain = full_explain,
    .nonzeros = full_nonzeros,
    .parameters = full_parameters,
    .rank = full_rank,
    .put = full_put,
    .take = full_take,
    .free = full_free,
};
