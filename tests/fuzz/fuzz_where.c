/* Any bytes as a condition on fields: refused, or SQL that SQLite accepts. */
#include <string.h>

#include "collection/where.h"
#include "fuzz.h"

/* Two items with a field each. */
static void fill(ak_sql *s)
{
    if (sqlite3_open(":memory:", &s->db) != SQLITE_OK ||
        sqlite3_exec(
            s->db,
            "CREATE TABLE items(id INTEGER PRIMARY KEY, name BLOB, path BLOB, "
            "labels TEXT, width INTEGER, height INTEGER); CREATE TABLE "
            "fields(item INTEGER, name TEXT, value); INSERT INTO items "
            "VALUES(0, 'a', NULL, 'cat', 1, 2), (1, 'b', 'c', '', 3, 4); "
            "INSERT INTO fields VALUES(0, 'date', '2020-05-17'), (1, 'n', 7)",
            NULL, NULL, NULL) != SQLITE_OK)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = fuzz_ctx();
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_catalog c = {.lock = -1};
    unsigned char *pass;
    int64_t count = 0;
    char *text;
    if (ak_scratch(ctx, (int64_t)n + 1, 1, &text) != AKIN_OK)
        abort();
    memcpy(text, data, n);
    c.sql.path = (char *)(uintptr_t) "catalogue";
    fill(&c.sql);
    const akin_status st = ak_where(&pass, &count, ctx, &c, text);
    if (st != AKIN_OK && st != AKIN_EINVAL)
        abort();
    if (st == AKIN_OK && count != 2)
        abort();
    sqlite3_close(c.sql.db);
    ak_scratch_end(ctx, mark);
    return 0;
}
