/* A search: prepare queries, exclude rows, collect results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/mix.h"
#include "index/index.h"
#include "model/compare.h"

void ak_search_flag_excluded(const ak_search *w, int64_t t,
                             unsigned char *flags, unsigned char value)
{
    const int64_t *rows;
    const int64_t n = w->ignore ? akin_lists_get(&rows, w->ignore, t) : 0;
    const unsigned char *exclude = w->exclude;
    for (int64_t k = 0; k < n; ++k)
        flags[rows[k]] = exclude && exclude[rows[k]] ? 1 : value;
    for (int64_t k = 0; k < w->n_hidden; ++k)
        flags[w->hidden[k]] = exclude && exclude[w->hidden[k]] ? 1 : value;
}

void ak_search_store(const ak_search *w, int64_t t, const ak_hit *hits,
                     int64_t count)
{
    for (int64_t k = 0; k < w->stride; ++k) {
        const bool there = k < count;
        w->rows[t * w->stride + k] = there ? hits[k].row : -1;
        w->scores[t * w->stride + k] = there ? hits[k].score : NAN;
    }
}

akin_status ak_search_run(akin_ctx *ctx, const ak_search *w, int64_t block,
                          ak_block_fn fn, void *arg)
{
    const ak_comm_array results[] = {
        {w->rows, (size_t)w->stride * sizeof *w->rows},
        {w->scores, (size_t)w->stride * sizeof *w->scores}};
    const int64_t n = w->queries->n;
    /* Blocks may depend on the number of cores, the shares of ranks may not. */
    AK_CHECK(ak_comm_run(ctx, ak_comm_own(ctx, n, 1), block, fn, arg));
    return ak_comm_gather(ctx, n, 1, results, 2);
}

static int64_t count(const akin_rows *rows)
{
    return rows ? rows->n : 0;
}

/* Lists increase: the last row is the largest. */
static akin_status check_ignored(const akin_index *x, akin_ctx *ctx,
                                 const akin_lists *lists, int64_t n_queries)
{
    for (int64_t t = 0; lists && t < n_queries; ++t) {
        const int64_t *rows;
        const int64_t n = akin_lists_get(&rows, lists, t);
        if (n > 0 && (rows[0] < 0 || rows[n - 1] >= x->n))
            return ak_fail(ctx, AKIN_ESHAPE,
                           "row %" PRId64
                           " to ignore does not exist (the index has "
                           "%" PRId64 " rows)",
                           rows[n - 1], x->n);
    }
    return AKIN_OK;
}

static akin_status check(const akin_index *x, akin_ctx *ctx,
                         const akin_rows *queries, const akin_search_options *o)
{
    if (o->top < 1)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`top` is %" PRId64 " (must be at least 1)", o->top);
    if (queries == NULL && o->n_like < 1 && count(o->like_rows) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "there is no query");
    AK_CHECK(ak_index_check_rows(x, ctx, o->like, o->n_like));
    AK_CHECK(ak_index_check_rows(x, ctx, o->unlike, o->n_unlike));
    return check_ignored(x, ctx, o->ignore, queries ? queries->n : 1);
}

/* ---- queries and examples become one query ---- */

/* Raw queries in the form the kind takes. */
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
        AK_TRY(ak_model_embed(out, ctx, x->model, ready ? ready : queries,
                              AKIN_LEFT));
    } else {
        *out = ready;
        ready = NULL;
    }
done:
    akin_rows_free(ready);
    return st;
}

/* Examples in the form the kind takes. */
typedef struct examples {
    akin_rows *inside;  // rows of the index: positive ones first
    akin_rows *positive, *negative;
} examples;

static akin_status take_examples(examples *e, akin_ctx *ctx,
                                 const akin_index *x,
                                 const akin_search_options *o,
                                 const int64_t **hidden)
{
    const bool as_is = o->as_is != 0;
    int64_t *rows;
    AK_CHECK(AK_SCRATCH(ctx, o->n_like + o->n_unlike, &rows));
    for (int64_t k = 0; k < o->n_like; ++k)
        rows[k] = o->like[k];
    for (int64_t k = 0; k < o->n_unlike; ++k)
        rows[o->n_like + k] = o->unlike[k];
    *hidden = rows;
    if (o->n_like + o->n_unlike > 0)
        AK_CHECK(
            x->kind->rows(x, ctx, rows, o->n_like + o->n_unlike, &e->inside));
    if (count(o->like_rows) > 0)
        AK_CHECK(prepare(&e->positive, ctx, x, o->like_rows, as_is));
    if (count(o->unlike_rows) > 0)
        AK_CHECK(prepare(&e->negative, ctx, x, o->unlike_rows, as_is));
    return AKIN_OK;
}

/* With examples. `hidden` gets those of the index. */
static akin_status with_examples(akin_rows **out, akin_ctx *ctx,
                                 const akin_index *x, const akin_rows *queries,
                                 const akin_search_options *o,
                                 const int64_t **hidden)
{
    const int64_t n_positive = o->n_like + count(o->like_rows) +
                               (queries != NULL);
    const int64_t n_negative = o->n_unlike + count(o->unlike_rows);
    const double to = 1.0 / (double)n_positive,
                 from = -0.5 / (double)n_negative;
    examples e = {0};
    akin_status st = AKIN_OK;
    AK_TRY(take_examples(&e, ctx, x, o, hidden));
    const ak_share shares[] = {
        {e.inside, 0, o->n_like, to},
        {e.inside, o->n_like, o->n_unlike, from},
        {e.positive, 0, count(o->like_rows), to},
        {e.negative, 0, count(o->unlike_rows), from},
    };
    AK_TRY(ak_rows_mix(out, ctx, queries, to, shares, 4));
done:
    akin_rows_free(e.inside);
    akin_rows_free(e.positive);
    akin_rows_free(e.negative);
    return st;
}

static int64_t count_excluded(const akin_index *x, const unsigned char *flags)
{
    int64_t n = 0;
    for (int64_t i = 0; flags && i < x->n; ++i)
        n += flags[i] && !x->gone[i];
    return n;
}

static akin_status take_results(ak_search *w, akin_ctx *ctx, int64_t n)
{
    int64_t size = 0;
    if (!ak_mul_i64(n, w->stride, &size))
        return ak_nomem(ctx, SIZE_MAX);
    AK_CHECK(AK_NEW(ctx, size, &w->rows));
    return AK_NEW(ctx, size, &w->scores);
}

akin_status akin_index_search(int64_t **rows, double **scores, akin_ctx *ctx,
                              const akin_index *x, const akin_rows *queries,
                              const akin_search_options *options)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_rows *ready = NULL, *joined = NULL;
    ak_search w = {0};
    akin_status st = AKIN_OK;
    ak_options_take(&o, sizeof o, options);
    AK_TRY(check(x, ctx, queries, &o));
    if (queries != NULL)
        AK_TRY(prepare(&ready, ctx, x, queries, o.as_is != 0));
    w = (ak_search){.queries = ready ? ready : queries,
                    .by = o.by == AKIN_BY_DEFAULT ? x->by : o.by,
                    .top = ak_min_i64(o.top, x->n),
                    .effort = o.effort,
                    .approximate = o.approximate != 0,
                    .ignore = o.ignore,
                    .n_hidden = o.n_like + o.n_unlike,
                    .exclude = o.exclude,
                    .n_exclude = count_excluded(x, o.exclude),
                    .stride = o.top};
    if (w.n_hidden + count(o.like_rows) + count(o.unlike_rows) > 0) {
        AK_TRY(with_examples(&joined, ctx, x, w.queries, &o, &w.hidden));
        w.queries = joined;
    }
    AK_TRY(take_results(&w, ctx, w.queries->n));
    AK_TRY(x->kind->search(x, ctx, &w));
    AK_TRY(ak_tensors_check_file(x->file, ctx));
    *rows = w.rows;
    *scores = w.scores;
    w.rows = NULL;
    w.scores = NULL;
done:
    akin_free(w.rows);
    akin_free(w.scores);
    akin_rows_free(ready);
    akin_rows_free(joined);
    ak_scratch_end(ctx, mark);
    return st;
}
