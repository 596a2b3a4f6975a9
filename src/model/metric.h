/* model/metric.h - a full metric: S(x, y) = -(x - y)' M (x - y). */
#ifndef AK_MODEL_METRIC_H
#define AK_MODEL_METRIC_H

#include "model/model.h"

/* Copies M (d x d, symmetric, positive semi-definite). */
akin_status ak_metric_new(akin_model **out, akin_ctx *ctx, int64_t d,
                          const double *M, akin_compare by);
const double *ak_metric_M(const akin_model *m);

/* Row i as d doubles. */
typedef void (*ak_fetch_fn)(const void *arg, int64_t i, double *row);
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
