/* tune/verdict.h - what verdicts on whole runs, updates and streams share. */
#ifndef AK_TUNE_VERDICT_H
#define AK_TUNE_VERDICT_H

#include "tune/score.h"

struct ak_plain;

enum { AK_LEAST_QUERIES = 8, AK_COMPARISONS = 3, AK_READ_OUTS = 7 };

/* A context for trials: neither their progress nor their messages are taken for
 * those of the run. `done` and `all` are what progress shows. */
typedef struct ak_trial_watch {
    akin_ctx *ctx;
    int64_t done, all;
} ak_trial_watch;
akin_status ak_trial_context(akin_ctx **out, ak_trial_watch *w);

/* Score a model and add the scores to those of other folds. */
akin_status ak_scores_add_of(ak_scores *all, akin_ctx *ctx, const akin_model *m,
                             const ak_tune_held *h, akin_compare by);

/* The comparisons that suit a model, the learner's own first; returns their
 * number. On a line the cosine is no more than a sign, and the dot product
 * stands in for it. `fixed`: this one alone, unless it is AKIN_BY_DEFAULT. */
int64_t ak_read_outs(akin_compare by[AK_COMPARISONS], const akin_model *m,
                     const akin_supervision *data, akin_compare fixed);
/* The weights of the rows' own cosine beside the learned one that are tried,
 * after n read-outs without it, where the learner has an option `blend` and
 * leaves it to the data; returns the number of all. */
int64_t ak_read_out_blends(akin_compare by[AK_READ_OUTS],
                           double blend[AK_READ_OUTS], int64_t n,
                           const akin_model *m, const akin_options *options,
                           const akin_supervision *data);
/* As ak_scores_add_of, of a model with such a weight; 0: as it is. */
akin_status ak_scores_add_blended(ak_scores *all, akin_ctx *ctx,
                                  const akin_model *m, const ak_tune_held *h,
                                  akin_compare by, double blend);
/* Which of these did best on one half of the examples (0 or 1; -1: on all): the
 * first, unless another is better by more than a standard error. */
akin_status ak_read_out_choose(int64_t *best, akin_ctx *ctx,
                               const ak_scores *by, int64_t n_by, int half);
/* Each half of the examples by the comparison that the other half chose, so
 * that the choice is no advantage. Scratch memory. */
akin_status ak_read_out_cross_fit(ak_scores *out, akin_ctx *ctx,
                                  const ak_scores *by, int64_t n_by);

akin_verdict ak_verdict_none(void);
/* Sets all numbers and the word: `a` is learned, `b` the baseline. `second`:
 * their second measures can be compared, too. EINVAL never: too few examples
 * give a reason. Better is by more than the error, which then counts that folds
 * differ: another draw of the examples gives another model. */
akin_status ak_verdict_decide(akin_verdict *v, akin_ctx *ctx,
                              const ak_scores *a, const ak_scores *b,
                              bool second);
/* Then the scores of the model itself on what it learned from: worse there is
 * worse. */
akin_status ak_verdict_itself(akin_verdict *v, akin_ctx *ctx,
                              const ak_scores *a, const ak_scores *b);

/* Then another plain measure on the same examples, where that is better than
 * what was learned by two standard errors, since it is the best of several; and
 * better than the baseline, which is named anyway. */
akin_status ak_verdict_plain(akin_verdict *v, akin_ctx *ctx,
                             const ak_scores *learned,
                             const ak_scores *baseline,
                             const struct ak_plain *plain);

#endif
