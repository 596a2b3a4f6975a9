#include "text/csv_records.h"

#include <string.h>

#include "data/io/header.h"

enum { PIECE = 1 << 16, END = -1, MOST_TEXT = 1 << 30 };

/* Where in a record a byte is met. */
typedef enum { AT_CELL, IN_PLAIN, IN_QUOTED, BEHIND_QUOTE, DONE } place;

akin_status ak_csv_records_begin(ak_csv_records *r, akin_ctx *ctx,
                                 ak_source *source, char delimiter)
{
    *r = (ak_csv_records){
        .source = source, .delimiter = delimiter, .next_line = 1};
    return ak_alloc(ctx, PIECE, 1, &r->piece);
}

void ak_csv_records_end(ak_csv_records *r)
{
    akin_free(r->text);
    akin_free(r->begin);
    akin_free(r->piece);
    *r = (ak_csv_records){0};
}

const char *ak_csv_records_cell(const ak_csv_records *r, int64_t k, size_t *n)
{
    *n = (size_t)(r->begin[k + 1] - r->begin[k] - 1);
    return r->text + r->begin[k];
}

static akin_status bad(const ak_csv_records *r, akin_ctx *ctx, int64_t line,
                       const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": %s",
                   ak_source_name(r->source), line, what);
}

static akin_status add_byte(ak_csv_records *r, akin_ctx *ctx, char byte)
{
    if (r->n_text >= MOST_TEXT)
        return bad(r, ctx, r->line, "a record of more than 1 GiB");
    AK_CHECK(ak_grow(ctx, r->n_text + 1, &r->text_room, 1, &r->text));
    r->text[r->n_text++] = byte;
    return AKIN_OK;
}

static akin_status end_cell(ak_csv_records *r, akin_ctx *ctx)
{
    AK_CHECK(add_byte(r, ctx, '\0'));
    AK_CHECK(ak_grow(ctx, r->n_cells + 2, &r->cells_room, sizeof *r->begin,
                     &r->begin));
    r->begin[0] = 0;
    r->begin[++r->n_cells] = r->n_text;
    return AKIN_OK;
}

/* Read the next piece. */
static akin_status fill(ak_csv_records *r, akin_ctx *ctx)
{
    const bool first = r->end == 0;
    r->at = 0;
    AK_CHECK(ak_source_read(r->source, ctx, r->piece, PIECE, &r->end));
    if (first && r->end >= 3 && memcmp(r->piece, "\xef\xbb\xbf", 3) == 0)
        r->at = 3;  // a byte order mark
    return AKIN_OK;
}

akin_status ak_csv_records_find_delimiter(ak_csv_records *r, akin_ctx *ctx)
{
    AK_CHECK(fill(r, ctx));
    size_t at = r->at;
    while (at < r->end && (r->piece[at] == '\n' || r->piece[at] == '\r'))
        ++at;
    r->delimiter = ak_header_delimiter(r->piece + at, r->end - at);
    return AKIN_OK;
}

/* The next byte, or END. */
static akin_status next_byte(ak_csv_records *r, akin_ctx *ctx, int *byte)
{
    if (r->at == r->end)
        AK_CHECK(fill(r, ctx));
    *byte = r->at < r->end ? (unsigned char)r->piece[r->at++] : END;
    r->next_line += *byte == '\n';
    return AKIN_OK;
}

/* A delimiter, the end of a line or of the file, outside quotes. */
static akin_status end_part(ak_csv_records *r, akin_ctx *ctx, int byte,
                            place *at)
{
    const int64_t begin = r->n_cells ? r->begin[r->n_cells] : 0;
    if (*at == IN_PLAIN && byte == '\n' && r->n_text > begin &&
        r->text[r->n_text - 1] == '\r')
        --r->n_text;
    *at = byte == r->delimiter ? AT_CELL : DONE;
    return end_cell(r, ctx);
}

static akin_status behind_quote(ak_csv_records *r, akin_ctx *ctx, int byte,
                                place *at)
{
    if (byte == '"') {
        *at = IN_QUOTED;
        return add_byte(r, ctx, '"');
    }
    if (byte == '\r')  // of the line's end
        return AKIN_OK;
    return bad(r, ctx, r->next_line, "text after a quoted cell");
}

static akin_status take_byte(ak_csv_records *r, akin_ctx *ctx, int byte,
                             place *at)
{
    if (*at == IN_QUOTED && byte == END)
        return bad(r, ctx, r->line, "unclosed quote");
    if (*at == IN_QUOTED && byte == '"') {
        *at = BEHIND_QUOTE;
        return AKIN_OK;
    }
    if (*at == IN_QUOTED)
        return add_byte(r, ctx, (char)byte);
    if (byte == END || byte == '\n' || byte == r->delimiter)
        return end_part(r, ctx, byte, at);
    if (*at == BEHIND_QUOTE)
        return behind_quote(r, ctx, byte, at);
    if (*at == AT_CELL && byte == '"') {
        *at = IN_QUOTED;
        return AKIN_OK;
    }
    *at = IN_PLAIN;
    return add_byte(r, ctx, (char)byte);
}

/* One line that is empty, or a record; `*over` behind the last. */
static akin_status read_one(ak_csv_records *r, akin_ctx *ctx, bool *over)
{
    place at = AT_CELL;
    int byte = 0;
    r->n_text = r->n_cells = 0;
    r->line = r->next_line;
    *over = false;
    while (at != DONE) {
        AK_CHECK(next_byte(r, ctx, &byte));
        if (byte == END && at == AT_CELL && r->n_cells == 0) {
            *over = true;
            return AKIN_OK;
        }
        AK_CHECK(take_byte(r, ctx, byte, &at));
    }
    return AKIN_OK;
}

akin_status ak_csv_records_next(ak_csv_records *r, akin_ctx *ctx)
{
    bool over = false;
    akin_status st;
    do
        st = read_one(r, ctx, &over);
    while (st == AKIN_OK && !over && r->n_cells == 1 && r->n_text == 1);
    return st;
}

akin_status ak_csv_records_names(const ak_csv_records *r, akin_ctx *ctx,
                                 ak_columns *names)
{
    for (int64_t k = 0; k < r->n_cells; ++k) {
        size_t n;
        const char *cell = ak_csv_records_cell(r, k, &n);
        AK_CHECK(ak_columns_add(names, ctx, cell, strlen(cell)));
    }
    return AKIN_OK;
}

static akin_status take_table(void *out, akin_ctx *ctx, ak_csv_records *r,
                              const ak_csv_table *table)
{
    AK_CHECK(ak_csv_records_next(r, ctx));
    AK_CHECK(table->header(out, ctx, r));
    const int64_t n_cells = r->n_cells;
    for (;;) {
        AK_CHECK(ak_csv_records_next(r, ctx));
        if (r->n_cells == 0)
            return AKIN_OK;
        if (r->n_cells != n_cells)
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s:%" PRId64 ": %" PRId64
                           " cells (expected %" PRId64 ", as in the header%s)",
                           ak_source_name(r->source), r->line, r->n_cells,
                           n_cells, table->hint);
        AK_CHECK(table->record(out, ctx, r));
    }
}

akin_status ak_csv_table_read(void *out, akin_ctx *ctx, ak_source *source,
                              const ak_csv_table *table)
{
    ak_csv_records r = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_csv_records_begin(&r, ctx, source, ','));
    AK_TRY(ak_csv_records_find_delimiter(&r, ctx));
    AK_TRY(take_table(out, ctx, &r, table));
done:
    ak_csv_records_end(&r);
    return st;
}
