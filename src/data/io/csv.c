/* Dense rows as text: numbers parted by commas or tabs, a header or not, one
 * column of labels or none. */
#include <stdlib.h>

#include "data/io/cells.h"
#include "data/io/formats.h"

typedef struct parser {
    ak_cells cells;
    ak_build build;
    int64_t label;    // its column, -1: none
    int64_t n_cells;  // of every line
    int64_t first;    // line they were counted in
} parser;

static bool is_integer(const char *text)
{
    char *rest;
    (void)strtoll(text, &rest, 10);
    return *text != '\0' && *rest == '\0';
}

/* Is the line a header: does text stand where numbers should? */
static akin_status find_header(parser *p, akin_ctx *ctx, bool *header)
{
    akin_status st = AKIN_OK;
    *header = false;
    p->n_cells = 0;
    for (; p->cells.at != NULL; ++p->n_cells) {
        ak_cell cell;
        float value;
        AK_TRY(ak_cells_next(&p->cells, ctx, &cell));
        if (p->n_cells != p->label && cell.n > 0)
            *header |= ak_cell_number(&cell, &value) == AK_NUMBER_NONE;
    }
    p->first = ak_source_line_number(p->cells.source);
done:
    ak_cells_rewind(&p->cells);
    return st;
}

/* Find the label column and the header in the first line. */
static akin_status begin(parser *p, akin_ctx *ctx, const char *wanted,
                         bool *header)
{
    akin_status st = AKIN_OK;
    const bool by_number = wanted != NULL && is_integer(wanted);
    p->label = -1;
    if (wanted != NULL)
        AK_TRY(ak_cells_column(&p->cells, ctx, wanted, !by_number, &p->label));
    AK_TRY(find_header(p, ctx, header));
    if (by_number && *header)  // a column may be called "7"
        AK_TRY(ak_cells_column(&p->cells, ctx, wanted, true, &p->label));
    else if (wanted != NULL && !by_number)
        *header = true;
    if (wanted != NULL && p->label < 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": no column \"%s\" among %" PRId64,
                       ak_source_name(p->cells.source), p->first, wanted,
                       p->n_cells));
    if (p->n_cells <= (p->label >= 0))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": no column of numbers",
                       ak_source_name(p->cells.source), p->first));
done:
    return st;
}

/* The words of the header, except that of the labels. */
static akin_status take_header(parser *p, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    for (int64_t k = 0; p->cells.at != NULL; ++k) {
        ak_cell cell;
        AK_TRY(ak_cells_next(&p->cells, ctx, &cell));
        ak_cell_unquote(&cell);
        for (size_t c = 0; c < cell.n; ++c)
            if ((unsigned char)cell.text[c] < ' ' || cell.text[c] == 0x7f)
                cell.text[c] = ' ';
        if (k != p->label)
            AK_TRY(ak_columns_add(&p->build.rows->columns, ctx, cell.text,
                                  cell.n));
    }
    AK_TRY(ak_cells_line(&p->cells, ctx));
done:
    return st;
}

static akin_status bad_number(const parser *p, akin_ctx *ctx,
                              const ak_cell *cell, ak_number what)
{
    const char *why =
        cell->n == 0 ? "an empty cell (expected a number)"
        : what == AK_NUMBER_INFINITE
            ? "a number that is not finite in 32 bits"
            : "not a number (a column of labels is named by --label-column)";
    return ak_cells_bad(&p->cells, ctx, cell->text, why);
}

static akin_status parse_line(parser *p, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    ak_build *b = &p->build;
    int64_t k = 0;
    AK_TRY(ak_build_room(b, ctx, (p->cells.end - p->cells.line) / 2 + 1));
    for (; p->cells.at != NULL; ++k) {
        ak_cell cell;
        AK_TRY(ak_cells_next(&p->cells, ctx, &cell));
        if (k == p->label) {
            AK_TRY(ak_cells_labels(&p->cells, ctx, b, &cell));
            continue;
        }
        const ak_number got =
            ak_cell_number(&cell, &b->rows->vals[b->n_vals++]);
        if (got != AK_NUMBER_OK)
            AK_TRY(bad_number(p, ctx, &cell, got));
    }
    if (k != p->n_cells)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": %" PRId64 " cells (expected %" PRId64
                       ", as in line %" PRId64 ")",
                       ak_source_name(p->cells.source),
                       ak_source_line_number(p->cells.source), k, p->n_cells,
                       p->first));
    ak_build_row(b, -1);
done:
    return st;
}

akin_status ak_csv_parse(akin_rows **out, akin_ctx *ctx, ak_source *source,
                         char delimiter, const akin_read_options *o)
{
    parser p = {.cells = {.source = source, .delimiter = delimiter}};
    bool header = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_build_begin(&p.build, ctx, false));
    p.build.utf8_labels = o->utf8_labels && o->labels == NULL;
    AK_TRY(ak_cells_line(&p.cells, ctx));
    if (p.cells.line != NULL)
        AK_TRY(begin(&p, ctx, o->label_column, &header));
    if (header)
        AK_TRY(take_header(&p, ctx));
    while (p.cells.line != NULL) {
        AK_TRY(parse_line(&p, ctx));
        AK_TRY(ak_cells_line(&p.cells, ctx));
    }
    if (p.build.rows->n == 0)
        AK_TRY(
            ak_fail(ctx, AKIN_EFORMAT, "%s: no rows", ak_source_name(source)));
    p.build.rows->d = p.n_cells - (p.label >= 0);
    AK_TRY(ak_build_end(&p.build, ctx, out));
done:
    ak_build_drop(&p.build);
    return st;
}

static akin_status read_cells(akin_rows **out, akin_ctx *ctx, const char *path,
                              char delimiter, const akin_read_options *o)
{
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&s, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(ak_csv_parse(out, ctx, s, delimiter, o));
done:
    ak_source_close(s);
    return st;
}

static akin_status read_csv(akin_rows **out, akin_ctx *ctx, const char *path,
                            const akin_read_options *o)
{
    return read_cells(out, ctx, path, ',', o);
}

static akin_status read_tsv(akin_rows **out, akin_ctx *ctx, const char *path,
                            const akin_read_options *o)
{
    return read_cells(out, ctx, path, '\t', o);
}

const ak_format ak_format_csv = {
    .name = "csv",
    .endings = {".csv"},
    .text = true,
    .read = read_csv,
    .write = ak_csv_write,
};

const ak_format ak_format_tsv = {
    .name = "tsv",
    .endings = {".tsv"},
    .text = true,
    .read = read_tsv,
    .write = ak_tsv_write,
};
