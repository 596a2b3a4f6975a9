/* tune/work.h - what a run cost, counted and not timed, so that what is decided
 * by it is the same on any machine. */
#ifndef AK_TUNE_WORK_H
#define AK_TUNE_WORK_H

#include <akin/learn.h>

/* What takes less, beside all of it: */
typedef enum ak_saving {
    AK_SAVES_BY_EXAMPLES,   // fewer examples, which are drawn
    AK_SAVES_BY_ROWS,       // fewer rows with a label
    AK_SAVES_BY_PAIRS,      // the same; half of them take a quarter
    AK_SAVES_BY_UNLABELLED  // fewer rows, with a label or not; half of them
                            // take an eighth
} ak_saving;

typedef struct ak_work {
    double all;  // of a run, about 1e9 a second
    ak_saving saving;
} ak_work;

/* Of the run that ended with this model and `info`. */
ak_work ak_work_of(const akin_model *m, const char *learner,
                   const akin_supervision *data, const akin_learn_info *info);
/* What this share of the examples or of the rows with a label takes, and the
 * share of the examples or rows that takes this share of the work. */
double ak_work_left(const ak_work *w, double share);
double ak_work_share(const ak_work *w, double share);

/* Numbers that a row has, on average; at least 1. */
double ak_numbers_per_row(const akin_rows *rows);
/* Of a query that ranks n rows: products of dense rows are taken many at a
 * time. */
double ak_query_work(const akin_rows *rows, double n);

#endif
