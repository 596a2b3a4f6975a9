#include "data/captions/folded_names.h"

static char small(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

size_t ak_char_fold(const char *text, size_t n, size_t *used,
                    char to[AK_FOLDED_MOST])
{
    (void)n;
    *used = 1;
    to[0] = small(text[0]);
    return 1;
}

akin_status ak_name_fold(char **out, akin_ctx *ctx, const char *text,
                         size_t len)
{
    AK_CHECK(ak_alloc(ctx, (int64_t)len + 1, 1, out));
    for (size_t k = 0; k < len; ++k)
        (*out)[k] = small(text[k]);
    return AKIN_OK;
}
