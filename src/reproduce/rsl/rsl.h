/* reproduce/rsl/rsl.h - what the parts of `akin reproduce rsl` share.
 *
 * Three kinds of folders: pictures of three sources (Table 4), views of the
 * same things (in the form of Tables 1 and 2, and retrieval across views), and
 * no folder at all (Figure 1). */
#ifndef REPRODUCE_RSL_RSL_H
#define REPRODUCE_RSL_RSL_H

#include <akin/eval.h>
#include <akin/learn.h>

#include "reproduce/common/figures.h"

enum { RSL_ROUNDS = 20 };  // most rounds or folds of a figure

typedef struct rsl_method {
    const char *name;
    const char *learner;  // NULL: nothing is learned
    const char *params;   // "kernel=rbf": options that are not the default
    const char *grid;     // "blend=3,10": of these the best by held-out rows
    unsigned traits;
    akin_compare by;  // what rows are retrieved by
} rsl_method;

enum {
    RSL_ONE_SIDE = 1,      // from the labels of the right side alone
    RSL_PAIRS = 2,         // from rows that are the same thing, not from labels
    RSL_SLOW = 4,          // not with --quick
    RSL_SAME_COLUMNS = 8,  // for sides that have the same columns
    RSL_KNOWN = 16,        // for classes that were learned from
};

static inline bool rsl_is(const rsl_method *m, unsigned trait)
{
    return (m->traits & trait) != 0;
}

typedef struct rsl_run {
    app *a;
    const reproduce_flags *flags;
    json_t *rows;
    reproduce_steps steps;
    int64_t rounds;
} rsl_run;

/* Numbers of one figure, a round each. */
typedef struct rsl_values {
    double x[RSL_ROUNDS];
    int64_t n;
} rsl_values;

double rsl_mean(const rsl_values *v);

/* Where a number stands in the tables. */
typedef struct rsl_place {
    const char *dataset, *table, *column, *measure;
    double paper;  // NAN: the paper has none
} rsl_place;

/* FOLDER/NAME is a file. */
bool rsl_has(const char *folder, const char *name);
/* FOLDER/NAME with the labels of FOLDER/LABELS. */
akin_status rsl_read(app *a, akin_rows **out, const char *folder,
                     const char *name, const char *labels);
/* ESHAPE unless the rows of FOLDER/FILE have the columns of `rows`. */
akin_status rsl_check_columns(app *a, const char *folder, const char *file,
                              const akin_rows *rows, const akin_rows *later);
/* Rows of the label of this name; *which is freed first, and by the caller in
 * the end. */
akin_status rsl_of_label(app *a, const akin_rows *rows, const char *name,
                         int64_t **which, int64_t *n);

/* Learn between rows that have been prepared, with the method's options and
 * those `chosen`; rows of methods by pairs are the same thing where their
 * numbers are. */
akin_status rsl_learn(rsl_run *r, const rsl_method *m, const char *chosen,
                      const akin_rows *left, const akin_rows *right,
                      akin_model **out, double *seconds);

enum { RSL_PARAMS = 128 };

/* How good a method is with these options, on held-out rows. */
typedef akin_status (*rsl_trial)(void *arg, const rsl_method *m,
                                 const char *params, double *score);
/* The best of the method's grid, the first of equals; "" without a grid. */
akin_status rsl_choose(const rsl_method *m, rsl_trial trial, void *arg,
                       char params[RSL_PARAMS]);

/* A row of the table: mean and standard error, in per cent. */
akin_status rsl_add(rsl_run *r, const rsl_place *at, const rsl_method *m,
                    const char *chosen, const rsl_values *values,
                    const rsl_values *seconds);

bool rsl_has_office(const char *folder);
bool rsl_has_views(const char *folder);
akin_status rsl_office(rsl_run *r);
akin_status rsl_views(rsl_run *r);
akin_status rsl_synthetic(rsl_run *r);
extern const reproduce_figure rsl_figures[];

#endif
