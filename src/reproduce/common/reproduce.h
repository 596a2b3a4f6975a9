/* reproduce/common/reproduce.h - what the runs of all papers share. A run fills
 * a JSON array of rows, one for each measurement; tables and figures are made
 * from these rows. */
#ifndef REPRODUCE_COMMON_REPRODUCE_H
#define REPRODUCE_COMMON_REPRODUCE_H

#include <akin/learn.h>
#include <jansson.h>

#include "app/app.h"

enum {
    REPRODUCE_PATH = 4096,   // bytes of a path
    REPRODUCE_PARAMS = 128,  // bytes of a list of options
    REPRODUCE_VALUES = 8,    // options in lists
    REPRODUCE_NAMES = 64,    // most names of a list, and bytes of a name
};

typedef struct reproduce_flags {
    const char *paper;
    const char *data, *test, *splits, *beside, *report, *codebook;
    int64_t repeats;
    bool quick;
} reproduce_flags;

typedef struct reproduce_figure reproduce_figure;

enum { REPRODUCE_TEST = 1, REPRODUCE_SPLITS = 2, REPRODUCE_CODEBOOK = 4 };

/* One paper: the layout of its folder, and the run that fills the rows. */
typedef struct reproduce_paper {
    const char *name;
    const char *title;   // of the paper
    const char *layout;  // "bow_*.svm, ...": the files of its folder
    unsigned takes;      // flags that not all papers take: REPRODUCE_TEST ...
    /* Has the folder this layout? NULL: does the paper run without one? */
    bool (*is_here)(const char *folder);
    akin_status (*run)(app *a, const reproduce_flags *f, json_t *rows);
    const reproduce_figure *figures;  // of --report; NULL: none
    /* Plots that are not made from rows; NULL: none. */
    akin_status (*plot)(app *a, const char *folder);
} reproduce_paper;

extern const reproduce_paper reproduce_loreta, reproduce_naming, reproduce_rsl,
    reproduce_s3ml, reproduce_solis;

/* ---- files --------------------------------------------------------------- */

/* FOLDER/NAME; AKIN_EINVAL: too long. */
akin_status reproduce_path(app *a, char path[REPRODUCE_PATH],
                           const char *folder, const char *name);
/* FOLDER/NAME exists and can be read. */
bool reproduce_has_file(const char *folder, const char *name);

/* ---- options ------------------------------------------------------------- */

typedef struct reproduce_params {
    akin_options *options;              // free with akin_options_free
    char values[REPRODUCE_VALUES][64];  // texts that the options borrow
    int n;
} reproduce_params;

/* The learner's defaults, changed by lists "C=1 start=mask"; NULL: none. A list
 * that begins with "settings=published" begins from what the paper has. */
akin_status reproduce_params_new(reproduce_params *p, akin_ctx *ctx,
                                 const char *learner, const char *fixed,
                                 const char *params);
akin_status reproduce_params_set(reproduce_params *p, akin_ctx *ctx,
                                 const char *list);
/* Candidate i of a grid "C=0.1,1 eta=1,2" as such a list; false: the grid has
 * fewer. */
bool reproduce_candidate(const char *grid, int64_t i,
                         char params[REPRODUCE_PARAMS]);

/* The score of a method with a list of options, on held-out data. */
typedef akin_status (*reproduce_trial)(void *arg, const void *method,
                                       const char *params, double *score);
/* The best candidate of a grid, the first of equals; "" without a grid. A
 * candidate that fails with AKIN_ENUMERIC (too large a step) does not count.
 * Without a trial, the first candidate. */
akin_status reproduce_choose(char params[REPRODUCE_PARAMS], const char *grid,
                             reproduce_trial trial, void *arg,
                             const void *method);

/* ---- steps --------------------------------------------------------------- */

typedef struct reproduce_steps {
    app *a;
    int64_t done, total;
    char said[8][32];  // how each warning so far begins
    int n_said;
} reproduce_steps;

/* Until reproduce_end, progress counts these steps. The library's log is
 * silent but for warnings, each kind once. */
void reproduce_begin(reproduce_steps *s, app *a, int64_t total);
/* One more step is done; AKIN_ECANCELLED when interrupted. */
akin_status reproduce_step(reproduce_steps *s);
void reproduce_end(app *a);

/* ---- rows ---------------------------------------------------------------- */

/* The last part of a folder's path, which names the data. */
void reproduce_folder(const char *folder, char *name, size_t size);
/* Append a row, which may be NULL: then memory was short where it was made. */
akin_status reproduce_add(app *a, json_t *rows, json_t *row);
/* The row appended last. */
json_t *reproduce_last(const json_t *rows);
/* Set a key of a row: a number if it is finite, a text if it is not NULL. */
void reproduce_put(json_t *row, const char *key, double value);
void reproduce_put_text(json_t *row, const char *key, const char *text);
void reproduce_put_count(json_t *row, const char *key, int64_t value);
/* Learner and options, `fixed` (or NULL) and `params`; nothing without a
 * learner. */
void reproduce_put_learner(json_t *row, const char *learner, const char *fixed,
                           const char *params);
/* Rows measured elsewhere: a file with an array of rows, or with an object that
 * has "rows". */
akin_status reproduce_beside(app *a, json_t *rows, const char *path);
/* A table for each data set, codebook and measure. */
akin_status reproduce_print(app *a, const json_t *rows);

/* The text under a key, "" without one; the number, NAN without one. */
const char *reproduce_text(const json_t *row, const char *key);
double reproduce_number(const json_t *row, const char *key);
/* Does the row have this text under a key ("": nothing)? */
bool reproduce_has(const json_t *row, const char *key, const char *text);

/* Distinct names in the order of their first use. */
typedef struct reproduce_names {
    char text[REPRODUCE_NAMES][REPRODUCE_NAMES];
    const char *list[REPRODUCE_NAMES];  // pointers to `text`
    int64_t n;
} reproduce_names;

/* The number of a name, which is added if it is new; -1: the list is full. */
int64_t reproduce_name(reproduce_names *s, const char *name);

#endif
