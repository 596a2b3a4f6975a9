/* A text as a file, whole or not there. */
#include <string.h>

#include "base/file.h"

akin_status akin_output_write(akin_ctx *ctx, const char *path, const char *text)
{
    ak_writer *w = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_writer_open(&w, ctx, path));
    AK_TRY(ak_writer_put(w, ctx, text, strlen(text)));
    st = ak_writer_commit(w, ctx);
    w = NULL;
done:
    ak_writer_abort(w);
    return st;
}
