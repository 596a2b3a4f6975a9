/* A set of named arrays: putting in and looking up. */
#include "tensors/tensors.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

#include "tensors/set.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "files are little-endian and used as they lie in memory");

static const struct {
    const char *name;
    size_t size;
} dtypes[AK_DTYPE_COUNT] = {
    [AK_DTYPE_U8] = {"U8", 1},   [AK_DTYPE_I32] = {"I32", 4},
    [AK_DTYPE_I64] = {"I64", 8}, [AK_DTYPE_F32] = {"F32", 4},
    [AK_DTYPE_F64] = {"F64", 8},
};

size_t ak_dtype_size(ak_dtype dtype)
{
    return dtypes[dtype].size;
}

const char *ak_dtype_name(ak_dtype dtype)
{
    return dtypes[dtype].name;
}

ak_dtype ak_dtype_find(const char *name)
{
    int i = 0;
    while (i < AK_DTYPE_COUNT && strcmp(dtypes[i].name, name) != 0)
        ++i;
    return (ak_dtype)i;
}

bool ak_tensor_bytes(const ak_tensor *t, size_t *bytes)
{
    size_t n = ak_dtype_size(t->dtype);
    for (int64_t i = 0; i < t->n_dims; ++i)
        if (t->shape[i] < 0 || !ak_mul_size(n, (size_t)t->shape[i], &n))
            return false;
    *bytes = n;
    return n <= PTRDIFF_MAX;
}

akin_status ak_tensors_new(ak_tensors **out, akin_ctx *ctx)
{
    ak_tensors *t;
    const akin_status st = AK_NEW(ctx, 1, &t);
    if (st != AKIN_OK)
        return st;
    t->version = 1;
    *out = t;
    return AKIN_OK;
}

void ak_tensors_demand(ak_tensors *t, int version)
{
    if (t->version < version)
        t->version = version;
}

void ak_tensors_free(ak_tensors *t)
{
    if (t == NULL)
        return;
    for (int64_t i = 0; i < t->n_items; ++i) {
        akin_free((void *)t->items[i].tensor.name);
        akin_free((void *)t->items[i].copy);
    }
    for (int64_t i = 0; i < t->n_notes; ++i) {
        akin_free((void *)t->notes[i].key);
        akin_free((void *)t->notes[i].value);
    }
    if (t->map != NULL)
        munmap(t->map, t->map_size);
    akin_free((void *)t->items);
    akin_free((void *)t->notes);
    akin_free((void *)t->path);
    akin_free((void *)t->bytes);
    akin_free((void *)t);
}

akin_status ak_tensors_append(ak_tensors *t, akin_ctx *ctx, ak_item item)
{
    char *name;
    akin_status st = AKIN_OK;
    if (t->n_items == t->room_items) {
        const int64_t room = 2 * t->room_items + 8;
        AK_TRY(ak_resize(ctx, room, sizeof *t->items, &t->items));
        t->room_items = room;
    }
    AK_TRY(ak_strdup(ctx, item.tensor.name, &name));
    item.tensor.name = name;
    t->items[t->n_items++] = item;
done:
    return st;
}

static akin_status put(ak_tensors *t, akin_ctx *ctx, ak_tensor tensor,
                       void *copy)
{
    if (strcmp(tensor.name, "__metadata__") == 0 ||
        ak_tensors_find(t, tensor.name) != NULL)
        return ak_fail(ctx, AKIN_EINVAL, "tensor '%s' is there already",
                       tensor.name);
    return ak_tensors_append(t, ctx, (ak_item){.tensor = tensor, .copy = copy});
}

akin_status ak_tensors_put(ak_tensors *t, akin_ctx *ctx, ak_tensor tensor)
{
    return put(t, ctx, tensor, NULL);
}

akin_status ak_tensors_put_copy(ak_tensors *t, akin_ctx *ctx, ak_tensor tensor)
{
    size_t bytes = 0;
    void *copy = NULL;
    akin_status st = AKIN_OK;
    if (!ak_tensor_bytes(&tensor, &bytes))
        return ak_nomem(ctx, SIZE_MAX);
    AK_TRY(ak_alloc(ctx, (int64_t)bytes, 1, &copy));
    if (bytes > 0)
        memcpy(copy, tensor.data, bytes);
    tensor.data = copy;
    AK_TRY(put(t, ctx, tensor, copy));
    copy = NULL;
done:
    akin_free(copy);
    return st;
}

akin_status ak_tensors_put_vector(ak_tensors *t, akin_ctx *ctx,
                                  const char *name, ak_dtype dtype, int64_t n,
                                  const void *data)
{
    return ak_tensors_put(t, ctx, (ak_tensor){name, dtype, 1, {n}, data});
}

const char *ak_tensors_path(const ak_tensors *t)
{
    return t->path ? t->path : "";
}

akin_status ak_tensors_set_path(ak_tensors *t, akin_ctx *ctx, const char *path)
{
    char *copy;
    const akin_status st = ak_strdup(ctx, path, &copy);
    if (st != AKIN_OK)
        return st;
    akin_free((void *)t->path);
    t->path = copy;
    return AKIN_OK;
}

int64_t ak_tensors_count(const ak_tensors *t)
{
    return t->n_items;
}

const ak_tensor *ak_tensors_at(const ak_tensors *t, int64_t i)
{
    assert(i >= 0 && i < t->n_items);
    return &t->items[i].tensor;
}

const ak_tensor *ak_tensors_find(const ak_tensors *t, const char *name)
{
    for (int64_t i = 0; i < t->n_items; ++i)
        if (strcmp(t->items[i].tensor.name, name) == 0)
            return &t->items[i].tensor;
    return NULL;
}

akin_status ak_tensors_need(const ak_tensors *t, akin_ctx *ctx,
                            const char *name, ak_dtype dtype, int64_t n_dims,
                            const ak_tensor **out)
{
    const char *path = ak_tensors_path(t);
    const ak_tensor *found = ak_tensors_find(t, name);
    if (found == NULL)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: there is no tensor '%s'", path,
                       name);
    if (found->dtype != dtype)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: tensor '%s' is %s (expected %s)",
                       path, name, ak_dtype_name(found->dtype),
                       ak_dtype_name(dtype));
    if (found->n_dims != n_dims)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: tensor '%s' has %" PRId64
                       " dimensions (expected %" PRId64 ")",
                       path, name, found->n_dims, n_dims);
    *out = found;
    return AKIN_OK;
}
