/* reproduce/rsl/rsl.h - shared by the experiments of `akin reproduce rsl`:
 * pictures of three sources (Table 4), two views of the same objects (in the
 * form of Tables 1 and 2, and retrieval across views), and synthetic rows
 * without a folder (Figure 1). */
#ifndef REPRODUCE_RSL_RSL_H
#define REPRODUCE_RSL_RSL_H

#include <akin/eval.h>
#include <akin/learn.h>

#include "reproduce/common/figures.h"

enum { RSL_ROUNDS = 20 };  // most rounds or folds of a figure

/* rsl without what our defaults add to the paper's form: class means, and a
 * kernel for dense rows. */
#define RSL_PLAIN "kernel=none prototypes=0 lambda=3e-5"
#define RSL_RBF "kernel=rbf prototypes=0 lambda=3e-5"

typedef struct rsl_method {
    const char *name;
    const char *learner;  // NULL: nothing is learned
    const char *params;   // "kernel=rbf": options other than the defaults
    const char *grid;     // "blend=3,10": options to choose by held-out rows
    unsigned traits;
    akin_compare by;  // for retrieval
} rsl_method;

enum {
    RSL_ONE_SIDE = 1,      // learns from the labels of the right side alone
    RSL_PAIRS = 2,         // learns from pairs (row i, row i), not from labels
    RSL_SLOW = 4,          // not with --quick
    RSL_SAME_COLUMNS = 8,  // needs the same columns on both sides
    RSL_KNOWN = 16,        // only for classes of the training rows
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

/* One number for each round. */
typedef struct rsl_values {
    double x[RSL_ROUNDS];
    int64_t n;
} rsl_values;

double rsl_mean(const rsl_values *v);

/* The place of a number in the tables. */
typedef struct rsl_place {
    const char *dataset, *table, *column, *measure;
    double paper;  // NAN: the paper has none
} rsl_place;

/* FOLDER/NAME with the labels of FOLDER/LABELS. */
akin_status rsl_read(app *a, akin_rows **out, const char *folder,
                     const char *name, const char *labels);
/* ESHAPE unless the rows of FOLDER/FILE have the columns of `rows`. */
akin_status rsl_check_columns(app *a, const char *folder, const char *file,
                              const akin_rows *rows, const akin_rows *later);
/* The rows with the label of this name. *which is freed first; the caller frees
 * the result. */
akin_status rsl_of_label(app *a, const akin_rows *rows, const char *name,
                         int64_t **which, int64_t *n);

/* Learn from prepared rows, with the options of the method and those `chosen`.
 * For RSL_PAIRS, rows of the same number are pairs. */
akin_status rsl_learn(rsl_run *r, const rsl_method *m, const char *chosen,
                      const akin_rows *left, const akin_rows *right,
                      akin_model **out, double *seconds);

/* A row of the table: mean and standard error, in per cent. */
akin_status rsl_add(rsl_run *r, const rsl_place *at, const rsl_method *m,
                    const char *chosen, const rsl_values *values,
                    const rsl_values *seconds);

bool rsl_has_office(const char *folder);
bool rsl_has_views(const char *folder);
akin_status rsl_office(rsl_run *r);
akin_status rsl_views(rsl_run *r);
akin_status rsl_synthetic(rsl_run *r);

#endif
