/* Recipes: one row, the statistics of a fit, all rows in parallel. */
#include "data/recipe/recipe.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "data/checksums.h"
#include "data/recipe/fingerprint.h"
#include "la/dense.h"

enum { MOST_SU_COLUMNS = 10000, ROWS_PER_BLOCK = 256 };

#define DENSE_MOST (INT64_C(1) << 31)  // numbers, of sparse rows made dense

const char *const ak_weights_words[AK_WEIGHTS_COUNT] = {
    "none", "binary", "tf", "sqrt", "log", "tfidf", "binary-idf", "sqrt-idf"};
const char *const ak_scale_words[AK_SCALE_COUNT] = {"none", "minmax", "zscore",
                                                    "su"};
const char *const ak_norm_words[AK_NORM_COUNT] = {"none", "l2", "global"};

akin_status ak_recipe_new(akin_recipe **out, akin_ctx *ctx, int64_t d)
{
    akin_recipe *r;
    AK_CHECK(AK_NEW(ctx, 1, &r));
    r->d = d;
    r->global = 1.0;
    *out = r;
    return AKIN_OK;
}

void akin_recipe_free(akin_recipe *r)
{
    if (r == NULL)
        return;
    akin_free(r->idf);
    akin_free(r->shift);
    akin_free(r->factor);
    akin_free(r->rotation);
    ak_columns_free(&r->columns);
    ak_columns_free(&r->label);
    ak_vocabulary_free(r->vocabulary);
    akin_free(r);
}

void ak_recipe_name(akin_recipe *r)
{
    char *p = r->text;
    const char *end = r->text + sizeof r->text;
    *p = '\0';
    if (r->vocabulary != NULL)
        p += snprintf(p, (size_t)(end - p), " columns=%" PRId64 "/%" PRId64,
                      r->d, r->vocabulary->d);
    if (r->weights != AK_WEIGHTS_NONE)
        p += snprintf(p, (size_t)(end - p), " weights=%s",
                      ak_weights_words[r->weights]);
    if (r->center)
        p += snprintf(p, (size_t)(end - p), " center");
    if (r->scale != AK_SCALE_NONE)
        p += snprintf(p, (size_t)(end - p), " scale=%s",
                      ak_scale_words[r->scale]);
    if (r->norm != AK_NORM_NONE)
        p += snprintf(p, (size_t)(end - p), " norm=%s", ak_norm_words[r->norm]);
    if (p == r->text)
        strcpy(r->text, "none");
    else
        memmove(r->text, r->text + 1, strlen(r->text));
}

static akin_status copy_f64(akin_ctx *ctx, int64_t n, const double *from,
                            double **to)
{
    if (from == NULL)
        return AKIN_OK;
    AK_CHECK(AK_NEW(ctx, n, to));
    if (n > 0)
        memcpy(*to, from, (size_t)n * sizeof *from);
    return AKIN_OK;
}

akin_status ak_recipe_copy(akin_recipe **out, akin_ctx *ctx,
                           const akin_recipe *r)
{
    akin_recipe *c = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(ak_recipe_new(&c, ctx, r->d));
    *c = *r;
    c->idf = c->shift = c->factor = c->rotation = NULL;
    c->columns = c->label = (ak_columns){0};
    c->vocabulary = NULL;
    AK_TRY(copy_f64(ctx, r->d, r->idf, &c->idf));
    AK_TRY(copy_f64(ctx, r->d, r->shift, &c->shift));
    AK_TRY(copy_f64(ctx, r->d, r->factor, &c->factor));
    AK_TRY(copy_f64(ctx, r->d * r->rank, r->rotation, &c->rotation));
    AK_TRY(ak_columns_copy(&c->columns, ctx, &r->columns));
    AK_TRY(ak_columns_copy(&c->label, ctx, &r->label));
    if (r->vocabulary != NULL)
        AK_TRY(ak_vocabulary_copy(&c->vocabulary, ctx, r->vocabulary));
    *out = c;
    c = NULL;
done:
    akin_recipe_free(c);
    return st;
}

const char *akin_recipe_text(const akin_recipe *r)
{
    return r->text;
}

int64_t akin_recipe_dim(const akin_recipe *r)
{
    return r->vocabulary ? r->vocabulary->d : r->d;
}

int64_t akin_recipe_column(const akin_recipe *r, int64_t j)
{
    return r->vocabulary ? r->vocabulary->kept[j] : j;
}

int64_t akin_recipe_index_base(const akin_recipe *r)
{
    return r->index_base;
}

/* Principal components have no names. */
const char *akin_recipe_column_name(const akin_recipe *r, int64_t j)
{
    return r->rotation ? NULL : ak_columns_name(&r->columns, j);
}

bool ak_recipe_has_column(const akin_recipe *r, const char *name)
{
    const ak_columns *c = r->vocabulary ? &r->vocabulary->terms : &r->columns;
    for (int64_t j = 0; j < c->n; ++j) {
        const char *other = ak_columns_name(c, j);
        if (other != NULL && strcmp(other, name) == 0)
            return true;
    }
    return false;
}

bool ak_weights_has_idf(ak_weights w)
{
    return w >= AK_WEIGHTS_TFIDF;
}

bool ak_recipe_fills(const akin_recipe *r)
{
    return r->shift != NULL || r->rotation != NULL;
}

bool ak_recipe_makes_dense(const akin_recipe *r, const akin_rows *rows)
{
    return rows->offsets == NULL || ak_recipe_fills(r);
}

/* ---- one row ---- */

/* A raw row; sparse ones have fewer numbers than columns. */
typedef struct raw_row {
    int64_t n;
    const int32_t *cols;  // NULL: dense
    const float *vals;
    double sum;  // for tf
} raw_row;

static raw_row raw_of(const akin_recipe *r, const akin_rows *rows, int64_t i)
{
    raw_row x = {0};
    if (rows->offsets != NULL) {
        const ak_sparse row = ak_rows_sparse(rows, i);
        x = (raw_row){row.n, row.cols, row.vals, 0.0};
    } else {
        x = (raw_row){rows->d, NULL, ak_rows_dense(rows, i), 0.0};
    }
    const bool tf = r->weights == AK_WEIGHTS_TF ||
                    r->weights == AK_WEIGHTS_TFIDF;
    for (int64_t k = 0; tf && k < x.n; ++k)
        x.sum += (double)x.vals[k];
    return x;
}

static double weigh(const akin_recipe *r, double c, double sum, int64_t j)
{
    const double idf = r->idf ? r->idf[j] : 1.0;
    switch (r->weights) {
    case AK_WEIGHTS_BINARY:
    case AK_WEIGHTS_BINARY_IDF:
        return c != 0.0 ? idf : 0.0;
    case AK_WEIGHTS_TF:
    case AK_WEIGHTS_TFIDF:
        return c != 0.0 ? c / sum * idf : 0.0;
    case AK_WEIGHTS_SQRT:
    case AK_WEIGHTS_SQRT_IDF:
        return sqrt(c) * idf;
    case AK_WEIGHTS_LOG:
        return log1p(c);
    default:
        return c;
    }
}

double ak_recipe_entry(const akin_recipe *r, double c, double sum, int64_t j)
{
    const double v = weigh(r, c, sum, j);
    return r->factor ? v * r->factor[j] : v;
}

static void normalise(const akin_recipe *r, int64_t n, double *v)
{
    double by = r->global;
    if (r->norm == AK_NORM_L2 || r->rotation != NULL) {
        double sum = 0.0;
        for (int64_t k = 0; k < n; ++k)
            sum += v[k] * v[k];
        if (sum > 0.0)
            by /= sqrt(sum);
    }
    if (by != 1.0)
        for (int64_t k = 0; k < n; ++k)
            v[k] *= by;
}

static int64_t sparse_row(const akin_recipe *r, const raw_row *x, int32_t *cols,
                          double *out)
{
    int64_t n = 0;
    for (int64_t k = 0; k < x->n; ++k) {
        const int32_t j = x->cols[k];
        const double v = ak_recipe_entry(r, (double)x->vals[k], x->sum, j);
        cols[n] = j;
        out[n] = v;
        n += v != 0.0;
    }
    normalise(r, n, out);
    return n;
}

/* Columns come one after the other, so a rotation needs no copy of the row. */
static int64_t dense_row(const akin_recipe *r, const raw_row *x, double *out)
{
    const int64_t d = r->d;
    int64_t at = 0;
    if (r->rotation != NULL)
        memset(out, 0, (size_t)d * sizeof *out);
    for (int64_t j = 0; j < d; ++j) {
        const bool there = x->cols ? at < x->n && x->cols[at] == j : j < x->n;
        double v = there ? weigh(r, (double)x->vals[at++], x->sum, j) : 0.0;
        if (r->shift != NULL)
            v -= r->shift[j];
        if (r->factor != NULL)
            v *= r->factor[j];
        if (r->rotation == NULL)
            out[j] = v;
        for (int64_t k = 0; k < r->rank; ++k)
            out[k] += v * r->rotation[j * r->rank + k];
    }
    normalise(r, d, out);
    return d;
}

int64_t ak_recipe_row(const akin_recipe *r, const akin_rows *rows, int64_t i,
                      int32_t *cols, double *out)
{
    const raw_row x = raw_of(r, rows, i);
    if (ak_recipe_makes_dense(r, rows))
        return dense_row(r, &x, out);
    return sparse_row(r, &x, cols, out);
}

bool ak_weights_wants_counts(ak_weights w)
{
    return w != AK_WEIGHTS_NONE && w != AK_WEIGHTS_BINARY &&
           w != AK_WEIGHTS_BINARY_IDF;
}

static akin_status check_counts(const akin_recipe *r, akin_ctx *ctx,
                                const akin_rows *rows)
{
    const int64_t n = rows->offsets ? rows->offsets[rows->n]
                                    : rows->n * rows->d;
    int64_t at = 0, row = 0;
    while (at < n && !(rows->vals[at] < 0.0f))
        ++at;
    if (at == n)
        return AKIN_OK;
    while (rows->offsets ? rows->offsets[row + 1] <= at
                         : (row + 1) * rows->d <= at)
        ++row;
    const int64_t column = rows->offsets ? rows->cols[at] : at % rows->d;
    const bool from_1 = rows->index_base == AKIN_BASE_1;  // as in its file
    return ak_fail(ctx, AKIN_EINVAL,
                   "row %" PRId64 ", %s %" PRId64
                   ": %g is negative (weights=%s needs counts)",
                   row, from_1 ? "index" : "column", column + from_1,
                   (double)rows->vals[at], ak_weights_words[r->weights]);
}

akin_status ak_recipe_check(const akin_recipe *r, akin_ctx *ctx,
                            const akin_rows *rows)
{
    const bool fits = rows->offsets ? rows->d <= r->d : rows->d == r->d;
    if (!fits)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "the rows have %" PRId64
                       " columns (the recipe was made for %" PRId64 ")",
                       rows->d, r->d);
    return ak_weights_wants_counts(r->weights) ? check_counts(r, ctx, rows)
                                               : AKIN_OK;
}

/* ---- fit ---- */

/* EINVAL when n sparse rows are too many to be made dense. */
static akin_status check_dense(akin_ctx *ctx, int64_t n, int64_t d)
{
    int64_t numbers;
    if (ak_mul_i64(n, d, &numbers) && numbers <= DENSE_MOST)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "centred, %" PRId64 " sparse rows of %" PRId64
                   " columns would take %.0f GB (leave out centring and "
                   "scaling, or use fewer columns)",
                   n, d, 4e-9 * (double)n * (double)d);
}

/* Numbers in the longest row that comes out. */
static int64_t row_width(const akin_recipe *r, const akin_rows *rows)
{
    if (ak_recipe_makes_dense(r, rows))
        return r->d;
    int64_t width = 0;
    for (int64_t i = 0; i < rows->n; ++i)
        width = ak_max_i64(width, rows->offsets[i + 1] - rows->offsets[i]);
    return width;
}

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
    return ak_fail(ctx, AKIN_EINVAL, "%s: unknown value \"%s\" (expected %s)",
                   option, word, list);
}

bool ak_rows_are_counts(const akin_rows *rows)
{
    if (rows->offsets == NULL)
        return false;
    for (int64_t k = 0; k < rows->offsets[rows->n]; ++k)
        if (rows->vals[k] < 0.0f || rows->vals[k] != floorf(rows->vals[k]))
            return false;
    return true;
}

/* Sparse rows of numbers that are not negative. */
static bool are_weights(const akin_rows *rows)
{
    if (rows->offsets == NULL)
        return false;
    for (int64_t k = 0; k < rows->offsets[rows->n]; ++k)
        if (rows->vals[k] < 0.0f)
            return false;
    return true;
}

/* At most one count in 16 is above 1: a word that comes again does so by a
 * repeated pattern, not because there is more of it. */
static bool rarely_repeat(const akin_rows *rows)
{
    const int64_t n = rows->offsets[rows->n];
    int64_t again = 0;
    for (int64_t k = 0; k < n; ++k)
        again += rows->vals[k] > 1.0f;
    return again <= n / 16;
}

static int by_size(const void *left, const void *right)
{
    const float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

akin_status ak_rows_have_mixed_units(bool *mixed, akin_ctx *ctx,
                                     const akin_rows *rows)
{
    static const double MOST = 6.0;
    const ak_mark mark = ak_scratch_begin(ctx);
    float *range;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    *mixed = false;
    if (rows->offsets != NULL || rows->n == 0)
        goto done;
    AK_TRY(AK_SCRATCH(ctx, rows->d, &range));
    for (int64_t j = 0; j < rows->d; ++j) {
        float low = rows->vals[j], high = low;
        for (int64_t i = 1; i < rows->n; ++i) {
            const float x = rows->vals[i * rows->d + j];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (high > low)
            range[n++] = high - low;
    }
    qsort(range, (size_t)n, sizeof *range, by_size);
    *mixed = n > 0 &&
             (double)range[n - 1 - n / 10] > MOST * (double)range[n / 10];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_recipe_settle(akin_recipe_options *o, akin_ctx *ctx,
                             const akin_rows *rows)
{
    const bool weighted = ak_prepared_has(rows->prepared, "weights=");
    const bool counts = !weighted && ak_rows_are_counts(rows);
    if (o->weights != NULL && strcmp(o->weights, "auto") == 0)
        o->weights = counts ? "sqrt-idf" : "none";
    if (o->weights != NULL && strcmp(o->weights, "auto-tfidf") == 0)
        o->weights = counts ? "tfidf" : "none";
    if (o->weights != NULL && strcmp(o->weights, "auto-sqrt-idf") == 0)
        o->weights = !weighted && are_weights(rows) ? "sqrt-idf" : "none";
    if (o->weights != NULL && strcmp(o->weights, "auto-words") == 0)
        o->weights = counts && rarely_repeat(rows)    ? "binary-idf"
                     : !weighted && are_weights(rows) ? "sqrt-idf"
                                                      : "none";
    if (o->scale != NULL && strcmp(o->scale, "auto") == 0)
        o->scale = rows->offsets == NULL ? "zscore" : "none";
    if (o->norm != NULL && strcmp(o->norm, "auto") == 0)
        o->norm = rows->offsets != NULL ? "l2" : "none";
    if (o->scale != NULL && strcmp(o->scale, "auto-minmax") == 0) {
        bool mixed = false;
        AK_CHECK(ak_rows_have_mixed_units(&mixed, ctx, rows));
        o->scale = mixed ? "minmax" : "none";
    }
    return AKIN_OK;
}

static akin_status take_options(akin_recipe *r, akin_ctx *ctx,
                                const akin_rows *rows,
                                const akin_recipe_options *options)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    int weights = 0, scale = 0, norm = 0;
    if (options != NULL)  // a caller of an older version has fewer members
        memcpy(&o, options,
               options->size < sizeof o ? options->size : sizeof o);
    AK_CHECK(ak_recipe_settle(&o, ctx, rows));
    AK_CHECK(word_of(ctx, "weights", o.weights, ak_weights_words,
                     AK_WEIGHTS_COUNT, &weights));
    AK_CHECK(
        word_of(ctx, "scale", o.scale, ak_scale_words, AK_SCALE_COUNT, &scale));
    AK_CHECK(word_of(ctx, "norm", o.norm, ak_norm_words, AK_NORM_COUNT, &norm));
    if (o.center != 0 && o.center != 1)
        return ak_fail(ctx, AKIN_EINVAL,
                       "center is %" PRId64 " (expected 0 or 1)", o.center);
    r->weights = (ak_weights)weights;
    r->scale = (ak_scale)scale;
    r->norm = (ak_norm)norm;
    r->center = o.center != 0;
    ak_recipe_name(r);
    return AKIN_OK;
}

static void warn_if_zero(akin_ctx *ctx, const akin_recipe *r)
{
    for (int64_t j = 0; j < r->d; ++j)
        if (r->idf[j] != 0.0)
            return;
    ak_log(ctx, AKIN_LOG_WARNING,
           "`weights` %s makes every value 0: each column occurs in all rows "
           "or in none (idf is for sparse counts)",
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
    AK_CHECK(AK_SCRATCH(ctx, r->d, &c->count));
    AK_CHECK(AK_SCRATCH(ctx, r->d, &c->min));
    AK_CHECK(AK_SCRATCH(ctx, r->d, &c->max));
    AK_CHECK(AK_SCRATCH(ctx, r->d, &c->mean));
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
    return AKIN_OK;
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
               "number %" PRId64 "%s%s, between %.9g and %.9g (subtract what "
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
    AK_CHECK(AK_SCRATCH(ctx, r->d, &s));
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

/* The recipe has no shift and factor yet while the rows are read. */
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

/* scale=su: the rows in the directions of their principal components, each
 * divided by the square root of its singular value, every row of length 1.
 *
 *   X - 1 mean' = U S V',  R = V S^(-1/2)                              (1)
 *
 * V and S come from the d x d matrix V S^2 V' = (X - 1 mean')'(X - 1 mean'),
 * so n does not matter for memory. Directions without variance are left out.
 * The sum is taken in blocks of rows. */

/* Squares of singular values have an error of about 1e-16 of the largest. */
static const double least_share = 1e-12;

/* C = (X - 1 mean')'(X - 1 mean'). */
static akin_status scatter_matrix(const akin_recipe *r, akin_ctx *ctx,
                                  const akin_rows *rows, double *C)
{
    const int64_t d = r->d;
    double *X, *XtX;

    AK_CHECK(AK_SCRATCH(ctx, ROWS_PER_BLOCK * d, &X));
    AK_CHECK(AK_SCRATCH(ctx, d * d, &XtX));
    for (int64_t begin = 0; begin < rows->n; begin += ROWS_PER_BLOCK) {
        const int64_t n = ak_min_i64(ROWS_PER_BLOCK, rows->n - begin);
        for (int64_t i = 0; i < n; ++i)
            ak_recipe_row(r, rows, begin + i, NULL, X + i * d);
        AK_CHECK(ak_gram(ctx, true, d, n, X, d, XtX));
        for (int64_t k = 0; k < d * d; ++k)
            C[k] += XtX[k];
        AK_CHECK(ak_ctx_tick(ctx, "rows", begin + n, rows->n, NAN));
    }
    return AKIN_OK;
}

/* R from the eigenvectors (columns of V, values increasing); its columns are
 * ordered by decreasing singular value. */
static void fill_rotation(akin_recipe *r, const double *V, const double *values)
{
    const int64_t d = r->d;
    for (int64_t k = 0; k < r->rank; ++k) {
        const int64_t from = d - 1 - k;
        const double by = 1.0 / sqrt(sqrt(values[from]));
        for (int64_t j = 0; j < d; ++j)
            r->rotation[j * r->rank + k] = by * V[j * d + from];
    }
}

static akin_status fit_su(akin_recipe *r, akin_ctx *ctx, const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = r->d;
    double *C, *values;
    int64_t rank = 0;
    akin_status st = AKIN_OK;

    if (d > MOST_SU_COLUMNS)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "scale=su: there are %" PRId64
                       " columns (expected %d or fewer)",
                       d, MOST_SU_COLUMNS));
    AK_TRY(AK_SCRATCH(ctx, d * d, &C));
    AK_TRY(AK_SCRATCH(ctx, d, &values));
    AK_TRY(scatter_matrix(r, ctx, rows, C));
    AK_TRY(ak_eigh(ctx, d, C, values));
    while (rank < d && values[d - 1 - rank] > least_share * values[d - 1])
        ++rank;
    AK_TRY(AK_NEW(ctx, d * rank, &r->rotation));
    r->rank = rank;
    fill_rotation(r, C, values);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* One number for all rows, so that their mean squared norm becomes 1. */
static akin_status fit_global(akin_recipe *r, akin_ctx *ctx,
                              const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t width = row_width(r, rows);
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
    const int64_t width = row_width(r, rows);
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
        AK_TRY(fit_su(r, ctx, rows));
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
    memcpy(r->after, rows->prepared, sizeof r->after);
    AK_TRY(take_options(r, ctx, rows, options));
    if (rows->n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "a recipe needs at least one row"));
    AK_TRY(ak_recipe_check_once(r, ctx, rows));
    AK_TRY(ak_recipe_check(r, ctx, rows));
    if (rows->offsets && (r->center || r->scale > AK_SCALE_MINMAX))
        AK_TRY(check_dense(ctx, rows->n, rows->d));
    AK_TRY(fit_all(r, ctx, rows));
    AK_TRY(ak_columns_copy(&r->columns, ctx, &rows->columns));
    if (rows->label_column != NULL)
        AK_TRY(ak_columns_add(&r->label, ctx, rows->label_column,
                              strlen(rows->label_column)));
    *out = r;
    r = NULL;
done:
    akin_recipe_free(r);
    return st;
}

/* ---- apply ---- */

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

static akin_status new_arrays(akin_rows *out, akin_ctx *ctx,
                              const akin_rows *in, bool dense)
{
    if (dense && in->offsets)
        AK_CHECK(check_dense(ctx, out->n, out->d));
    const int64_t n = dense ? out->n * out->d : in->offsets[in->n];
    AK_CHECK(AK_NEW(ctx, n, &out->vals));
    if (!dense) {
        AK_CHECK(AK_NEW(ctx, n, &out->cols));
        AK_CHECK(AK_NEW(ctx, in->n + 1, &out->offsets));
    }
    return ak_rows_copy_groups(out, ctx, in, NULL);
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
                       "column %" PRId64 " is named %s; the recipe expects %s",
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
    w.width = row_width(recipe, rows);
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
    akin_rows *kept = NULL, *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_recipe_check_once(recipe, ctx, rows));
    ak_recipe_warn_other(recipe, ctx, rows);
    if (recipe->vocabulary != NULL)
        AK_TRY(ak_vocabulary_keep(&kept, ctx, recipe->vocabulary, rows));
    AK_TRY(apply_to_kept(&r, ctx, recipe, kept ? kept : rows));
    AK_TRY(ak_rows_checksums(&r->raw_sums, ctx, rows));
    ak_recipe_mark(recipe, rows, r);
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    akin_rows_free(kept);
    return st;
}
