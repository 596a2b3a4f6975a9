/* learn/lowrank/spvec.h - sparse vectors in double, and rows of k numbers by
 * them. */
#ifndef AK_LEARN_LOWRANK_SPVEC_H
#define AK_LEARN_LOWRANK_SPVEC_H

#include <stdint.h>

typedef struct ak_spvec {
    int64_t n;
    const int32_t *cols;
    const double *vals;
} ak_spvec;

/* p.q; the columns of both rise. */
double ak_spvec_dot(ak_spvec p, ak_spvec q);
/* H'p of an n x k matrix; and H[cols[i]] += y vals[i] r for each i. */
void ak_rows_project(int64_t k, const double *H, ak_spvec p, double *out);
void ak_rows_add(int64_t k, double *H, ak_spvec p, double y, const double *r);

/* x.y of k numbers, in a fixed order of summation. */
double ak_small_dot(int64_t k, const double *x, const double *y);

#endif
