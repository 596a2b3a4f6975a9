/* Captions from CSV or JSON lines; the first byte that is no blank tells. */
#include <jansson.h>
#include <string.h>

#include "base/utf8.h"
#include "data/captions/bags_build.h"

enum { MOST_CELLS = 256, N_COLUMNS = 3 };

static const char *const column_names[N_COLUMNS] = {"photo", "faces", "names"};

typedef struct cell {
    char *text;
    size_t n;
    bool quoted;
} cell;

/* ---- CSV -------------------------------------------------------------- */

/* One cell, its quotes taken off in place; returns behind it, NULL when the
 * quotes are wrong. */
static char *take_cell(char *p, const char *end, cell *out)
{
    *out = (cell){p, 0, p < end && *p == '"'};
    if (!out->quoted) {
        while (p < end && *p != ',')
            ++p;
        out->n = (size_t)(p - out->text);
        return p;
    }
    char *to = p++;
    for (; p < end; ++p) {
        if (*p == '"' && (p + 1 == end || p[1] != '"'))
            break;
        p += *p == '"';  // a doubled one stands for one
        *to++ = *p;
    }
    out->n = (size_t)(to - out->text);
    return p < end && (p + 1 == end || p[1] == ',') ? p + 1 : NULL;
}

/* The cells of a line; -1 when quotes are wrong or there are too many. */
static int64_t take_cells(char *p, const char *end, cell *cells)
{
    for (int64_t n = 0; n < MOST_CELLS; ++p) {
        p = take_cell(p, end, &cells[n++]);
        if (p == NULL)
            return -1;
        if (p == end)
            return n;
    }
    return -1;
}

/* How many cells a line has at the most, and which are ours. */
typedef struct columns {
    int64_t n, at[N_COLUMNS];
} columns;

/* Where the columns are, from the header. */
static akin_status take_header(const ak_bags_build *b, akin_ctx *ctx,
                               const cell *cells, int64_t n, columns *out)
{
    int64_t *at = out->at;
    out->n = n;
    for (int k = 0; k < N_COLUMNS; ++k) {
        const size_t len = strlen(column_names[k]);
        at[k] = -1;
        for (int64_t i = 0; i < n; ++i) {
            if (cells[i].n != len ||
                memcmp(cells[i].text, column_names[k], len) != 0)
                continue;
            if (at[k] >= 0)
                return ak_bags_wrong(
                    b, ctx, "twice in the header:", column_names[k], len);
            at[k] = i;
        }
        if (at[k] < 0)
            return ak_bags_wrong(b, ctx,
                                 "the header must name photo, faces and names; "
                                 "there is no",
                                 column_names[k], len);
    }
    return AKIN_OK;
}

/* A row number with blanks around it. */
static bool take_row(const char *p, const char *end, int64_t *row)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        ++p;
    const char *digits = p;
    for (*row = 0; p < end && *p >= '0' && *p <= '9' && p - digits < 18; ++p)
        *row = 10 * *row + (*p - '0');
    const bool some = p > digits;
    while (p < end && (*p == ' ' || *p == '\t'))
        ++p;
    return some && p == end;
}

typedef akin_status part_fn(ak_bags_build *b, akin_ctx *ctx, const char *text,
                            size_t n);

static akin_status face_part(ak_bags_build *b, akin_ctx *ctx, const char *text,
                             size_t n)
{
    int64_t row;
    if (!take_row(text, text + n, &row))
        return ak_bags_wrong(b, ctx, "not the row of a face:", text, n);
    return ak_bags_face(b, ctx, row);
}

/* The parts of a cell between semicolons; an empty cell has none. */
static akin_status each_part(ak_bags_build *b, akin_ctx *ctx, cell c,
                             part_fn *fn)
{
    akin_status st = AKIN_OK;
    const char *p = c.text, *end = c.text + c.n;
    while (p < end && (*p == ' ' || *p == '\t'))
        ++p;
    for (bool more = p < end; more && st == AKIN_OK;) {
        const char *stop = memchr(p, ';', (size_t)(end - p));
        more = stop != NULL;
        st = fn(b, ctx, p, (size_t)((more ? stop : end) - p));
        p = more ? stop + 1 : end;
    }
    return st;
}

/* Does a part of a cell begin with quotes, where the cell has none? */
static bool has_quoted_part(const cell *c)
{
    bool begins = !c->quoted;
    for (size_t k = 0; k < c->n; ++k) {
        if (begins && c->text[k] == '"')
            return true;
        begins = !c->quoted && (c->text[k] == ';' ||
                                (begins && strchr(" \t", c->text[k]) != NULL));
    }
    return false;
}

static akin_status csv_line(ak_bags_build *b, akin_ctx *ctx, const cell *cells,
                            int64_t n, const columns *c)
{
    const int64_t *at = c->at;
    akin_status st = AKIN_OK;
    if (n > c->n)
        AK_TRY(ak_bags_wrong(b, ctx,
                             "more cells than the header has; a comma in a "
                             "name takes quotes around the whole cell, as in",
                             "Ann;Bob, Jr.", 12));
    for (int k = 0; k < N_COLUMNS; ++k)
        if (at[k] >= n)
            AK_TRY(ak_bags_wrong(b, ctx, "the line has no", column_names[k],
                                 strlen(column_names[k])));
    if (has_quoted_part(&cells[at[2]]))
        AK_TRY(ak_bags_wrong(b, ctx,
                             "quotes around one name of a cell (they go around "
                             "the whole cell)",
                             NULL, 0));
    AK_TRY(ak_bags_photo(b, ctx, cells[at[0]].text, cells[at[0]].n));
    AK_TRY(each_part(b, ctx, cells[at[1]], face_part));
    AK_TRY(each_part(b, ctx, cells[at[2]], ak_bags_name));
    AK_TRY(ak_bags_end(b, ctx));
done:
    return st;
}

/* ---- JSON lines ------------------------------------------------------- */

static akin_status json_parts(ak_bags_build *b, akin_ctx *ctx,
                              const json_t *photo)
{
    const json_t *name = json_object_get(photo, column_names[0]);
    const json_t *faces = json_object_get(photo, column_names[1]);
    const json_t *names = json_object_get(photo, column_names[2]);
    akin_status st = AKIN_OK;

    if (!json_is_string(name) || !json_is_array(faces) || !json_is_array(names))
        AK_TRY(ak_bags_wrong(b, ctx,
                             "expected {\"photo\": TEXT, \"faces\": [ROWS], "
                             "\"names\": [TEXTS]}",
                             NULL, 0));
    AK_TRY(ak_bags_photo(b, ctx, json_string_value(name),
                         json_string_length(name)));
    for (size_t k = 0; k < json_array_size(faces); ++k) {
        const json_t *face = json_array_get(faces, k);
        if (!json_is_integer(face))
            AK_TRY(ak_bags_wrong(b, ctx, "a face is no row number", NULL, 0));
        AK_TRY(ak_bags_face(b, ctx, json_integer_value(face)));
    }
    for (size_t k = 0; k < json_array_size(names); ++k) {
        const json_t *text = json_array_get(names, k);
        if (!json_is_string(text))
            AK_TRY(ak_bags_wrong(b, ctx, "a name is no text", NULL, 0));
        AK_TRY(ak_bags_name(b, ctx, json_string_value(text),
                            json_string_length(text)));
    }
    AK_TRY(ak_bags_end(b, ctx));
done:
    return st;
}

static akin_status json_line(ak_bags_build *b, akin_ctx *ctx, const char *line,
                             size_t n)
{
    json_error_t error;
    json_t *photo = json_loadb(line, n, JSON_REJECT_DUPLICATES, &error);
    if (photo == NULL && json_error_code(&error) == json_error_out_of_memory)
        return ak_nomem(ctx, n);
    if (photo == NULL && json_error_code(&error) == json_error_null_character)
        return ak_bags_wrong(b, ctx, ak_utf8_what(""), NULL, 0);
    if (photo == NULL)
        return ak_bags_wrong(b, ctx, error.text, NULL, 0);
    const akin_status st = json_parts(b, ctx, photo);
    json_decref(photo);
    return st;
}

/* ---- both ------------------------------------------------------------- */

/* The first byte that is no blank, '\n' when there is none. */
static char first_of(const char *line)
{
    while (*line == ' ' || *line == '\t')
        ++line;
    return *line;
}

/* All lines; the first that is not empty is a CSV header or begins JSON. */
static akin_status take_lines(ak_bags_build *b, akin_ctx *ctx, cell *cells)
{
    enum { UNKNOWN, CSV, JSON } form = UNKNOWN;
    columns where = {0};
    akin_status st = AKIN_OK;
    for (;;) {
        char *line;
        size_t size;
        AK_TRY(ak_source_line(b->source, ctx, &line, &size));
        if (line == NULL)
            break;
        if (first_of(line) == '\n')
            continue;
        if (form == JSON || (form == UNKNOWN && first_of(line) == '{')) {
            form = JSON;
            AK_TRY(json_line(b, ctx, line, size));
            continue;
        }
        if (form == UNKNOWN && first_of(line) == '[')
            AK_TRY(ak_bags_wrong(b, ctx,
                                 "a JSON array (expected lines, an object for "
                                 "each photo)",
                                 NULL, 0));
        const int64_t n = take_cells(line, line + size, cells);
        if (n < 0)
            AK_TRY(ak_bags_wrong(b, ctx, "quotes do not match", NULL, 0));
        AK_TRY(form == CSV ? csv_line(b, ctx, cells, n, &where)
                           : take_header(b, ctx, cells, n, &where));
        form = CSV;
    }
done:
    return st;
}

akin_status ak_bags_read(ak_bags **out, akin_ctx *ctx, ak_source *source,
                         int64_t n_rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_bags_build b = {.source = source, .n_rows = n_rows};
    cell *cells;
    akin_status st = AKIN_OK;

    AK_TRY(AK_SCRATCH(ctx, n_rows, &b.photo_of));
    AK_TRY(AK_SCRATCH(ctx, MOST_CELLS, &cells));
    AK_TRY(take_lines(&b, ctx, cells));
    if (b.photos.n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: there are no captions (expected a header "
                       "photo,faces,names and a line for each photo, or JSON "
                       "lines)",
                       ak_source_name(source)));
    AK_TRY(ak_bags_finish(&b, ctx, out));
done:
    ak_bags_abandon(&b);
    ak_scratch_end(ctx, mark);
    return st;
}
