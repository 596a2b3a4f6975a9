#include "data/columns.h"

#include <string.h>

akin_status ak_columns_add(ak_columns *c, akin_ctx *ctx, const char *text,
                           size_t len)
{
    const int64_t at = c->n > 0 ? c->begin[c->n] : 0;
    const int64_t end = at + (int64_t)len + 1;
    AK_CHECK(ak_grow(ctx, c->n + 2, &c->room, sizeof *c->begin, &c->begin));
    AK_CHECK(ak_grow(ctx, end, &c->text_room, 1, &c->text));
    memcpy(c->text + at, text, len);
    c->text[end - 1] = '\0';
    c->begin[c->n] = at;
    c->begin[++c->n] = end;
    return AKIN_OK;
}

const char *ak_columns_name(const ak_columns *c, int64_t j)
{
    if (j < 0 || j >= c->n || c->text[c->begin[j]] == '\0')
        return NULL;
    return c->text + c->begin[j];
}

akin_status ak_columns_copy(ak_columns *to, akin_ctx *ctx,
                            const ak_columns *from)
{
    if (from->n == 0)
        return AKIN_OK;
    const int64_t bytes = from->begin[from->n];
    AK_CHECK(
        ak_grow(ctx, from->n + 1, &to->room, sizeof *to->begin, &to->begin));
    AK_CHECK(ak_grow(ctx, bytes, &to->text_room, 1, &to->text));
    memcpy(to->begin, from->begin, (size_t)(from->n + 1) * sizeof *to->begin);
    memcpy(to->text, from->text, (size_t)bytes);
    to->n = from->n;
    return AKIN_OK;
}

void ak_columns_free(ak_columns *c)
{
    akin_free(c->begin);
    akin_free(c->text);
    *c = (ak_columns){0};
}

akin_status ak_columns_put(const ak_columns *c, akin_ctx *ctx, ak_tensors *t,
                           const char *name)
{
    if (c->n == 0)
        return AKIN_OK;
    return ak_tensors_put_vector(t, ctx, name, AK_DTYPE_U8, c->begin[c->n],
                                 c->text);
}

akin_status ak_columns_take(ak_columns *c, akin_ctx *ctx, const ak_tensors *t,
                            const char *name, int64_t d)
{
    const ak_tensor *x;
    if (ak_tensors_find(t, name) == NULL)
        return AKIN_OK;
    AK_CHECK(ak_tensors_need(t, ctx, name, AK_DTYPE_U8, 1, &x));
    const char *at = x->data, *end = at + x->shape[0];
    while (at < end && c->n < d) {
        const char *zero = memchr(at, '\0', (size_t)(end - at));
        if (zero == NULL)
            break;
        AK_CHECK(ak_columns_add(c, ctx, at, (size_t)(zero - at)));
        at = zero + 1;
    }
    if (at < end)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: tensor %s does not have the names of %" PRId64
                       " columns",
                       ak_tensors_path(t), name, d);
    return AKIN_OK;
}
