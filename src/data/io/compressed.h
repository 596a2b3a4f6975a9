/* data/io/compressed.h - compressed rows or columns as other programs write
 * them, to rows of ours. */
#ifndef AK_DATA_IO_COMPRESSED_H
#define AK_DATA_IO_COMPRESSED_H

#include "data/rows.h"

typedef struct ak_compressed {
    int64_t n, d;     // rows and columns, whichever are compressed
    bool by_column;   // compressed columns
    int64_t count;    // of indices and values
    int64_t *starts;  // n + 1, or d + 1
    int32_t *index;   // columns, or rows
    float *vals;
} ak_compressed;

/* Checks everything; sorts what is out of order, drops zeros, refuses repeats
 * and what is not finite. Messages start with `name`. The arrays are the
 * context's and are taken, whatever comes of it. */
akin_status ak_rows_from_compressed(akin_rows **out, akin_ctx *ctx,
                                    const char *name, ak_compressed *c);
void ak_compressed_free(ak_compressed *c);

#endif
