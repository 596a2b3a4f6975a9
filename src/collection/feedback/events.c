/* Events: stored one by one, and added up for a query. */
#include "collection/feedback/events.h"

#include <akin/versions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "collection/collection.h"
#include "collection/derive.h"
#include "data/rows.h"

const char ak_setting_feedback[] = "feedback";

akin_status akin_events_open(akin_events **out, akin_ctx *ctx, const char *path)
{
    akin_events *e = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &e));
    e->catalog.lock = -1;
    AK_TRY(ak_catalog_open(&e->catalog, ctx, path, AK_CATALOG_READ));
    strcpy(e->folder, e->catalog.folder);
    *out = e;
    e = NULL;
done:
    akin_events_close(e);
    return st;
}

void akin_events_close(akin_events *e)
{
    if (e == NULL)
        return;
    akin_collection_close(e->reader);
    ak_catalog_close(&e->catalog);
    akin_free(e);
}

/* Open the catalogue to write, unless it is: who reads events may lack the
 * permission. */
int akin_events_has_moved(const akin_events *e)
{
    return ak_sql_has_moved(&e->catalog.sql);
}

static akin_status need_write(akin_events *e, akin_ctx *ctx)
{
    ak_catalog c = {.lock = -1};
    akin_status st = AKIN_OK;
    if (e->writes)
        return AKIN_OK;
    AK_TRY(ak_catalog_open(&c, ctx, e->folder, AK_CATALOG_CHANGE));
    ak_catalog_close(&e->catalog);
    e->catalog = c;
    c = (ak_catalog){.lock = -1};
    e->writes = true;
done:
    ak_catalog_close(&c);
    return st;
}

/* ---- features of a query from outside ---- */

/* Words are kept one by one. */
static akin_status pack_words(akin_ctx *ctx, ak_sparse x, void **bytes,
                              size_t *n)
{
    enum { MOST = 1 << 20 };  // words of a picture
    int64_t count = 0;
    int32_t *to;
    for (int64_t k = 0; k < x.n; ++k) {
        if (!(x.vals[k] >= 0.0F && x.vals[k] <= (float)(MOST - count)))
            return ak_fail(ctx, AKIN_EINVAL,
                           "the features of the query are not counts of words "
                           "(column %" PRId32 " has %g)",
                           x.cols[k], (double)x.vals[k]);
        count += (int64_t)x.vals[k];
    }
    AK_CHECK(ak_alloc(ctx, count, sizeof *to, bytes));
    to = *bytes;
    *n = (size_t)count * sizeof *to;
    for (int64_t k = 0; k < x.n; ++k)
        for (int64_t i = 0; i < (int64_t)x.vals[k]; ++i)
            *to++ = x.cols[k];
    return AKIN_OK;
}

/* Raw row i as the catalogue keeps one of the space. *bytes: akin_free. */
static akin_status pack(akin_ctx *ctx, const ak_space *space,
                        const akin_rows *rows, int64_t i, void **bytes,
                        size_t *n)
{
    const bool dense = rows->offsets == NULL;
    const int32_t *cols;
    const float *vals;
    if (dense != (space->form == AK_FORM_DENSE) ||
        (dense ? rows->d != space->dim : rows->d > space->dim))
        return ak_fail(ctx, AKIN_ESHAPE,
                       "the features of the query are not %s of %" PRId64
                       " columns",
                       space->name, space->dim);
    if (space->form == AK_FORM_WORDS)
        return pack_words(ctx, ak_rows_sparse(rows, i), bytes, n);
    const size_t count = (size_t)akin_rows_row(&cols, &vals, rows, i);
    AK_CHECK(ak_alloc(ctx, (int64_t)count, dense ? 4 : 8, bytes));
    *n = count * (dense ? 4 : 8);
    if (!dense && count > 0)
        memcpy(*bytes, cols, count * 4);
    if (count > 0)
        memcpy((char *)*bytes + (dense ? 0 : count * 4), vals, count * 4);
    return AKIN_OK;
}

/* The query with these features; -1: nothing was said about it yet. */
static akin_status find_query(const ak_catalog *c, akin_ctx *ctx,
                              const ak_space *space, ak_blob row, int64_t *id)
{
    const size_t start = row.n < 64 ? row.n : 64;
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT id FROM queries WHERE space = ? AND "
                      "substr(row, 1, 64) = ? AND row = ?",
                      "ibb", space->id, (ak_blob){row.bytes, start}, row));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    *id = found ? sqlite3_column_int64(q, 0) : -1;
done:
    sqlite3_finalize(q);
    return st;
}

/* Has the item these features? */
static akin_status is_same(const ak_catalog *c, akin_ctx *ctx,
                           const ak_space *space, int64_t item, ak_blob row,
                           bool *same)
{
    akin_rows *rows = NULL;
    void *bytes = NULL;
    size_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_derive_items(&rows, ctx, c, space, &item, 1));
    AK_TRY(pack(ctx, space, rows, 0, &bytes, &n));
    *same = n == row.n && memcmp(bytes, row.bytes, n) == 0;
done:
    akin_rows_free(rows);
    akin_free(bytes);
    return st;
}

/* The first item with these features of which anything was said; -1: none. */
static akin_status find_judged(const ak_catalog *c, akin_ctx *ctx,
                               const ak_space *space, ak_blob row, int64_t *id)
{
    unsigned char hash[AK_HASH_SIZE];
    sqlite3_stmt *q = NULL;
    bool found = false, same = false;
    akin_status st = AKIN_OK;
    *id = -1;
    if (row.n == 0)
        return AKIN_OK;
    AK_TRY(ak_row_hash(ctx, space, row, hash));
    AK_TRY(
        ak_sql_ask(&c->sql, ctx, &q,
                   "SELECT item FROM judged j WHERE space = ? AND hash = ? "
                   "AND EXISTS (SELECT 1 FROM events e WHERE e.item = j.item "
                   "AND undone = 0) ORDER BY item",
                   "ib", space->id, (ak_blob){hash, sizeof hash}));
    while (!same) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
        if (!found)
            break;
        const int64_t item = sqlite3_column_int64(q, 0);
        AK_TRY(is_same(c, ctx, space, item, row, &same));
        if (same)
            *id = item;
    }
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_event_space(const ak_catalog *c, akin_ctx *ctx,
                           const char *features, ak_space *out)
{
    ak_version v;
    if (features == NULL) {
        AK_CHECK(ak_version_current(c, ctx, &v));
        *out = v.left;
        return AKIN_OK;
    }
    AK_CHECK(ak_space_find(c, ctx, features, out));
    if (out->id < 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the features of the query are %s, which %s does not "
                       "have",
                       features, c->folder);
    return AKIN_OK;
}

static akin_status store_query(const ak_catalog *c, akin_ctx *ctx,
                               const akin_event *event, int64_t *id)
{
    const char *name = event->query ? event->query : "";
    ak_space space;
    void *bytes = NULL;
    size_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_event_space(c, ctx, event->features, &space));
    AK_TRY(pack(ctx, &space, event->row, 0, &bytes, &n));
    AK_TRY(find_query(c, ctx, &space, (ak_blob){bytes, n}, id));
    if (*id >= 0)
        goto done;
    AK_TRY(ak_sql_do(
        &c->sql, ctx, "INSERT INTO queries(name, space, row) VALUES(?,?,?)",
        "bib", (ak_blob){name, strlen(name)}, space.id, (ak_blob){bytes, n}));
    *id = sqlite3_last_insert_rowid(c->sql.db);
done:
    akin_free(bytes);
    return st;
}

/* ---- one event ---- */

static akin_status need_item(const ak_catalog *c, akin_ctx *ctx, int64_t id)
{
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q, "SELECT 1 FROM items WHERE id = ?", "i",
                      id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    if (!found)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: no item with id %" PRId64,
                       c->folder, id));
done:
    sqlite3_finalize(q);
    return st;
}

static bool is_in(int64_t id, const int64_t *ids, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        if (ids[i] == id)
            return true;
    return false;
}

/* An item is at odds with what was said of it. */
static akin_status fail_item(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                             const char *what)
{
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q, "SELECT name FROM items WHERE id = ?",
                      "i", id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    const void *name = found ? sqlite3_column_blob(q, 0) : NULL;
    st = ak_fail(ctx, AKIN_EINVAL, "%.*s %s",
                 name ? sqlite3_column_bytes(q, 0) : 0,
                 name ? (const char *)name : "", what);
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status check_event(const ak_catalog *c, akin_ctx *ctx,
                               const akin_event *v)
{
    const int64_t *const lists[] = {v->good, v->bad, v->shown, v->clicked};
    const int64_t counts[] = {v->n_good, v->n_bad, v->n_shown, v->n_clicked};
    if (v->n_good + v->n_bad + v->n_clicked + v->n_shown == 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "nothing was said (expected good, bad, or shown and "
                       "clicked items)");
    if (v->item < 0 && v->row == NULL)
        return ak_fail(ctx, AKIN_EINVAL, "there is no query");
    if (v->item >= 0)
        AK_CHECK(need_item(c, ctx, v->item));
    for (int k = 0; k < 4; ++k)
        for (int64_t i = 0; i < counts[k]; ++i)
            AK_CHECK(need_item(c, ctx, lists[k][i]));
    for (int64_t i = 0; i < v->n_good; ++i)
        if (is_in(v->good[i], v->bad, v->n_bad))
            return fail_item(c, ctx, v->good[i], "is good and bad at once");
    for (int64_t i = 0; i < v->n_clicked; ++i)
        if (!is_in(v->clicked[i], v->shown, v->n_shown))
            return fail_item(c, ctx, v->clicked[i],
                             "was clicked and not shown");
    return AKIN_OK;
}

static akin_status number_of_key(const ak_catalog *c, akin_ctx *ctx,
                                 const char *key, int64_t *number)
{
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    *number = 0;
    if (key == NULL)
        return AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT number FROM events WHERE key = ?", "t", key));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    *number = found ? sqlite3_column_int64(q, 0) : 0;
done:
    sqlite3_finalize(q);
    return st;
}

static ak_blob blob_of(const int64_t *ids, int64_t n)
{
    return (ak_blob){n > 0 ? ids : NULL, (size_t)n * sizeof *ids};
}

enum { KEY_SIZE = 40 };

/* For an event without one, so that importing it again changes nothing. */
static void make_key(char key[KEY_SIZE])
{
    sqlite3_uint64 x[2];
    sqlite3_randomness(sizeof x, x);
    snprintf(key, KEY_SIZE, "%016llx%016llx", x[0], x[1]);
}

static akin_status check_text(akin_ctx *ctx, const char *what, const char *text)
{
    if (text == NULL || ak_utf8_span(text, strlen(text)) == strlen(text))
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL, "`%s` is not UTF-8, or has control codes",
                   what);
}

/* A name that a version of the user can have. */
static akin_status check_user(akin_ctx *ctx, const char *user)
{
    if (user != NULL && strlen(user) >= AKIN_USER_SIZE)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`user` has too many bytes (expected at most %d)",
                       AKIN_USER_SIZE - 1);
    return check_text(ctx, "user", user);
}

static akin_status insert(const ak_catalog *c, akin_ctx *ctx,
                          const akin_event *v, bool undone, int64_t *number)
{
    int64_t query = -1;
    char own[KEY_SIZE];
    const char *key = v->key;
    AK_CHECK(number_of_key(c, ctx, v->key, number));
    if (*number > 0)
        return AKIN_OK;
    AK_CHECK(check_event(c, ctx, v));
    AK_CHECK(check_text(ctx, "key", v->key));
    AK_CHECK(check_user(ctx, v->user));
    AK_CHECK(v->item < 0 ? store_query(c, ctx, v, &query)
                         : ak_item_judged(c, ctx, v->item));
    if (key == NULL) {
        make_key(own);
        key = own;
    }
    AK_CHECK(ak_sql_do(
        &c->sql, ctx,
        "INSERT INTO events(key, item, query, user, good, bad, shown, clicked,"
        " undone) VALUES(?,?,?,?,?,?,?,?,?)",
        "tiitbbbbi", key, v->item, query, v->user ? v->user : "",
        blob_of(v->good, v->n_good), blob_of(v->bad, v->n_bad),
        blob_of(v->shown, v->n_shown), blob_of(v->clicked, v->n_clicked),
        (int64_t)undone));
    *number = sqlite3_last_insert_rowid(c->sql.db);
    return AKIN_OK;
}

/* "/a/b.txt" and "./b.txt" are files, not texts. */
static bool is_path(const char *query)
{
    const char *start = query + strspn(query, ".");
    return *start == '/' && strpbrk(start, " \t\n") == NULL;
}

/* Of a text, where the items are documents. */
static akin_status describe_text(const akin_events *e, akin_ctx *ctx,
                                 const char *query, akin_rows **out)
{
    const size_t n = strlen(query);
    if (akin_collection_ask(ctx, e->reader, "documents") != AKIN_OK)
        return ak_fail(ctx, AKIN_EINVAL, "%s: no item %s", e->folder, query);
    if (is_path(query))
        return ak_fail(ctx, AKIN_EINVAL, "%s: no item or file %s", e->folder,
                       query);
    AK_CHECK(akin_collection_describe_text(out, ctx, e->reader, &query, &n, 1));
    if (akin_rows_nonzeros(*out) == 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s: no item or file \"%.60s\", and no document has any "
                       "of these words",
                       e->folder, query);
    return AKIN_OK;
}

static akin_status describe(akin_events *e, akin_ctx *ctx, const char *query,
                            akin_rows **out)
{
    if (e->reader == NULL)
        AK_CHECK(akin_collection_open(&e->reader, ctx, e->folder));
    if (access(query, R_OK) != 0)
        return describe_text(e, ctx, query, out);
    AK_CHECK(akin_collection_describe(out, ctx, e->reader, &query, 1));
    if (akin_rows_nonzeros(*out) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "%s: no features found in it", query);
    return AKIN_OK;
}

static akin_status store(akin_events *e, akin_ctx *ctx, const akin_event *event,
                         bool undone, int64_t *number)
{
    const ak_sql *sql = &e->catalog.sql;
    AK_CHECK(need_write(e, ctx));
    if (e->together)
        return insert(&e->catalog, ctx, event, undone, number);
    AK_CHECK(ak_sql_begin(sql, ctx));
    return ak_sql_end(sql, ctx,
                      insert(&e->catalog, ctx, event, undone, number));
}

akin_status ak_event_store(akin_events *e, akin_ctx *ctx,
                           const akin_event *event, bool undone,
                           int64_t *number)
{
    akin_event own = *event;
    akin_rows *row = NULL;
    akin_status st = AKIN_OK;
    if (own.item < 0 && own.row == NULL && own.query != NULL) {
        AK_TRY(describe(e, ctx, own.query, &row));
        own.row = row;
    }
    AK_TRY(store(e, ctx, &own, undone, number));
done:
    akin_rows_free(row);
    return st;
}

akin_status akin_events_begin(akin_ctx *ctx, akin_events *e)
{
    AK_CHECK(need_write(e, ctx));
    AK_CHECK(ak_sql_begin(&e->catalog.sql, ctx));
    e->together = true;
    return AKIN_OK;
}

akin_status akin_events_end(akin_ctx *ctx, akin_events *e, akin_status st)
{
    e->together = false;
    return ak_sql_end(&e->catalog.sql, ctx, st);
}

akin_status akin_events_add(int64_t *number, akin_ctx *ctx, akin_events *e,
                            const akin_event *event)
{
    akin_event own = AKIN_EVENT_INIT;
    ak_options_take(&own, sizeof own, event);
    return ak_event_store(e, ctx, &own, false, number);
}

akin_status akin_events_undo(akin_ctx *ctx, akin_events *e, int64_t number)
{
    const ak_sql *sql = &e->catalog.sql;
    akin_status st = AKIN_OK;
    AK_TRY(need_write(e, ctx));
    AK_TRY(ak_sql_begin(sql, ctx));
    st = ak_sql_do(sql, ctx, "UPDATE events SET undone = 1 WHERE number = ?",
                   "i", number);
    if (st == AKIN_OK && sqlite3_changes(sql->db) == 0)
        st = ak_fail(ctx, AKIN_EINVAL, "%s: no event %" PRId64, e->folder,
                     number);
    st = ak_sql_end(sql, ctx, st);
done:
    return st;
}

akin_status akin_events_count(int64_t *count, akin_ctx *ctx, akin_events *e)
{
    return ak_sql_number(&e->catalog.sql, ctx,
                         "SELECT COUNT(*) FROM events WHERE undone = 0", count);
}

/* ---- all that was said about a query ---- */

/* A judgement: the last of an item counts. */
typedef struct judgement {
    int64_t id, order;
    bool good;
} judgement;

typedef struct judgements {
    judgement *all;
    int64_t n, room;
} judgements;

static akin_status add_list(judgements *j, akin_ctx *ctx, sqlite3_stmt *q,
                            int column, int64_t order, bool good)
{
    const int64_t n = sqlite3_column_bytes(q, column) / (int)sizeof(int64_t);
    const void *bytes = sqlite3_column_blob(q, column);
    AK_CHECK(ak_grow(ctx, j->n + n, &j->room, sizeof *j->all, &j->all));
    for (int64_t i = 0; i < n; ++i) {
        judgement *to = &j->all[j->n++];
        *to = (judgement){.order = order, .good = good};
        memcpy(&to->id, (const char *)bytes + i * 8, sizeof to->id);
    }
    return AKIN_OK;
}

static int by_item(const void *left, const void *right)
{
    const judgement *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static akin_status is_there(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                            bool *there)
{
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q, "SELECT 1 FROM items WHERE id = ?", "i",
                      id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, there));
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status settle(judgements *j, akin_ctx *ctx, const ak_catalog *c,
                          ak_said *out)
{
    if (j->n == 0)
        return AKIN_OK;
    AK_CHECK(AK_NEW(ctx, j->n, &out->good));
    AK_CHECK(AK_NEW(ctx, j->n, &out->bad));
    qsort(j->all, (size_t)j->n, sizeof *j->all, by_item);
    for (int64_t i = 0; i < j->n; ++i) {
        const judgement *x = &j->all[i];
        bool there;
        if (i + 1 < j->n && x[1].id == x->id)
            continue;
        AK_CHECK(is_there(c, ctx, x->id, &there));
        if (!there)
            continue;
        if (x->good)
            out->good[out->n_good++] = x->id;
        else
            out->bad[out->n_bad++] = x->id;
    }
    return AKIN_OK;
}

void ak_said_free(ak_said *s)
{
    akin_free(s->good);
    akin_free(s->bad);
    *s = (ak_said){0};
}

/* Which events count. */
typedef struct counted {
    int64_t item, query;   // what was asked for, either of them; -1: none
    const char *favoured;  // the user with the last word; NULL: nobody
    const char *only;      // the user whose events these are; NULL: everybody's
    int64_t last;          // the number of the last of them
} counted;

static akin_status add_up(ak_said *out, akin_ctx *ctx, const ak_catalog *c,
                          counted which)
{
    enum { NONE = -2 };  // no event has this number
    judgements j = {0};
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    *out = (ak_said){0};
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT good, bad, clicked FROM events WHERE (item = ?1 "
                      "OR query = ?2) AND undone = 0 AND (?4 IS NULL OR user = "
                      "?4) AND number <= ?5 ORDER BY user = ?3 AND ?3 <> '', "
                      "number",
                      "iitti", which.item < 0 ? NONE : which.item,
                      which.query < 0 ? NONE : which.query,
                      which.favoured ? which.favoured : "", which.only,
                      which.last));
    for (int64_t order = 0;; ++order) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(add_list(&j, ctx, q, 2, 2 * order, true));
        AK_TRY(add_list(&j, ctx, q, 0, 2 * order + 1, true));
        AK_TRY(add_list(&j, ctx, q, 1, 2 * order + 1, false));
    }
    AK_TRY(settle(&j, ctx, c, out));
done:
    if (st != AKIN_OK)
        ak_said_free(out);
    sqlite3_finalize(q);
    akin_free(j.all);
    return st;
}

akin_status ak_said_of_item(ak_said *out, akin_ctx *ctx, const ak_catalog *c,
                            int64_t item, const char *user)
{
    return add_up(out, ctx, c, (counted){item, -1, user, NULL, INT64_MAX});
}

akin_status ak_said_until(ak_said *out, akin_ctx *ctx, const ak_catalog *c,
                          int64_t item, int64_t query, const char *user,
                          int64_t last)
{
    return add_up(out, ctx, c, (counted){item, query, NULL, user, last});
}

int ak_by_number(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

akin_status ak_said_of_row(ak_said *out, akin_ctx *ctx, const ak_catalog *c,
                           const ak_space *space, const akin_rows *rows,
                           int64_t i, const char *user)
{
    void *bytes = NULL;
    size_t n = 0;
    int64_t query, item;
    akin_status st = AKIN_OK;
    *out = (ak_said){0};
    AK_TRY(pack(ctx, space, rows, i, &bytes, &n));
    AK_TRY(find_query(c, ctx, space, (ak_blob){bytes, n}, &query));
    AK_TRY(find_judged(c, ctx, space, (ak_blob){bytes, n}, &item));
    AK_TRY(add_up(out, ctx, c, (counted){item, query, user, NULL, INT64_MAX}));
done:
    akin_free(bytes);
    return st;
}
