/* How examples count in searches, by what was said so far. */
#include <akin/feedback.h>
#include <string.h>

#include "collection/collection.h"
#include "collection/derive.h"
#include "collection/feedback/events.h"

enum { MOST_QUERIES = 40, BACKGROUND = 200 };

typedef struct choosing {
    akin_ctx *ctx;
    akin_collection *c;
    akin_feedback said[MOST_QUERIES];
    akin_rows *rows[MOST_QUERIES][3];  // query, good, bad
    akin_rows *background;
    int64_t n;
} choosing;

/* The first answers to a query. Good rows that are held out may be among them,
 * as they would be in a search. */
static akin_status find_answers(void *user, akin_ctx *ctx,
                                const akin_rows *query, int64_t top,
                                akin_rows **found)
{
    const choosing *g = user;
    akin_find_options o = AKIN_FIND_DEFAULTS;
    int64_t *rows = NULL, n = 0;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    o.top = top;
    o.as_is = 1;
    o.feedback = "none";
    AK_TRY(akin_collection_search(&rows, &scores, ctx, g->c, query, &o));
    for (; n < top && rows[n] >= 0; ++n)
        rows[n] = ak_collection_id(g->c, rows[n]);
    if (n > 0)
        AK_TRY(ak_derive_some(found, ctx, &g->c->catalog, &g->c->version.left,
                              rows, n));
done:
    akin_free(rows);
    akin_free(scores);
    return st;
}

static void drop_query(choosing *g)
{
    --g->n;
    for (int k = 0; k < 3; ++k) {
        akin_rows_free(g->rows[g->n][k]);
        g->rows[g->n][k] = NULL;
    }
}

/* One item as a query, if enough was said of it. */
static akin_status take_query(choosing *g, int64_t item)
{
    const ak_catalog *c = &g->c->catalog;
    const ak_space *space = &g->c->version.left;
    akin_rows **rows = g->rows[g->n];
    akin_feedback *to = &g->said[g->n];
    ak_said s = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_said_of_item(&s, g->ctx, c, item, NULL));
    if (s.n_good < 2)
        goto done;
    ++g->n;
    AK_TRY(ak_derive_some(&rows[0], g->ctx, c, space, &item, 1));
    AK_TRY(ak_derive_some(&rows[1], g->ctx, c, space, s.good, s.n_good));
    AK_TRY(ak_derive_some(&rows[2], g->ctx, c, space, s.bad, s.n_bad));
    *to = (akin_feedback)AKIN_FEEDBACK_INIT;
    to->query = rows[0];
    to->good = rows[1];
    to->bad = rows[2];
    to->background = g->background;
    if (rows[0] == NULL || rows[1] == NULL)  // items of another kind
        drop_query(g);
done:
    ak_said_free(&s);
    return st;
}

/* The items that a question gives. */
static akin_status ask(choosing *g, const char *text, int64_t most,
                       int64_t **ids, int64_t *n)
{
    const ak_sql *sql = &g->c->catalog.sql;
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(g->ctx, most, ids));
    AK_TRY(ak_sql_ask(sql, g->ctx, &q, text, "i", most));
    for (*n = 0; *n < most;) {
        AK_TRY(ak_sql_next(sql, g->ctx, q, &row));
        if (!row)
            break;
        (*ids)[(*n)++] = sqlite3_column_int64(q, 0);
    }
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status take_all(choosing *g)
{
    int64_t *ids, n;
    AK_CHECK(ask(g,
                 "SELECT id FROM items WHERE id % max(1, (SELECT COUNT(*) FROM "
                 "items) / ?) = 0 ORDER BY id",
                 BACKGROUND, &ids, &n));
    AK_CHECK(ak_derive_some(&g->background, g->ctx, &g->c->catalog,
                            &g->c->version.left, ids, n));
    AK_CHECK(ask(g,
                 "SELECT item FROM events WHERE undone = 0 AND item IN (SELECT "
                 "id FROM items) GROUP BY item ORDER BY max(number) DESC LIMIT "
                 "?",
                 MOST_QUERIES, &ids, &n));
    for (int64_t i = 0; i < n; ++i)
        AK_CHECK(take_query(g, ids[i]));
    return AKIN_OK;
}

akin_status ak_choose_method(const char **method, akin_ctx *ctx,
                             akin_collection *c)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    choosing g = {.ctx = ctx, .c = c};
    akin_feedback_options o = AKIN_FEEDBACK_DEFAULTS;
    akin_status st = AKIN_OK;
    *method = "auto";
    if (c->version.left.id != c->version.right.id)
        return AKIN_OK;
    AK_TRY(ak_collection_segments(c, ctx));
    AK_TRY(take_all(&g));
    o.search = find_answers;
    o.search_user = &g;
    AK_TRY(akin_feedback_choose(method, ctx, g.said, g.n,
                                akin_index_model(c->segments[0].x), &o));
done:
    while (g.n > 0)
        drop_query(&g);
    akin_rows_free(g.background);
    ak_scratch_end(ctx, mark);
    return st;
}
