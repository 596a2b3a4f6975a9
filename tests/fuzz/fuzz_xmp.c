/* Any bytes as XMP, and as IPTC: regions lie about the picture, a caption in
 * the bytes, and what is cut out of a sidecar in order before its end. */
#include "collection/faces/metadata/sidecar.h"

#include "collection/faces/metadata/iptc.h"
#include "fuzz.h"

static void cut(const char *bytes, size_t n)
{
    ak_sidecar s = {0};
    size_t at = 0;
    if (ak_sidecar_parse(&s, fuzz_ctx(), "fuzz", bytes, n, n % 2 == 0) ==
        AKIN_OK) {
        for (int64_t i = 0; i < s.n_cuts; ++i) {
            if (s.cuts[i].from < at || s.cuts[i].to < s.cuts[i].from)
                abort();
            at = s.cuts[i].to;
        }
        if (s.end < at || s.end > n)
            abort();
    }
    ak_sidecar_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    ak_xmp x = {0};
    size_t length;
    const char *text = ak_iptc_caption(data, n, &length);
    if (text != NULL && ((const uint8_t *)text < data ||
                         (const uint8_t *)text + length > data + n))
        abort();
    if (ak_xmp_parse(&x, fuzz_ctx(), "fuzz", (const char *)data, n) == AKIN_OK)
        for (int64_t i = 0; i < x.n_regions; ++i)
            if (!(x.regions[i].w > 0.0 && x.regions[i].h > 0.0) ||
                !(x.regions[i].x >= -1.0 && x.regions[i].x <= 2.0))
                abort();
    ak_xmp_free(&x);
    cut((const char *)data, n);
    return 0;
}
