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

akin_status ak_inverted_scale(ak_inverted *v, akin_ctx *ctx,
                              const akin_rows *rows, int64_t first)
{
    const int64_t n = first + rows->n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_resize(ctx, n, sizeof *v->scale, &v->scale));
    if (is_tf(v->recipe))
        AK_TRY(ak_resize(ctx, n, sizeof *v->sum, &v->sum));
    for (int64_t i = 0; i < rows->n; ++i) {
        const ak_sparse row = ak_rows_sparse(rows, i);
        double sum = 0.0;
        for (int64_t k = 0; k < row.n && v->sum; ++k)
            sum += (double)row.vals[k];
        if (v->sum)
            v->sum[first + i] = sum;
        v->scale[first + i] = scale_of(v->recipe, row, sum);
        for (int64_t k = 0; k < row.n; ++k)
            if (!isfinite((float)ak_inverted_entry(v, row.vals[k], first + i,
                                                   row.cols[k])))
                AK_TRY(ak_fail(ctx, AKIN_ENUMERIC,
                               "row %" PRId64 " is too large after the recipe",
                               i));
    }
done:
    return st;
}

/* Add what column t has to the norms. */
static bool add_norms(ak_inverted *v, int64_t t)
{
    const ak_postings *p = &v->p;
    const int64_t j = p->terms[t];
    const double w = ak_inverted_w(v, j);
    ak_posting_block b;
    for (int64_t k = p->blocks[t]; k < p->blocks[t + 1]; ++k) {
        if (!ak_postings_block(p, t, k, &b))
            return false;
        for (int64_t i = 0; i < b.n; ++i) {
            const int64_t row = b.rows[i];
            const double x = (float)ak_inverted_entry(
                v, (double)ak_posting_value(&b, i), row, j);
            v->norm[row] += x * (fabs(w) * x);
            if (v->self)
                v->self[row] += x * (w * x);
            v->most[2 * t] = fmaxf(v->most[2 * t], (float)fabs(x));
        }
    }
    return true;
}

/* Bounds of |x_ij| / ||x_i||, once the norms are there. */
static void bound_cosines(ak_inverted *v, int64_t t)
{
    const ak_postings *p = &v->p;
    const int64_t j = p->terms[t];
    ak_posting_block b;
    for (int64_t k = p->blocks[t]; k < p->blocks[t + 1]; ++k) {
        if (!ak_postings_block(p, t, k, &b))
            return;
        for (int64_t i = 0; i < b.n; ++i) {
            const int64_t row = b.rows[i];
            const double x =
                ak_inverted_entry(v, (double)ak_posting_value(&b, i), row, j);
            if (v->norm[row] > 0.0)
                v->most[2 * t + 1] = fmaxf(
                    v->most[2 * t + 1], (float)(fabs(x) / sqrt(v->norm[row])));
        }
    }
}

static bool has_negative(const ak_inverted *v)
{
    for (int64_t t = 0; t < v->p.n_terms; ++t)
        if (ak_inverted_w(v, v->p.terms[t]) < 0.0)
            return true;
    return false;
}

akin_status ak_inverted_measure(ak_inverted *v, akin_ctx *ctx)
{
    const int64_t n = v->p.n;
    akin_status st = AKIN_OK;
    ak_release(ctx, v->norm);
    ak_release(ctx, v->self);
    ak_release(ctx, v->most);
    v->norm = v->self = NULL;
    v->most = NULL;
    AK_TRY(AK_NEW(ctx, n, &v->norm));
    AK_TRY(AK_NEW(ctx, 2 * v->p.n_terms, &v->most));
    if (has_negative(v))
        AK_TRY(AK_NEW(ctx, n, &v->self));
    for (int64_t t = 0; t < v->p.n_terms; ++t)
        if (!add_norms(v, t))
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "the index is damaged"));
    for (int64_t t = 0; t < v->p.n_terms; ++t)
        bound_cosines(v, t);
done:
    return st;
}
