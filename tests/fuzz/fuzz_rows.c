/* Any bytes as rows in a safetensors file. */
#include "rows.h"
#include "tensors/tensors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    ak_tensors *t = NULL;
    akin_rows *r = NULL;
    if (ak_tensors_parse(&t, fuzz_ctx(), "fuzz", data, n) != AKIN_OK)
        return 0;
    const akin_status st = ak_rows_take(&r, fuzz_ctx(), t);
    if (st == AKIN_OK && r->n == 0)
        akin_rows_free(r);
    else
        check_rows(st, &r);
    ak_tensors_free(t);
    return 0;
}
