/* data/captions/folded_names.h - names of persons, the same however they are
 * written: in capitals or not, with or without accents. */
#ifndef AK_DATA_CAPTIONS_FOLDED_NAMES_H
#define AK_DATA_CAPTIONS_FOLDED_NAMES_H

#include "data/names.h"

/* All zero to begin with. */
typedef struct ak_folded_names {
    ak_names keys;
    char **texts;  // keys.n, as each name was first written
    int64_t room;
} ak_folded_names;

/* The number of a name of `len` bytes of UTF-8, new or old. */
akin_status ak_folded_names_add(ak_folded_names *names, akin_ctx *ctx,
                                const char *text, size_t len, int32_t *number);
/* *number: -1 when it is not there. */
akin_status ak_folded_names_find(const ak_folded_names *names, akin_ctx *ctx,
                                 const char *text, size_t len, int32_t *number);
void ak_folded_names_free(ak_folded_names *names);

/* The name in small letters without accents, a new string. Without Unicode
 * (the option `text` of the build), ASCII letters alone are made small. */
akin_status ak_name_fold(char **out, akin_ctx *ctx, const char *text,
                         size_t len);

enum { AK_FOLDED_MOST = 128 };

/* The same of the first character of n > 0 bytes, which is `*used` bytes long:
 * into `to`; returns its bytes, 0 where nothing is left of it (an accent). */
size_t ak_char_fold(const char *text, size_t n, size_t *used,
                    char to[AK_FOLDED_MOST]);

#endif
