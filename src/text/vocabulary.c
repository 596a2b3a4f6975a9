/* The terms of counts: their names from a file, the choice of the terms that
 * tell most, and a recipe that keeps them.
 *
 * Information gain is what the presence of a term tells about the class:
 *
 *   IG(t) = H(C) - P(t) H(C | t) - P(not t) H(C | not t)                  (1)
 *         = sum over c, x in {t, not t} of  n_cx/N ln( n_cx N / (n_c n_x) ) (2)
 *
 * (2) has no differences of large numbers. Classes that never have the term
 * share one addend, so a term costs what its documents cost. */
#include "text/vocabulary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "data/io/source.h"
#include "data/recipe/recipe.h"
#include "text/words.h"

/* ---- options ---- */

/* A count, or below 1 a share of n, rounded towards the stricter side. */
static int64_t documents(double limit, int64_t n, bool least)
{
    if (limit >= 1.0)
        return limit < 9e15 ? (int64_t)limit : INT64_MAX;
    const double share = limit * (double)n;
    return (int64_t)(least ? ceil(share - 1e-9) : floor(share + 1e-9));
}

/* A share, or a whole number of documents. */
static bool is_limit(double limit)
{
    return limit < 1.0 || limit == floor(limit);
}

akin_status ak_text_limits(akin_ctx *ctx, const akin_text_options *o, int64_t n,
                           int64_t *least, int64_t *most)
{
    if (!(o->min_df >= 0.0) || !(o->max_df >= 0.0))
        return ak_fail(ctx, AKIN_EINVAL,
                       "`min_df` %g and `max_df` %g must not be negative",
                       o->min_df, o->max_df);
    if (!is_limit(o->min_df) || !is_limit(o->max_df))
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s %g is not a number of documents (expected a whole "
                       "number, or a share below 1)",
                       is_limit(o->min_df) ? "max-df" : "min-df",
                       is_limit(o->min_df) ? o->max_df : o->min_df);
    *least = ak_max_i64(1, documents(o->min_df, n, true));
    *most = o->max_df > 0.0 ? documents(o->max_df, n, false) : INT64_MAX;
    return AKIN_OK;
}

akin_status ak_text_options_take(akin_text_options *o, akin_ctx *ctx,
                                 const akin_text_options *given)
{
    int64_t least, most;
    *o = (akin_text_options)AKIN_TEXT_DEFAULTS;
    ak_options_take(o, sizeof *o, given);
    if (o->min_length < 1 || o->max_length > AK_WORD_MOST ||
        o->min_length > o->max_length)
        return ak_fail(ctx, AKIN_EINVAL,
                       "words of %" PRId64 " to %" PRId64
                       " characters (expected 1 to %d)",
                       o->min_length, o->max_length, AK_WORD_MOST);
    if (o->features < 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`features` is %" PRId64 " (expected 0 or more)",
                       o->features);
    return ak_text_limits(ctx, o, 0, &least, &most);  // before any reading
}

/* ---- names from a file ---- */

static bool is_term(const char *text, size_t n)
{
    size_t k = 0, len = 1;
    for (; k < n && len > 0; k += len)
        len = ak_utf8_length(text + k, n - k);
    return n > 0 && len > 0;
}

/* Line `at` of the file; `seen` has those before it. */
static akin_status add_term(ak_columns *terms, ak_names *seen, akin_ctx *ctx,
                            const char *path, int64_t at, const char *text,
                            size_t n)
{
    int32_t number;
    if (!is_term(text, n) || terms->n == INT32_MAX)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64
                       ": not a term (expected one per line, in UTF-8)",
                       path, at);
    AK_CHECK(ak_names_add(seen, ctx, text, n, &number));
    if (number < terms->n)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": term '%s' occurs twice", path, at,
                       seen->texts[number]);
    return ak_columns_add(terms, ctx, text, n);
}

akin_status akin_text_vocabulary(akin_ctx *ctx, akin_rows *counts,
                                 const char *path)
{
    ak_source *s = NULL;
    ak_columns terms = {0};
    ak_names seen = {0};
    char *line;
    size_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&s, ctx, path, AK_SOURCE_TEXT));
    for (;;) {
        AK_TRY(ak_source_line(s, ctx, &line, &n));
        if (line == NULL)
            break;
        AK_TRY(add_term(&terms, &seen, ctx, path, ak_source_line_number(s),
                        line, n));
    }
    if (counts->offsets ? terms.n < counts->d : terms.n != counts->d)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%s: %" PRId64 " terms (the rows have %" PRId64
                       " columns)",
                       path, terms.n, counts->d));
    counts->d = terms.n;
    ak_columns_free(&counts->columns);
    counts->columns = terms;
    terms = (ak_columns){0};
done:
    ak_source_close(s);
    ak_names_free(&seen);
    ak_columns_free(&terms);
    return st;
}

/* ---- information gain ---- */

typedef struct label_counts {
    int64_t n;         // pairs of a row and a label
    int64_t *classes;  // pairs of each label
    int64_t *starts;   // d + 1: where the labels of each column begin
    int32_t *labels;   // of the rows that have the column
    int64_t *with;     // pairs of each label with one column
} label_counts;

/* n_cx/N ln(n_cx N / (n_c n_x)), 0 for none. */
static double addend(int64_t cx, int64_t c, int64_t x, int64_t n)
{
    if (cx == 0)
        return 0.0;
    const double N = (double)n;
    return (double)cx / N * log((double)cx * N / ((double)c * (double)x));
}

static double gain_of(const label_counts *k, int64_t begin, int64_t end)
{
    const int64_t there = end - begin, not_there = k->n - there;
    int64_t rest = k->n;
    double gain = 0.0;
    for (int64_t i = begin; i < end; ++i)
        ++k->with[k->labels[i]];
    for (int64_t i = begin; i < end; ++i) {
        const int32_t label = k->labels[i];
        const int64_t with = k->with[label], all = k->classes[label];
        if (with == 0)
            continue;  // has had its turn
        gain += addend(with, all, there, k->n);
        gain += addend(all - with, all, not_there, k->n);
        rest -= all;
        k->with[label] = 0;
    }
    if (rest > 0)
        gain += (double)rest / (double)k->n *
                log((double)k->n / (double)not_there);
    return gain > 0.0 ? gain : 0.0;
}

/* Go over the columns that rows have: count their labels, then (with `at`, the
 * next place of each column) put them down. */
static void go_over(label_counts *k, const akin_rows *rows, int64_t *at)
{
    for (int64_t i = 0; i < rows->n; ++i) {
        const int32_t *labels, *cols;
        const float *vals;
        const int64_t n_labels = akin_rows_labels(&labels, rows, i);
        const int64_t n = akin_rows_row(&cols, &vals, rows, i);
        for (int64_t e = 0; e < n; ++e) {
            const int64_t j = cols ? cols[e] : e;
            if (vals[e] == 0.0F)
                continue;
            if (at == NULL)
                k->starts[j + 1] += n_labels;
            for (int64_t l = 0; at != NULL && l < n_labels; ++l)
                k->labels[at[j]++] = labels[l];
        }
    }
}

/* The labels of the rows that have each column, column by column. */
static akin_status transpose(label_counts *k, akin_ctx *ctx,
                             const akin_rows *rows)
{
    int64_t *at;
    AK_CHECK(AK_SCRATCH(ctx, rows->d + 1, &k->starts));
    AK_CHECK(AK_SCRATCH(ctx, rows->d, &at));
    go_over(k, rows, NULL);
    for (int64_t j = 0; j < rows->d; ++j) {
        at[j] = k->starts[j];
        k->starts[j + 1] += k->starts[j];
    }
    AK_CHECK(AK_SCRATCH(ctx, k->starts[rows->d], &k->labels));
    go_over(k, rows, at);
    return AKIN_OK;
}

akin_status akin_text_gain(double *gain, akin_ctx *ctx, const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int32_t *labels;
    label_counts k = {0};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, rows->n_label_names, &k.classes));
    AK_TRY(AK_SCRATCH(ctx, rows->n_label_names, &k.with));
    for (int64_t i = 0; i < rows->n; ++i) {
        const int64_t n = akin_rows_labels(&labels, rows, i);
        for (int64_t l = 0; l < n; ++l)
            ++k.classes[labels[l]];
        k.n += n;
    }
    if (k.n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "information gain needs labels (`select` df does "
                       "not)"));
    AK_TRY(transpose(&k, ctx, rows));
    for (int64_t j = 0; j < rows->d; ++j)
        gain[j] = gain_of(&k, k.starts[j], k.starts[j + 1]);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- selection ---- */

typedef struct candidate {
    double worth;
    int32_t column;
} candidate;

/* The worthiest first, of equals the first column. */
static int by_worth(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->worth != y->worth)
        return x->worth > y->worth ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static int by_column(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* How many rows have each column, in double. */
static akin_status document_counts(akin_ctx *ctx, const akin_rows *rows,
                                   double **df)
{
    const akin_status st = AK_SCRATCH(ctx, rows->d, df);
    for (int64_t i = 0; i < rows->n && st == AKIN_OK; ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t n = akin_rows_row(&cols, &vals, rows, i);
        for (int64_t k = 0; k < n; ++k)
            (*df)[cols ? cols[k] : k] += vals[k] != 0.0F;
    }
    return st;
}

static akin_status worth_of(akin_ctx *ctx, const akin_rows *rows,
                            const char *how, double *df, double **worth)
{
    *worth = df;
    if (how != NULL && strcmp(how, "df") == 0)
        return AKIN_OK;
    if (how != NULL && strcmp(how, "infogain") != 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`select` %s is unknown (expected infogain or df)", how);
    const akin_status st = AK_SCRATCH(ctx, rows->d, worth);
    return st == AKIN_OK ? akin_text_gain(*worth, ctx, rows) : st;
}

/* Columns within the limits that are no stop words. */
static akin_status find_candidates(akin_ctx *ctx, const akin_rows *rows,
                                   const akin_text_options *o, const double *df,
                                   int32_t *kept, int64_t *n)
{
    int64_t least, most;
    ak_names stop = {0};
    akin_status st = AKIN_OK;
    *n = 0;
    AK_TRY(ak_text_limits(ctx, o, rows->n, &least, &most));
    if (rows->columns.n > 0)
        AK_TRY(ak_stop_words(&stop, ctx, o->stop_words));
    for (int32_t j = 0; j < (int32_t)rows->d; ++j) {
        const char *term = ak_columns_name(&rows->columns, j);
        if (df[j] < (double)least || df[j] > (double)most ||
            (term != NULL && ak_names_find(&stop, term, strlen(term)) >= 0))
            continue;
        kept[(*n)++] = j;
    }
done:
    ak_names_free(&stop);
    return st;
}

/* Of the n columns in `kept` the best `most`. */
static akin_status choose(akin_ctx *ctx, const double *worth, int32_t *kept,
                          int64_t n, int64_t most)
{
    candidate *all;
    AK_CHECK(AK_SCRATCH(ctx, n, &all));
    for (int64_t k = 0; k < n; ++k)
        all[k] = (candidate){worth[kept[k]], kept[k]};
    qsort(all, (size_t)n, sizeof *all, by_worth);
    for (int64_t k = 0; k < most; ++k)
        kept[k] = all[k].column;
    qsort(kept, (size_t)most, sizeof *kept, by_column);
    return AKIN_OK;
}

/* The columns to keep, increasing: within the limits, no stop words, and of
 * those the `features` that tell most. Room for all columns of the rows. */
static akin_status select_terms(int32_t *kept, int64_t *n_kept, akin_ctx *ctx,
                                const akin_rows *counts,
                                const akin_text_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *df, *worth;
    int64_t n;
    akin_status st = AKIN_OK;
    AK_TRY(document_counts(ctx, counts, &df));
    AK_TRY(find_candidates(ctx, counts, o, df, kept, &n));
    if (o->features > 0 && o->features < n) {
        AK_TRY(worth_of(ctx, counts, o->select, df, &worth));
        AK_TRY(choose(ctx, worth, kept, n, o->features));
        n = o->features;
    }
    if (counts->d == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "no document has words to count"));
    if (n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "none of %" PRId64
                       " terms is left (`min_df`, `max_df`, stop words)",
                       counts->d));
    *n_kept = n;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- a recipe ---- */

static akin_status write_choices(ak_vocabulary *v, akin_ctx *ctx,
                                 const akin_text_options *o, bool documents)
{
    const bool chosen = o->features > 0;
    const char *stop = o->stop_words ? o->stop_words : "none";
    const bool listed = strcmp(stop, "english") == 0 ||
                        strcmp(stop, "none") == 0;
    char text[256];
    int n = snprintf(text, sizeof text, "min-df=%g max-df=%g", o->min_df,
                     o->max_df);
    if (documents)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      " stop-words=%s min-length=%" PRId64
                      " max-length=%" PRId64,
                      listed ? stop : "file", o->min_length, o->max_length);
    if (chosen)
        snprintf(text + n, sizeof text - (size_t)n,
                 " features=%" PRId64 " select=%s", o->features,
                 o->select ? o->select : "infogain");
    return ak_strdup(ctx, text, &v->choices);
}

static akin_status make_vocabulary(ak_vocabulary **out, akin_ctx *ctx,
                                   const akin_rows *counts,
                                   const akin_text_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_vocabulary *v = NULL;
    int32_t *kept;
    int64_t n;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, counts->d, &kept));
    AK_TRY(select_terms(kept, &n, ctx, counts, o));
    AK_TRY(ak_vocabulary_new(&v, ctx, counts->d, kept, n));
    AK_TRY(ak_columns_copy(&v->terms, ctx, &counts->columns));
    for (int64_t k = 0; k < counts->n_label_names; ++k)
        AK_TRY(ak_columns_add(&v->classes, ctx, counts->label_names[k],
                              strlen(counts->label_names[k])));
    AK_TRY(write_choices(v, ctx, o, v->terms.n > 0));
    *out = v;
    v = NULL;
done:
    ak_vocabulary_free(v);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_text_fit(akin_recipe **out, akin_ctx *ctx,
                          const akin_rows *counts,
                          const akin_text_options *options,
                          const akin_recipe_options *then)
{
    akin_text_options o;
    ak_vocabulary *v = NULL;
    akin_rows *kept = NULL;
    akin_recipe *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_text_options_take(&o, ctx, options));
    AK_TRY(make_vocabulary(&v, ctx, counts, &o));
    AK_TRY(ak_vocabulary_keep(&kept, ctx, v, counts));
    AK_TRY(akin_recipe_fit(&r, ctx, kept, then));
    r->vocabulary = v;
    v = NULL;
    ak_recipe_name(r);
    *out = r;
    r = NULL;
done:
    akin_recipe_free(r);
    akin_rows_free(kept);
    ak_vocabulary_free(v);
    return st;
}
