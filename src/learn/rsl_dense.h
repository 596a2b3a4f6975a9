/* learn/rsl_dense.h - products of dense rows, kept by column in single
 * precision, with a few columns in double. */
#ifndef AK_LEARN_RSL_DENSE_H
#define AK_LEARN_RSL_DENSE_H

#include <stdint.h>

/* Samples are padded with zeros to a multiple of this. */
enum { AK_RSL_LANES = 16 };

/* Y (count x k) = X U for a tile of AK_RSL_LANES samples, of which `count` are
 * wanted: column j of the tile is x + j * AK_RSL_LANES. */
void ak_rsl_dense_project(int64_t n, const float *x, int64_t k, const double *U,
                          int64_t count, double *Y);
/* Y (rows x k) += X'C over `count` samples, a multiple of AK_RSL_LANES: column
 * j of X is x + j * stride, and column c of C is C + c * ldc. */
void ak_rsl_dense_gather(int64_t rows, int64_t stride, const float *x,
                         int64_t k, const double *C, int64_t ldc, int64_t count,
                         double *Y);

#endif
