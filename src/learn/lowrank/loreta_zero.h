/* learn/lowrank/loreta_zero.h - the start from zero: a full matrix for the
 * first mistakes, then its best factors of rank k. For similarities and
 * rankers.
 *
 *   W = sum_i u_i p_i'                                    (1)  n x m
 *   U = Qu Ru,  P = Qp Rp,  Ru Rp' = X S Y'               (2)
 *   A = Qu X_k S_k^1/2,  B = Qp Y_k S_k^1/2               (3)
 *
 * W is never formed: the u and p are kept, and (2) is done on the rows they
 * touch. 2k pairs are asked for, and more while the k-th singular value is no
 * more than 1e-10 of the first. A symmetric one learns (W + W')/2 and gives its
 * k largest eigenvalues, which must be positive, A = B. */
#ifndef AK_LEARN_LOWRANK_LORETA_ZERO_H
#define AK_LEARN_LOWRANK_LORETA_ZERO_H

#include "learn/lowrank/sparse_vectors.h"

typedef struct ak_zero {
    int64_t n, m, k;
    bool symmetric;
    int64_t count, need;  // pairs kept, and when to look for factors
    ak_splist U, P;
} ak_zero;

/* Nothing is allocated yet; `symmetric` asks for n = m. */
void ak_zero_init(ak_zero *z, int64_t n, int64_t m, int64_t k, bool symmetric);
void ak_zero_free(ak_zero *z);

/* x'W y; and W p, n numbers (not for a symmetric one). */
double ak_zero_score(const ak_zero *z, ak_spvec x, ak_spvec y);
void ak_zero_times(const ak_zero *z, ak_spvec p, double *Wp);

/* W <- W + eta u p' after a mistake. EINVAL when so many were kept already that
 * rank k is out of reach. */
akin_status ak_zero_add(ak_zero *z, akin_ctx *ctx, double eta, ak_spvec u,
                        ak_spvec p);
/* Whether the factors may be asked for. */
bool ak_zero_due(const ak_zero *z);
/* (3) into A (n x k) and B (m x k; NULL if symmetric); columns past `rank` are
 * zero. With rank = k the start is over; with less, it goes on. */
akin_status ak_zero_factors(const ak_zero *z, akin_ctx *ctx, double *A,
                            double *B, int64_t *rank);

/* The pairs in a file: zero.u, zero.p and so on. */
akin_status ak_zero_save(const ak_zero *z, akin_ctx *ctx, ak_tensors *t);
bool ak_zero_is_saved(const ak_tensors *t);
akin_status ak_zero_load(ak_zero *z, akin_ctx *ctx, const ak_tensors *t);

#endif
