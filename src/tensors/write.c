/* Writing a set as a safetensors file.
 *
 * The format allows no holes between tensors, so those with the largest
 * elements come first: with the data at a multiple of 64 bytes, every tensor
 * is then aligned for its type. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tensors/set.h"

enum { DATA_ALIGN = 64 };

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
    *sum += ak_checksum_note(key, value);
    return set(ctx, meta, key, json_string(value));
}

static akin_status set_checksum(akin_ctx *ctx, json_t *meta, const ak_tensor *x)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    char *key;
    akin_status st = AKIN_OK;
    AK_TRY(ak_checksum_key(ctx, x->name, &key));
    AK_TRY(
        set(ctx, meta, key, json_sprintf("%016" PRIx64, ak_checksum_data(x))));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status fill_meta(const ak_tensors *t, akin_ctx *ctx,
                             const ak_item *items, json_t *meta)
{
    char version[16];
    uint64_t sum = 0;
    akin_status st = AKIN_OK;
    snprintf(version, sizeof version, "%d", t->version);
    AK_TRY(set_note(ctx, meta, "format", "akin", &sum));
    AK_TRY(set_note(ctx, meta, "format_version", version, &sum));
    AK_TRY(set_note(ctx, meta, "akin_version", akin_version(), &sum));
    for (int64_t i = 0; i < t->n_notes; ++i)
        if (!ak_note_is_reserved(t->notes[i].key))
            AK_TRY(
                set_note(ctx, meta, t->notes[i].key, t->notes[i].value, &sum));
    for (int64_t i = 0; i < t->n_items; ++i) {
        AK_TRY(set_checksum(ctx, meta, &items[i].tensor));
        sum += ak_checksum_shape(&items[i].tensor);
    }
    AK_TRY(set(ctx, meta, "xxh3", json_sprintf("%016" PRIx64, sum)));
done:
    return st;
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

static akin_status put_header(ak_writer *w, akin_ctx *ctx, const char *text)
{
    static const char spaces[DATA_ALIGN + 1] =
        "                                                                ";
    const size_t n = strlen(text);
    const size_t pad = (DATA_ALIGN - (8 + n) % DATA_ALIGN) % DATA_ALIGN;
    const uint64_t length = n + pad;
    akin_status st = AKIN_OK;
    AK_TRY(ak_writer_put(w, ctx, &length, sizeof length));
    AK_TRY(ak_writer_put(w, ctx, text, n));
    AK_TRY(ak_writer_put(w, ctx, spaces, pad));
done:
    return st;
}

akin_status ak_tensors_write(const ak_tensors *t, akin_ctx *ctx,
                             const char *path)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_item *items;
    char *text = NULL;
    ak_writer *w = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, t->n_items, &items));
    lay_out(t, items);
    AK_TRY(header(t, ctx, items, &text));
    AK_TRY(ak_writer_open(&w, ctx, path));
    AK_TRY(put_header(w, ctx, text));
    for (int64_t i = 0; i < t->n_items; ++i)
        AK_TRY(ak_writer_put(w, ctx, items[i].tensor.data,
                             items[i].end - items[i].begin));
    st = ak_writer_commit(w, ctx);
    w = NULL;
done:
    ak_writer_abort(w);
    free(text);
    ak_scratch_end(ctx, mark);
    return st;
}
