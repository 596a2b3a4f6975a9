/* learn/sparse/sparse_limits.h - for which beta and rho (2) of
 * learn/sparse/sparse_metric.h has a minimum. */
#ifndef AK_LEARN_SPARSE_SPARSE_LIMITS_H
#define AK_LEARN_SPARSE_SPARSE_LIMITS_H

#include "learn/learner.h"
#include "learn/sparse/sice.h"

typedef struct ak_beta_limits {
    double most;     // (3), infinite when T has no negative eigenvalue
    double largest;  // eigenvalue of T against S, in size
    int64_t lost;    // directions in which S vanishes
} ak_beta_limits;

/* Of S = M0^-1, d x d, positive semi-definite; T vanishes where S does. */
akin_status ak_beta_limits_of(ak_beta_limits *out, akin_ctx *ctx, int64_t d,
                              const double *S, const double *T);

/* EINVAL: what is wrong with p, of a given beta or the one that --beta auto
 * took, and what would not be. */
akin_status ak_refuse_unbounded(akin_ctx *ctx, const ak_sice *p, bool diag,
                                const ak_beta_limits *limits, double beta);
/* EINVAL: the entries of Sigma are too large to compute with. */
akin_status ak_refuse_large(akin_ctx *ctx, const ak_beta_limits *limits,
                            double beta);

#endif
