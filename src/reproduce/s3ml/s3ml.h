/* reproduce/s3ml/s3ml.h - what the parts of `akin reproduce s3ml` share: tables
 * of rows with a class each, of which few are known (Table 2), and pictures of
 * a concept found by relevance feedback (Table 3). */
#ifndef REPRODUCE_S3ML_S3ML_H
#define REPRODUCE_S3ML_S3ML_H

#include <akin/eval.h>
#include <akin/learn.h>

#include "reproduce/common/reproduce.h"

typedef struct s3ml_method {
    const char *name;
    const char *learner;  // NULL: a measure of that name, nothing is learned
    const char *fixed;    // "start=covariance": options that are not default
    akin_pair_weights weights;
    const char *setting;
} s3ml_method;

/* What came of a method, over repeats. */
typedef struct s3ml_figure {
    double mean, spread;  // in per cent; sum of squares about the mean
    int64_t n, failures;
    char why[160];             // the last failure
    double nonzeros, seconds;  // sums
} s3ml_figure;

typedef struct s3ml_run {
    app *a;
    const reproduce_flags *flags;
    json_t *rows;
    reproduce_steps steps;
    int64_t repeats;
} s3ml_run;

/* Methods whose learner is not part of this build are passed over. */
bool s3ml_is_built(const s3ml_method *m);
/* The model of a method; `known` are the examples, `all` the rows. *model is
 * NULL where the learner could not do it, which *f counts. */
akin_status s3ml_learn(s3ml_run *r, const s3ml_method *m,
                       akin_supervision *known, const akin_rows *all,
                       akin_model **model, s3ml_figure *f);
void s3ml_count(s3ml_figure *f, double percent);
/* The row of a method: its figure under `key`, and the error of the mean. */
json_t *s3ml_row(const s3ml_method *m, const char *dataset, const char *table,
                 const char *key, const s3ml_figure *f);
/* Say which runs of a method failed, if any did. */
void s3ml_tell(s3ml_run *r, const char *dataset, const s3ml_method *m,
               const s3ml_figure *f);
/* The rows of `all` that are numbered; those not in `known` (rising) if
 * `others`. */
akin_status s3ml_part(s3ml_run *r, const akin_rows *all, const int64_t *known,
                      int64_t n, bool others, akin_rows **out);

/* ---- parts -------------------------------------------------------------- */

/* Every CSV of the folder. */
akin_status s3ml_tables(s3ml_run *r, const char *folder);
bool s3ml_has_tables(const char *folder);
/* features225.npy and labels.csv. */
akin_status s3ml_retrieval(s3ml_run *r, const char *folder);

#endif
