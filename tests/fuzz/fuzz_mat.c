/* Any bytes as what akin-mat sends. What akin-mat itself makes of any file is
 * the matter of stress_mat.c. */
#include "rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    ak_source *s = open_bytes("fuzz.mat", AK_SOURCE_BINARY, data, n);
    akin_rows *r = NULL;
    if (s != NULL)
        check_rows(ak_mat_parse(&r, fuzz_ctx(), s), &r);
    ak_source_close(s);
    return 0;
}
