/* The statistics of a recipe, from the rows it is fitted to. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "data/recipe/recipe_body.h"

/* Of each column of the weighted rows. */
typedef struct columns {
    int64_t *count;  // numbers that are there
    double *min, *max, *mean;
} columns;

static akin_status word_of(akin_ctx *ctx, const char *option, const char *word,
                           const char *const *words, int n, int *out)
{
    char list[160] = "";
    for (int k = 0; k < n; ++k) {
        if (word == NULL || strcmp(word, words[k]) == 0) {
            *out = k;
            return AKIN_OK;
        }
        strcat(strcat(list, k ? ", " : ""), words[k]);
    }
    return ak_fail(ctx, AKIN_EINVAL, "%s: there is no \"%s\" (expected %s)",
                   option, word, list);
}

/* Sparse rows of whole numbers that are not negative: counts, of words say. */
static bool are_counts(const akin_rows *rows)
{
    if (rows->offsets == NULL)
        return false;
    for (int64_t k = 0; k < rows->offsets[rows->n]; ++k)
        if (rows->vals[k] < 0.0f || rows->vals[k] != floorf(rows->vals[k]))
            return false;
    return true;
}

static akin_status take_options(akin_recipe *r, akin_ctx *ctx,
                                const akin_rows *rows,
                                const akin_recipe_options *options)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    int weights = 0, scale = 0, norm = 0;
    akin_status st = AKIN_OK;
    if (options != NULL)  // a caller of an older version has fewer members
        memcpy(&o, options,
               options->size < sizeof o ? options->size : sizeof o);
    if (o.weights != NULL && strcmp(o.weights, "auto") == 0)
        o.weights = are_counts(rows) ? "binary-idf" : "none";
    if (o.weights != NULL && strcmp(o.weights, "auto-tfidf") == 0)
        o.weights = are_counts(rows) ? "tfidf" : "none";
    AK_TRY(word_of(ctx, "weights", o.weights, ak_weights_words,
                   AK_WEIGHTS_COUNT, &weights));
    AK_TRY(
        word_of(ctx, "scale", o.scale, ak_scale_words, AK_SCALE_COUNT, &scale));
    AK_TRY(word_of(ctx, "norm", o.norm, ak_norm_words, AK_NORM_COUNT, &norm));
    if (o.center != 0 && o.center != 1)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "center is %" PRId64 " (expected 0 or 1)", o.center));
    r->weights = (ak_weights)weights;
    r->scale = (ak_scale)scale;
    r->norm = (ak_norm)norm;
    r->center = o.center != 0;
    ak_recipe_name(r);
done:
    return st;
}

static void warn_if_zero(akin_ctx *ctx, const akin_recipe *r)
{
    for (int64_t j = 0; j < r->d; ++j)
        if (r->idf[j] != 0.0)
            return;
    ak_log(ctx, AKIN_LOG_WARNING,
           "weights=%s makes every value 0: each column is in all rows or in "
           "none (idf is for sparse counts)",
           ak_weights_words[r->weights]);
}

/* idf_j = ln(N / df_j), 0 where no row has the word. */
static akin_status fit_idf(akin_recipe *r, akin_ctx *ctx, const akin_rows *rows)
{
    const akin_status st = AK_NEW(ctx, r->d, &r->idf);
    if (st != AKIN_OK)
        return st;
    const int64_t n = rows->offsets ? rows->offsets[rows->n]
                                    : rows->n * rows->d;
    for (int64_t k = 0; k < n; ++k)
        if (rows->vals[k] != 0.0f)
            r->idf[rows->offsets ? rows->cols[k] : k % rows->d] += 1.0;
    for (int64_t j = 0; j < r->d; ++j)
        if (r->idf[j] > 0.0)
            r->idf[j] = log((double)rows->n / r->idf[j]);
    warn_if_zero(ctx, r);
    return AKIN_OK;
}

/* Count, least, largest and mean of each column of the weighted rows. */
static akin_status fit_columns(columns *c, const akin_recipe *r, akin_ctx *ctx,
                               const akin_rows *rows, int32_t *cols, double *v)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r->d, &c->count));
    AK_TRY(AK_SCRATCH(ctx, r->d, &c->min));
    AK_TRY(AK_SCRATCH(ctx, r->d, &c->max));
    AK_TRY(AK_SCRATCH(ctx, r->d, &c->mean));
    for (int64_t i = 0; i < rows->n; ++i) {
        const int64_t n = ak_recipe_row(r, rows, i, cols, v);
        for (int64_t k = 0; k < n; ++k) {
            const int64_t j = rows->offsets ? cols[k] : k;
            const bool first = c->count[j]++ == 0;
            c->min[j] = first ? v[k] : fmin(c->min[j], v[k]);
            c->max[j] = first ? v[k] : fmax(c->max[j], v[k]);
            c->mean[j] += v[k];
        }
    }
    for (int64_t j = 0; j < r->d; ++j) {
        c->mean[j] /= (double)rows->n;
        if (c->count[j] == rows->n)
            continue;  // otherwise the rest are zeros
        c->min[j] = fmin(c->min[j], 0.0);
        c->max[j] = fmax(c->max[j], 0.0);
    }
done:
    return st;
}

/* Values far from 0 that differ by little have lost much of it already: 32 bits
 * hold 7 digits. */
static void warn_if_coarse(akin_ctx *ctx, const columns *c,
                           const akin_rows *rows)
{
    const double few = 100.0;  // steps
    int64_t n = 0, first = 0;
    for (int64_t j = rows->d - 1; j >= 0; --j) {
        const double size = fmax(fabs(c->min[j]), fabs(c->max[j]));
        const double range = c->max[j] - c->min[j];
        if (range > 0.0 && range < few * (double)FLT_EPSILON * size) {
            first = j;
            ++n;
        }
    }
    const char *name = ak_columns_name(&rows->columns, first);
    if (n > 0)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%" PRId64 " column%s too little for 32-bit numbers, the first "
               "number %" PRId64 "%s%s, between %.9g and %.9g (take away what "
               "its values have in common)",
               n, n == 1 ? " varies" : "s vary", first, name ? ", " : "",
               name ? name : "", c->min[first], c->max[first]);
}

/* The standard deviation of each column, of the population. */
static akin_status fit_deviation(double **out, const akin_recipe *r,
                                 akin_ctx *ctx, const akin_rows *rows,
                                 const columns *c, int32_t *cols, double *v)
{
    double *s;
    const akin_status st = AK_SCRATCH(ctx, r->d, &s);
    if (st != AKIN_OK)
        return st;
    for (int64_t i = 0; i < rows->n; ++i) {
        const int64_t n = ak_recipe_row(r, rows, i, cols, v);
        for (int64_t k = 0; k < n; ++k) {
            const int64_t j = rows->offsets ? cols[k] : k;
            s[j] += (v[k] - c->mean[j]) * (v[k] - c->mean[j]);
        }
    }
    for (int64_t j = 0; j < r->d; ++j) {
        const double zeros = (double)(rows->n - c->count[j]);
        s[j] = sqrt((s[j] + zeros * c->mean[j] * c->mean[j]) / (double)rows->n);
    }
    *out = s;
    return AKIN_OK;
}

/* Shift and factor; a column that does not vary becomes 0 and keeps sparse
 * rows sparse. Returns whether there is a shift at all. */
static bool set_scale(const akin_recipe *r, const columns *c,
                      const double *deviation, double *shift, double *factor)
{
    bool any = false;
    for (int64_t j = 0; j < r->d; ++j) {
        const double range = c->max[j] - c->min[j];
        const bool constant = factor != NULL && range == 0.0;
        shift[j] = r->scale == AK_SCALE_MINMAX ? c->min[j] : c->mean[j];
        if (factor != NULL)
            factor[j] = 1.0 / (deviation ? deviation[j] : range);
        if (constant)
            shift[j] = factor[j] = 0.0;
        any = any || shift[j] != 0.0;
    }
    return any || r->scale != AK_SCALE_MINMAX;
}

/* The recipe has no shift and factor while the rows are gone through. */
static akin_status fit_scale(akin_recipe *r, akin_ctx *ctx,
                             const akin_rows *rows, int32_t *cols, double *v)
{
    columns c = {0};
    double *shift = NULL, *factor = NULL, *deviation = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(fit_columns(&c, r, ctx, rows, cols, v));
    warn_if_coarse(ctx, &c, rows);
    AK_TRY(AK_NEW(ctx, r->d, &shift));
    if (r->scale == AK_SCALE_MINMAX || r->scale == AK_SCALE_ZSCORE)
        AK_TRY(AK_NEW(ctx, r->d, &factor));
    if (r->scale == AK_SCALE_ZSCORE)
        AK_TRY(fit_deviation(&deviation, r, ctx, rows, &c, cols, v));
    if (set_scale(r, &c, deviation, shift, factor)) {
        r->shift = shift;
        shift = NULL;
    }
    r->factor = factor;
    factor = NULL;
done:
    akin_free(shift);
    akin_free(factor);
    return st;
}

/* One number for all rows, so that their mean squared norm becomes 1. */
static akin_status fit_global(akin_recipe *r, akin_ctx *ctx,
                              const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t width = ak_recipe_width(r, rows);
    int32_t *cols;
    double *v, sum = 0.0;
    akin_status st = AKIN_OK;

    AK_TRY(AK_SCRATCH(ctx, width, &cols));
    AK_TRY(AK_SCRATCH(ctx, width, &v));
    for (int64_t i = 0; i < rows->n; ++i) {
        const int64_t n = ak_recipe_row(r, rows, i, cols, v);
        for (int64_t k = 0; k < n; ++k)
            sum += v[k] * v[k];
    }
    if (sum > 0.0)
        r->global = sqrt((double)rows->n / sum);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status fit_all(akin_recipe *r, akin_ctx *ctx, const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_norm norm = r->norm;
    const int64_t width = ak_recipe_width(r, rows);
    int32_t *cols;
    double *v;
    akin_status st = AKIN_OK;

    r->norm = AK_NORM_NONE;  // the last step; not yet
    AK_TRY(AK_SCRATCH(ctx, width, &cols));
    AK_TRY(AK_SCRATCH(ctx, width, &v));
    if (ak_weights_has_idf(r->weights))
        AK_TRY(fit_idf(r, ctx, rows));
    if (r->center || r->scale != AK_SCALE_NONE)
        AK_TRY(fit_scale(r, ctx, rows, cols, v));
    if (r->scale == AK_SCALE_SU)
        AK_TRY(ak_recipe_fit_su(r, ctx, rows));
    if (norm == AK_NORM_GLOBAL)
        AK_TRY(fit_global(r, ctx, rows));
    r->norm = norm;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_recipe_fit(akin_recipe **out, akin_ctx *ctx,
                            const akin_rows *rows,
                            const akin_recipe_options *options)
{
    akin_recipe *r = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(ak_recipe_new(&r, ctx, rows->d));
    r->index_base = rows->index_base;
    AK_TRY(take_options(r, ctx, rows, options));
    if (rows->n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "a recipe needs at least one row"));
    AK_TRY(ak_recipe_check(r, ctx, rows));
    if (rows->offsets && (r->center || r->scale > AK_SCALE_MINMAX))
        AK_TRY(ak_recipe_check_dense(ctx, rows->n, rows->d));
    AK_TRY(fit_all(r, ctx, rows));
    AK_TRY(ak_columns_copy(&r->columns, ctx, &rows->columns));
    *out = r;
    r = NULL;
done:
    akin_recipe_free(r);
    return st;
}
