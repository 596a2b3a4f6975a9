/* reproduce/s3ml/s3ml.h - shared by the experiments of `akin reproduce s3ml`:
 * classification from few labels (Table 2) and relevance feedback (Table 3). */
#ifndef REPRODUCE_S3ML_S3ML_H
#define REPRODUCE_S3ML_S3ML_H

#include <akin/eval.h>
#include <akin/learn.h>

#include "reproduce/common/reproduce.h"

typedef struct s3ml_method {
    const char *name;
    const char *learner;  // NULL: the built-in measure `name`
    const char *fixed;    // "start=covariance": options other than the defaults
    akin_pair_weights weights;
    const char *setting;
    unsigned only;  // experiments that have it; 0: both
} s3ml_method;

enum { S3ML_METHODS = 12 };
enum { S3ML_FEW_LABELS = 1, S3ML_FEEDBACK = 2 };  // experiments
extern const s3ml_method s3ml_methods[S3ML_METHODS];

/* The results of a method over repeats. */
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

/* Is method m in the experiment, and its learner in this build? */
bool s3ml_is_in(int m, unsigned experiment);
/* Learn the model of a method from `known`; `all` are the rows. If the learner
 * fails, *model is NULL, and *f counts the failure. */
akin_status s3ml_learn(s3ml_run *r, const s3ml_method *m,
                       akin_supervision *known, const akin_rows *all,
                       akin_model **model, s3ml_figure *f);
void s3ml_count(s3ml_figure *f, double percent);
/* The row of a method: its mean under `key`, and the standard error. */
json_t *s3ml_row(const s3ml_method *m, const char *dataset, const char *table,
                 const char *key, const s3ml_figure *f);
/* Report which runs of a method failed, if any. */
void s3ml_report_failures(s3ml_run *r, const char *dataset,
                          const s3ml_method *m, const s3ml_figure *f);
/* The rows of `all` that are not among the n numbers of `known`, increasing. */
akin_status s3ml_others(s3ml_run *r, const akin_rows *all, const int64_t *known,
                        int64_t n, akin_rows **out);

/* ---- experiments --------------------------------------------------------- */

/* Table 2: every CSV of the folder. */
akin_status s3ml_few_labels(s3ml_run *r, const char *folder);
bool s3ml_has_tables(const char *folder);
/* Table 3: features225.npy and labels.csv. */
akin_status s3ml_relevance_feedback(s3ml_run *r, const char *folder);

#endif
