/* learn/metric/lrml.h - the problem that LRML solves: a metric under which
 * neighbours and similar pairs are near, dissimilar pairs far. */
#ifndef AK_LEARN_METRIC_LRML_H
#define AK_LEARN_METRIC_LRML_H

#include "learn/metric/constraints.h"

typedef struct ak_lrml {
    int64_t n, d;
    const double *X;  // n x d
    const ak_constraints *pairs;
    int64_t k;  // neighbours
    double gamma_s, gamma_d, ridge;
    double share;  // of the largest safe gamma_d, where gamma_d is 0

    double *M;         // d x d, written, as are the others below
    double *F;         // NULL, or capacity d x d: d x rank, M = F F'
    double used;       // gamma_d that was used
    double objective;  // <B, M>
    int64_t rank;      // of M
} ak_lrml;

/* EINVAL: the problem is unbounded; the message gives a safe gamma_d. */
akin_status ak_lrml_solve(ak_lrml *p, akin_ctx *ctx);

#endif
