/* Any bytes as svmlight; the length says how to read it. */
#include "rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const akin_read_options o = {.index_base = (int64_t)(n % 3),
                                 .dim = n % 5 == 0 ? 4 : 0};
    ak_source *s = open_bytes("fuzz.svm", AK_SOURCE_BINARY, data, n);
    akin_rows *r = NULL;
    if (s != NULL)
        check_rows(ak_svmlight_parse(&r, fuzz_ctx(), s, &o), &r);
    ak_source_close(s);
    return 0;
}
