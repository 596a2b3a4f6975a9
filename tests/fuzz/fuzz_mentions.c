/* Any names, a line each up to an empty line, and any text behind them: each
 * mention that is found is its name, as whole characters, and none is over
 * another. */
#include <string.h>

#include "collection/faces/captions/caption_file.h"
#include "collection/faces/captions/mentions.h"
#include "data/captions/folded_names.h"
#include "fuzz.h"

static void check_mention(akin_ctx *ctx, const ak_caption_name *x,
                          ak_caption_span s, const char *text)
{
    char *key = NULL, *found = NULL;
    if (!ak_span_is_whole(text, s.start, s.end))
        abort();
    if (ak_name_fold(&key, ctx, x->name, strlen(x->name)) == AKIN_OK &&
        ak_name_fold(&found, ctx, text + s.start, (size_t)(s.end - s.start)) ==
            AKIN_OK &&
        strcmp(key, found) != 0)
        abort();
    akin_free(key);
    akin_free(found);
}

static void check_all(akin_ctx *ctx, const akin_caption_names *names,
                      const char *text)
{
    char *used = calloc(strlen(text) + 1, 1);
    for (int64_t i = 0; used != NULL && i < names->n; ++i)
        for (int64_t k = 0; k < names->all[i].n_spans; ++k) {
            const ak_caption_span s = names->all[i].spans[k];
            check_mention(ctx, &names->all[i], s, text);
            for (int32_t at = s.start; at < s.end; ++at)
                if (used[at]++ != 0)
                    abort();
        }
    free(used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = fuzz_ctx();
    const char *bytes = (const char *)data;
    const char *stop = n > 0 ? memmem(data, n, "\n\n", 2) : NULL;
    const size_t m = stop ? (size_t)(stop - bytes) : 0;
    akin_caption_names names = {0};
    ak_caption c = {NULL, NULL};
    if (ak_caption_of_names(&c, ctx, bytes, m, '\n') == AKIN_OK &&
        ak_caption_of_text(&c, ctx, bytes + m, n - m) == AKIN_OK) {
        ak_caption_name *x;
        akin_status st = AKIN_OK;
        for (const char *at = c.names; *at != '\0' && st == AKIN_OK;) {
            const size_t size = strcspn(at, "\n");
            st = ak_caption_names_add(&names, ctx, at, size, &x);
            at += size + (at[size] == '\n');
        }
        if (st == AKIN_OK &&
            ak_caption_names_locate(&names, ctx, c.text) == AKIN_OK)
            check_all(ctx, &names, c.text);
    }
    ak_caption_names_clear(&names);
    ak_caption_free(&c);
    return 0;
}
