#include "collection/dismissed.h"

#include <string.h>

#include "collection/files.h"

/* Pictures of an earlier akin have no hash yet. */
static akin_status need_hash(const ak_catalog *c, akin_ctx *ctx, int64_t id)
{
    unsigned char hash[AK_HASH_SIZE];
    char path[PATH_MAX];
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT path FROM items WHERE id = ? AND hash IS NULL "
                      "AND path IS NOT NULL",
                      "i", id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    if (row && ak_path_take(q, 0, path) &&
        ak_hash_file(ctx, path, hash) == AKIN_OK)
        AK_TRY(ak_sql_do(&c->sql, ctx, "UPDATE items SET hash = ? WHERE id = ?",
                         "bi", (ak_blob){hash, sizeof hash}, id));
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_dismiss(const ak_catalog *c, akin_ctx *ctx, int64_t id)
{
    AK_CHECK(need_hash(c, ctx, id));
    return ak_sql_do(&c->sql, ctx,
                     "INSERT OR REPLACE INTO dismissed(id, hash, folder, path, "
                     "name) SELECT -1 - id, hash, folder, path, name FROM "
                     "items WHERE id = ? AND folder > 0 AND hash IS NOT NULL",
                     "i", id);
}

static ak_dismissed dismissed_of(int64_t id, bool is_here)
{
    return (ak_dismissed){id, id < 0 ? -1 - id : -1, is_here};
}

/* The first that is here, or else the first whose place is gone: from rows of
 * (id, is it here, its place). */
static akin_status choose(const ak_catalog *c, akin_ctx *ctx, sqlite3_stmt *q,
                          ak_dismissed *out)
{
    bool row = true;
    *out = (ak_dismissed){.item = -1};
    while (!out->is_here) {
        AK_CHECK(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        const bool is_here = sqlite3_column_int(q, 1) != 0;
        if (is_here || (out->id == 0 && ak_path_is_gone(q, 2)))
            *out = dismissed_of(sqlite3_column_int64(q, 0), is_here);
    }
    return AKIN_OK;
}

akin_status ak_dismissed_file(const ak_catalog *c, akin_ctx *ctx, ak_blob hash,
                              const char *path, ak_dismissed *out)
{
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT id, path = ?, path FROM dismissed WHERE hash = ? "
                      "AND path IS NOT NULL ORDER BY id",
                      "bb", (ak_blob){path, strlen(path)}, hash));
    AK_TRY(choose(c, ctx, q, out));
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_dismissed_record(const ak_catalog *c, akin_ctx *ctx,
                                ak_blob hash, const ak_blob *name,
                                int64_t source, ak_dismissed *out)
{
    const ak_blob any = {NULL, 0};
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT d.id, d.folder = ?1, f.path FROM dismissed d "
                      "JOIN folders f ON f.id = d.folder WHERE hash = ?2 AND "
                      "d.path IS NULL AND name = ifnull(?3, name) ORDER BY "
                      "d.id",
                      "ibb", source, hash, name ? *name : any));
    AK_TRY(choose(c, ctx, q, out));
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_dismissed_move(const ak_catalog *c, akin_ctx *ctx,
                              const ak_dismissed *d, const char *path,
                              int64_t source)
{
    if (d->is_here)
        return AKIN_OK;
    return ak_sql_do(
        &c->sql, ctx, "UPDATE dismissed SET path = ?, folder = ? WHERE id = ?",
        "bii", (ak_blob){path, path ? strlen(path) : 0}, source, d->id);
}

akin_status ak_dismissed_forget(const ak_catalog *c, akin_ctx *ctx,
                                const ak_dismissed *d)
{
    return ak_sql_do(&c->sql, ctx, "DELETE FROM dismissed WHERE id = ?", "i",
                     d->id);
}
