#include "learn/trust.h"

#include <math.h>
#include <stdlib.h>

#include "data/supervision/supervision.h"

/* Products of two numbers, about; and the rows of a class that may be found,
 * where there are as many. */
enum {
    MOST_PRODUCTS = 1 << 26,
    MOST_ROWS = 2048,
    LEAST_QUERIES = 256,
    ROWS_A_CLASS = 16
};

static const double shares[] = {0.0, 1.0, 0.5, 0.25, 0.125};

enum { SHARES = sizeof shares / sizeof shares[0] };

/* Rows to rank: many if they are short. */
static int64_t most_rows(double width)
{
    const int64_t most =
        (int64_t)((double)MOST_PRODUCTS / LEAST_QUERIES / fmax(width, 1e-3));
    return ak_max_i64(ak_min_i64(most, MOST_ROWS), 16 * ROWS_A_CLASS);
}

/* Is number i one of `most` spread over n? */
static bool is_among(int64_t i, int64_t most, int64_t n)
{
    return most >= n || (i + 1) * most / n > i * most / n;
}

/* Rows spread over each class, and over all classes or, where they are many,
 * over some. A row with several labels counts for the first. */
static akin_status choose_rows(ak_trust_rows *t, akin_ctx *ctx,
                               const akin_supervision *data, double width)
{
    const akin_rows *rows = data->rows;
    const int64_t known = ak_supervision_known(data), most = most_rows(width);
    const int64_t classes = rows->n_label_names;
    const int64_t taken = ak_min_i64(classes, most / ROWS_A_CLASS);
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *members = NULL, *seen = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, classes, &members));
    AK_TRY(AK_SCRATCH(ctx, classes, &seen));
    for (int pass = 0; pass < 2; ++pass)
        for (int64_t i = 0; i < known; ++i) {
            const int64_t row = ak_supervision_row(data, i);
            const int64_t at = rows->label_offsets[row];
            if (at == rows->label_offsets[row + 1])
                continue;
            const int32_t c = rows->labels[at];
            if (pass == 0)
                ++members[c];
            else if (is_among(c, taken, classes) &&
                     is_among(seen[c]++, most / taken, members[c]))
                t->chosen[t->n++] = row;
        }
    const int64_t length = ak_max_i64((int64_t)width, 1);
    t->queries = ak_min_i64(
        t->n, ak_max_i64(MOST_PRODUCTS / (ak_max_i64(t->n, 1) * length),
                         LEAST_QUERIES));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

int64_t ak_trust_query(const ak_trust_rows *t, int64_t q)
{
    return q * t->n / t->queries;
}

typedef struct hit {
    double score;
    bool good;
} hit;

/* The best first; of equals those that are not good. */
static int by_rank(const void *a, const void *b)
{
    const hit *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return x->good - y->good;
}

/* Average precision, and whether the first is good; 0 where nothing is
 * relevant. */
typedef struct quality {
    double precision, first;
} quality;

static quality quality_of(const ak_trust_rows *t, int64_t q,
                          const double *scores, hit *hits)
{
    const int64_t query = t->chosen[ak_trust_query(t, q)];
    int64_t n = 0, good = 0;
    double sum = 0.0;
    for (int64_t i = 0; i < t->n; ++i)
        if (t->chosen[i] != query)
            hits[n++] = (hit){scores[q * t->n + i],
                              ak_rows_share_label(t->rows, query, t->rows,
                                                  t->chosen[i], NULL)};
    qsort(hits, (size_t)n, sizeof *hits, by_rank);
    for (int64_t i = 0; i < n; ++i)
        if (hits[i].good)
            sum += (double)++good / (double)(i + 1);
    return good > 0 ? (quality){sum / (double)good, hits[0].good}
                    : (quality){0};
}

/* The sum of differences, and whether it is less than zero by more than its
 * standard error. */
typedef struct difference {
    double sum, squares;
} difference;

static void add(difference *d, double x)
{
    d->sum += x;
    d->squares += x * x;
}

static bool is_worse(const difference *d)
{
    return d->sum < -sqrt(d->squares);
}

/* What the queries gain over `start`; negative when one of the two figures is
 * worse. */
static double gain(const ak_trust_rows *t, const quality *start,
                   const quality *each)
{
    difference precision = {0}, first = {0};
    for (int64_t q = 0; q < t->queries; ++q) {
        add(&precision, each[q].precision - start[q].precision);
        add(&first, each[q].first - start[q].first);
    }
    return is_worse(&precision) || is_worse(&first) ? -1.0
                                                    : precision.sum + first.sum;
}

static akin_status choose_share(const ak_trust_rows *t, akin_ctx *ctx,
                                ak_trust_scores_fn fn, void *arg, double *share)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    quality *start = NULL, *each = NULL;
    hit *hits = NULL;
    double *scores = NULL, best = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, t->queries * t->n, &scores));
    AK_TRY(AK_SCRATCH(ctx, t->n, &hits));
    AK_TRY(AK_SCRATCH(ctx, t->queries, &start));
    AK_TRY(AK_SCRATCH(ctx, t->queries, &each));
    for (int k = 0; k < SHARES; ++k) {
        AK_TRY(fn(arg, ctx, t, shares[k], scores));
        for (int64_t q = 0; q < t->queries; ++q)
            (k == 0 ? start : each)[q] = quality_of(t, q, scores, hits);
        const double found = k == 0 ? 0.0 : gain(t, start, each);
        if (k == 0 || found > best) {
            best = found;
            *share = shares[k];
        }
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_trust_share(double *share, akin_ctx *ctx,
                           const akin_supervision *data, double width,
                           ak_trust_scores_fn fn, void *arg)
{
    ak_trust_rows t = {.rows = data->rows};
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    *share = 1.0;
    if (data->kind != AKIN_LABELS || data->right != NULL)
        goto done;
    AK_TRY(AK_SCRATCH(ctx, MOST_ROWS + ROWS_A_CLASS, &t.chosen));
    AK_TRY(choose_rows(&t, ctx, data, width));
    if (t.n > 0)
        AK_TRY(choose_share(&t, ctx, fn, arg, share));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
