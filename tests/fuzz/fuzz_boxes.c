/* Any bytes as boxes of faces: what is accepted are rectangles. */
#include <math.h>

#include "collection/faces/boxes.h"
#include "fuzz.h"

static void check(const ak_boxes *b)
{
    for (int64_t i = 0; i < 4 * b->n; ++i)
        if (!isfinite(b->boxes[i]) || fabs(b->boxes[i]) > 1e6 ||
            (i % 4 >= 2 && !(b->boxes[i] > 0.0)))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = fuzz_ctx();
    ak_source *source = NULL;
    ak_box_file f = {0};
    if (ak_source_memory(&source, ctx, "fuzz", AK_SOURCE_TEXT, data, n) ==
            AKIN_OK &&
        ak_box_file_read(&f, ctx, source) == AKIN_OK)
        for (int64_t i = 0; i < f.n; ++i)
            check(&f.boxes[i]);
    ak_box_file_free(&f);
    ak_source_close(source);
    return 0;
}
