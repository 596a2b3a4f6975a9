/* base/parcel.h - what one rank sends to another, field by field. The same
 * calls in the same order pack a parcel and unpack it. */
#ifndef AK_BASE_PARCEL_H
#define AK_BASE_PARCEL_H

#include "base/ctx.h"

/* Set `ctx` to pack; `ctx`, `unpacks`, `bytes` and `n` to unpack. */
typedef struct ak_parcel {
    akin_ctx *ctx;
    bool unpacks;
    unsigned char *bytes;
    int64_t n, room;
    int64_t at;  // what is unpacked next
} ak_parcel;

/* `size` bytes at `field`. EFORMAT: the parcel has no more. */
akin_status ak_parcel_field(ak_parcel *p, void *field, size_t size);
/* `n` elements of the array that `array` is the address of; NULL stays NULL.
 * What is unpacked comes from the context. */
akin_status ak_parcel_array(ak_parcel *p, void *array, int64_t n, size_t size);
akin_status ak_parcel_text(ak_parcel *p, char **text);
/* Of a parcel that was packed. */
void ak_parcel_free(ak_parcel *p);

#define AK_PARCEL_FIELD(p, field) ak_parcel_field((p), (field), sizeof *(field))
#define AK_PARCEL_ARRAY(p, array, n) \
    ak_parcel_array((p), (array), (n), sizeof **(array))

#endif
