/* la/shared.h - sums and products over many rows, by all threads and ranks.
 *
 * Work is cut into blocks that depend on its shape alone, so the results have
 * the same bytes for any number of threads and ranks. All ranks must make these
 * calls alike, with the same matrices, and get the same results. */
#ifndef AK_LA_SHARED_H
#define AK_LA_SHARED_H

#include "base/comm.h"

/* Adds what the elements [begin, end) contribute to `sum`, which begins as
 * zeros. `worker` as in base/parallel.h. */
typedef akin_status (*ak_sum_fn)(void *arg, int64_t begin, int64_t end,
                                 int64_t worker, double *sum);

/* Elements of a block at least, where each is a row of a product. */
enum { AK_SHARED_ROWS = 512 };

/* out (size numbers) = the sum over n elements, in at most 16 blocks of `least`
 * elements or more. */
akin_status ak_shared_sum(akin_ctx *ctx, int64_t n, int64_t least, int64_t size,
                          ak_sum_fn fn, void *arg, double *out);
/* Elements of its blocks, for results that stay where they are summed. */
int64_t ak_shared_block(int64_t n, int64_t least, int64_t size);

/* As ak_gram: C = A A' (n x n) of an n x k matrix, or A'A of a k x n one with
 * `trans`. */
akin_status ak_shared_gram(akin_ctx *ctx, bool trans, int64_t n, int64_t k,
                           const double *A, int64_t lda, double *C);
/* C = alpha A'B (a x b) of an m x a and an m x b matrix. */
akin_status ak_shared_cross(akin_ctx *ctx, int64_t m, int64_t a, double alpha,
                            const double *A, int64_t b, const double *B,
                            double *C);
/* Y = A B (m x b) of an m x a and an a x b matrix. */
akin_status ak_shared_multiply(akin_ctx *ctx, int64_t m, int64_t a,
                               const double *A, int64_t b, const double *B,
                               double *Y);

#endif
