/* Open addressing with linear steps, at most half full. */
#include "data/names.h"

#include <string.h>
#include <xxhash.h>

#include "data/io/number.h"

static int64_t slot_of(const ak_names *names, const char *text, size_t len)
{
    const uint64_t mask = (uint64_t)names->n_slots - 1;
    uint64_t i = XXH3_64bits(text, len) & mask;
    while (names->slots[i] != 0) {
        const char *t = names->texts[names->slots[i] - 1];
        if (strlen(t) == len && memcmp(t, text, len) == 0)
            break;
        i = (i + 1) & mask;
    }
    return (int64_t)i;
}

int32_t ak_names_find(const ak_names *names, const char *text, size_t len)
{
    if (names->n_slots == 0)
        return -1;
    return names->slots[slot_of(names, text, len)] - 1;
}

static akin_status grow(ak_names *names, akin_ctx *ctx)
{
    const int64_t room = names->room ? 2 * names->room : 16;
    akin_status st = ak_resize(ctx, room, sizeof *names->texts, &names->texts);
    if (st != AKIN_OK)
        return st;
    names->room = room;
    int32_t *slots;
    st = AK_NEW(ctx, 2 * room, &slots);
    if (st != AKIN_OK)
        return st;
    akin_free(names->slots);
    names->slots = slots;
    names->n_slots = 2 * room;
    for (int64_t k = 0; k < names->n; ++k) {
        const char *t = names->texts[k];
        slots[slot_of(names, t, strlen(t))] = (int32_t)(k + 1);
    }
    return AKIN_OK;
}

akin_status ak_names_add(ak_names *names, akin_ctx *ctx, const char *text,
                         size_t len, int32_t *number)
{
    char *copy = NULL;
    *number = ak_names_find(names, text, len);
    if (*number >= 0)
        return AKIN_OK;
    if (names->n >= INT32_MAX / 4)
        return ak_fail(ctx, AKIN_ESHAPE, "too many different names");
    if (2 * names->n >= names->n_slots)
        AK_CHECK(grow(names, ctx));
    AK_CHECK(ak_alloc(ctx, (int64_t)len + 1, 1, &copy));
    memcpy(copy, text, len);
    *number = (int32_t)names->n++;
    names->texts[*number] = copy;
    names->slots[slot_of(names, text, len)] = *number + 1;
    return AKIN_OK;
}

akin_status ak_names_add_label(ak_names *names, akin_ctx *ctx, const char *text,
                               size_t len, int32_t *number)
{
    char decimal[AK_DECIMAL_SIZE];
    const size_t digits = ak_decimal_write(decimal, text, len);
    if (digits > 0)
        return ak_names_add(names, ctx, decimal, digits, number);
    return ak_names_add(names, ctx, text, len, number);
}

void ak_names_free(ak_names *names)
{
    for (int64_t k = 0; k < names->n; ++k)
        akin_free(names->texts[k]);
    akin_free(names->texts);
    akin_free(names->slots);
    *names = (ak_names){0};
}
