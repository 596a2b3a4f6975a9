/* Rows through a recipe, in parallel. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "data/recipe/recipe_body.h"

enum { ROWS_PER_BLOCK = 256 };

typedef struct apply_work {
    const akin_recipe *recipe;
    const akin_rows *in;
    akin_rows *out;
    int64_t width;    // numbers in the longest row
    double *buffers;  // width for each worker
} apply_work;

static akin_status apply_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const apply_work *w = arg;
    double *v = w->buffers + worker * w->width;
    akin_status st = AKIN_OK;
    for (int64_t i = begin; i < end; ++i) {
        /* A sparse row goes to the place of its raw one and is moved later:
         * it may have become shorter. */
        const bool sparse = w->out->offsets != NULL;
        const int64_t at = sparse ? w->in->offsets[i] : i * w->out->d;
        int32_t *cols = sparse ? w->out->cols + at : NULL;
        const int64_t n = ak_recipe_row(w->recipe, w->in, i, cols, v);
        for (int64_t k = 0; k < n; ++k) {
            w->out->vals[at + k] = (float)v[k];
            if (!isfinite(w->out->vals[at + k]))
                st = AKIN_ENUMERIC;
        }
        if (sparse)
            w->out->offsets[i + 1] = n;
    }
    return st;
}

/* Close the gaps; numbers too small for a float go as well. */
static void compact(const akin_rows *in, akin_rows *out)
{
    int64_t to = 0;
    for (int64_t i = 0; i < in->n; ++i) {
        const int64_t from = in->offsets[i];
        const int64_t n = out->offsets[i + 1];
        for (int64_t k = from; k < from + n; ++k) {
            out->cols[to] = out->cols[k];
            out->vals[to] = out->vals[k];
            to += out->vals[k] != 0.0f;
        }
        out->offsets[i + 1] = to;
    }
}

akin_status ak_recipe_check_dense(akin_ctx *ctx, int64_t n, int64_t d)
{
    int64_t numbers;
    if (ak_mul_i64(n, d, &numbers) && numbers <= AK_RECIPE_DENSE_MOST)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "centred, %" PRId64 " sparse rows of %" PRId64
                   " columns would take %.0f GB (leave out centring and "
                   "scaling, or use fewer columns)",
                   n, d, 4e-9 * (double)n * (double)d);
}

static akin_status new_arrays(akin_rows *out, akin_ctx *ctx,
                              const akin_rows *in, bool dense)
{
    akin_status st = AKIN_OK;
    if (dense && in->offsets)
        AK_TRY(ak_recipe_check_dense(ctx, out->n, out->d));
    const int64_t n = dense ? out->n * out->d : in->offsets[in->n];
    AK_TRY(AK_NEW(ctx, n, &out->vals));
    if (!dense) {
        AK_TRY(AK_NEW(ctx, n, &out->cols));
        AK_TRY(AK_NEW(ctx, in->n + 1, &out->offsets));
    }
    AK_TRY(ak_rows_copy_groups(out, ctx, in, NULL));
done:
    return st;
}

/* Columns of other names than those the recipe was fitted to are others, or in
 * another order. */
static akin_status compare_columns(akin_ctx *ctx, const akin_recipe *recipe,
                                   const akin_rows *rows)
{
    for (int64_t j = 0; j < recipe->columns.n; ++j) {
        const char *known = ak_columns_name(&recipe->columns, j);
        const char *name = ak_columns_name(&rows->columns, j);
        if (known == NULL || name == NULL || strcmp(known, name) == 0)
            continue;
        return ak_fail(ctx, AKIN_ESHAPE,
                       "column %" PRId64
                       " is called %s, the recipe knows it as %s",
                       j, name, known);
    }
    return AKIN_OK;
}

static akin_status name_columns(akin_rows *out, akin_ctx *ctx,
                                const akin_recipe *recipe,
                                const akin_rows *rows)
{
    const akin_status st = compare_columns(ctx, recipe, rows);
    if (st != AKIN_OK || recipe->rotation != NULL)
        return st;
    return ak_columns_copy(&out->columns, ctx,
                           recipe->columns.n > 0 ? &recipe->columns
                                                 : &rows->columns);
}

int64_t ak_recipe_width(const akin_recipe *r, const akin_rows *rows)
{
    if (ak_recipe_makes_dense(r, rows))
        return r->d;
    int64_t width = 0;
    for (int64_t i = 0; i < rows->n; ++i)
        width = ak_max_i64(width, rows->offsets[i + 1] - rows->offsets[i]);
    return width;
}

/* All but the selection of columns. */
static akin_status apply_to_kept(akin_rows **out, akin_ctx *ctx,
                                 const akin_recipe *recipe,
                                 const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const bool dense = ak_recipe_makes_dense(recipe, rows);
    apply_work w = {.recipe = recipe, .in = rows};
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(ak_recipe_check(recipe, ctx, rows));
    AK_TRY(ak_rows_new(&r, ctx, rows->n, recipe->d));
    r->index_base = rows->index_base;
    AK_TRY(new_arrays(r, ctx, rows, dense));
    AK_TRY(ak_rows_copy_labels(r, ctx, rows, NULL));
    AK_TRY(name_columns(r, ctx, recipe, rows));
    w.out = r;
    w.width = ak_recipe_width(recipe, rows);
    AK_TRY(AK_SCRATCH(ctx, w.width * ak_workers(ctx), &w.buffers));
    st = ak_parallel_for(ctx, rows->n, ROWS_PER_BLOCK, apply_block, &w);
    if (st == AKIN_ENUMERIC)
        ak_fail(ctx, st, "a value is too large after the recipe (%s)",
                recipe->text);
    AK_TRY(st);
    if (!dense)
        compact(rows, r);
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_recipe_apply(akin_rows **out, akin_ctx *ctx,
                              const akin_recipe *recipe, const akin_rows *rows)
{
    akin_rows *kept = NULL;
    akin_status st = AKIN_OK;
    if (recipe->vocabulary == NULL)
        return apply_to_kept(out, ctx, recipe, rows);
    AK_TRY(ak_vocabulary_keep(&kept, ctx, recipe->vocabulary, rows));
    AK_TRY(apply_to_kept(out, ctx, recipe, kept));
done:
    akin_rows_free(kept);
    return st;
}
