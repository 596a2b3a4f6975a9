/* data/io/compression.h - the compressions of text, and memory for their
 * libraries. */
#ifndef AK_DATA_IO_COMPRESSION_H
#define AK_DATA_IO_COMPRESSION_H

#include <zlib.h>
#define ZSTD_STATIC_LINKING_ONLY  // for an allocator of our own
#include <zstd.h>
#include <zstd_errors.h>

#include "base/ctx.h"

/* AK_DEFLATE is what zip archives hold: no header, no checksum. */
typedef enum { AK_PLAIN, AK_GZIP, AK_ZSTD, AK_DEFLATE } ak_compression;

/* Is this the path's extension, before .gz or .zst? */
bool ak_has_extension(const char *path, const char *extension);
/* By the extension of a path, and by the first bytes of a file. */
ak_compression ak_compression_of_path(const char *path);
ak_compression ak_compression_of_bytes(const unsigned char *p, size_t n);

/* A stream of zlib, and the allocator of zstd, on the context's memory. */
z_stream ak_zlib_stream(akin_ctx *ctx);
ZSTD_customMem ak_zstd_memory(akin_ctx *ctx);

#endif
