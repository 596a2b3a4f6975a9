/* The terms of counts, from a file. */
#include <akin/text.h>

#include "base/utf8.h"
#include "data/io/source.h"
#include "data/names.h"
#include "data/rows.h"

static bool is_term(const char *text, size_t n)
{
    size_t k = 0, len = 1;
    for (; k < n && len > 0; k += len)
        len = ak_utf8_length(text + k, n - k);
    return n > 0 && len > 0;
}

/* Line `at` of the file; `seen` has those before it. */
static akin_status add_term(ak_columns *terms, ak_names *seen, akin_ctx *ctx,
                            const char *path, int64_t at, const char *text,
                            size_t n)
{
    int32_t number;
    akin_status st = AKIN_OK;
    if (!is_term(text, n) || terms->n == INT32_MAX)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64
                       ": not a term (expected one a line, in UTF-8)",
                       path, at);
    AK_TRY(ak_names_add(seen, ctx, text, n, &number));
    if (number < terms->n)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": the term '%s' is there before", path,
                       at, seen->texts[number]));
    AK_TRY(ak_columns_add(terms, ctx, text, n));
done:
    return st;
}

akin_status akin_text_vocabulary(akin_ctx *ctx, akin_rows *counts,
                                 const char *path)
{
    ak_source *s = NULL;
    ak_columns terms = {0};
    ak_names seen = {0};
    char *line;
    size_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&s, ctx, path, AK_SOURCE_TEXT));
    for (;;) {
        AK_TRY(ak_source_line(s, ctx, &line, &n));
        if (line == NULL)
            break;
        AK_TRY(add_term(&terms, &seen, ctx, path, ak_source_line_number(s),
                        line, n));
    }
    if (counts->offsets ? terms.n < counts->d : terms.n != counts->d)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%s: %" PRId64 " terms (the rows have %" PRId64
                       " columns)",
                       path, terms.n, counts->d));
    counts->d = terms.n;
    ak_columns_free(&counts->columns);
    counts->columns = terms;
    terms = (ak_columns){0};
done:
    ak_source_close(s);
    ak_names_free(&seen);
    ak_columns_free(&terms);
    return st;
}
