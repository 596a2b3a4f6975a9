/* learn/lowrank/start.h - the options that low-rank learners share, and where
 * their factors start: the identity, normal random numbers, a model, or zero.
 * For similarities and rankers.
 *
 * The start from zero learns a full matrix from the first mistakes, then takes
 * its best factors of rank k:
 *
 *   W = sum_i u_i p_i'                                    (1)  n x m
 *   U = Qu Ru,  P = Qp Rp,  Ru Rp' = X S Y'               (2)
 *   A = Qu X_k S_k^1/2,  B = Qp Y_k S_k^1/2               (3)
 *
 * W is never formed: the u and p are kept, and (2) is computed on the rows that
 * occur in them. It needs 2k pairs, and more while the k-th singular value is
 * below 1e-10 of the first. A symmetric start learns (W + W')/2 and takes its k
 * largest eigenvalues, which must be positive, A = B. */
#ifndef AK_LEARN_LOWRANK_START_H
#define AK_LEARN_LOWRANK_START_H

#include "learn/learner.h"
#include "learn/lowrank/sparse_vectors.h"
#include "model/prototypes.h"

/* A factor, n x k, scratch of the context; NULL for "identity". "principal": k
 * orthonormal directions that have most of the length of the rows, so that
 * x'A A'y is nearly x'y. "gauss": N(0, 1) by the seed and `side`; otherwise
 * that of a model in a file. ESHAPE when a model does not fit; EINVAL when k is
 * more than n. Rows NULL: the factor is not one of their columns. */
akin_status ak_start_factor(double **A, akin_ctx *ctx, const char *start,
                            const akin_rows *rows, akin_side side, int64_t n,
                            int64_t k);
/* The same for W = Y Y'; EINVAL when the two factors of a model differ. */
akin_status ak_start_factor_psd(double **Y, akin_ctx *ctx, const char *start,
                                const akin_rows *rows, int64_t k);
/* ESHAPE unless a model in a file has these columns and this rank. */
akin_status ak_start_fits(const akin_model *m, akin_ctx *ctx, const char *path,
                          akin_side side, int64_t n, int64_t k);

typedef struct ak_zero {
    int64_t n, m, k;
    bool symmetric;
    int64_t count, need;  // pairs kept, and how many to try the factors with
    ak_splist U, P;
} ak_zero;

/* Allocates nothing; a `symmetric` one has n = m. */
void ak_zero_init(ak_zero *z, int64_t n, int64_t m, int64_t k, bool symmetric);
void ak_zero_free(ak_zero *z);

/* x'W y; and W p, n numbers (not for a symmetric one). */
double ak_zero_score(const ak_zero *z, ak_spvec x, ak_spvec y);
void ak_zero_times(const ak_zero *z, ak_spvec p, double *Wp);

/* W <- W + eta u p' after a mistake. EINVAL when so many were kept that rank k
 * cannot be expected any more. */
akin_status ak_zero_add(ak_zero *z, akin_ctx *ctx, double eta, ak_spvec u,
                        ak_spvec p);
/* Whether there are enough pairs to try the factors. */
bool ak_zero_due(const ak_zero *z);
/* (3) into A (n x k) and B (m x k; NULL if symmetric); columns past `rank` are
 * zero. The start is over when rank = k. */
akin_status ak_zero_factors(const ak_zero *z, akin_ctx *ctx, double *A,
                            double *B, int64_t *rank);
/* Adds a pair and, when that is due, tries the factors: they are in A and B,
 * scratch, when the start is over, else both are NULL. */
akin_status ak_zero_step(ak_zero *z, akin_ctx *ctx, double eta, ak_spvec u,
                         ak_spvec p, double **A, double **B);

/* The pairs in a file: zero.u, zero.p and so on. */
akin_status ak_zero_save(const ak_zero *z, akin_ctx *ctx, ak_tensors *t);
bool ak_zero_is_saved(const ak_tensors *t);
akin_status ak_zero_load(ak_zero *z, akin_ctx *ctx, const ak_tensors *t);

/* The first words of `start`. */
#define AK_STARTS "auto|identity|principal"
#define AK_STARTS_HELP                                                 \
    "the first RANK columns (identity), directions with most of the "  \
    "rows' length (principal; auto: for dense rows of more than RANK " \
    "columns)"

/* Rows of the option tables; starts: the words of `start`. */
#define AK_RANK_OPTION(type)                                          \
    AK_OPTION_GRID(type, rank, 0, 1e6,                                \
                   "rank of W; 0 = auto (30, for dense rows 128; or " \
                   "fewer when there are fewer columns or labels)",   \
                   10, 30, 50, 100)
#define AK_START_OPTIONS(type, starts, text)                                 \
    AK_OPTION_WORD(type, start, starts, text),                               \
        AK_OPTION_WORD_IF(type, score, AK_SCORE_WORDS, "task=similarity",    \
                          AK_SCORE_HELP),                                    \
        AK_OPTION(type, prototypes, 0, AK_PROTOTYPES_MOST,                   \
                  "compare rows by the nearest of at most so many clusters " \
                  "of the learned rows; 0 = off")

#endif
