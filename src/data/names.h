/* data/names.h - texts and their numbers, in order of first appearance. */
#ifndef AK_DATA_NAMES_H
#define AK_DATA_NAMES_H

#include "base/ctx.h"

/* All zero to begin with. */
typedef struct ak_names {
    char **texts;  // n, each allocated separately
    int64_t n, room;
    int32_t *slots;  // hash table of numbers + 1; 0 is free
    int64_t n_slots;
} ak_names;

/* The number of a text of `len` bytes (without a zero byte), new or old. */
akin_status ak_names_add(ak_names *names, akin_ctx *ctx, const char *text,
                         size_t len, int32_t *number);
/* The same for a label: one that is a number is the same however it is
 * written, and is kept as 1, not +1, 1.0 or 1e0. */
akin_status ak_names_add_label(ak_names *names, akin_ctx *ctx, const char *text,
                               size_t len, int32_t *number);
/* -1 when it is not there. */
int32_t ak_names_find(const ak_names *names, const char *text, size_t len);
void ak_names_free(ak_names *names);

#endif
