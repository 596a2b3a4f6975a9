#include "text/trouble.h"

#include <stdarg.h>
#include <stdio.h>

enum { NAMED = 5, LINE = 1024 };

/* Of one document, and of several. */
static const char *const ends[AK_TROUBLES][2] = {
    [AK_LEFT_OUT_UNREADABLE] = {"that cannot be read, left out",
                                "that cannot be read, left out"},
    [AK_LEFT_OUT_BINARY] = {"that is no text, left out",
                            "that are no text, left out"},
    [AK_REPAIRED] = {"with bytes that are not UTF-8, which part words",
                     "with bytes that are not UTF-8, which part words"},
    [AK_NO_WORDS] = {"without a word that counts, kept as an empty row",
                     "without a word that counts, kept as empty rows"},
    [AK_RENAMED] = {"of a class that was renamed",
                    "of a class that was renamed"},
};

/* What was done about it, where the line does not say. */
static const char *const then[AK_TROUBLES] = {
    [AK_LEFT_OUT_UNREADABLE] = ", left out",
    [AK_LEFT_OUT_BINARY] = ", left out",
};

akin_status ak_trouble_tell(ak_trouble *t, akin_ctx *ctx, ak_trouble_kind kind,
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

void ak_trouble_end(const ak_trouble *t, akin_ctx *ctx)
{
    for (int kind = 0; kind < AK_TROUBLES; ++kind) {
        const int64_t more = t->n[kind] - NAMED;
        if (more > 0)
            ak_log(ctx, AKIN_LOG_WARNING, "%" PRId64 " more document%s %s",
                   more, more == 1 ? "" : "s", ends[kind][more > 1]);
    }
}
