#include "synth/alias.h"

#include <assert.h>

akin_status ak_alias_new(ak_alias *out, akin_ctx *ctx, int64_t n,
                         double *weights)
{
    /* Cells below their share are at the front of `open`, those above it at
     * the back; each of the former is filled up from one of the latter. */
    int32_t *open;
    int64_t low = 0, high = n;
    double sum = 0.0;
    akin_status st = AKIN_OK;

    out->n = n;
    AK_TRY(AK_SCRATCH(ctx, n, &out->cells));
    AK_TRY(AK_SCRATCH(ctx, n, &open));
    for (int64_t i = 0; i < n; ++i)
        sum += weights[i];
    assert(sum > 0.0);
    for (int64_t i = 0; i < n; ++i) {
        weights[i] *= (double)n / sum;
        open[weights[i] < 1.0 ? low++ : --high] = (int32_t)i;
        out->cells[i] = (ak_alias_cell){UINT32_MAX, (int32_t)i};
    }
    while (low > 0 && high < n) {
        const int32_t small = open[--low], large = open[high];
        out->cells[small].own = (uint32_t)(weights[small] * 0x1p32);
        out->cells[small].other = large;
        weights[large] -= 1.0 - weights[small];
        if (weights[large] < 1.0) {
            ++high;
            open[low++] = large;
        }
    }
done:
    return st;
}
