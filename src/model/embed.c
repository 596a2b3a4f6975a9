/* Rows of the learned space.
 *
 * A diagonal model scales the columns: x goes to sign(w) sqrt|w| x on the left
 * and to sqrt|w| x on the right, so that the plain dot product of the two is
 * sum_j w_j x_j y_j also where a weight is negative. Without negative weights
 * both sides are the same, and the plain distance is the model's, too. Sparse
 * rows stay sparse. Other kinds give dense rows, but where the space goes on
 * with the columns of the rows: sparse ones. */
#include <math.h>

#include "base/comm.h"
#include "data/recipe/fingerprint.h"
#include "model/compare.h"
#include "model/diagonal.h"
#include "model/factored.h"
#include "model/full.h"
#include "model/posterior.h"

enum { BLOCK = 64 };

static double factor(const double *w, int64_t j, akin_side side)
{
    if (w == NULL)
        return 1.0;
    const double root = sqrt(fabs(w[j]));
    return side == AKIN_LEFT && w[j] < 0.0 ? -root : root;
}

int akin_model_is_symmetric(const akin_model *m)
{
    if (m->kind->learned != NULL)
        return akin_model_is_symmetric(m->kind->learned(m));
    if (m->kind == &ak_kind_kernel)
        return 0;
    if (ak_model_is_factored(m))
        return ak_factored_B(m) == ak_factored_A(m);
    if (m->kind->score == NULL)
        return 0;
    if (m->kind == &ak_kind_posterior)
        return ak_posterior_is_symmetric(m);
    if (m->kind->embed != NULL)
        return ak_full_W(m) == NULL;
    const double *w = ak_diagonal_w(m);
    for (int64_t j = 0; w != NULL && j < m->d[0]; ++j)
        if (w[j] < 0.0)
            return 0;
    return 1;
}

static akin_status too_large(akin_ctx *ctx, int64_t i)
{
    return ak_fail(ctx, AKIN_ENUMERIC,
                   "row %" PRId64 " exceeds single precision after embedding",
                   i);
}

static akin_status scale_sparse(akin_rows *out, akin_ctx *ctx, const double *w,
                                const akin_rows *rows, akin_side side)
{
    int64_t at = 0;
    AK_CHECK(AK_NEW(ctx, rows->n + 1, &out->offsets));
    AK_CHECK(AK_NEW(ctx, rows->offsets[rows->n], &out->cols));
    AK_CHECK(AK_NEW(ctx, rows->offsets[rows->n], &out->vals));
    for (int64_t i = 0; i < rows->n; ++i) {
        const ak_sparse x = ak_rows_sparse(rows, i);
        for (int64_t k = 0; k < x.n; ++k) {
            const double v = factor(w, x.cols[k], side) * x.vals[k];
            if (!isfinite((float)v))
                return too_large(ctx, i);
            out->cols[at] = x.cols[k];
            out->vals[at] = (float)v;
            at += (float)v != 0.0F;
        }
        out->offsets[i + 1] = at;
    }
    return AKIN_OK;
}

static akin_status scale_dense(akin_rows *out, akin_ctx *ctx, const double *w,
                               const akin_rows *rows, akin_side side)
{
    const int64_t d = rows->d;
    AK_CHECK(AK_NEW(ctx, rows->n * d, &out->vals));
    for (int64_t k = 0; k < rows->n * d; ++k) {
        out->vals[k] = (float)(factor(w, k % d, side) * rows->vals[k]);
        if (!isfinite(out->vals[k]))
            return too_large(ctx, k / d);
    }
    return AKIN_OK;
}

typedef struct job {
    const akin_model *m;
    const akin_rows *rows;
    akin_rows *out;
    akin_side side;
    double *work;  // out->d of each worker
} job;

static akin_status embed_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const job *b = arg;
    const int64_t k = b->out->d;
    double *x = b->work + worker * k;
    for (int64_t i = begin; i < end; ++i) {
        b->m->kind->embed(b->m, b->rows, i, b->side, x);
        for (int64_t j = 0; j < k; ++j) {
            b->out->vals[i * k + j] = (float)x[j];
            if (!isfinite((float)x[j]))
                return AKIN_ENUMERIC;
        }
    }
    return AKIN_OK;
}

static akin_status embed_dense(akin_rows *out, akin_ctx *ctx,
                               const akin_model *m, const akin_rows *rows,
                               akin_side side)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    job b = {m, rows, out, side, NULL};
    akin_status st = AKIN_OK;
    out->d = m->kind->embed_dim(m);
    AK_TRY(AK_NEW(ctx, rows->n * out->d, &out->vals));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * out->d, &b.work));
    st = AK_COMM_MAP(ctx, rows->n, BLOCK, embed_block, &b,
                     {out->vals, (size_t)out->d * sizeof *out->vals});
    if (st == AKIN_ENUMERIC)
        st = ak_fail(ctx, st, "a row exceeds single precision after embedding");
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Appends the non-zeros of n numbers times `scale`, whose columns are shifted
 * by `shift`; false where one is too large. */
static bool append(akin_rows *out, int64_t *at, int64_t n, const int32_t *cols,
                   const float *vals, double scale, int64_t shift)
{
    for (int64_t j = 0; j < n; ++j) {
        const float v = (float)(scale * (double)vals[j]);
        if (!isfinite(v))
            return false;
        out->cols[*at] = (int32_t)(shift + (cols ? cols[j] : j));
        out->vals[*at] = v;
        *at += v != 0.0F;
    }
    return true;
}

static akin_status take_room(akin_rows *out, akin_ctx *ctx,
                             const akin_rows *rows, int64_t k)
{
    int64_t learned = 0;
    if (!ak_mul_i64(rows->n, k, &learned))
        return ak_nomem(ctx, SIZE_MAX);
    const int64_t own = rows->offsets ? rows->offsets[rows->n]
                                      : rows->n * rows->d;
    AK_CHECK(AK_NEW(ctx, rows->n + 1, &out->offsets));
    AK_CHECK(AK_NEW(ctx, learned + own, &out->cols));
    return AK_NEW(ctx, learned + own, &out->vals);
}

/* The place in the learned space, then the columns of the row. */
static akin_status embed_both(akin_rows *out, akin_ctx *ctx,
                              const akin_model *m, const akin_rows *rows,
                              akin_side side)
{
    akin_rows *places = NULL;
    int64_t at = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_rows_new(&places, ctx, rows->n, 0));
    AK_TRY(embed_dense(places, ctx, m, rows, side));
    const int64_t k = places->d;
    if (k > INT32_MAX - m->d[side])
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " and %" PRId64 " columns are too many", k,
                       m->d[side]));
    out->d = k + m->d[side];
    AK_TRY(take_room(out, ctx, rows, k));
    for (int64_t i = 0; i < rows->n; ++i) {
        const ak_row x = ak_row_of(rows, i);
        const double own = m->kind->own(m, rows, i);
        if (!append(out, &at, k, NULL, ak_rows_dense(places, i), 1.0, 0) ||
            !append(out, &at, x.n, x.cols, x.vals, own, k))
            AK_TRY(too_large(ctx, i));
        out->offsets[i + 1] = at;
    }
done:
    akin_rows_free(places);
    return st;
}

akin_status ak_model_embed(akin_rows **out, akin_ctx *ctx, const akin_model *m,
                           const akin_rows *rows, akin_side side)
{
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_check_compares(m, ctx));
    AK_TRY(ak_model_check_rows(m, ctx, rows, side));
    AK_TRY(ak_rows_new(&r, ctx, rows->n, rows->d));
    r->index_base = rows->index_base;
    if (m->kind->own != NULL)
        AK_TRY(embed_both(r, ctx, m, rows, side));
    else if (m->kind->embed != NULL)
        AK_TRY(embed_dense(r, ctx, m, rows, side));
    else if (rows->offsets != NULL)
        AK_TRY(scale_sparse(r, ctx, ak_diagonal_w(m), rows, side));
    else
        AK_TRY(scale_dense(r, ctx, ak_diagonal_w(m), rows, side));
    AK_TRY(ak_rows_copy_labels(r, ctx, rows, NULL));
    if (m->kind->embed == NULL)  // the columns are those of the rows
        AK_TRY(ak_columns_copy(&r->columns, ctx, &rows->columns));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

/* Of what the model holds. */
static akin_status fingerprint(uint64_t *out, akin_ctx *ctx,
                               const akin_model *m)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(ak_model_put(m, ctx, t));
    *out = ak_tensors_fingerprint(t);
done:
    ak_tensors_free(t);
    return st;
}

akin_status akin_model_embed(akin_rows **out, akin_ctx *ctx,
                             const akin_model *m, const akin_rows *rows,
                             akin_side side)
{
    akin_rows *r = NULL;
    uint64_t mark;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_embed(&r, ctx, m, rows, side));
    AK_TRY(fingerprint(&mark, ctx, m));
    ak_embedding_mark(r, mark);
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}
