#include "learn/full_matrix.h"

akin_status ak_full_matrix_new(double **M, akin_ctx *ctx, const char *learner,
                               int64_t n, double gib)
{
    const double needed = (double)n * (double)n * 8.0 / 0x1p30;
    if (needed > gib)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s needs a matrix of %" PRId64 " x %" PRId64
                       " numbers, %.3g GiB (`memory` is %.3g GiB: raise it, or "
                       "use fewer columns)",
                       learner, n, n, needed, gib);
    const akin_status st = ak_alloc(ctx, n, (size_t)n * sizeof **M, M);
    for (int64_t i = 0; st == AKIN_OK && i < n; ++i)
        (*M)[i * n + i] = 1.0;
    return st;
}
