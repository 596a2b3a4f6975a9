#include "data/io/sink.h"

#include <string.h>

#include "data/io/compression.h"

enum { BLOCK = 1 << 16, LEVEL = 6, ZSTD_LEVEL = 3 };

struct ak_sink {
    ak_writer *writer;
    ak_compression kind;
    z_stream gz;
    ZSTD_CStream *zst;
    unsigned char *packed;  // BLOCK bytes
};

static akin_status begin_compression(ak_sink *s, akin_ctx *ctx)
{
    AK_CHECK(ak_alloc(ctx, BLOCK, 1, &s->packed));
    if (s->kind == AK_GZIP) {
        s->gz = ak_zlib_stream(ctx);
        if (deflateInit2(&s->gz, LEVEL, Z_DEFLATED, 15 + 16, 8,
                         Z_DEFAULT_STRATEGY) != Z_OK)
            return ak_nomem(ctx, BLOCK);
    } else {
        s->zst = ZSTD_createCStream_advanced(ak_zstd_memory(ctx));
        if (s->zst == NULL ||
            ZSTD_isError(ZSTD_initCStream(s->zst, ZSTD_LEVEL)))
            return ak_nomem(ctx, BLOCK);
    }
    return AKIN_OK;
}

akin_status ak_sink_open(ak_sink **out, akin_ctx *ctx, const char *path)
{
    ak_sink *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    AK_TRY(ak_writer_open(&s->writer, ctx, path));
    s->kind = ak_compression_of_path(path);
    if (s->kind != AK_PLAIN)
        AK_TRY(begin_compression(s, ctx));
    *out = s;
    return AKIN_OK;
done:
    return ak_sink_close(s, ctx, st);
}

/* With `last`, also what the compressor has kept back. */
static akin_status put_gzip(ak_sink *s, akin_ctx *ctx, const void *bytes,
                            size_t n, bool last)
{
    s->gz.next_in = (unsigned char *)(uintptr_t)bytes;
    s->gz.avail_in = (uInt)n;
    do {
        s->gz.next_out = s->packed;
        s->gz.avail_out = BLOCK;
        deflate(&s->gz, last ? Z_FINISH : Z_NO_FLUSH);
        AK_CHECK(
            ak_writer_put(s->writer, ctx, s->packed, BLOCK - s->gz.avail_out));
    } while (s->gz.avail_out == 0);
    return AKIN_OK;
}

static akin_status put_zstd(ak_sink *s, akin_ctx *ctx, const void *bytes,
                            size_t n, bool last)
{
    ZSTD_inBuffer in = {bytes, n, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {s->packed, BLOCK, 0};
        left = ZSTD_compressStream2(s->zst, &out, &in,
                                    last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return ak_nomem(ctx, BLOCK);  // nothing else can go wrong here
        AK_CHECK(ak_writer_put(s->writer, ctx, s->packed, out.pos));
    } while (in.pos < in.size || (last && left > 0));
    return AKIN_OK;
}

akin_status ak_sink_put(ak_sink *s, akin_ctx *ctx, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    akin_status st = AKIN_OK;
    while (n > 0 && st == AKIN_OK) {
        const size_t k = n < 1 << 30 ? n : 1 << 30;  // zlib counts in 32 bits
        st = s->kind == AK_PLAIN  ? ak_writer_put(s->writer, ctx, p, k)
             : s->kind == AK_GZIP ? put_gzip(s, ctx, p, k, false)
                                  : put_zstd(s, ctx, p, k, false);
        p += k;
        n -= k;
    }
    return st;
}

akin_status ak_sink_text(ak_sink *s, akin_ctx *ctx, const char *text)
{
    return ak_sink_put(s, ctx, text, strlen(text));
}

akin_status ak_sink_close(ak_sink *s, akin_ctx *ctx, akin_status st)
{
    if (s == NULL)
        return st;
    if (st == AKIN_OK && s->kind == AK_GZIP)
        st = put_gzip(s, ctx, NULL, 0, true);
    if (st == AKIN_OK && s->kind == AK_ZSTD)
        st = put_zstd(s, ctx, NULL, 0, true);
    st = ak_writer_close(s->writer, ctx, st);
    if (s->gz.state != NULL)
        deflateEnd(&s->gz);
    ZSTD_freeCStream(s->zst);
    akin_free(s->packed);
    akin_free(s);
    return st;
}
