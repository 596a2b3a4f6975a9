/* Items as a table that PostgreSQL copies, and how it is read again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/io/csv_cells.h"
#include "data/io/number.h"
#include "export/export.h"

/* ---- writing ---- */

static akin_status put_name(ak_sink *s, akin_ctx *ctx, const char *name)
{
    AK_CHECK(ak_sink_text(s, ctx, "\""));
    for (const char *at = name ? name : ""; *at != '\0';) {
        const size_t n = strcspn(at, "\"");
        AK_CHECK(ak_sink_put(s, ctx, at, n));
        at += n;
        if (*at == '"') {
            AK_CHECK(ak_sink_text(s, ctx, "\"\""));
            ++at;
        }
    }
    return ak_sink_text(s, ctx, "\"");
}

static akin_status put_number(ak_sink *s, akin_ctx *ctx, float x)
{
    char text[AK_NUMBER_SIZE];
    return ak_sink_put(s, ctx, text, ak_number_write(text, x));
}

static akin_status put_vector(ak_sink *s, akin_ctx *ctx, const akin_rows *rows,
                              int64_t i)
{
    const int64_t d = rows->d;
    if (rows->offsets == NULL) {
        for (int64_t c = 0; c < d; ++c) {
            AK_CHECK(ak_sink_text(s, ctx, c == 0 ? ",\"[" : ","));
            AK_CHECK(put_number(s, ctx, rows->vals[i * d + c]));
        }
        return ak_sink_text(s, ctx, d == 0 ? ",\"[]\"" : "]\"");
    }
    const ak_sparse x = ak_rows_sparse(rows, i);
    AK_CHECK(ak_sink_text(s, ctx, ",\"{"));
    for (int64_t k = 0; k < x.n; ++k) {
        AK_CHECK(ak_export_print(s, ctx, "%s%" PRId32 ":", k > 0 ? "," : "",
                                 x.cols[k] + 1));
        AK_CHECK(put_number(s, ctx, x.vals[k]));
    }
    return ak_export_print(s, ctx, "}/%" PRId64 "\"", d);
}

akin_status ak_items_write_csv(const ak_export *e, akin_ctx *ctx,
                               const ak_items *items, const char *name,
                               bool vectors, int64_t part, int64_t parts)
{
    ak_sink *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_export_sink(e, ctx, name, &s));
    AK_TRY(ak_sink_text(s, ctx, vectors ? "id,name,embedding\n" : "id,name\n"));
    for (int64_t i = 0; i < items->n; ++i) {
        if (items->ids[i] % parts != part)
            continue;
        AK_TRY(ak_export_print(s, ctx, "%" PRId64 ",", items->ids[i]));
        AK_TRY(put_name(s, ctx, ak_columns_name(&items->names, i)));
        if (vectors)
            AK_TRY(put_vector(s, ctx, items->rows, i));
        AK_TRY(ak_sink_text(s, ctx, "\n"));
        AK_TRY(ak_ctx_poll(ctx));
    }
done:
    return ak_sink_close(s, ctx, st);
}

akin_status ak_export_put_removed(const ak_export *e, akin_ctx *ctx)
{
    ak_sink *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_export_sink(e, ctx, "removed.csv", &s));
    AK_TRY(ak_sink_text(s, ctx, "id\n"));
    for (int64_t k = 0; k < e->n_removed; ++k)
        AK_TRY(ak_export_print(s, ctx, "%" PRId64 "\n", e->removed[k]));
done:
    return ak_sink_close(s, ctx, st);
}

/* ---- reading ---- */

akin_status ak_items_add(ak_items *items, akin_ctx *ctx, int64_t *room,
                         int64_t id, const char *name, size_t len)
{
    AK_CHECK(ak_grow(ctx, items->n + 1, room, sizeof *items->ids, &items->ids));
    AK_CHECK(ak_columns_add(&items->names, ctx, name, len));
    items->ids[items->n++] = id;
    return AKIN_OK;
}

/* Whole numbers of at most 18 digits. */
static bool read_integer(const char **at, int64_t *out)
{
    const char *p = *at;
    for (*out = 0; *p >= '0' && *p <= '9' && p - *at < 18; ++p)
        *out = 10 * *out + (*p - '0');
    const bool any = p > *at;
    *at = p;
    return any;
}

static bool read_float(const char **at, float *out)
{
    return ak_number_read(at, out) == AK_NUMBER_OK;
}

/* [1,2,3]; *ok: it is one. */
static akin_status read_dense(ak_filling *f, akin_ctx *ctx, const ak_cell *cell,
                              bool *ok)
{
    const char *at = cell->text, *end = cell->text + cell->n;
    const int64_t d = f->rows->d;
    *ok = cell->n >= 2 && *at == '[' && end[-1] == ']';
    ++at;
    for (int64_t c = 0; *ok && c < d; ++c) {
        float x = 0.0F;
        *ok = read_float(&at, &x) && *at++ == (c + 1 < d ? ',' : ']');
        if (*ok)
            AK_CHECK(ak_filling_add(f, ctx, 0, x));
    }
    *ok = *ok && at + (d == 0) == end;
    return AKIN_OK;
}

/* {1:2.5,7:1}/9 */
static akin_status read_sparse(ak_filling *f, akin_ctx *ctx,
                               const ak_cell *cell, bool *ok)
{
    const char *at = cell->text, *end = cell->text + cell->n;
    int64_t column = 0, last = 0, d = 0;
    *ok = cell->n >= 2 && *at++ == '{';
    while (*ok && *at != '}') {
        float x = 0.0F;
        *ok = read_integer(&at, &column) && column > last &&
              column <= f->rows->d && *at++ == ':' && read_float(&at, &x) &&
              (*at == '}' || (*at == ',' && *++at != '}'));
        last = column;
        if (*ok)
            AK_CHECK(ak_filling_add(f, ctx, (int32_t)(column - 1), x));
    }
    *ok = *ok && end - at > 2 && at[1] == '/';
    at += 2;
    *ok = *ok && read_integer(&at, &d) && d == f->rows->d && at == end;
    return AKIN_OK;
}

static akin_status read_line(ak_export *e, akin_ctx *ctx, ak_cells *c,
                             ak_filling *f, int64_t *room, int64_t first)
{
    ak_items *items = &e->items;
    ak_cell id = {0}, name = {0}, vector = {0};
    int64_t number = 0;
    bool ok = false;
    AK_CHECK(ak_cells_next(c, ctx, &id));
    const char *at = id.text;
    if (!read_integer(&at, &number) || at != id.text + id.n || c->at == NULL ||
        (items->n > first && number <= items->ids[items->n - 1]))
        return ak_cells_bad(c, ctx, id.text, "ids must increase");
    AK_CHECK(ak_cells_next(c, ctx, &name));
    ak_cell_unquote(&name);
    if (memchr(name.text, '\0', name.n) != NULL)
        return ak_cells_bad(c, ctx, name.text, "the name has a zero byte");
    AK_CHECK(ak_items_add(items, ctx, room, number, name.text, name.n));
    if (f == NULL)
        return c->at == NULL ? AKIN_OK
                             : ak_cells_bad(c, ctx, c->at, "trailing cells");
    if (c->at != NULL)
        AK_CHECK(ak_cells_next(c, ctx, &vector));
    if (vector.text != NULL && c->at == NULL)
        AK_CHECK(e->sparse ? read_sparse(f, ctx, &vector, &ok)
                           : read_dense(f, ctx, &vector, &ok));
    if (!ok)
        return ak_cells_bad(c, ctx, vector.text ? vector.text : c->line,
                            "not a vector of this export");
    return ak_filling_end_row(f, ctx);
}

/* One file, whose ids increase. */
static akin_status read_file(ak_export *e, akin_ctx *ctx, const char *name,
                             ak_filling *f, int64_t *room)
{
    ak_cells c = {.delimiter = ','};
    const int64_t first = e->items.n;
    char path[PATH_MAX];
    akin_status st = AKIN_OK;
    AK_TRY(ak_folder_join(path, ctx, e->folder, name));
    AK_TRY(ak_source_open(&c.source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(ak_cells_line(&c, ctx));  // the header
    for (;;) {
        AK_TRY(ak_cells_line(&c, ctx));
        if (c.line == NULL)
            break;
        AK_TRY(read_line(e, ctx, &c, f, room, first));
    }
done:
    ak_source_close(c.source);
    return st;
}

typedef struct place {
    int64_t id, row;
} place;

static int by_id(const void *x, const void *y)
{
    return ak_compare_i64(&((const place *)x)->id, &((const place *)y)->id);
}

/* The items of several files by increasing id. */
static akin_status sort_items(ak_export *e, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_items *from = &e->items;
    const int64_t n = from->n;
    ak_items sorted = {0};
    place *places = NULL;
    int64_t *which = NULL, room = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &places));
    AK_TRY(AK_SCRATCH(ctx, n, &which));
    for (int64_t i = 0; i < n; ++i)
        places[i] = (place){from->ids[i], i};
    qsort(places, (size_t)n, sizeof *places, by_id);
    for (int64_t i = 0; i < n; ++i) {
        const char *name = ak_columns_name(&from->names, places[i].row);
        which[i] = places[i].row;
        if (i > 0 && places[i].id == places[i - 1].id)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                           "%s: two items have the id %" PRId64, e->folder,
                           places[i].id));
        AK_TRY(ak_items_add(&sorted, ctx, &room, places[i].id, name ? name : "",
                            name ? strlen(name) : 0));
    }
    AK_TRY(akin_rows_select(&sorted.rows, ctx, from->rows, which, n));
    ak_items_free(&e->items);
    e->items = sorted;
    sorted = (ak_items){0};
done:
    ak_items_free(&sorted);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_items_read_csv(ak_export *e, akin_ctx *ctx, bool vectors,
                              int64_t parts)
{
    ak_filling f = {0};
    int64_t room = 0;
    char name[64] = "items.csv";
    if (vectors)
        AK_CHECK(ak_filling_begin(&f, ctx, e));
    for (int64_t k = 0; k < parts; ++k) {
        if (parts > 1)
            snprintf(name, sizeof name, "items.%" PRId64 ".csv", k);
        AK_CHECK(read_file(e, ctx, name, vectors ? &f : NULL, &room));
    }
    return parts > 1 ? sort_items(e, ctx) : AKIN_OK;
}
