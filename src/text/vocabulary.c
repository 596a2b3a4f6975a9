/* The terms of counts, from a file. */
#include <akin/text.h>

#include "data/rows.h"
#include "data/source.h"

akin_status akin_text_vocabulary(akin_rows *counts, akin_ctx *ctx,
                                 const char *path)
{
    ak_source *s = NULL;
    ak_columns terms = {0};
    char *line;
    size_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&s, ctx, path, AK_SOURCE_TEXT));
    for (;;) {
        AK_TRY(ak_source_line(s, ctx, &line, &n));
        if (line == NULL)
            break;
        if (n == 0 || memchr(line, '\0', n) != NULL || terms.n == INT32_MAX)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                           "%s:%" PRId64 ": not a term (expected one a line)",
                           path, ak_source_line_number(s)));
        AK_TRY(ak_columns_add(&terms, ctx, line, n));
    }
    if (counts->offsets ? terms.n < counts->d : terms.n != counts->d)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%s: %" PRId64 " terms (the rows have %" PRId64
                       " columns)",
                       path, terms.n, counts->d));
    counts->d = terms.n;
    ak_columns_free(&counts->columns, counts->allocator);
    counts->columns = terms;
    terms = (ak_columns){0};
done:
    ak_source_close(s, ctx);
    ak_columns_free(&terms, ak_ctx_allocator(ctx));
    return st;
}
