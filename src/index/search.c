/* One search: queries made ready, rows that are not to be found, results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "index/index.h"
#include "model/walk.h"

void ak_wanted_flag(const ak_wanted *w, int64_t t, unsigned char *flags,
                    unsigned char value)
{
    const int64_t *rows;
    const int64_t n = w->ignore ? akin_lists_get(w->ignore, t, &rows) : 0;
    for (int64_t k = 0; k < n; ++k)
        flags[rows[k]] = value;
    for (int64_t k = 0; k < w->n_hidden; ++k)
        flags[w->hidden[k]] = value;
}

void ak_wanted_give(const ak_wanted *w, int64_t t, const ak_hit *hits,
                    int64_t count)
{
    for (int64_t k = 0; k < w->stride; ++k) {
        const bool there = k < count;
        w->rows[t * w->stride + k] = there ? hits[k].row : -1;
        w->scores[t * w->stride + k] = there ? hits[k].score : NAN;
    }
}

/* Of a query and its examples. */
typedef struct mean {
    double *value;         // d
    unsigned char *there;  // d
    int64_t d;
} mean;

static void add_row(mean *m, const akin_rows *rows, int64_t i, double by)
{
    const ak_row row = ak_row_of(rows, i);
    for (int64_t k = 0; k < row.n; ++k) {
        const int64_t j = ak_row_col(&row, k);
        m->value[j] += by * (double)row.vals[k];
        m->there[j] = 1;
    }
}

/* Entries of all queries together: no more than those of the parts. */
static int64_t entries(const akin_rows *queries, const akin_rows *examples,
                       int64_t n)
{
    int64_t all = 0, each = 0;
    for (int64_t k = 0; k < examples->n; ++k)
        each += ak_row_of(examples, k).n;
    for (int64_t t = 0; t < n; ++t)
        all += each + (queries ? ak_row_of(queries, t).n : 0);
    return all;
}

static akin_status new_queries(akin_rows **out, akin_ctx *ctx, int64_t n,
                               int64_t d, int64_t most, bool sparse)
{
    akin_rows *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_rows_new(&q, ctx, n, d));
    if (!sparse && !ak_mul_i64(n, d, &most))
        AK_TRY(ak_nomem(ctx, SIZE_MAX));
    if (sparse) {
        AK_TRY(AK_NEW(ctx, n + 1, &q->offsets));
        AK_TRY(AK_NEW(ctx, most, &q->cols));
    }
    AK_TRY(AK_NEW(ctx, most, &q->vals));
    *out = q;
    q = NULL;
done:
    akin_rows_free(q);
    return st;
}

/* Moves the mean to row t, and clears it. */
static void take_mean(mean *m, akin_rows *q, int64_t t)
{
    int64_t at = q->offsets ? q->offsets[t] : t * q->d;
    for (int64_t j = 0; j < m->d; ++j) {
        const float v = m->there[j] ? (float)m->value[j] : 0.0F;
        if (q->offsets == NULL)
            q->vals[at++] = v;
        else if (v != 0.0F) {
            q->cols[at] = (int32_t)j;
            q->vals[at++] = v;
        }
        m->value[j] = 0.0;
        m->there[j] = 0;
    }
    if (q->offsets)
        q->offsets[t + 1] = at;
}

/* Queries (NULL: none) joined with examples, of which the first `n_like` are
 * liked. */
static akin_status join(akin_rows **out, akin_ctx *ctx,
                        const akin_rows *queries, const akin_rows *examples,
                        int64_t n_like)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const bool sparse = examples->offsets && (!queries || queries->offsets);
    const int64_t n = queries ? queries->n : 1;
    const double liked = 1.0 / (double)(n_like + (queries != NULL));
    mean m = {.d = ak_max_i64(examples->d, queries ? queries->d : 0)};
    akin_rows *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, m.d, &m.value));
    AK_TRY(AK_SCRATCH(ctx, m.d, &m.there));
    AK_TRY(new_queries(&q, ctx, n, m.d, entries(queries, examples, n), sparse));
    for (int64_t t = 0; t < n; ++t) {
        if (queries)
            add_row(&m, queries, t, liked);
        for (int64_t k = 0; k < examples->n; ++k)
            add_row(&m, examples, k,
                    k < n_like ? liked : -0.5 / (double)(examples->n - n_like));
        take_mean(&m, q, t);
    }
    *out = q;
    q = NULL;
done:
    akin_rows_free(q);
    ak_scratch_end(ctx, mark);
    return st;
}

/* Lists rise: the last row is the largest. */
static akin_status check_ignored(const akin_index *x, akin_ctx *ctx,
                                 const akin_lists *lists, int64_t n_queries)
{
    for (int64_t t = 0; lists && t < n_queries; ++t) {
        const int64_t *rows;
        const int64_t n = akin_lists_get(lists, t, &rows);
        if (n > 0 && (rows[0] < 0 || rows[n - 1] >= x->n))
            return ak_fail(ctx, AKIN_ESHAPE,
                           "row %" PRId64 " is to be ignored (there are "
                           "%" PRId64 ")",
                           rows[n - 1], x->n);
    }
    return AKIN_OK;
}

static akin_status check(const akin_index *x, akin_ctx *ctx,
                         const akin_rows *queries, const akin_search_options *o)
{
    akin_status st = AKIN_OK;
    if (o->top < 1)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%" PRId64 " nearest rows are asked for", o->top));
    if (queries == NULL && o->n_like < 1)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "there is no query"));
    AK_TRY(ak_index_check_rows(x, ctx, o->like, o->n_like));
    AK_TRY(ak_index_check_rows(x, ctx, o->unlike, o->n_unlike));
    AK_TRY(check_ignored(x, ctx, o->ignore, queries ? queries->n : 1));
done:
    return st;
}

/* Raw queries as the kind takes them. */
static akin_status prepare(akin_rows **out, akin_ctx *ctx, const akin_index *x,
                           const akin_rows *queries, bool as_is)
{
    akin_rows *ready = NULL;
    akin_status st = AKIN_OK;
    if (!as_is)
        AK_TRY(akin_model_prepare(&ready, ctx, x->model, queries, AKIN_LEFT));
    else
        AK_TRY(ak_model_check_rows(x->model, ctx, queries, AKIN_LEFT));
    if (ak_index_embeds(x)) {
        AK_TRY(akin_model_embed(out, ctx, x->model, ready ? ready : queries,
                                AKIN_LEFT));
    } else {
        *out = ready;
        ready = NULL;
    }
done:
    akin_rows_free(ready);
    return st;
}

/* With examples. `hidden` gets them all, in the order of the flags. */
static akin_status with_examples(akin_rows **out, akin_ctx *ctx,
                                 const akin_index *x, const akin_rows *queries,
                                 const akin_search_options *o,
                                 const int64_t **hidden)
{
    akin_rows *examples = NULL;
    int64_t *rows;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, o->n_like + o->n_unlike, &rows));
    for (int64_t k = 0; k < o->n_like; ++k)
        rows[k] = o->like[k];
    for (int64_t k = 0; k < o->n_unlike; ++k)
        rows[o->n_like + k] = o->unlike[k];
    AK_TRY(x->kind->rows(x, ctx, rows, o->n_like + o->n_unlike, &examples));
    AK_TRY(join(out, ctx, queries, examples, o->n_like));
    *hidden = rows;
done:
    akin_rows_free(examples);
    return st;
}

static akin_status take_results(ak_wanted *w, akin_ctx *ctx, int64_t n)
{
    int64_t size = 0;
    akin_status st = AKIN_OK;
    if (!ak_mul_i64(n, w->stride, &size))
        return ak_nomem(ctx, SIZE_MAX);
    AK_TRY(AK_NEW(ctx, size, &w->rows));
    AK_TRY(AK_NEW(ctx, size, &w->scores));
done:
    return st;
}

akin_status akin_index_search(int64_t **rows, double **scores, akin_ctx *ctx,
                              const akin_index *x, const akin_rows *queries,
                              const akin_search_options *options)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_rows *ready = NULL, *joined = NULL;
    ak_wanted w = {0};
    akin_status st = AKIN_OK;
    ak_options_take(&o, sizeof o, options);
    AK_TRY(check(x, ctx, queries, &o));
    if (queries != NULL)
        AK_TRY(prepare(&ready, ctx, x, queries, o.as_is != 0));
    w = (ak_wanted){.queries = ready ? ready : queries,
                    .by = o.by == AKIN_BY_DEFAULT ? x->by : o.by,
                    .top = ak_min_i64(o.top, x->n),
                    .effort = o.effort,
                    .ignore = o.ignore,
                    .n_hidden = o.n_like + o.n_unlike,
                    .stride = o.top};
    if (w.n_hidden > 0) {
        AK_TRY(with_examples(&joined, ctx, x, w.queries, &o, &w.hidden));
        w.queries = joined;
    }
    AK_TRY(take_results(&w, ctx, w.queries->n));
    AK_TRY(x->kind->search(x, ctx, &w));
    *rows = w.rows;
    *scores = w.scores;
    w.rows = NULL;
    w.scores = NULL;
done:
    ak_release(ctx, w.rows);
    ak_release(ctx, w.scores);
    akin_rows_free(ready);
    akin_rows_free(joined);
    ak_scratch_end(ctx, mark);
    return st;
}
