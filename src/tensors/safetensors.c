/* Safetensors files: checksums, reading, writing. Everything that is read is
 * checked before anyone sees it. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "tensors/set.h"

enum {
    HEADER_MOST = 100000000,  // the limit of the format's own library
    DATA_ALIGN = 64,
    SHAPE_TEXT = 112,
};

#define BAD(...) ak_fail(ctx, AKIN_EFORMAT, __VA_ARGS__)

/* ---- checksums ----
 *
 * "xxh3.NAME" for the data of each tensor, and "xxh3" for the rest, that is
 * the notes and the names, types and shapes of the tensors. The latter is a
 * sum, so that other programs may reorder the header. */

static bool is_checksum(const char *key)
{
    return strncmp(key, "xxh3", 4) == 0 && (key[4] == '.' || key[4] == '\0');
}

bool ak_note_is_reserved(const char *key)
{
    return strcmp(key, "format") == 0 || strcmp(key, "format_version") == 0 ||
           strcmp(key, "akin_version") == 0 || is_checksum(key);
}

static akin_status checksum_key(akin_ctx *ctx, const char *name, char **key)
{
    const size_t size = strlen(name) + sizeof "xxh3.";
    AK_CHECK(ak_scratch(ctx, (int64_t)size, 1, key));
    snprintf(*key, size, "xxh3.%s", name);
    return AKIN_OK;
}

static uint64_t data_checksum(const ak_tensor *t)
{
    size_t bytes = 0;
    ak_tensor_bytes(t, &bytes);
    return XXH3_64bits(t->data, bytes);
}

uint32_t ak_checksum_part(const void *data, size_t bytes)
{
    return (uint32_t)XXH3_64bits(data, bytes);
}

static uint64_t note_checksum(const char *key, const char *value)
{
    return XXH3_64bits_withSeed(value, strlen(value),
                                XXH3_64bits(key, strlen(key)));
}

static uint64_t shape_checksum(const ak_tensor *t)
{
    char text[SHAPE_TEXT];
    int at = snprintf(text, sizeof text, "%s", ak_dtype_name(t->dtype));
    for (int64_t i = 0; i < t->n_dims; ++i)
        at += snprintf(text + at, sizeof text - (size_t)at, ",%" PRId64,
                       t->shape[i]);
    return note_checksum(t->name, text);
}

/* Fuzzers have no way to make a checksum right; they look behind it. */
static bool accept(bool right)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    (void)right;
    return true;
#else
    return right;
#endif
}

/* 16 digits as they are written. */
static bool take_sum(const json_t *text, uint64_t *sum)
{
    const char *value = json_string_value(text);
    char hex[20];
    if (value == NULL)
        return false;
    *sum = strtoull(value, NULL, 16);
    snprintf(hex, sizeof hex, "%016" PRIx64, *sum);
    return strcmp(value, hex) == 0;
}

static bool is_right(const ak_item *item)
{
    return item->unread || item->sum == data_checksum(&item->tensor);
}

static akin_status bad_tensor(const ak_tensors *t, akin_ctx *ctx,
                              const ak_item *item)
{
    return BAD("%s: tensor '%s' does not match its checksum", t->path,
               item->tensor.name);
}

static akin_status check_item(const ak_tensors *t, akin_ctx *ctx,
                              const json_t *meta, ak_item *item)
{
    char *key;
    AK_CHECK(checksum_key(ctx, item->tensor.name, &key));
    const bool known = take_sum(json_object_get(meta, key), &item->sum);
    if (!accept(known && is_right(item)))
        AK_CHECK(bad_tensor(t, ctx, item));
    return AKIN_OK;
}

/* Of ours, or with a checksum: then all of them are looked at, so that the
 * word that says whose it is cannot switch them off. */
static bool has_sums(const ak_tensors *t, json_t *meta)
{
    const char *key;
    json_t *value;
    bool has = ak_tensors_is_ours(t);
    json_object_foreach(meta, key, value) has = has || is_checksum(key);
    return has;
}

/* Is the name in a list that ends with NULL? */
static bool is_listed(const char *const *names, const char *name)
{
    while (names != NULL && *names != NULL)
        if (strcmp(*names++, name) == 0)
            return true;
    return false;
}

/* EFORMAT unless all checksums in the header of a file match, where there must
 * be some; the data of `later` are not looked at. */
static akin_status check_checksums(ak_tensors *t, akin_ctx *ctx, json_t *meta,
                                   const char *const *later)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    uint64_t sum = 0, wanted = 0;
    akin_status st = AKIN_OK;
    if (!has_sums(t, meta))
        goto done;
    for (int64_t i = 0; i < t->n_notes; ++i)
        sum += note_checksum(t->notes[i].key, t->notes[i].value);
    for (int64_t i = 0; i < t->n_items; ++i) {
        ak_item *item = &t->items[i];
        item->unread = is_listed(later, item->tensor.name);
        AK_TRY(check_item(t, ctx, meta, item));
        sum += shape_checksum(&item->tensor);
    }
    if (!accept(take_sum(json_object_get(meta, "xxh3"), &wanted) &&
                sum == wanted))
        AK_TRY(BAD("%s: the header does not match its checksum", t->path));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- reading ---- */

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
    if (length > HEADER_MOST)
        return BAD("%s: not a safetensors file", path);
    if (length > *n)
        return BAD("%s: truncated, or not a safetensors file (its header "
                   "would have %" PRIu64 " bytes, and %zu follow)",
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
    if (meta != NULL && !json_is_object(meta))
        return BAD("%s: __metadata__ is not an object", t->path);
    json_object_foreach(meta, key, value)
    {
        if (!json_is_string(value))
            return BAD("%s: note '%s' is not a string", t->path, key);
        if (!is_checksum(key))
            AK_CHECK(
                ak_tensors_append_note(t, ctx, key, json_string_value(value)));
    }
    return AKIN_OK;
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
    AK_CHECK(take_dtype(item, ctx, path, entry));
    x->n_dims =
        numbers(json_object_get(entry, "shape"), AK_TENSOR_DIMS, x->shape);
    if (x->n_dims < 0)
        return BAD("%s: the shape of tensor '%s' is not a list of up to %d "
                   "whole numbers",
                   path, x->name, AK_TENSOR_DIMS);
    if (numbers(json_object_get(entry, "data_offsets"), 2, offsets) != 2 ||
        offsets[0] > offsets[1])
        return BAD("%s: the data_offsets of tensor '%s' are not two "
                   "increasing numbers",
                   path, x->name);
    if ((uint64_t)offsets[1] > n)
        return BAD("%s: truncated: tensor '%s' ends at byte %" PRId64
                   " of the data, which has %zu",
                   path, x->name, offsets[1], n);
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
    AK_CHECK(ak_alloc(ctx, (int64_t)n, 1, &item->copy));
    memcpy(item->copy, item->tensor.data, n);
    item->tensor.data = item->copy;
    return AKIN_OK;
}

static akin_status take_tensors(ak_tensors *t, akin_ctx *ctx, json_t *root,
                                const unsigned char *data, size_t n)
{
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value)
    {
        ak_item item = {.tensor = {.name = key}};
        if (strcmp(key, "__metadata__") == 0)
            continue;
        AK_CHECK(take_entry(&item, ctx, t->path, value, n));
        AK_CHECK(ak_tensors_append(t, ctx, item));
    }
    AK_CHECK(check_places(t, ctx, n));
    for (int64_t i = 0; i < t->n_items; ++i)
        AK_CHECK(place(&t->items[i], ctx, data));
    return AKIN_OK;
}

/* Where it is ours: of a version that we know? */
static akin_status check_version(const ak_tensors *t, akin_ctx *ctx)
{
    int64_t version;
    if (!ak_tensors_is_ours(t))
        return AKIN_OK;
    AK_CHECK(ak_tensors_need_i64(t, ctx, "format_version", &version));
    if ((version < 1 || version > AK_FORMAT_VERSION))
        return BAD("%s: format version %" PRId64 " is not known (expected 1 to "
                   "%d)",
                   t->path, version, AK_FORMAT_VERSION);
    return AKIN_OK;
}

/* Fill `t` from the bytes of a file; the data of `later` are not looked at. */
static akin_status fill(ak_tensors *t, akin_ctx *ctx, const char *path,
                        const unsigned char *data, size_t n,
                        const char *const *later)
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
    AK_TRY(check_checksums(t, ctx, meta, later));
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

akin_status ak_tensors_parse_copy(ak_tensors **out, akin_ctx *ctx,
                                  const char *path, const void *bytes, size_t n)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    if (n > INT64_MAX)
        AK_TRY(ak_nomem(ctx, n));
    AK_TRY(ak_alloc(ctx, (int64_t)n, 1, &t->bytes));
    if (n > 0)
        memcpy(t->bytes, bytes, n);
    AK_TRY(fill(t, ctx, path, (const unsigned char *)t->bytes, n, NULL));
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
    if (strcmp(path, "-") == 0 || !ak_mapping_open(&t->file, path)) {
        const akin_status st = ak_file_read(ctx, path, &t->bytes, n);
        *bytes = t->bytes;
        return st;
    }
    *bytes = t->file.bytes;
    *n = t->file.n;
    return AKIN_OK;
}

akin_status ak_tensors_read_lazily(ak_tensors **out, akin_ctx *ctx,
                                   const char *path, const char *const *later)
{
    ak_tensors *t = NULL;
    const void *bytes;
    size_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(open_bytes(t, ctx, path, &bytes, &n));
    AK_TRY(fill(t, ctx, path, bytes, n, later));
    AK_TRY(ak_tensors_check_file(t, ctx));
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

akin_status ak_tensors_check_file(const ak_tensors *t, akin_ctx *ctx)
{
    return t ? ak_mapping_check(&t->file, ctx, t->path) : AKIN_OK;
}

/* The tensor is the first thing in its item. */
static const ak_item *find_item(const ak_tensors *t, const char *name)
{
    return (const ak_item *)(const void *)ak_tensors_find(t, name);
}

akin_status ak_tensors_settle(const ak_tensors *t, akin_ctx *ctx,
                              const char *name)
{
    const ak_item *item = find_item(t, name);
    const bool waits = item != NULL && item->unread;
    if (waits && !accept(item->sum == data_checksum(&item->tensor)))
        return bad_tensor(t, ctx, item);
    return AKIN_OK;
}

int64_t ak_tensors_byte(const ak_tensors *t, const char *name)
{
    const ak_item *item = find_item(t, name);
    return item ? t->data_at + (int64_t)item->begin : 0;
}

/* ---- writing ----
 *
 * The format allows no holes between tensors, so those with the largest
 * elements come first: with the data at a multiple of 64 bytes, every tensor
 * is then aligned for its type. */

/* jansson keeps the order of insertion, and refuses what is not UTF-8. */
static akin_status set(akin_ctx *ctx, json_t *object, const char *key,
                       json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "'%s' cannot be written (expected UTF-8)", key);
    return AKIN_OK;
}

static akin_status set_note(akin_ctx *ctx, json_t *meta, const char *key,
                            const char *value, uint64_t *sum)
{
    *sum += note_checksum(key, value);
    return set(ctx, meta, key, json_string(value));
}

static akin_status set_checksum(akin_ctx *ctx, json_t *meta, const ak_tensor *x)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    char *key;
    akin_status st = AKIN_OK;
    AK_TRY(checksum_key(ctx, x->name, &key));
    AK_TRY(set(ctx, meta, key, json_sprintf("%016" PRIx64, data_checksum(x))));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status fill_meta(const ak_tensors *t, akin_ctx *ctx,
                             const ak_item *items, json_t *meta)
{
    char version[16];
    uint64_t sum = 0;
    snprintf(version, sizeof version, "%d", t->version);
    AK_CHECK(set_note(ctx, meta, "format", "akin", &sum));
    AK_CHECK(set_note(ctx, meta, "format_version", version, &sum));
    AK_CHECK(set_note(ctx, meta, "akin_version", akin_version(), &sum));
    for (int64_t i = 0; i < t->n_notes; ++i)
        if (!ak_note_is_reserved(t->notes[i].key))
            AK_CHECK(
                set_note(ctx, meta, t->notes[i].key, t->notes[i].value, &sum));
    for (int64_t i = 0; i < t->n_items; ++i) {
        AK_CHECK(set_checksum(ctx, meta, &items[i].tensor));
        sum += shape_checksum(&items[i].tensor);
    }
    return set(ctx, meta, "xxh3", json_sprintf("%016" PRIx64, sum));
}

/* The items in the order of the file, with their places in it. */
static void lay_out(const ak_tensors *t, ak_item *items)
{
    int64_t n = 0;
    size_t at = 0;
    for (size_t size = 8; size > 0; size /= 2)
        for (int64_t i = 0; i < t->n_items; ++i) {
            ak_item item = t->items[i];
            size_t bytes = 0;
            if (ak_dtype_size(item.tensor.dtype) != size)
                continue;
            ak_tensor_bytes(&item.tensor, &bytes);
            item.begin = at;
            item.end = at += bytes;
            items[n++] = item;
        }
}

static json_t *describe(const ak_item *item)
{
    const ak_tensor *x = &item->tensor;
    json_t *shape = json_array();
    for (int64_t i = 0; i < x->n_dims; ++i)
        if (json_array_append_new(shape, json_integer(x->shape[i])) != 0) {
            json_decref(shape);
            return NULL;
        }
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", ak_dtype_name(x->dtype),
                     "shape", shape, "data_offsets", (json_int_t)item->begin,
                     (json_int_t)item->end);
}

/* The header as text, from malloc. */
static akin_status header(const ak_tensors *t, akin_ctx *ctx,
                          const ak_item *items, char **text)
{
    json_t *root = json_object(), *meta = json_object();
    akin_status st = AKIN_OK;
    AK_TRY(fill_meta(t, ctx, items, meta));
    AK_TRY(set(ctx, root, "__metadata__", json_incref(meta)));
    for (int64_t i = 0; i < t->n_items; ++i)
        AK_TRY(set(ctx, root, items[i].tensor.name, describe(&items[i])));
    *text = json_dumps(root, JSON_COMPACT);
    if (*text == NULL)
        AK_TRY(ak_nomem(ctx, 0));
done:
    json_decref(meta);
    json_decref(root);
    return st;
}

/* Where the bytes go: a file, or memory that has room for all of them. */
typedef struct sink {
    ak_writer *file;
    unsigned char *at;
} sink;

static akin_status sink_put(sink *to, akin_ctx *ctx, const void *bytes,
                            size_t n)
{
    if (to->file != NULL)
        return ak_writer_put(to->file, ctx, bytes, n);
    if (n > 0)
        memcpy(to->at, bytes, n);
    to->at += n;
    return AKIN_OK;
}

/* Spaces behind the header, so that the data are aligned. */
static size_t padding(size_t header_length)
{
    return (DATA_ALIGN - (8 + header_length) % DATA_ALIGN) % DATA_ALIGN;
}

static akin_status put_all(sink *to, akin_ctx *ctx, const char *text,
                           const ak_item *items, int64_t n_items)
{
    static const char spaces[DATA_ALIGN + 1] =
        "                                                                ";
    const size_t n = strlen(text), pad = padding(n);
    const uint64_t length = n + pad;
    AK_CHECK(sink_put(to, ctx, &length, sizeof length));
    AK_CHECK(sink_put(to, ctx, text, n));
    AK_CHECK(sink_put(to, ctx, spaces, pad));
    for (int64_t i = 0; i < n_items; ++i)
        AK_CHECK(sink_put(to, ctx, items[i].tensor.data,
                          items[i].end - items[i].begin));
    return AKIN_OK;
}

/* The header, from malloc, and the items in the order of the file, from
 * scratch. */
static akin_status plan(const ak_tensors *t, akin_ctx *ctx, ak_item **items,
                        char **text)
{
    AK_CHECK(AK_SCRATCH(ctx, t->n_items, items));
    lay_out(t, *items);
    return header(t, ctx, *items, text);
}

akin_status ak_tensors_write(const ak_tensors *t, akin_ctx *ctx,
                             const char *path)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_item *items;
    char *text = NULL;
    sink to = {NULL, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(plan(t, ctx, &items, &text));
    AK_TRY(ak_writer_open(&to.file, ctx, path));
    AK_TRY(put_all(&to, ctx, text, items, t->n_items));
done:
    free(text);
    ak_scratch_end(ctx, mark);
    return ak_writer_close(to.file, ctx, st);
}

akin_status ak_tensors_write_memory(const ak_tensors *t, akin_ctx *ctx,
                                    uint8_t **bytes, size_t *n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_item *items;
    char *text = NULL;
    sink to = {NULL, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(plan(t, ctx, &items, &text));
    const size_t head = 8 + strlen(text) + padding(strlen(text));
    const size_t size = head + (t->n_items > 0 ? items[t->n_items - 1].end : 0);
    AK_TRY(ak_alloc(ctx, (int64_t)size, 1, &to.at));
    *bytes = to.at;
    *n = size;
    st = put_all(&to, ctx, text, items, t->n_items);
done:
    free(text);
    ak_scratch_end(ctx, mark);
    return st;
}
