/* model/support.h - support rows of a kernel with their factors, as models
 * carry them: x goes to F'k(x) - offset. */
#ifndef AK_MODEL_SUPPORT_H
#define AK_MODEL_SUPPORT_H

#include "model/kernel.h"

typedef struct ak_support {
    ak_kernel kernel;
    akin_rows *rows;
    double *F, *offset;  // rows x k, k
} ak_support;

/* Copies. What was made before a failure is freed with the model. */
akin_status ak_support_set(ak_support *s, akin_ctx *ctx,
                           const ak_kernel_part *part, int64_t k);
void ak_support_free(ak_support *s);

/* Coordinates [first, first + n) of row i. */
void ak_support_place(const ak_support *s, int64_t k, const akin_rows *rows,
                      int64_t i, int64_t first, int64_t n, double *out);
int64_t ak_support_nonzeros(const ak_support *s, int64_t k);

/* Tensors PREFIXdense (or offsets, columns, values), PREFIXfactors,
 * PREFIXoffset and PREFIXkernel. */
akin_status ak_support_put(const ak_support *s, akin_ctx *ctx, ak_tensors *t,
                           const char *prefix, int64_t k);
/* Rows of d columns; *k below 0: as wide as the factors are. */
akin_status ak_support_take(ak_support *s, akin_ctx *ctx, const ak_tensors *t,
                            const char *prefix, int64_t d, int64_t *k);

#endif
