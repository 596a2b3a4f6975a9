/* The table of formats, and reading and writing rows by it. */
#include "data/io/formats.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "data/io/compression.h"
#include "data/io/parts.h"
#include "data/recipe/fingerprint.h"

/* The first of a format's extensions is the usual one; docs/reference/
 * formats.md has the same list for users. */
static const ak_format formats[] = {
    {"svmlight",
     {".svm", ".svmlight", ".libsvm"},
     .text = true,
     .cut = true,
     .parse = ak_svmlight_parse,
     .write = ak_svmlight_write},
    {"csv",
     {".csv"},
     .text = true,
     .cut = true,
     .delimiter = ',',
     .parse = ak_csv_parse,
     .write = ak_csv_write},
    {"tsv",
     {".tsv"},
     .text = true,
     .cut = true,
     .delimiter = '\t',
     .parse = ak_tsv_parse,
     .write = ak_tsv_write},
    {"npy",
     {".npy"},
     .cut = true,
     .parse = ak_npy_parse,
     .write = ak_npy_write},
    {"npz", {".npz"}, .read = ak_npz_read, .write = ak_npz_write},
    {"fvecs", {".fvecs"}, .parse = ak_fvecs_parse, .write = ak_fvecs_write},
    {"ivecs", {".ivecs"}, .parse = ak_ivecs_parse},
    {"safetensors",
     {".safetensors"},
     .read = ak_safetensors_read,
     .write = ak_safetensors_write},
    {"mat", {".mat"}, .read = ak_mat_read},
};

/* Those of a collection are read by the collection. */
static akin_status read_folder(akin_rows **out, akin_ctx *ctx, const char *path,
                               const akin_read_options *o)
{
    (void)out;
    (void)o;
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: a folder (expected a file of rows, or a collection)",
                   path);
}
static const ak_format folder = {"folder", .read = read_folder};

enum { N_FORMATS = sizeof formats / sizeof *formats };

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

const ak_format *ak_format_of(const char *path)
{
    const bool compressed = ak_compression_of_path(path) != AK_PLAIN;
    if (strcmp(path, "-") == 0)
        return &formats[0];
    if (is_folder(path))
        return &folder;
    for (int f = 0; f < N_FORMATS; ++f)
        for (int k = 0; k < 4 && formats[f].extensions[k] != NULL; ++k)
            if (ak_has_extension(path, formats[f].extensions[k]) &&
                (formats[f].text || !compressed))
                return &formats[f];
    return NULL;
}

static akin_status unknown_extension(akin_ctx *ctx, const char *path,
                                     bool to_write)
{
    char list[256] = "";
    size_t n = 0;
    for (int f = 0; f < N_FORMATS; ++f)
        for (int k = 0; k < 4 && formats[f].extensions[k] != NULL; ++k) {
            const size_t m = strlen(formats[f].extensions[k]);
            if (n + m + 2 > sizeof list ||
                (to_write && formats[f].write == NULL))
                break;
            list[n] = ' ';
            memcpy(list + n + 1, formats[f].extensions[k], m);
            n += m + 1;
        }
    list[n] = '\0';
    return ak_fail(ctx, AKIN_EINVAL,
                   "%s: unknown file extension%s (expected one of%s; text "
                   "also with .gz or .zst)",
                   path, to_write ? " for writing" : "", list);
}

/* ---- reading ---- */

/* The caller's struct may be older than ours: shorter. */
akin_status ak_read_options_take(akin_read_options *to, akin_ctx *ctx,
                                 const akin_read_options *from)
{
    *to = (akin_read_options)AKIN_READ_DEFAULTS;
    if (from != NULL)
        memcpy(to, from,
               from->size > 0 && from->size < sizeof *to ? (size_t)from->size
                                                         : sizeof *to);
    if (to->index_base < AKIN_BASE_AUTO || to->index_base > AKIN_BASE_1)
        return ak_fail(ctx, AKIN_EINVAL, "`index_base` is out of range");
    if (to->dim < 0 || to->dim > INT32_MAX)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`dim` %" PRId64 " is out of range (0 to 2147483647)",
                       to->dim);
    return AKIN_OK;
}

static akin_status parse_piece(akin_rows **out, akin_ctx *ctx,
                               const ak_format *f, const char *path,
                               const akin_read_options *o, ak_piece piece)
{
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open_piece(
        &s, ctx, path, f->text ? AK_SOURCE_TEXT : AK_SOURCE_BINARY, piece));
    AK_TRY(f->parse(out, ctx, s, o));
done:
    ak_source_close(s);
    return st;
}

akin_status ak_read_piece(akin_rows **out, akin_ctx *ctx, const char *path,
                          const akin_read_options *o, ak_piece piece)
{
    const ak_format *f = ak_format_of(path);
    *out = NULL;
    if (f == NULL)
        return unknown_extension(ctx, path, false);
    if (!f->cut && piece.begin > 0)
        return AKIN_OK;
    if (f->read != NULL)
        return f->read(out, ctx, path, o);
    if (strcmp(path, "-") == 0 && o->index_base == AKIN_BASE_AUTO)
        return ak_fail(ctx, AKIN_EINVAL,
                       "standard input: the index base must be given "
                       "(`index_base` 0 or 1)");
    if (!f->cut)
        piece = AK_WHOLE_FILE;
    akin_status st = parse_piece(out, ctx, f, path, o, piece);
    if (st == AKIN_EFORMAT && f->text && piece.begin > 0) {
        piece.count_lines = true;
        st = parse_piece(out, ctx, f, path, o, piece);
    }
    return st;
}

static akin_status read_path(akin_rows **out, akin_ctx *ctx, const char *path,
                             const akin_read_options *o)
{
    ak_parts parts = {0};
    akin_status st = AKIN_OK;
    if (!ak_path_is_pattern(path))
        return ak_read_piece(out, ctx, path, o, AK_WHOLE_FILE);
    AK_TRY(ak_parts_find(&parts, ctx, path));
    AK_TRY(ak_parts_read(out, ctx, &parts, o, 0, 1));
    if (*out == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: no rows", path));
done:
    ak_parts_free(&parts);
    return st;
}

/* Empty columns are added where the caller asks for them. A file that follows
 * another one must have as many columns. */
static akin_status fit_columns(akin_rows *r, akin_ctx *ctx, const char *path,
                               const akin_read_options *o)
{
    char hint[64] = "";
    const bool narrow = r->offsets != NULL && r->d < o->dim;
    if (narrow && o->dim_of == NULL)
        r->d = o->dim;
    if (o->dim == 0 || r->d == o->dim)
        return AKIN_OK;
    if (o->recipe != NULL &&
        ak_recipe_check_once(o->recipe, ctx, r) == AKIN_EINVAL)
        return ak_fail(ctx, AKIN_EINVAL, "%s: %s", path, akin_ctx_message(ctx));
    if (narrow)
        snprintf(hint, sizeof hint, "; `dim` %" PRId64 " adds empty ones",
                 o->dim);
    return ak_fail(ctx, AKIN_ESHAPE,
                   "%s: %" PRId64 " columns (expected %" PRId64 "%s%s%s)", path,
                   r->d, o->dim, o->dim_of ? ", as in " : "",
                   o->dim_of ? o->dim_of : "", hint);
}

akin_status ak_rows_as_asked(akin_rows *r, akin_ctx *ctx, const char *path,
                             const akin_read_options *o)
{
    AK_CHECK(fit_columns(r, ctx, path, o));
    return o->labels ? ak_labels_read(r, ctx, o->labels, o) : AKIN_OK;
}

akin_status akin_rows_read_shard(akin_rows **out, akin_ctx *ctx,
                                 const char *path, int64_t shard,
                                 int64_t n_shards,
                                 const akin_read_options *options)
{
    akin_read_options o;
    ak_parts parts = {0};
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_read_options_take(&o, ctx, options));
    if (shard < 0 || shard >= n_shards || o.labels != NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "shard %" PRId64 " of %" PRId64
                       " (labels in a file of their own are not cut)",
                       shard, n_shards));
    AK_TRY(ak_parts_find(&parts, ctx, path));
    AK_TRY(ak_parts_read(&r, ctx, &parts, &o, shard, n_shards));
    if (r != NULL)
        AK_TRY(fit_columns(r, ctx, path, &o));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    ak_parts_free(&parts);
    return st;
}

akin_status akin_rows_read(akin_rows **out, akin_ctx *ctx, const char *path,
                           const akin_read_options *options)
{
    akin_read_options o;
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_read_options_take(&o, ctx, options));
    AK_TRY(read_path(&r, ctx, path, &o));
    AK_TRY(ak_rows_as_asked(r, ctx, path, &o));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

/* ---- writing ---- */

static akin_status find_format(const ak_format **out, akin_ctx *ctx,
                               const char *path)
{
    *out = ak_format_of(path);
    if (*out == NULL || (*out)->write == NULL)
        return unknown_extension(ctx, path, true);
    return AKIN_OK;
}

akin_status akin_rows_write(akin_ctx *ctx, const akin_rows *rows,
                            const char *path)
{
    const ak_format *f;
    const akin_status st = find_format(&f, ctx, path);
    return st == AKIN_OK ? f->write(ctx, rows, path) : st;
}

akin_status akin_rows_write_check(akin_ctx *ctx, const char *path)
{
    const ak_format *f;
    const akin_status st = find_format(&f, ctx, path);
    return st == AKIN_OK ? akin_output_check(ctx, path) : st;
}

akin_status akin_rows_write_all(akin_ctx *ctx, const akin_rows *const *rows,
                                const char *const *paths, int64_t count)
{
    akin_outputs files;
    akin_status st = AKIN_OK;
    akin_outputs_begin(ctx, &files);
    for (int64_t i = 0; i < count && st == AKIN_OK; ++i)
        st = akin_rows_write(ctx, rows[i], paths[i]);
    return akin_outputs_end(ctx, &files, st);
}

akin_status ak_format_check_labels(akin_ctx *ctx, const akin_rows *rows,
                                   const char *path)
{
    for (int64_t k = 0; k < rows->n_label_names; ++k) {
        const char *name = rows->label_names[k];
        bool bad = name[0] == '\0' || strcmp(name, "?") == 0;
        for (const char *c = name; *c && !bad; ++c)
            bad = (unsigned char)*c < ' ' || *c == 0x7f || *c == ';';
        if (bad)
            return ak_fail(ctx, AKIN_EINVAL,
                           "%s: the label \"%s\" cannot be written (no ';' or "
                           "control characters)",
                           path, name);
    }
    return AKIN_OK;
}

akin_status ak_format_write_dense(akin_ctx *ctx, const akin_rows *rows,
                                  const char *path, const void *header,
                                  size_t header_n, const void *each,
                                  size_t each_n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const size_t bytes = (size_t)rows->d * sizeof *rows->vals;
    ak_writer *w = NULL;
    float *room;
    akin_status st = AKIN_OK;
    if (rows->label_offsets != NULL && rows->label_offsets[rows->n] > 0)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%s: labels are not written (the format has none)", path);
    AK_TRY(AK_SCRATCH(ctx, rows->d, &room));
    AK_TRY(ak_writer_open(&w, ctx, path));
    AK_TRY(ak_writer_put(w, ctx, header, header_n));
    for (int64_t i = 0; i < rows->n; ++i) {
        AK_TRY(ak_writer_put(w, ctx, each, each_n));
        AK_TRY(ak_writer_put(w, ctx, ak_rows_full(rows, i, room), bytes));
    }
done:
    ak_scratch_end(ctx, mark);
    return ak_writer_close(w, ctx, st);
}
