#include "data/label_names.h"

#include <string.h>

#include "base/utf8.h"

static const char key[] = "label_names";

akin_status ak_label_map(akin_ctx *ctx, int64_t n_from, char *const *from,
                         int64_t n_to, char *const *to, int32_t **map)
{
    ak_names names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n_from, map));
    for (int64_t k = 0; k < n_to; ++k) {
        int32_t number;
        AK_TRY(ak_names_add(&names, ctx, to[k], strlen(to[k]), &number));
    }
    for (int64_t k = 0; k < n_from; ++k)
        (*map)[k] = ak_names_find(&names, from[k], strlen(from[k]));
done:
    ak_names_free(&names);
    return st;
}

/* Control codes are no matter here. */
static bool is_utf8(const char *text)
{
    const size_t n = strlen(text);
    size_t at = ak_utf8_span(text, n);
    while (at < n && ((unsigned char)text[at] < ' ' || text[at] == 0x7f))
        at += 1 + ak_utf8_span(text + at + 1, n - at - 1);
    return at == n;
}

akin_status ak_label_names_check(akin_ctx *ctx, int64_t n, char *const *names)
{
    for (int64_t k = 0; k < n; ++k)
        if (strchr(names[k], '\n') != NULL)
            return ak_fail(
                ctx, AKIN_EINVAL,
                "label %" PRId64 " has a line break, and cannot be written", k);
        else if (!is_utf8(names[k]))
            return ak_fail(
                ctx, AKIN_EINVAL,
                "label %" PRId64 " is not UTF-8, and cannot be written", k);
    return AKIN_OK;
}

akin_status ak_label_names_put(ak_tensors *t, akin_ctx *ctx, int64_t n,
                               char *const *names)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t bytes = 1;
    char *text, *end;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < n; ++k)
        bytes += (int64_t)strlen(names[k]) + 1;
    AK_TRY(AK_SCRATCH(ctx, bytes, &text));
    end = text;
    AK_TRY(ak_label_names_check(ctx, n, names));
    for (int64_t k = 0; k < n; ++k) {
        if (k > 0)
            *end++ = '\n';
        end = stpcpy(end, names[k]);
    }
    AK_TRY(ak_tensors_note(t, ctx, key, text));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_label_names_take(char ***texts, int64_t *n, akin_ctx *ctx,
                                const ak_tensors *t)
{
    const char *p = ak_tensors_get_note(t, key);
    ak_names names = {0};
    akin_status st = AKIN_OK;
    if (p == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: no note %s", ak_tensors_path(t),
                       key));
    for (int64_t k = 0; p != NULL; ++k) {
        const char *end = strchrnul(p, '\n');
        int32_t number;
        AK_TRY(ak_names_add_label(&names, ctx, p, (size_t)(end - p), &number));
        if (number != k)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: note %s has a name twice",
                           ak_tensors_path(t), key));
        p = *end ? end + 1 : NULL;
    }
    *texts = names.texts;
    *n = names.n;
    names.texts = NULL;
    names.n = 0;
done:
    ak_names_free(&names);
    return st;
}
