/* Any bytes as documents: as one text cut anywhere, the same words as whole;
 * as csv, records that fit into each other; as a vocabulary of stop words. */
#include "data/io/row_builder.h"
#include "fuzz.h"
#include "text/bag.h"
#include "text/csv_records.h"

/* The text in two pieces, to a row. */
static akin_rows *count(akin_ctx *ctx, const uint8_t *data, size_t n,
                        size_t cut)
{
    ak_bag b = {0};
    akin_rows *rows = NULL;
    if (ak_bag_begin(&b, ctx, NULL, NULL, 1, AK_WORD_MOST) != AKIN_OK)
        abort();
    ak_bag_open(&b);
    if (ak_bag_feed(&b, data, cut) != AKIN_OK ||
        ak_bag_feed(&b, data + cut, n - cut) != AKIN_OK ||
        ak_bag_close(&b) != AKIN_OK ||
        ak_bag_end(&b, &rows, 1, INT64_MAX) != AKIN_OK)
        abort();
    ak_bag_drop(&b);
    return rows;
}

static void compare(const akin_rows *a, const akin_rows *b)
{
    if (a->d != b->d || a->offsets[1] != b->offsets[1])
        abort();
    for (int64_t k = 0; k < a->offsets[1]; ++k)
        if (a->cols[k] != b->cols[k] || a->vals[k] != b->vals[k])
            abort();
    for (int64_t j = 0; j < a->d; ++j) {
        const char *name = ak_columns_name(&a->columns, j);
        if (strcmp(name, ak_columns_name(&b->columns, j)) != 0)
            abort();
        /* A word made of a word is that word. */
        akin_rows *again =
            count(fuzz_ctx(), (const uint8_t *)name, strlen(name), 0);
        if (again->d != 1 ||
            strcmp(ak_columns_name(&again->columns, 0), name) != 0)
            abort();
        akin_rows_free(again);
    }
}

static void read_records(akin_ctx *ctx, const uint8_t *data, size_t n)
{
    ak_source *s = NULL;
    ak_csv_records r = {0};
    if (ak_source_memory(&s, ctx, "fuzz", AK_SOURCE_TEXT, data, n) != AKIN_OK ||
        ak_csv_records_begin(&r, ctx, s, ',') != AKIN_OK)
        goto done;
    for (int64_t line = 0; ak_csv_records_next(&r, ctx) == AKIN_OK;) {
        size_t length, all = 0;
        if (r.n_cells == 0)
            break;
        for (int64_t k = 0; k < r.n_cells; ++k) {
            if (ak_csv_records_cell(&r, k, &length)[length] != '\0')
                abort();
            all += length + 1;
        }
        if (r.line <= line || all != (size_t)r.n_text)
            abort();
        line = r.line;
    }
done:
    ak_csv_records_end(&r);
    ak_source_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = fuzz_ctx();
    if (n == 0)
        return 0;
    akin_rows *whole = count(ctx, data, n, 0);
    akin_rows *cut = count(ctx, data, n, data[0] % n);
    compare(whole, cut);
    akin_rows_free(whole);
    akin_rows_free(cut);
    read_records(ctx, data, n);
    return 0;
}
