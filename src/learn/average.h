/* learn/average.h - the mean of the factors over the later part of a run.
 *
 * At regular intervals the current factors are added to a weighted mean. Number
 * c has the weight c^3, so that the last third of a run has four fifths of the
 * weight. A mean of factors depends on how W is divided between them; steps
 * change that only slowly. The mean helps where some labels are wrong. Adding
 * costs the columns times the rank. The interval is a quarter as many examples
 * as there are columns, at least 1024. */
#ifndef AK_LEARN_AVERAGE_H
#define AK_LEARN_AVERAGE_H

#include "learn/learner.h"

typedef struct ak_average {
    int64_t every;  // the interval, in examples; 0: there is no mean
    int64_t taken;  // states in the mean
    int64_t n, k;
    double *A, *B;  // the means; B NULL: there is one factor
} ak_average;

/* For factors of n rows and rank k; `two`: the model has two factors. `resume`
 * is NULL or a saved state. */
akin_status ak_average_begin(ak_average *a, akin_ctx *ctx, int64_t n, int64_t k,
                             bool two, const ak_tensors *resume);
/* Add the state after `seen` examples, if it is due. Must be called for every
 * multiple of the interval. */
akin_status ak_average_take(ak_average *a, akin_ctx *ctx,
                            const ak_online *online, void *state, int64_t seen);
/* Replace the factors of *m by their means, if there are any. */
akin_status ak_average_model(const ak_average *a, akin_ctx *ctx,
                             akin_model **m);
akin_status ak_average_save(const ak_average *a, akin_ctx *ctx, ak_tensors *t);
void ak_average_free(ak_average *a);

#define AK_AVERAGE_OPTION(type)                                         \
    AK_OPTION_WORD(type, average, "none|tail",                          \
                   "the factors as they are at the end, or their mean " \
                   "over the later part")

#endif
