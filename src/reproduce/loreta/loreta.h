/* reproduce/loreta/loreta.h - what the parts of `akin reproduce loreta` share.
 *
 * Two data sets, one run for each: documents, from whose triplets a similarity
 * is learned (Figure 3), and rows with several labels each, which are ranked
 * (Figures 4 and 5). */
#ifndef REPRODUCE_LORETA_LORETA_H
#define REPRODUCE_LORETA_LORETA_H

#include <akin/eval.h>
#include <akin/learn.h>

#include "reproduce/common/figures.h"

enum {
    LORETA_POINTS = 8,       // most points of a curve
    LORETA_MEMORY = 500000,  // features times rank
};

typedef struct loreta_method {
    const char *name;
    const char *learner;  // NULL: nothing is learned
    const char *fixed;    // "start=zero": options that are not the default
    const char *grid;     // "eta=1,3,10": options to choose by validation, the
                          // first without
    int64_t examples;     // most it learns from, 0: as many as the others
    bool is_full;         // a matrix of all features, not of low rank
    bool is_curve;        // measured on the way, too
    akin_sampling sampling;
    const char *setting;
} loreta_method;

/* One point of a curve. */
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

/* The points to measure at: 1, 3, 10, 30 ... times `first`, up to `last`. */
int64_t loreta_points(int64_t first, int64_t last, int64_t *points);

/* How good a model is. */
typedef akin_status (*loreta_measure)(loreta_run *r, const akin_model *m,
                                      const void *with, double *map);

/* Train, and measure at each of the points or only at the last. */
akin_status loreta_learn(loreta_run *r, const loreta_method *m,
                         const char *fixed, const char *params,
                         akin_supervision *known, const int64_t *points,
                         int64_t n_points, loreta_measure measure,
                         const void *with, loreta_curve *out);

/* The best of a method's grid by `score`, which learns with given options. */
typedef akin_status (*loreta_score)(loreta_run *r, const loreta_method *m,
                                    const char *params, void *with,
                                    double *map);
akin_status loreta_choose(loreta_run *r, const loreta_method *m,
                          loreta_score score, void *with, char params[96]);

/* Rows for the last point of the curves of all splits, and where the method
 * is one to watch, for every point as part of a figure. `row` has what they
 * share. */
akin_status loreta_add(loreta_run *r, const json_t *row, const char *figure,
                       const loreta_curve *curves);
/* What all rows of a method have. */
json_t *loreta_row(const loreta_run *r, const loreta_method *m,
                   const char *params);

/* ---- parts -------------------------------------------------------------- */

akin_status loreta_text(loreta_run *r, const char *counts);
akin_status loreta_labels(loreta_run *r, const char *train, const char *test);
extern const reproduce_figure loreta_figures[];

#endif
