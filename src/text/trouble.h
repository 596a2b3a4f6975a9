/* text/trouble.h - documents that are not as they should be: the first of each
 * kind are named, the others counted. */
#ifndef AK_TEXT_TROUBLE_H
#define AK_TEXT_TROUBLE_H

#include "base/ctx.h"

typedef enum {
    AK_LEFT_OUT_UNREADABLE,
    AK_LEFT_OUT_BINARY,
    AK_REPAIRED,
    AK_NO_WORDS,
    AK_RENAMED,
    AK_TROUBLES
} ak_trouble_kind;

typedef struct ak_trouble {
    bool strict;  // the first is an error
    bool all;     // all are named
    int64_t n[AK_TROUBLES];
} ak_trouble;

/* Tell it, "PATH: what"; EFORMAT when it has to be strict. */
akin_status ak_trouble_tell(ak_trouble *t, akin_ctx *ctx, ak_trouble_kind kind,
                            const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* How many there were of those that were not named. */
void ak_trouble_end(const ak_trouble *t, akin_ctx *ctx);

#endif
