/* What was said becomes a model.
 *
 * Of each query, every pair of a good and a bad item is a triplet (query, good,
 * bad), and counts twice. A click is less certain: (query, clicked, skipped)
 * counts once, for each item that was shown above the clicked one and not
 * clicked. A query without bad items gets some from the whole collection.
 * Labels give triplets too. Their order is drawn with a fixed seed, so that the
 * same events give the same model.
 *
 * The verdict is that of held-out queries: they are divided into FOLDS parts,
 * and each part is ranked by a model that learned from the others. Where events
 * have too few queries, items with labels are queries of the verdict too. */
#include <akin/learn.h>
#include <akin/versions.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "collection/collection.h"
#include "collection/derive.h"
#include "collection/feedback/events.h"
#include "data/rows.h"
#include "model/diagonal.h"
#include "model/model.h"

enum {
    FOLDS = 5,
    DRAWN = 10,          // bad items drawn for a query without any
    FEWEST_QUERIES = 5,  // for a verdict
    MOST_LABELLED = 2000,
    OF_LABELLED = 10,  // triplets
    SEED = 1,
};

/* Triplets of items, by id; a query from outside is -2 - its number. */
typedef struct triple {
    int64_t query, good, bad;
    int64_t fold;  // of its query; -1: from labels, learned from in any case
    bool judged;   // of the verdict
} triple;

typedef struct triples {
    triple *all;
    int64_t n, room;
} triples;

typedef struct learning {
    akin_ctx *ctx;
    akin_collection *c;
    const char *learner;
    triples t;
    int64_t *items, n_items;  // with features, increasing
    int64_t *ids, n_ids;      // of all rows, increasing: outside ones first
    akin_rows *ready;         // prepared, one for each id
    akin_model *plain;
    int64_t *numbers;  // triplets as rows, 3 t.n
    int64_t n_queries, events;
} learning;

/* ---- triplets ---- */

/* The items that have features of the kind that queries have. */
static akin_status list_items(learning *l)
{
    sqlite3_stmt *q = NULL;
    int64_t room = 0;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&l->c->catalog.sql, l->ctx, &q,
                      "SELECT key / 16 FROM features WHERE key % 16 = ? ORDER "
                      "BY key",
                      "i", l->c->version.left.id));
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
static bool has_features(const learning *l, int64_t id)
{
    return id < 0 || is_in(id, l->items, l->n_items);
}

static akin_status add(learning *l, triple x)
{
    if (x.good == x.bad || x.query == x.bad || x.query == x.good ||
        !has_features(l, x.query) || !has_features(l, x.good) ||
        !has_features(l, x.bad))
        return AKIN_OK;
    AK_CHECK(
        ak_grow(l->ctx, l->t.n + 1, &l->t.room, sizeof *l->t.all, &l->t.all));
    l->t.all[l->t.n++] = x;
    return AKIN_OK;
}

static akin_status add_query(learning *l, int64_t query, int64_t fold)
{
    const ak_catalog *c = &l->c->catalog;
    ak_rng rng = ak_rng_new(SEED + (uint64_t)fold, AK_STREAM_TRIPLETS);
    ak_said s = {0};
    akin_status st = AKIN_OK;
    AK_TRY(query >= 0 ? ak_said_of_item(&s, l->ctx, c, query, NULL)
                      : ak_said_of_query(&s, l->ctx, c, -2 - query));
    for (int64_t i = 0; i < s.n_good; ++i)
        for (int64_t k = 0; k < s.n_bad; ++k)
            AK_TRY(add(l, (triple){query, s.good[i], s.bad[k], fold, true}));
    for (int64_t k = 0; s.n_bad == 0 && l->n_items > 0 && k < DRAWN; ++k) {
        const int64_t bad = l->items[ak_rng_below(&rng, l->n_items)];
        if (!is_in(bad, s.good, s.n_good))
            for (int64_t i = 0; i < s.n_good; ++i)
                AK_TRY(add(l, (triple){query, s.good[i], bad, fold, true}));
    }
done:
    ak_said_free(&s);
    return st;
}

/* (query, clicked, skipped) of one event. */
static akin_status add_clicks(learning *l, sqlite3_stmt *q, int64_t query,
                              int64_t fold)
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
                AK_CHECK(add(l, (triple){query, was[i], was[k], fold, false}));
        }
    return AKIN_OK;
}

static akin_status add_all_clicks(learning *l, int64_t query, int64_t fold)
{
    const ak_sql *sql = &l->c->catalog.sql;
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(sql, l->ctx, &q,
                      "SELECT shown, clicked FROM events WHERE undone = 0 AND "
                      "clicked IS NOT NULL AND item = ? AND query = ? ORDER BY "
                      "number",
                      "ii", query >= 0 ? query : -1,
                      query >= 0 ? -1 : -2 - query));
    for (;;) {
        AK_TRY(ak_sql_next(sql, l->ctx, q, &row));
        if (!row)
            break;
        AK_TRY(add_clicks(l, q, query, fold));
    }
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status add_events(learning *l)
{
    const ak_sql *sql = &l->c->catalog.sql;
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_number(sql, l->ctx,
                         "SELECT COUNT(*) FROM events WHERE undone = 0",
                         &l->events));
    AK_TRY(ak_sql_ask(sql, l->ctx, &q,
                      "SELECT item, query FROM events WHERE undone = 0 AND "
                      "(item IN (SELECT id FROM items) OR (item < 0 AND query "
                      "IN (SELECT id FROM queries WHERE space = ?))) GROUP BY "
                      "item, query ORDER BY min(number)",
                      "i", l->c->version.left.id));
    for (;;) {
        AK_TRY(ak_sql_next(sql, l->ctx, q, &row));
        if (!row)
            break;
        const int64_t item = sqlite3_column_int64(q, 0);
        const int64_t query = item >= 0 ? item
                                        : -2 - sqlite3_column_int64(q, 1);
        const int64_t before = l->t.n;
        AK_TRY(add_query(l, query, l->n_queries));
        AK_TRY(add_all_clicks(l, query, l->n_queries));
        l->n_queries += l->t.n > before;
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* Items with the same labels are alike, others are not. */
typedef struct labelled {
    int64_t id;
    uint64_t label;  // a hash of the text
} labelled;

static akin_status draw_labels(learning *l, const labelled *x, int64_t n)
{
    ak_rng rng = ak_rng_new(SEED, AK_STREAM_LABELS);
    const bool held_out = l->n_queries < FEWEST_QUERIES;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t before = l->t.n;
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
                AK_CHECK(add(
                    l, (triple){x[i].id, x[good].id, x[bad].id, fold, true}));
        }
        l->n_queries += held_out && l->t.n > before;
    }
    return AKIN_OK;
}

static akin_status add_labels(learning *l)
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

/* ---- rows ---- */

static akin_status collect_ids(learning *l)
{
    int64_t *all, n = 0;
    AK_CHECK(AK_SCRATCH(l->ctx, 3 * l->t.n, &all));
    for (int64_t i = 0; i < l->t.n; ++i) {
        all[n++] = l->t.all[i].query;
        all[n++] = l->t.all[i].good;
        all[n++] = l->t.all[i].bad;
    }
    qsort(all, (size_t)n, sizeof *all, ak_by_number);
    l->ids = all;
    for (int64_t i = 0; i < n; ++i)
        if (i == 0 || all[i] != all[i - 1])
            all[l->n_ids++] = all[i];
    return AKIN_OK;
}

/* The measure without learning for rows of the space: that of the index where
 * it is in use, else fitted to the items again. */
static akin_status find_plain(akin_model **out, akin_ctx *ctx,
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

static akin_status take_rows(learning *l)
{
    const ak_space *space = &l->c->version.left;
    const ak_mark mark = ak_scratch_begin(l->ctx);
    akin_rows **parts = NULL, *rows = NULL;
    int64_t outside = 0;
    akin_status st = AKIN_OK;
    while (outside < l->n_ids && l->ids[outside] < 0)
        ++outside;
    AK_TRY(AK_SCRATCH(l->ctx, outside + 1, &parts));
    for (int64_t i = 0; i < outside; ++i)
        AK_TRY(ak_derive_query(&parts[i], l->ctx, &l->c->catalog, space,
                               -2 - l->ids[i]));
    AK_TRY(ak_derive_items(&parts[outside], l->ctx, &l->c->catalog, space,
                           l->ids + outside, l->n_ids - outside));
    AK_TRY(ak_rows_join(&rows, l->ctx, (const akin_rows *const *)parts,
                        outside + 1));
    AK_TRY(akin_model_prepare(&l->ready, l->ctx, l->plain, rows, AKIN_LEFT));
done:
    for (int64_t i = 0; parts != NULL && i <= outside; ++i)
        akin_rows_free(parts[i]);
    akin_rows_free(rows);
    ak_scratch_end(l->ctx, mark);
    return st;
}

static int64_t row_of(const learning *l, int64_t id)
{
    const int64_t *at =
        bsearch(&id, l->ids, (size_t)l->n_ids, sizeof id, ak_by_number);
    return at - l->ids;
}

/* ---- learning and measuring ---- */

/* A model of all triplets but those of a fold; -1: of all. */
static akin_status learn_but(const learning *l, int64_t fold, akin_model **out)
{
    const ak_mark mark = ak_scratch_begin(l->ctx);
    ak_rng rng = ak_rng_new(SEED, AK_STREAM_ORDER);
    int64_t *order, *numbers, n = 0;
    akin_supervision *known = NULL;
    akin_options *options = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(l->ctx, 2 * l->t.n, &order));
    AK_TRY(AK_SCRATCH(l->ctx, 6 * l->t.n, &numbers));
    for (int64_t i = 0; i < l->t.n; ++i) {
        const triple *x = &l->t.all[i];
        if (fold >= 0 && x->fold >= 0 && x->fold % FOLDS == fold)
            continue;
        order[n++] = i;
        if (x->judged)
            order[n++] = i;
    }
    for (int64_t i = n - 1; i > 0; --i) {
        const int64_t j = ak_rng_below(&rng, i + 1), other = order[j];
        order[j] = order[i];
        order[i] = other;
    }
    for (int64_t i = 0; i < n; ++i)
        memcpy(numbers + 3 * i, l->numbers + 3 * order[i], 3 * sizeof *numbers);
    AK_TRY(akin_supervision_new(&known, l->ctx, l->ready, NULL,
                                akin_model_recipe(l->plain, AKIN_LEFT)));
    AK_TRY(akin_supervision_set(l->ctx, known, AKIN_TRIPLETS, numbers, n));
    AK_TRY(akin_options_new(&options, l->ctx, l->learner));
    AK_TRY(akin_learn(out, l->ctx, options, known, NULL));
done:
    akin_options_free(options);
    akin_supervision_free(known);
    ak_scratch_end(l->ctx, mark);
    return st;
}

/* Per query of the fold: pairs ranked right by the model, and all pairs. */
static akin_status count_right(const learning *l, const akin_model *m,
                               int64_t fold, double *right, double *pairs)
{
    const ak_mark mark = ak_scratch_begin(l->ctx);
    int64_t *ij, n = 0;
    double *scores;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(l->ctx, 4 * l->t.n, &ij));
    AK_TRY(AK_SCRATCH(l->ctx, 2 * l->t.n, &scores));
    for (int64_t i = 0; i < l->t.n; ++i)
        if (l->t.all[i].fold >= 0 && l->t.all[i].fold % FOLDS == fold) {
            const int64_t *x = l->numbers + 3 * i;
            memcpy(ij + 4 * n, (int64_t[4]){x[0], x[1], x[0], x[2]},
                   4 * sizeof *ij);
            ++n;
        }
    AK_TRY(akin_model_score(scores, l->ctx, m, l->ready, l->ready, ij, 2 * n,
                            AKIN_BY_DEFAULT));
    for (int64_t i = 0, k = 0; i < l->t.n; ++i) {
        const int64_t query = l->t.all[i].fold;
        if (query < 0 || query % FOLDS != fold)
            continue;
        right[query] += scores[2 * k] > scores[2 * k + 1]    ? 1.0
                        : scores[2 * k] == scores[2 * k + 1] ? 0.5
                                                             : 0.0;
        pairs[query] += 1.0;
        ++k;
    }
done:
    ak_scratch_end(l->ctx, mark);
    return st;
}

static void set_verdict(akin_version_info *out, const double *plain,
                        const double *learned, const double *pairs, int64_t n)
{
    double sum = 0.0, squares = 0.0;
    for (int64_t i = 0; i < n; ++i)
        if (pairs[i] > 0.0) {
            const double gain = (learned[i] - plain[i]) / pairs[i];
            out->held_out += learned[i] / pairs[i];
            out->baseline += plain[i] / pairs[i];
            sum += gain;
            squares += gain * gain;
            ++out->queries;
        }
    const double count = (double)ak_max_i64(out->queries, 1);
    const double mean = sum / count;
    const double error = sqrt(fmax(squares / count - mean * mean, 0.0) / count);
    out->held_out /= count;
    out->baseline /= count;
    strcpy(out->verdict, out->queries < FEWEST_QUERIES ? ""
                         : mean > error                ? "better"
                         : mean < -error               ? "worse"
                                                       : "same");
}

static akin_status measure(learning *l, akin_version_info *out)
{
    const ak_mark mark = ak_scratch_begin(l->ctx);
    double *plain, *learned, *pairs, *same;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    if (l->n_queries < 2) {  // without it there is nothing to learn from
        out->held_out = out->baseline = NAN;
        goto done;
    }
    AK_TRY(AK_SCRATCH_EACH(l->ctx, l->n_queries + 1, &plain, &learned, &pairs,
                           &same));
    for (int64_t fold = 0; fold < FOLDS && fold < l->n_queries; ++fold) {
        AK_TRY(count_right(l, l->plain, fold, plain, pairs));
        AK_TRY(learn_but(l, fold, &m));
        AK_TRY(count_right(l, m, fold, learned, same));
        akin_model_free(m);
        m = NULL;
    }
    set_verdict(out, plain, learned, pairs, l->n_queries);
done:
    akin_model_free(m);
    ak_scratch_end(l->ctx, mark);
    return st;
}

/* ---- a version ---- */

static akin_status number_triplets(learning *l)
{
    AK_CHECK(AK_SCRATCH(l->ctx, 3 * l->t.n, &l->numbers));
    for (int64_t i = 0; i < l->t.n; ++i) {
        l->numbers[3 * i] = row_of(l, l->t.all[i].query);
        l->numbers[3 * i + 1] = row_of(l, l->t.all[i].good);
        l->numbers[3 * i + 2] = row_of(l, l->t.all[i].bad);
    }
    return AKIN_OK;
}

static akin_status take_triplets(learning *l)
{
    AK_CHECK(list_items(l));
    AK_CHECK(add_events(l));
    AK_CHECK(add_labels(l));
    if (l->t.n == 0)
        return ak_fail(l->ctx, AKIN_EINVAL,
                       "%s: there is nothing to learn from (no feedback with "
                       "good items, and no labels)",
                       l->c->catalog.folder);
    return AKIN_OK;
}

static akin_status learn_model(learning *l, akin_version_info *out,
                               akin_model **m)
{
    const char *method;
    AK_CHECK(take_triplets(l));
    AK_CHECK(find_plain(&l->plain, l->ctx, l->c, &l->c->version.left));
    AK_CHECK(collect_ids(l));
    AK_CHECK(take_rows(l));
    AK_CHECK(number_triplets(l));
    AK_CHECK(measure(l, out));
    AK_CHECK(ak_choose_method(&method, l->ctx, l->c));
    strncpy(out->feedback, method, sizeof out->feedback - 1);
    out->events = l->events;
    return learn_but(l, -1, m);
}

static akin_status store(const ak_catalog *c, akin_ctx *ctx,
                         const akin_model *m, akin_version_info *out)
{
    ak_version v = {0};
    AK_CHECK(ak_version_add(c, ctx, m, &v));
    out->version = v.version;
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "UPDATE versions SET events = ?, verdict = ?, held_out "
                       "= ?, baseline = ? WHERE version = ?",
                       "itddi", out->events, out->verdict, out->held_out,
                       out->baseline, v.version));
    AK_CHECK(ak_catalog_set_number(c, ctx, "learned", out->events));
    AK_CHECK(ak_catalog_set(c, ctx, ak_setting_feedback, out->feedback));
    out->in_use = strcmp(out->verdict, "better") == 0;
    return out->in_use ? ak_segments_switch(c, ctx, &v, m) : AKIN_OK;
}

akin_status akin_collection_learn(akin_version_info *out, akin_ctx *ctx,
                                  const char *path, const char *learner)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const bool automatic = learner == NULL || strcmp(learner, "auto") == 0;
    ak_catalog c = {.lock = -1};
    learning l = {.ctx = ctx, .learner = automatic ? "solis-ada" : learner};
    akin_model *m = NULL;
    int lock = -1;
    akin_status st = AKIN_OK;
    *out = (akin_version_info){0};
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_CHANGE));
    AK_TRY(ak_catalog_lock(&c, ctx, ak_folder_versions, &lock));
    AK_TRY(akin_collection_open(&l.c, ctx, path));
    AK_TRY(learn_model(&l, out, &m));
    strncpy(out->learner, l.learner, sizeof out->learner - 1);
    akin_collection_close(l.c);
    l.c = NULL;
    AK_TRY(store(&c, ctx, m, out));
done:
    akin_model_free(m);
    akin_model_free(l.plain);
    akin_rows_free(l.ready);
    akin_free(l.t.all);
    akin_free(l.items);
    akin_collection_close(l.c);
    if (lock >= 0)
        close(lock);
    ak_catalog_close(&c);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- from time to time ---- */

static const char after_key[] = "learn-after";
enum { LEARN_AFTER = 100 };

akin_status akin_collection_learn_after(akin_ctx *ctx, const char *path,
                                        int64_t events)
{
    ak_catalog c = {.lock = -1};
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_CHANGE));
    AK_TRY(ak_catalog_set_number(&c, ctx, after_key, events));
done:
    ak_catalog_close(&c);
    return st;
}

static akin_status is_due(const ak_catalog *c, akin_ctx *ctx, bool *due)
{
    char text[32];
    int64_t learned, events;
    AK_CHECK(ak_catalog_get(c, ctx, after_key, text, sizeof text));
    AK_CHECK(ak_catalog_get_number(c, ctx, "learned", &learned));
    AK_CHECK(ak_sql_number(
        &c->sql, ctx, "SELECT COUNT(*) FROM events WHERE undone = 0", &events));
    const int64_t after = text[0] ? strtoll(text, NULL, 10) : LEARN_AFTER;
    *due = after > 0 && events >= learned + after;
    return AKIN_OK;
}

akin_status akin_collection_learn_due(akin_version_info *out, akin_ctx *ctx,
                                      const char *path)
{
    ak_catalog c = {.lock = -1};
    bool due = false;
    akin_status st = AKIN_OK;
    *out = (akin_version_info){.version = -1};
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_READ));
    AK_TRY(is_due(&c, ctx, &due));
done:
    ak_catalog_close(&c);
    return st == AKIN_OK && due ? akin_collection_learn(out, ctx, path, NULL)
                                : st;
}

/* ---- versions ---- */

static void copy_text(char *to, size_t size, sqlite3_stmt *q, int column)
{
    const char *text = (const char *)sqlite3_column_text(q, column);
    strncpy(to, text ? text : "", size - 1);
}

static double number_or_nan(sqlite3_stmt *q, int column)
{
    return sqlite3_column_type(q, column) == SQLITE_NULL
               ? NAN
               : sqlite3_column_double(q, column);
}

akin_status akin_collection_versions(akin_version_info **out, int64_t *n,
                                     akin_ctx *ctx, const char *path)
{
    ak_catalog c = {.lock = -1};
    akin_version_info *all = NULL;
    sqlite3_stmt *q = NULL;
    int64_t room = 0, count = 0, current;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_READ));
    AK_TRY(ak_catalog_get_number(&c, ctx, "version", &current));
    AK_TRY(ak_sql_ask(&c.sql, ctx, &q,
                      "SELECT 0, '', 0, NULL, NULL, NULL UNION ALL SELECT "
                      "version, learner, ifnull(events, -1), verdict, "
                      "held_out, baseline FROM versions WHERE version > 0 "
                      "ORDER BY 1",
                      ""));
    for (;; ++count) {
        AK_TRY(ak_sql_next(&c.sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(ak_grow(ctx, count + 1, &room, sizeof *all, &all));
        akin_version_info *v = &all[count];
        *v = (akin_version_info){.version = sqlite3_column_int64(q, 0),
                                 .events = sqlite3_column_int64(q, 2),
                                 .held_out = number_or_nan(q, 4),
                                 .baseline = number_or_nan(q, 5)};
        v->in_use = v->version == current;
        copy_text(v->learner, sizeof v->learner, q, 1);
        copy_text(v->verdict, sizeof v->verdict, q, 3);
    }
    *out = all;
    *n = count;
    all = NULL;
done:
    sqlite3_finalize(q);
    akin_free(all);
    ak_catalog_close(&c);
    return st;
}

akin_status akin_collection_version_model(akin_model **out, akin_ctx *ctx,
                                          akin_collection *c, int64_t version)
{
    ak_version v;
    AK_CHECK(ak_version_get(&c->catalog, ctx, version, &v));
    return version == 0 ? find_plain(out, ctx, c, &v.left)
                        : ak_version_model(out, ctx, &c->catalog, version);
}

akin_status akin_collection_rollback(akin_ctx *ctx, const char *path,
                                     int64_t version)
{
    ak_catalog c = {.lock = -1};
    ak_version v;
    akin_model *m = NULL;
    int lock = -1;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_CHANGE));
    AK_TRY(ak_catalog_lock(&c, ctx, ak_folder_versions, &lock));
    AK_TRY(ak_version_get(&c, ctx, version, &v));
    AK_TRY(ak_version_model(&m, ctx, &c, version));
    AK_TRY(ak_segments_switch(&c, ctx, &v, m));
done:
    akin_model_free(m);
    if (lock >= 0)
        close(lock);
    ak_catalog_close(&c);
    return st;
}
