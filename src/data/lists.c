/* Lists of rows for queries, and plain lists of rows. */
#include "data/lines.h"

akin_status akin_numbers_read(int64_t **out, int64_t *count, akin_ctx *ctx,
                              const char *path, int64_t n_rows)
{
    const ak_line_form form = {1, {n_rows}, false, "a row number"};
    return ak_lines_read(ctx, path, form, out, count);
}

void akin_free(akin_ctx *ctx, void *p)
{
    ak_release(ctx, p);
}
