/* reproduce/s3ml/known.h - which rows of a table have a class that is known. */
#ifndef REPRODUCE_S3ML_KNOWN_H
#define REPRODUCE_S3ML_KNOWN_H

#include "app/app.h"

typedef struct s3ml_known {
    app *a;
    const char *name;       // of the set, in a file of splits
    const int32_t *labels;  // of each row, -1: none
    int64_t n, n_classes;
    int64_t n_splits;        // wanted, and then found
    int64_t most;            // room for so many
    int64_t **rows, *count;  // of each split, rising
} s3ml_known;

/* Rows drawn, or those of the file `splits`, with lines "set,repeat,row".
 * EFORMAT: they do not fit the table `file`, or leave nothing to test. */
akin_status s3ml_known_take(s3ml_known *t, const char *splits,
                            const char *file);
void s3ml_known_free(s3ml_known *t);

#endif
