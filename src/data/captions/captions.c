/* Captions of photos as CSV or JSON lines. Reading tells them apart by the
 * first byte that is no blank, writing by the extension. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "data/captions/bags.h"
#include "data/captions/folded_names.h"
#include "data/captions/shared_names.h"
#include "data/io/csv_cells.h"
#include "data/io/number.h"
#include "data/io/sink.h"
#include "data/names.h"
#include "data/supervision/lines.h"

enum { MOST_CELLS = 256, N_COLUMNS = 3 };

static const char *const column_names[N_COLUMNS] = {"photo", "faces", "names"};

/* ---- photos as they are read ---- */

/* Numbers, one after the other. */
typedef struct growing {
    int64_t *x;
    int64_t n, room;
} growing;

/* Captions, photo by photo, with every rule checked. Begin with source, n_rows
 * and photo_of (n_rows zeros); the rest is zero. Then a photo, its faces and
 * names, its end; and so on. */
typedef struct builder {
    ak_source *source;
    int64_t n_rows;
    int32_t *photo_of;  // number + 1 of the photo a row was seen in
    ak_names photos;
    ak_folded_names names;
    growing items, item_ends, tags, tag_ends;  // tags: numbers of names
    growing seen;  // of each name: how many photos there were then
} builder;

/* "FILE:LINE: what "text"", as EFORMAT; text may be NULL. */
static akin_status bad(const builder *b, akin_ctx *ctx, const char *what,
                       const char *text, size_t n)
{
    const int shown = n < 80 ? (int)n : 80;
    return ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": %s%s%.*s%s",
                   ak_source_name(b->source), ak_source_line_number(b->source),
                   what, text ? " \"" : "", shown, text ? text : "",
                   text ? "\"" : "");
}

static akin_status push(growing *g, akin_ctx *ctx, int64_t x)
{
    AK_CHECK(ak_grow(ctx, g->n + 1, &g->room, sizeof *g->x, &g->x));
    g->x[g->n++] = x;
    return AKIN_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Without blanks around it, not empty, and readable. */
static akin_status clean(const builder *b, akin_ctx *ctx, const char *empty,
                         const char **text, size_t *n)
{
    for (; *n > 0 && is_blank(**text); --*n)
        ++*text;
    while (*n > 0 && is_blank((*text)[*n - 1]))
        --*n;
    if (*n == 0)
        return bad(b, ctx, empty, NULL, 0);
    const size_t good = ak_utf8_span(*text, *n);
    if (good < *n)
        return bad(b, ctx, ak_utf8_what(*text + good), NULL, 0);
    return AKIN_OK;
}

static akin_status add_photo(builder *b, akin_ctx *ctx, const char *text,
                             size_t n)
{
    const int64_t before = b->photos.n;
    int32_t number;

    AK_CHECK(clean(b, ctx, "the photo has no name", &text, &n));
    AK_CHECK(ak_names_add(&b->photos, ctx, text, n, &number));
    if (b->photos.n == before)
        return bad(b, ctx, "second caption of photo", text, n);
    return AKIN_OK;
}

static akin_status add_face(builder *b, akin_ctx *ctx, int64_t row)
{
    if (row < 0 || row >= b->n_rows)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s:%" PRId64 ": row %" PRId64
                       " does not exist (there are %" PRId64 ")",
                       ak_source_name(b->source),
                       ak_source_line_number(b->source), row, b->n_rows);
    if (b->photo_of[row] != 0) {
        const char *photo = b->photos.texts[b->photo_of[row] - 1];
        char what[64];
        snprintf(what, sizeof what, "row %" PRId64 " is already in photo", row);
        return bad(b, ctx, what, photo, strlen(photo));
    }
    b->photo_of[row] = (int32_t)b->photos.n;
    return push(&b->items, ctx, row);
}

static int64_t last_end(const growing *ends)
{
    return ends->n > 0 ? ends->x[ends->n - 1] : 0;
}

static akin_status add_name(builder *b, akin_ctx *ctx, const char *text,
                            size_t n)
{
    int32_t number;

    AK_CHECK(clean(b, ctx, "empty name", &text, &n));
    AK_CHECK(ak_folded_names_add(&b->names, ctx, text, n, &number));
    if (number == b->seen.n)
        AK_CHECK(push(&b->seen, ctx, 0));
    if (b->seen.x[number] == b->photos.n) {
        const char *first = b->names.texts[number];
        return strlen(first) == n && memcmp(first, text, n) == 0
                   ? bad(b, ctx, "twice in the caption:", text, n)
                   : AKIN_OK;  // the same name, written in another way
    }
    b->seen.x[number] = b->photos.n;
    return push(&b->tags, ctx, number);
}

static akin_status end_photo(builder *b, akin_ctx *ctx)
{
    const int64_t begin = last_end(&b->tag_ends);

    if (b->tags.n > begin)
        ak_numbers_sort(b->tags.x + begin, b->tags.n - begin);
    AK_CHECK(push(&b->item_ends, ctx, b->items.n));
    return push(&b->tag_ends, ctx, b->tags.n);
}

/* offsets[0] = 0, then the ends. */
static akin_status offsets_of(akin_ctx *ctx, const growing *ends,
                              int64_t **offsets)
{
    AK_CHECK(AK_NEW(ctx, ends->n + 1, offsets));
    if (ends->n > 0)
        memcpy(*offsets + 1, ends->x, (size_t)ends->n * sizeof *ends->x);
    return AKIN_OK;
}

/* The texts change hands; the names know nothing afterwards. */
static void take_texts(ak_names *names, char ***texts, int64_t *n)
{
    *texts = names->texts;
    *n = names->n;
    names->texts = NULL;
    names->n = 0;
}

static akin_status finish(builder *b, akin_ctx *ctx, ak_bags **out)
{
    ak_bags *bags = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(AK_NEW(ctx, 1, &bags));
    AK_TRY(offsets_of(ctx, &b->item_ends, &bags->item_offsets));
    AK_TRY(offsets_of(ctx, &b->tag_ends, &bags->name_offsets));
    AK_TRY(AK_NEW(ctx, b->tags.n, &bags->names));
    for (int64_t k = 0; k < b->tags.n; ++k)
        bags->names[k] = (int32_t)b->tags.x[k];
    AK_TRY(ak_resize(ctx, b->items.n, sizeof *b->items.x, &b->items.x));
    bags->items = b->items.x;
    b->items.x = NULL;
    take_texts(&b->photos, &bags->photos, &bags->n_photos);
    bags->n_names = b->names.keys.n;
    bags->name_texts = b->names.texts;
    b->names.texts = NULL;
    *out = bags;
    bags = NULL;
done:
    ak_bags_free(bags);
    return st;
}

static void abandon(builder *b)
{
    ak_names_free(&b->photos);
    ak_folded_names_free(&b->names);
    akin_free(b->items.x);
    akin_free(b->item_ends.x);
    akin_free(b->tags.x);
    akin_free(b->tag_ends.x);
    akin_free(b->seen.x);
}

/* ---- CSV ---- */

static const char one_quoted[] =
    "quotes around one name of a cell (they go around the whole cell)";

/* The cells of a line, without their quotes. */
static akin_status take_cells(const builder *b, akin_ctx *ctx, ak_cells *line,
                              ak_cell *cells, int64_t *n)
{
    for (*n = 0; line->at != NULL; ++*n) {
        if (*n == MOST_CELLS)
            return ak_cells_bad(line, ctx, line->at,
                                "too many cells (at most 256)");
        const akin_status st = ak_cells_next(line, ctx, &cells[*n]);
        if (st == AKIN_EFORMAT && *line->at == ';')
            return bad(b, ctx, one_quoted, NULL, 0);
        AK_CHECK(st);
        const bool quoted = cells[*n].quoted;
        ak_cell_unquote(&cells[*n]);
        cells[*n].quoted = quoted;  // has_quoted_part asks for it
    }
    return AKIN_OK;
}

/* How many cells a line has at the most, and which are ours. */
typedef struct columns {
    int64_t n, at[N_COLUMNS];
} columns;

/* Where the columns are, from the header. */
static akin_status take_header(const builder *b, akin_ctx *ctx,
                               const ak_cell *cells, int64_t n, columns *out)
{
    int64_t *at = out->at;
    out->n = n;
    for (int k = 0; k < N_COLUMNS; ++k) {
        const size_t len = strlen(column_names[k]);
        at[k] = -1;
        for (int64_t i = 0; i < n; ++i) {
            if (!ak_cell_is(&cells[i], column_names[k]))
                continue;
            if (at[k] >= 0)
                return bad(b, ctx, "twice in the header:", column_names[k],
                           len);
            at[k] = i;
        }
        if (at[k] < 0)
            return bad(b, ctx,
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

typedef akin_status part_fn(builder *b, akin_ctx *ctx, const char *text,
                            size_t n);

static akin_status face_part(builder *b, akin_ctx *ctx, const char *text,
                             size_t n)
{
    int64_t row;
    if (!take_row(text, text + n, &row))
        return bad(b, ctx, "not the row of a face:", text, n);
    return add_face(b, ctx, row);
}

/* The parts of a cell between semicolons; an empty cell has none. */
static akin_status each_part(builder *b, akin_ctx *ctx, ak_cell c, part_fn *fn)
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
static bool has_quoted_part(const ak_cell *c)
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

static akin_status csv_line(builder *b, akin_ctx *ctx, const ak_cell *cells,
                            int64_t n, const columns *c)
{
    const int64_t *at = c->at;
    if (n > c->n)
        return bad(b, ctx,
                   "more cells than the header has; a name with a "
                   "comma needs quotes around the whole cell, as in",
                   "Ann;Bob, Jr.", 12);
    for (int k = 0; k < N_COLUMNS; ++k)
        if (at[k] >= n)
            return bad(b, ctx, "the line has no", column_names[k],
                       strlen(column_names[k]));
    if (has_quoted_part(&cells[at[2]]))
        return bad(b, ctx, one_quoted, NULL, 0);
    AK_CHECK(add_photo(b, ctx, cells[at[0]].text, cells[at[0]].n));
    AK_CHECK(each_part(b, ctx, cells[at[1]], face_part));
    AK_CHECK(each_part(b, ctx, cells[at[2]], add_name));
    return end_photo(b, ctx);
}

/* ---- JSON lines ---- */

static akin_status json_parts(builder *b, akin_ctx *ctx, const json_t *photo)
{
    const json_t *name = json_object_get(photo, column_names[0]);
    const json_t *faces = json_object_get(photo, column_names[1]);
    const json_t *names = json_object_get(photo, column_names[2]);

    if (!json_is_string(name) || !json_is_array(faces) || !json_is_array(names))
        return bad(b, ctx,
                   "expected {\"photo\": TEXT, \"faces\": [ROWS], "
                   "\"names\": [TEXTS]}",
                   NULL, 0);
    AK_CHECK(
        add_photo(b, ctx, json_string_value(name), json_string_length(name)));
    for (size_t k = 0; k < json_array_size(faces); ++k) {
        const json_t *face = json_array_get(faces, k);
        if (!json_is_integer(face))
            return bad(b, ctx, "a face is not a row number", NULL, 0);
        AK_CHECK(add_face(b, ctx, json_integer_value(face)));
    }
    for (size_t k = 0; k < json_array_size(names); ++k) {
        const json_t *text = json_array_get(names, k);
        if (!json_is_string(text))
            return bad(b, ctx, "a name is not text", NULL, 0);
        AK_CHECK(add_name(b, ctx, json_string_value(text),
                          json_string_length(text)));
    }
    return end_photo(b, ctx);
}

static akin_status json_line(builder *b, akin_ctx *ctx, const char *line,
                             size_t n)
{
    json_error_t error;
    json_t *photo = json_loadb(line, n, JSON_REJECT_DUPLICATES, &error);
    if (photo == NULL && json_error_code(&error) == json_error_out_of_memory)
        return ak_nomem(ctx, n);
    if (photo == NULL && json_error_code(&error) == json_error_null_character)
        return bad(b, ctx, ak_utf8_what(""), NULL, 0);
    if (photo == NULL)
        return bad(b, ctx, error.text, NULL, 0);
    const akin_status st = json_parts(b, ctx, photo);
    json_decref(photo);
    return st;
}

/* ---- both ---- */

/* The first byte that is no blank, '\n' when there is none. */
static char first_of(const char *line)
{
    while (*line == ' ' || *line == '\t')
        ++line;
    return *line;
}

/* All lines; the first that is not empty is a CSV header or begins JSON. */
static akin_status take_lines(builder *b, akin_ctx *ctx, ak_cell *cells)
{
    enum { UNKNOWN, CSV, JSON } form = UNKNOWN;
    columns where = {0};
    for (;;) {
        char *line;
        size_t size;
        AK_CHECK(ak_source_line(b->source, ctx, &line, &size));
        if (line == NULL)
            break;
        if (first_of(line) == '\n')
            continue;
        if (form == JSON || (form == UNKNOWN && first_of(line) == '{')) {
            form = JSON;
            AK_CHECK(json_line(b, ctx, line, size));
            continue;
        }
        if (form == UNKNOWN && first_of(line) == '[')
            return bad(b, ctx,
                       "JSON array (expected lines, an object for "
                       "each photo)",
                       NULL, 0);
        ak_cells csv = {b->source, ',', line, line + size, line};
        int64_t n;
        AK_CHECK(take_cells(b, ctx, &csv, cells, &n));
        AK_CHECK(form == CSV ? csv_line(b, ctx, cells, n, &where)
                             : take_header(b, ctx, cells, n, &where));
        form = CSV;
    }
    return AKIN_OK;
}

akin_status ak_bags_read(ak_bags **out, akin_ctx *ctx, ak_source *source,
                         int64_t n_rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    builder b = {.source = source, .n_rows = n_rows};
    ak_cell *cells;
    akin_status st = AKIN_OK;

    AK_TRY(AK_SCRATCH(ctx, n_rows, &b.photo_of));
    AK_TRY(AK_SCRATCH(ctx, MOST_CELLS, &cells));
    AK_TRY(take_lines(&b, ctx, cells));
    if (b.photos.n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: no captions (expected a header "
                       "photo,faces,names and a line for each photo, or JSON "
                       "lines)",
                       ak_source_name(source)));
    AK_TRY(finish(&b, ctx, out));
done:
    abandon(&b);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- writing ---- */

typedef struct writing {
    ak_sink *sink;
    const char *path;
    const ak_bags *bags;
} writing;

/* Lines and lists have no way to hold these. */
static akin_status check_text(const writing *w, akin_ctx *ctx, const char *text,
                              const char *marks)
{
    if (text[strcspn(text, marks)] == '\0')
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "%s: csv cannot store \"%s\" (a path with extension "
                   ".jsonl writes JSON lines)",
                   w->path, text);
}

/* A text of a cell, which has quotes around it or not. */
static akin_status put_text(const writing *w, akin_ctx *ctx, const char *text,
                            bool quoted)
{
    if (!quoted)
        return ak_sink_text(w->sink, ctx, text);
    for (; *text != '\0'; ++text) {
        AK_CHECK(ak_sink_put(w->sink, ctx, text, 1));
        if (*text == '"')
            AK_CHECK(ak_sink_text(w->sink, ctx, "\""));
    }
    return AKIN_OK;
}

static akin_status put_photo(const writing *w, akin_ctx *ctx, const char *text)
{
    const bool quoted = strpbrk(text, ",\"") != NULL;
    AK_CHECK(check_text(w, ctx, text, "\r\n"));
    AK_CHECK(ak_sink_text(w->sink, ctx, quoted ? "\"" : ""));
    AK_CHECK(put_text(w, ctx, text, quoted));
    return ak_sink_text(w->sink, ctx, quoted ? "\"," : ",");
}

static akin_status put_names(const writing *w, akin_ctx *ctx, int64_t photo)
{
    const int32_t *names;
    const int64_t n = ak_bags_names(w->bags, photo, &names);
    bool quoted = false;
    for (int64_t k = 0; k < n; ++k) {
        const char *text = w->bags->name_texts[names[k]];
        AK_CHECK(check_text(w, ctx, text, ";\r\n"));
        quoted |= strpbrk(text, ",\"") != NULL;
    }
    AK_CHECK(ak_sink_text(w->sink, ctx, quoted ? "\"" : ""));
    for (int64_t k = 0; k < n; ++k) {
        const char *text = w->bags->name_texts[names[k]];
        AK_CHECK(ak_sink_text(w->sink, ctx, k > 0 ? ";" : ""));
        AK_CHECK(put_text(w, ctx, text, quoted));
    }
    return ak_sink_text(w->sink, ctx, quoted ? "\"\n" : "\n");
}

static akin_status put_line(const writing *w, akin_ctx *ctx, int64_t photo)
{
    const int64_t *faces;
    const int64_t n = ak_bags_faces(w->bags, photo, &faces);
    AK_CHECK(put_photo(w, ctx, w->bags->photos[photo]));
    for (int64_t k = 0; k < n; ++k) {
        char text[32] = ";";
        const size_t m = 1 + ak_integer_write(text + 1, faces[k]);
        AK_CHECK(ak_sink_put(w->sink, ctx, text + (k == 0), m - (k == 0)));
    }
    AK_CHECK(ak_sink_text(w->sink, ctx, ","));
    return put_names(w, ctx, photo);
}

static json_t *object_of(const ak_bags *b, int64_t photo)
{
    const int64_t *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(b, photo, &faces);
    const int64_t r = ak_bags_names(b, photo, &names);
    json_t *out = json_pack("{s:s, s:[], s:[]}", "photo", b->photos[photo],
                            "faces", "names");
    int wrong = out == NULL;
    for (int64_t k = 0; !wrong && k < n; ++k)
        wrong = json_array_append_new(json_object_get(out, "faces"),
                                      json_integer((json_int_t)faces[k]));
    for (int64_t k = 0; !wrong && k < r; ++k)
        wrong = json_array_append_new(json_object_get(out, "names"),
                                      json_string(b->name_texts[names[k]]));
    if (wrong) {
        json_decref(out);
        out = NULL;
    }
    return out;
}

static akin_status put_object(const writing *w, akin_ctx *ctx, int64_t photo)
{
    json_t *object = object_of(w->bags, photo);
    char *text = object ? json_dumps(object, 0) : NULL;
    akin_status st = AKIN_OK;
    if (text == NULL)
        AK_TRY(ak_nomem(ctx, 0));
    AK_TRY(ak_sink_text(w->sink, ctx, text));
    AK_TRY(ak_sink_text(w->sink, ctx, "\n"));
done:
    free(text);
    json_decref(object);
    return st;
}

/* Is it a JSON extension, before .gz and .zst? */
static bool is_json_path(const char *path)
{
    static const char *const extensions[] = {".jsonl", ".ndjson", ".json"};
    static const char *const compressions[] = {"", ".gz", ".zst"};
    const size_t n = strlen(path);
    for (int k = 0; k < 9; ++k) {
        const char *extension = extensions[k / 3],
                   *compression = compressions[k % 3];
        const size_t m = strlen(extension), l = strlen(compression);
        if (n > m + l && strcmp(path + n - l, compression) == 0 &&
            memcmp(path + n - l - m, extension, m) == 0)
            return true;
    }
    return false;
}

akin_status ak_bags_write(akin_ctx *ctx, const ak_bags *bags, const char *path)
{
    const bool json = is_json_path(path);
    writing w = {NULL, path, bags};
    akin_status st = AKIN_OK;
    AK_TRY(ak_sink_open(&w.sink, ctx, path));
    if (!json)
        AK_TRY(ak_sink_text(w.sink, ctx, "photo,faces,names\n"));
    for (int64_t i = 0; i < bags->n_photos; ++i)
        AK_TRY((json ? put_object : put_line)(&w, ctx, i));
done:
    return ak_sink_close(w.sink, ctx, st);
}

akin_status akin_captions_write(akin_ctx *ctx, const akin_supervision *s,
                                const char *path)
{
    if (s->kind != AKIN_BAGS)
        return ak_fail(ctx, AKIN_EINVAL, "no captions to write");
    return ak_bags_write(ctx, s->bags, path);
}
