/* naming/scores.h - scorers that need no affinity; inside naming/ alone. */
#ifndef AK_NAMING_SCORES_H
#define AK_NAMING_SCORES_H

#include "naming/naming.h"
#include "naming/photos.h"

/* Of a fixed table: score(f, q) = table[f * stride + q]. */
typedef struct ak_table {
    const double *values;
    int64_t stride;
} ak_table;
ak_scorer ak_table_scorer(const ak_peers *peers, const ak_table *t);

/* Fill the scores of all photos: score(arg, f, q). */
typedef double (*ak_pair_score)(const void *arg, int64_t face, int32_t name);
void ak_photos_fill(struct ak_photos *photos, ak_pair_score score,
                    const void *arg);

/* Room for s->linear, zero. */
akin_status ak_open_linear(akin_naming *s, akin_ctx *ctx);
/* The scorer of s->linear. */
akin_status ak_use_linear(akin_naming *s, akin_ctx *ctx);

/* Names are scored by several votes of the affinity s has. */
akin_status ak_use_fused(akin_naming *s, akin_ctx *ctx);
akin_status ak_learn_mean(akin_naming *s, akin_ctx *ctx);
akin_status ak_learn_kmeans(akin_naming *s, akin_ctx *ctx);
akin_status ak_learn_cgmm(akin_naming *s, akin_ctx *ctx);
akin_status ak_learn_knn(akin_naming *s, akin_ctx *ctx);
akin_status ak_learn_asml(akin_naming *s, akin_ctx *ctx);
akin_status ak_learn_mildml(akin_naming *s, akin_ctx *ctx);
akin_status ak_learn_lr_svm(akin_naming *s, akin_ctx *ctx);
akin_status ak_learn_mms(akin_naming *s, akin_ctx *ctx);
/* The kernel of asml's metric, into a. */
akin_status ak_asml_kernel(akin_naming *s, akin_ctx *ctx, ak_affinity *a);

#endif
