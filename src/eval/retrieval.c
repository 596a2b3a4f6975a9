/* Retrieval: the average precision of every query's ranking.
 *
 * A query is a row, or the mean of a row and of further examples. Rows that a
 * list names are relevant to it or, without a list, those that share a label
 * with it. */
#include <akin/eval.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "data/rows.h"
#include "eval/average_precision.h"
#include "eval/queries.h"
#include "index/scan/scan.h"
#include "model/compare.h"

static const int64_t cuts[AKIN_PRECISIONS] = {1, 5, 10, 20, 50, 100};

int64_t akin_precision_cut(int64_t i)
{
    return i >= 0 && i < AKIN_PRECISIONS ? cuts[i] : 0;
}

/* Rows of each label: rows[offsets[k]..offsets[k + 1]), increasing. */
typedef struct label_rows {
    int64_t *offsets, *rows;
    int32_t *map;  // labels of the queries to those of the rows; NULL: same
} label_rows;

typedef struct retrieval {
    akin_retrieval_options o;
    const akin_rows *rows;
    const akin_rows *queries;  // = rows when rows query
    int64_t count;             // of queries
    label_rows labels;         // where o.relevant is NULL
} retrieval;

/* The row of `queries` that query t is; lists know it by this number. */
static int64_t query_row(const retrieval *r, int64_t t)
{
    return r->o.query_rows ? r->o.query_rows[t] : t;
}

/* ---- what is relevant to a query ---- */

static akin_status check_list(const retrieval *r, akin_ctx *ctx,
                              const akin_lists *lists, const char *what)
{
    for (int64_t t = 0; lists && t < r->count; ++t) {
        const int64_t *rows, query = query_row(r, t);
        const int64_t n = akin_lists_get(&rows, lists, query);
        if (n > 0 && (rows[0] < 0 || rows[n - 1] >= r->rows->n))
            return ak_fail(ctx, AKIN_ESHAPE,
                           "%s of query %" PRId64 ": row %" PRId64
                           " does not exist (there are %" PRId64 " rows)",
                           what, query, rows[rows[0] < 0 ? 0 : n - 1],
                           r->rows->n);
    }
    return AKIN_OK;
}

static akin_status check_queries(const retrieval *r, akin_ctx *ctx)
{
    for (int64_t t = 0; t < r->count; ++t) {
        const int64_t i = query_row(r, t);
        if (i < 0 || i >= r->queries->n)
            return ak_fail(ctx, AKIN_ESHAPE,
                           "query row %" PRId64
                           " does not exist (there are %" PRId64 " rows)",
                           i, r->queries->n);
    }
    return AKIN_OK;
}

static akin_status sort_by_label(retrieval *r, akin_ctx *ctx)
{
    const akin_rows *rows = r->rows;
    label_rows *l = &r->labels;
    if (rows->label_offsets == NULL || r->queries->label_offsets == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the rows have no labels (list the relevant rows)");
    const int64_t n_labels = rows->n_label_names;
    AK_CHECK(AK_SCRATCH(ctx, n_labels + 2, &l->offsets));
    AK_CHECK(AK_SCRATCH(ctx, rows->label_offsets[rows->n], &l->rows));
    if (r->queries != rows)
        AK_CHECK(ak_rows_label_map(ctx, r->queries, rows, &l->map));
    for (int64_t k = 0; k < rows->label_offsets[rows->n]; ++k)
        ++l->offsets[rows->labels[k] + 2];
    for (int64_t k = 2; k <= n_labels; ++k)
        l->offsets[k + 1] += l->offsets[k];
    for (int64_t i = 0; i < rows->n; ++i)  // offsets[k + 1] grows to its end
        for (int64_t k = rows->label_offsets[i]; k < rows->label_offsets[i + 1];
             ++k)
            l->rows[l->offsets[rows->labels[k] + 1]++] = i;
    return AKIN_OK;
}

/* EINVAL, ESHAPE: what the options name is not there. Memory from scratch. */
static akin_status relevant_begin(retrieval *r, akin_ctx *ctx)
{
    AK_CHECK(check_queries(r, ctx));
    AK_CHECK(check_list(r, ctx, r->o.relevant, "relevant rows"));
    AK_CHECK(check_list(r, ctx, r->o.ignore, "ignored rows"));
    AK_CHECK(check_list(r, ctx, r->o.like, "examples"));
    if (r->o.relevant == NULL)
        AK_CHECK(sort_by_label(r, ctx));
    return AKIN_OK;
}

static int64_t add_rows(const int64_t *rows, int64_t n, unsigned char *flags,
                        ak_hit *hits, int64_t count)
{
    for (int64_t k = 0; k < n; ++k)
        if (flags[rows[k]] == AK_WRONG) {
            flags[rows[k]] = AK_RELEVANT;
            hits[count++].row = rows[k];
        }
    return count;
}

static int64_t add_labelled(const retrieval *r, int64_t query,
                            unsigned char *flags, ak_hit *hits)
{
    const label_rows *l = &r->labels;
    const int32_t *mine;
    const int64_t n = akin_rows_labels(&mine, r->queries, query);
    int64_t count = 0;
    for (int64_t k = 0; k < n; ++k) {
        const int32_t label = l->map ? l->map[mine[k]] : mine[k];
        if (label >= 0)
            count = add_rows(l->rows + l->offsets[label],
                             l->offsets[label + 1] - l->offsets[label], flags,
                             hits, count);
    }
    return count;
}

/* Flags of all rows for query t, and the relevant ones among those that are
 * not left out, scores not set; returns how many. */
static int64_t find_relevant(const retrieval *r, int64_t t,
                             unsigned char *flags, ak_hit *hits)
{
    const int64_t query = query_row(r, t);
    const bool among = r->queries == r->rows;
    const int64_t *rows;
    memset(flags, AK_WRONG, (size_t)r->rows->n);
    for (int64_t i = 0; r->o.exclude && i < r->rows->n; ++i)
        if (r->o.exclude[i])
            flags[i] = AK_LEFT_OUT;
    const int64_t n_ignored =
        r->o.ignore ? akin_lists_get(&rows, r->o.ignore, query) : 0;
    for (int64_t k = 0; k < n_ignored; ++k)
        flags[rows[k]] = AK_LEFT_OUT;
    if (r->o.relevant == NULL) {
        if (among)
            flags[query] = AK_LEFT_OUT;
        return add_labelled(r, query, flags, hits);
    }
    const int64_t n = akin_lists_get(&rows, r->o.relevant, query);
    const int64_t count = add_rows(rows, n, flags, hits, 0);
    if (among && flags[query] != AK_RELEVANT)
        flags[query] = AK_LEFT_OUT;
    return count;
}

/* ---- queries by several examples ---- */

/* The sum of some rows, in double, and the columns that it has. */
typedef struct sum {
    double *value;         // d
    unsigned char *there;  // d
    int32_t *cols;         // d
    int64_t n, d;
} sum;

static void add_row(sum *s, const akin_rows *rows, int64_t i)
{
    const ak_row row = ak_row_of(rows, i);
    for (int64_t k = 0; k < row.n; ++k) {
        const int64_t j = ak_row_col(&row, k);
        if (!s->there[j]) {
            s->there[j] = 1;
            s->cols[s->n++] = (int32_t)j;
        }
        s->value[j] += (double)row.vals[k];
    }
}

/* Adds up query t and its examples; returns how many rows that were. */
static double add_query(sum *s, const retrieval *r, int64_t t)
{
    const int64_t *rows, query = query_row(r, t);
    const int64_t n = akin_lists_get(&rows, r->o.like, query);
    add_row(s, r->queries, query);
    for (int64_t k = 0; k < n; ++k)
        add_row(s, r->rows, rows[k]);
    return (double)(n + 1);
}

static int by_column(const void *left, const void *right)
{
    const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

/* Moves the mean to the end of a sparse row, and clears the sum. */
static int64_t take_sparse(sum *s, double count, akin_rows *to, int64_t at)
{
    if (s->n > 0)
        qsort(s->cols, (size_t)s->n, sizeof *s->cols, by_column);
    for (int64_t k = 0; k < s->n; ++k) {
        const int32_t j = s->cols[k];
        const float mean = (float)(s->value[j] / count);
        if (mean != 0.0f) {
            to->cols[at] = j;
            to->vals[at++] = mean;
        }
        s->value[j] = 0.0;
        s->there[j] = 0;
    }
    s->n = 0;
    return at;
}

static void take_dense(sum *s, double count, float *to)
{
    for (int64_t k = 0; k < s->n; ++k) {
        const int32_t j = s->cols[k];
        to[j] = (float)(s->value[j] / count);
        s->value[j] = 0.0;
        s->there[j] = 0;
    }
    s->n = 0;
}

/* Entries of all means together, at most. */
static int64_t count_entries(const retrieval *r)
{
    int64_t n = 0;
    for (int64_t t = 0; t < r->count; ++t) {
        const int64_t *rows, query = query_row(r, t);
        const int64_t n_rows = akin_lists_get(&rows, r->o.like, query);
        n += ak_row_of(r->queries, query).n;
        for (int64_t k = 0; k < n_rows; ++k)
            n += ak_row_of(r->rows, rows[k]).n;
    }
    return n;
}

static akin_status take_memory(akin_rows *q, akin_ctx *ctx, const retrieval *r,
                               bool sparse)
{
    int64_t n = 0;
    if (sparse) {
        n = count_entries(r);
        AK_CHECK(AK_NEW(ctx, q->n + 1, &q->offsets));
        AK_CHECK(AK_NEW(ctx, n, &q->cols));
    } else if (!ak_mul_i64(q->n, q->d, &n)) {
        return ak_nomem(ctx, SIZE_MAX);
    }
    return AK_NEW(ctx, n, &q->vals);
}

/* Rows in the place of the queries: query t is the mean of its own row and
 * those that o.like lists. */
static akin_status mean_queries(akin_rows **out, akin_ctx *ctx,
                                const retrieval *r)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const bool sparse = r->rows->offsets && r->queries->offsets;
    sum s = {.d = ak_max_i64(r->rows->d, r->queries->d)};
    akin_rows *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s.d, &s.value));
    AK_TRY(AK_SCRATCH(ctx, s.d, &s.there));
    AK_TRY(AK_SCRATCH(ctx, s.d, &s.cols));
    AK_TRY(ak_rows_new(&q, ctx, r->count, s.d));
    AK_TRY(take_memory(q, ctx, r, sparse));
    for (int64_t t = 0; t < r->count; ++t) {
        const double count = add_query(&s, r, t);
        if (sparse)
            q->offsets[t + 1] = take_sparse(&s, count, q, q->offsets[t]);
        else
            take_dense(&s, count, q->vals + t * q->d);
    }
    *out = q;
    q = NULL;
done:
    akin_rows_free(q);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- the measures ---- */

/* What one worker needs for one query. */
typedef struct workspace {
    unsigned char *flags;            // n
    ak_hit *hits;                    // n
    int64_t *ranks;                  // n
    int64_t found[AKIN_PRECISIONS];  // relevant rows up to each cut, summed
} workspace;

typedef struct evaluation {
    retrieval r;
    workspace *workers;
    double *ap;     // of each query
    double *first;  // is the nearest row relevant to it? NULL: not asked
} evaluation;

static akin_status measure(void *arg, int64_t t, const double *scores,
                           int64_t worker)
{
    const evaluation *m = arg;
    workspace *d = &m->workers[worker];
    const int64_t n = find_relevant(&m->r, t, d->flags, d->hits);
    for (int64_t k = 0; k < n; ++k)
        d->hits[k].score = scores[d->hits[k].row];
    ak_ranks(scores, d->flags, m->r.rows->n, d->hits, n, d->ranks);
    for (int64_t c = 0; c < AKIN_PRECISIONS; ++c)
        for (int64_t k = 0; k < n && d->ranks[k] <= cuts[c]; ++k)
            ++d->found[c];
    m->ap[t] = akin_average_precision(d->ranks, n, n, m->r.o.trapezoid != 0);
    if (m->first != NULL)
        m->first[t] = n > 0 ? (double)(d->ranks[0] == 1) : NAN;
    return AKIN_OK;
}

/* The relevant rows up to each cut, of all workers of all ranks. */
static akin_status sum_found(int64_t *found, akin_ctx *ctx, const evaluation *m,
                             int64_t n_workers)
{
    const size_t size = AKIN_PRECISIONS * sizeof *found;
    unsigned char *all;
    const size_t *offsets;
    memset(found, 0, size);
    for (int64_t w = 0; w < n_workers; ++w)
        for (int64_t c = 0; c < AKIN_PRECISIONS; ++c)
            found[c] += m->workers[w].found[c];
    AK_CHECK(ak_comm_collect(ctx, found, size, &all, &offsets));
    memset(found, 0, size);
    for (int64_t r = 0; r < akin_ctx_ranks(ctx); ++r)
        for (int64_t c = 0; c < AKIN_PRECISIONS; ++c) {
            int64_t of_rank;
            memcpy(&of_rank, all + offsets[r] + (size_t)c * sizeof of_rank,
                   sizeof of_rank);
            found[c] += of_rank;
        }
    return AKIN_OK;
}

/* Sums over queries in their order. */
static void sum_up(akin_retrieval *out, const evaluation *m,
                   const int64_t *found)
{
    *out = (akin_retrieval){.rows = m->r.rows->n};
    for (int64_t i = 0; m->r.o.exclude && i < m->r.rows->n; ++i)
        out->rows -= m->r.o.exclude[i] != 0;
    for (int64_t t = 0; t < m->r.count; ++t) {
        if (isnan(m->ap[t])) {
            ++out->skipped;
            continue;
        }
        ++out->queries;
        out->map += m->ap[t];
    }
    const double queries = (double)out->queries;
    out->map = out->queries ? out->map / queries : NAN;
    for (int64_t c = 0; c < AKIN_PRECISIONS; ++c)
        out->precision_at[c] =
            out->queries ? (double)found[c] / (queries * (double)cuts[c]) : NAN;
}

static akin_status make_workers(evaluation *m, akin_ctx *ctx, int64_t n_workers)
{
    const int64_t n = m->r.rows->n;
    AK_CHECK(AK_SCRATCH(ctx, n_workers, &m->workers));
    for (int64_t w = 0; w < n_workers; ++w) {
        AK_CHECK(AK_SCRATCH(ctx, n, &m->workers[w].flags));
        AK_CHECK(AK_SCRATCH(ctx, n, &m->workers[w].hits));
        AK_CHECK(AK_SCRATCH(ctx, n, &m->workers[w].ranks));
    }
    return AKIN_OK;
}

static akin_status set_queries(retrieval *r, akin_ctx *ctx,
                               const akin_rows *rows,
                               const akin_retrieval_options *o)
{
    r->o = (akin_retrieval_options)AKIN_RETRIEVAL_DEFAULTS;
    ak_options_take(&r->o, sizeof r->o, o);
    if (r->o.queries && r->o.query_rows)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`queries` and `query_rows` exclude each other");
    r->rows = rows;
    r->queries = r->o.queries ? r->o.queries : rows;
    r->count = r->o.query_rows ? r->o.n_query_rows : r->queries->n;
    return AKIN_OK;
}

akin_status ak_eval_queries(akin_retrieval *out, double *ap, double *first,
                            akin_ctx *ctx, const akin_model *m,
                            const akin_rows *rows,
                            const akin_retrieval_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n_workers = ak_workers(ctx);
    int64_t found[AKIN_PRECISIONS];
    evaluation all = {.ap = ap, .first = first};
    akin_rows *like = NULL;
    ak_queries queries;
    akin_status st = AKIN_OK;
    AK_TRY(set_queries(&all.r, ctx, rows, o));
    AK_TRY(relevant_begin(&all.r, ctx));
    AK_TRY(make_workers(&all, ctx, n_workers));
    if (ap == NULL)
        AK_TRY(AK_SCRATCH(ctx, all.r.count, &all.ap));
    queries = (ak_queries){all.r.queries, all.r.o.query_rows, all.r.count};
    if (all.r.o.like) {
        AK_TRY(mean_queries(&like, ctx, &all.r));
        queries = (ak_queries){like, NULL, all.r.count};
    }
    const ak_comm_array results[] = {{all.ap, sizeof *all.ap},
                                     {all.first, sizeof *all.first}};
    AK_TRY(ak_scan(ctx, m, queries, rows, all.r.o.by, measure, &all, results,
                   first != NULL ? 2 : 1));
    AK_TRY(sum_found(found, ctx, &all, n_workers));
    sum_up(out, &all, found);
done:
    akin_rows_free(like);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_eval_retrieval(akin_retrieval *out, double *ap, akin_ctx *ctx,
                                const akin_model *m, const akin_rows *rows,
                                const akin_retrieval_options *o)
{
    return ak_eval_queries(out, ap, NULL, ctx, m, rows, o);
}
