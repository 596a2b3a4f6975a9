/* learn/diagonal/reweighting.h - the state of online learners that are one
 * weight vector, all ones at the start: w, and how it is begun, saved and made
 * a model. */
#ifndef AK_LEARN_DIAGONAL_REWEIGHTING_H
#define AK_LEARN_DIAGONAL_REWEIGHTING_H

#include "learn/learner.h"

typedef struct ak_reweighting {
    int64_t d;
    double *w;
    akin_compare by;  // of the model it becomes
} ak_reweighting;

akin_status ak_reweighting_begin(ak_reweighting *w, akin_ctx *ctx,
                                 const akin_supervision *data,
                                 const ak_tensors *resume, akin_compare by);
/* For ak_online: `state` begins with an ak_reweighting. */
akin_status ak_reweighting_model(akin_model **out, akin_ctx *ctx, void *state);
akin_status ak_reweighting_save(const void *state, akin_ctx *ctx,
                                ak_tensors *t);

#endif
