/* model/ranker.h - labels in order of score: s = W x, W labels x features. */
#ifndef AK_MODEL_RANKER_H
#define AK_MODEL_RANKER_H

#include "model/kernel.h"
#include "model/model.h"

/* Copies W, d x n: a row of W for each feature. */
akin_status ak_ranker_new(akin_model **out, akin_ctx *ctx, ak_labels labels,
                          int64_t d, const double *W);
/* s = W x + b, b a number for each label, copied. Of a full W alone. */
akin_status ak_ranker_set_offsets(akin_model *m, akin_ctx *ctx,
                                  const double *b);
/* W = A B', A n x k, B d x k; both copied. */
akin_status ak_ranker_new_factored(akin_model **out, akin_ctx *ctx,
                                   ak_labels labels, int64_t d, int64_t k,
                                   const double *A, const double *B);
/* s = F'k(x) - offset, a column of F for each label; all copied. */
akin_status ak_ranker_new_kernel(akin_model **out, akin_ctx *ctx,
                                 ak_labels labels, const ak_kernel_part *part);
bool ak_model_is_ranker(const akin_model *m);
/* NULL for a full W; NULL for a factored one; NULL all for a kernel. */
const double *ak_ranker_A(const akin_model *m);
const double *ak_ranker_B(const akin_model *m);
const double *ak_ranker_W(const akin_model *m);

#endif
