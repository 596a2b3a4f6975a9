/* Any bytes as captions: what is accepted obeys every rule. */
#include "data/captions/bags.h"
#include "fuzz.h"

enum { ROWS = 20 };

static void check(const ak_bags *b)
{
    int64_t seen[ROWS] = {0};
    for (int64_t k = 0; k < b->item_offsets[b->n_photos]; ++k)
        if (b->items[k] < 0 || b->items[k] >= ROWS || seen[b->items[k]]++)
            abort();
    for (int64_t i = 0; i < b->n_photos; ++i) {
        if (b->photos[i][0] == '\0')
            abort();
        for (int64_t k = b->name_offsets[i]; k < b->name_offsets[i + 1]; ++k) {
            const bool first = k == b->name_offsets[i];
            if (b->names[k] < 0 || b->names[k] >= b->n_names ||
                b->name_texts[b->names[k]][0] == '\0' ||
                (!first && b->names[k - 1] >= b->names[k]))
                abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = fuzz_ctx();
    ak_source *source = NULL;
    ak_bags *bags = NULL;
    if (ak_source_memory(&source, ctx, "fuzz", AK_SOURCE_TEXT, data, n) ==
            AKIN_OK &&
        ak_bags_read(&bags, ctx, source, ROWS) == AKIN_OK)
        check(bags);
    ak_bags_free(bags);
    ak_source_close(source);
    return 0;
}
