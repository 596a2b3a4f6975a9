/* What is known of the rows of an inverted index: scales, norms, bounds. */
#include <math.h>

#include "data/recipe/recipe_body.h"
#include "index/inverted/inverted.h"

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

/* As the recipe does it, so that (1) has its bits. */
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
    akin_status st = AKIN_OK;
    AK_TRY(ak_resize(ctx, n, sizeof *v->scale, &v->scale));
    AK_TRY(ak_resize(ctx, n, sizeof *v->norm, &v->norm));
    if (is_tf(v->recipe))
        AK_TRY(ak_resize(ctx, n, sizeof *v->sum, &v->sum));
    if (has_negative(v->w, d))
        AK_TRY(ak_resize(ctx, n, sizeof *v->self, &v->self));
done:
    return st;
}

static void raise(float *most, double x)
{
    const float size = (float)fabs(x);
    if (size > *most)
        *most = size;
}

/* A row that is number `at` of the index; false: a value is too large. `x` is
 * room for its entries. */
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
        raise(&most[2 * row.cols[k]], x[k]);
        raise(&most[2 * row.cols[k] + 1], x[k] * by);
    }
    v->scale[at] = scale;
    v->norm[at] = norm;
    if (v->sum)
        v->sum[at] = sum;
    if (v->self)
        v->self[at] = self;
    return isfinite(norm);
}

static int64_t longest(const akin_rows *rows)
{
    int64_t most = 0;
    for (int64_t i = 0; i < rows->n; ++i)
        most = ak_max_i64(most, rows->offsets[i + 1] - rows->offsets[i]);
    return most;
}

akin_status ak_inverted_measure(ak_inverted *v, akin_ctx *ctx,
                                const akin_rows *rows, int64_t d, float *most)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t first = v->p.n;
    double *room;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, longest(rows), &room));
    AK_TRY(make_room(v, ctx, first + rows->n, d));
    for (int64_t i = 0; i < rows->n; ++i)
        if (!measure_row(v, ak_rows_sparse(rows, i), first + i, room, most))
            AK_TRY(ak_fail(ctx, AKIN_ENUMERIC,
                           "row %" PRId64 " is too large after the recipe", i));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
