/* Reading a safetensors file: everything is checked before anyone sees it. */
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "tensors/set.h"

/* The limit of the format's own library. */
enum { HEADER_MOST = 100000000 };

#define BAD(...) ak_fail(ctx, AKIN_EFORMAT, __VA_ARGS__)

/* The header as JSON; `*data` and `*n` then are what is behind it. */
static akin_status load_header(json_t **root, akin_ctx *ctx, const char *path,
                               const unsigned char **data, size_t *n)
{
    uint64_t length;
    json_error_t error;
    if (*n < sizeof length)
        return BAD("%s: not a safetensors file (%zu bytes)", path, *n);
    memcpy(&length, *data, sizeof length);
    *data += sizeof length;
    *n -= sizeof length;
    if (length > *n || length > HEADER_MOST)
        return BAD("%s: not a safetensors file (a header of %" PRIu64
                   " bytes in %zu)",
                   path, length, *n);
    if (length == 0 || **data != '{')
        return BAD("%s: the header does not begin with '{'", path);
    *root = json_loadb((const char *)*data, (size_t)length,
                       JSON_REJECT_DUPLICATES, &error);
    if (*root == NULL && json_error_code(&error) == json_error_out_of_memory)
        return ak_nomem(ctx, (size_t)length);
    if (*root == NULL)
        return BAD("%s: the header is not valid JSON near byte %d", path,
                   error.position + (int)sizeof length);
    *data += length;
    *n -= (size_t)length;
    return AKIN_OK;
}

static akin_status take_notes(ak_tensors *t, akin_ctx *ctx, json_t *meta)
{
    const char *key;
    json_t *value;
    akin_status st = AKIN_OK;
    if (meta != NULL && !json_is_object(meta))
        return BAD("%s: __metadata__ is not an object", t->path);
    json_object_foreach(meta, key, value)
    {
        if (!json_is_string(value))
            return BAD("%s: note '%s' is not a string", t->path, key);
        if (!ak_note_is_checksum(key))
            AK_TRY(
                ak_tensors_append_note(t, ctx, key, json_string_value(value)));
    }
done:
    return st;
}

/* A list of `most` whole numbers from 0 at most; their number, -1: it is
 * not one. */
static int64_t numbers(const json_t *list, int64_t most, int64_t *out)
{
    const int64_t n = (int64_t)json_array_size(list);
    if (!json_is_array(list) || n > most)
        return -1;
    for (int64_t i = 0; i < n; ++i) {
        const json_t *x = json_array_get(list, (size_t)i);
        if (!json_is_integer(x) || json_integer_value(x) < 0)
            return -1;
        out[i] = json_integer_value(x);
    }
    return n;
}

static akin_status take_dtype(ak_item *item, akin_ctx *ctx, const char *path,
                              const json_t *entry)
{
    const char *dtype = json_string_value(json_object_get(entry, "dtype"));
    if (dtype == NULL)
        return BAD("%s: tensor '%s' has no dtype", path, item->tensor.name);
    item->tensor.dtype = ak_dtype_find(dtype);
    if (item->tensor.dtype == AK_DTYPE_COUNT)
        return BAD("%s: tensor '%s' has the unsupported dtype '%s' (expected "
                   "U8, I32, I64, F32 or F64)",
                   path, item->tensor.name, dtype);
    return AKIN_OK;
}

static akin_status take_entry(ak_item *item, akin_ctx *ctx, const char *path,
                              const json_t *entry, size_t n)
{
    ak_tensor *x = &item->tensor;
    int64_t offsets[2];
    size_t bytes;
    const akin_status st = take_dtype(item, ctx, path, entry);
    if (st != AKIN_OK)
        return st;
    x->n_dims =
        numbers(json_object_get(entry, "shape"), AK_TENSOR_DIMS, x->shape);
    if (x->n_dims < 0)
        return BAD("%s: the shape of tensor '%s' is not a list of up to %d "
                   "whole numbers",
                   path, x->name, AK_TENSOR_DIMS);
    if (numbers(json_object_get(entry, "data_offsets"), 2, offsets) != 2 ||
        offsets[0] > offsets[1] || (uint64_t)offsets[1] > n)
        return BAD("%s: the data_offsets of tensor '%s' are not two places in "
                   "%zu bytes",
                   path, x->name, n);
    item->begin = (size_t)offsets[0];
    item->end = (size_t)offsets[1];
    if (!ak_tensor_bytes(x, &bytes) || bytes != item->end - item->begin)
        return BAD("%s: tensor '%s' has %zu bytes, which is not its shape",
                   path, x->name, item->end - item->begin);
    return AKIN_OK;
}

static int by_place(const void *left, const void *right)
{
    const ak_item *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return strcmp(a->tensor.name, b->tensor.name);
}

static akin_status check_places(ak_tensors *t, akin_ctx *ctx, size_t n)
{
    size_t at = 0;
    if (t->n_items > 0)
        qsort(t->items, (size_t)t->n_items, sizeof *t->items, by_place);
    for (int64_t i = 0; i < t->n_items; ++i) {
        const ak_item *item = &t->items[i];
        if (item->begin != at)
            return BAD("%s: tensor '%s' begins at byte %zu of the data "
                       "(expected %zu)",
                       t->path, item->tensor.name, item->begin, at);
        at = item->end;
    }
    if (at != n)
        return BAD("%s: the data have %zu bytes (expected %zu)", t->path, n,
                   at);
    return AKIN_OK;
}

/* Point at the data, or at a copy where others did not align them. */
static akin_status place(ak_item *item, akin_ctx *ctx,
                         const unsigned char *data)
{
    const size_t n = item->end - item->begin;
    item->tensor.data = data + item->begin;
    if ((uintptr_t)item->tensor.data % ak_dtype_size(item->tensor.dtype) == 0)
        return AKIN_OK;
    const akin_status st = ak_alloc(ctx, (int64_t)n, 1, &item->copy);
    if (st != AKIN_OK)
        return st;
    memcpy(item->copy, item->tensor.data, n);
    item->tensor.data = item->copy;
    return AKIN_OK;
}

static akin_status take_tensors(ak_tensors *t, akin_ctx *ctx, json_t *root,
                                const unsigned char *data, size_t n)
{
    const char *key;
    json_t *value;
    akin_status st = AKIN_OK;
    json_object_foreach(root, key, value)
    {
        ak_item item = {.tensor = {.name = key}};
        if (strcmp(key, "__metadata__") == 0)
            continue;
        AK_TRY(take_entry(&item, ctx, t->path, value, n));
        AK_TRY(ak_tensors_append(t, ctx, item));
    }
    AK_TRY(check_places(t, ctx, n));
    for (int64_t i = 0; i < t->n_items; ++i)
        AK_TRY(place(&t->items[i], ctx, data));
done:
    return st;
}

/* Where it is ours: of a version that we know? */
static akin_status check_version(const ak_tensors *t, akin_ctx *ctx)
{
    int64_t version;
    if (!ak_tensors_is_ours(t))
        return AKIN_OK;
    const akin_status st =
        ak_tensors_need_i64(t, ctx, "format_version", &version);
    if (st == AKIN_OK && (version < 1 || version > AK_FORMAT_VERSION))
        return BAD("%s: format version %" PRId64 " is not known (expected 1 to "
                   "%d)",
                   t->path, version, AK_FORMAT_VERSION);
    return st;
}

/* Fill `t` from the bytes of a file; the data of `later` are not looked at. */
static akin_status fill(ak_tensors *t, akin_ctx *ctx, const char *path,
                        const unsigned char *data, size_t n, const char *later)
{
    const unsigned char *begin = data;
    json_t *root = NULL, *meta;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_set_path(t, ctx, path));
    AK_TRY(load_header(&root, ctx, path, &data, &n));
    t->data_at = data - begin;
    meta = json_object_get(root, "__metadata__");
    AK_TRY(take_notes(t, ctx, meta));
    AK_TRY(check_version(t, ctx));
    AK_TRY(take_tensors(t, ctx, root, data, n));
    AK_TRY(ak_checksums_check(t, ctx, meta, later));
done:
    json_decref(root);
    return st;
}

akin_status ak_tensors_parse(ak_tensors **out, akin_ctx *ctx, const char *path,
                             const void *bytes, size_t n)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(fill(t, ctx, path, bytes, n, NULL));
    *out = t;
    t = NULL;
done:
    ak_tensors_free(t);
    return st;
}

/* Map the file, or read what cannot be mapped: a pipe, an empty file. */
static akin_status open_bytes(ak_tensors *t, akin_ctx *ctx, const char *path,
                              const void **bytes, size_t *n)
{
    struct stat s;
    const bool is_stdin = strcmp(path, "-") == 0;
    const int fd = is_stdin ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    void *map = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0)
        map = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (map == MAP_FAILED) {
        const akin_status st = ak_file_read(ctx, path, &t->bytes, n);
        *bytes = t->bytes;
        return st;
    }
    t->map = map;
    *n = t->map_size = (size_t)s.st_size;
    *bytes = map;
    return AKIN_OK;
}

akin_status ak_tensors_read_lazily(ak_tensors **out, akin_ctx *ctx,
                                   const char *path, const char *later)
{
    ak_tensors *t = NULL;
    const void *bytes;
    size_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(open_bytes(t, ctx, path, &bytes, &n));
    AK_TRY(fill(t, ctx, path, bytes, n, later));
    *out = t;
    t = NULL;
done:
    ak_tensors_free(t);
    return st;
}

akin_status ak_tensors_read(ak_tensors **out, akin_ctx *ctx, const char *path)
{
    return ak_tensors_read_lazily(out, ctx, path, NULL);
}
