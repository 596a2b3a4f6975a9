#include "collection/faces/captions/caption_file.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "data/io/header.h"
#include "text/csv_records.h"

/* ---- texts ---- */

void ak_caption_free(ak_caption *c)
{
    akin_free(c->text);
    akin_free(c->names);
    *c = (ak_caption){NULL, NULL};
}

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f;
}

/* What is no UTF-8, or cannot be shown, becomes U+FFFD, a control character
 * that is not in `kept` a blank. */
static akin_status clean_utf8(akin_ctx *ctx, const char *text, size_t n,
                              const char *kept, char **out)
{
    char *to;
    AK_CHECK(ak_alloc(ctx, 3 * (int64_t)n + 1, 1, out));
    to = *out;
    for (size_t k = 0, len; k < n; k += len) {
        len = 1;
        if (is_control(text[k])) {
            const bool keeps = text[k] != '\0' && strchr(kept, text[k]);
            *to++ = (char)(keeps ? text[k] : ' ');
            continue;
        }
        const size_t size = ak_utf8_length(text + k, n - k);
        const bool shown = size > 0 && ak_utf8_is_shown(text + k, size);
        len = size ? size : 1;
        to = (char *)memcpy(to, shown ? text + k : "\xef\xbf\xbd",
                            shown ? size : 3) +
             (shown ? size : 3);
    }
    *to = '\0';
    return AKIN_OK;
}

/* The same of text that may be Latin-1. */
static akin_status clean(akin_ctx *ctx, const char *text, size_t n,
                         const char *kept, char **out)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    char *utf8;
    akin_status st = AKIN_OK;
    if (ak_utf8_is_latin1(text, n)) {
        AK_TRY(AK_SCRATCH(ctx, 2 * (int64_t)n, &utf8));
        n = ak_utf8_of_latin1(utf8, text, n);
        text = utf8;
    }
    AK_TRY(clean_utf8(ctx, text, n, kept, out));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status check_length(akin_ctx *ctx, const char *what, size_t n,
                                size_t most)
{
    return n <= most ? AKIN_OK
                     : ak_fail(ctx, AKIN_ESHAPE,
                               "%s of %zu bytes (at most %zu are taken)", what,
                               n, most);
}

akin_status ak_caption_of_text(ak_caption *out, akin_ctx *ctx, const char *text,
                               size_t n)
{
    AK_CHECK(check_length(ctx, "a caption", n, AK_CAPTION_MOST));
    return clean(ctx, text, n, "\n\t", &out->text);
}

/* Is the line [at, at + n) one of the lines before it? One byte, not yet a line
 * end, is between them. */
static bool is_repeated(const char *lines, const char *at, size_t n)
{
    while (lines < at) {
        const char *end = memchr(lines, '\n', (size_t)(at - 1 - lines));
        const size_t m = (size_t)((end ? end : at - 1) - lines);
        if (m == n && memcmp(lines, at, n) == 0)
            return true;
        lines += m + 1;
    }
    return false;
}

/* Lines without blanks around them; without empty ones and repetitions. */
static void tidy_lines(char *lines, char delimiter)
{
    char *to = lines;
    for (const char *p = lines; *p != '\0';) {
        const char *end = strchr(p, delimiter);
        const char *next = end ? end + 1 : p + strlen(p);
        size_t n = (size_t)((end ? end : next) - p);
        for (; n > 0 && *p == ' '; --n)
            ++p;
        while (n > 0 && p[n - 1] == ' ')
            --n;
        /* A name behind others has its delimiter in front: there is room. */
        char *at = to + (to > lines);
        memmove(at, p, n);
        if (n > 0 && !is_repeated(lines, at, n)) {
            if (at > to)
                *to = '\n';
            to = at + n;
        }
        p = next;
    }
    *to = '\0';
}

akin_status ak_caption_of_names(ak_caption *out, akin_ctx *ctx,
                                const char *names, size_t n, char delimiter)
{
    const char kept[] = {delimiter, '\0'};
    AK_CHECK(check_length(ctx, "names", n, AK_NAMES_MOST));
    AK_CHECK(clean(ctx, names, n, delimiter == '\n' ? kept : "", &out->names));
    tidy_lines(out->names, delimiter);
    return AKIN_OK;
}

/* ---- the file ---- */

static akin_status bad(akin_ctx *ctx, const ak_source *s, int64_t line,
                       const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": %s", ak_source_name(s),
                   line, what);
}

/* The parts of a caption; text NULL: not given. */
typedef struct part {
    const char *text;
    size_t n;
} part;

static bool is_latin1(part p)
{
    return p.text != NULL && ak_utf8_is_latin1(p.text, p.n);
}

static akin_status add(ak_caption_file *f, akin_ctx *ctx, const ak_source *s,
                       int64_t line, part photo, part text, part names,
                       char delimiter)
{
    ak_caption c = {NULL, NULL};
    int32_t number;
    akin_status st = AKIN_OK;
    if (photo.n == 0 || memchr(photo.text, '\0', photo.n) != NULL)
        AK_TRY(bad(ctx, s, line, "the photo has no name"));
    AK_TRY(ak_named_photos_add(&f->photos, ctx, photo.text, photo.n, &number));
    if (number < f->n)
        AK_TRY(bad(ctx, s, line, "second caption of the same photo"));
    if (text.text != NULL)
        st = ak_caption_of_text(&c, ctx, text.text, text.n);
    if (st == AKIN_OK && names.text != NULL)
        st = ak_caption_of_names(&c, ctx, names.text, names.n, delimiter);
    if (st == AKIN_ESHAPE)
        AK_TRY(bad(ctx, s, line,
                   "too long (a caption has at most 1 MiB, its names 64 KiB)"));
    AK_TRY(st);
    AK_TRY(ak_grow(ctx, f->n + 1, &f->room, sizeof *f->captions, &f->captions));
    f->captions[f->n++] = c;
    if (is_latin1(text) || is_latin1(names)) {
        f->latin1_line = f->n_latin1 == 0 ? line : f->latin1_line;
        ++f->n_latin1;
    }
    c = (ak_caption){NULL, NULL};
done:
    ak_caption_free(&c);
    return st;
}

/* ---- csv ---- */

enum { PHOTO, CAPTION, NAMES, N_COLUMNS };

static const char *const column_names[N_COLUMNS] = {"photo", "caption",
                                                    "names"};

typedef struct caption_reading {
    ak_caption_file *out;
    int64_t at[N_COLUMNS];
} caption_reading;

static akin_status find_columns(void *arg, akin_ctx *ctx,
                                const ak_csv_records *r)
{
    int64_t *at = ((caption_reading *)arg)->at;
    ak_columns names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_csv_records_names(r, ctx, &names));
    for (int k = 0; k < N_COLUMNS; ++k)
        at[k] = ak_header_find(&names, column_names[k], true);
    if (at[PHOTO] < 0 || (at[CAPTION] < 0 && at[NAMES] < 0))
        AK_TRY(bad(ctx, r->source, r->line,
                   "expected a header with photo and caption or names"));
done:
    ak_columns_free(&names);
    return st;
}

static part cell(const ak_csv_records *r, int64_t column)
{
    part p = {NULL, 0};
    if (column >= 0)
        p.text = ak_csv_records_cell(r, column, &p.n);
    return p;
}

static akin_status take_record(void *arg, akin_ctx *ctx,
                               const ak_csv_records *r)
{
    const caption_reading *c = arg;
    return add(c->out, ctx, r->source, r->line, cell(r, c->at[PHOTO]),
               cell(r, c->at[CAPTION]), cell(r, c->at[NAMES]), ';');
}

static akin_status read_csv(ak_caption_file *f, akin_ctx *ctx,
                            ak_source *source)
{
    static const ak_csv_table table = {find_columns, take_record,
                                       "; a caption with a comma needs quotes"};
    caption_reading r = {.out = f};
    return ak_csv_table_read(&r, ctx, source, &table);
}

/* ---- JSON lines ---- */

static part string_of(const json_t *value)
{
    return json_is_string(value)
               ? (part){json_string_value(value), json_string_length(value)}
               : (part){NULL, 0};
}

/* The texts of a list, a line each. */
static akin_status join(akin_ctx *ctx, const ak_source *s, const json_t *list,
                        part *out)
{
    size_t n = 0;
    char *to;
    for (size_t k = 0; k < json_array_size(list); ++k) {
        const json_t *one = json_array_get(list, k);
        if (!json_is_string(one))
            return bad(ctx, s, ak_source_line_number(s), "a name is not text");
        n += json_string_length(one) + 1;
    }
    AK_CHECK(AK_SCRATCH(ctx, (int64_t)n + 1, &to));
    *out = (part){to, n};
    for (size_t k = 0; k < json_array_size(list); ++k) {
        const part one = string_of(json_array_get(list, k));
        for (size_t i = 0; i < one.n; ++i)
            *to++ = (char)(one.text[i] == '\n' ? ' ' : one.text[i]);
        *to++ = '\n';
    }
    return AKIN_OK;
}

static akin_status take_object(ak_caption_file *f, akin_ctx *ctx,
                               const ak_source *s, const json_t *object)
{
    const int64_t line = ak_source_line_number(s);
    const json_t *caption = json_object_get(object, column_names[CAPTION]);
    const json_t *list = json_object_get(object, column_names[NAMES]);
    const part photo = string_of(json_object_get(object, column_names[PHOTO]));
    const part text = string_of(caption);
    part names = string_of(list);
    char delimiter = ';';
    if (photo.text == NULL || (text.text == NULL && list == NULL) ||
        (caption != NULL && text.text == NULL) ||
        (list != NULL && names.text == NULL && !json_is_array(list)))
        return bad(ctx, s, line,
                   "expected {\"photo\": TEXT, \"caption\": TEXT} or "
                   "{\"photo\": TEXT, \"names\": [TEXTS]}");
    if (json_is_array(list)) {
        AK_CHECK(join(ctx, s, list, &names));
        delimiter = '\n';
    }
    return add(f, ctx, s, line, photo, text, names, delimiter);
}

static akin_status take_line(ak_caption_file *f, akin_ctx *ctx,
                             const ak_source *s, const char *text, size_t n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    json_error_t error;
    akin_status st = AKIN_OK;
    json_t *object =
        json_loadb(text, n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (object == NULL && json_error_code(&error) == json_error_out_of_memory)
        AK_TRY(ak_nomem(ctx, n));
    if (object == NULL)
        AK_TRY(bad(ctx, s, ak_source_line_number(s), error.text));
    AK_TRY(take_object(f, ctx, s, object));
done:
    json_decref(object);
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status read_json(ak_caption_file *f, akin_ctx *ctx,
                             ak_source *source)
{
    for (;;) {
        char *text;
        size_t n;
        AK_CHECK(ak_source_line(source, ctx, &text, &n));
        if (text == NULL)
            return AKIN_OK;
        if (n > strspn(text, " \t"))
            AK_CHECK(take_line(f, ctx, source, text, n));
    }
}

/* ---- both ---- */

static bool ends_in(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcmp(path + n - m, ending) == 0;
}

static bool is_json(const char *path)
{
    static const char *const endings[] = {".jsonl", ".ndjson", ".json"};
    static const char *const packed[] = {"", ".gz", ".zst"};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            char ending[16];
            snprintf(ending, sizeof ending, "%s%s", endings[i], packed[k]);
            if (ends_in(path, ending))
                return true;
        }
    return false;
}

akin_status ak_caption_file_read(ak_caption_file *f, akin_ctx *ctx,
                                 ak_source *source)
{
    const char *path = ak_source_name(source);
    AK_CHECK(is_json(path) ? read_json(f, ctx, source)
                           : read_csv(f, ctx, source));
    if (f->n == 0)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: no captions", path);
    if (f->n_latin1 > 0)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%s:%" PRId64 ": not UTF-8 (%" PRId64
               " in all); taken for Latin-1",
               path, f->latin1_line, f->n_latin1);
    return AKIN_OK;
}

const ak_caption *ak_caption_file_find(const ak_caption_file *f,
                                       const char *photo)
{
    const int32_t at = ak_named_photos_find(&f->photos, photo);
    return at < 0 ? NULL : &f->captions[at];
}

void ak_caption_file_free(ak_caption_file *f)
{
    for (int64_t i = 0; i < f->n; ++i)
        ak_caption_free(&f->captions[i]);
    akin_free(f->captions);
    ak_named_photos_free(&f->photos);
    *f = (ak_caption_file){0};
}
