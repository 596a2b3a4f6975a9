/* learn/sparse/sparse_metric.h - what s3ml, s2ml and sdml share: a sparse
 * metric M near M0 under which similar pairs are near,
 *
 *   Sigma = M0^-1 + beta T,  T = sum_ij W_ij (x_i - x_j)(x_i - x_j)' / 2   (1)
 *   M = argmin - log det M + <Sigma, M> + rho |M|_1                        (2)
 *
 * with W of the pairs, or of the pairs spread to all rows. T has negative
 * eigenvalues when there are dissimilar pairs, and (2) then has no minimum
 * from some beta on; below
 *
 *   beta_max = - 1 / lambda_min(T, M0^-1)                                  (3)
 *
 * Sigma is positive definite, unless M0^-1 is singular, and there is one
 * whatever rho is. */
#ifndef AK_LEARN_SPARSE_SPARSE_METRIC_H
#define AK_LEARN_SPARSE_SPARSE_METRIC_H

#include "learn/metric/full_metric.h"

typedef struct ak_sparse_metric {
    bool spreads;       // pairs to all rows, by the affinity
    bool off_diagonal;  // the diagonal of M is not penalised
} ak_sparse_metric;

akin_status ak_sparse_metric_learn(akin_model **out, akin_ctx *ctx,
                                   const akin_options *head,
                                   const akin_supervision *data,
                                   akin_learn_info *info,
                                   const ak_sparse_metric *form);

#define AK_SPARSE_METRIC_OPTIONS(type)                                        \
    AK_OPTION_WORD(type, beta, "auto|NUMBER",                                 \
                   "weight of the pairs; auto: a share of the largest that "  \
                   "is safe"),                                                \
        AK_OPTION_WORD(type, rho, "auto|NUMBER",                              \
                       "penalty for entries that are not 0; auto: a share "   \
                       "of the mean entry of Sigma"),                         \
        AK_OPTION_GRID(type, beta_share, 1e-6, 0.999999,                      \
                       "with --beta auto, of the largest safe one", 0.3, 0.5, \
                       0.7, 0.9),                                             \
        AK_OPTION_GRID(type, rho_share, 0.0, 1e6,                             \
                       "with --rho auto, of the mean off the diagonal", 0.0,  \
                       0.25, 0.5, 1.0),                                       \
        AK_OPTION_WORD(type, start, "identity|covariance",                    \
                       "M0: the identity in the units of the rows, or the "   \
                       "inverse covariance"),                                 \
        AK_OPTION_WORD(type, solver, "auto|alm|quic|paper",                   \
                       "the method; paper: as printed, slow, without "        \
                       "exact zeros"),                                        \
        AK_OPTION(type, tol, 1e-14, 1e6,                                      \
                  "how far above the minimum it may end, certified"),         \
        AK_OPTION(type, max_iterations, 0, 1e9,                               \
                  "iterations at the most; 0: as suits the solver"),          \
        AK_METRIC_RANK_OPTION(type)

#endif
