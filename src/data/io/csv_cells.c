#include "data/io/csv_cells.h"

#include <string.h>

akin_status ak_cells_bad(const ak_cells *c, akin_ctx *ctx, const char *at,
                         const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ":%" PRId64 ": %s",
                   ak_source_name(c->source), ak_source_line_number(c->source),
                   (int64_t)(at - c->line) + 1, what);
}

akin_status ak_cells_line(ak_cells *c, akin_ctx *ctx)
{
    size_t n;
    do {
        const akin_status st = ak_source_line(c->source, ctx, &c->line, &n);
        if (st != AKIN_OK || c->line == NULL)
            return st;
    } while (n == 0);
    c->end = c->line + n;
    ak_cells_rewind(c);
    return AKIN_OK;
}

void ak_cells_rewind(ak_cells *c)
{
    c->at = c->line;
}

static bool is_blank(const ak_cells *c, char x)
{
    return (x == ' ' || x == '\t') && x != c->delimiter;
}

/* The quote that ends a cell, whose text begins at p; NULL: there is none. */
static char *closing_quote(char *p, const char *end)
{
    for (; p < end; ++p)
        if (*p == '"') {
            if (p[1] != '"')
                return p;
            ++p;
        }
    return NULL;
}

akin_status ak_cells_next(ak_cells *c, akin_ctx *ctx, ak_cell *cell)
{
    char *p = c->at;
    while (is_blank(c, *p))
        ++p;
    *cell = (ak_cell){p, 0, *p == '"'};
    char *stop = p;
    if (cell->quoted) {
        char *quote = closing_quote(p + 1, c->end);
        if (quote == NULL)
            return ak_cells_bad(c, ctx, p, "unclosed quote");
        *cell = (ak_cell){p + 1, (size_t)(quote - p - 1), true};
        for (stop = quote + 1; is_blank(c, *stop);)
            ++stop;
        c->at = stop;
        if (stop < c->end && *stop != c->delimiter)
            return ak_cells_bad(c, ctx, stop, "text after a quoted cell");
    } else {
        while (stop < c->end && *stop != c->delimiter)
            ++stop;
        cell->n = (size_t)(stop - p);
        while (cell->n > 0 && is_blank(c, p[cell->n - 1]))
            --cell->n;
    }
    c->at = stop < c->end ? stop + 1 : NULL;
    return AKIN_OK;
}

ak_number ak_cell_number(const ak_cell *cell, float *value)
{
    const char *at = cell->text;
    const ak_number got = ak_number_read(&at, value);
    if (got == AK_NUMBER_OK && at != cell->text + cell->n)
        return AK_NUMBER_NONE;
    return got;
}

void ak_cell_unquote(ak_cell *cell)
{
    size_t n = 0;
    for (size_t k = 0; cell->quoted && k < cell->n; ++k) {
        cell->text[n++] = cell->text[k];
        k += cell->text[k] == '"';
    }
    if (cell->quoted)
        cell->n = n;
    cell->quoted = false;
}

bool ak_cell_is(const ak_cell *cell, const char *text)
{
    return strlen(text) == cell->n && memcmp(cell->text, text, cell->n) == 0;
}

akin_status ak_cells_labels(const ak_cells *c, akin_ctx *ctx, ak_row_builder *b,
                            ak_cell *cell)
{
    ak_cell_unquote(cell);
    if (cell->n == 0 || ak_cell_is(cell, "?"))
        return AKIN_OK;
    const char *bad, *why;
    AK_CHECK(
        ak_row_builder_labels(b, ctx, cell->text, cell->n, ';', &bad, &why));
    if (why != NULL)
        return ak_cells_bad(c, ctx, bad, why);
    return AKIN_OK;
}

akin_status ak_cells_names(ak_cells *c, akin_ctx *ctx, ak_columns *names)
{
    akin_status st = AKIN_OK;
    while (c->at != NULL) {
        ak_cell cell;
        AK_TRY(ak_cells_next(c, ctx, &cell));
        AK_TRY(ak_columns_add(names, ctx, cell.text, cell.n));
        cell.text = names->text + names->begin[names->n - 1];
        ak_cell_unquote(&cell);
        for (size_t k = 0; k < cell.n; ++k)
            if ((unsigned char)cell.text[k] < ' ' || cell.text[k] == 0x7f)
                cell.text[k] = ' ';
        cell.text[cell.n] = '\0';
        names->begin[names->n] = cell.text + cell.n + 1 - names->text;
    }
done:
    ak_cells_rewind(c);
    return st;
}
