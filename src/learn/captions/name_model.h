/* learn/captions/name_model.h - a linear score for each name as a model (a
 * ranker), so that faces never seen before can be named.
 *
 *   s_q(x) = w_q.x + b_q, above that of no name                            (1)
 *
 * A face is named where (1) reaches theta, which is a note of the model. */
#ifndef AK_LEARN_CAPTIONS_NAME_MODEL_H
#define AK_LEARN_CAPTIONS_NAME_MODEL_H

#include "data/supervision/supervision.h"
#include "model/model.h"

/* W n_names x d, b n_names numbers or NULL (zeros), of the names of the
 * captions. EINVAL: no caption has a name. */
akin_status ak_name_model_new(akin_model **out, akin_ctx *ctx,
                              const akin_supervision *captions, const double *W,
                              const double *b, double theta);
/* (1) of prepared rows for all labels of a ranker, n x labels. */
akin_status ak_name_model_scores(double *scores, akin_ctx *ctx,
                                 const akin_model *m, const akin_rows *rows);
/* 0 where the model has none. */
double ak_name_model_theta(const akin_model *m);

#endif
