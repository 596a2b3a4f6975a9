/* What is known of the rows of an inverted index: scales, norms, bounds. */
#include <math.h>

#include "data/recipe_body.h"
#include "index/inverted.h"

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
static double scale_of(const akin_recipe *r, ak_sparse row, double sum)
{
    double squares = 0.0;
    if (r == NULL || r->norm != AK_NORM_L2)
        return r ? r->global : 1.0;
    for (int64_t k = 0; k < row.n; ++k) {
        const double e = ak_recipe_entry(r, row.vals[k], sum, row.cols[k]);
        squares += e * e;
    }
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

/* Row i, which is number `at` of the index; false: a value is too large. */
static bool measure_row(ak_inverted *v, ak_sparse row, int64_t at, float *most)
{
    double sum = 0.0, norm = 0.0, self = 0.0;
    for (int64_t k = 0; k < row.n && v->sum; ++k)
        sum += (double)row.vals[k];
    if (v->sum)
        v->sum[at] = sum;
    v->scale[at] = scale_of(v->recipe, row, sum);
    for (int64_t k = 0; k < row.n; ++k) {
        const int32_t j = row.cols[k];
        const double x = (float)ak_inverted_entry(v, row.vals[k], at, j);
        const double w = ak_inverted_w(v, j);
        norm += x * (fabs(w) * x);
        self += x * (w * x);
        most[2 * j] = fmaxf(most[2 * j], (float)fabs(x));
    }
    v->norm[at] = norm;
    if (v->self)
        v->self[at] = self;
    const double root = sqrt(norm);
    for (int64_t k = 0; k < row.n && norm > 0.0; ++k) {
        const int32_t j = row.cols[k];
        const double x = ak_inverted_entry(v, row.vals[k], at, j);
        most[2 * j + 1] = fmaxf(most[2 * j + 1], (float)(fabs(x) / root));
    }
    return isfinite(norm);
}

akin_status ak_inverted_measure(ak_inverted *v, akin_ctx *ctx,
                                const akin_rows *rows, int64_t d, float *most)
{
    const int64_t first = v->p.n;
    akin_status st = AKIN_OK;
    AK_TRY(make_room(v, ctx, first + rows->n, d));
    for (int64_t i = 0; i < rows->n; ++i)
        if (!measure_row(v, ak_rows_sparse(rows, i), first + i, most))
            AK_TRY(ak_fail(ctx, AKIN_ENUMERIC,
                           "row %" PRId64 " is too large after the recipe", i));
done:
    return st;
}
