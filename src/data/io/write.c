/* Writing rows by the ending of the path, and what the formats share. */
#include <string.h>

#include "base/file.h"
#include "data/io/formats.h"

static akin_status find_format(const ak_format **out, akin_ctx *ctx,
                               const char *path)
{
    *out = ak_format_of(path);
    if (*out == NULL || (*out)->write == NULL)
        return ak_format_unknown(ctx, path, true);
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
                                  const char *path, const void *front,
                                  size_t front_n, const void *each,
                                  size_t each_n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const size_t bytes = (size_t)rows->d * sizeof *rows->vals;
    ak_writer *w = NULL, *whole = NULL;
    float *room;
    akin_status st = AKIN_OK;
    if (rows->label_offsets != NULL && rows->label_offsets[rows->n] > 0)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%s: the labels are left out, the format has no place for them",
               path);
    AK_TRY(AK_SCRATCH(ctx, rows->d, &room));
    AK_TRY(ak_writer_open(&w, ctx, path));
    AK_TRY(ak_writer_put(w, ctx, front, front_n));
    for (int64_t i = 0; i < rows->n; ++i) {
        AK_TRY(ak_writer_put(w, ctx, each, each_n));
        AK_TRY(ak_writer_put(w, ctx, ak_rows_full(rows, i, room), bytes));
    }
    whole = w;
    w = NULL;
    AK_TRY(ak_writer_commit(whole, ctx));
done:
    ak_writer_abort(w);
    ak_scratch_end(ctx, mark);
    return st;
}
