/* data/io/packing.h - the compressions of text, and memory for their libraries.
 */
#ifndef AK_DATA_IO_PACKING_H
#define AK_DATA_IO_PACKING_H

#include <zlib.h>
#define ZSTD_STATIC_LINKING_ONLY  // for an allocator of our own
#include <zstd.h>
#include <zstd_errors.h>

#include "base/ctx.h"

/* AK_DEFLATE is what zip archives hold: no header, no checksum. */
typedef enum { AK_PLAIN, AK_GZIP, AK_ZSTD, AK_DEFLATE } ak_packing;

/* Does the path end so, in front of .gz or .zst? */
bool ak_has_ending(const char *path, const char *ending);
/* By the ending of a path, and by the first bytes of a file. */
ak_packing ak_packing_by_ending(const char *path);
ak_packing ak_packing_by_bytes(const unsigned char *p, size_t n);

/* A stream of zlib, and the allocator of zstd, on the context's memory. */
z_stream ak_packing_zlib(akin_ctx *ctx);
ZSTD_customMem ak_packing_zstd(akin_ctx *ctx);

#endif
