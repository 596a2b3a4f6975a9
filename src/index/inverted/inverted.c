/* The inverted index. In a file, its rows are "row.scale", "row.norm" and,
 * where needed, "row.sum" and "row.self"; the bounds are "term.most". */
#include "index/inverted/inverted.h"

#include <math.h>
#include <string.h>

#include "data/recipe/recipe.h"
#include "model/diagonal.h"

double ak_inverted_entry(const ak_inverted *v, double c, int64_t i, int64_t j)
{
    const double e =
        v->recipe ? ak_recipe_entry(v->recipe, c, v->sum ? v->sum[i] : 1.0, j)
                  : c;
    return e * v->scale[i];
}

static bool is_tf(const akin_recipe *r)
{
    return r != NULL &&
           (r->weights == AK_WEIGHTS_TF || r->weights == AK_WEIGHTS_TFIDF);
}

/* The recipe's own arithmetic, so that (1) gives the same bits. */
static double scale_of(const akin_recipe *r, int64_t n, const double *entries)
{
    double squares = 0.0;
    if (r == NULL || r->norm != AK_NORM_L2)
        return r ? r->global : 1.0;
    for (int64_t k = 0; k < n; ++k)
        squares += entries[k] * entries[k];
    return squares > 0.0 ? r->global / sqrt(squares) : r->global;
}

static bool has_negative(const double *w, int64_t d)
{
    for (int64_t j = 0; w && j < d; ++j)
        if (w[j] < 0.0)
            return true;
    return false;
}

static akin_status make_room(ak_inverted *v, akin_ctx *ctx, int64_t n,
                             int64_t d)
{
    AK_CHECK(ak_resize(ctx, n, sizeof *v->scale, &v->scale));
    AK_CHECK(ak_resize(ctx, n, sizeof *v->norm, &v->norm));
    if (is_tf(v->recipe))
        AK_CHECK(ak_resize(ctx, n, sizeof *v->sum, &v->sum));
    if (has_negative(v->w, d))
        AK_CHECK(ak_resize(ctx, n, sizeof *v->self, &v->self));
    return AKIN_OK;
}

static void raise_to(float *most, double x)
{
    const float size = (float)fabs(x);
    if (size > *most)
        *most = size;
}

/* Measure row number `at` of the index; false: a value is too large. `x` is
 * scratch for its entries. */
static bool measure_row(ak_inverted *v, ak_sparse row, int64_t at, double *x,
                        float *most)
{
    const akin_recipe *r = v->recipe;
    double sum = v->sum ? 0.0 : 1.0, norm = 0.0, self = 0.0;
    for (int64_t k = 0; k < row.n && v->sum; ++k)
        sum += (double)row.vals[k];
    for (int64_t k = 0; k < row.n; ++k) {
        const double c = row.vals[k];
        x[k] = r ? ak_recipe_entry(r, c, sum, row.cols[k]) : c;
    }
    const double scale = scale_of(r, row.n, x);
    for (int64_t k = 0; k < row.n; ++k) {
        const double w = ak_inverted_w(v, row.cols[k]);
        x[k] = (float)(x[k] * scale);
        norm += x[k] * (fabs(w) * x[k]);
        self += x[k] * (w * x[k]);
    }
    const double by = norm > 0.0 ? 1.0 / sqrt(norm) : 0.0;
    for (int64_t k = 0; k < row.n; ++k) {
        raise_to(&most[2 * row.cols[k]], x[k]);
        raise_to(&most[2 * row.cols[k] + 1], x[k] * by);
    }
    v->scale[at] = scale;
    v->norm[at] = norm;
    if (v->sum)
        v->sum[at] = sum;
    if (v->self)
        v->self[at] = self;
    return isfinite(norm);
}

static int64_t longest_row(const akin_rows *rows)
{
    int64_t most = 0;
    for (int64_t i = 0; i < rows->n; ++i)
        most = ak_max_i64(most, rows->offsets[i + 1] - rows->offsets[i]);
    return most;
}

/* Sums, scales and norms of rows after those already there, of d columns; and
 * raise most[2 j], most[2 j + 1] to the largest |x_ij| and cosine of each
 * column. ENUMERIC: a value is too large for a float. */
static akin_status measure_rows(ak_inverted *v, akin_ctx *ctx,
                                const akin_rows *rows, int64_t d, float *most)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t first = v->p.n;
    double *room;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, longest_row(rows), &room));
    AK_TRY(make_room(v, ctx, first + rows->n, d));
    for (int64_t i = 0; i < rows->n; ++i)
        if (!measure_row(v, ak_rows_sparse(rows, i), first + i, room, most))
            AK_TRY(ak_fail(ctx, AKIN_ENUMERIC,
                           "row %" PRId64 " is too large after the recipe", i));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* The kind's own part, made on first use. */
static akin_status state_of(akin_index *x, akin_ctx *ctx, ak_inverted **out)
{
    if (x->state == NULL)
        AK_CHECK(AK_NEW(ctx, 1, (ak_inverted **)&x->state));
    *out = x->state;
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
        most[2 * v->p.terms[t / 2] + t % 2] = v->most[t];
}

static akin_status gather_most(const ak_postings *p, akin_ctx *ctx,
                               const float *most, float **out)
{
    const akin_status st = AK_NEW(ctx, 2 * p->n_terms, out);
    for (int64_t t = 0; t < 2 * p->n_terms && st == AKIN_OK; ++t)
        (*out)[t] = most[2 * p->terms[t / 2] + t % 2];
    return st;
}

/* The remaining rows and new ones. Everything is made before anything is
 * replaced: on failure the index is unchanged. */
static akin_status merge(akin_index *x, akin_ctx *ctx, const akin_rows *more)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = ak_index_dim(x);
    ak_inverted *v = ak_inverted_of(x);
    ak_postings merged = {0};
    ak_score_factors factors = {0};
    ak_sizes sizes;
    unsigned char *keep;
    float *most, *bounds = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(kept_columns(x, ctx, &keep));
    AK_TRY(AK_SCRATCH(ctx, 2 * d, &most));
    spread_most(v, most);
    if (more != NULL)
        AK_TRY(measure_rows(v, ctx, more, d, most));
    AK_TRY(ak_postings_merge(&merged, ctx, &v->p, x->gone, more, keep));
    AK_TRY(gather_most(&merged, ctx, most, &bounds));
    sizes = ak_inverted_sizes(v);
    AK_TRY(ak_score_factors_make(&factors, ctx, x, &sizes, x->by));
    ak_postings_free(&v->p);
    ak_score_factors_free(&v->factors);
    akin_free(v->most);
    v->p = merged;
    v->factors = factors;
    v->most = bounds;
    merged = (ak_postings){0};
    bounds = NULL;
done:
    ak_postings_free(&merged);
    akin_free(bounds);
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

/* Row by row from all columns: the index has no row-wise form. */
static akin_status fill_rows(const ak_inverted *v, akin_ctx *ctx,
                             const int64_t *which, akin_rows *out)
{
    int64_t at = 0, room = 0;
    for (int64_t k = 0; k < out->n; ++k) {
        for (int64_t t = 0; t < v->p.n_terms; ++t) {
            float value;
            if (!find_in_term(v, t, which[k], &value))
                return ak_postings_fail(&v->p, ctx);
            if (value == 0.0F)
                continue;
            int64_t same = room;
            AK_CHECK(
                ak_grow(ctx, at + 1, &same, sizeof *out->cols, &out->cols));
            AK_CHECK(
                ak_grow(ctx, at + 1, &room, sizeof *out->vals, &out->vals));
            out->cols[at] = v->p.terms[t];
            out->vals[at++] = value;
        }
        out->offsets[k + 1] = at;
    }
    return AKIN_OK;
}

static akin_status inverted_rows(const akin_index *x, akin_ctx *ctx,
                                 const int64_t *which, int64_t count,
                                 akin_rows **out)
{
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_index_check_sides(x, ctx));
    AK_TRY(ak_rows_new(&r, ctx, count, ak_index_dim(x)));
    AK_TRY(AK_NEW(ctx, count + 1, &r->offsets));
    AK_TRY(AK_NEW(ctx, 1, &r->cols));
    AK_TRY(AK_NEW(ctx, 1, &r->vals));
    AK_TRY(fill_rows(ak_inverted_of(x), ctx, which, r));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

static akin_status put_f64(ak_tensors *t, akin_ctx *ctx, const char *name,
                           int64_t n, const double *data)
{
    return data ? ak_tensors_put_vector(t, ctx, name, AK_DTYPE_F64, n, data)
                : AKIN_OK;
}

static akin_status inverted_put(const akin_index *x, akin_ctx *ctx,
                                ak_tensors *t)
{
    const ak_inverted *v = ak_inverted_of(x);
    AK_CHECK(ak_postings_put(&v->p, ctx, t));
    AK_CHECK(put_f64(t, ctx, "row.sum", x->n, v->sum));
    AK_CHECK(put_f64(t, ctx, "row.scale", x->n, v->scale));
    AK_CHECK(put_f64(t, ctx, "row.norm", x->n, v->norm));
    AK_CHECK(put_f64(t, ctx, "row.self", x->n, v->self));
    return ak_tensors_put_vector(t, ctx, "term.most", AK_DTYPE_F32,
                                 2 * v->p.n_terms, v->most);
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

static akin_status inverted_take(akin_index *x, akin_ctx *ctx,
                                 const ak_tensors *t)
{
    const int64_t n = x->n;
    ak_inverted *v;
    AK_CHECK(state_of(x, ctx, &v));
    AK_CHECK(ak_postings_take(&v->p, ctx, t, n, ak_index_dim(x)));
    AK_CHECK(take_numbers(t, ctx, "row.scale", AK_DTYPE_F64, n, &v->scale));
    AK_CHECK(take_numbers(t, ctx, "row.norm", AK_DTYPE_F64, n, &v->norm));
    if (is_tf(v->recipe))
        AK_CHECK(take_numbers(t, ctx, "row.sum", AK_DTYPE_F64, n, &v->sum));
    if (has_negative(v->w, ak_index_dim(x)))
        AK_CHECK(take_numbers(t, ctx, "row.self", AK_DTYPE_F64, n, &v->self));
    AK_CHECK(take_numbers(t, ctx, "term.most", AK_DTYPE_F32, 2 * v->p.n_terms,
                          &v->most));
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
    akin_free(v->sum);
    akin_free(v->scale);
    akin_free(v->norm);
    akin_free(v->self);
    akin_free(v->most);
    ak_score_factors_free(&v->factors);
    akin_free(v);
}

const ak_index_kind ak_index_inverted = {
    .name = "inverted",
    .add = inverted_add,
    .remove = inverted_remove,
    .search = ak_inverted_search,
    .rows = inverted_rows,
    .put = inverted_put,
    .take = inverted_take,
    .free = inverted_free,
};
