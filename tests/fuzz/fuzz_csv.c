/* Any bytes as csv or tsv; the length says how to read it. */
#include "rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const columns[] = {NULL, "label", "-1", "0"};
    const akin_read_options o = {.label_column = columns[n % 4]};
    ak_source *s = open_bytes("fuzz.csv", AK_SOURCE_BINARY, data, n);
    akin_rows *r = NULL;
    if (s != NULL)
        check_rows(
            (n % 7 == 0 ? ak_tsv_parse : ak_csv_parse)(&r, fuzz_ctx(), s, &o),
            &r);
    ak_source_close(s);
    return 0;
}
