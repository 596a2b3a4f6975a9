/* Triplets of a collection, from events and from labels; and their rows. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "collection/derive.h"
#include "collection/feedback/events.h"
#include "collection/feedback/learning.h"
#include "data/rows.h"
#include "model/diagonal.h"
#include "model/model.h"

enum {
    MOST_PAIRS = 100,  // of judgements on a query
    DRAWN = 10,        // bad items drawn for a query without any
    MOST_LABELLED = 2000,
    OF_LABELLED = 10,  // triplets
};

/* The items that have features of the kind that queries have. */
static akin_status list_items(ak_learning *l)
{
    sqlite3_stmt *q = NULL;
    int64_t room = 0;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&l->c->catalog.sql, l->ctx, &q,
                      "SELECT key / 16 FROM features WHERE key % 16 = ? ORDER "
                      "BY key",
                      "i", l->space.id));
    for (;;) {
        AK_TRY(ak_sql_next(&l->c->catalog.sql, l->ctx, q, &row));
        if (!row)
            break;
        AK_TRY(ak_grow(l->ctx, l->n_items + 1, &room, sizeof *l->items,
                       &l->items));
        l->items[l->n_items++] = sqlite3_column_int64(q, 0);
    }
done:
    sqlite3_finalize(q);
    return st;
}

static bool is_in(int64_t id, const int64_t *ids, int64_t n)
{
    return n > 0 && bsearch(&id, ids, (size_t)n, sizeof id, ak_by_number);
}

/* Queries from outside have features: add_events takes no others. */
static bool has_features(const ak_learning *l, int64_t id)
{
    return id < 0 || is_in(id, l->items, l->n_items);
}

static akin_status add(ak_learning *l, ak_triple x)
{
    if (x.good == x.bad || x.query == x.bad || x.query == x.good ||
        !has_features(l, x.query) || !has_features(l, x.good) ||
        !has_features(l, x.bad))
        return AKIN_OK;
    AK_CHECK(ak_grow(l->ctx, l->n + 1, &l->room, sizeof *l->all, &l->all));
    l->all[l->n++] = x;
    return AKIN_OK;
}

/* ---- events ---- */

/* A query, and which of its events count. */
typedef struct asked {
    int64_t query, fold;
    const char *user;  // whose; NULL: everybody's
    int64_t last;      // the last of them
    uint64_t seed;     // of what is drawn
    unsigned to;       // AK_TO_...
} asked;

static int64_t item_of(int64_t query)
{
    return query >= 0 ? query : -1;
}

static int64_t outside_of(int64_t query)
{
    return query >= 0 ? -1 : -2 - query;
}

static ak_triple triple_of(const asked *a, int64_t good, int64_t bad,
                           bool judged)
{
    return (ak_triple){a->query, good, bad, a->fold, judged, a->to};
}

static akin_status add_judged(ak_learning *l, const asked *a)
{
    ak_rng rng = ak_rng_new(AK_LEARN_SEED + a->seed, AK_STREAM_TRIPLETS);
    ak_said s = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_said_until(&s, l->ctx, &l->c->catalog, item_of(a->query),
                         outside_of(a->query), a->user, a->last));
    const int64_t pairs = s.n_good * s.n_bad;
    for (int64_t i = 0; i < ak_min_i64(pairs, MOST_PAIRS); ++i) {
        const int64_t k = pairs > MOST_PAIRS ? ak_rng_below(&rng, pairs) : i;
        AK_TRY(add(
            l, triple_of(a, s.good[k / s.n_bad], s.bad[k % s.n_bad], true)));
    }
    for (int64_t k = 0; s.n_bad == 0 && l->n_items > 0 && k < DRAWN; ++k) {
        const int64_t bad = l->items[ak_rng_below(&rng, l->n_items)];
        if (!is_in(bad, s.good, s.n_good))
            for (int64_t i = 0; i < s.n_good; ++i)
                AK_TRY(add(l, triple_of(a, s.good[i], bad, true)));
    }
done:
    ak_said_free(&s);
    return st;
}

/* (query, clicked, skipped) of one event. */
static akin_status add_clicks(ak_learning *l, sqlite3_stmt *q, const asked *a)
{
    const int64_t n = sqlite3_column_bytes(q, 0) / 8;
    const int64_t clicks = sqlite3_column_bytes(q, 1) / 8;
    const char *shown = sqlite3_column_blob(q, 0);
    const char *clicked = sqlite3_column_blob(q, 1);
    int64_t *was;
    AK_CHECK(AK_SCRATCH(l->ctx, n + clicks, &was));
    if (n > 0)
        memcpy(was, shown, (size_t)n * 8);
    if (clicks > 0)
        memcpy(was + n, clicked, (size_t)clicks * 8);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = 0; k < i; ++k) {
            bool good = false, skipped = true;
            for (int64_t j = n; j < n + clicks; ++j) {
                good = good || was[j] == was[i];
                skipped = skipped && was[j] != was[k];
            }
            if (good && skipped)
                AK_CHECK(add(l, triple_of(a, was[i], was[k], false)));
        }
    return AKIN_OK;
}

static akin_status add_all_clicks(ak_learning *l, const asked *a)
{
    const ak_sql *sql = &l->c->catalog.sql;
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(sql, l->ctx, &q,
                      "SELECT shown, clicked FROM events WHERE undone = 0 AND "
                      "clicked IS NOT NULL AND item = ? AND query = ? AND "
                      "number <= ? AND (?4 IS NULL OR user = ?4) ORDER BY "
                      "number",
                      "iiit", item_of(a->query), outside_of(a->query), a->last,
                      a->user));
    for (;;) {
        AK_TRY(ak_sql_next(sql, l->ctx, q, &row));
        if (!row)
            break;
        AK_TRY(add_clicks(l, q, a));
    }
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status add_asked(ak_learning *l, asked a)
{
    AK_CHECK(add_judged(l, &a));
    return add_all_clicks(l, &a);
}

/* What each model learns of a query. It is held out if the new one learns
 * something. */
static akin_status add_query(ak_learning *l, int64_t query, int64_t order)
{
    const int64_t before = l->n;
    const uint64_t seed = (uint64_t)l->n_queries;
    AK_CHECK(add_asked(
        l, (asked){query, l->n_queries, l->user, l->newest, seed, AK_TO_NEW}));
    const bool held_out = l->n > before;
    const int64_t fold = held_out ? l->n_queries : -1;
    if (l->known > 0)
        AK_CHECK(add_asked(l, (asked){query, fold, NULL, l->known,
                                      (uint64_t)order, AK_TO_OLD}));
    if (l->own > 0)
        AK_CHECK(add_asked(
            l, (asked){query, fold, l->user, l->own_known, seed, AK_TO_OWN}));
    l->n_queries += held_out;
    return AKIN_OK;
}

/* Those of the user come first, so that the folds have alike numbers of them.
 */
static akin_status add_events(ak_learning *l)
{
    const ak_sql *sql = &l->c->catalog.sql;
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(sql, l->ctx, &q,
                      "SELECT item, query FROM events WHERE undone = 0 AND "
                      "(item IN (SELECT id FROM items) OR (item < 0 AND query "
                      "IN (SELECT id FROM queries WHERE space = ?))) GROUP BY "
                      "item, query ORDER BY max(user = ?2) DESC, min(number)",
                      "it", l->space.id, l->user));
    for (int64_t order = 0;; ++order) {
        AK_TRY(ak_sql_next(sql, l->ctx, q, &row));
        if (!row)
            break;
        const int64_t item = sqlite3_column_int64(q, 0);
        AK_TRY(add_query(l, item >= 0 ? item : -2 - sqlite3_column_int64(q, 1),
                         order));
    }
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status count_events(ak_learning *l)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&l->c->catalog.sql, l->ctx, &q,
                      "SELECT COUNT(*), ifnull((SELECT max(number) FROM "
                      "events), 0) FROM events WHERE undone = 0 AND (?1 IS "
                      "NULL OR user = ?1)",
                      "t", l->user));
    AK_TRY(ak_sql_next(&l->c->catalog.sql, l->ctx, q, &row));
    l->events = sqlite3_column_int64(q, 0);
    l->newest = sqlite3_column_int64(q, 1);
done:
    sqlite3_finalize(q);
    return st;
}

/* ---- labels ---- */

/* Items with the same labels are alike, others are not. */
typedef struct labelled {
    int64_t id;
    uint64_t label;  // a hash of the text
} labelled;

/* They are queries of the verdict where events have too few. A user learns from
 * their own events alone. */
static akin_status draw_labels(ak_learning *l, const labelled *x, int64_t n)
{
    ak_rng rng = ak_rng_new(AK_LEARN_SEED, AK_STREAM_LABELS);
    const bool held_out = l->user == NULL && l->n_queries < AK_FEWEST_QUERIES;
    const unsigned to = l->user != NULL ? AK_TO_OLD : AK_TO_NEW | AK_TO_OLD;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t before = l->n;
        const int64_t fold = held_out ? l->n_queries : -1;
        for (int64_t k = 0; k < OF_LABELLED; ++k) {
            int64_t good = -1, bad = -1;
            for (int tries = 0; tries < 50 && (good < 0 || bad < 0); ++tries) {
                const int64_t j = ak_rng_below(&rng, n);
                if (x[j].label == x[i].label && j != i)
                    good = j;
                else if (x[j].label != x[i].label)
                    bad = j;
            }
            if (good >= 0 && bad >= 0)
                AK_CHECK(add(l, (ak_triple){x[i].id, x[good].id, x[bad].id,
                                            fold, true, to}));
        }
        l->n_queries += held_out && l->n > before;
    }
    return AKIN_OK;
}

static akin_status add_labels(ak_learning *l)
{
    const ak_sql *sql = &l->c->catalog.sql;
    sqlite3_stmt *q = NULL;
    labelled *x = NULL;
    int64_t n = 0, total, at = 0;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_number(
        sql, l->ctx, "SELECT COUNT(*) FROM items WHERE labels <> ''", &total));
    const int64_t step = ak_max_i64(1, total / MOST_LABELLED);
    AK_TRY(AK_SCRATCH(l->ctx, total / step + 1, &x));
    AK_TRY(ak_sql_ask(sql, l->ctx, &q,
                      "SELECT id, labels FROM items WHERE labels <> '' ORDER "
                      "BY id",
                      ""));
    for (;; ++at) {
        AK_TRY(ak_sql_next(sql, l->ctx, q, &row));
        if (!row)
            break;
        if (at % step != 0)
            continue;
        uint64_t hash = 1469598103934665603U;
        for (const unsigned char *s = sqlite3_column_text(q, 1); *s; ++s)
            hash = (hash ^ *s) * 1099511628211U;
        x[n++] = (labelled){sqlite3_column_int64(q, 0), hash};
    }
    AK_TRY(draw_labels(l, x, n));
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_learning_triplets(ak_learning *l)
{
    AK_CHECK(list_items(l));
    AK_CHECK(count_events(l));
    AK_CHECK(add_events(l));
    if (l->user != NULL && l->n_queries == 0)
        return ak_fail(l->ctx, AKIN_EINVAL,
                       "%s: there is nothing to learn from (no feedback of "
                       "user %s with good items)",
                       l->c->catalog.folder, l->user);
    AK_CHECK(add_labels(l));
    if (l->n == 0)
        return ak_fail(l->ctx, AKIN_EINVAL,
                       "%s: there is nothing to learn from (no feedback with "
                       "good items, and no labels)",
                       l->c->catalog.folder);
    return AKIN_OK;
}

/* ---- rows ---- */

static akin_status collect_ids(ak_learning *l)
{
    int64_t *all, n = 0;
    AK_CHECK(AK_SCRATCH(l->ctx, 3 * l->n, &all));
    for (int64_t i = 0; i < l->n; ++i) {
        all[n++] = l->all[i].query;
        all[n++] = l->all[i].good;
        all[n++] = l->all[i].bad;
    }
    qsort(all, (size_t)n, sizeof *all, ak_by_number);
    l->ids = all;
    for (int64_t i = 0; i < n; ++i)
        if (i == 0 || all[i] != all[i - 1])
            all[l->n_ids++] = all[i];
    return AKIN_OK;
}

akin_status ak_learning_plain(akin_model **out, akin_ctx *ctx,
                              akin_collection *c, const ak_space *space)
{
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_collection_segments(c, ctx));
    if (c->n_segments == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s has no items", c->catalog.folder));
    if (c->version.version == 0) {
        AK_TRY(ak_model_copy(out, ctx, akin_index_model(c->segments[0].x)));
        goto done;
    }
    AK_TRY(ak_derive_rows(&rows, NULL, ctx, &c->catalog, space, false));
    AK_TRY(ak_plain_model(out, ctx, rows));
done:
    akin_rows_free(rows);
    return st;
}

static akin_status take_rows(ak_learning *l)
{
    const ak_mark mark = ak_scratch_begin(l->ctx);
    akin_rows **parts = NULL, *rows = NULL;
    int64_t outside = 0;
    akin_status st = AKIN_OK;
    while (outside < l->n_ids && l->ids[outside] < 0)
        ++outside;
    AK_TRY(AK_SCRATCH(l->ctx, outside + 1, &parts));
    for (int64_t i = 0; i < outside; ++i)
        AK_TRY(ak_derive_query(&parts[i], l->ctx, &l->c->catalog, &l->space,
                               -2 - l->ids[i]));
    AK_TRY(ak_derive_items(&parts[outside], l->ctx, &l->c->catalog, &l->space,
                           l->ids + outside, l->n_ids - outside));
    AK_TRY(ak_rows_join(&rows, l->ctx, (const akin_rows *const *)parts,
                        outside + 1));
    AK_TRY(akin_model_prepare(&l->ready, l->ctx, l->plain, rows, AKIN_LEFT));
    if (l->user == NULL && l->known < 0)
        AK_TRY(
            akin_model_prepare(&l->given, l->ctx, l->in_use, rows, AKIN_LEFT));
done:
    for (int64_t i = 0; parts != NULL && i <= outside; ++i)
        akin_rows_free(parts[i]);
    akin_rows_free(rows);
    ak_scratch_end(l->ctx, mark);
    return st;
}

static int64_t row_of(const ak_learning *l, int64_t id)
{
    const int64_t *at =
        bsearch(&id, l->ids, (size_t)l->n_ids, sizeof id, ak_by_number);
    return at - l->ids;
}

static akin_status number_triplets(ak_learning *l)
{
    AK_CHECK(AK_SCRATCH(l->ctx, 3 * l->n, &l->numbers));
    for (int64_t i = 0; i < l->n; ++i) {
        l->numbers[3 * i] = row_of(l, l->all[i].query);
        l->numbers[3 * i + 1] = row_of(l, l->all[i].good);
        l->numbers[3 * i + 2] = row_of(l, l->all[i].bad);
    }
    return AKIN_OK;
}

/* Ones instead of the weights in use, which a user's are added to. */
static akin_status plain_of_user(ak_learning *l)
{
    const akin_model *m = l->in_use;
    AK_CHECK(ak_diagonal_new(&l->plain, l->ctx, m->d[AKIN_LEFT], NULL, m->by));
    return ak_model_set_recipe(l->plain, l->ctx, AKIN_LEFT,
                               akin_model_recipe(m, AKIN_LEFT));
}

akin_status ak_learning_rows(ak_learning *l)
{
    AK_CHECK(l->user != NULL && l->in_use != NULL
                 ? plain_of_user(l)
                 : ak_learning_plain(&l->plain, l->ctx, l->c, &l->space));
    AK_CHECK(collect_ids(l));
    AK_CHECK(take_rows(l));
    return number_triplets(l);
}

void ak_learning_free(ak_learning *l)
{
    akin_model_free(l->plain);
    akin_model_free(l->in_use);
    akin_model_free(l->own_model);
    akin_rows_free(l->ready);
    akin_rows_free(l->given);
    akin_free(l->all);
    akin_free(l->items);
    akin_collection_close(l->c);
}
