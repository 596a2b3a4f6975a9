/* Items leave a collection. */
#include <string.h>
#include <unistd.h>

#include "collection/collection.h"
#include "collection/dismissed.h"
#include "collection/where.h"

/* The items of the names, flagged by id. */
static akin_status flag_names(akin_collection *c, akin_ctx *ctx,
                              const char *const *names, int64_t n,
                              unsigned char *flags)
{
    for (int64_t i = 0; i < n; ++i) {
        int64_t row;
        AK_CHECK(akin_collection_find(&row, ctx, c, names[i]));
        flags[ak_collection_id(c, row)] = 1;
    }
    return AKIN_OK;
}

static akin_status flag_all(akin_collection *c, akin_ctx *ctx,
                            const char *const *names, int64_t n_names,
                            const char *where, unsigned char **flags,
                            int64_t *n)
{
    if (where != NULL)
        AK_CHECK(ak_where(flags, n, ctx, &c->catalog, where));
    else {
        AK_CHECK(ak_sql_number(&c->catalog.sql, ctx,
                               "SELECT 1 + ifnull(max(id), -1) FROM items", n));
        AK_CHECK(AK_SCRATCH(ctx, *n, flags));
    }
    return flag_names(c, ctx, names, n_names, *flags);
}

static akin_status remove_flagged(const ak_catalog *c, akin_ctx *ctx,
                                  const unsigned char *flags, int64_t n,
                                  int64_t *removed)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_begin(&c->sql, ctx));
    for (int64_t id = 0; id < n && st == AKIN_OK; ++id)
        if (flags[id]) {
            st = ak_dismiss(c, ctx, id);
            if (st == AKIN_OK)
                st = ak_item_remove(c, ctx, id);
            if (st == AKIN_OK)  // of a face: it is not to be found again
                st = ak_sql_do(&c->sql, ctx,
                               "UPDATE lost SET refused = 1 WHERE item = ?",
                               "i", id);
            ++*removed;
        }
    AK_TRY(ak_sql_end(&c->sql, ctx, st));
    AK_TRY(ak_segments_update(c, ctx));
done:
    return st;
}

/* Whoever adds or removes meanwhile waits. */
akin_status akin_collection_remove(int64_t *removed, akin_ctx *ctx,
                                   const char *path, const char *const *names,
                                   int64_t n_names, const char *where)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_catalog writer = {.lock = -1};
    akin_collection *c = NULL;
    unsigned char *flags;
    int64_t n;
    akin_status st = AKIN_OK;
    *removed = 0;
    if (!akin_collection_is(path))
        AK_TRY(ak_fail(ctx, AKIN_ENOENT, "%s: not a collection", path));
    AK_TRY(ak_catalog_open(&writer, ctx, path, AK_CATALOG_WRITE));
    AK_TRY(akin_collection_open(&c, ctx, path));
    AK_TRY(flag_all(c, ctx, names, n_names, where, &flags, &n));
    AK_TRY(remove_flagged(&writer, ctx, flags, n, removed));
done:
    akin_collection_close(c);
    ak_catalog_close(&writer);
    ak_scratch_end(ctx, mark);
    return st;
}
