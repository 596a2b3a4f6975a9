/* Any bytes as a recipe: refused, or fit to be applied and written again. */
#include <math.h>

#include "data/recipe/recipe.h"
#include "fuzz.h"

enum { WIDTH = 4096 };

/* One sparse row with two words, and the same recipe from its own notes. */
static void use(akin_ctx *ctx, const akin_recipe *r)
{
    static double v[WIDTH];
    int64_t offsets[] = {0, 2};
    int32_t cols[2] = {0, 1};
    float vals[] = {1.0f, 3.0f};
    const akin_rows rows = {
        .n = 1, .d = 2, .offsets = offsets, .cols = cols, .vals = vals};
    ak_tensors *t = NULL;
    akin_recipe *again = NULL;
    if (r->vocabulary != NULL) {
        akin_rows *out = NULL;
        const akin_status st = akin_recipe_apply(&out, ctx, r, &rows);
        if (st == AKIN_ENOMEM || (st == AKIN_OK && out->d != r->d))
            abort();
        akin_rows_free(out);
    } else if (akin_recipe_dim(r) >= 2 && akin_recipe_dim(r) <= WIDTH) {
        if (ak_recipe_check(r, ctx, &rows) != AKIN_OK)
            abort();
        int32_t out[WIDTH];
        const int64_t n = ak_recipe_row(r, &rows, 0, out, v);
        if (n < 0 || n > WIDTH)
            abort();
    }
    if (ak_tensors_new(&t, ctx) != AKIN_OK ||
        ak_recipe_put(r, ctx, t, "again.") != AKIN_OK ||
        ak_recipe_take(&again, ctx, t, "again.") != AKIN_OK || again == NULL)
        abort();
    akin_recipe_free(again);
    ak_tensors_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = fuzz_ctx();
    akin_recipe *r = NULL;
    if (akin_recipe_load_memory(&r, ctx, data, n) == AKIN_OK)
        use(ctx, r);
    akin_recipe_free(r);
    return 0;
}
