/* tensors/set.h - what a set of tensors is made of; for this room alone. */
#ifndef AK_TENSORS_SET_H
#define AK_TENSORS_SET_H

#include <jansson.h>

#include "base/mapping.h"
#include "tensors/tensors.h"

enum { AK_FORMAT_VERSION = 2 };

typedef struct ak_item {
    ak_tensor tensor;   // its name is owned
    void *copy;         // of the data, NULL when they are borrowed
    size_t begin, end;  // place in the data of a file
    uint64_t sum;       // of the file that was read
    bool unread;        // has not been compared with the data
} ak_item;

typedef struct ak_note {
    char *key, *value;
} ak_note;

struct ak_tensors {
    ak_item *items;
    int64_t n_items, room_items;
    ak_note *notes;
    int64_t n_notes, room_notes;
    int version;  // of the format, as low as its contents allow
    char *path;
    ak_mapping file;  // that was read, if it could be mapped
    int64_t data_at;  // byte of the file at which the data begin
    char *bytes;      // a file that could not be mapped
};

/* By its name; AK_DTYPE_COUNT when unknown. */
ak_dtype ak_dtype_find(const char *name);
/* Bytes of its data; false: a shape that is negative or too large. */
bool ak_tensor_bytes(const ak_tensor *t, size_t *bytes);

/* Append without asking whether the name is new. */
akin_status ak_tensors_append(ak_tensors *t, akin_ctx *ctx, ak_item item);
akin_status ak_tensors_append_note(ak_tensors *t, akin_ctx *ctx,
                                   const char *key, const char *value);

/* Is the note made by the writer itself? */
bool ak_note_is_reserved(const char *key);

#endif
