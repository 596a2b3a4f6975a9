/* model/prototypes.h - low rank, then the nearest of some prototypes, softly.
 */
#ifndef AK_MODEL_PROTOTYPES_H
#define AK_MODEL_PROTOTYPES_H

#include "model/model.h"

enum { AK_PROTOTYPES_MOST = 256 };

/* *m, psd, factored or kernel, becomes the base of the new model; notes stay.
 * Copies Z (n x k, rows of length 1); 1 <= n <= MOST. */
akin_status ak_prototypes_over(akin_model **m, akin_ctx *ctx, int64_t n,
                               const double *Z, double sharpness);
/* The same over a psd model. Copies A (d x k) and Z (n x k, rows of length 1);
 * 1 <= n <= MOST. */
akin_status ak_prototypes_new(akin_model **out, akin_ctx *ctx, int64_t d,
                              int64_t k, int64_t n, const double *A,
                              const double *Z, double sharpness);

#endif
