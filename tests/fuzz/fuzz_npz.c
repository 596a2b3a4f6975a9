/* Any bytes as a NumPy archive. */
#include "rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const akin_read_options o = {.variable = n % 5 == 0 ? "data" : NULL};
    akin_rows *r = NULL;
    check_rows(ak_npz_parse(&r, fuzz_ctx(), "fuzz.npz", data, n, &o), &r);
    return 0;
}
