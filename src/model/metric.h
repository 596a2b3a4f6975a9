/* model/metric.h - a full metric: S(x, y) = -(x - y)' M (x - y). */
#ifndef AK_MODEL_METRIC_H
#define AK_MODEL_METRIC_H

#include "model/model.h"

/* A full metric of this many columns has 3 GiB. */
enum { AK_METRIC_MOST = 20000 };

/* Copies M (d x d, symmetric, positive semi-definite). A file keeps the
 * non-zero entries alone when half of them or more are zero. */
akin_status ak_metric_new(akin_model **out, akin_ctx *ctx, int64_t d,
                          const double *M, akin_compare by);
/* M = B B' of rank k or less: copies B (d x k), which is all that is kept. */
akin_status ak_metric_new_factor(akin_model **out, akin_ctx *ctx, int64_t d,
                                 int64_t k, const double *B, akin_compare by);
/* NULL where the factor is all there is. */
const double *ak_metric_M(const akin_model *m);
/* d x k; rows embed as B'x. */
const double *ak_metric_B(const akin_model *m, int64_t *k);

/* Row i as d doubles. */
typedef void (*ak_fetch_fn)(const void *arg, int64_t i, double *row);
/* The fetch of akin_rows. */
void ak_fetch_row(const void *rows, int64_t i, double *row);
/* C (d x d), sums divided by n - 1. EINVAL: fewer than two rows. */
akin_status ak_covariance(akin_ctx *ctx, int64_t n, int64_t d,
                          ak_fetch_fn fetch, const void *arg, double *C);
/* M (d x d) = the inverse of the covariance of n rows, sums divided by n - 1;
 * the pseudo-inverse, with a warning to the log, when that is singular.
 * EINVAL: fewer than two rows. */
akin_status ak_mahalanobis(akin_ctx *ctx, int64_t n, int64_t d,
                           ak_fetch_fn fetch, const void *arg, double *M);
/* B (n x n, eigenvectors as columns, scaled) with B B' = A or, `inverted`, the
 * pseudo-inverse of A; *rank columns are left. A symmetric, destroyed. */
akin_status ak_psd_root(akin_ctx *ctx, int64_t n, double *A, bool inverted,
                        double *B, int64_t *rank);

#endif
