/* A search: examples become part of the query, every segment is searched, and
 * the results are merged. */
#include <akin/feedback.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collection/collection.h"
#include "collection/derive.h"
#include "collection/feedback/events.h"
#include "collection/where.h"
#include "data/io/row_builder.h"

typedef struct finding {
    akin_ctx *ctx;
    akin_collection *c;
    akin_find_options o;
    const akin_rows *queries;  // NULL: examples alone
    int64_t n;                 // queries
    akin_rows *like, *unlike;  // raw rows of all examples
    akin_rows *ready;          // queries with examples, prepared
    int64_t *hidden;           // examples of the collection, by id
    int64_t n_hidden;
    ak_said *said;        // of each query, by earlier events; NULL: nothing
    unsigned char *pass;  // by id: the condition lets it through; NULL: none
    int64_t n_pass;
    int64_t *rows;  // n x top: ids at first
    double *scores;
} finding;

/* ---- queries ---- */

/* Terms that came later than the model are none of its columns: rows of the
 * collection without them. *out stays NULL where there are none. */
static akin_status cut_columns(akin_rows **out, akin_ctx *ctx,
                               const akin_rows *rows, const ak_space *space)
{
    ak_row_builder b = {0};
    akin_status st = AKIN_OK;
    if (rows == NULL || rows->offsets == NULL || rows->d <= space->dim ||
        space->form != AK_FORM_SPARSE)
        return AKIN_OK;
    AK_TRY(ak_row_builder_begin(&b, ctx, true));
    for (int64_t i = 0; i < rows->n; ++i) {
        const ak_sparse row = ak_rows_sparse(rows, i);
        AK_TRY(ak_row_builder_room(&b, ctx, row.n));
        for (int64_t k = 0; k < row.n && row.cols[k] < space->dim; ++k) {
            b.rows->cols[b.n_vals] = row.cols[k];
            b.rows->vals[b.n_vals++] = row.vals[k];
        }
        ak_row_builder_row(&b, -1);
    }
    AK_TRY(ak_row_builder_end(&b, ctx, out));
    (*out)->d = space->dim;
done:
    ak_row_builder_drop(&b);
    return st;
}

/* ---- examples ---- */

/* Rows of the collection, and others after them; items of another kind than the
 * queries are left out. */
static akin_status gather(const finding *f, const int64_t *ids, int64_t n,
                          const akin_rows *others, akin_rows **out)
{
    const akin_rows *parts[2] = {NULL, others};
    akin_rows *inside = NULL;
    akin_status st = AKIN_OK;
    *out = NULL;
    if (n > 0)
        AK_TRY(ak_derive_some(&inside, f->ctx, &f->c->catalog,
                              &f->c->version.left, ids, n));
    parts[0] = inside;
    if (inside != NULL && others == NULL) {
        *out = inside;
        inside = NULL;
    } else if (others != NULL)
        AK_TRY(ak_rows_join(out, f->ctx, parts, 2));
done:
    akin_rows_free(inside);
    return st;
}

static akin_status take_examples(finding *f)
{
    const akin_find_options *o = &f->o;
    const akin_collection *c = f->c;
    int64_t *ids;
    AK_CHECK(AK_SCRATCH(f->ctx, o->n_like + o->n_unlike, &ids));
    for (int64_t k = 0; k < o->n_like; ++k)
        ids[k] = ak_collection_id(c, o->like[k]);
    for (int64_t k = 0; k < o->n_unlike; ++k)
        ids[o->n_like + k] = ak_collection_id(c, o->unlike[k]);
    f->hidden = ids;
    f->n_hidden = o->n_like + o->n_unlike;
    AK_CHECK(gather(f, ids, o->n_like, o->like_rows, &f->like));
    if (o->n_like > 0 && f->like == NULL)
        return ak_fail(f->ctx, AKIN_EINVAL,
                       "%s: item %" PRId64 " is not of the kind that is "
                       "searched by (it has no %s)",
                       c->catalog.folder, ids[0], c->version.left.name);
    return gather(f, ids + o->n_like, o->n_unlike, o->unlike_rows, &f->unlike);
}

/* Is a query of another kind than what it finds? */
static bool has_two_kinds(const akin_collection *c)
{
    return c->version.left.id != c->version.right.id;
}

/* What events say of the queries: of rows from outside, or of the one item that
 * is the query. Answers of another kind are no examples. */
static akin_status take_said(finding *f)
{
    const akin_find_options *o = &f->o;
    const bool none = o->feedback && strcmp(o->feedback, "none") == 0;
    const bool is_item = f->queries == NULL && o->n_like == 1 &&
                         o->like_rows == NULL;
    const ak_catalog *c = &f->c->catalog;
    int64_t events;
    AK_CHECK(ak_sql_number(&c->sql, f->ctx,
                           "SELECT EXISTS(SELECT 1 FROM events)", &events));
    if (events == 0 || none || o->as_is || has_two_kinds(f->c) ||
        (f->queries == NULL && !is_item))
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(f->ctx, f->n, &f->said));
    if (is_item)
        return ak_said_of_item(f->said, f->ctx, c, f->hidden[0], o->user);
    for (int64_t t = 0; t < f->n; ++t)
        AK_CHECK(ak_said_of_row(&f->said[t], f->ctx, c, &f->c->version.left,
                                f->queries, t, o->user));
    return AKIN_OK;
}

/* Rows that stand for the whole collection, evenly spread over it: so many, or
 * fewer where the collection is large and time is short. */
enum { BACKGROUND = 1000, LARGE = 100000, FEWER = 100, METHOD_SIZE = 32 };

static int64_t spread_found(const akin_collection *c, int64_t *ids)
{
    int64_t total = 0, n = 0;
    for (int64_t i = 0; i < c->n_segments; ++i)
        total += c->segments[i].n;
    const int64_t most = total > LARGE ? FEWER : BACKGROUND;
    const int64_t step = ak_max_i64(1, total / most);
    int64_t at = step / 2;
    for (int64_t i = 0; i < c->n_segments; ++i) {
        const ak_segment *s = &c->segments[i];
        for (; at < s->n && n < most; at += step)
            if (s->dead == NULL || !s->dead[at])
                ids[n++] = s->ids[at];
        at -= s->n;
    }
    return n;
}

/* Items of the kind of queries, which no segment has. */
static akin_status spread_asked(const akin_collection *c, akin_ctx *ctx,
                                int64_t *ids, int64_t *n)
{
    sqlite3_stmt *q = NULL;
    int64_t total, at = 0;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_space_count(&c->catalog, ctx, &c->version.left, &total));
    const int64_t step = ak_max_i64(1, total / BACKGROUND);
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q,
                      "SELECT key / ?1 FROM features WHERE key % ?1 = ?2 ORDER "
                      "BY key",
                      "ii", (int64_t)AK_MOST_SPACES, c->version.left.id));
    for (*n = 0; *n < BACKGROUND; ++at) {
        AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &row));
        if (!row)
            break;
        if (at % step == step / 2)
            ids[(*n)++] = sqlite3_column_int64(q, 0);
    }
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status load_background(akin_collection *c, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *ids, n = 0;
    akin_status st = AKIN_OK;
    if (c->background != NULL)
        return AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, BACKGROUND, &ids));
    if (has_two_kinds(c))
        AK_TRY(spread_asked(c, ctx, ids, &n));
    else
        n = spread_found(c, ids);
    AK_TRY(ak_derive_items(&c->background, ctx, &c->catalog, &c->version.left,
                           ids, n));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Rows in the form that the queries have. */
static akin_status prepare_example(const finding *f, akin_rows **rows)
{
    akin_rows *ready = NULL;
    if (*rows == NULL || !f->o.as_is)
        return AKIN_OK;
    AK_CHECK(akin_model_prepare(&ready, f->ctx,
                                akin_index_model(f->c->segments[0].x), *rows,
                                AKIN_LEFT));
    akin_rows_free(*rows);
    *rows = ready;
    return AKIN_OK;
}

static akin_status search_all(finding *f);

/* The first answers to a query, as examples. */
static akin_status find_answers(void *user, akin_ctx *ctx,
                                const akin_rows *query, int64_t top,
                                akin_rows **found)
{
    const finding *outer = user;
    finding f = {.ctx = ctx,
                 .c = outer->c,
                 .o = outer->o,
                 .queries = query,
                 .n = 1,
                 .hidden = outer->hidden,
                 .n_hidden = outer->n_hidden};
    int64_t n = 0;
    akin_status st = AKIN_OK;
    f.o.top = top;
    f.o.as_is = 1;
    f.o.ignore = NULL;
    AK_TRY(search_all(&f));
    while (n < top && f.rows[n] >= 0)
        ++n;
    if (n > 0)
        AK_TRY(ak_derive_items(found, ctx, &f.c->catalog, &f.c->version.left,
                               f.rows, n));
    if (n > 0)
        AK_TRY(prepare_example(outer, found));
done:
    akin_free(f.rows);
    akin_free(f.scores);
    return st;
}

/* Examples of query t: those of all queries, and what events say of it. */
typedef struct examples {
    akin_rows *good, *bad;
    int64_t *hidden;  // to the search for its first answers
    int64_t n_hidden;
} examples;

static akin_status examples_of(const finding *f, int64_t t, examples *e)
{
    const ak_said none = {0}, *s = f->said ? &f->said[t] : &none;
    AK_CHECK(
        AK_SCRATCH(f->ctx, f->n_hidden + s->n_good + s->n_bad, &e->hidden));
    for (int64_t k = 0; k < f->n_hidden; ++k)
        e->hidden[e->n_hidden++] = f->hidden[k];
    for (int64_t k = 0; k < s->n_good; ++k)
        e->hidden[e->n_hidden++] = s->good[k];
    for (int64_t k = 0; k < s->n_bad; ++k)
        e->hidden[e->n_hidden++] = s->bad[k];
    if (s->n_good > 0)
        AK_CHECK(gather(f, s->good, s->n_good, f->like, &e->good));
    if (s->n_bad > 0)
        AK_CHECK(gather(f, s->bad, s->n_bad, f->unlike, &e->bad));
    return AKIN_OK;
}

/* The method that was asked for; or what held-out events say. */
static akin_status method_of(const finding *f, char method[METHOD_SIZE])
{
    const char *asked = f->o.feedback ? f->o.feedback : "auto";
    if (strcmp(asked, "auto") == 0)
        AK_CHECK(ak_catalog_get(&f->c->catalog, f->ctx, ak_setting_feedback,
                                method, METHOD_SIZE));
    else
        snprintf(method, METHOD_SIZE, "%s", asked);
    if (method[0] == '\0')
        strcpy(method, "auto");
    return AKIN_OK;
}

/* Query t and the examples as one prepared row. */
static akin_status combine(finding *f, int64_t t, akin_rows **out)
{
    finding inner = *f;
    examples e = {0};
    char method[METHOD_SIZE];
    akin_feedback said = AKIN_FEEDBACK_INIT;
    akin_feedback_options o = AKIN_FEEDBACK_DEFAULTS;
    akin_rows *query = NULL, *background = NULL;
    akin_status st = AKIN_OK;
    if (f->queries != NULL)
        AK_TRY(akin_rows_select(&query, f->ctx, f->queries, &t, 1));
    AK_TRY(load_background(f->c, f->ctx));
    if (f->o.as_is) {
        const int64_t n = f->c->background->n;
        int64_t all[BACKGROUND];
        for (int64_t i = 0; i < n; ++i)
            all[i] = i;
        AK_TRY(akin_rows_select(&background, f->ctx, f->c->background, all, n));
        AK_TRY(prepare_example(f, &background));
    }
    AK_TRY(examples_of(f, t, &e));
    inner.hidden = e.hidden;
    inner.n_hidden = e.n_hidden;
    said.query = query;
    said.good = e.good ? e.good : f->like;
    said.bad = e.bad ? e.bad : f->unlike;
    said.background = background ? background : f->c->background;
    AK_TRY(method_of(f, method));
    o.method = method;
    o.by = f->o.by;
    o.as_is = f->o.as_is;
    if (!has_two_kinds(f->c)) {
        o.search = find_answers;
        o.search_user = &inner;
    }
    AK_TRY(akin_feedback_query(out, f->ctx, &said,
                               akin_index_model(f->c->segments[0].x), &o));
done:
    akin_rows_free(e.good);
    akin_rows_free(e.bad);
    akin_rows_free(query);
    akin_rows_free(background);
    return st;
}

static bool has_examples(const finding *f)
{
    if (f->like != NULL || f->unlike != NULL)
        return true;
    for (int64_t t = 0; f->said != NULL && t < f->n; ++t)
        if (f->said[t].n_good + f->said[t].n_bad > 0)
            return true;
    return false;
}

/* All queries with the examples. */
static akin_status combine_all(finding *f)
{
    const ak_mark mark = ak_scratch_begin(f->ctx);
    akin_rows **parts = NULL;
    akin_status st = AKIN_OK;
    if (!has_examples(f) || f->c->n_segments == 0)
        return AKIN_OK;
    AK_TRY(prepare_example(f, &f->like));
    AK_TRY(prepare_example(f, &f->unlike));
    AK_TRY(AK_SCRATCH(f->ctx, f->n, &parts));
    for (int64_t t = 0; t < f->n; ++t)
        AK_TRY(combine(f, t, &parts[t]));
    AK_TRY(
        ak_rows_join(&f->ready, f->ctx, (const akin_rows *const *)parts, f->n));
    f->queries = f->ready;
    f->o.as_is = 1;
done:
    for (int64_t t = 0; parts != NULL && t < f->n; ++t)
        akin_rows_free(parts[t]);
    ak_scratch_end(f->ctx, mark);
    return st;
}

/* ---- one segment ---- */

/* The place of an item in a segment, -1: it is in another. */
static int64_t place_of(const ak_segment *s, int64_t id)
{
    int64_t low = 0, high = s->n;
    while (low < high) {
        const int64_t k = (low + high) / 2;
        if (s->ids[k] < id)
            low = k + 1;
        else
            high = k;
    }
    return low < s->n && s->ids[low] == id ? low : -1;
}

/* Which rows of the segment are gone, or fail the condition; NULL: none. */
static akin_status excluded(const finding *f, const ak_segment *s,
                            const unsigned char **out)
{
    unsigned char *flags;
    *out = s->dead;
    if (f->pass == NULL)
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(f->ctx, s->n, &flags));
    for (int64_t i = 0; i < s->n; ++i)
        flags[i] = (s->dead != NULL && s->dead[i]) || s->ids[i] >= f->n_pass ||
                   !f->pass[s->ids[i]];
    *out = flags;
    return AKIN_OK;
}

/* What a query does not find, as rows of the segment: rows of the collection to
 * ignore, examples, and what was bad. */
typedef struct ignoring {
    const ak_segment *s;
    int64_t *pairs, n;
} ignoring;

static void ignore_item(ignoring *g, int64_t t, int64_t id)
{
    const int64_t at = place_of(g->s, id);
    g->pairs[2 * g->n] = t;
    g->pairs[2 * g->n + 1] = at;
    g->n += at >= 0;
}

static int64_t count_ignored(const finding *f)
{
    const int64_t *rows;
    int64_t n = f->n * f->n_hidden;
    for (int64_t t = 0; t < f->n; ++t) {
        n += f->o.ignore ? akin_lists_get(&rows, f->o.ignore, t) : 0;
        n += f->said ? f->said[t].n_bad : 0;
    }
    return n;
}

static akin_status ignored(const finding *f, const ak_segment *s,
                           akin_lists **out)
{
    const ak_mark mark = ak_scratch_begin(f->ctx);
    const int64_t most = count_ignored(f), *rows;
    ignoring g = {.s = s};
    akin_status st = AKIN_OK;
    *out = NULL;
    if (most == 0)
        return AKIN_OK;
    AK_TRY(AK_SCRATCH(f->ctx, 2 * most + 2, &g.pairs));
    for (int64_t t = 0; t < f->n; ++t) {
        const int64_t n = f->o.ignore ? akin_lists_get(&rows, f->o.ignore, t)
                                      : 0;
        for (int64_t k = 0; k < n; ++k)
            ignore_item(&g, t, ak_collection_id(f->c, rows[k]));
        for (int64_t k = 0; k < f->n_hidden; ++k)
            ignore_item(&g, t, f->hidden[k]);
        for (int64_t k = 0; f->said && k < f->said[t].n_bad; ++k)
            ignore_item(&g, t, f->said[t].bad[k]);
    }
    AK_TRY(akin_lists_new(out, f->ctx, f->n, g.pairs, g.n));
done:
    ak_scratch_end(f->ctx, mark);
    return st;
}

/* Hits of query t that are in order, and more of them: the best `top`. */
static void merge(finding *f, int64_t t, const ak_segment *s,
                  const int64_t *rows, const double *scores, int64_t top)
{
    int64_t *ids = f->rows + t * f->o.top;
    double *best = f->scores + t * f->o.top;
    for (int64_t k = 0; k < top && rows[k] >= 0; ++k) {
        const int64_t id = s->ids[rows[k]];
        int64_t at = f->o.top;
        while (at > 0 && (ids[at - 1] < 0 || scores[k] > best[at - 1] ||
                          (scores[k] == best[at - 1] && id < ids[at - 1])))
            --at;
        if (at == f->o.top)
            break;
        const size_t rest = (size_t)(f->o.top - at - 1);
        memmove(ids + at + 1, ids + at, rest * sizeof *ids);
        memmove(best + at + 1, best + at, rest * sizeof *best);
        ids[at] = id;
        best[at] = scores[k];
    }
}

static akin_status search_segment(finding *f, const ak_segment *s)
{
    const ak_mark mark = ak_scratch_begin(f->ctx);
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_lists *ignore = NULL;
    int64_t *rows = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    if (s->n == 0)
        return AKIN_OK;
    AK_TRY(excluded(f, s, &o.exclude));
    AK_TRY(ignored(f, s, &ignore));
    o.top = ak_min_i64(f->o.top, s->n);
    o.by = f->o.by;
    o.as_is = f->o.as_is;
    o.effort = f->o.effort;
    o.approximate = !f->o.exact;
    o.ignore = ignore;
    AK_TRY(akin_index_search(&rows, &scores, f->ctx, s->x, f->queries, &o));
    for (int64_t t = 0; t < f->n; ++t)
        merge(f, t, s, rows + t * o.top, scores + t * o.top, o.top);
done:
    akin_free(rows);
    akin_free(scores);
    akin_lists_free(ignore);
    ak_scratch_end(f->ctx, mark);
    return st;
}

/* ---- all of them ---- */

static akin_status check(const finding *f)
{
    const akin_find_options *o = &f->o;
    akin_item item;
    if (o->top < 1)
        return ak_fail(f->ctx, AKIN_EINVAL,
                       "`top` is %" PRId64 " (must be at least 1)", o->top);
    if (f->queries == NULL && o->n_like < 1 &&
        (o->like_rows == NULL || o->like_rows->n == 0))
        return ak_fail(f->ctx, AKIN_EINVAL, "there is no query");
    for (int64_t k = 0; k < o->n_like; ++k)
        AK_CHECK(akin_collection_item(&item, f->ctx, f->c, o->like[k]));
    for (int64_t k = 0; k < o->n_unlike; ++k)
        AK_CHECK(akin_collection_item(&item, f->ctx, f->c, o->unlike[k]));
    return AKIN_OK;
}

static akin_status take_results(finding *f)
{
    int64_t size = 0;
    if (!ak_mul_i64(f->n, f->o.top, &size))
        return ak_nomem(f->ctx, SIZE_MAX);
    AK_CHECK(AK_NEW(f->ctx, size, &f->rows));
    AK_CHECK(AK_NEW(f->ctx, size, &f->scores));
    for (int64_t i = 0; i < size; ++i) {
        f->rows[i] = -1;
        f->scores[i] = NAN;
    }
    return AKIN_OK;
}

static akin_status search_all(finding *f)
{
    AK_CHECK(take_results(f));
    for (int64_t i = 0; i < f->c->n_segments; ++i)
        AK_CHECK(search_segment(f, &f->c->segments[i]));
    return AKIN_OK;
}

akin_status akin_collection_search(int64_t **rows, double **scores,
                                   akin_ctx *ctx, akin_collection *c,
                                   const akin_rows *queries,
                                   const akin_find_options *options)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    finding f = {.ctx = ctx, .c = c, .o = AKIN_FIND_DEFAULTS};
    akin_rows *cut = NULL;
    akin_status st = AKIN_OK;
    f.queries = queries;
    f.n = queries ? queries->n : 1;
    ak_options_take(&f.o, sizeof f.o, options);
    if (queries == NULL && f.o.n_like > 0)
        AK_TRY(
            ak_collection_ask_like(c, ctx, ak_collection_id(c, f.o.like[0])));
    AK_TRY(ak_collection_segments_of(c, ctx, f.o.user));
    AK_TRY(cut_columns(&cut, ctx, queries, &c->version.left));
    if (cut != NULL)
        f.queries = cut;
    AK_TRY(check(&f));
    AK_TRY(take_examples(&f));
    AK_TRY(take_said(&f));
    AK_TRY(combine_all(&f));
    if (f.o.where != NULL)
        AK_TRY(ak_where(&f.pass, &f.n_pass, ctx, &c->catalog, f.o.where));
    AK_TRY(search_all(&f));
    for (int64_t i = 0; i < f.n * f.o.top; ++i)
        if (f.rows[i] >= 0)
            f.rows[i] = ak_collection_row(c, f.rows[i]);
    *rows = f.rows;
    *scores = f.scores;
    f.rows = NULL;
    f.scores = NULL;
done:
    akin_free(f.rows);
    akin_free(f.scores);
    akin_rows_free(f.like);
    akin_rows_free(f.unlike);
    akin_rows_free(f.ready);
    for (int64_t t = 0; f.said != NULL && t < f.n; ++t)
        ak_said_free(&f.said[t]);
    akin_rows_free(cut);
    ak_scratch_end(ctx, mark);
    return st;
}
