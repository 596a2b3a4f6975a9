/* la/sparse.h - kernels on sorted sparse vectors.
 *
 * Each has a portable form and, on x86-64, one for AVX2 and one for AVX-512,
 * chosen at run time by the processor; all give the same bits. Columns rise
 * strictly from 0, values are finite. ak_la_use() pins one, for tests and
 * measurements. */
#ifndef AK_LA_SPARSE_H
#define AK_LA_SPARSE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { AK_LA_PORTABLE, AK_LA_AVX2, AK_LA_AVX512 } ak_la_level;

/* What the processor offers, and what is in use. */
ak_la_level ak_la_best(void);
ak_la_level ak_la_level_now(void);
/* Pins a level, for tests and benches. */
void ak_la_use(ak_la_level level);

/* v = x * (p - n) elementwise on the support of x; entries that are exactly 0
 * are left out. Room for nx entries (plus 16 of slack) in cols and vals;
 * returns how many. The differences and products are taken in double from the
 * float values. */
int64_t ak_hadamard(int64_t nx, const int32_t *xc, const float *xv, int64_t np,
                    const int32_t *pc, const float *pv, int64_t nn,
                    const int32_t *nc, const float *nv, int32_t *cols,
                    double *vals);

/* sum_j a_j b_j over shared columns, and with weights sum_j w[j] a_j b_j
 * (w NULL: ones). Summed in double over the matches in the order of
 * ak_gather_dot, each as w * (a * b). */
double ak_sparse_dot(int64_t na, const int32_t *ac, const float *av, int64_t nb,
                     const int32_t *bc, const float *bv, const double *w);

/* sum_k w[cols[k]] * vals[k]: eight running sums, k modulo 8, added as
 * ((s0+s4)+(s2+s6)) + ((s1+s5)+(s3+s7)). No fused multiply-add. */
double ak_gather_dot(int64_t n, const int32_t *cols, const double *vals,
                     const double *w);
/* The same on dense vectors: sum_k a[k] * b[k]. */
double ak_dot8(int64_t n, const double *a, const double *b);

#endif
