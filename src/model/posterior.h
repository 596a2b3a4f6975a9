/* model/posterior.h - rows as the probabilities of their labels. */
#ifndef AK_MODEL_POSTERIOR_H
#define AK_MODEL_POSTERIOR_H

#include "model/kernel.h"

/* z = W'x + b of one side. */
typedef struct ak_logits {
    int64_t d;
    const double *W;  // d x labels: a row for each feature
    const double *b;  // labels
} ak_logits;

/* Copies all. `right` NULL: both sides are alike. */
akin_status ak_posterior_new(akin_model **out, akin_ctx *ctx, ak_labels labels,
                             const ak_logits *left, const ak_logits *right,
                             double sharpness);
/* The same with z = F'k(x) - offset on both sides, F rows x labels. */
akin_status ak_posterior_new_kernel(akin_model **out, akin_ctx *ctx,
                                    ak_labels labels,
                                    const ak_kernel_part *part,
                                    double sharpness);
/* Those of one side of W'x + b, borrowed. */
ak_logits ak_posterior_logits(const akin_model *m, akin_side side);
/* Whether both sides are alike. */
bool ak_posterior_is_symmetric(const akin_model *m);

#endif
