/* Any bytes as labelled captions: read or refused. */
#include "fuzz.h"
#include "text/persons/labelled.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = fuzz_ctx();
    ak_source *source = NULL;
    ak_labelled_captions l = {0};
    if (ak_source_memory(&source, ctx, "fuzz", AK_SOURCE_TEXT, data, n) ==
            AKIN_OK &&
        ak_labelled_read(&l, ctx, source) == AKIN_OK) {
        if (l.n < 1 || l.captions[0].first != 0 ||
            l.captions[l.n - 1].end != l.n_mentions)
            abort();
    }
    ak_labelled_free(&l);
    ak_source_close(source);
    return 0;
}
