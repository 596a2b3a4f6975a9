/* learn/captions/rlrr_gap.h - how far from the least value of (1) of
 * learn/captions/rlrr.h, by the multipliers, without any n x n matrix. */
#ifndef AK_LEARN_CAPTIONS_RLRR_GAP_H
#define AK_LEARN_CAPTIONS_RLRR_GAP_H

#include "learn/captions/rlrr.h"

/* J = P diag(sigma - less) R', of k columns out of `width`; the multiplier of
 * X = X W + E is U, that of W = J is S + by A B' + V Phi', A and B of m
 * columns and S of the peers. */
typedef struct ak_rlrr_point {
    const ak_faces_svd *x;
    const ak_peers *peers;
    const ak_rlrr_params *p;
    int64_t k, width, m;
    const double *P, *R, *sigma;
    double less, by;
    const double *U, *Phi;  // n x r
    const double *A, *B, *S;
    const int32_t *mirror;  // of entry (i, j), where (j, i) stands
} ak_rlrr_point;

/* The value of (1) at J, and a bound below its least value: the multiplier of
 * W = J is repaired to X'U where H = 0 and both are scaled to |.|_2 <= 1,
 * |u_j| <= lambda. */
akin_status ak_rlrr_gap(double *value, double *bound, akin_ctx *ctx,
                        const ak_rlrr_point *x);

#endif
