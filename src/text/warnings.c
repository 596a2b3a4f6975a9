#include "text/warnings.h"

#include <stdarg.h>
#include <stdio.h>

enum { NAMED = 5, LINE = 1024 };

/* Of one document, and of several. */
static const char *const ends[AK_WARNING_KINDS][2] = {
    [AK_SKIPPED_UNREADABLE] = {"cannot be read; skipped",
                               "cannot be read; skipped"},
    [AK_SKIPPED_BINARY] = {"is not text; skipped", "are not text; skipped"},
    [AK_BAD_UTF8] = {"has bytes that are not UTF-8; they separate words",
                     "have bytes that are not UTF-8; they separate words"},
    [AK_NO_WORDS] = {"has no words to count; kept as an empty row",
                     "have no words to count; kept as empty rows"},
    [AK_RENAMED] = {"has a renamed class", "have a renamed class"},
};

/* What was done about it, where the line does not say. */
static const char *const then[AK_WARNING_KINDS] = {
    [AK_SKIPPED_UNREADABLE] = "; skipped",
    [AK_SKIPPED_BINARY] = "; skipped",
};

akin_status ak_warnings_add(ak_warnings *t, akin_ctx *ctx, ak_warning_kind kind,
                            const char *format, ...)
{
    char line[LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (t->strict)
        return ak_fail(ctx, AKIN_EFORMAT, "%s", line);
    if (t->n[kind]++ < NAMED || t->all)
        ak_log(ctx, AKIN_LOG_WARNING, "%s%s", line,
               then[kind] ? then[kind] : "");
    return AKIN_OK;
}

akin_status ak_warnings_bad_bytes(ak_warnings *t, akin_ctx *ctx,
                                  const char *where, int64_t n)
{
    return ak_warnings_add(
        t, ctx, AK_BAD_UTF8,
        n == 1 ? "%s: %" PRId64 " byte is not UTF-8; it separates words"
               : "%s: %" PRId64 " bytes are not UTF-8; they separate words",
        where, n);
}

akin_status ak_warnings_no_words(ak_warnings *t, akin_ctx *ctx,
                                 const char *where)
{
    return ak_warnings_add(t, ctx, AK_NO_WORDS,
                           "%s: no words to count; kept as an empty row",
                           where);
}

void ak_warnings_end(const ak_warnings *t, akin_ctx *ctx)
{
    for (int kind = 0; kind < AK_WARNING_KINDS; ++kind) {
        const int64_t more = t->n[kind] - NAMED;
        if (more > 0)
            ak_log(ctx, AKIN_LOG_WARNING, "%" PRId64 " more document%s %s",
                   more, more == 1 ? "" : "s", ends[kind][more > 1]);
    }
}
