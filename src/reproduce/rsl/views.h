/* reproduce/rsl/views.h - views of the same things, for `akin reproduce rsl`.
 */
#ifndef REPRODUCE_RSL_VIEWS_H
#define REPRODUCE_RSL_VIEWS_H

#include "reproduce/rsl/rsl.h"

enum { RSL_CLASSES = 1000 };  // most classes of a folder

typedef struct layout {
    const char *dataset;
    const char *file[2], *name[2];
} layout;

typedef struct views {
    rsl_run *r;
    const layout *layout;
    akin_rows *train[2], *test[2];  // of retrieval, prepared
    akin_rows *all[2];              // of same or not, prepared; with --test
                                    // these are `train`
} views;

/* Folds of a pass, of two classes or more each, and passes. */
int64_t rsl_folds_each(const views *v);
int64_t rsl_passes(const views *v);
/* Are rows of these two views the same? Accuracy, area and equal error rate
 * over all passes, as a row of the table. */
akin_status rsl_verify(views *v, const rsl_method *m, const int side[2]);

#endif
