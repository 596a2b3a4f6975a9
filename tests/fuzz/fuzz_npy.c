/* Any bytes as a .npy matrix, and as labels of its own rows. */
#include "data/io/npy.h"
#include "rows.h"

static void as_labels(ak_source *s)
{
    akin_ctx *ctx = fuzz_ctx();
    akin_rows *r = NULL;
    ak_npy a;
    if (ak_npy_begin(&a, ctx, s) != AKIN_OK || a.count < 1 || a.count > 4096 ||
        akin_rows_new_dense(&r, ctx, a.count, 0, NULL) != AKIN_OK)
        return;
    const akin_status st = ak_npy_labels(&a, ctx, r);
    check_rows(st, &r);
    if (st != AKIN_OK)
        akin_rows_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_rows *r = NULL;
    ak_source *s = open_bytes("fuzz.npy", AK_SOURCE_BINARY, data, n);
    if (s != NULL)
        check_rows(ak_npy_parse(&r, fuzz_ctx(), s, NULL), &r);
    ak_source_close(s);
    s = open_bytes("fuzz.npy", AK_SOURCE_BINARY, data, n);
    if (s != NULL)
        as_labels(s);
    ak_source_close(s);
    return 0;
}
