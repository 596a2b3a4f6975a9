/* What else is known of an item: its fields. */
#include "collection/collection.h"

void akin_fields_free(akin_field *fields)
{
    for (akin_field *f = fields; f != NULL && f->name != NULL; ++f) {
        akin_free(f->name);
        akin_free(f->text);
    }
    akin_free(fields);
}

static akin_status take_text(char **to, akin_ctx *ctx, sqlite3_stmt *q,
                             int column)
{
    const char *text = (const char *)sqlite3_column_text(q, column);
    return ak_strdup(ctx, text ? text : "", to);
}

/* The field of a row (name, value) of the catalogue. */
static akin_status take_field(akin_field *f, akin_ctx *ctx, sqlite3_stmt *q)
{
    const int type = sqlite3_column_type(q, 1);
    AK_CHECK(take_text(&f->name, ctx, q, 0));
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
        f->number = sqlite3_column_double(q, 1);
        return AKIN_OK;
    }
    return take_text(&f->text, ctx, q, 1);
}

akin_status akin_collection_fields(akin_field **fields, int64_t *n,
                                   akin_ctx *ctx, akin_collection *c,
                                   int64_t row)
{
    const ak_sql *sql = &c->catalog.sql;
    akin_field *all = NULL;
    akin_item item;
    int64_t count = 0, room = 0;
    sqlite3_stmt *q = NULL;
    bool there = true;
    akin_status st = AKIN_OK;
    AK_TRY(akin_collection_item(&item, ctx, c, row));
    AK_TRY(ak_sql_ask(sql, ctx, &q,
                      "SELECT name, value FROM fields WHERE item = ? ORDER BY "
                      "name",
                      "i", item.id));
    for (;; ++count) {
        AK_TRY(ak_grow(ctx, count + 2, &room, sizeof *all, &all));
        all[count] = all[count + 1] = (akin_field){0};  // the end
        AK_TRY(ak_sql_next(sql, ctx, q, &there));
        if (!there)
            break;
        AK_TRY(take_field(&all[count], ctx, q));
    }
    *fields = all;
    *n = count;
    all = NULL;
done:
    sqlite3_finalize(q);
    akin_fields_free(all);
    return st;
}
