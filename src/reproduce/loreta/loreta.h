/* reproduce/loreta/loreta.h - shared by the experiments of `akin reproduce
 * loreta`: similarity of documents, learned from triplets (Figure 3), and label
 * ranking (Figures 4 and 5). */
#ifndef REPRODUCE_LORETA_LORETA_H
#define REPRODUCE_LORETA_LORETA_H

#include <akin/eval.h>
#include <akin/learn.h>

#include "reproduce/common/reproduce.h"

enum {
    LORETA_POINTS = 8,       // most points of a curve
    LORETA_MEMORY = 500000,  // features times rank
};

typedef struct loreta_method {
    const char *name;
    const char *learner;  // NULL: cosine, nothing is learned
    const char *fixed;    // "start=zero": options other than the defaults
    const char *grid;     // "eta=1,3,10": options to choose by validation
    int64_t examples;     // examples to learn from; 0: as many as the others
    bool is_full;         // a matrix of all features, not of low rank
    bool is_curve;        // measured along learning, too
    akin_sampling sampling;
    const char *setting;  // a remark for the table; NULL: none
} loreta_method;

/* One point of a curve along learning. */
typedef struct loreta_point {
    int64_t examples;
    double map, seconds;
} loreta_point;

typedef struct loreta_curve {
    loreta_point at[LORETA_POINTS];
    int64_t n;
} loreta_curve;

typedef struct loreta_run {
    app *a;
    const reproduce_flags *flags;
    json_t *rows;
    reproduce_steps steps;
    int64_t n_splits;
    char dataset[64];
} loreta_run;

/* What a method learns from, and how it is measured. */
typedef struct loreta_task {
    akin_supervision *known;
    const akin_rows *test;
    int64_t rank;      // 0: a full matrix
    int64_t examples;  // to learn from
    akin_status (*measure)(akin_ctx *ctx, const akin_model *m,
                           const akin_rows *test, double *map);
} loreta_task;

/* Train, and measure at 1, 3, 10, 30 ... thousand examples and at the end, or
 * only at the end. */
akin_status loreta_learn(loreta_run *r, const loreta_method *m,
                         const char *params, const loreta_task *task,
                         loreta_curve *out);
/* The best of a method's grid; the first with --quick. */
akin_status loreta_choose(loreta_run *r, const loreta_method *m,
                          const loreta_task *task,
                          char params[REPRODUCE_PARAMS]);

/* The keys that all rows of a method have. */
json_t *loreta_row(const loreta_run *r, const loreta_method *m,
                   const char *params);
/* Add a row for the last point of the curves (one for each split), and rows of
 * a figure for all points if there are several. Takes ownership of `row`. */
akin_status loreta_add(loreta_run *r, json_t *row, const char *figure,
                       const loreta_curve *curves);

/* ---- experiments --------------------------------------------------------- */

akin_status loreta_documents(loreta_run *r, const char *counts);
/* NULL: synthetic rows. */
akin_status loreta_label_ranking(loreta_run *r, const char *train,
                                 const char *test);

#endif
