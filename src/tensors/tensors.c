/* A set of named arrays and notes in memory. */
#include "tensors/tensors.h"

#include <assert.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "tensors/set.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "files are little-endian and used as they are in memory");

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
    AK_CHECK(AK_NEW(ctx, 1, &t));
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
    ak_mapping_close(&t->file);
    akin_free((void *)t->items);
    akin_free((void *)t->notes);
    akin_free((void *)t->path);
    akin_free((void *)t->bytes);
    akin_free((void *)t);
}

akin_status ak_tensors_append(ak_tensors *t, akin_ctx *ctx, ak_item item)
{
    char *name;
    AK_CHECK(ak_grow(ctx, t->n_items + 1, &t->room_items, sizeof *t->items,
                     &t->items));
    AK_CHECK(ak_strdup(ctx, item.tensor.name, &name));
    item.tensor.name = name;
    t->items[t->n_items++] = item;
    return AKIN_OK;
}

static akin_status put(ak_tensors *t, akin_ctx *ctx, ak_tensor tensor,
                       void *copy)
{
    if (strcmp(tensor.name, "__metadata__") == 0 ||
        ak_tensors_find(t, tensor.name) != NULL)
        return ak_fail(ctx, AKIN_EINVAL, "tensor '%s' exists already",
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
    AK_CHECK(ak_strdup(ctx, path, &copy));
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

/* ---- notes: strings by key, and numbers in them ---- */

static ak_note *find_note(const ak_tensors *t, const char *key)
{
    for (int64_t i = 0; i < t->n_notes; ++i)
        if (strcmp(t->notes[i].key, key) == 0)
            return &t->notes[i];
    return NULL;
}

akin_status ak_tensors_append_note(ak_tensors *t, akin_ctx *ctx,
                                   const char *key, const char *value)
{
    ak_note note = {NULL, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(ak_grow(ctx, t->n_notes + 1, &t->room_notes, sizeof *t->notes,
                   &t->notes));
    AK_TRY(ak_strdup(ctx, key, &note.key));
    AK_TRY(ak_strdup(ctx, value, &note.value));
    t->notes[t->n_notes++] = note;
    note = (ak_note){NULL, NULL};
done:
    akin_free(note.key);
    akin_free(note.value);
    return st;
}

akin_status ak_tensors_note(ak_tensors *t, akin_ctx *ctx, const char *key,
                            const char *value)
{
    ak_note *old = find_note(t, key);
    char *copy;
    if (ak_note_is_reserved(key))
        return ak_fail(ctx, AKIN_EINVAL, "a note cannot be called '%s'", key);
    if (old == NULL)
        return ak_tensors_append_note(t, ctx, key, value);
    AK_CHECK(ak_strdup(ctx, value, &copy));
    akin_free(old->value);
    old->value = copy;
    return AKIN_OK;
}

akin_status ak_tensors_note_i64(ak_tensors *t, akin_ctx *ctx, const char *key,
                                int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    return ak_tensors_note(t, ctx, key, text);
}

/* Swap the decimal point of the locale, if it is one byte, with ours. */
static void swap_point(char *text, char from, char to)
{
    char *at = strchr(text, from);
    if (at != NULL)
        *at = to;
}

akin_status ak_tensors_note_f64(ak_tensors *t, akin_ctx *ctx, const char *key,
                                double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    swap_point(text, *localeconv()->decimal_point, '.');
    return ak_tensors_note(t, ctx, key, text);
}

const char *ak_tensors_get_note(const ak_tensors *t, const char *key)
{
    const ak_note *note = find_note(t, key);
    return note ? note->value : NULL;
}

int64_t ak_tensors_note_count(const ak_tensors *t)
{
    return t->n_notes;
}

void ak_tensors_note_at(const ak_tensors *t, int64_t i, const char **key,
                        const char **value)
{
    *key = t->notes[i].key;
    *value = t->notes[i].value;
}

bool ak_tensors_is_ours(const ak_tensors *t)
{
    const char *format = ak_tensors_get_note(t, "format");
    return format != NULL && strcmp(format, "akin") == 0;
}

akin_status ak_tensors_need_ours(const ak_tensors *t, akin_ctx *ctx)
{
    if (ak_tensors_is_ours(t))
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: not a file of akin's (its note 'format' is not "
                   "'akin')",
                   ak_tensors_path(t));
}

static akin_status not_a_number(const ak_tensors *t, akin_ctx *ctx,
                                const char *key, const char *value)
{
    if (value == NULL)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: there is no note '%s'",
                       ak_tensors_path(t), key);
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: note '%s' is '%.40s' (expected a number)",
                   ak_tensors_path(t), key, value);
}

akin_status ak_tensors_need_i64(const ak_tensors *t, akin_ctx *ctx,
                                const char *key, int64_t *value)
{
    const char *text = ak_tensors_get_note(t, key);
    char back[32];
    if (text == NULL)
        return not_a_number(t, ctx, key, text);
    const int64_t number = strtoll(text, NULL, 10);
    snprintf(back, sizeof back, "%" PRId64, number);
    if (strcmp(text, back) != 0)  // signs, spaces and overflow with it
        return not_a_number(t, ctx, key, text);
    *value = number;
    return AKIN_OK;
}

akin_status ak_tensors_need_f64(const ak_tensors *t, akin_ctx *ctx,
                                const char *key, double *value)
{
    const char *text = ak_tensors_get_note(t, key);
    char copy[40], *end;
    if (text == NULL || text[0] == '\0' || strlen(text) >= sizeof copy)
        return not_a_number(t, ctx, key, text);
    strcpy(copy, text);
    swap_point(copy, '.', *localeconv()->decimal_point);
    const double number = strtod(copy, &end);
    if (*end != '\0')
        return not_a_number(t, ctx, key, text);
    *value = number;
    return AKIN_OK;
}

/* ---- sets inside of sets: names with a common prefix ---- */

/* PREFIX and NAME, from scratch. */
static akin_status prefixed(akin_ctx *ctx, const char *prefix, const char *name,
                            char **out)
{
    const size_t size = strlen(prefix) + strlen(name) + 1;
    AK_CHECK(ak_scratch(ctx, (int64_t)size, 1, out));
    snprintf(*out, size, "%s%s", prefix, name);
    return AKIN_OK;
}

akin_status ak_tensors_put_set(ak_tensors *t, akin_ctx *ctx, const char *prefix,
                               const ak_tensors *from)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    char *name;
    for (int64_t i = 0; i < from->n_items; ++i) {
        ak_tensor x = from->items[i].tensor;
        AK_TRY(prefixed(ctx, prefix, x.name, &name));
        x.name = name;
        AK_TRY(ak_tensors_put(t, ctx, x));
    }
    for (int64_t i = 0; i < from->n_notes; ++i) {
        AK_TRY(prefixed(ctx, prefix, from->notes[i].key, &name));
        AK_TRY(ak_tensors_note(t, ctx, name, from->notes[i].value));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status copy_set(ak_tensors *to, akin_ctx *ctx, const ak_tensors *t,
                            const char *prefix)
{
    const size_t n = strlen(prefix);
    AK_CHECK(ak_tensors_set_path(to, ctx, ak_tensors_path(t)));
    for (int64_t i = 0; i < t->n_items; ++i) {
        ak_tensor x = t->items[i].tensor;
        if (strncmp(x.name, prefix, n) != 0)
            continue;
        x.name += n;
        AK_CHECK(ak_tensors_put_copy(to, ctx, x));
    }
    for (int64_t i = 0; i < t->n_notes; ++i)
        if (strncmp(t->notes[i].key, prefix, n) == 0)
            AK_CHECK(ak_tensors_note(to, ctx, t->notes[i].key + n,
                                     t->notes[i].value));
    return AKIN_OK;
}

akin_status ak_tensors_take_set(ak_tensors **out, akin_ctx *ctx,
                                const ak_tensors *t, const char *prefix)
{
    ak_tensors *set = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&set, ctx));
    AK_TRY(copy_set(set, ctx, t, prefix));
    *out = NULL;
    if (set->n_items + set->n_notes > 0) {
        *out = set;
        set = NULL;
    }
done:
    ak_tensors_free(set);
    return st;
}

uint64_t ak_tensors_fingerprint(const ak_tensors *t)
{
    uint64_t h = 0;
    for (int64_t i = 0; i < ak_tensors_count(t); ++i) {
        const ak_tensor *x = ak_tensors_at(t, i);
        size_t bytes = ak_dtype_size(x->dtype);
        for (int64_t k = 0; k < x->n_dims; ++k)
            bytes *= (size_t)x->shape[k];
        h = XXH3_64bits_withSeed(x->name, strlen(x->name), h);
        h = XXH3_64bits_withSeed(x->data, bytes, h);
    }
    return h;
}
