/* Dense rows as text: numbers separated by commas or tabs, a header or not, one
 * column of labels or none. */
#include <stdlib.h>
#include <string.h>

#include "data/io/csv_cells.h"
#include "data/io/formats.h"
#include "data/io/number.h"
#include "data/io/sink.h"

typedef struct parser {
    ak_cells cells;
    ak_row_builder build;
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

/* Is the line a header: does it have text instead of numbers? */
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
    const bool by_number = wanted != NULL && is_integer(wanted);
    p->label = -1;
    if (wanted != NULL)
        AK_CHECK(
            ak_cells_column(&p->cells, ctx, wanted, !by_number, &p->label));
    AK_CHECK(find_header(p, ctx, header));
    if (by_number && *header)  // a column may be called "7"
        AK_CHECK(ak_cells_column(&p->cells, ctx, wanted, true, &p->label));
    else if (wanted != NULL && !by_number)
        *header = true;
    if (wanted != NULL && p->label < 0)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": no column \"%s\" among %" PRId64,
                       ak_source_name(p->cells.source), p->first, wanted,
                       p->n_cells);
    if (p->n_cells <= (p->label >= 0))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": no column of numbers",
                       ak_source_name(p->cells.source), p->first);
    return AKIN_OK;
}

/* The words of the header, except that of the labels. */
static akin_status take_header(parser *p, akin_ctx *ctx)
{
    for (int64_t k = 0; p->cells.at != NULL; ++k) {
        ak_cell cell;
        AK_CHECK(ak_cells_next(&p->cells, ctx, &cell));
        ak_cell_unquote(&cell);
        for (size_t c = 0; c < cell.n; ++c)
            if ((unsigned char)cell.text[c] < ' ' || cell.text[c] == 0x7f)
                cell.text[c] = ' ';
        if (k != p->label)
            AK_CHECK(ak_columns_add(&p->build.rows->columns, ctx, cell.text,
                                    cell.n));
    }
    return ak_cells_line(&p->cells, ctx);
}

static akin_status bad_number(const parser *p, akin_ctx *ctx,
                              const ak_cell *cell, ak_number what)
{
    const char *why =
        cell->n == 0 ? "empty cell (expected a number)"
        : what == AK_NUMBER_INFINITE
            ? "number is not finite in 32 bits"
            : "not a number (`label_column` names a column of labels)";
    return ak_cells_bad(&p->cells, ctx, cell->text, why);
}

static akin_status parse_line(parser *p, akin_ctx *ctx)
{
    ak_row_builder *b = &p->build;
    int64_t k = 0;
    AK_CHECK(
        ak_row_builder_room(b, ctx, (p->cells.end - p->cells.line) / 2 + 1));
    for (; p->cells.at != NULL; ++k) {
        ak_cell cell;
        AK_CHECK(ak_cells_next(&p->cells, ctx, &cell));
        if (k == p->label) {
            AK_CHECK(ak_cells_labels(&p->cells, ctx, b, &cell));
            continue;
        }
        const ak_number got =
            ak_cell_number(&cell, &b->rows->vals[b->n_vals++]);
        if (got != AK_NUMBER_OK)
            return bad_number(p, ctx, &cell, got);
    }
    if (k != p->n_cells)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": %" PRId64 " cells (expected %" PRId64
                       ", as in line %" PRId64 ")",
                       ak_source_name(p->cells.source),
                       ak_source_line_number(p->cells.source), k, p->n_cells,
                       p->first);
    ak_row_builder_row(b, -1);
    return AKIN_OK;
}

static akin_status parse_cells(akin_rows **out, akin_ctx *ctx,
                               ak_source *source, char delimiter,
                               const akin_read_options *o)
{
    parser p = {.cells = {.source = source, .delimiter = delimiter}};
    bool header = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_row_builder_begin(&p.build, ctx, false));
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
    AK_TRY(ak_row_builder_end(&p.build, ctx, out));
done:
    ak_row_builder_drop(&p.build);
    return st;
}

akin_status ak_csv_parse(akin_rows **out, akin_ctx *ctx, ak_source *source,
                         const akin_read_options *o)
{
    return parse_cells(out, ctx, source, ',', o);
}

akin_status ak_tsv_parse(akin_rows **out, akin_ctx *ctx, ak_source *source,
                         const akin_read_options *o)
{
    return parse_cells(out, ctx, source, '\t', o);
}

/* ---- writing ---- */

/* With names of columns or labels there is a header, where column k without a
 * name is ck; several labels of a row are separated by ';'. */
typedef struct printer {
    ak_sink *sink;
    const akin_rows *rows;
    char delimiter;
    float *room;  // for a row
} printer;

/* A text, its quotes doubled. */
static akin_status put_text(const printer *p, akin_ctx *ctx, const char *text)
{
    for (const char *quote; (quote = strchr(text, '"')) != NULL;) {
        AK_CHECK(ak_sink_put(p->sink, ctx, text, (size_t)(quote - text) + 1));
        AK_CHECK(ak_sink_text(p->sink, ctx, "\""));
        text = quote + 1;
    }
    return ak_sink_text(p->sink, ctx, text);
}

static bool needs_quotes(const char *text)
{
    return strpbrk(text, "\", \t") != NULL;
}

static akin_status put_name(const printer *p, akin_ctx *ctx, const char *text)
{
    const char *quote = needs_quotes(text) ? "\"" : "";
    AK_CHECK(ak_sink_text(p->sink, ctx, quote));
    AK_CHECK(put_text(p, ctx, text));
    return ak_sink_text(p->sink, ctx, quote);
}

/* The name of column k, or one made of its number. */
static const char *name_of(const akin_rows *r, int64_t k, char made[24])
{
    const char *name = ak_columns_name(&r->columns, k);
    if (name != NULL)
        return name;
    made[0] = 'c';
    made[1 + ak_integer_write(made + 1, k)] = '\0';
    return made;
}

/* "label", with as many '_' behind it that no column is called so; NULL when
 * all lengths there is room for are taken. */
static const char *name_labels(const akin_rows *r, char name[32])
{
    strcpy(name, "label");
    for (int64_t k = 0; k < r->columns.n;) {
        const char *other = ak_columns_name(&r->columns, k++);
        if (other != NULL && strcmp(other, name) == 0) {
            const size_t n = strlen(name);
            if (n + 1 == 32)
                return NULL;
            strcpy(name + n, "_");
            k = 0;
        }
    }
    return name;
}

static akin_status put_header(const printer *p, akin_ctx *ctx, bool labels)
{
    char made[24], label[32];
    for (int64_t k = 0; k < p->rows->d; ++k) {
        AK_CHECK(put_name(p, ctx, name_of(p->rows, k, made)));
        if (k + 1 < p->rows->d || labels)
            AK_CHECK(ak_sink_put(p->sink, ctx, &p->delimiter, 1));
    }
    if (labels && name_labels(p->rows, label) == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "no name is left for the column of labels");
    if (labels)
        AK_CHECK(ak_sink_text(p->sink, ctx, label));
    return ak_sink_text(p->sink, ctx, "\n");
}

/* A header of numbers alone would be read as a row. */
static bool has_header(const akin_rows *r)
{
    bool text = r->label_offsets != NULL;
    for (int64_t k = 0; k < r->columns.n && !text; ++k) {
        const char *name = ak_columns_name(&r->columns, k);
        ak_cell cell = {(char *)name, name ? strlen(name) : 0, false};
        float value;
        text = name != NULL && ak_cell_number(&cell, &value) == AK_NUMBER_NONE;
    }
    return text;
}

static akin_status put_labels(const printer *p, akin_ctx *ctx, int64_t i)
{
    const int32_t *labels;
    const int64_t n = akin_rows_labels(&labels, p->rows, i);
    char **names = p->rows->label_names;
    bool quoted = false;
    for (int64_t k = 0; k < n; ++k)
        quoted |= needs_quotes(names[labels[k]]);
    if (quoted)
        AK_CHECK(ak_sink_text(p->sink, ctx, "\""));
    for (int64_t k = 0; k < n; ++k) {
        if (k > 0)
            AK_CHECK(ak_sink_text(p->sink, ctx, ";"));
        AK_CHECK(put_text(p, ctx, names[labels[k]]));
    }
    if (quoted)
        AK_CHECK(ak_sink_text(p->sink, ctx, "\""));
    return AKIN_OK;
}

static akin_status put_row(const printer *p, akin_ctx *ctx, int64_t i)
{
    const float *vals = ak_rows_full(p->rows, i, p->room);
    const bool labels = p->rows->label_offsets != NULL;
    for (int64_t k = 0; k < p->rows->d; ++k) {
        char text[AK_NUMBER_SIZE + 1];
        size_t m = ak_number_write(text, vals[k]);
        if (k + 1 < p->rows->d || labels)
            text[m++] = p->delimiter;
        AK_CHECK(ak_sink_put(p->sink, ctx, text, m));
    }
    if (labels)
        AK_CHECK(put_labels(p, ctx, i));
    return ak_sink_text(p->sink, ctx, "\n");
}

static akin_status write_cells(akin_ctx *ctx, const akin_rows *rows,
                               const char *path, char delimiter)
{
    printer p = {.rows = rows, .delimiter = delimiter};
    akin_status st = AKIN_OK;
    const ak_mark mark = ak_scratch_begin(ctx);
    AK_TRY(ak_format_check_labels(ctx, rows, path));
    AK_TRY(AK_SCRATCH(ctx, rows->d, &p.room));
    AK_TRY(ak_sink_open(&p.sink, ctx, path));
    if (has_header(rows))
        AK_TRY(put_header(&p, ctx, rows->label_offsets != NULL));
    for (int64_t i = 0; i < rows->n; ++i)
        AK_TRY(put_row(&p, ctx, i));
done:
    ak_scratch_end(ctx, mark);
    return ak_sink_close(p.sink, ctx, st);
}

akin_status ak_csv_write(akin_ctx *ctx, const akin_rows *rows, const char *path)
{
    return write_cells(ctx, rows, path, ',');
}

akin_status ak_tsv_write(akin_ctx *ctx, const akin_rows *rows, const char *path)
{
    return write_cells(ctx, rows, path, '\t');
}
