/* data/io/unpack.h - bytes that come packed, unpacked piece by piece.
 *
 * A stream that is damaged or ends early is EFORMAT, never a short file. */
#ifndef AK_DATA_IO_UNPACK_H
#define AK_DATA_IO_UNPACK_H

#include "data/io/packing.h"

/* Up to n bytes; none at the end, and only there. */
typedef akin_status (*ak_pull_fn)(void *arg, akin_ctx *ctx, unsigned char *to,
                                  size_t n, size_t *got);

typedef struct ak_unpack {
    const char *name;  // of the file, for messages; borrowed
    ak_packing packing;
    ak_pull_fn pull;  // gives packed bytes
    void *arg;
    z_stream z;
    ZSTD_DStream *zst;
    unsigned char *packed;  // [at, end) of room bytes are not yet unpacked
    size_t room, at, end;
    bool inside;  // a stream has begun and not ended
    bool whole;   // a stream has ended
} ak_unpack;

enum { AK_UNPACK_BLOCK = 1 << 18 };

/* Packed bytes that were looked at already are put into `packed` by the
 * caller, who allocates it and sets `room` and `end`. */
akin_status ak_unpack_begin(ak_unpack *u, akin_ctx *ctx);
akin_status ak_unpack_pull(ak_unpack *u, akin_ctx *ctx, unsigned char *to,
                           size_t n, size_t *got);
/* Harmless when all is zero. */
void ak_unpack_end(ak_unpack *u);

#endif
