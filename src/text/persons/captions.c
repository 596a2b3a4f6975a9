/* Captions of files, and their persons. A source of any kind ends in
 * add_caption. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/utf8.h"
#include "data/io/compression.h"
#include "data/io/formats.h"
#include "data/io/header.h"
#include "text/csv_records.h"
#include "text/folder.h"
#include "text/persons/persons.h"

enum { PIECE = 1 << 16, LONGEST = 64 << 20 };  // bytes of a caption

typedef struct caption {
    char *photo, *text;
    size_t n;
    akin_persons *persons;
} caption;

struct akin_captions {
    caption *captions;
    int64_t n, room;
};

typedef struct reader {
    akin_captions *out;
    const akin_tagger *tagger;
    ak_source *source;  // NULL: a folder
    int64_t line;       // of the record that is read
    int64_t n_latin1;   // captions that are not UTF-8
    char *latin1;       // the photo of the first
} reader;

static akin_status bad(const reader *r, akin_ctx *ctx, const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": %s",
                   ak_source_name(r->source), r->line, what);
}

static akin_status copy(char **out, akin_ctx *ctx, const char *text, size_t n)
{
    AK_CHECK(ak_alloc(ctx, (int64_t)n + 1, 1, out));
    memcpy(*out, text, n);
    return AKIN_OK;
}

/* One more caption, in UTF-8; `listed`: the text is names, separated by ';'. */
static akin_status add_utf8(reader *r, akin_ctx *ctx, const char *photo,
                            const char *text, size_t n, bool listed)
{
    akin_captions *out = r->out;
    if (listed && ak_utf8_span(text, n) < n)
        return bad(r, ctx, ak_utf8_what(text + ak_utf8_span(text, n)));
    AK_CHECK(ak_grow(ctx, out->n + 1, &out->room, sizeof *out->captions,
                     &out->captions));
    caption *c = &out->captions[out->n++];
    *c = (caption){.n = n};
    AK_CHECK(copy(&c->photo, ctx, photo, strlen(photo)));
    AK_CHECK(copy(&c->text, ctx, text, n));
    AK_CHECK(ak_ctx_tick(ctx, "captions", out->n, 0, NAN));
    return listed ? ak_persons_listed(&c->persons, ctx, r->tagger, c->text, n)
                  : akin_persons_find(&c->persons, ctx, r->tagger, c->text, n);
}

/* The same of text that may be Latin-1. */
static akin_status add_caption(reader *r, akin_ctx *ctx, const char *photo,
                               const char *text, size_t n, bool listed)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    char *utf8;
    akin_status st = AKIN_OK;
    if (ak_utf8_is_latin1(text, n)) {
        AK_TRY(AK_SCRATCH(ctx, 2 * (int64_t)n, &utf8));
        n = ak_utf8_of_latin1(utf8, text, n);
        text = utf8;
        if (++r->n_latin1 == 1)
            AK_TRY(ak_strdup(ctx, photo, &r->latin1));
    }
    AK_TRY(add_utf8(r, ctx, photo, text, n, listed));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- csv ---- */

static akin_status read_csv(reader *r, akin_ctx *ctx, char delimiter)
{
    ak_csv_records records = {0};
    ak_columns header = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_csv_records_begin(&records, ctx, r->source, delimiter));
    if (delimiter == ',')
        AK_TRY(ak_csv_records_find_delimiter(&records, ctx));
    AK_TRY(ak_csv_records_next(&records, ctx));
    AK_TRY(ak_csv_records_names(&records, ctx, &header));
    const int64_t photo = ak_header_find(&header, "photo", true);
    const int64_t prose = ak_header_find(&header, "caption", true);
    const int64_t text = prose >= 0 ? prose
                                    : ak_header_find(&header, "names", true);
    r->line = records.line;
    if (photo < 0 || text < 0)
        AK_TRY(bad(r, ctx,
                   "expected a header with the columns photo and caption, or "
                   "photo and names"));
    const int64_t n_columns = records.n_cells;
    for (;;) {
        size_t n;
        AK_TRY(ak_csv_records_next(&records, ctx));
        if (records.n_cells == 0)
            break;
        r->line = records.line;
        if (records.n_cells != n_columns)
            AK_TRY(bad(r, ctx, "another number of cells than the header has"));
        const char *cell = ak_csv_records_cell(&records, text, &n);
        size_t unused;
        AK_TRY(add_caption(r, ctx,
                           ak_csv_records_cell(&records, photo, &unused), cell,
                           n, prose < 0));
    }
done:
    ak_columns_free(&header);
    ak_csv_records_end(&records);
    return st;
}

/* ---- JSON lines ---- */

/* A list of names as the cell of a csv file has it. */
static akin_status add_names(reader *r, akin_ctx *ctx, const char *photo,
                             const json_t *names)
{
    size_t n = 0, room = 1;
    char *text = NULL;
    akin_status st = AKIN_OK;
    for (size_t k = 0; k < json_array_size(names); ++k) {
        if (!json_is_string(json_array_get(names, k)))
            return bad(r, ctx, "\"names\" is not a list of texts");
        room += json_string_length(json_array_get(names, k)) + 1;
    }
    AK_TRY(ak_alloc(ctx, (int64_t)room, 1, &text));
    for (size_t k = 0; k < json_array_size(names); ++k) {
        const json_t *name = json_array_get(names, k);
        if (k > 0)
            text[n++] = ';';
        memcpy(text + n, json_string_value(name), json_string_length(name));
        n += json_string_length(name);
    }
    AK_TRY(add_caption(r, ctx, photo, text, n, true));
done:
    akin_free(text);
    return st;
}

static akin_status take_object(reader *r, akin_ctx *ctx, const json_t *object)
{
    const json_t *photo = json_object_get(object, "photo");
    const json_t *text = json_object_get(object, "caption");
    const json_t *names = json_object_get(object, "names");
    char number[32];
    if (!json_is_string(photo) && !json_is_integer(photo))
        return bad(r, ctx, "no text \"photo\"");
    snprintf(number, sizeof number, "%" PRId64,
             (int64_t)json_integer_value(photo));
    const char *id = json_is_string(photo) ? json_string_value(photo) : number;
    if (json_is_string(text))
        return add_caption(r, ctx, id, json_string_value(text),
                           json_string_length(text), false);
    if (text == NULL && json_is_array(names))
        return add_names(r, ctx, id, names);
    return bad(r, ctx, "neither a text \"caption\" nor a list \"names\"");
}

static akin_status read_object(reader *r, akin_ctx *ctx, const char *line,
                               size_t n)
{
    json_error_t error;
    json_t *object;
    if (n > LONGEST)
        return bad(r, ctx, "line is longer than 64 MiB");
    object =
        json_loadb(line, n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (object == NULL && json_error_code(&error) == json_error_out_of_memory)
        return ak_nomem(ctx, n);
    if (object == NULL)
        return ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": not JSON: %s",
                       ak_source_name(r->source), r->line, error.text);
    const akin_status st = take_object(r, ctx, object);
    json_decref(object);
    return st;
}

/* ---- lines ---- */

/* Every line that is not empty: an object, or a caption whose photo is called
 * by the number of the line. */
static akin_status read_lines(reader *r, akin_ctx *ctx, bool json)
{
    char number[32], *line;
    size_t n;
    for (;;) {
        AK_CHECK(ak_source_line(r->source, ctx, &line, &n));
        if (line == NULL)
            return AKIN_OK;
        r->line = ak_source_line_number(r->source);
        if (n == 0)
            continue;
        if (!json && n > LONGEST)
            return bad(r, ctx, "line is longer than 64 MiB");
        snprintf(number, sizeof number, "%" PRId64, r->line);
        AK_CHECK(json ? read_object(r, ctx, line, n)
                      : add_caption(r, ctx, number, line, n, false));
    }
}

/* ---- folders ---- */

static bool is_text(const char *path)
{
    return ak_has_extension(path, ".txt");
}

/* The picture that a text stands beside: a.jpg for a.txt or a.jpg.txt; NULL:
 * none. Documents are sorted, so that it is near. */
static const char *find_picture(const ak_folder *f, int64_t i)
{
    const char *path = f->documents[i].path;
    const size_t stem = strlen(path) - strlen(".txt");
    for (int step = -1; step <= 1; step += 2)
        for (int64_t k = i + step; k >= 0 && k < f->n; k += step) {
            const char *other = f->documents[k].path;
            if (strncmp(other, path, stem) != 0)
                break;
            const bool beside = other[stem] == '\0' ||
                                (other[stem] == '.' &&
                                 strchr(other + stem + 1, '.') == NULL &&
                                 strchr(other + stem, '/') == NULL);
            if (beside && !is_text(other))
                return other;
        }
    return NULL;
}

/* A whole file, without the line ends behind it. */
static akin_status read_file(char **text, akin_ctx *ctx, const char *path,
                             size_t *n)
{
    ak_source *source = NULL;
    int64_t room = 0;
    size_t got = PIECE;
    akin_status st = AKIN_OK;
    *n = 0;
    AK_TRY(ak_source_open(&source, ctx, path, AK_SOURCE_TEXT));
    while (got == PIECE) {
        AK_TRY(ak_grow(ctx, (int64_t)*n + PIECE, &room, 1, text));
        AK_TRY(ak_source_read(source, ctx, *text + *n, PIECE, &got));
        *n += got;
        if (*n > LONGEST)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                           "%s: a caption of more than 64 MiB", path));
    }
    while (*n > 0 && strchr("\r\n \t", (*text)[*n - 1]) != NULL &&
           (*text)[*n - 1] != '\0')
        --*n;
done:
    ak_source_close(source);
    return st;
}

/* The photo is called by its path below the folder. */
static akin_status add_file(reader *r, akin_ctx *ctx, const ak_folder *f,
                            int64_t i, size_t n_folder)
{
    const char *path = f->documents[i].path;
    const char *picture = find_picture(f, i);
    const char *from = picture != NULL ? picture : path;
    char *photo = NULL, *text = NULL;
    size_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(read_file(&text, ctx, path, &n));
    for (from += n_folder; *from == '/';)
        ++from;
    AK_TRY(ak_strdup(ctx, from, &photo));
    if (picture == NULL)
        photo[strlen(photo) - strlen(".txt")] = '\0';
    AK_TRY(add_caption(r, ctx, photo, text, n, false));
done:
    akin_free(photo);
    akin_free(text);
    return st;
}

/* Is there also a text a.jpg.txt for the picture of a.txt, which is taken? */
static bool is_replaced(const ak_folder *f, int64_t i)
{
    const char *path = f->documents[i].path, *picture = find_picture(f, i);
    const size_t n = picture ? strlen(picture) : 0;
    if (picture == NULL || strncmp(path, picture, n) == 0)
        return false;
    for (int64_t k = i - 1; k <= i + 1; k += 2)
        for (int64_t at = k; at >= 0 && at < f->n; at += k - i) {
            const char *other = f->documents[at].path;
            if (strncmp(other, path, strlen(path) - strlen(".txt")) != 0)
                break;
            if (strncmp(other, picture, n) == 0 && is_text(other) &&
                strlen(other) == n + strlen(".txt"))
                return true;
        }
    return false;
}

static akin_status read_folder(reader *r, akin_ctx *ctx, const char *path)
{
    ak_folder folder = {0};
    ak_warnings warnings = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_folder_list(&folder, ctx, path, &warnings));
    for (int64_t i = 0; i < folder.n; ++i)
        if (is_text(folder.documents[i].path) && !is_replaced(&folder, i))
            AK_TRY(add_file(r, ctx, &folder, i, strlen(path)));
    if (r->out->n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: no captions (expected a .txt beside each picture)",
                       path));
done:
    ak_folder_free(&folder);
    return st;
}

/* ---- any of them ---- */

/* What standard input has: objects, csv with a header, or lines. */
static akin_status read_input(reader *r, akin_ctx *ctx, const char *bytes,
                              size_t n)
{
    size_t at = 0;
    while (at < n && strchr(" \t\r\n", bytes[at]) != NULL && bytes[at] != '\0')
        ++at;
    if (at < n && bytes[at] == '{')
        return read_lines(r, ctx, true);
    if (n >= 6 && memcmp(bytes, "photo", 5) == 0 &&
        strchr(",;\t", bytes[5]) != NULL)
        return read_csv(r, ctx, ',');
    return read_lines(r, ctx, false);
}

static akin_status read_standard_input(reader *r, akin_ctx *ctx)
{
    char *bytes = NULL;
    size_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_file_read(ctx, "-", &bytes, &n));
    AK_TRY(ak_source_memory(&r->source, ctx, "-", AK_SOURCE_TEXT, bytes, n));
    AK_TRY(read_input(r, ctx, bytes, n));
done:
    ak_source_close(r->source);
    akin_free(bytes);
    return st;
}

static akin_status read_file_of(reader *r, akin_ctx *ctx, const char *path)
{
    const ak_format *format = ak_format_of(path);
    const bool csv = format != NULL && format->delimiter != '\0';
    const bool json = ak_has_extension(path, ".jsonl") ||
                      ak_has_extension(path, ".ndjson");
    akin_status st = AKIN_OK;
    if (!csv && !json && !is_text(path))
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s: not captions (expected .csv, .tsv, .jsonl, .txt or "
                       "a folder)",
                       path);
    AK_TRY(ak_source_open(&r->source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(csv ? read_csv(r, ctx, format->delimiter)
               : read_lines(r, ctx, json));
done:
    ak_source_close(r->source);
    return st;
}

akin_status akin_captions_read(akin_captions **out, akin_ctx *ctx,
                               const akin_tagger *tagger, const char *path)
{
    struct stat s;
    reader r = {.tagger = tagger};
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &r.out));
    if (strcmp(path, "-") == 0)
        AK_TRY(read_standard_input(&r, ctx));
    else if (stat(path, &s) != 0)
        AK_TRY(ak_file_fail(ctx, AKIN_ENOENT, path));
    else if (S_ISDIR(s.st_mode))
        AK_TRY(read_folder(&r, ctx, path));
    else
        AK_TRY(read_file_of(&r, ctx, path));
    if (r.n_latin1 > 0)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%s: the caption of %.80s is not UTF-8 (%" PRId64
               " in all); taken for Latin-1",
               path, r.latin1, r.n_latin1);
    *out = r.out;
    r.out = NULL;
done:
    akin_free(r.latin1);
    akin_captions_free(r.out);
    return st;
}

/* ---- getters ---- */

void akin_captions_free(akin_captions *captions)
{
    if (captions == NULL)
        return;
    for (int64_t i = 0; i < captions->n; ++i) {
        akin_free(captions->captions[i].photo);
        akin_free(captions->captions[i].text);
        akin_persons_free(captions->captions[i].persons);
    }
    akin_free(captions->captions);
    akin_free(captions);
}

int64_t akin_captions_count(const akin_captions *captions)
{
    return captions->n;
}

const char *akin_captions_photo(const akin_captions *captions, int64_t i)
{
    return captions->captions[i].photo;
}

const char *akin_captions_text(size_t *n, const akin_captions *captions,
                               int64_t i)
{
    if (n != NULL)
        *n = captions->captions[i].n;
    return captions->captions[i].text;
}

const akin_persons *akin_captions_persons(const akin_captions *captions,
                                          int64_t i)
{
    return captions->captions[i].persons;
}
