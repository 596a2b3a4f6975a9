/* learn/metric/nca.h - the objective of NCA and its gradient. */
#ifndef AK_LEARN_METRIC_NCA_H
#define AK_LEARN_METRIC_NCA_H

#include "base/ctx.h"

typedef struct ak_nca {
    int64_t n, d, rank;
    const double *X;  // n x d
    bool (*same)(const void *arg, int64_t i, int64_t j);
    const void *arg;
    double lambda;

    double *Z, *R;  // n x rank; these and below: set by ak_nca_begin
    double *norm;   // |z|^2
    double *sum;    // of each worker: column sums of a block,
    double *P;      // a block of rows of (2)
    akin_ctx *ctx;  // of the call
} ak_nca;

/* Allocates scratch memory. */
akin_status ak_nca_begin(ak_nca *p, akin_ctx *ctx);
/* The objective (4) of nca.c at B (d x rank), and its gradient; an ak_value_fn
 * with an ak_nca as its argument. */
akin_status ak_nca_value(void *arg, akin_ctx *ctx, const double *B, double *F,
                         double *gradient);

#endif
