/* In place of words.c where the build has no utf8proc. */
#include "text/words.h"

akin_status ak_words_check(akin_ctx *ctx)
{
    return ak_fail(ctx, AKIN_EABSENT,
                   "documents cannot be read: this build is without text "
                   "(libutf8proc)");
}

akin_status ak_words_feed(ak_words *w, const void *bytes, size_t n)
{
    (void)w, (void)bytes, (void)n;
    return AKIN_EABSENT;
}

akin_status ak_words_end(ak_words *w)
{
    (void)w;
    return AKIN_EABSENT;
}
