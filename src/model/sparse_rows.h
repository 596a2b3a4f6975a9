/* model/sparse_rows.h - a d x width array in a file, without untouched rows.
 *
 * Tensors NAME.index (i32, increasing) and NAME (f64, n x width). */
#ifndef AK_MODEL_SPARSE_ROWS_H
#define AK_MODEL_SPARSE_ROWS_H

#include "model/model.h"

/* A row is untouched when all of it equals `blank`. */
akin_status ak_sparse_rows_put(ak_tensors *t, akin_ctx *ctx, const char *name,
                               int64_t d, int64_t width, double blank,
                               const double *a);
/* Into an array whose rows are blank already; EFORMAT when it does not fit. */
akin_status ak_sparse_rows_take(const ak_tensors *t, akin_ctx *ctx,
                                const char *name, int64_t d, int64_t width,
                                double *a);

/* How many of n numbers are not 0. */
int64_t ak_sparse_rows_nonzeros(const double *a, int64_t n);

#endif
