/* data/io/npy.h - arrays in NumPy's format: a header, then the elements.
 *
 * No more is allocated than the file holds: its length must fit the header, or
 * where that is only claimed the array grows with what is read. */
#ifndef AK_DATA_IO_NPY_H
#define AK_DATA_IO_NPY_H

#include "data/io/source.h"
#include "data/rows.h"

typedef struct ak_npy {
    ak_source *source;  // borrowed, positioned after the header
    char kind;          // f, i, u, b (bool), U or S (text)
    int64_t size;       // bytes of an element
    bool swapped;       // big-endian
    bool fortran;       // columns lie together
    int64_t n_dims;     // 0, 1 or 2
    int64_t shape[2];   // 1 where there is no dimension
    int64_t count;      // elements
    bool more;          // its end is not the end of the source
    int64_t first;      // row of the file that is its first
} ak_npy;

akin_status ak_npy_begin(ak_npy *a, akin_ctx *ctx, ak_source *s);
/* The same where more than the array follows. */
akin_status ak_npy_next(ak_npy *a, akin_ctx *ctx, ak_source *s);

/* All elements in C order, and then the end unless more follows; akin_free.
 * ESHAPE or EFORMAT where they are not numbers, not finite, not in range. */
akin_status ak_npy_floats(const ak_npy *a, akin_ctx *ctx, float **out);
akin_status ak_npy_int64(const ak_npy *a, akin_ctx *ctx, int64_t **out);
akin_status ak_npy_int32(const ak_npy *a, akin_ctx *ctx, int32_t **out);
/* The text of an array of one element of fewer than `room` bytes. */
akin_status ak_npy_text(const ak_npy *a, akin_ctx *ctx, char *out, size_t room);

/* A matrix, or one column, as dense rows. */
akin_status ak_npy_rows(const ak_npy *a, akin_ctx *ctx, akin_rows **out);

/* One label an element: whole numbers, numbers, or texts separated by ';'. */
akin_status ak_npy_labels(const ak_npy *a, akin_ctx *ctx, akin_rows *rows);
akin_status ak_npy_read_labels(akin_rows *rows, akin_ctx *ctx,
                               const char *path);

/* A header for `n_dims` dimensions, padded; at most AK_NPY_HEADER bytes. */
enum { AK_NPY_HEADER = 256 };
size_t ak_npy_make_header(char *to, const char *descr, int64_t n_dims,
                          const int64_t *shape);

#endif
