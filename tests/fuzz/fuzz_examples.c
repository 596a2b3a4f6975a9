/* Any bytes as pairs, triplets, quadruplets, lists or numbers; the first byte
 * says which. What is accepted obeys the rules, whole or piece by piece. */
#include <string.h>

#include "data/supervision/lines.h"
#include "fuzz.h"

enum { ROWS = 20, AT_ONCE = 3 };

static ak_line_form form_by(uint8_t first)
{
    switch (first % 5) {
    case 0:
        return ak_line_form_of(AKIN_PAIRS, ROWS, ROWS + 1);
    case 1:
        return ak_line_form_of(AKIN_TRIPLETS, ROWS, ROWS);
    case 2:
        return ak_line_form_of(AKIN_QUADRUPLETS, ROWS, ROWS);
    case 3:
        return (ak_line_form){2, {ROWS, ROWS}, false, "query row"};
    default:
        return (ak_line_form){1, {ROWS}, false, "a row number"};
    }
}

static ak_lines open_lines(akin_ctx *ctx, const uint8_t *data, size_t n)
{
    ak_lines l = {.form = form_by(data[0])};
    if (ak_source_memory(&l.source, ctx, "fuzz", AK_SOURCE_TEXT, data + 1,
                         n - 1) != AKIN_OK)
        l.source = NULL;
    return l;
}

/* The same a few at a time must give the same. */
static void compare_pieces(akin_ctx *ctx, const uint8_t *data, size_t n,
                           const int64_t *want, int64_t count)
{
    ak_lines l = open_lines(ctx, data, n);
    int64_t piece[AT_ONCE * AK_LINE_NUMBERS], at = 0, k;
    do {
        if (ak_lines_next(&l, ctx, true, AT_ONCE, piece, &k) != AKIN_OK ||
            at + k > count ||
            memcmp(want + at * l.form.n, piece,
                   (size_t)(k * l.form.n) * sizeof *piece) != 0)
            abort();
        at += k;
    } while (k > 0);
    if (at != count)
        abort();
    ak_source_close(l.source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = fuzz_ctx();
    int64_t *numbers = NULL, count = 0;
    if (n == 0)
        return 0;
    ak_lines l = open_lines(ctx, data, n);
    if (l.source != NULL &&
        ak_lines_all(&l, ctx, &numbers, &count) == AKIN_OK) {
        if (ak_lines_check(ctx, l.form, numbers, count) != AKIN_OK)
            abort();
        compare_pieces(ctx, data, n, numbers, count);
    }
    if (l.form.n == 2 && numbers != NULL) {
        akin_lists *lists = NULL;
        if (akin_lists_new(&lists, ctx, ROWS, numbers, count) != AKIN_OK)
            abort();
        akin_lists_free(lists);
    }
    akin_free(numbers);
    ak_source_close(l.source);
    return 0;
}
