#include "data/io/unpack.h"

enum { GZIP_BITS = 15 + 16, RAW_BITS = -15 };

akin_status ak_unpack_begin(ak_unpack *u, akin_ctx *ctx)
{
    if (u->packing == AK_ZSTD) {
        u->zst = ZSTD_createDStream_advanced(ak_packing_zstd(ctx));
        return u->zst ? AKIN_OK : ak_nomem(ctx, AK_UNPACK_BLOCK);
    }
    const int bits = u->packing == AK_GZIP ? GZIP_BITS : RAW_BITS;
    u->z = ak_packing_zlib(ctx);
    return inflateInit2(&u->z, bits) == Z_OK ? AKIN_OK
                                             : ak_nomem(ctx, AK_UNPACK_BLOCK);
}

void ak_unpack_end(ak_unpack *u)
{
    if (u->z.state != NULL)
        inflateEnd(&u->z);
    ZSTD_freeDStream(u->zst);
    akin_free(u->packed);
    *u = (ak_unpack){0};
}

static akin_status damaged(const ak_unpack *u, akin_ctx *ctx, const char *why)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: damaged %s data (%s)", u->name,
                   u->packing == AK_ZSTD ? "zstd" : "gzip", why);
}

/* More packed bytes unless there are some; none at the end. */
static akin_status pull_packed(ak_unpack *u, akin_ctx *ctx)
{
    if (u->at < u->end)
        return AKIN_OK;
    u->at = u->end = 0;
    return u->pull(u->arg, ctx, u->packed, u->room, &u->end);
}

/* Unpack some of the bytes there are into z->next_out. */
static akin_status inflate_some(ak_unpack *u, akin_ctx *ctx)
{
    z_stream *z = &u->z;
    if (!u->inside && u->whole)
        inflateReset(z);  // the next member
    u->inside = true;
    z->next_in = u->packed + u->at;
    z->avail_in = (uInt)(u->end - u->at);
    const int r = inflate(z, Z_NO_FLUSH);
    u->at = u->end - z->avail_in;
    if (r == Z_STREAM_END) {
        u->inside = false;
        u->whole = true;
    } else if (r == Z_MEM_ERROR) {
        return ak_nomem(ctx, AK_UNPACK_BLOCK);
    } else if (r != Z_OK) {
        return damaged(u, ctx, z->msg ? z->msg : "no such stream");
    }
    return AKIN_OK;
}

static akin_status pull_zlib(ak_unpack *u, akin_ctx *ctx, unsigned char *to,
                             size_t n, size_t *got)
{
    akin_status st = AKIN_OK;
    u->z.next_out = to;
    u->z.avail_out = (uInt)n;
    while (u->z.avail_out == n) {
        if (u->packing == AK_DEFLATE && u->whole)
            break;  // what comes behind is another member's
        AK_TRY(pull_packed(u, ctx));
        if (u->at == u->end && (u->inside || !u->whole))
            AK_TRY(damaged(u, ctx, "it ends early"));
        if (u->at == u->end)
            break;
        AK_TRY(inflate_some(u, ctx));
    }
    *got = n - u->z.avail_out;
done:
    return st;
}

static akin_status pull_zstd(ak_unpack *u, akin_ctx *ctx, unsigned char *to,
                             size_t n, size_t *got)
{
    akin_status st = AKIN_OK;
    ZSTD_outBuffer out = {to, n, 0};
    while (out.pos == 0) {
        AK_TRY(pull_packed(u, ctx));
        const bool ended = u->at == u->end;
        if (ended && !u->inside)
            break;
        ZSTD_inBuffer in = {u->packed, u->end, u->at};
        const size_t r = ZSTD_decompressStream(u->zst, &out, &in);
        u->at = in.pos;
        if (ZSTD_getErrorCode(r) == ZSTD_error_memory_allocation)
            AK_TRY(ak_nomem(ctx, AK_UNPACK_BLOCK));
        if (ZSTD_isError(r))
            AK_TRY(damaged(u, ctx, ZSTD_getErrorName(r)));
        u->inside = r != 0;
        if (ended && out.pos == 0 && u->inside)
            AK_TRY(damaged(u, ctx, "it ends early"));
    }
    *got = out.pos;
done:
    return st;
}

akin_status ak_unpack_pull(ak_unpack *u, akin_ctx *ctx, unsigned char *to,
                           size_t n, size_t *got)
{
    return u->packing == AK_ZSTD ? pull_zstd(u, ctx, to, n, got)
                                 : pull_zlib(u, ctx, to, n, got);
}
