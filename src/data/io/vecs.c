/* Rows of .fvecs and .ivecs files: the length in 32 bits, then that many
 * floats or 32-bit integers; all rows of one length. Little-endian. */
#include <math.h>
#include <string.h>

#include "data/io/formats.h"
#include "data/io/row_builder.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "files are little-endian and used as they lie in memory");

enum { BLOCK = 1 << 14 };

static akin_status bad(const ak_row_builder *b, akin_ctx *ctx,
                       const ak_source *s, const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: row %" PRId64 " %s",
                   ak_source_name(s), b->rows->n, what);
}

/* The length of the next row, 0 at the end. It is compared with the size
 * of the file before memory is allocated for it. */
static akin_status take_length(ak_row_builder *b, akin_ctx *ctx, ak_source *s,
                               int64_t *d)
{
    int32_t length = 0;
    size_t got;
    bool claimed;
    AK_CHECK(ak_source_read(s, ctx, &length, sizeof length, &got));
    *d = length;
    if (got == 0)
        return AKIN_OK;
    const int64_t left = ak_source_left(s, &claimed);
    if (got < sizeof length)
        return bad(b, ctx, s, "is truncated");
    if (length <= 0)
        return bad(b, ctx, s, "has no values");
    if (b->rows->n > 0 && length != b->rows->d)
        return bad(b, ctx, s, "has another length than the first row");
    if (left >= 0 && left < 4 * *d)
        return bad(b, ctx, s, "is truncated");
    return AKIN_OK;
}

static akin_status take_row(ak_row_builder *b, akin_ctx *ctx, ak_source *s,
                            int64_t d, bool integers)
{
    for (int64_t left = d; left > 0;) {
        const int64_t n = ak_min_i64(left, BLOCK);
        AK_CHECK(ak_row_builder_room(b, ctx, n));
        float *to = b->rows->vals + b->n_vals;
        AK_CHECK(ak_source_need(s, ctx, to, (size_t)n * sizeof *to));
        for (int64_t k = 0; k < n; ++k) {
            int32_t whole;
            memcpy(&whole, &to[k], sizeof whole);
            if (integers)
                to[k] = (float)whole;
            else if (!isfinite(to[k]))
                return bad(b, ctx, s, "has a value that is not finite");
        }
        b->n_vals += n;
        left -= n;
    }
    ak_row_builder_row(b, -1);
    return AKIN_OK;
}

static akin_status parse(akin_rows **out, akin_ctx *ctx, ak_source *s,
                         bool integers)
{
    ak_row_builder b = {0};
    int64_t d;
    akin_status st = AKIN_OK;
    AK_TRY(ak_row_builder_begin(&b, ctx, false));
    for (;;) {
        AK_TRY(take_length(&b, ctx, s, &d));
        if (d == 0)
            break;
        AK_TRY(take_row(&b, ctx, s, d, integers));
        b.rows->d = d;
    }
    if (b.rows->n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: no rows", ak_source_name(s)));
    AK_TRY(ak_row_builder_end(&b, ctx, out));
done:
    ak_row_builder_drop(&b);
    return st;
}

akin_status ak_fvecs_parse(akin_rows **out, akin_ctx *ctx, ak_source *s,
                           const akin_read_options *o)
{
    (void)o;
    return parse(out, ctx, s, false);
}

akin_status ak_ivecs_parse(akin_rows **out, akin_ctx *ctx, ak_source *s,
                           const akin_read_options *o)
{
    (void)o;
    return parse(out, ctx, s, true);
}

akin_status ak_fvecs_write(akin_ctx *ctx, const akin_rows *rows,
                           const char *path)
{
    const int32_t d = (int32_t)rows->d;
    return ak_format_write_dense(ctx, rows, path, "", 0, &d, sizeof d);
}
