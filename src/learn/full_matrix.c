#include "learn/full_matrix.h"

#include <string.h>

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

akin_status ak_full_matrix_save(const double *M, akin_ctx *ctx, ak_tensors *t,
                                const char *name, int64_t n)
{
    return ak_tensors_put_copy(t, ctx,
                               (ak_tensor){name, AK_DTYPE_F64, 2, {n, n}, M});
}

akin_status ak_full_matrix_load(double *M, akin_ctx *ctx, const ak_tensors *t,
                                const char *name, int64_t n)
{
    const ak_tensor *x = NULL;
    AK_CHECK(ak_tensors_need(t, ctx, name, AK_DTYPE_F64, 2, &x));
    if (x->shape[0] != n || x->shape[1] != n)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: tensor '%s' is not %" PRId64 " x %" PRId64,
                       ak_tensors_path(t), name, n, n);
    memcpy(M, x->data, (size_t)(n * n) * sizeof *M);
    return AKIN_OK;
}
