#include "learn/diagonal/trust.h"

#include <math.h>
#include <stdlib.h>

#include "data/supervision/supervision.h"
#include "model/diagonal.h"

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

typedef struct trust {
    const akin_rows *rows;
    int64_t *chosen, n;  // rows that are ranked
    int64_t queries;     // of them, those that query
    double *from, *to;   // dot products under w0 and w, queries x n
    double *scores;      // of a share
    double *lengths;     // of the rows, for this share
} trust;

/* Rows to rank: many if they are short. */
static int64_t most_rows(const akin_rows *rows)
{
    const int64_t entries = ak_max_i64(akin_rows_nonzeros(rows), 1);
    const int64_t most = (int64_t)((double)MOST_PRODUCTS / LEAST_QUERIES *
                                   (double)rows->n / (double)entries);
    return ak_max_i64(ak_min_i64(most, MOST_ROWS), 16 * ROWS_A_CLASS);
}

/* Is number i one of `most` spread over n? */
static bool is_among(int64_t i, int64_t most, int64_t n)
{
    return most >= n || (i + 1) * most / n > i * most / n;
}

/* Rows spread over each class, and over all classes or, where they are many,
 * over some. A row with several labels counts for the first. */
static akin_status choose_rows(trust *t, akin_ctx *ctx,
                               const akin_supervision *data)
{
    const akin_rows *rows = data->rows;
    const int64_t known = ak_supervision_known(data), most = most_rows(rows);
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
    const int64_t length =
        ak_max_i64(akin_rows_nonzeros(rows) / ak_max_i64(rows->n, 1), 1);
    t->queries = ak_min_i64(
        t->n, ak_max_i64(MOST_PRODUCTS / (ak_max_i64(t->n, 1) * length),
                         LEAST_QUERIES));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Query q is this one of the chosen rows. */
static int64_t query_at(const trust *t, int64_t q)
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

static quality quality_of(const trust *t, int64_t q, hit *hits)
{
    const int64_t query = t->chosen[query_at(t, q)];
    int64_t n = 0, good = 0;
    double sum = 0.0;
    for (int64_t i = 0; i < t->n; ++i)
        if (t->chosen[i] != query)
            hits[n++] = (hit){t->scores[q * t->n + i],
                              ak_rows_share_label(t->rows, query, t->rows,
                                                  t->chosen[i], NULL)};
    qsort(hits, (size_t)n, sizeof *hits, by_rank);
    for (int64_t i = 0; i < n; ++i)
        if (hits[i].good)
            sum += (double)++good / (double)(i + 1);
    return good > 0 ? (quality){sum / (double)good, hits[0].good}
                    : (quality){0};
}

static double length_of(const akin_rows *rows, int64_t i, const double *w)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, rows, i);
    double sum = 0.0;
    for (int64_t k = 0; k < n; ++k)
        sum += fabs(w[cols ? cols[k] : k]) * (double)vals[k] * (double)vals[k];
    return sqrt(sum);
}

/* Make cosines of dot products. */
static void divide_by_lengths(trust *t, const double *w)
{
    for (int64_t i = 0; i < t->n; ++i)
        t->lengths[i] = length_of(t->rows, t->chosen[i], w);
    for (int64_t q = 0; q < t->queries; ++q)
        for (int64_t i = 0; i < t->n; ++i) {
            const double both = t->lengths[query_at(t, q)] * t->lengths[i];
            t->scores[q * t->n + i] *= both > 0.0 ? 1.0 / both : 0.0;
        }
}

/* Of every query under a share, whose weights are w. */
static void measure(trust *t, akin_compare by, double share, const double *w,
                    hit *hits, quality *each)
{
    for (int64_t i = 0; i < t->queries * t->n; ++i)
        t->scores[i] = t->from[i] + share * (t->to[i] - t->from[i]);
    if (by == AKIN_BY_COSINE)
        divide_by_lengths(t, w);
    for (int64_t q = 0; q < t->queries; ++q)
        each[q] = quality_of(t, q, hits);
}

/* The dot products of all pairs under w; NULL: ones. */
static akin_status score(const trust *t, akin_ctx *ctx, int64_t d,
                         const double *w, double *scores)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *pairs = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 2 * t->queries * t->n, &pairs));
    for (int64_t q = 0; q < t->queries; ++q)
        for (int64_t i = 0; i < t->n; ++i) {
            pairs[2 * (q * t->n + i)] = t->chosen[query_at(t, q)];
            pairs[2 * (q * t->n + i) + 1] = t->chosen[i];
        }
    AK_TRY(ak_diagonal_new(&m, ctx, d, w, AKIN_BY_DOT));
    AK_TRY(akin_model_score(scores, ctx, m, t->rows, t->rows, pairs,
                            t->queries * t->n, AKIN_BY_DOT));
done:
    akin_model_free(m);
    ak_scratch_end(ctx, mark);
    return st;
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
static double gain(const trust *t, const quality *start, const quality *each)
{
    difference precision = {0}, first = {0};
    for (int64_t q = 0; q < t->queries; ++q) {
        add(&precision, each[q].precision - start[q].precision);
        add(&first, each[q].first - start[q].first);
    }
    return is_worse(&precision) || is_worse(&first) ? -1.0
                                                    : precision.sum + first.sum;
}

static double start_of(const double *w0, int64_t j)
{
    return w0 ? w0[j] : 1.0;
}

static akin_status choose_share(trust *t, akin_ctx *ctx, akin_compare by,
                                int64_t d, const double *w0, const double *w,
                                double *share)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = t->queries * t->n;
    quality *start = NULL, *each = NULL;
    hit *hits = NULL;
    double *mixed = NULL, best = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH_EACH(ctx, n, &t->from, &t->to, &t->scores));
    AK_TRY(AK_SCRATCH(ctx, t->n, &t->lengths));
    AK_TRY(AK_SCRATCH(ctx, t->n, &hits));
    AK_TRY(AK_SCRATCH(ctx, d, &mixed));
    AK_TRY(AK_SCRATCH(ctx, t->queries, &start));
    AK_TRY(AK_SCRATCH(ctx, t->queries, &each));
    AK_TRY(score(t, ctx, d, w0, t->from));
    AK_TRY(score(t, ctx, d, w, t->to));
    for (int k = 0; k < SHARES; ++k) {
        for (int64_t j = 0; j < d; ++j)
            mixed[j] = start_of(w0, j) +
                       shares[k] * (w[j] - start_of(w0, j));  // (1)
        measure(t, by, shares[k], mixed, hits, k == 0 ? start : each);
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

akin_status ak_trust(double *share, akin_ctx *ctx, const akin_supervision *data,
                     akin_compare by, int64_t d, const double *w0, double *w)
{
    trust t = {.rows = data->rows};
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    *share = 1.0;
    if (data->kind != AKIN_LABELS || data->right != NULL)
        goto done;
    AK_TRY(AK_SCRATCH(ctx, MOST_ROWS + ROWS_A_CLASS, &t.chosen));
    AK_TRY(choose_rows(&t, ctx, data));
    if (t.n > 0)
        AK_TRY(choose_share(&t, ctx, by, d, w0, w, share));
    for (int64_t j = 0; j < d && *share < 1.0; ++j)
        w[j] = start_of(w0, j) + *share * (w[j] - start_of(w0, j));  // (1)
done:
    ak_scratch_end(ctx, mark);
    return st;
}
