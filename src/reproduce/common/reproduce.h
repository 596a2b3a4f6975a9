/* reproduce/common/reproduce.h - the papers' tables, theirs beside ours. A
 * table is a JSON array of rows, one a measurement; what is printed is made
 * from it. */
#ifndef REPRODUCE_COMMON_REPRODUCE_H
#define REPRODUCE_COMMON_REPRODUCE_H

#include <akin/learn.h>
#include <jansson.h>

#include "app/app.h"

typedef struct reproduce_flags {
    const char *paper;
    const char *data, *test, *splits, *beside, *report, *codebook;
    int64_t repeats;
    bool quick;
} reproduce_flags;

typedef struct reproduce_figure reproduce_figure;

/* One paper: the layout of its folder, and the run that fills the rows. */
typedef struct reproduce_paper {
    const char *name;
    const char *title;   // of the paper
    const char *layout;  // "bow_*.svm, ...": the files of its folder
    const char *takes;   // " splits codebook ": flags that not all look at
    /* NULL, no folder: can do without? */
    bool (*is_here)(const char *folder);
    akin_status (*run)(app *a, const reproduce_flags *f, json_t *rows);
    const reproduce_figure *figures;  // of --report; NULL: none
    /* Plots that are not made from rows; NULL: none. */
    akin_status (*plot)(app *a, const char *folder);
} reproduce_paper;

extern const reproduce_paper reproduce_loreta, reproduce_naming, reproduce_rsl,
    reproduce_s3ml, reproduce_solis;

/* ---- options in words --------------------------------------------------- */

enum { REPRODUCE_VALUES = 8 };

typedef struct reproduce_params {
    akin_options *options;              // free with akin_options_free
    char values[REPRODUCE_VALUES][64];  // what they borrow
    int n;
} reproduce_params;

/* The learner's defaults, changed by two lists "C=1 start=mask", NULL: none. */
akin_status reproduce_params_new(reproduce_params *p, akin_ctx *ctx,
                                 const char *learner, const char *fixed,
                                 const char *params);
akin_status reproduce_params_set(reproduce_params *p, akin_ctx *ctx,
                                 const char *list);
/* Candidate i of a grid "C=0.1,1 eta=1,2" as such a list; false behind the
 * last. */
bool reproduce_candidate(const char *grid, int64_t i, char *params,
                         size_t size);

/* ---- steps --------------------------------------------------------------- */

typedef struct reproduce_steps {
    app *a;
    int64_t done, total;
    char said[8][32];  // how each warning so far begins
    int n_said;
} reproduce_steps;

/* Until `end`, progress is that of the steps, and what the many models have to
 * say is not heard but for warnings, once of a kind. */
void reproduce_begin(reproduce_steps *s, app *a, int64_t total);
/* One more is done; AKIN_ECANCELLED when interrupted. */
akin_status reproduce_step(reproduce_steps *s);
void reproduce_end(app *a);

/* ---- rows ---------------------------------------------------------------- */

/* A folder's own name, which says what the data is. */
void reproduce_folder(const char *folder, char *name, size_t size);
/* Give the row to the rows; NULL: out of memory. */
akin_status reproduce_add(app *a, json_t *rows, json_t *row);
/* Add a number under `key` where it is finite. */
void reproduce_put(json_t *row, const char *key, double value);
/* Rows measured elsewhere: a file that holds an array of rows, or an object
 * with "rows". */
akin_status reproduce_beside(app *a, json_t *rows, const char *path);
/* A table for each data set, codebook and measure. */
akin_status reproduce_print(app *a, const json_t *rows);

/* The text under a key, "" where there is none; the number, NAN. */
const char *reproduce_text(const json_t *row, const char *key);
double reproduce_number(const json_t *row, const char *key);

#endif
