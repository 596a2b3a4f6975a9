/* Names without what differs from one writer to the next. */
#include <string.h>
#include <utf8proc.h>

#include "data/captions/folded_names.h"

static const utf8proc_option_t fold = UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
                                      UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK |
                                      UTF8PROC_IGNORE | UTF8PROC_STABLE;

/* Characters of a folded text, into `points`; its length, or < 0. */
static utf8proc_ssize_t fold_points(const char *text, size_t len,
                                    utf8proc_int32_t *points, int64_t room)
{
    return utf8proc_decompose((const utf8proc_uint8_t *)text,
                              (utf8proc_ssize_t)len, points, room, fold);
}

akin_status ak_name_fold(char **out, akin_ctx *ctx, const char *text,
                         size_t len)
{
    utf8proc_int32_t *points = NULL;
    char *key = NULL;
    size_t at = 0;
    akin_status st = AKIN_OK;
    const utf8proc_ssize_t n = fold_points(text, len, NULL, 0);
    AK_TRY(AK_NEW(ctx, n > 0 ? n : 1, &points));
    AK_TRY(ak_alloc(ctx, 4 * (int64_t)(n > 0 ? n : 0) + (int64_t)len + 1, 1,
                    &key));
    if (n > 0 && fold_points(text, len, points, n) == n)
        for (utf8proc_ssize_t k = 0; k < n; ++k)
            at += (size_t)utf8proc_encode_char(points[k],
                                               (utf8proc_uint8_t *)key + at);
    if (at == 0)
        memcpy(key, text, len);
    *out = key;
    key = NULL;
done:
    akin_free(key);
    akin_free(points);
    return st;
}

size_t ak_char_fold(const char *text, size_t n, size_t *used,
                    char to[AK_FOLDED_MOST])
{
    enum { MOST = AK_FOLDED_MOST / 4 };
    utf8proc_int32_t point, parts[MOST];
    int last = 0;
    size_t at = 0;
    const utf8proc_ssize_t length = utf8proc_iterate(
        (const utf8proc_uint8_t *)text, (utf8proc_ssize_t)n, &point);
    *used = length > 0 ? (size_t)length : 1;
    if (length <= 0) {
        to[0] = text[0];
        return 1;
    }
    const utf8proc_ssize_t count =
        utf8proc_decompose_char(point, parts, MOST, fold, &last);
    for (utf8proc_ssize_t k = 0; k < count && k < MOST; ++k)
        at +=
            (size_t)utf8proc_encode_char(parts[k], (utf8proc_uint8_t *)to + at);
    return at;
}
