/* learn/average.h - the mean of the factors over the later part of a run.
 *
 * Every so many examples the factors are taken as they are then, number c with
 * the weight c^3, so that the last third of a run has four fifths of the
 * weight. A mean of factors depends on how W is divided between them, which
 * steps change but slowly; it steadies models learned from labels of which some
 * are wrong. Taking costs the columns times the rank, and is done at most
 * every so many examples as there are columns, or four times as often. */
#ifndef AK_LEARN_AVERAGE_H
#define AK_LEARN_AVERAGE_H

#include "learn/learner.h"

typedef struct ak_average {
    int64_t every;  // examples between two; 0: no average is taken
    int64_t taken;
    int64_t n, k;
    double *A, *B;  // the means; B NULL: there is one factor
} ak_average;

/* For factors of n rows and rank k, with the state in `resume`, or NULL; `two`:
 * the model has two factors. */
akin_status ak_average_begin(ak_average *a, akin_ctx *ctx, int64_t n, int64_t k,
                             bool two, const ak_tensors *resume);
/* After `seen` examples, and at no count left out: take the state if it is due.
 */
akin_status ak_average_take(ak_average *a, akin_ctx *ctx,
                            const ak_online *online, void *state, int64_t seen);
/* *m, as the state is now, gets the means instead, when there are some. */
akin_status ak_average_model(const ak_average *a, akin_ctx *ctx,
                             akin_model **m);
akin_status ak_average_save(const ak_average *a, akin_ctx *ctx, ak_tensors *t);
void ak_average_free(ak_average *a);

#define AK_AVERAGE_OPTION(type)                                         \
    AK_OPTION_WORD(type, average, "none|tail",                          \
                   "the factors as they are at the end, or their mean " \
                   "over the later part")

#endif
