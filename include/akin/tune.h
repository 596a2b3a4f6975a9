/* akin/tune.h - hyper-parameters by validation. */
#ifndef AKIN_TUNE_H
#define AKIN_TUNE_H

#include <akin/eval.h>
#include <akin/learn.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct akin_tune_options {
    uint64_t size;
    int64_t trials;      /* drawn from the grids; the defaults are trial 0 */
    const char *measure; /* map error accuracy auc; NULL: by supervision */
    double fraction;     /* of the supervision that is set aside */
    const akin_supervision *held; /* or: validate on this */
    int64_t keep; /* one in so many goes on, at so many times the
                     examples */
} akin_tune_options;

#define AKIN_TUNE_DEFAULTS                           \
    {                                                \
        sizeof(akin_tune_options), 16, 0, 0.25, 0, 4 \
    }

typedef struct akin_trial {
    const akin_options *options; /* borrowed from the result */
    double score;                /* higher is better; error counts as minus */
    double seconds;
    int64_t examples;
    int64_t rung; /* how far it came */
    akin_status status;
} akin_trial;

typedef struct akin_tuning akin_tuning;

/* Successive halving over seeded draws from the grids of the learner's option
 * table, starting from `base` (options that the caller fixed are named in
 * `fixed`, a NULL-ended list, and are not searched). The best is learned again
 * on everything. The same result for any number of threads. */
AKIN_API akin_status akin_tune(akin_tuning **out, akin_model **model,
                               akin_ctx *ctx, const akin_options *base,
                               const char *const *fixed,
                               const akin_supervision *data,
                               const akin_tune_options *options,
                               akin_learn_info *info);
AKIN_API int64_t akin_tuning_count(const akin_tuning *t);
AKIN_API akin_trial akin_tuning_trial(const akin_tuning *t, int64_t i);
AKIN_API int64_t akin_tuning_best(const akin_tuning *t);
AKIN_API const char *akin_tuning_measure(const akin_tuning *t);
AKIN_API void akin_tuning_free(akin_tuning *t, akin_ctx *ctx);

#ifdef __cplusplus
}
#endif
#endif
