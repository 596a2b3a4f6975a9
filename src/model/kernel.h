/* model/kernel.h - a similarity in the space of a kernel: support rows and
 * factors for either side. */
#ifndef AK_MODEL_KERNEL_H
#define AK_MODEL_KERNEL_H

#include "data/kernel.h"
#include "model/model.h"

/* One side: x goes to F'k(x) - offset, k(x) the kernel with rows `which` of
 * `rows`, of which there are n. F is n x rank. */
typedef struct ak_kernel_part {
    ak_kernel kernel;
    const akin_rows *rows;
    const int64_t *which;
    int64_t n;
    const double *F, *offset;
} ak_kernel_part;

/* A side as a model keeps it: copies of all. */
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

/* Copies the rows and the factors. */
akin_status ak_kernel_model_new(akin_model **out, akin_ctx *ctx,
                                const ak_kernel_part part[2], int64_t rank,
                                akin_compare by);

#endif
