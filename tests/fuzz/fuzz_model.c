/* Any safetensors file as a model: loaded or refused, and then usable. */
#include <akin/eval.h>

#include "model/model.h"
#include "small.h"

static void score(akin_ctx *ctx, const akin_model *m)
{
    static const int64_t offsets[2] = {0, 2}, ij[2] = {0, 0};
    static const int32_t cols[2] = {0, 1};
    static const float vals[2] = {1.0F, -2.0F};
    akin_rows *raw = NULL, *rows = NULL;
    akin_reason reasons[4];
    akin_learned_rows learned;
    int64_t n;
    int32_t label;
    double s;
    if (akin_rows_new_sparse(&raw, ctx, 1, 2, offsets, cols, vals) == AKIN_OK &&
        akin_model_prepare(&rows, ctx, m, raw, AKIN_LEFT) == AKIN_OK) {
        akin_model_score(&s, ctx, m, rows, rows, ij, 1, AKIN_BY_DEFAULT);
        akin_model_explain(reasons, &n, ctx, m, rows, 0, rows, 0, 3,
                           AKIN_BY_COSINE);
        akin_model_learned_rows(&learned, ctx, m, rows, NULL, 0, AKIN_RIGHT);
        akin_rank_labels(&label, &s, ctx, m, rows, 1);
        akin_model_explain_label(reasons, &n, ctx, m, rows, 0, 0, 3);
    }
    akin_rows_free(rows);
    akin_rows_free(raw);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = small_ctx();
    akin_model *m = NULL;
    if (akin_model_load_memory(&m, ctx, data, n) == AKIN_OK)
        score(ctx, m);
    akin_model_free(m);
    return 0;
}
