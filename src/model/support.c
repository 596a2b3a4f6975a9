#include "model/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/io/formats.h"
#include "la/dense.h"
#include "model/sparse_rows.h"

enum { NAME_SIZE = 32 };

void ak_support_place(const ak_support *s, int64_t k, const akin_rows *rows,
                      int64_t i, int64_t first, int64_t n, double *out)
{
    for (int64_t c = 0; c < n; ++c)
        out[c] = -s->offset[first + c];
    for (int64_t j = 0; j < s->rows->n; ++j) {
        const double v = ak_kernel_value(&s->kernel, rows, i, s->rows, j);
        const double *f = s->F + j * k + first;
        for (int64_t c = 0; c < n; ++c)
            out[c] += v * f[c];
    }
}

/* Copies of the factors of a side. */
static akin_status set_factors(ak_support *s, akin_ctx *ctx, int64_t n,
                               int64_t k, const double *F, const double *offset)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_alloc(ctx, n, (size_t)k * sizeof *F, &s->F));
    AK_TRY(AK_NEW(ctx, k, &s->offset));
    memcpy(s->F, F, (size_t)(n * k) * sizeof *F);
    memcpy(s->offset, offset, (size_t)k * sizeof *offset);
done:
    return st;
}

akin_status ak_support_set(ak_support *s, akin_ctx *ctx,
                           const ak_kernel_part *part, int64_t k)
{
    akin_status st = AKIN_OK;
    s->kernel = part->kernel;
    AK_TRY(akin_rows_select(&s->rows, ctx, part->rows, part->which, part->n));
    AK_TRY(set_factors(s, ctx, part->n, k, part->F, part->offset));
done:
    return st;
}

void ak_support_free(ak_support *s)
{
    akin_rows_free(s->rows);
    akin_free(s->F);
    akin_free(s->offset);
}

int64_t ak_support_nonzeros(const ak_support *s, int64_t k)
{
    return ak_sparse_rows_nonzeros(s->F, s->rows->n * k) +
           ak_sparse_rows_nonzeros(s->offset, k);
}

static const char *named(char name[NAME_SIZE], const char *prefix,
                         const char *what)
{
    snprintf(name, NAME_SIZE, "%s%s", prefix, what);
    return name;
}

akin_status ak_support_put(const ak_support *s, akin_ctx *ctx, ak_tensors *t,
                           const char *prefix, int64_t k)
{
    const double numbers[4] = {(double)s->kernel.kind, s->kernel.gamma,
                               s->kernel.coef, (double)s->kernel.degree};
    char name[NAME_SIZE];
    akin_status st = AKIN_OK;
    AK_TRY(ak_rows_values_put(t, ctx, prefix, s->rows));
    AK_TRY(ak_tensors_put(t, ctx,
                          (ak_tensor){named(name, prefix, "factors"),
                                      AK_DTYPE_F64,
                                      2,
                                      {s->rows->n, k},
                                      s->F}));
    AK_TRY(ak_tensors_put_vector(t, ctx, named(name, prefix, "offset"),
                                 AK_DTYPE_F64, k, s->offset));
    AK_TRY(ak_tensors_put_copy(
        t, ctx,
        (ak_tensor){
            named(name, prefix, "kernel"), AK_DTYPE_F64, 1, {4}, numbers}));
done:
    return st;
}

/* A kernel by its four numbers. */
static bool take_kernel(ak_kernel *k, const ak_tensor *x)
{
    const double *v = x->data;
    if (x->shape[0] != 4 || !ak_are_finite(4, v) || v[0] < 0.0 ||
        v[0] >= (double)AK_KERNEL_COUNT || v[0] != floor(v[0]) || v[1] < 0.0 ||
        v[3] < 0.0 || v[3] > 1000.0 || v[3] != floor(v[3]))
        return false;
    *k = (ak_kernel){(ak_kernel_kind)v[0], v[1], v[2], (int64_t)v[3]};
    return true;
}

akin_status ak_support_take(ak_support *s, akin_ctx *ctx, const ak_tensors *t,
                            const char *prefix, int64_t d, int64_t *k)
{
    const ak_tensor *F, *offset, *numbers;
    char name[NAME_SIZE];
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need(t, ctx, named(name, prefix, "factors"), AK_DTYPE_F64,
                           2, &F));
    AK_TRY(ak_tensors_need(t, ctx, named(name, prefix, "offset"), AK_DTYPE_F64,
                           1, &offset));
    AK_TRY(ak_tensors_need(t, ctx, named(name, prefix, "kernel"), AK_DTYPE_F64,
                           1, &numbers));
    AK_TRY(ak_rows_values_take(&s->rows, ctx, t, prefix, d));
    *k = *k < 0 ? F->shape[1] : *k;
    if (*k < 1 || F->shape[1] != *k || F->shape[0] != s->rows->n ||
        offset->shape[0] != *k || !ak_are_finite(F->shape[0] * *k, F->data) ||
        !ak_are_finite(*k, offset->data) || !take_kernel(&s->kernel, numbers))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: kernel, rows and factors of \"%s\" do not fit "
                       "together",
                       ak_tensors_path(t), prefix));
    AK_TRY(set_factors(s, ctx, F->shape[0], *k, F->data, offset->data));
done:
    return st;
}
