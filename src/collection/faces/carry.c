#include "collection/faces/carry.h"

#include <stdlib.h>
#include <string.h>

#include "collection/items.h"

/* The number of an item in both collections. */
typedef struct item_pair {
    int64_t old, now;
} item_pair;

typedef struct carrying {
    akin_ctx *ctx;
    const ak_catalog *from, *to;
    item_pair *items;  // by their old number
    int64_t n, room;
} carrying;

akin_status ak_carry_begin(ak_carried *x, akin_ctx *ctx, const char *path,
                           bool force)
{
    char kind[32];
    x->old.lock = -1;
    if (!force || !ak_catalog_is(path))
        return AKIN_OK;
    akin_status st = ak_catalog_open(&x->old, ctx, path, AK_CATALOG_READ);
    if (st == AKIN_OK)
        st = ak_catalog_get(&x->old, ctx, "kind", kind, sizeof kind);
    x->is_open = st == AKIN_OK && strcmp(kind, "faces") == 0;
    if (st != AKIN_OK && st != AKIN_ENOMEM) {
        ak_log(ctx, AKIN_LOG_WARNING,
               "%s; what people said of its faces cannot be kept",
               akin_ctx_message(ctx));
        st = AKIN_OK;
    }
    return st;
}

void ak_carry_end(ak_carried *x)
{
    ak_catalog_close(&x->old);
    *x = (ak_carried){.old = {.lock = -1}};
}

/* ---- faces ---- */

static ak_blob blob_at(sqlite3_stmt *q, int column)
{
    return (ak_blob){sqlite3_column_blob(q, column),
                     (size_t)sqlite3_column_bytes(q, column)};
}

/* The face of this vector in the photo of this name; -1: none, or it is
 * another's. */
static akin_status find_here(const carrying *x, ak_blob photo, ak_blob content,
                             int64_t *item)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    *item = -1;
    AK_TRY(ak_sql_ask_again(&x->to->sql, x->ctx, &q,
                            "SELECT item FROM photos p JOIN faces f ON "
                            "f.photo = p.id JOIN items i ON i.id = item WHERE "
                            "p.name = ? AND i.hash = ? ORDER BY item",
                            "bb", photo, content));
    while (*item < 0) {
        AK_TRY(ak_sql_next(&x->to->sql, x->ctx, q, &row));
        if (!row)
            break;
        *item = sqlite3_column_int64(q, 0);
        for (int64_t k = 0; k < x->n; ++k)
            if (x->items[k].now == *item) {
                *item = -1;
                break;
            }
    }
done:
    ak_sql_end_asking(&x->to->sql, q);
    return st;
}

/* The columns of `faces_said`. */
enum { ITEM, NUMBER, X, CONTENT = 6, REFUSED, NAME, PATH, HASH, SIZE };

/* It waits for its photo, with a number that it had from the beginning. */
static akin_status put_lost(const carrying *x, sqlite3_stmt *q, int64_t *item)
{
    const ak_sql *sql = &x->to->sql;
    AK_CHECK(ak_items_next(x->to, x->ctx, item));
    AK_CHECK(
        ak_sql_do(sql, x->ctx, "INSERT INTO removed VALUES(?)", "i", *item));
    AK_CHECK(ak_sql_do(
        sql, x->ctx,
        "INSERT INTO lost SELECT ?1, (SELECT id FROM photos WHERE name = ?2), "
        "?3, NULL, NULL, NULL, NULL, ?4, '', ?5, ?2, ?6, ?7, ?8, ?9",
        "ibibibbii", *item, blob_at(q, NAME), sqlite3_column_int64(q, NUMBER),
        blob_at(q, CONTENT), sqlite3_column_int64(q, REFUSED), blob_at(q, PATH),
        blob_at(q, HASH), sqlite3_column_int64(q, SIZE),
        sqlite3_column_int64(q, SIZE + 1)));
    if (sqlite3_column_type(q, X) == SQLITE_NULL)
        return AKIN_OK;
    return ak_sql_do(sql, x->ctx,
                     "UPDATE lost SET x = ?, y = ?, width = ?, height = ? "
                     "WHERE item = ?",
                     "ddddi", sqlite3_column_double(q, X),
                     sqlite3_column_double(q, X + 1),
                     sqlite3_column_double(q, X + 2),
                     sqlite3_column_double(q, X + 3), *item);
}

static akin_status put_faces(carrying *x)
{
    static const char faces_said[] =
        "SELECT k.item, number, k.x, k.y, k.width, k.height, content, refused, "
        "ifnull(p.name, k.name), ifnull(p.path, k.path), ifnull(p.hash, "
        "k.hash), ifnull(p.width, k.w), ifnull(p.height, k.h) FROM (SELECT "
        "item, photo, number, x, y, f.width, f.height, i.hash AS content, 0 AS "
        "refused, NULL AS name, NULL AS path, NULL AS hash, NULL AS w, NULL AS "
        "h FROM faces f JOIN items i ON i.id = item UNION ALL SELECT item, "
        "photo, number, x, y, width, height, content, refused, name, path, "
        "hash, photo_width, photo_height FROM lost) k LEFT JOIN photos p ON "
        "p.id = k.photo WHERE refused OR EXISTS (SELECT 1 FROM answers a WHERE "
        "a.item = k.item) ORDER BY k.item";
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&x->from->sql, x->ctx, &q, faces_said, ""));
    for (;;) {
        item_pair pair;
        AK_TRY(ak_sql_next(&x->from->sql, x->ctx, q, &row));
        if (!row)
            break;
        pair.old = sqlite3_column_int64(q, ITEM);
        AK_TRY(find_here(x, blob_at(q, NAME), blob_at(q, CONTENT), &pair.now));
        if (pair.now < 0)
            AK_TRY(put_lost(x, q, &pair.now));
        AK_TRY(
            ak_grow(x->ctx, x->n + 1, &x->room, sizeof *x->items, &x->items));
        x->items[x->n++] = pair;
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* ---- answers ---- */

static int by_old(const void *left, const void *right)
{
    const item_pair *a = left, *b = right;
    return (a->old > b->old) - (a->old < b->old);
}

/* Those about a face whose place is not known are left behind. */
static akin_status put_answer(const carrying *x, sqlite3_stmt *q)
{
    const item_pair wanted = {sqlite3_column_int64(q, 2), 0};
    const bool has_face = sqlite3_column_type(q, 2) != SQLITE_NULL;
    const item_pair *found =
        has_face && x->n > 0
            ? bsearch(&wanted, x->items, (size_t)x->n, sizeof wanted, by_old)
            : NULL;
    if (has_face && found == NULL)
        return AKIN_OK;
    return ak_sql_do(
        &x->to->sql, x->ctx,
        "INSERT INTO answers VALUES(?,?,nullif(?, -1),?,?,?,?,?,?,?,?,?,?)",
        "itittttiddddb", sqlite3_column_int64(q, 0),
        (const char *)sqlite3_column_text(q, 1),
        found ? found->now : (int64_t)-1,
        (const char *)sqlite3_column_text(q, 3),
        (const char *)sqlite3_column_text(q, 4),
        (const char *)sqlite3_column_text(q, 5),
        (const char *)sqlite3_column_text(q, 6), sqlite3_column_int64(q, 7),
        sqlite3_column_double(q, 8), sqlite3_column_double(q, 9),
        sqlite3_column_double(q, 10), sqlite3_column_double(q, 11),
        blob_at(q, 12));
}

/* Its photo comes later. */
static akin_status put_correction(const carrying *x, sqlite3_stmt *q)
{
    const ak_sql *sql = &x->to->sql;
    const int64_t number = sqlite3_column_int64(q, 0);
    AK_CHECK(ak_sql_do(
        sql, x->ctx,
        "INSERT INTO answers(number, key, kind, name, other, user, undone) "
        "VALUES(?,?,?,?,?,?,?)",
        "ittttti", number, (const char *)sqlite3_column_text(q, 1),
        (const char *)sqlite3_column_text(q, 2),
        (const char *)sqlite3_column_text(q, 3),
        (const char *)sqlite3_column_text(q, 4),
        (const char *)sqlite3_column_text(q, 5), sqlite3_column_int64(q, 6)));
    AK_CHECK(ak_sql_do(sql, x->ctx,
                       "INSERT INTO caption_answers VALUES(?, -1, nullif(?, "
                       "-1), nullif(?, -1), ?)",
                       "iiit", number, sqlite3_column_int64(q, 7),
                       sqlite3_column_int64(q, 8),
                       (const char *)sqlite3_column_text(q, 9)));
    return ak_sql_do(sql, x->ctx, "INSERT INTO carried VALUES(?, ?, ?)", "ibb",
                     number, blob_at(q, 10), blob_at(q, 11));
}

/* ---- persons that were removed ---- */

static akin_status put_removed_face(const carrying *x, sqlite3_stmt *q)
{
    const ak_sql *sql = &x->to->sql;
    AK_CHECK(ak_sql_do(sql, x->ctx,
                       "INSERT INTO removed_faces(hash, content, name) "
                       "VALUES(?, ?, ?)",
                       "bbb", blob_at(q, 0), blob_at(q, 1), blob_at(q, 2)));
    if (sqlite3_column_type(q, 3) == SQLITE_NULL)
        return AKIN_OK;
    return ak_sql_do(sql, x->ctx,
                     "UPDATE removed_faces SET x = ?, y = ?, width = ?, height "
                     "= ? WHERE rowid = last_insert_rowid()",
                     "dddd", sqlite3_column_double(q, 3),
                     sqlite3_column_double(q, 4), sqlite3_column_double(q, 5),
                     sqlite3_column_double(q, 6));
}

static akin_status put_blanked(const carrying *x, sqlite3_stmt *q)
{
    return ak_sql_do(&x->to->sql, x->ctx,
                     "INSERT INTO blanked(caption, names, name, rest, others) "
                     "VALUES(?, ?, ?, ?, ?)",
                     "bbbtt", blob_at(q, 0), blob_at(q, 1), blob_at(q, 2),
                     (const char *)sqlite3_column_text(q, 3),
                     (const char *)sqlite3_column_text(q, 4));
}

static akin_status put_each(const carrying *x, const char *question,
                            akin_status (*put)(const carrying *,
                                               sqlite3_stmt *))
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&x->from->sql, x->ctx, &q, question, ""));
    for (;;) {
        AK_TRY(ak_sql_next(&x->from->sql, x->ctx, q, &row));
        if (!row)
            break;
        AK_TRY(put(x, q));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* Names that are in the picture count as given then. */
static const char blanked_captions[] =
    "SELECT b.caption, b.names, ifnull(p.name, b.name), iif(p.id IS NULL, "
    "rest, p.caption), iif(p.id IS NULL, others, ifnull((SELECT "
    "group_concat(name, char(10)) FROM (SELECT name FROM caption_names WHERE "
    "photo = p.id AND in_picture = 'yes' ORDER BY place)), '')) FROM blanked b "
    "LEFT JOIN photos p ON p.id = b.photo";

static const char corrections[] =
    "SELECT a.number, key, kind, a.name, other, user, undone, ifnull(first, "
    "-1), ifnull(last, -1), mention, ifnull(p.name, k.name), ifnull(p.hash, "
    "k.hash) FROM answers a JOIN caption_answers c ON c.number = a.number LEFT "
    "JOIN photos p ON p.id = c.photo LEFT JOIN carried k ON k.number = "
    "a.number ORDER BY a.number";

akin_status ak_carry_captions(const ak_carried *carried, akin_ctx *ctx,
                              const ak_catalog *to)
{
    const carrying x = {.ctx = ctx, .from = &carried->old, .to = to};
    if (!carried->is_open)
        return AKIN_OK;
    AK_CHECK(put_each(&x,
                      "SELECT r.hash, content, ifnull(p.name, r.name), x, y, "
                      "r.width, r.height FROM removed_faces r LEFT JOIN photos "
                      "p ON p.id = r.photo",
                      put_removed_face));
    AK_CHECK(put_each(&x, blanked_captions, put_blanked));
    return put_each(&x, corrections, put_correction);
}

akin_status ak_carry_put(const ak_carried *carried, akin_ctx *ctx,
                         const ak_catalog *to)
{
    carrying x = {.ctx = ctx, .from = &carried->old, .to = to};
    akin_status st = AKIN_OK;
    if (!carried->is_open)
        return AKIN_OK;
    AK_TRY(ak_sql_run(&x.from->sql, ctx, "BEGIN"));  // of one moment
    st = put_faces(&x);
    if (st == AKIN_OK)
        st = put_each(&x,
                      "SELECT number, key, item, kind, name, other, user, "
                      "undone, x, y, width, height, before FROM answers WHERE "
                      "number NOT IN (SELECT number FROM caption_answers) "
                      "ORDER BY number",
                      put_answer);
    st = ak_sql_end(&x.from->sql, ctx, st);
done:
    akin_free(x.items);
    return st;
}
