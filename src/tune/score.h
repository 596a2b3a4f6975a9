/* tune/score.h - a trial's examples, and its score on what was set aside. */
#ifndef AK_TUNE_SCORE_H
#define AK_TUNE_SCORE_H

#include <akin/learn.h>
#include <akin/tune.h>

#include "data/supervision/supervision.h"

/* What trials are scored on. */
typedef struct ak_tune_held {
    const akin_supervision *s;
    const char *measure;  // map, error, accuracy or auc
    int64_t *queries;     // labels: the rows that query, scratch
    int64_t n_queries;
} ak_tune_held;

/* `measure` NULL: map for labels, auc for pairs, error for triplets. Takes
 * scratch memory of the context. EINVAL for a measure that the supervision
 * cannot give. */
akin_status ak_tune_held_new(ak_tune_held *out, akin_ctx *ctx,
                             const akin_supervision *held, const char *measure);
/* Higher is better: errors count as minus. */
akin_status ak_tune_score(double *score, akin_ctx *ctx, const akin_model *m,
                          const ak_tune_held *held);

/* Examples in a pass over all of it: triplets, or rows whose labels are
 * ranked or compared with those of the other side. */
akin_status ak_tune_pass(int64_t *pass, akin_ctx *ctx,
                         const akin_supervision *s, bool ranks);
/* The same knowledge, cut to `pass` examples a pass. */
akin_status ak_tune_part(akin_supervision **out, akin_ctx *ctx,
                         const akin_supervision *s, int64_t pass);

#endif
