/* Items by their ids, and by a condition on their fields. */
#include "collection/collection.h"
#include "collection/where.h"

akin_status akin_collection_row_of(int64_t *row, akin_ctx *ctx,
                                   akin_collection *c, int64_t id)
{
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q,
                      "SELECT 1 FROM items WHERE id = ?", "i", id));
    AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &found));
    if (!found)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: no item with id %" PRId64,
                       c->catalog.folder, id));
    *row = ak_collection_row(c, id);
done:
    sqlite3_finalize(q);
    return st;
}

akin_status akin_collection_select(int64_t **rows, int64_t *n, akin_ctx *ctx,
                                   akin_collection *c, const char *where)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    unsigned char *pass;
    int64_t *found = NULL, n_pass = 0, count = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_where(&pass, &n_pass, ctx, &c->catalog, where));
    for (int64_t id = 0; id < n_pass; ++id)
        count += pass[id];
    AK_TRY(AK_NEW(ctx, ak_max_i64(count, 1), &found));
    count = 0;
    for (int64_t id = 0; id < n_pass; ++id)
        if (pass[id])
            found[count++] = ak_collection_row(c, id);
    *rows = found;
    *n = count;
done:
    ak_scratch_end(ctx, mark);
    return st;
}
