/* Any bytes as .fvecs and as .ivecs. */
#include "rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    for (int integers = 0; integers < 2; ++integers) {
        ak_source *s = open_bytes("fuzz.fvecs", AK_SOURCE_BINARY, data, n);
        akin_rows *r = NULL;
        if (s != NULL)
            check_rows((integers ? ak_ivecs_parse
                                 : ak_fvecs_parse)(&r, fuzz_ctx(), s, NULL),
                       &r);
        ak_source_close(s);
    }
    return 0;
}
