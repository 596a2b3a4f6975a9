/* learn/lowrank/retract.h - one step on the manifold of matrices of rank k,
 * W = A B' or Y Y', along eta p q': second-order retractions.
 *   [1] Shalit, Weinshall, Chechik. Online learning in the embedded manifold of
 *       low-rank matrices. JMLR 13:429-458, 2012.
 *
 * A step is shortened to max_s (0: no limit), halved while a factor would lose
 * rank, and skipped when that does not help. */
#ifndef AK_LEARN_LOWRANK_RETRACT_H
#define AK_LEARN_LOWRANK_RETRACT_H

#include "learn/lowrank/factor.h"
#include "learn/lowrank/sparse_vectors.h"

/* The length of a step, and what is known of p and q. */
typedef struct ak_retract_input {
    double eta, max_s;
    double p2, q2;  // squared norms
    /* 6 k numbers: A'p and B'q, then scratch. */
    double *work;
} ak_retract_input;

/* [1] Algorithm 4, with a = A^+ p, b = B^+ q, s = eta a.b:
 *   A <- A + ((3s/8 - 1/2) A a + (1 - s/2) p) eta b'
 *   B <- B + ((3s/8 - 1/2) B b + (1 - s/2) q) eta a'
 * max_s limits |s|. */
akin_status ak_retract(ak_factor *A, ak_factor *B, akin_ctx *ctx, ak_spvec p,
                       ak_spvec q, const ak_retract_input *input);
/* [1] Algorithm 5, with h1 = eta Y^+ p, h2 = Y^+ q, s = h1.h2, n1 = |h1|^2,
 * n2 = |h2|^2, e = 3s/32 - 1/4, f = 1/2 - s/8:
 *   Y <- Y + (Y (e h1 + 3/32 n1 h2) + f eta p - n1/8 q) h2'
 *          + (Y (e h2 + 3/32 n2 h1) + f q - n2/8 eta p) h1'
 * max_s limits |s|. */
akin_status ak_retract_psd(ak_factor *Y, akin_ctx *ctx, ak_spvec p, ak_spvec q,
                           const ak_retract_input *input);
/* [1] Algorithm 3, the first r vectors of two lists the columns of P and Q,
 * a = A^+ P, b = B^+ Q, S = eta b'a:
 *   A <- A + (A a (3/8 S - I/2) + P (I - S/2)) eta b'
 *   B <- B + (B b (3/8 S' - I/2) + Q (I - S'/2)) eta a'
 * max_s limits the Frobenius norm of S. */
akin_status ak_retract_many(ak_factor *A, ak_factor *B, akin_ctx *ctx,
                            int64_t r, const ak_splist *P, const ak_splist *Q,
                            double eta, double max_s);

#endif
