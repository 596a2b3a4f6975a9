/* Any safetensors file as an index: loaded or refused, and then searched by
 * each comparison, by its own rows, and changed, also its model. */
#include "index/index.h"
#include "small.h"

static void search(akin_ctx *ctx, const akin_index *x, const akin_rows *queries,
                   akin_search_options o)
{
    int64_t *rows = NULL;
    double *scores = NULL;
    if (akin_index_search(&rows, &scores, ctx, x, queries, &o) == AKIN_OK) {
        akin_free(rows);
        akin_free(scores);
    }
}

static void use(akin_ctx *ctx, akin_index *x)
{
    static const int64_t offsets[2] = {0, 3}, first[1] = {0};
    static const int32_t cols[3] = {0, 1, 2};
    static const float vals[3] = {1.0F, 2.0F, 3.0F};
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    if (akin_rows_new_sparse(&rows, ctx, 1, 3, offsets, cols, vals) != AKIN_OK)
        return;
    o.top = 3;
    for (o.by = AKIN_BY_DEFAULT; o.by <= AKIN_BY_DISTANCE; ++o.by)
        search(ctx, x, rows, o);
    o.by = AKIN_BY_DEFAULT;
    o.like = first;
    o.n_like = 1;
    search(ctx, x, NULL, o);
    if (akin_model_builtin(&m, ctx, "tfidf", rows) == AKIN_OK &&
        akin_index_set_model(ctx, x, m) == AKIN_OK)
        search(ctx, x, rows, o);
    if (akin_index_remove(ctx, x, first, 1) == AKIN_OK &&
        akin_index_add(ctx, x, rows) == AKIN_OK) {
        o.n_like = 0;
        search(ctx, x, rows, o);
    }
    akin_model_free(m);
    akin_rows_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = small_ctx();
    akin_index *x = NULL;
    if (akin_index_load_memory(&x, ctx, data, n) == AKIN_OK)
        use(ctx, x);
    akin_index_free(x);
    return 0;
}
