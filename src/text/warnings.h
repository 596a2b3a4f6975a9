/* text/warnings.h - documents that are not as they should be: the first of each
 * kind are named, the others counted. */
#ifndef AK_TEXT_WARNINGS_H
#define AK_TEXT_WARNINGS_H

#include "base/ctx.h"

typedef enum {
    AK_SKIPPED_UNREADABLE,
    AK_SKIPPED_BINARY,
    AK_BAD_UTF8,
    AK_NO_WORDS,
    AK_RENAMED,
    AK_WARNING_KINDS
} ak_warning_kind;

typedef struct ak_warnings {
    bool strict;                      // the first is an error
    bool all;                         // all are named
    bool (*wants)(const char *path);  // files that matter; NULL: all do
    int64_t n[AK_WARNING_KINDS];
} ak_warnings;

/* Tell it, "PATH: what"; EFORMAT when it has to be strict. */
akin_status ak_warnings_add(ak_warnings *t, akin_ctx *ctx, ak_warning_kind kind,
                            const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Of a document with n bytes that are not UTF-8, and of one without words. */
akin_status ak_warnings_bad_bytes(ak_warnings *t, akin_ctx *ctx,
                                  const char *where, int64_t n);
akin_status ak_warnings_no_words(ak_warnings *t, akin_ctx *ctx,
                                 const char *where);
/* How many there were of those that were not named. */
void ak_warnings_end(const ak_warnings *t, akin_ctx *ctx);

#endif
