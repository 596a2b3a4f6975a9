#include "data/captions/folded_names.h"

#include <string.h>

akin_status ak_folded_names_find(const ak_folded_names *names, akin_ctx *ctx,
                                 const char *text, size_t len, int32_t *number)
{
    char *key;
    AK_CHECK(ak_name_fold(&key, ctx, text, len));
    *number = ak_names_find(&names->keys, key, strlen(key));
    akin_free(key);
    return AKIN_OK;
}

akin_status ak_folded_names_add(ak_folded_names *names, akin_ctx *ctx,
                                const char *text, size_t len, int32_t *number)
{
    const int64_t before = names->keys.n;
    char *key = NULL, *copy = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_name_fold(&key, ctx, text, len));
    AK_TRY(ak_grow(ctx, before + 1, &names->room, sizeof *names->texts,
                   &names->texts));
    AK_TRY(ak_alloc(ctx, (int64_t)len + 1, 1, &copy));
    memcpy(copy, text, len);
    AK_TRY(ak_names_add(&names->keys, ctx, key, strlen(key), number));
    if (names->keys.n > before) {
        names->texts[before] = copy;
        copy = NULL;
    }
done:
    akin_free(copy);
    akin_free(key);
    return st;
}

void ak_folded_names_free(ak_folded_names *names)
{
    for (int64_t k = 0; names->texts != NULL && k < names->keys.n; ++k)
        akin_free(names->texts[k]);
    akin_free(names->texts);
    ak_names_free(&names->keys);
    *names = (ak_folded_names){0};
}
