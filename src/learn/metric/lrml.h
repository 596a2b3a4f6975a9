/* learn/metric/lrml.h - a metric under which neighbours and similar pairs are
 * near, dissimilar pairs far. */
#ifndef AK_LEARN_METRIC_LRML_H
#define AK_LEARN_METRIC_LRML_H

#include "learn/metric/links.h"

typedef struct ak_lrml {
    int64_t n, d;
    const double *X;  // n x d
    const ak_links *links;
    int64_t k;  // neighbours
    double gamma_s, gamma_d, ridge;
    double share;  // of the largest safe gamma_d, where that is 0

    double *M;         // d x d, written, as are the others below
    double *F;         // NULL, or room for d x d: d x rank, M = F F'
    double used;       // gamma_d as it was used
    double objective;  // <B, M>
    int64_t rank;      // of M
} ak_lrml;

/* EINVAL: the problem is unbounded; the message says what would be safe. */
akin_status ak_lrml_solve(ak_lrml *p, akin_ctx *ctx);

#endif
