#include "learn/diagonal/weight_vector.h"

#include "model/diagonal.h"
#include "model/sparse_rows.h"

akin_status ak_weight_vector_begin(ak_weight_vector *w, akin_ctx *ctx,
                                   const akin_supervision *data,
                                   const ak_tensors *resume, akin_compare by)
{
    w->d = akin_rows_dim(data->rows);
    w->by = by;
    akin_status st = AK_NEW(ctx, w->d, &w->w);
    if (st != AKIN_OK)
        return st;
    for (int64_t j = 0; j < w->d; ++j)
        w->w[j] = 1.0;
    return resume ? ak_sparse_rows_take(resume, ctx, "w", w->d, 1, w->w)
                  : AKIN_OK;
}

akin_status ak_weight_vector_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const ak_weight_vector *w = state;
    return ak_diagonal_new(out, ctx, w->d, w->w, w->by);
}

akin_status ak_weight_vector_save(const void *state, akin_ctx *ctx,
                                  ak_tensors *t)
{
    const ak_weight_vector *w = state;
    return ak_sparse_rows_put(t, ctx, "w", w->d, 1, 1.0, w->w);
}
