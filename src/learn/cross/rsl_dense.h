/* learn/cross/rsl_dense.h - products of dense rows, in single precision, with a
 * few columns in double, and sums over pairs of such rows.
 *
 * Rows are kept in tiles of LANES samples, column by column, padded with zeros:
 * column j of tile t is x + (t * n + j) * LANES. So are the k numbers of each
 * sample in double. */
#ifndef AK_LEARN_CROSS_RSL_DENSE_H
#define AK_LEARN_CROSS_RSL_DENSE_H

#include <stdint.h>

enum { AK_RSL_LANES = 16 };

/* Half the lanes, from floats or doubles, one by one: the compiler makes one
 * conversion of them, and five steps of __builtin_convertvector. */
typedef double ak_rsl_v8 __attribute__((vector_size(64)));
#define AK_RSL_LOAD(x)                                                   \
    ((ak_rsl_v8){(x)[0], (x)[1], (x)[2], (x)[3], (x)[4], (x)[5], (x)[6], \
                 (x)[7]})

/* Tiles of n samples, and the numbers of one column in them. */
static inline int64_t ak_rsl_tiles(int64_t n)
{
    return n / AK_RSL_LANES + (n % AK_RSL_LANES != 0);
}

static inline int64_t ak_rsl_padded(int64_t n)
{
    return ak_rsl_tiles(n) * AK_RSL_LANES;
}

/* Y (k columns of a tile) = scale (X U - 1 shift') for one tile of X. */
void ak_rsl_tile_project(int64_t n, const float *x, int64_t k, const double *U,
                         double scale, const double *shift, double *Y);
/* Y (rows x k) += X'C over some tiles, for `rows` columns of X from x on. */
void ak_rsl_tiles_gather(int64_t tiles, int64_t n, const float *x, int64_t rows,
                         int64_t k, const double *C, double *Y);

/* ---- the k numbers of each sample of a tile, A and B of its pairs -------- */

/* f of a tile. */
void ak_rsl_tile_score(int64_t k, const double *A, const double *s,
                       const double *B, double *f);
/* P = c A of a tile. */
void ak_rsl_tile_scale(int64_t k, const double *A, const double *c, double *P);
/* w = h df of a tile, with df = <C0 + A M, B> + <A, C1>. */
void ak_rsl_tile_change(int64_t k, const double *A, const double *B,
                        const double *C0, const double *C1, const double *M,
                        const double *h, double *w);
/* C0 <- w B + c C1 / s and C1 <- w A + c C0 / s, both of what they were, and
 * AwB += A'wB, lane by lane. */
void ak_rsl_tile_second(int64_t k, const double *A, const double *B,
                        const double *w, const double *c, const double *s,
                        double *C0, double *C1, double *AwB);

#endif
