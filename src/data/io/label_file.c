/* Labels in a file of their own: a line a row, or cells with one column of
 * labels. The number of rows tells whether the first line is a header. */
#include <sys/stat.h>

#include "data/io/compression.h"
#include "data/io/csv_cells.h"
#include "data/io/formats.h"
#include "data/io/header.h"
#include "data/io/npy.h"

typedef struct reader {
    const char *path;
    char delimiter;  // '\n': a line is one cell
    int64_t n_lines;
    int64_t column;
    bool utf8;
    char *text;  // of a pipe, which is read once; NULL: of a file
    int64_t n_text;
} reader;

static bool is_pipe(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode);
}

/* Keep what a pipe has: the lines are read twice. */
static akin_status keep_text(reader *r, akin_ctx *ctx)
{
    enum { BLOCK = 65536 };
    ak_source *source = NULL;
    int64_t room = 0;
    size_t got;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&source, ctx, r->path, AK_SOURCE_TEXT));
    do {
        AK_TRY(ak_grow(ctx, r->n_text + BLOCK, &room, 1, &r->text));
        AK_TRY(ak_source_read(source, ctx, r->text + r->n_text, BLOCK, &got));
        r->n_text += (int64_t)got;
    } while (got == BLOCK);
done:
    ak_source_close(source);
    return st;
}

static akin_status open_lines(ak_source **out, akin_ctx *ctx, const reader *r)
{
    return r->text != NULL ? ak_source_memory(out, ctx, r->path, AK_SOURCE_TEXT,
                                              r->text, (size_t)r->n_text)
                           : ak_source_open(out, ctx, r->path, AK_SOURCE_TEXT);
}

/* In a first line without commas, ';' may separate the labels of a row: it
 * separates cells only where one of them is a column of labels. */
static int64_t label_column(const ak_columns *names, const char *wanted)
{
    return wanted ? ak_header_find(names, wanted, true)
                  : ak_header_label(names);
}

static akin_status find_delimiter(reader *r, akin_ctx *ctx, ak_cells *c,
                                  const char *wanted)
{
    ak_columns names = {0};
    akin_status st = AKIN_OK;
    c->delimiter = ak_header_delimiter(c->line, (size_t)(c->end - c->line));
    if (c->delimiter != r->delimiter) {
        AK_TRY(ak_cells_names(c, ctx, &names));
        if (label_column(&names, wanted) < 0)
            c->delimiter = r->delimiter;
        r->delimiter = c->delimiter;
    }
done:
    ak_columns_free(&names);
    return st;
}

/* The column asked for, or the one that is called as labels usually are, or
 * the first. */
static akin_status find_column(reader *r, akin_ctx *ctx, ak_cells *c,
                               const char *wanted)
{
    ak_columns names = {0};
    akin_status st = AKIN_OK;
    if (r->delimiter == ',')
        AK_TRY(find_delimiter(r, ctx, c, wanted));
    AK_TRY(ak_cells_names(c, ctx, &names));
    r->column = label_column(&names, wanted);
    if (r->column < 0 && wanted != NULL)
        AK_TRY(ak_header_missing(ctx, &names, wanted, r->path,
                                 ak_source_line_number(c->source), ""));
    r->column = ak_max_i64(0, r->column);
done:
    ak_columns_free(&names);
    return st;
}

static akin_status count_lines(reader *r, akin_ctx *ctx, const char *wanted)
{
    ak_cells c = {.delimiter = r->delimiter};
    akin_status st = AKIN_OK;
    AK_TRY(open_lines(&c.source, ctx, r));
    AK_TRY(ak_cells_line(&c, ctx));
    if (c.line != NULL && r->delimiter != '\n')
        AK_TRY(find_column(r, ctx, &c, wanted));
    for (; c.line != NULL; ++r->n_lines)
        AK_TRY(ak_cells_line(&c, ctx));
done:
    ak_source_close(c.source);
    return st;
}

static akin_status read_line(const reader *r, akin_ctx *ctx, ak_cells *c,
                             ak_row_builder *b)
{
    ak_cell cell = {0};
    AK_CHECK(ak_row_builder_room(b, ctx, 0));
    for (int64_t k = 0; k <= r->column; ++k) {
        if (c->at == NULL)
            return ak_cells_bad(c, ctx, c->end, "too few cells");
        AK_CHECK(ak_cells_next(c, ctx, &cell));
    }
    AK_CHECK(ak_cells_labels(c, ctx, b, &cell));
    ak_row_builder_row(b, -1);
    return AKIN_OK;
}

static akin_status read_lines(const reader *r, akin_ctx *ctx, bool header,
                              akin_rows **out)
{
    ak_cells c = {.delimiter = r->delimiter};
    ak_row_builder b = {0};
    akin_status st = AKIN_OK;
    AK_TRY(open_lines(&c.source, ctx, r));
    AK_TRY(ak_row_builder_begin(&b, ctx, false));
    b.utf8_labels = r->utf8;
    AK_TRY(ak_cells_line(&c, ctx));
    if (header)
        AK_TRY(ak_cells_line(&c, ctx));
    while (c.line != NULL) {
        AK_TRY(read_line(r, ctx, &c, &b));
        AK_TRY(ak_cells_line(&c, ctx));
    }
    AK_TRY(ak_row_builder_end(&b, ctx, out));
done:
    ak_row_builder_drop(&b);
    ak_source_close(c.source);
    return st;
}

akin_status ak_labels_read(akin_rows *rows, akin_ctx *ctx, const char *path,
                           const akin_read_options *o)
{
    reader r = {.path = path,
                .utf8 = o->utf8_labels != 0,
                .delimiter = ak_has_extension(path, ".csv")   ? ','
                             : ak_has_extension(path, ".tsv") ? '\t'
                                                              : '\n'};
    akin_rows *labels = NULL;
    akin_status st = AKIN_OK;
    if (ak_has_extension(path, ".npy"))
        return ak_npy_read_labels(rows, ctx, path);
    if (is_pipe(path))
        AK_TRY(keep_text(&r, ctx));
    AK_TRY(count_lines(
        &r, ctx, ak_header_no_label(o->label_column) ? NULL : o->label_column));
    if (r.n_lines != rows->n && r.n_lines != rows->n + 1)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%s: %" PRId64 " labels for %" PRId64 " rows", path,
                       r.n_lines, rows->n));
    AK_TRY(read_lines(&r, ctx, r.n_lines == rows->n + 1, &labels));
    if (labels->n != rows->n)
        AK_TRY(ak_fail(ctx, AKIN_EIO, "%s: changed while it was read", path));
    ak_rows_take_labels(rows, labels);
done:
    akin_rows_free(labels);
    akin_free(r.text);
    return st;
}
