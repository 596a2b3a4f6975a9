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

/* Copies the rows and the factors. */
akin_status ak_kernel_model_new(akin_model **out, akin_ctx *ctx,
                                const ak_kernel_part part[2], int64_t rank,
                                akin_compare by);

#endif
