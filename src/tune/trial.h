/* tune/trial.h - one candidate, learned from a part of what is known and scored
 * on the rest. */
#ifndef AK_TUNE_TRIAL_H
#define AK_TUNE_TRIAL_H

#include "tune/candidates.h"
#include "tune/verdict.h"

/* The rows that a rung works on: all of them, or a share of each class. */
typedef struct ak_sheet {
    const akin_supervision *all;  // over raw rows, borrowed
    akin_supervision *own;        // the same of the share; NULL: all of it
    akin_rows *left, *right;      // of the share
    int64_t *which;               // rows of the share by their number in all
} ak_sheet;

/* At most about `most` labelled rows of each side. Examples are not cut. */
akin_status ak_sheet_new(ak_sheet *out, akin_ctx *ctx,
                         const akin_supervision *all, int64_t most);
const akin_supervision *ak_sheet_known(const ak_sheet *s);
void ak_sheet_free(ak_sheet *s);

/* The rows of a sheet through a recipe. */
typedef struct ak_prepared {
    const akin_recipe *recipe[2];
    const akin_rows *rows[2], *test;  // test: NULL unless there are test rows
    akin_recipe *own_recipe[2];       // NULL: they are as they came
    akin_rows *own[2], *own_test;
    akin_status status;  // of fitting and applying it
    char message[256];
} ak_prepared;

/* A recipe that does not suit the rows is an outcome: `status` has it. */
akin_status ak_prepared_new(ak_prepared *out, akin_ctx *ctx,
                            const akin_supervision *raw, const akin_rows *test,
                            const ak_candidate *c);
void ak_prepared_free(ak_prepared *p);

/* Which part is held out, and how it is measured. */
typedef struct ak_trial_spec {
    const ak_candidate *candidate;
    const ak_prepared *prepared;
    const ak_sheet *sheet;
    const akin_supervision *test;  // raw; NULL: part `fold` of `folds`
    int64_t fold, folds, repeat;
    akin_side side;
    const char *measure;
    akin_compare by;  // the read-out; AKIN_BY_DEFAULT: all that suit the model
    bool ranks;       // rows find labels, not rows
    int64_t most;     // queries or examples to score
} ak_trial_spec;

typedef struct ak_trial_result {
    ak_scores scores[AK_READ_OUTS];  // one a read-out
    akin_compare by[AK_READ_OUTS];   // the first is the learner's own
    int64_t n_by;
    int64_t *items;  // labels: the row of each query; else NULL
    double seconds;
    int64_t examples, bytes;  // of the model
} ak_trial_result;

/* How a trial ended. */
typedef struct ak_trial_outcome {
    ak_trial_result result;
    akin_status status;
    char message[256];
} ak_trial_outcome;

akin_status ak_trial_run(ak_trial_result *out, akin_ctx *ctx,
                         const ak_trial_spec *spec);
void ak_trial_result_free(ak_trial_result *r);

/* Learn a candidate from everything. */
akin_status ak_trial_learn(akin_model **out, akin_ctx *ctx,
                           const ak_candidate *c, const akin_supervision *s,
                           akin_learn_info *info);

#endif
