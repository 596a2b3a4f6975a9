/* model/full.h - a bilinear similarity: S(x, y) = x' W y. */
#ifndef AK_MODEL_FULL_H
#define AK_MODEL_FULL_H

#include "model/model.h"

/* Copies W (d_left x d_right). */
akin_status ak_full_new(akin_model **out, akin_ctx *ctx, int64_t d_left,
                        int64_t d_right, const double *W, akin_compare by);
/* NULL for models of other kinds. */
const double *ak_full_W(const akin_model *m);

#endif
