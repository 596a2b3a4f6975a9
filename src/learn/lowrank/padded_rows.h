/* learn/lowrank/padded_rows.h - kernels on padded rows, in registers.
 *
 * Rows are `ld` numbers, a multiple of AK_LANES, zeros past the end. Sums run
 * over rows in order and over lanes as written, so every processor gives the
 * same bits. */
#ifndef AK_LEARN_LOWRANK_PADDED_ROWS_H
#define AK_LEARN_LOWRANK_PADDED_ROWS_H

#include <stdint.h>

#include "la/clones.h"

enum {
    AK_LANES = 4,  // numbers of a vector
    AK_LINE = 8,   // numbers of a cache line
};

#define AK_INLINE static inline __attribute__((always_inline))

typedef double ak_v4 __attribute__((vector_size(32), aligned(8), may_alias));

#define AK_V4(p) (*(ak_v4 *)(p))
#define AK_CV4(p) (*(const ak_v4 *)(p))

AK_INLINE double ak_lanes_dot(int64_t ld, const double *x, const double *y)
{
    ak_v4 s = AK_CV4(x) * AK_CV4(y);
    for (int64_t j = AK_LANES; j < ld; j += AK_LANES)
        s += AK_CV4(x + j) * AK_CV4(y + j);
    return (s[0] + s[2]) + (s[1] + s[3]);
}

/* y += a x */
AK_INLINE void ak_lanes_add(int64_t ld, double a, const double *x, double *y)
{
    for (int64_t j = 0; j < ld; j += AK_LANES)
        AK_V4(y + j) += a * AK_CV4(x + j);
}

/* y = sum_i x[i] M[rows[i]]: M'p of a sparse p; rows NULL: M'x. */
void ak_sum_rows(int64_t n, int64_t ld, const double *M, const int32_t *rows,
                 const double *x, double *y);
/* M[rows[i]] += x[i] y; rows NULL: 0 to n - 1. */
void ak_add_to_rows(int64_t n, int64_t ld, double *M, const int32_t *rows,
                    const double *x, const double *y);
/* M += x y' + u v', M of n rows. */
void ak_add_two_to_rows(int64_t n, int64_t ld, double *M, const double *x,
                        const double *y, const double *u, const double *v);

#endif
