#include "model/sparse_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 64 };

static bool is_touched(const double *row, int64_t width, double blank)
{
    for (int64_t k = 0; k < width; ++k)
        if (row[k] != blank)
            return true;
    return false;
}

int64_t ak_sparse_rows_nonzeros(const double *a, int64_t n)
{
    int64_t nonzeros = 0;
    for (int64_t i = 0; i < n; ++i)
        nonzeros += a[i] != 0.0;
    return nonzeros;
}

static void index_name(const char *name, char text[NAME_SIZE])
{
    snprintf(text, NAME_SIZE, "%s.index", name);
}

akin_status ak_sparse_rows_put(ak_tensors *t, akin_ctx *ctx, const char *name,
                               int64_t d, int64_t width, double blank,
                               const double *a)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    char index[NAME_SIZE];
    int64_t n = 0;
    int32_t *at = NULL;
    double *kept = NULL;
    akin_status st = AKIN_OK;
    for (int64_t j = 0; j < d; ++j)
        n += is_touched(a + j * width, width, blank);
    AK_TRY(AK_SCRATCH(ctx, n, &at));
    AK_TRY(AK_SCRATCH(ctx, n * width, &kept));
    n = 0;
    for (int64_t j = 0; j < d; ++j)
        if (is_touched(a + j * width, width, blank)) {
            at[n] = (int32_t)j;
            memcpy(kept + n * width, a + j * width, (size_t)width * sizeof *a);
            ++n;
        }
    index_name(name, index);
    AK_TRY(ak_tensors_put_copy(t, ctx,
                               (ak_tensor){index, AK_DTYPE_I32, 1, {n}, at}));
    AK_TRY(ak_tensors_put_copy(
        t, ctx, (ak_tensor){name, AK_DTYPE_F64, 2, {n, width}, kept}));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Every row inside, every value finite. */
static bool copy_rows(const ak_tensor *at, const ak_tensor *kept, int64_t d,
                      int64_t width, double *a)
{
    const int32_t *j = at->data;
    const double *from = kept->data;
    if (kept->shape[0] != at->shape[0] || kept->shape[1] != width)
        return false;
    for (int64_t k = 0; k < at->shape[0]; ++k) {
        if (j[k] < 0 || j[k] >= d)
            return false;
        for (int64_t i = 0; i < width; ++i) {
            if (!isfinite(from[k * width + i]))
                return false;
            a[j[k] * width + i] = from[k * width + i];
        }
    }
    return true;
}

akin_status ak_sparse_rows_take(const ak_tensors *t, akin_ctx *ctx,
                                const char *name, int64_t d, int64_t width,
                                double *a)
{
    char index[NAME_SIZE];
    const ak_tensor *at = NULL, *kept = NULL;
    index_name(name, index);
    akin_status st = ak_tensors_need(t, ctx, index, AK_DTYPE_I32, 1, &at);
    if (st == AKIN_OK)
        st = ak_tensors_need(t, ctx, name, AK_DTYPE_F64, 2, &kept);
    if (st == AKIN_OK && !copy_rows(at, kept, d, width, a))
        st = ak_fail(ctx, AKIN_EFORMAT,
                     "%s: tensor '%s' does not match the model",
                     ak_tensors_path(t), name);
    return st;
}
