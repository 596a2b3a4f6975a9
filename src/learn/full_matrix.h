/* learn/full_matrix.h - the n x n matrix of a learner, n the columns of the
 * rows. */
#ifndef AK_LEARN_FULL_MATRIX_H
#define AK_LEARN_FULL_MATRIX_H

#include "learn/learner.h"

/* The identity; free with akin_free. Pages that are never written take no
 * memory. EINVAL when it needs more than `gib` GiB. */
akin_status ak_full_matrix_new(double **M, akin_ctx *ctx, const char *learner,
                               int64_t n, double gib);

#define AK_MEMORY_OPTION(type) \
    AK_OPTION(type, memory, 1e-6, 1e6, "memory limit of the matrix, in GiB")

#endif
