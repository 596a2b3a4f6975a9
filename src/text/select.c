#include "text/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/stop.h"

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
                       "min-df %g and max-df %g cannot be below 0", o->min_df,
                       o->max_df);
    if (!is_limit(o->min_df) || !is_limit(o->max_df))
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s %g is no number of documents (expected a whole one, "
                       "or a share below 1)",
                       is_limit(o->min_df) ? "max-df" : "min-df",
                       is_limit(o->min_df) ? o->max_df : o->min_df);
    *least = ak_max_i64(1, documents(o->min_df, n, true));
    *most = o->max_df > 0.0 ? documents(o->max_df, n, false) : INT64_MAX;
    return AKIN_OK;
}

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
                       "select: there is no \"%s\" (expected infogain, df)",
                       how);
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
    const akin_status st = AK_SCRATCH(ctx, n, &all);
    if (st != AKIN_OK)
        return st;
    for (int64_t k = 0; k < n; ++k)
        all[k] = (candidate){worth[kept[k]], kept[k]};
    qsort(all, (size_t)n, sizeof *all, by_worth);
    for (int64_t k = 0; k < most; ++k)
        kept[k] = all[k].column;
    qsort(kept, (size_t)most, sizeof *kept, by_column);
    return AKIN_OK;
}

akin_status ak_text_select(int32_t *kept, int64_t *n_kept, akin_ctx *ctx,
                           const akin_rows *counts, const akin_text_options *o)
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
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "no document has a word that counts"));
    if (n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "no term is left of %" PRId64
                       " (min-df, max-df, stop words)",
                       counts->d));
    *n_kept = n;
done:
    ak_scratch_end(ctx, mark);
    return st;
}
