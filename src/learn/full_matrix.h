/* learn/full_matrix.h - the matrix of a learner, n x n for rows of n columns.
 */
#ifndef AK_LEARN_FULL_MATRIX_H
#define AK_LEARN_FULL_MATRIX_H

#include "learn/learner.h"

/* Make the identity; free it with akin_free. Pages that are never written use
 * no memory. EINVAL if it needs more than `gib` GiB. */
akin_status ak_full_matrix_new(double **M, akin_ctx *ctx, const char *learner,
                               int64_t n, double gib);

/* As a tensor of a state. EFORMAT: it is not n x n. */
akin_status ak_full_matrix_save(const double *M, akin_ctx *ctx, ak_tensors *t,
                                const char *name, int64_t n);
akin_status ak_full_matrix_load(double *M, akin_ctx *ctx, const ak_tensors *t,
                                const char *name, int64_t n);

#define AK_MEMORY_OPTION(type) \
    AK_OPTION(type, memory, 1e-6, 1e6, "memory limit of the matrix, in GiB")

#endif
