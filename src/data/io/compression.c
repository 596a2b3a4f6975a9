#include "data/io/compression.h"

#include <string.h>
#include <strings.h>

static void *zlib_alloc(void *ctx, uInt n, uInt size)
{
    void *p;
    return ak_alloc(ctx, n, size, &p) == AKIN_OK ? p : NULL;
}

static void *zstd_alloc(void *ctx, size_t size)
{
    void *p;
    return ak_alloc(ctx, (int64_t)size, 1, &p) == AKIN_OK ? p : NULL;
}

static void release(void *ctx, void *p)
{
    (void)ctx;
    akin_free(p);
}

z_stream ak_zlib_stream(akin_ctx *ctx)
{
    return (z_stream){.zalloc = zlib_alloc, .zfree = release, .opaque = ctx};
}

ZSTD_customMem ak_zstd_memory(akin_ctx *ctx)
{
    return (ZSTD_customMem){zstd_alloc, release, ctx};
}

static bool ends_with(const char *path, const char *extension)
{
    const size_t n = strlen(path), k = strlen(extension);
    return n >= k && strcasecmp(path + n - k, extension) == 0;
}

ak_compression ak_compression_of_path(const char *path)
{
    if (ends_with(path, ".gz"))
        return AK_GZIP;
    return ends_with(path, ".zst") ? AK_ZSTD : AK_PLAIN;
}

bool ak_has_extension(const char *path, const char *extension)
{
    size_t n = strlen(path);
    const size_t m = strlen(extension);
    if (ak_compression_of_path(path) != AK_PLAIN)
        while (n > 0 && path[--n] != '.')
            ;
    return n >= m && strncasecmp(path + n - m, extension, m) == 0;
}

ak_compression ak_compression_of_bytes(const unsigned char *p, size_t n)
{
    if (n >= 2 && p[0] == 0x1f && p[1] == 0x8b)
        return AK_GZIP;
    if (n >= 4 && memcmp(p, "\x28\xb5\x2f\xfd", 4) == 0)
        return AK_ZSTD;
    if (n >= 4 && (p[0] & 0xf0) == 0x50 &&
        memcmp(p + 1, "\x2a\x4d\x18", 3) == 0)
        return AK_ZSTD;  // a frame to skip comes first
    return AK_PLAIN;
}
