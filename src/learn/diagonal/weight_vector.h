/* learn/diagonal/weight_vector.h - the weight vector w of an online learner,
 * all ones at the start: begin or resume, save, and turn it into a model. */
#ifndef AK_LEARN_DIAGONAL_WEIGHT_VECTOR_H
#define AK_LEARN_DIAGONAL_WEIGHT_VECTOR_H

#include "learn/learner.h"

typedef struct ak_weight_vector {
    int64_t d;
    double *w;
    akin_compare by;  // of the model it becomes
    const akin_supervision *data;
    bool is_trusted;  // the model is w, and not a share by learn/trust.h
} ak_weight_vector;

akin_status ak_weight_vector_begin(ak_weight_vector *w, akin_ctx *ctx,
                                   const akin_supervision *data,
                                   const ak_tensors *resume, akin_compare by);
/* For ak_online: `state` begins with an ak_weight_vector. */
akin_status ak_weight_vector_model(akin_model **out, akin_ctx *ctx,
                                   void *state);
akin_status ak_weight_vector_save(const void *state, akin_ctx *ctx,
                                  ak_tensors *t);

#endif
