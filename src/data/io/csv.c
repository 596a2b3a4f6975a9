/* Dense rows as text: numbers separated by commas, semicolons or tabs, a header
 * or not, one column of labels or none. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/io/csv_cells.h"
#include "data/io/formats.h"
#include "data/io/header.h"
#include "data/io/number.h"
#include "data/io/sink.h"
#include "data/recipe/recipe.h"

typedef struct parser {
    ak_cells cells;
    ak_row_builder build;
    ak_columns names;  // the cells of the first line
    int64_t label;     // its column, -1: none
    bool guessed;      // the labels were found by a usual name
    int64_t first;     // line of the first row or the header
    /* Lines of the first number with a decimal comma or point; 0: none. Only
     * where cells are separated by semicolons. */
    int64_t comma_line, point_line;
} parser;

static bool has_decimal_comma(const parser *p, const ak_cell *cell)
{
    return p->cells.delimiter == ';' &&
           ak_is_decimal_comma(cell->text, cell->n);
}

/* Is the line a header: does it have text instead of numbers? */
static akin_status find_header(parser *p, akin_ctx *ctx, bool *header)
{
    akin_status st = AKIN_OK;
    for (int64_t k = 0; p->cells.at != NULL; ++k) {
        ak_cell cell;
        float value;
        AK_TRY(ak_cells_next(&p->cells, ctx, &cell));
        if (k != p->label && cell.n > 0 && !has_decimal_comma(p, &cell))
            *header |= ak_cell_number(&cell, &value) == AK_NUMBER_NONE;
    }
done:
    ak_cells_rewind(&p->cells);
    return st;
}

/* Without a wish: the column that the recipe had its labels from, or the one
 * with a usual name, unless it is a column of the recipe, or all columns are
 * needed. */
static void guess_label(parser *p, const akin_read_options *o)
{
    const akin_recipe *r = o->recipe;
    const char *known = r != NULL ? ak_columns_name(&r->label, 0) : NULL;
    if (known != NULL)
        p->label = ak_header_find(&p->names, known, true);
    if (p->label >= 0 || o->labels != NULL)
        return;
    const int64_t k = ak_header_label(&p->names);
    if (k < 0 || (r != NULL && r->columns.n > 0
                      ? ak_recipe_has_column(r, ak_columns_name(&p->names, k))
                      : o->dim == p->names.n))
        return;
    p->label = k;
    p->guessed = true;
}

static akin_status find_label(parser *p, akin_ctx *ctx,
                              const akin_read_options *o, bool *header)
{
    const char *wanted = o->label_column;
    const bool by_number = wanted != NULL && ak_header_is_number(wanted);
    if (wanted == NULL)
        guess_label(p, o);
    else if (!ak_header_no_label(wanted))
        p->label = ak_header_find(&p->names, wanted, !by_number);
    *header = p->label >= 0 && !by_number;
    AK_CHECK(find_header(p, ctx, header));
    if (by_number && *header)  // a column may be called "7"
        p->label = ak_header_find(&p->names, wanted, true);
    if (p->label < 0 && wanted != NULL && !ak_header_no_label(wanted))
        return ak_header_missing(ctx, &p->names, wanted,
                                 ak_source_name(p->cells.source), p->first, "");
    return AKIN_OK;
}

/* Find the label column and the header in the first line. */
static akin_status begin(parser *p, akin_ctx *ctx, const akin_read_options *o,
                         bool *header)
{
    if (p->cells.delimiter == ',')
        p->cells.delimiter = ak_header_delimiter(
            p->cells.line, (size_t)(p->cells.end - p->cells.line));
    p->first = ak_source_line_number(p->cells.source);
    AK_CHECK(ak_cells_names(&p->cells, ctx, &p->names));
    AK_CHECK(find_label(p, ctx, o, header));
    if (p->names.n <= (p->label >= 0))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": no column of numbers",
                       ak_source_name(p->cells.source), p->first);
    return AKIN_OK;
}

/* The words of the header, except that of the labels. */
static akin_status take_names(parser *p, akin_ctx *ctx)
{
    akin_rows *r = p->build.rows;
    for (int64_t k = 0; k < p->names.n; ++k) {
        const char *name = ak_columns_name(&p->names, k);
        if (k != p->label)
            AK_CHECK(ak_columns_add(&r->columns, ctx, name ? name : "",
                                    name ? strlen(name) : 0));
        else if (name != NULL)
            AK_CHECK(ak_strdup(ctx, name, &r->label_column));
    }
    return AKIN_OK;
}

/* The first line is known: go on with the rows of this piece of the file.
 * Where all of them decide what a column is, there is but one piece. */
static akin_status enter(parser *p, akin_ctx *ctx, bool header)
{
    ak_source *s = p->cells.source;
    if (p->guessed || p->cells.delimiter == ';')
        ak_source_mend(s);
    if (header)
        AK_CHECK(take_names(p, ctx));
    if (!header && !ak_source_is_later_piece(s))
        return AKIN_OK;
    AK_CHECK(ak_source_enter_piece(s, ctx));
    return ak_cells_line(&p->cells, ctx);
}

/* A text among the features; `k` is its column. */
static akin_status text_feature(const parser *p, akin_ctx *ctx,
                                const ak_cell *cell, int64_t k)
{
    const char *name = ak_columns_name(&p->names, k);
    char why[160];
    if (p->label < 0 || name == NULL)
        return ak_cells_bad(
            &p->cells, ctx, cell->text,
            "not a number (`label_column` names a column of labels)");
    snprintf(why, sizeof why,
             "not a number in column '%.40s' (features must be numbers; the "
             "labels are column '%.40s')",
             name, ak_columns_name(&p->names, p->label));
    return ak_cells_bad(&p->cells, ctx, cell->text, why);
}

static akin_status bad_number(const parser *p, akin_ctx *ctx,
                              const ak_cell *cell, int64_t k, ak_number what)
{
    const char *why =
        cell->n == 0                 ? "empty cell (expected a number)"
        : what == AK_NUMBER_INFINITE ? "number is not finite in 32 bits"
        : ak_is_decimal_comma(cell->text, cell->n)
            ? "decimal comma (read only where semicolons separate cells)"
            : NULL;
    return why != NULL ? ak_cells_bad(&p->cells, ctx, cell->text, why)
                       : text_feature(p, ctx, cell, k);
}

/* Where some numbers have a decimal point, a comma may separate thousands. */
static akin_status check_points(const parser *p, akin_ctx *ctx)
{
    if (p->point_line == 0 || p->comma_line == 0)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s:%" PRId64 ": a decimal comma, and line %" PRId64
                   " has a decimal point (expected one of them in all lines)",
                   ak_source_name(p->cells.source), p->comma_line,
                   p->point_line);
}

/* A cell as a number; where semicolons separate cells, a comma is the decimal
 * point. */
static akin_status take_number(parser *p, akin_ctx *ctx, ak_cell *cell,
                               int64_t k, float *value)
{
    const int64_t line = ak_source_line_number(p->cells.source);
    if (has_decimal_comma(p, cell)) {
        *(char *)memchr(cell->text, ',', cell->n) = '.';
        p->comma_line = p->comma_line ? p->comma_line : line;
    } else if (p->cells.delimiter == ';' && p->point_line == 0 &&
               memchr(cell->text, '.', cell->n) != NULL) {
        p->point_line = line;
    }
    const ak_number got = ak_cell_number(cell, value);
    if (got != AK_NUMBER_OK)
        return bad_number(p, ctx, cell, k, got);
    return check_points(p, ctx);
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
        AK_CHECK(take_number(p, ctx, &cell, k, &b->rows->vals[b->n_vals++]));
    }
    if (k != p->names.n)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": %" PRId64 " cells (expected %" PRId64
                       ", as in line %" PRId64 ")",
                       ak_source_name(p->cells.source),
                       ak_source_line_number(p->cells.source), k, p->names.n,
                       p->first);
    ak_row_builder_row(b, -1);
    return AKIN_OK;
}

/* ---- a column that was guessed to be the labels ---- */

/* The only label of row i as a number. Decimal commas become points. */
static bool label_number(const parser *p, int64_t i, float *value)
{
    const akin_rows *r = p->build.rows;
    if (r->label_offsets[i + 1] != r->label_offsets[i] + 1)
        return false;
    char *text = p->build.names.texts[r->labels[r->label_offsets[i]]];
    const ak_cell cell = {text, strlen(text), false};
    if (has_decimal_comma(p, &cell))
        *strchr(text, ',') = '.';
    return ak_cell_number(&cell, value) == AK_NUMBER_OK;
}

/* Are the labels measurements rather than classes: numbers, most of them not
 * whole, and more than half of them different? */
static bool is_measured(const parser *p)
{
    const int64_t n = p->build.rows->n;
    int64_t fractions = 0;
    float value;
    if (n < 3 || 2 * p->build.names.n <= n)
        return false;
    for (int64_t i = 0; i < n; ++i) {
        if (!label_number(p, i, &value))
            return false;
        fractions += value != floorf(value);
    }
    return 2 * fractions > n;
}

/* Put the column back among the features. */
static akin_status keep_as_feature(parser *p, akin_ctx *ctx)
{
    ak_row_builder *b = &p->build;
    akin_rows *r = b->rows;
    const int64_t d = p->names.n;
    const size_t before = (size_t)p->label, after = (size_t)(d - 1) - before;
    AK_CHECK(ak_row_builder_room(b, ctx, r->n));
    for (int64_t i = r->n - 1; i >= 0; --i) {
        const float *from = r->vals + i * (d - 1);
        float *to = r->vals + i * d;
        memmove(to + before + 1, from + before, after * sizeof *to);
        memmove(to, from, before * sizeof *to);
        label_number(p, i, &to[before]);
    }
    b->n_vals += r->n;
    ak_names_free(&b->names);
    akin_free(r->label_column);
    r->label_column = NULL;
    ak_columns_free(&r->columns);
    p->label = -1;
    return take_names(p, ctx);
}

static akin_status review_guess(parser *p, akin_ctx *ctx)
{
    const char *path = ak_source_name(p->cells.source);
    const char *name = ak_columns_name(&p->names, p->label);
    if (!is_measured(p)) {
        ak_header_tell_label(ctx, &p->names, p->label, path,
                             "keeps it as a feature");
        const int64_t other = ak_header_other_label(&p->names, p->label);
        if (other >= 0)
            ak_log(ctx, AKIN_LOG_INFO,
                   "%s: column '%s' is a feature (if it repeats the labels, "
                   "remove it from the file)",
                   path, ak_columns_name(&p->names, other));
        return AKIN_OK;
    }
    ak_log(ctx, AKIN_LOG_INFO,
           "%s: column '%s' has %" PRId64
           " different numbers, so it is a feature (`label_column` %s takes "
           "them as labels)",
           path, name, p->build.names.n, name);
    return keep_as_feature(p, ctx);
}

static akin_status parse_cells(akin_rows **out, akin_ctx *ctx,
                               ak_source *source, char delimiter,
                               const akin_read_options *o)
{
    parser p = {.cells = {.source = source, .delimiter = delimiter},
                .label = -1};
    bool header = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_row_builder_begin(&p.build, ctx, false));
    p.build.utf8_labels = o->utf8_labels && o->labels == NULL;
    AK_TRY(ak_cells_line(&p.cells, ctx));
    if (p.cells.line != NULL) {
        AK_TRY(begin(&p, ctx, o, &header));
        AK_TRY(enter(&p, ctx, header));
    }
    while (p.cells.line != NULL) {
        AK_TRY(parse_line(&p, ctx));
        AK_TRY(ak_cells_line(&p.cells, ctx));
    }
    if (p.build.rows->n == 0 && !ak_source_is_piece(source))
        AK_TRY(
            ak_fail(ctx, AKIN_EFORMAT, "%s: no rows", ak_source_name(source)));
    if (p.guessed)
        AK_TRY(review_guess(&p, ctx));
    p.build.rows->d = p.names.n - (p.label >= 0);
    if (p.comma_line > 0)
        ak_log(ctx, AKIN_LOG_INFO,
               "%s: semicolons separate cells, commas are decimal points",
               ak_source_name(source));
    AK_TRY(ak_row_builder_end(&p.build, ctx, out));
done:
    ak_columns_free(&p.names);
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
