#include "collection/files.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ak_stamp ak_stamp_of(const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return (ak_stamp){0, 0};
    return (ak_stamp){s.st_size, (int64_t)s.st_mtim.tv_sec * 1000000000 +
                                     s.st_mtim.tv_nsec};
}

/* ---- what is known ---- */

akin_status ak_known_ask(const ak_catalog *c, akin_ctx *ctx,
                         const char *question, ak_blob key, ak_known *out)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    *out = (ak_known){.id = -1};
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q, question, "b", key));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    if (!row)
        goto done;
    out->id = sqlite3_column_int64(q, 0);
    out->folder = sqlite3_column_int64(q, 1);
    out->stamp =
        (ak_stamp){sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 3)};
    out->hashed = sqlite3_column_bytes(q, 4) == AK_HASH_SIZE;
    if (out->hashed)
        memcpy(out->hash, sqlite3_column_blob(q, 4), AK_HASH_SIZE);
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_known_by_path(const ak_catalog *c, akin_ctx *ctx,
                             const char *path, ak_known *out)
{
    return ak_known_ask(c, ctx,
                        "SELECT id, folder, size, modified, hash FROM items "
                        "WHERE path = ?",
                        (ak_blob){path, strlen(path)}, out);
}

akin_status ak_known_by_name(const ak_catalog *c, akin_ctx *ctx, ak_blob name,
                             ak_known *out)
{
    return ak_known_ask(c, ctx,
                        "SELECT id, folder, size, modified, hash FROM items "
                        "WHERE name = ? AND +path IS NULL",
                        name, out);
}

akin_status ak_source_find(const ak_catalog *c, akin_ctx *ctx, const char *path,
                           int64_t *id, bool *is_done)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT id, done FROM folders WHERE path = ?", "b",
                      (ak_blob){path, strlen(path)}));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    *id = row ? sqlite3_column_int64(q, 0) : 0;
    if (is_done != NULL)
        *is_done = !row || sqlite3_column_int(q, 1) != 0;
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_source_next(const ak_catalog *c, akin_ctx *ctx, int64_t *id,
                           char path[PATH_MAX], bool *found)
{
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT id, path FROM folders WHERE done = 0 AND id > ? "
                      "ORDER BY id LIMIT 1",
                      "i", *id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, found));
    if (*found && sqlite3_column_bytes(q, 1) >= PATH_MAX)
        AK_TRY(
            ak_fail(ctx, AKIN_EFORMAT, "%s: a path is too long", c->sql.path));
    if (*found) {
        *id = sqlite3_column_int64(q, 0);
        ak_path_take(q, 1, path);
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* ---- what was left out ---- */

akin_status ak_left_out_add(const ak_catalog *c, akin_ctx *ctx,
                            const char *path, const char *why)
{
    const size_t n = strlen(path);
    const bool has_path = strncmp(why, path, n) == 0 &&
                          strncmp(why + n, ": ", 2) == 0;
    return ak_sql_do(&c->sql, ctx,
                     "INSERT OR REPLACE INTO left_out VALUES(?, ?)", "bt",
                     (ak_blob){path, n}, has_path ? why + n + 2 : why);
}

akin_status ak_left_out_forget(const ak_catalog *c, akin_ctx *ctx,
                               const char *source)
{
    const size_t n = strlen(source);
    return ak_sql_do(&c->sql, ctx,
                     "DELETE FROM left_out WHERE substr(path, 1, ?1) = ?2 AND "
                     "substr(path, ?1 + 1, 1) IN (x'2f', x'3a')",
                     "ib", (int64_t)n, (ak_blob){source, n});
}

/* ---- what is gone ---- */

bool ak_path_take(sqlite3_stmt *q, int column, char path[PATH_MAX])
{
    const size_t n = (size_t)sqlite3_column_bytes(q, column);
    path[0] = '\0';
    if (n == 0 || n >= PATH_MAX)
        return false;
    memcpy(path, sqlite3_column_blob(q, column), n);
    path[n] = '\0';
    return true;
}

bool ak_path_is_gone(sqlite3_stmt *q, int column)
{
    char path[PATH_MAX];
    return ak_path_take(q, column, path) && access(path, F_OK) != 0;
}

static akin_status begin_gone(const ak_catalog *c, akin_ctx *ctx)
{
    return ak_sql_run(&c->sql, ctx,
                      "CREATE TEMP TABLE IF NOT EXISTS gone(item INTEGER "
                      "PRIMARY KEY, folder INTEGER, hash BLOB); CREATE INDEX "
                      "IF NOT EXISTS gone_by_hash ON gone(hash); DELETE FROM "
                      "gone");
}

static akin_status add_gone(const ak_catalog *c, akin_ctx *ctx, int64_t id)
{
    return ak_sql_do(&c->sql, ctx,
                     "INSERT INTO gone SELECT id, folder, hash FROM items "
                     "WHERE id = ?",
                     "i", id);
}

akin_status ak_gone_begin(const ak_catalog *c, akin_ctx *ctx)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(begin_gone(c, ctx));
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT id, path FROM items WHERE path IS NOT NULL", ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        if (ak_path_is_gone(q, 1))
            AK_TRY(add_gone(c, ctx, sqlite3_column_int64(q, 0)));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* Is it FILE:N, of the file of this path? */
static bool is_numbered(sqlite3_stmt *q, int name, int path)
{
    const char *text = sqlite3_column_blob(q, name);
    const char *end = text + sqlite3_column_bytes(q, name);
    const char *file = sqlite3_column_blob(q, path);
    const char *file_end = file + sqlite3_column_bytes(q, path);
    const char *base = file_end, *digits = end;
    while (base > file && base[-1] != '/')
        --base;
    while (digits > text && digits[-1] >= '0' && digits[-1] <= '9')
        --digits;
    return digits < end && digits - text == file_end - base + 1 &&
           digits[-1] == ':' &&
           memcmp(text, base, (size_t)(file_end - base)) == 0;
}

akin_status ak_gone_records(const ak_catalog *c, akin_ctx *ctx)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(begin_gone(c, ctx));
    AK_TRY(ak_sql_run(&c->sql, ctx,
                      "CREATE TEMP TABLE IF NOT EXISTS had(folder INTEGER "
                      "PRIMARY KEY, n INTEGER); DELETE FROM had; INSERT INTO "
                      "had SELECT folder, COUNT(*) FROM items WHERE path IS "
                      "NULL AND folder > 0 GROUP BY folder"));
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT i.id, f.path, i.name FROM items i JOIN folders f "
                      "ON f.id = i.folder WHERE i.path IS NULL",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        if (is_numbered(q, 2, 1) && ak_path_is_gone(q, 1))
            AK_TRY(add_gone(c, ctx, sqlite3_column_int64(q, 0)));
    }
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_gone_take_rest(const ak_catalog *c, akin_ctx *ctx,
                              int64_t source)
{
    return ak_sql_do(
        &c->sql, ctx,
        "UPDATE items SET folder = ?1 WHERE path IS NULL AND "
        "folder IN (SELECT had.folder FROM had JOIN (SELECT "
        "folder, COUNT(*) AS n FROM items WHERE path IS NULL GROUP "
        "BY folder) AS has ON has.folder = had.folder WHERE "
        "had.folder <> ?1 AND 2 * has.n <= had.n)",
        "i", source);
}

akin_status ak_gone_source(const ak_catalog *c, akin_ctx *ctx, int64_t source)
{
    AK_CHECK(begin_gone(c, ctx));
    return ak_sql_do(&c->sql, ctx,
                     "INSERT INTO gone SELECT id, folder, hash FROM items "
                     "WHERE folder = ? AND path IS NULL",
                     "i", source);
}

akin_status ak_gone_drop(const ak_catalog *c, akin_ctx *ctx, int64_t id)
{
    return ak_sql_do(&c->sql, ctx, "DELETE FROM gone WHERE item = ?", "i", id);
}

akin_status ak_gone_take(const ak_catalog *c, akin_ctx *ctx, ak_blob hash,
                         int64_t *id)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    *id = -1;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT item FROM gone WHERE hash = ? ORDER BY item "
                      "LIMIT 1",
                      "b", hash));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    if (row)
        *id = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    q = NULL;
    if (row)
        AK_TRY(ak_gone_drop(c, ctx, *id));
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_gone_end(const ak_catalog *c, akin_ctx *ctx, int64_t folder,
                        bool remove, int64_t *count)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT item FROM gone WHERE ?1 = 0 OR folder = ?1 ORDER "
                      "BY item",
                      "i", folder));
    for (*count = 0;; ++*count) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        if (remove)
            AK_TRY(ak_item_remove(c, ctx, sqlite3_column_int64(q, 0)));
    }
done:
    sqlite3_finalize(q);
    return st;
}
