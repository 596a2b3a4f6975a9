/* One search: queries made ready, rows that are not to be found, results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "index/index.h"
#include "index/join.h"

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

static int64_t count(const akin_rows *rows)
{
    return rows ? rows->n : 0;
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
    if (queries == NULL && o->n_like < 1 && count(o->like_rows) == 0)
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

/* Examples, as the kind takes them. */
typedef struct examples {
    akin_rows *inside;  // rows of the index: those liked first
    akin_rows *liked, *unliked;
} examples;

static akin_status take_examples(examples *e, akin_ctx *ctx,
                                 const akin_index *x,
                                 const akin_search_options *o,
                                 const int64_t **hidden)
{
    const bool as_is = o->as_is != 0;
    int64_t *rows;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, o->n_like + o->n_unlike, &rows));
    for (int64_t k = 0; k < o->n_like; ++k)
        rows[k] = o->like[k];
    for (int64_t k = 0; k < o->n_unlike; ++k)
        rows[o->n_like + k] = o->unlike[k];
    *hidden = rows;
    if (o->n_like + o->n_unlike > 0)
        AK_TRY(
            x->kind->rows(x, ctx, rows, o->n_like + o->n_unlike, &e->inside));
    if (count(o->like_rows) > 0)
        AK_TRY(prepare(&e->liked, ctx, x, o->like_rows, as_is));
    if (count(o->unlike_rows) > 0)
        AK_TRY(prepare(&e->unliked, ctx, x, o->unlike_rows, as_is));
done:
    return st;
}

/* With examples. `hidden` gets those of the index. */
static akin_status with_examples(akin_rows **out, akin_ctx *ctx,
                                 const akin_index *x, const akin_rows *queries,
                                 const akin_search_options *o,
                                 const int64_t **hidden)
{
    const int64_t liked = o->n_like + count(o->like_rows) + (queries != NULL);
    const int64_t unliked = o->n_unlike + count(o->unlike_rows);
    const double to = 1.0 / (double)liked, from = -0.5 / (double)unliked;
    examples e = {0};
    akin_status st = AKIN_OK;
    AK_TRY(take_examples(&e, ctx, x, o, hidden));
    const ak_share shares[] = {
        {e.inside, 0, o->n_like, to},
        {e.inside, o->n_like, o->n_unlike, from},
        {e.liked, 0, count(o->like_rows), to},
        {e.unliked, 0, count(o->unlike_rows), from},
    };
    AK_TRY(ak_join(out, ctx, queries, to, shares, 4));
done:
    akin_rows_free(e.inside);
    akin_rows_free(e.liked);
    akin_rows_free(e.unliked);
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
    if (w.n_hidden + count(o.like_rows) + count(o.unlike_rows) > 0) {
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
