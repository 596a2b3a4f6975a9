/* The inverted index. In a file, its rows are "row.scale", "row.norm" and,
 * where needed, "row.sum" and "row.self"; the bounds are "term.most" and
 * "length", which old files do not have; nor do they have "forward". */
#include "index/inverted/inverted.h"

#include <math.h>
#include <string.h>

#include "data/recipe/fingerprint.h"
#include "data/recipe/recipe.h"
#include "index/inverted/entries.h"
#include "index/inverted/measure.h"
#include "model/diagonal.h"

double ak_inverted_entry(const ak_inverted *v, double c, int64_t i, int64_t j)
{
    const double e =
        v->recipe ? ak_recipe_entry(v->recipe, c, v->sum ? v->sum[i] : 1.0, j)
                  : c;
    return e * v->scale[i];
}

akin_status ak_inverted_fail(const ak_inverted *v, akin_ctx *ctx)
{
    const ak_block_checks *c = v->rows.checks;
    return c && atomic_load(&c->bad) >= 0 ? ak_forward_fail(&v->rows, ctx)
                                          : ak_postings_fail(&v->p, ctx);
}

/* The kind's own part, made on first use. */
static akin_status state_of(akin_index *x, akin_ctx *ctx, ak_inverted **out)
{
    if (x->state == NULL)
        AK_CHECK(AK_NEW(ctx, 1, (ak_inverted **)&x->state));
    *out = x->state;
    if ((*out)->entries == NULL)
        AK_CHECK(ak_entries_new(&(*out)->entries, ctx));
    if (!ak_index_embeds(x)) {
        (*out)->w = ak_diagonal_w(x->model);
        (*out)->recipe = akin_model_recipe(x->model, AKIN_RIGHT);
    }
    return AKIN_OK;
}

/* Flags the columns with a weight; NULL: all columns. */
static akin_status kept_columns(const akin_index *x, akin_ctx *ctx,
                                unsigned char **keep)
{
    const double *w = ak_inverted_of(x)->w;
    const int64_t d = ak_index_dim(x);
    *keep = NULL;
    if (!x->prune || w == NULL)
        return AKIN_OK;
    const akin_status st = AK_SCRATCH(ctx, d, keep);
    for (int64_t j = 0; j < d && st == AKIN_OK; ++j)
        (*keep)[j] = w[j] != 0.0;
    return st;
}

/* Raw rows reduced to the model's columns; *out stays NULL where nothing
 * changes. */
static akin_status keep_vocabulary(const akin_index *x, akin_ctx *ctx,
                                   const akin_rows *rows, akin_rows **out)
{
    const akin_recipe *r = akin_model_recipe(x->model, AKIN_RIGHT);
    *out = NULL;
    if (rows->offsets == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the rows are dense (the index holds sparse rows)");
    if (r != NULL && r->vocabulary != NULL)
        AK_CHECK(ak_vocabulary_keep(out, ctx, r->vocabulary, rows));
    rows = *out ? *out : rows;
    AK_CHECK(ak_model_check_rows(x->model, ctx, rows, AKIN_RIGHT));
    if (r != NULL)
        AK_CHECK(ak_recipe_check(r, ctx, rows));
    return AKIN_OK;
}

/* The bounds of the terms by column, and back by term. */
static void spread_most(const ak_inverted *v, float *most)
{
    for (int64_t t = 0; t < 2 * v->p.n_terms; ++t)
        most[2 * (int64_t)v->p.terms[t / 2] + t % 2] = v->most[t];
}

static akin_status gather_most(const ak_postings *p, akin_ctx *ctx,
                               const float *most, float **out)
{
    const akin_status st = AK_NEW(ctx, 2 * p->n_terms, out);
    for (int64_t t = 0; t < 2 * p->n_terms && st == AKIN_OK; ++t)
        (*out)[t] = most[2 * (int64_t)p->terms[t / 2] + t % 2];
    return st;
}

/* Take the weights and the recipe of `next`, a copy of the index, and measure
 * all rows; `rescale` if the recipe is another one. */
static akin_status remeasure(akin_index *x, akin_ctx *ctx, ak_inverted next,
                             bool rescale, akin_compare by)
{
    ak_inverted *v = ak_inverted_of(x);
    AK_CHECK(ak_inverted_measure(&next, ctx, ak_index_dim(x), rescale));
    const ak_sizes sizes = ak_inverted_sizes(&next);
    const akin_status st =
        ak_score_factors_make(&next.factors, ctx, x, &sizes, by);
    if (st != AKIN_OK) {
        ak_inverted_unmeasure(&next, rescale);
        return st;
    }
    ak_inverted_unmeasure(v, rescale);
    ak_score_factors_free(&v->factors);
    *v = next;
    if (rescale)
        ak_entries_reset(v->entries);
    return AKIN_OK;
}

/* The rows that are there; x->n counts those to come already. */
static akin_status remeasure_present(akin_index *x, akin_ctx *ctx)
{
    const int64_t n = x->n;
    x->n = ak_inverted_of(x)->p.n;
    const akin_status st = remeasure(x, ctx, *ak_inverted_of(x), false, x->by);
    x->n = n;
    return st;
}

/* The remaining rows and new ones. Everything is made before anything is
 * replaced: on failure the index is unchanged. */
static akin_status merge(akin_index *x, akin_ctx *ctx, const akin_rows *more)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = ak_index_dim(x);
    ak_inverted *v = ak_inverted_of(x);
    ak_inverted next;  // with the merged postings
    ak_postings merged = {0};
    ak_forward rows = {0};
    ak_score_factors factors = {0};
    ak_sizes sizes;
    uint8_t *bands = NULL;
    unsigned char *keep;
    float *most, *bounds = NULL;
    akin_status st = AKIN_OK;
    if (v->norm == NULL && v->p.n > 0)
        AK_TRY(remeasure_present(x, ctx));
    AK_TRY(kept_columns(x, ctx, &keep));
    AK_TRY(AK_SCRATCH(ctx, 2 * d, &most));
    spread_most(v, most);
    if (more != NULL)
        AK_TRY(ak_inverted_measure_rows(v, ctx, more, d, most));
    AK_TRY(ak_postings_merge(&merged, ctx, &v->p, x->gone, more, keep));
    AK_TRY(gather_most(&merged, ctx, most, &bounds));
    if (merged.n >= AK_MANY_ROWS)
        AK_TRY(ak_forward_make(&rows, ctx, &merged, d));
    next = *v;
    next.p = merged;
    AK_TRY(ak_inverted_measure_bands(&next, ctx));
    bands = next.bands;
    sizes = ak_inverted_sizes(v);
    AK_TRY(ak_score_factors_make(&factors, ctx, x, &sizes, x->by));
    ak_postings_free(&v->p);
    ak_forward_free(&v->rows);
    ak_score_factors_free(&v->factors);
    ak_entries_reset(v->entries);
    akin_free(v->most);
    akin_free(v->bands);
    v->p = merged;
    v->rows = rows;
    v->factors = factors;
    v->most = bounds;
    v->bands = bands;
    merged = (ak_postings){0};
    rows = (ak_forward){0};
    bounds = NULL;
    bands = NULL;
done:
    ak_postings_free(&merged);
    ak_forward_free(&rows);
    akin_free(bounds);
    akin_free(bands);
    ak_scratch_end(ctx, mark);
    return st;
}

/* Rows in the learned space, where the index keeps those. */
static akin_status embed_rows(const akin_index *x, akin_ctx *ctx,
                              const akin_rows *rows, akin_rows **out)
{
    akin_rows *ready = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_model_prepare(&ready, ctx, x->model, rows, AKIN_RIGHT));
    AK_TRY(ak_model_embed(out, ctx, x->model, ready, AKIN_RIGHT));
done:
    akin_rows_free(ready);
    return st;
}

static akin_status inverted_add(akin_index *x, akin_ctx *ctx,
                                const akin_rows *rows)
{
    ak_inverted *v;
    akin_rows *kept = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(state_of(x, ctx, &v));
    AK_TRY(ak_index_embeds(x) ? embed_rows(x, ctx, rows, &kept)
                              : keep_vocabulary(x, ctx, rows, &kept));
    AK_TRY(merge(x, ctx, kept ? kept : rows));
done:
    akin_rows_free(kept);
    return st;
}

static akin_status inverted_remove(akin_index *x, akin_ctx *ctx)
{
    return merge(x, ctx, NULL);
}

void ak_index_forget_rows(akin_index *x, const akin_index *like)
{
    if (x->kind == &ak_index_inverted && like->kind == &ak_index_inverted &&
        ak_inverted_of(like)->rows.at == NULL)
        ak_forward_free(&ak_inverted_of(x)->rows);
}

/* ---- another model ---- */

static bool is_same_recipe(const akin_recipe *a, const akin_recipe *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return ak_recipe_fingerprint(a) == ak_recipe_fingerprint(b);
}

/* Can the postings serve the weights and the recipe of `next`? */
static akin_status check_next(const akin_index *x, akin_ctx *ctx,
                              const ak_inverted *next, bool rescale)
{
    const ak_inverted *v = ak_inverted_of(x);
    const akin_recipe *a = v->recipe, *b = next->recipe;
    const bool pruned = x->prune && v->w != NULL;
    if (!ak_vocabulary_is(a ? a->vocabulary : NULL, b ? b->vocabulary : NULL))
        return ak_fail(ctx, AKIN_EINVAL,
                       "the model has another vocabulary: it requires a new "
                       "index");
    if (pruned && rescale)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the index is pruned and the model has another recipe: "
                       "it requires a new index");
    for (int64_t j = 0; pruned && j < ak_index_dim(x); ++j)
        if (v->w[j] == 0.0 && ak_inverted_w(next, j) != 0.0)
            return ak_fail(ctx, AKIN_EINVAL,
                           "the index is pruned and has no column %" PRId64
                           ", which has a weight in the model: it requires a "
                           "new index",
                           j);
    return AKIN_OK;
}

/* Dot products need no norms: their range is known without. */
static bool needs_norms(const ak_inverted *next, int64_t d, akin_compare by)
{
    double most = next->w ? 0.0 : 1.0;
    for (int64_t j = 0; next->w && j < d; ++j)
        most = fmax(most, fabs(next->w[j]));
    return by != AKIN_BY_DOT || !isfinite(most * next->length * next->length);
}

static akin_status set_weights(akin_index *x, akin_ctx *ctx, ak_inverted next)
{
    ak_inverted *v = ak_inverted_of(x);
    next.norm = next.self = NULL;
    if (v->factors.by == AKIN_BY_DOT) {
        next.factors.largest = INFINITY;
    } else {
        const ak_sizes sizes = ak_inverted_sizes(&next);
        AK_CHECK(
            ak_score_factors_make(&next.factors, ctx, x, &sizes, AKIN_BY_DOT));
        ak_score_factors_free(&v->factors);
    }
    akin_free(v->norm);
    akin_free(v->self);
    *v = next;
    return AKIN_OK;
}

static akin_status inverted_set_model(akin_index *x, akin_ctx *ctx,
                                      const akin_model *m, akin_compare by)
{
    const ak_inverted *v = ak_inverted_of(x);
    ak_inverted next = *v;
    next.w = ak_diagonal_w(m);
    next.recipe = akin_model_recipe(m, AKIN_RIGHT);
    const bool rescale = !is_same_recipe(v->recipe, next.recipe);
    AK_CHECK(check_next(x, ctx, &next, rescale));
    if (rescale || needs_norms(&next, ak_index_dim(x), by))
        return remeasure(x, ctx, next, rescale, by);
    return set_weights(x, ctx, next);
}

/* ---- rows of the index ---- */

/* The prepared entry of a row in term t. */
static bool find_in_term(const ak_inverted *v, int64_t t, int64_t row,
                         float *value)
{
    const ak_postings *p = &v->p;
    ak_posting_block b;
    int64_t k = p->blocks[t];
    *value = 0.0F;
    if (p->first[k] > row)
        return true;
    while (k + 1 < p->blocks[t + 1] && p->first[k + 1] <= row)
        ++k;
    if (!ak_postings_block(p, t, k, &b))
        return false;
    const int64_t at = ak_posting_find(&b, (uint32_t)row);
    if (at >= 0)
        *value = (float)ak_inverted_entry(v, (double)ak_posting_value(&b, at),
                                          row, p->terms[t]);
    return true;
}

/* Sparse rows that are being filled. */
typedef struct filling {
    akin_rows *rows;
    int64_t n, room;  // entries
} filling;

static akin_status add_entry(filling *f, akin_ctx *ctx, int32_t column,
                             float value)
{
    int64_t same = f->room;
    if (value == 0.0F)
        return AKIN_OK;
    AK_CHECK(
        ak_grow(ctx, f->n + 1, &same, sizeof *f->rows->cols, &f->rows->cols));
    AK_CHECK(ak_grow(ctx, f->n + 1, &f->room, sizeof *f->rows->vals,
                     &f->rows->vals));
    f->rows->cols[f->n] = column;
    f->rows->vals[f->n++] = value;
    return AKIN_OK;
}

/* From all columns, where the index does not have the row itself. */
static akin_status add_by_columns(filling *f, akin_ctx *ctx,
                                  const ak_inverted *v, int64_t row)
{
    for (int64_t t = 0; t < v->p.n_terms; ++t) {
        float value;
        if (!find_in_term(v, t, row, &value))
            return ak_postings_fail(&v->p, ctx);
        AK_CHECK(add_entry(f, ctx, v->p.terms[t], value));
    }
    return AKIN_OK;
}

static akin_status add_itself(filling *f, akin_ctx *ctx, const ak_inverted *v,
                              int64_t i)
{
    ak_forward_row row;
    uint32_t columns[AK_PACK_BLOCK];
    int64_t n;
    if (!ak_forward_begin(&v->rows, i, &row))
        return ak_forward_fail(&v->rows, ctx);
    while (row.done < row.n) {
        const int64_t first = row.done;
        if (!ak_forward_next(&v->rows, i, &row, columns, &n))
            return ak_forward_fail(&v->rows, ctx);
        for (int64_t k = 0; k < n; ++k) {
            const double c = (double)ak_forward_value(&row, first + k);
            AK_CHECK(add_entry(f, ctx, (int32_t)columns[k],
                               (float)ak_inverted_entry(v, c, i, columns[k])));
        }
    }
    return AKIN_OK;
}

static akin_status fill_rows(const ak_inverted *v, akin_ctx *ctx,
                             const int64_t *which, akin_rows *out)
{
    filling f = {.rows = out};
    for (int64_t k = 0; k < out->n; ++k) {
        AK_CHECK(v->rows.at ? add_itself(&f, ctx, v, which[k])
                            : add_by_columns(&f, ctx, v, which[k]));
        out->offsets[k + 1] = f.n;
    }
    return AKIN_OK;
}

static akin_status empty_rows(akin_rows **out, akin_ctx *ctx, int64_t n,
                              int64_t d)
{
    AK_CHECK(ak_rows_new(out, ctx, n, d));
    AK_CHECK(AK_NEW(ctx, n + 1, &(*out)->offsets));
    AK_CHECK(AK_NEW(ctx, 1, &(*out)->cols));
    return AK_NEW(ctx, 1, &(*out)->vals);
}

static akin_status inverted_rows(const akin_index *x, akin_ctx *ctx,
                                 const int64_t *which, int64_t count,
                                 akin_rows **out)
{
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_index_check_sides(x, ctx));
    AK_TRY(empty_rows(&r, ctx, count, ak_index_dim(x)));
    AK_TRY(fill_rows(ak_inverted_of(x), ctx, which, r));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

/* The index of few rows does not have them: one table of all is quicker to make
 * than a look into every column for each. */
akin_status ak_inverted_all_rows(const akin_index *x, akin_ctx *ctx,
                                 const int64_t *which, int64_t count,
                                 akin_rows **out)
{
    ak_inverted v = *ak_inverted_of(x);
    ak_forward made = {0};
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    if (v.rows.at == NULL) {
        AK_TRY(ak_forward_make(&made, ctx, &v.p, ak_index_dim(x)));
        v.rows = made;
    }
    AK_TRY(empty_rows(&r, ctx, count, ak_index_dim(x)));
    AK_TRY(fill_rows(&v, ctx, which, r));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    ak_forward_free(&made);
    return st;
}

/* ---- files ---- */

/* A copy is put of numbers that do not live as long as the tensors. */
static akin_status put_numbers(ak_tensors *t, akin_ctx *ctx, const char *name,
                               ak_dtype dtype, int64_t n, const void *data,
                               bool copy)
{
    const ak_tensor x = {name, dtype, 1, {n}, data};
    if (data == NULL)
        return AKIN_OK;
    return copy ? ak_tensors_put_copy(t, ctx, x) : ak_tensors_put(t, ctx, x);
}

static akin_status put_sizes(const ak_inverted *v, akin_ctx *ctx, ak_tensors *t,
                             bool copy)
{
    const int64_t n = v->p.n;
    AK_CHECK(put_numbers(t, ctx, "row.sum", AK_DTYPE_F64, n, v->sum, copy));
    AK_CHECK(put_numbers(t, ctx, "row.scale", AK_DTYPE_F64, n, v->scale, copy));
    AK_CHECK(put_numbers(t, ctx, "row.norm", AK_DTYPE_F64, n, v->norm, copy));
    AK_CHECK(put_numbers(t, ctx, "row.self", AK_DTYPE_F64, n, v->self, copy));
    if (isfinite(v->length))
        AK_CHECK(
            put_numbers(t, ctx, "length", AK_DTYPE_F64, 1, &v->length, true));
    AK_CHECK(put_numbers(t, ctx, "row.bands", AK_DTYPE_U8, AK_BANDS * n,
                         v->bands, copy));
    return put_numbers(t, ctx, "term.most", AK_DTYPE_F32, 2 * v->p.n_terms,
                       v->most, copy);
}

static akin_status inverted_put(const akin_index *x, akin_ctx *ctx,
                                ak_tensors *t)
{
    ak_inverted v = *ak_inverted_of(x);
    AK_CHECK(ak_postings_put(&v.p, ctx, t));
    AK_CHECK(ak_forward_put(&v.rows, ctx, t));
    if (v.norm != NULL)
        return put_sizes(&v, ctx, t, false);
    AK_CHECK(ak_inverted_measure(&v, ctx, ak_index_dim(x), false));
    const akin_status st = put_sizes(&v, ctx, t, true);
    ak_inverted_unmeasure(&v, false);
    return st;
}

static akin_status take_numbers(const ak_tensors *t, akin_ctx *ctx,
                                const char *name, ak_dtype dtype, int64_t n,
                                void *out)
{
    const ak_tensor *x;
    AK_CHECK(ak_tensors_need(t, ctx, name, dtype, 1, &x));
    if (x->shape[0] != n)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: tensor '%s' has %" PRId64
                       " entries (expected %" PRId64 ")",
                       ak_tensors_path(t), name, x->shape[0], n);
    AK_CHECK(ak_alloc(ctx, n, ak_dtype_size(dtype), out));
    if (n > 0)
        memcpy(*(void **)out, x->data, (size_t)n * ak_dtype_size(dtype));
    return AKIN_OK;
}

static akin_status check_finite(akin_ctx *ctx, const ak_tensors *t, int64_t n,
                                const double *a, const char *name)
{
    for (int64_t i = 0; i < n && a; ++i)
        if (!isfinite(a[i]))
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s: entry %" PRId64 " of '%s' is not finite",
                           ak_tensors_path(t), i, name);
    return AKIN_OK;
}

static akin_status take_length(ak_inverted *v, akin_ctx *ctx,
                               const ak_tensors *t)
{
    const ak_tensor *x;
    v->length = INFINITY;
    if (ak_tensors_find(t, "length") == NULL)
        return AKIN_OK;
    AK_CHECK(ak_tensors_need(t, ctx, "length", AK_DTYPE_F64, 1, &x));
    if (x->shape[0] == 1)
        memcpy(&v->length, x->data, sizeof v->length);
    if (x->shape[0] != 1 || !(v->length >= 0.0))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: tensor 'length' is damaged (expected one number "
                       "from 0 on)",
                       ak_tensors_path(t));
    return AKIN_OK;
}

static akin_status inverted_take(akin_index *x, akin_ctx *ctx,
                                 const ak_tensors *t)
{
    const int64_t n = x->n;
    ak_inverted *v;
    AK_CHECK(state_of(x, ctx, &v));
    AK_CHECK(ak_postings_take(&v->p, ctx, t, n, ak_index_dim(x)));
    AK_CHECK(ak_forward_take(&v->rows, ctx, t, n, ak_index_dim(x)));
    AK_CHECK(take_numbers(t, ctx, "row.scale", AK_DTYPE_F64, n, &v->scale));
    AK_CHECK(take_numbers(t, ctx, "row.norm", AK_DTYPE_F64, n, &v->norm));
    if (ak_inverted_has_sum(v))
        AK_CHECK(take_numbers(t, ctx, "row.sum", AK_DTYPE_F64, n, &v->sum));
    if (ak_inverted_has_self(v, ak_index_dim(x)))
        AK_CHECK(take_numbers(t, ctx, "row.self", AK_DTYPE_F64, n, &v->self));
    AK_CHECK(take_numbers(t, ctx, "term.most", AK_DTYPE_F32, 2 * v->p.n_terms,
                          &v->most));
    AK_CHECK(take_length(v, ctx, t));
    if (isfinite(v->length) && ak_tensors_find(t, "row.bands") != NULL)
        AK_CHECK(take_numbers(t, ctx, "row.bands", AK_DTYPE_U8, AK_BANDS * n,
                              &v->bands));
    AK_CHECK(check_finite(ctx, t, n, v->scale, "row.scale"));
    AK_CHECK(check_finite(ctx, t, n, v->norm, "row.norm"));
    AK_CHECK(check_finite(ctx, t, n, v->sum, "row.sum"));
    AK_CHECK(check_finite(ctx, t, n, v->self, "row.self"));
    const ak_sizes sizes = ak_inverted_sizes(v);
    return ak_score_factors_make(&v->factors, ctx, x, &sizes, x->by);
}

static void inverted_free(akin_index *x)
{
    ak_inverted *v = x->state;
    if (v == NULL)
        return;
    ak_postings_free(&v->p);
    ak_forward_free(&v->rows);
    ak_entries_free(v->entries);
    akin_free(v->sum);
    akin_free(v->scale);
    akin_free(v->norm);
    akin_free(v->self);
    akin_free(v->most);
    akin_free(v->bands);
    ak_score_factors_free(&v->factors);
    akin_free(v);
}

const ak_index_kind ak_index_inverted = {
    .name = "inverted",
    .add = inverted_add,
    .remove = inverted_remove,
    .set_model = inverted_set_model,
    .search = ak_inverted_search,
    .rows = inverted_rows,
    .put = inverted_put,
    .take = inverted_take,
    .free = inverted_free,
};
