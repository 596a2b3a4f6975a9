/* cli/reproduce.h - the papers' tables, theirs beside ours. A table is a JSON
 * array of rows, one a measurement; what is printed is made from it. */
#ifndef CLI_REPRODUCE_H
#define CLI_REPRODUCE_H

#include <jansson.h>

#include "app/app.h"

typedef struct reproduce_flags {
    const char *paper;
    const char *data, *splits, *beside, *report, *codebook;
    int64_t repeats;
    bool quick;
} reproduce_flags;

/* One paper: what its folder looks like, and the run that fills the rows. */
typedef struct reproduce_paper {
    const char *name;
    const char *title;   // of the paper
    const char *layout;  // "bow_*.svm, ...": the files of its folder
    bool (*is_here)(const char *folder);
    akin_status (*run)(app *a, const reproduce_flags *f, json_t *rows);
    /* Plots into --report, NULL: none. */
    akin_status (*plot)(app *a, const reproduce_flags *f, const json_t *rows);
} reproduce_paper;

extern const reproduce_paper reproduce_solis;

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
