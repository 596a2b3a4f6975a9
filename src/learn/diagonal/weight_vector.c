#include "learn/diagonal/weight_vector.h"

#include <string.h>

#include "learn/diagonal/trust.h"
#include "model/diagonal.h"
#include "model/sparse_rows.h"

akin_status ak_weight_vector_begin(ak_weight_vector *w, akin_ctx *ctx,
                                   const akin_supervision *data,
                                   const ak_tensors *resume, akin_compare by)
{
    w->d = akin_rows_dim(data->rows);
    w->by = by;
    w->data = data;
    w->is_trusted = true;
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
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_model *m = NULL;
    double *mixed = NULL, share = 1.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, w->d, &mixed));
    memcpy(mixed, w->w, (size_t)w->d * sizeof *mixed);
    if (!w->is_trusted)
        AK_TRY(ak_trust(&share, ctx, w->data, w->by, w->d, NULL, mixed));
    AK_TRY(ak_diagonal_new(&m, ctx, w->d, mixed, w->by));
    if (!w->is_trusted)
        AK_TRY(ak_tensors_note_f64(m->notes, ctx, "trust", share));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_weight_vector_save(const void *state, akin_ctx *ctx,
                                  ak_tensors *t)
{
    const ak_weight_vector *w = state;
    return ak_sparse_rows_put(t, ctx, "w", w->d, 1, 1.0, w->w);
}
