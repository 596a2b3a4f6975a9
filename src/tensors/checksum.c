/* Checksums in a file: "xxh3.NAME" for the data of each tensor, and "xxh3" for
 * the rest, that is the notes and the names, types and shapes of the tensors.
 * The latter is a sum, so that other programs may reorder the header. */
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "tensors/set.h"

bool ak_note_is_checksum(const char *key)
{
    return strncmp(key, "xxh3", 4) == 0 && (key[4] == '.' || key[4] == '\0');
}

bool ak_note_is_reserved(const char *key)
{
    return strcmp(key, "format") == 0 || strcmp(key, "format_version") == 0 ||
           strcmp(key, "akin_version") == 0 || ak_note_is_checksum(key);
}

akin_status ak_checksum_key(akin_ctx *ctx, const char *name, char **key)
{
    const size_t size = strlen(name) + sizeof "xxh3.";
    const akin_status st = ak_scratch(ctx, (int64_t)size, 1, key);
    if (st == AKIN_OK)
        snprintf(*key, size, "xxh3.%s", name);
    return st;
}

uint64_t ak_checksum_data(const ak_tensor *t)
{
    size_t bytes = 0;
    ak_tensor_bytes(t, &bytes);
    return XXH3_64bits(t->data, bytes);
}

uint32_t ak_checksum_part(const void *data, size_t bytes)
{
    return (uint32_t)XXH3_64bits(data, bytes);
}

uint64_t ak_checksum_note(const char *key, const char *value)
{
    return XXH3_64bits_withSeed(value, strlen(value),
                                XXH3_64bits(key, strlen(key)));
}

uint64_t ak_checksum_shape(const ak_tensor *t)
{
    char text[AK_TENSOR_TEXT];
    int at = snprintf(text, sizeof text, "%s", ak_dtype_name(t->dtype));
    for (int64_t i = 0; i < t->n_dims; ++i)
        at += snprintf(text + at, sizeof text - (size_t)at, ",%" PRId64,
                       t->shape[i]);
    return ak_checksum_note(t->name, text);
}
