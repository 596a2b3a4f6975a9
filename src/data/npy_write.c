/* A dense matrix to a .npy file. */
#include <string.h>

#include "base/file.h"
#include "data/formats.h"
#include "data/npy.h"

akin_status ak_npy_write(akin_ctx *ctx, const akin_rows *rows, const char *path)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t shape[2] = {rows->n, rows->d};
    char header[AK_NPY_HEADER];
    const size_t size = ak_npy_make_header(header, "<f4", 2, shape);
    ak_writer *w = NULL, *whole = NULL;
    float *room;
    akin_status st = AKIN_OK;
    ak_format_without_labels(ctx, rows, path);
    AK_TRY(AK_SCRATCH(ctx, rows->d, &room));
    AK_TRY(ak_writer_open(&w, ctx, path));
    AK_TRY(ak_writer_put(w, ctx, header, size));
    for (int64_t i = 0; i < rows->n; ++i)
        AK_TRY(ak_writer_put(w, ctx, ak_rows_full(rows, i, room),
                             (size_t)rows->d * sizeof *room));
    whole = w;
    w = NULL;
    AK_TRY(ak_writer_commit(whole, ctx));
done:
    ak_writer_abort(w, ctx);
    ak_scratch_end(ctx, mark);
    return st;
}
