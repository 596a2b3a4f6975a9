#include "data/captions/folded_names.h"

akin_status ak_name_fold(char **out, akin_ctx *ctx, const char *text,
                         size_t len)
{
    AK_CHECK(ak_alloc(ctx, (int64_t)len + 1, 1, out));
    for (size_t k = 0; k < len; ++k)
        (*out)[k] = (char)(text[k] >= 'A' && text[k] <= 'Z'
                               ? text[k] - 'A' + 'a'
                               : text[k]);
    return AKIN_OK;
}
