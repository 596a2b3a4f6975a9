/* Any safetensors file as a tagger: loaded or refused, and then usable. */
#include "small.h"
#include "text/persons/tagger.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char caption[] = "Mr. and Mrs. Otto Keller (L), \"Bob\" Roe.";
    akin_ctx *ctx = small_ctx();
    ak_tensors *t = NULL;
    akin_tagger *g = NULL;
    akin_persons *p = NULL;
    if (ak_tensors_parse(&t, ctx, "fuzz", data, n) != AKIN_OK)
        return 0;
    if (ak_tagger_take(&g, ctx, t) == AKIN_OK)
        akin_persons_find(&p, ctx, g, caption, sizeof caption - 1);
    akin_persons_free(p);
    akin_tagger_free(g);
    ak_tensors_free(t);
    return 0;
}
