/* model/metric_body.h - inside of a metric. */
#ifndef AK_MODEL_METRIC_BODY_H
#define AK_MODEL_METRIC_BODY_H

#include "model/metric.h"

typedef struct ak_metric {
    double *M;  // d x d; NULL: the factor is all there is
    double *B;  // d x k, M = B B'
    int64_t k;
} ak_metric;

static inline const ak_metric *ak_metric_body(const akin_model *m)
{
    return m->body;
}

/* Give an empty model its body: M, which is copied and gets a factor, or a
 * factor d x k, copied. */
akin_status ak_metric_fill(akin_model *m, akin_ctx *ctx, const double *M);
akin_status ak_metric_fill_factor(akin_model *m, akin_ctx *ctx, int64_t k,
                                  const double *B);

/* In and out of a file; model/metric_file.c. */
akin_status ak_metric_put(const akin_model *m, akin_ctx *ctx, ak_tensors *t);
akin_status ak_metric_take(akin_model *m, akin_ctx *ctx, const ak_tensors *t);

#endif
