#include "collection/items.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/file.h"
#include "collection/pictures/thumbnail.h"

/* ---- spaces ---- */

static const char *const forms[] = {"words", "sparse", "dense"};

/* The first row of a question for id, name, form, dim. */
static akin_status take_space(const ak_catalog *c, akin_ctx *ctx,
                              sqlite3_stmt *q, ak_space *out)
{
    bool row = false;
    *out = (ak_space){.id = -1};
    AK_CHECK(ak_sql_next(&c->sql, ctx, q, &row));
    if (!row)
        return AKIN_OK;
    const char *name = (const char *)sqlite3_column_text(q, 1);
    const char *form = (const char *)sqlite3_column_text(q, 2);
    int k = 0;
    while (k < 3 && (form == NULL || strcmp(form, forms[k]) != 0))
        ++k;
    out->dim = sqlite3_column_int64(q, 3);
    if (name == NULL || strlen(name) >= sizeof out->name || k == 3 ||
        out->dim < 0 || out->dim > INT32_MAX)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: a space is invalid",
                       c->sql.path);
    strcpy(out->name, name);
    out->form = (ak_form)k;
    out->id = sqlite3_column_int64(q, 0);
    return AKIN_OK;
}

akin_status ak_space_find(const ak_catalog *c, akin_ctx *ctx, const char *name,
                          ak_space *out)
{
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT id, name, form, dim FROM spaces WHERE name = ?",
                      "t", name));
    AK_TRY(take_space(c, ctx, q, out));
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_space_get(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                         ak_space *out)
{
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT id, name, form, dim FROM spaces WHERE id = ?",
                      "i", id));
    AK_TRY(take_space(c, ctx, q, out));
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_space_put(const ak_catalog *c, akin_ctx *ctx, const ak_space *s)
{
    return ak_sql_do(&c->sql, ctx,
                     "INSERT INTO spaces VALUES(?,?,?,?) ON CONFLICT(id) DO "
                     "UPDATE SET dim = excluded.dim",
                     "itti", s->id, s->name, forms[s->form], s->dim);
}

akin_status ak_space_count(const ak_catalog *c, akin_ctx *ctx,
                           const ak_space *s, int64_t *n)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    *n = 0;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT COUNT(*) FROM features WHERE key % 16 = ?", "i",
                      s->id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    if (row)
        *n = sqlite3_column_int64(q, 0);
done:
    sqlite3_finalize(q);
    return st;
}

/* ---- items ---- */

akin_status ak_item_find(const ak_catalog *c, akin_ctx *ctx, const char *name,
                         int64_t *id)
{
    char path[PATH_MAX];
    const bool is_file = realpath(name, path) != NULL;
    const ak_blob whole = {is_file ? path : name,
                           strlen(is_file ? path : name)};
    const ak_blob part = {name, strlen(name)};
    sqlite3_stmt *q = NULL;
    bool found = false, another = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT id FROM items WHERE path = ? UNION SELECT id "
                      "FROM items WHERE name = ? LIMIT 2",
                      "bb", whole, part));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    *id = found ? sqlite3_column_int64(q, 0) : -1;
    if (found)
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &another));
    if (!found || another)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: %s item %s", c->folder,
                       found ? "more than one" : "no", name));
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status wait(const ak_catalog *c, akin_ctx *ctx, int64_t id)
{
    return ak_sql_do(&c->sql, ctx,
                     "INSERT OR REPLACE INTO waiting(item) VALUES(?)", "i", id);
}

akin_status ak_items_next(const ak_catalog *c, akin_ctx *ctx, int64_t *id)
{
    return ak_sql_number(&c->sql, ctx,
                         "SELECT 1 + max(ifnull((SELECT max(id) FROM items), "
                         "-1), ifnull((SELECT max(id) FROM removed), -1))",
                         id);
}

/* Every number that was given is that of an item, or of a removed one. */
akin_status ak_items_count(const ak_catalog *c, akin_ctx *ctx, int64_t *n)
{
    int64_t removed;
    AK_CHECK(ak_items_next(c, ctx, n));
    AK_CHECK(
        ak_sql_number(&c->sql, ctx, "SELECT COUNT(*) FROM removed", &removed));
    *n -= removed;
    return AKIN_OK;
}

/* The number that it had, if it is a removed one, else the next. */
static akin_status take_number(const ak_catalog *c, akin_ctx *ctx, int64_t *id)
{
    AK_CHECK(
        ak_sql_do(&c->sql, ctx, "DELETE FROM removed WHERE id = ?", "i", *id));
    return sqlite3_changes(c->sql.db) > 0 ? AKIN_OK : ak_items_next(c, ctx, id);
}

akin_status ak_item_insert(const ak_catalog *c, akin_ctx *ctx,
                           ak_catalog_item *item)
{
    AK_CHECK(item->id < 0 ? ak_items_next(c, ctx, &item->id)
                          : take_number(c, ctx, &item->id));
    AK_CHECK(ak_sql_do(
        &c->sql, ctx, "INSERT INTO items VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
        "ibbitiibiiit", item->id, item->name, item->path, item->folder,
        item->labels, item->size, item->modified, item->hash, item->width,
        item->height, item->n, item->snippet));
    return wait(c, ctx, item->id);
}

akin_status ak_item_update(const ak_catalog *c, akin_ctx *ctx,
                           const ak_catalog_item *item)
{
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "UPDATE items SET size = ?, modified = ?, hash = ?, "
                       "width = ?, height = ?, n = ?, snippet = ? WHERE id = ?",
                       "iibiiiti", item->size, item->modified, item->hash,
                       item->width, item->height, item->n, item->snippet,
                       item->id));
    return wait(c, ctx, item->id);
}

/* ---- items that something was said of ---- */

static int by_word(const void *left, const void *right)
{
    const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

akin_status ak_row_hash(akin_ctx *ctx, const ak_space *space, ak_blob row,
                        unsigned char hash[AK_HASH_SIZE])
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int32_t *words;
    akin_status st = AKIN_OK;
    if (space->form != AK_FORM_WORDS || row.n == 0) {
        ak_hash_bytes(row.bytes, row.n, hash);
        return AKIN_OK;
    }
    const size_t n = row.n / sizeof *words;
    AK_TRY(AK_SCRATCH(ctx, (int64_t)n, &words));
    memcpy(words, row.bytes, n * sizeof *words);
    qsort(words, n, sizeof *words, by_word);
    ak_hash_bytes(words, n * sizeof *words, hash);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_item_judged(const ak_catalog *c, akin_ctx *ctx, int64_t id)
{
    const int64_t key = id * AK_MOST_SPACES;
    unsigned char hash[AK_HASH_SIZE];
    sqlite3_stmt *q = NULL;
    ak_space space;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT key - ?1, row FROM features WHERE key BETWEEN ?1 "
                      "AND ?2",
                      "ii", key, key + AK_MOST_SPACES - 1));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        const ak_blob blob = {sqlite3_column_blob(q, 1),
                              (size_t)sqlite3_column_bytes(q, 1)};
        AK_TRY(ak_space_get(c, ctx, sqlite3_column_int64(q, 0), &space));
        AK_TRY(ak_row_hash(ctx, &space, blob, hash));
        AK_TRY(ak_sql_do(&c->sql, ctx,
                         "INSERT OR REPLACE INTO judged VALUES(?,?,?)", "iib",
                         id, space.id, (ak_blob){hash, sizeof hash}));
    }
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_item_judged_again(const ak_catalog *c, akin_ctx *ctx, int64_t id)
{
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT 1 FROM events WHERE item = ? LIMIT 1", "i", id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    if (found)
        AK_TRY(ak_item_judged(c, ctx, id));
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_item_features(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                             int64_t space, ak_blob row, ak_blob frames)
{
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "INSERT OR REPLACE INTO features VALUES(?,?,?)", "ibb",
                       id * AK_MOST_SPACES + space, row, frames));
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "DELETE FROM judged WHERE item = ? AND space = ?", "ii",
                       id, space));
    return sqlite3_changes(c->sql.db) > 0 ? ak_item_judged(c, ctx, id)
                                          : AKIN_OK;
}

/* ---- what else an item has ---- */

akin_status ak_item_labels(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                           const char *labels)
{
    return ak_sql_do(&c->sql, ctx, "UPDATE items SET labels = ? WHERE id = ?",
                     "ti", labels, id);
}

akin_status ak_item_field(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                          const char *name, const char *value)
{
    char *end;
    const double number = strtod(value, &end);
    if (value[0] == '\0')
        return ak_sql_do(&c->sql, ctx,
                         "DELETE FROM fields WHERE item = ? AND name = ?", "it",
                         id, name);
    if (*end == '\0' && fabs(number) < 1e15 && number == floor(number))
        return ak_sql_do(&c->sql, ctx,
                         "INSERT OR REPLACE INTO fields VALUES(?,?,?)", "iti",
                         id, name, (int64_t)number);
    if (*end == '\0' && isfinite(number))
        return ak_sql_do(&c->sql, ctx,
                         "INSERT OR REPLACE INTO fields VALUES(?,?,?)", "itd",
                         id, name, number);
    return ak_sql_do(&c->sql, ctx,
                     "INSERT OR REPLACE INTO fields VALUES(?,?,?)", "itt", id,
                     name, value);
}

akin_status ak_item_fields(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                           const char *texts, int64_t n)
{
    AK_CHECK(
        ak_sql_do(&c->sql, ctx, "DELETE FROM fields WHERE item = ?", "i", id));
    for (int64_t k = 0; k < n; ++k) {
        const char *name = texts, *value = name + strlen(name) + 1;
        AK_CHECK(ak_item_field(c, ctx, id, name, value));
        texts = value + strlen(value) + 1;
    }
    return AKIN_OK;
}

akin_status ak_item_remove(const ak_catalog *c, akin_ctx *ctx, int64_t id)
{
    const int64_t key = id * AK_MOST_SPACES;
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "INSERT INTO lost(item, photo, number, x, y, width, "
                       "height, content, labels) SELECT item, photo, number, "
                       "f.x, f.y, f.width, f.height, i.hash, i.labels FROM "
                       "faces f JOIN items i ON i.id = item WHERE item = ?",
                       "i", id));
    AK_CHECK(
        ak_sql_do(&c->sql, ctx, "DELETE FROM items WHERE id = ?", "i", id));
    AK_CHECK(
        ak_sql_do(&c->sql, ctx, "DELETE FROM fields WHERE item = ?", "i", id));
    AK_CHECK(
        ak_sql_do(&c->sql, ctx, "DELETE FROM waiting WHERE item = ?", "i", id));
    AK_CHECK(
        ak_sql_do(&c->sql, ctx, "DELETE FROM judged WHERE item = ?", "i", id));
    AK_CHECK(
        ak_sql_do(&c->sql, ctx, "DELETE FROM faces WHERE item = ?", "i", id));
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "DELETE FROM features WHERE key BETWEEN ? AND ?", "ii",
                       key, key + AK_MOST_SPACES - 1));
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "INSERT OR IGNORE INTO dead SELECT id, ? FROM segments "
                       "WHERE last >= ?",
                       "ii", id, id));
    ak_thumbnail_forget(c, id);
    return ak_sql_do(&c->sql, ctx, "INSERT INTO removed VALUES(?)", "i", id);
}

akin_status ak_item_move(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                         ak_blob path, ak_blob name, int64_t folder)
{
    return ak_sql_do(&c->sql, ctx,
                     "UPDATE items SET path = ?, name = ?, folder = ? WHERE id "
                     "= ?",
                     "bbii", path, name, folder, id);
}

/* ---- content ---- */

void ak_hash_bytes(const void *bytes, size_t n,
                   unsigned char hash[AK_HASH_SIZE])
{
    XXH128_canonicalFromHash((XXH128_canonical_t *)hash,
                             XXH3_128bits(bytes, n));
}

akin_status ak_hash_file(akin_ctx *ctx, const char *path,
                         unsigned char hash[AK_HASH_SIZE])
{
    enum { BLOCK = 1 << 16 };
    unsigned char block[BLOCK];
    XXH3_state_t *state = XXH3_createState();
    int fd = -1;
    ssize_t n = 0;
    akin_status st = AKIN_OK;
    if (state == NULL)
        return ak_nomem(ctx, 0);
    XXH3_128bits_reset(state);
    AK_TRY(ak_file_open(ctx, path, &fd));
    while ((n = read(fd, block, sizeof block)) > 0)
        XXH3_128bits_update(state, block, (size_t)n);
    if (n < 0)
        AK_TRY(ak_file_fail(ctx, AKIN_EIO, path));
    XXH128_canonicalFromHash((XXH128_canonical_t *)hash,
                             XXH3_128bits_digest(state));
done:
    if (fd >= 0)
        close(fd);
    XXH3_freeState(state);
    return st;
}
