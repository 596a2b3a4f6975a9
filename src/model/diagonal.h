/* model/diagonal.h - S(x, y) = sum_j w_j x_j y_j, w sparse or not. */
#ifndef AK_MODEL_DIAGONAL_H
#define AK_MODEL_DIAGONAL_H

#include "model/model.h"

/* Copies w (d doubles); NULL: all ones, which takes no memory. */
akin_status ak_diagonal_new(akin_model **out, akin_ctx *ctx, int64_t d,
                            const double *w, akin_compare by);
/* The weights, NULL: all ones. */
const double *ak_diagonal_w(const akin_model *m);
bool ak_model_is_diagonal(const akin_model *m);

#endif
