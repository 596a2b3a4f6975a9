/* The vectors of the rows of an index. */
#include <math.h>
#include <string.h>

#include "export/export.h"
#include "index/dense/dense.h"
#include "index/index.h"
#include "index/inverted/inverted.h"
#include "model/diagonal.h"

void ak_items_free(ak_items *items)
{
    akin_free(items->ids);
    ak_columns_free(&items->names);
    akin_rows_free(items->rows);
    *items = (ak_items){0};
}

/* ---- vectors that are being read ---- */

akin_status ak_filling_begin(ak_filling *f, akin_ctx *ctx, ak_export *e)
{
    akin_rows **rows = &e->items.rows;
    AK_CHECK(ak_rows_new(rows, ctx, 0, e->dim));
    f->rows = *rows;
    AK_CHECK(
        ak_grow(ctx, 1, &f->val_room, sizeof *f->rows->vals, &f->rows->vals));
    if (!e->sparse)
        return AKIN_OK;
    AK_CHECK(ak_grow(ctx, 1, &f->row_room, sizeof *f->rows->offsets,
                     &f->rows->offsets));
    f->rows->offsets[0] = 0;
    return ak_grow(ctx, 1, &f->col_room, sizeof *f->rows->cols, &f->rows->cols);
}

akin_status ak_filling_add(ak_filling *f, akin_ctx *ctx, int32_t column,
                           float value)
{
    akin_rows *r = f->rows;
    AK_CHECK(ak_grow(ctx, f->n + 1, &f->val_room, sizeof *r->vals, &r->vals));
    r->vals[f->n] = value;
    if (r->offsets != NULL) {
        AK_CHECK(
            ak_grow(ctx, f->n + 1, &f->col_room, sizeof *r->cols, &r->cols));
        r->cols[f->n] = column;
    }
    ++f->n;
    return AKIN_OK;
}

akin_status ak_filling_end_row(ak_filling *f, akin_ctx *ctx)
{
    akin_rows *r = f->rows;
    if (r->offsets != NULL) {
        AK_CHECK(ak_grow(ctx, r->n + 2, &f->row_room, sizeof *r->offsets,
                         &r->offsets));
        r->offsets[r->n + 1] = f->n;
    }
    ++r->n;
    return AKIN_OK;
}

/* ---- the vectors of an index ---- */

static akin_status dense_vectors(akin_rows **out, akin_ctx *ctx,
                                 const akin_index *x, const int64_t *which,
                                 int64_t n)
{
    const ak_dense *v = ak_dense_of(x);
    AK_CHECK(ak_rows_new(out, ctx, n, v->k));
    AK_CHECK(AK_NEW(ctx, n * v->k, &(*out)->vals));
    for (int64_t i = 0; i < n; ++i)
        memcpy((*out)->vals + i * v->k, v->vectors + which[i] * v->k,
               (size_t)v->k * sizeof *v->vectors);
    return AKIN_OK;
}

/* What a number of column j is multiplied by, for (3) of export.h. */
static double factor(const double *w, int64_t j, akin_compare by)
{
    return w && by == AKIN_BY_DISTANCE ? sqrt(w[j]) : 1.0;
}

/* Row i by (1), (2) or (3); `w` NULL: ones. */
static void scale_row(akin_rows *rows, int64_t i, const double *w,
                      akin_compare by)
{
    const int64_t begin = rows->offsets ? rows->offsets[i] : i * rows->d;
    const int64_t end = rows->offsets ? rows->offsets[i + 1]
                                      : (i + 1) * rows->d;
    double norm = 0.0;
    for (int64_t k = begin; k < end; ++k) {
        const int64_t j = rows->offsets ? rows->cols[k] : k - begin;
        const double x = rows->vals[k];
        norm += (w ? fabs(w[j]) : 1.0) * x * x;
        rows->vals[k] = (float)(x * factor(w, j, by));
    }
    for (int64_t k = begin; by == AKIN_BY_COSINE && k < end; ++k)
        rows->vals[k] = norm > 0.0 ? (float)((double)rows->vals[k] / sqrt(norm))
                                   : 0.0F;
}

/* A distance by weights below 0 is none of two vectors. */
static akin_status check_signs(akin_ctx *ctx, const akin_model *m,
                               akin_compare by)
{
    if (by != AKIN_BY_DISTANCE || akin_model_is_symmetric(m))
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "the two sides of this model differ: no engine has its "
                   "distance (compare by dot or cosine)");
}

static akin_status take_names(ak_items *items, akin_ctx *ctx,
                              const akin_index *x, const int64_t *which)
{
    akin_status st = AKIN_OK;
    for (int64_t i = 0; akin_index_has_names(x) && i < items->n; ++i) {
        const ak_mark mark = ak_scratch_begin(ctx);
        char *name = NULL;
        st = ak_export_text(ctx, akin_index_name(x, which[i]), &name);
        if (st == AKIN_OK)
            st = ak_columns_add(&items->names, ctx, name, strlen(name));
        ak_scratch_end(ctx, mark);
        AK_CHECK(st);
    }
    return st;
}

akin_status ak_export_items(ak_export *e, akin_ctx *ctx, const akin_index *x,
                            const int64_t *ids, akin_compare by)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const bool inverted = x->kind == &ak_index_inverted;
    const double *w = inverted && !ak_index_embeds(x) ? ak_diagonal_w(x->model)
                                                      : NULL;
    ak_items *items = &e->items;
    int64_t *which = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(check_signs(ctx, x->model, by));
    AK_TRY(AK_SCRATCH(ctx, x->n, &which));
    AK_TRY(AK_NEW(ctx, x->n, &items->ids));
    for (int64_t i = 0; i < x->n; ++i)
        if (!x->gone[i]) {
            items->ids[items->n] = ids ? ids[i] : i;
            which[items->n++] = i;
        }
    AK_TRY(take_names(items, ctx, x, which));
    AK_TRY(inverted
               ? ak_inverted_all_rows(x, ctx, which, items->n, &items->rows)
               : dense_vectors(&items->rows, ctx, x, which, items->n));
    for (int64_t i = 0; i < items->n; ++i)
        scale_row(items->rows, i, w, by);
    e->sparse = inverted;
    e->distance = by == AKIN_BY_DISTANCE;
    e->dim = items->rows->d;
    for (int64_t i = 0; i < items->n; ++i)
        e->most = ak_max_i64(e->most, inverted ? items->rows->offsets[i + 1] -
                                                     items->rows->offsets[i]
                                               : e->dim);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
