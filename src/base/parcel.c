#include "base/parcel.h"

#include <string.h>

akin_status ak_parcel_field(ak_parcel *p, void *field, size_t size)
{
    if (size == 0)
        return AKIN_OK;
    if (!p->unpacks) {
        AK_CHECK(ak_grow(p->ctx, p->n + (int64_t)size, &p->room, 1, &p->bytes));
        memcpy(p->bytes + p->n, field, size);
        p->n += (int64_t)size;
        return AKIN_OK;
    }
    if ((int64_t)size > p->n - p->at)
        return ak_fail(p->ctx, AKIN_EFORMAT,
                       "a message between ranks is too short");
    memcpy(field, p->bytes + p->at, size);
    p->at += (int64_t)size;
    return AKIN_OK;
}

akin_status ak_parcel_array(ak_parcel *p, void *array, int64_t n, size_t size)
{
    void *elements;
    memcpy(&elements, array, sizeof elements);
    bool is_there = elements != NULL;
    AK_CHECK(AK_PARCEL_FIELD(p, &is_there));
    if (p->unpacks) {
        elements = NULL;
        if (is_there)
            AK_CHECK(ak_alloc(p->ctx, n, size, &elements));
        memcpy(array, &elements, sizeof elements);
    }
    return is_there ? ak_parcel_field(p, elements, (size_t)n * size) : AKIN_OK;
}

akin_status ak_parcel_text(ak_parcel *p, char **text)
{
    int64_t n = 0;
    if (!p->unpacks && *text != NULL)
        n = (int64_t)strlen(*text) + 1;
    AK_CHECK(AK_PARCEL_FIELD(p, &n));
    return AK_PARCEL_ARRAY(p, text, n);
}

void ak_parcel_free(ak_parcel *p)
{
    if (!p->unpacks)
        akin_free(p->bytes);
    p->bytes = NULL;
    p->n = p->room = 0;
}
