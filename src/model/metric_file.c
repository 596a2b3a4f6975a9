/* A metric in a file, as it is:
 *
 *   M                               full                    (d x d)
 *   M.offsets, M.columns, M.values  half of M is zero or more (CSR)
 *   B                               M = B B' of low rank    (d x k) */
#include <math.h>

#include "la/dense.h"
#include "model/metric_body.h"
#include "model/sparse_rows.h"

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

akin_status ak_metric_put(const akin_model *m, akin_ctx *ctx, ak_tensors *t)
{
    const ak_metric *b = ak_metric_body(m);
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
    return ak_metric_fill(m, ctx, M);
}

static akin_status take_dense(akin_model *m, akin_ctx *ctx, const ak_tensors *t)
{
    const ak_tensor *M;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need(t, ctx, "M", AK_DTYPE_F64, 2, &M));
    if (M->shape[0] != m->d[0] || M->shape[1] != m->d[0])
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: M is %" PRId64 " by %" PRId64
                       " in a model of %" PRId64 " by %" PRId64 " columns",
                       ak_tensors_path(t), M->shape[0], M->shape[1], m->d[0],
                       m->d[1]));
    AK_TRY(take_full(m, ctx, t, M->data));
done:
    return st;
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
        AK_TRY(misfit(ctx, t, "tensor 'M.offsets' does not fit the model"));
    AK_TRY(AK_SCRATCH(ctx, d * d, &M));
    if (!spread(d, offsets, cols, vals, M))
        AK_TRY(misfit(ctx, t, "the parts of M do not fit each other"));
    AK_TRY(take_full(m, ctx, t, M));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status take_factor(akin_model *m, akin_ctx *ctx,
                               const ak_tensors *t)
{
    const ak_tensor *B;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need(t, ctx, "B", AK_DTYPE_F64, 2, &B));
    const double *b = B->data;
    if (B->shape[0] != m->d[0])
        AK_TRY(misfit(ctx, t, "tensor 'B' does not fit the model"));
    for (int64_t k = 0; k < B->shape[0] * B->shape[1]; ++k)
        if (!isfinite(b[k]))
            AK_TRY(misfit(ctx, t, "B is not finite"));
    AK_TRY(ak_metric_fill_factor(m, ctx, B->shape[1], b));
done:
    return st;
}

akin_status ak_metric_take(akin_model *m, akin_ctx *ctx, const ak_tensors *t)
{
    if (m->d[0] != m->d[1])
        return misfit(ctx, t, "a metric has as many columns left as right");
    if (ak_tensors_find(t, "B") != NULL)
        return take_factor(m, ctx, t);
    if (ak_tensors_find(t, "M.offsets") != NULL)
        return take_sparse(m, ctx, t);
    return take_dense(m, ctx, t);
}
