/* tensors/tensors.h - named arrays and notes in one file: safetensors.
 *
 * File: 8 bytes of header length (little-endian), a JSON header, the tensors'
 * raw little-endian bytes. The header's __metadata__ maps strings to strings:
 * the notes, and "xxh3.NAME" with the checksum of each tensor in hex. A reader
 * checks lengths, overlaps, gaps, dtypes, shapes and checksums before anyone
 * sees a tensor, and maps the file rather than copying it. */
#ifndef AK_TENSORS_TENSORS_H
#define AK_TENSORS_TENSORS_H

#include "base/ctx.h"

typedef enum ak_dtype {
    AK_DTYPE_U8,
    AK_DTYPE_I32,
    AK_DTYPE_I64,
    AK_DTYPE_F32,
    AK_DTYPE_F64,
    AK_DTYPE_COUNT
} ak_dtype;

enum { AK_TENSOR_DIMS = 4 };

typedef struct ak_tensor {
    const char *name;
    ak_dtype dtype;
    int64_t n_dims;
    int64_t shape[AK_TENSOR_DIMS];
    const void *data;
} ak_tensor;

typedef struct ak_tensors ak_tensors;

akin_status ak_tensors_new(ak_tensors **out, akin_ctx *ctx);
void ak_tensors_free(ak_tensors *t);

/* Add a tensor; `data` is borrowed until the set is freed, or copied. The name
 * must be new. */
akin_status ak_tensors_put(ak_tensors *t, akin_ctx *ctx, ak_tensor tensor);
akin_status ak_tensors_put_copy(ak_tensors *t, akin_ctx *ctx, ak_tensor tensor);
/* A vector of `n` elements, the common case. */
akin_status ak_tensors_put_vector(ak_tensors *t, akin_ctx *ctx,
                                  const char *name, ak_dtype dtype, int64_t n,
                                  const void *data);
/* Add or replace a note. Keys and values are UTF-8. */
akin_status ak_tensors_note(ak_tensors *t, akin_ctx *ctx, const char *key,
                            const char *value);
akin_status ak_tensors_note_i64(ak_tensors *t, akin_ctx *ctx, const char *key,
                                int64_t value);
akin_status ak_tensors_note_f64(ak_tensors *t, akin_ctx *ctx, const char *key,
                                double value);

/* A set inside of a set: all tensors and notes of `from`, borrowed, under names
 * that begin with `prefix`; and a copy of them, NULL when there are none. Notes
 **/
akin_status ak_tensors_put_set(ak_tensors *t, akin_ctx *ctx, const char *prefix,
                               const ak_tensors *from);
akin_status ak_tensors_take_set(ak_tensors **out, akin_ctx *ctx,
                                const ak_tensors *t, const char *prefix);

/* Something in it is new with this version of the format: older readers must
 * refuse the file. */
void ak_tensors_demand(ak_tensors *t, int version);

/* Atomically; "format", "format_version" and "akin_version" are noted by
 * itself. The bytes depend on contents and order of putting alone. */
akin_status ak_tensors_write(const ak_tensors *t, akin_ctx *ctx,
                             const char *path);
/* The same bytes in memory; free them with akin_free. */
akin_status ak_tensors_write_memory(const ak_tensors *t, akin_ctx *ctx,
                                    uint8_t **bytes, size_t *n);
/* EFORMAT "FILE: ..." names the place. Any safetensors file can be read, ours
 * or not; one of ours, or with a checksum, must have all of them right. */
akin_status ak_tensors_read(ak_tensors **out, akin_ctx *ctx, const char *path);
/* The same, but that the data of the tensors `later`, a list that ends with
 * NULL, are not read: whoever uses them has checksums of his own for them, or
 * settles them first. */
akin_status ak_tensors_read_lazily(ak_tensors **out, akin_ctx *ctx,
                                   const char *path, const char *const *later);
akin_status ak_tensors_settle(const ak_tensors *t, akin_ctx *ctx,
                              const char *name);
/* EFORMAT where another program has changed the file since it was read; for
 * whoever has used its tensors. NULL is fine. */
akin_status ak_tensors_check_file(const ak_tensors *t, akin_ctx *ctx);
/* A short checksum of some bytes. */
uint32_t ak_checksum_part(const void *data, size_t bytes);
/* The byte of the file that was read at which the tensor begins. */
int64_t ak_tensors_byte(const ak_tensors *t, const char *name);
/* All of a file from memory, which is borrowed; `path` is for messages. */
akin_status ak_tensors_parse(ak_tensors **out, akin_ctx *ctx, const char *path,
                             const void *bytes, size_t n);
/* The same from a copy of the memory, which the set owns. */
akin_status ak_tensors_parse_copy(ak_tensors **out, akin_ctx *ctx,
                                  const char *path, const void *bytes,
                                  size_t n);
/* Where it was read from, or is said to be, for messages; "" when neither. */
const char *ak_tensors_path(const ak_tensors *t);
akin_status ak_tensors_set_path(ak_tensors *t, akin_ctx *ctx, const char *path);

int64_t ak_tensors_count(const ak_tensors *t);
const ak_tensor *ak_tensors_at(const ak_tensors *t, int64_t i);
const ak_tensor *ak_tensors_find(const ak_tensors *t, const char *name);
/* Of names and numbers of all tensors; not of the notes. */
uint64_t ak_tensors_fingerprint(const ak_tensors *t);
/* EFORMAT with the file's name unless it is there with this dtype and number
 * of dimensions. */
akin_status ak_tensors_need(const ak_tensors *t, akin_ctx *ctx,
                            const char *name, ak_dtype dtype, int64_t n_dims,
                            const ak_tensor **out);
/* NULL when there is no such note. */
const char *ak_tensors_get_note(const ak_tensors *t, const char *key);
int64_t ak_tensors_note_count(const ak_tensors *t);
void ak_tensors_note_at(const ak_tensors *t, int64_t i, const char **key,
                        const char **value);
/* Does it say that akin wrote it? Then its checksums were looked at. */
bool ak_tensors_is_ours(const ak_tensors *t);
/* EFORMAT unless it does; for files, not for the sets in them. */
akin_status ak_tensors_need_ours(const ak_tensors *t, akin_ctx *ctx);
/* EFORMAT unless the note is there and is a number. */
akin_status ak_tensors_need_i64(const ak_tensors *t, akin_ctx *ctx,
                                const char *key, int64_t *value);
akin_status ak_tensors_need_f64(const ak_tensors *t, akin_ctx *ctx,
                                const char *key, double *value);

size_t ak_dtype_size(ak_dtype dtype);
const char *ak_dtype_name(ak_dtype dtype); /* "F64" */

#endif
