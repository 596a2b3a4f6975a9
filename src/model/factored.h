/* model/factored.h - S(x, y) = x' A B' y of low rank; psd: A = B. */
#ifndef AK_MODEL_FACTORED_H
#define AK_MODEL_FACTORED_H

#include "model/model.h"

/* Copies A (d_left x k) and B (d_right x k, NULL: psd, A twice). */
akin_status ak_factored_new(akin_model **out, akin_ctx *ctx, int64_t d_left,
                            int64_t d_right, int64_t k, const double *A,
                            const double *B, akin_compare by);
/* Rows go to A'x - a and B'y - b, k numbers each, copied; not for psd. */
akin_status ak_factored_set_offsets(akin_model *m, akin_ctx *ctx,
                                    const double *a, const double *b);
bool ak_model_is_factored(const akin_model *m);
const double *ak_factored_A(const akin_model *m);
const double *ak_factored_B(const akin_model *m);
int64_t ak_factored_rank(const akin_model *m);

#endif
