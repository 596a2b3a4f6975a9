/* la/tall.h - tall matrices of few columns, row-major, and long vectors, by all
 * threads.
 *
 * Work is cut into blocks of rows that depend on the shape alone, so the
 * results do not depend on the number of threads. */
#ifndef AK_LA_TALL_H
#define AK_LA_TALL_H

#include "base/ctx.h"

/* C = A'B (a x b) of an m x a and an m x b matrix. */
akin_status ak_tall_cross(akin_ctx *ctx, int64_t m, int64_t a, const double *A,
                          int64_t b, const double *B, double *C);
/* Y = alpha A C + beta Y, of an m x a matrix whose rows are `lda` apart and an
 * a x b one; Y is m x b. */
akin_status ak_tall_multiply(akin_ctx *ctx, int64_t m, int64_t a, double alpha,
                             const double *A, int64_t lda, int64_t b,
                             const double *C, double beta, double *Y);
/* Thin QR of any m x n matrix, q = min(m, n): the first q entries of each row
 * of A become Q (the rows stay n apart), and R is q x n, zero below its
 * diagonal. Several levels of Householder reflections over blocks of rows, as
 * stable as one. */
akin_status ak_tall_qr(akin_ctx *ctx, int64_t m, int64_t n, double *A,
                       double *R);

/* *sum = x'y. */
akin_status ak_vector_dot(akin_ctx *ctx, int64_t n, const double *x,
                          const double *y, double *sum);
/* y = a x + b y; y is not read when b is 0. */
akin_status ak_vector_add(akin_ctx *ctx, int64_t n, double a, const double *x,
                          double b, double *y);

#endif
