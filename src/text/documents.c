#include "text/documents.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "data/io/compression.h"
#include "data/io/formats.h"
#include "text/csv_documents.h"
#include "text/folder.h"
#include "text/json_documents.h"
#include "text/keys.h"

enum { PIECE = 1 << 16 };  // bytes of a file read at a time

typedef enum { NONE, FOLDER, CSV, JSON } source_kind;

struct ak_documents {
    const char *path;
    source_kind kind;
    ak_text text;    // of the document at work
    int64_t n;       // documents so far
    char *numbered;  // FILE:N, its name where it has none
    bool given;      // CSV, JSON: the text was given
    ak_source *source;
    ak_csv_documents csv;
    ak_json_documents json;

    ak_folder folder;
    int64_t class;    // of the last document
    int64_t loose;    // documents outside a sub-folder
    ak_source *file;  // of the document at work, open
    bool over;        // it was read to its end
    char *piece;      // PIECE bytes
};

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static bool is_json_lines(const char *path)
{
    return ak_has_extension(path, ".jsonl") ||
           ak_has_extension(path, ".ndjson");
}

static source_kind kind_of(const char *path)
{
    const ak_format *format = ak_format_of(path);
    if (is_folder(path))
        return FOLDER;
    if (is_json_lines(path))
        return JSON;
    return format != NULL && format->delimiter != '\0' ? CSV : NONE;
}

int akin_text_is_documents(const char *path)
{
    return kind_of(path) != NONE;
}

akin_status akin_text_check(akin_ctx *ctx, const char *path)
{
    struct stat s;
    if (strcmp(path, "-") != 0 && stat(path, &s) != 0)
        return ak_file_fail(ctx, AKIN_ENOENT, path);
    if (kind_of(path) == NONE && ak_format_of(path) == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s: neither documents nor counts (expected a folder "
                       "with a file for each document, a .csv or .tsv with a "
                       "column of text, a .jsonl with an object in each line, "
                       "or counts, such as .svm)",
                       path);
    return AKIN_OK;
}

static akin_status begin(ak_documents *d, akin_ctx *ctx,
                         const akin_text_options *o)
{
    if (d->kind == NONE)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s: not documents (expected a folder, .csv, .tsv or "
                       ".jsonl)",
                       d->path);
    if (d->kind == FOLDER) {
        AK_CHECK(ak_alloc(ctx, PIECE, 1, &d->piece));
        return ak_folder_list(&d->folder, ctx, d->path, d->text.warnings);
    }
    AK_CHECK(ak_keys_where(ctx, d->path, &d->numbered));
    AK_CHECK(ak_source_open(&d->source, ctx, d->path, AK_SOURCE_TEXT));
    if (d->kind == JSON)
        return ak_json_documents_begin(&d->json, ctx, d->source, d->path, o);
    return ak_csv_documents_begin(&d->csv, ctx, d->source, d->path,
                                  ak_format_of(d->path)->delimiter, o);
}

akin_status ak_documents_open(ak_documents **out, akin_ctx *ctx,
                              const char *path, const akin_text_options *o,
                              ak_warnings *warnings)
{
    ak_documents *d = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &d));
    d->path = path;
    d->kind = kind_of(path);
    d->text.warnings = warnings;
    d->class = -1;
    AK_TRY(begin(d, ctx, o));
    *out = d;
    d = NULL;
done:
    ak_documents_close(d);
    return st;
}

void ak_documents_any_labels(ak_documents *d)
{
    d->text.any_labels = true;
}

void ak_documents_close(ak_documents *d)
{
    if (d == NULL)
        return;
    ak_source_close(d->file);
    ak_source_close(d->source);
    ak_csv_documents_end(&d->csv);
    ak_json_documents_end(&d->json);
    ak_folder_free(&d->folder);
    ak_text_free(&d->text);
    akin_free(d->piece);
    akin_free(d->numbered);
    akin_free(d);
}

/* ---- files ---- */

static void tell_loose(const ak_documents *d, akin_ctx *ctx)
{
    if (d->loose > 0)
        ak_log(ctx, AKIN_LOG_INFO, "%s: %" PRId64 " %s outside a sub-folder",
               d->path, d->loose,
               d->loose == 1 ? "document has no class: it is"
                             : "documents have no class: they are");
}

/* The part of a path that is below the folder. */
static const char *below(const ak_documents *d, const char *path)
{
    path += strlen(d->path);
    while (*path == '/')
        ++path;
    return path;
}

static akin_status next_file(ak_documents *d, akin_ctx *ctx, bool *there)
{
    const ak_folder *f = &d->folder;
    ak_text *t = &d->text;
    *there = d->n < f->n;
    ak_source_close(d->file);
    d->file = NULL;
    d->over = false;
    if (!*there) {
        tell_loose(d, ctx);
        return AKIN_OK;
    }
    const ak_document *at = &f->documents[d->n];
    const char *label = at->label < 0 ? "" : f->classes[at->label];
    const bool first = at->label != d->class;
    AK_CHECK(ak_ctx_tick(ctx, "documents", d->n, f->n, NAN));
    AK_CHECK(
        ak_text_begin(t, ctx, at->path, ak_text_label_room(strlen(label))));
    t->path = at->path;
    t->name.text = below(d, at->path);
    t->name.n = strlen(t->name.text);
    d->class = at->label;
    d->loose += at->label < 0;
    return at->label < 0 ? AKIN_OK : ak_text_folder_label(t, ctx, label, first);
}

/* Does it concern this document alone? */
static bool is_local(akin_status st)
{
    return st == AKIN_ENOENT || st == AKIN_EIO || st == AKIN_EFORMAT;
}

static akin_status read_piece(ak_documents *d, akin_ctx *ctx, size_t *n)
{
    if (d->file == NULL)
        AK_CHECK(ak_source_open(&d->file, ctx, d->text.path, AK_SOURCE_TEXT));
    return ak_source_read(d->file, ctx, d->piece, PIECE, n);
}

static akin_status file_piece(ak_documents *d, akin_ctx *ctx, size_t *n,
                              bool *lost)
{
    *n = 0;
    if (d->over)
        return AKIN_OK;
    ak_ctx_quiet_begin(ctx);
    const akin_status st = read_piece(d, ctx, n);
    ak_ctx_quiet_end(ctx);
    d->over = *n < PIECE;
    if (!is_local(st))
        return st;
    *n = 0;
    *lost = d->over = true;
    return ak_warnings_add(d->text.warnings, ctx, AK_SKIPPED_UNREADABLE, "%s",
                           akin_ctx_message(ctx));
}

/* ---- any documents ---- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

akin_status ak_documents_next(ak_documents *d, akin_ctx *ctx,
                              const ak_text **text)
{
    ak_text *t = &d->text;
    bool there = false;
    AK_CHECK(d->kind == FOLDER ? next_file(d, ctx, &there)
             : d->kind == CSV
                 ? ak_csv_documents_next(&d->csv, ctx, t, &there)
                 : ak_json_documents_next(&d->json, ctx, t, &there));
    if (d->kind != FOLDER)
        AK_CHECK(ak_ctx_tick(ctx, "documents", d->n + 1, 0, NAN));
    *text = there ? t : NULL;
    t->numbered = there && t->name.n == 0;
    if (t->numbered) {
        ak_keys_write_where(d->numbered, base_of(d->path), d->n);
        t->name = (ak_bytes){d->numbered, strlen(d->numbered)};
    }
    d->given = false;
    d->n += there;
    return AKIN_OK;
}

akin_status ak_documents_piece(ak_documents *d, akin_ctx *ctx,
                               const char **piece, size_t *n, bool *lost)
{
    *lost = false;
    if (d->kind == FOLDER) {
        *piece = d->piece;
        return file_piece(d, ctx, n, lost);
    }
    *piece = d->text.text.text;
    *n = d->given ? 0 : d->text.text.n;
    d->given = true;
    return AKIN_OK;
}
