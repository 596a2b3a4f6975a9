/* Whether a file that was read is what its checksums say. */
#include <stdlib.h>
#include <string.h>

#include "tensors/set.h"

#define BAD(...) ak_fail(ctx, AKIN_EFORMAT, __VA_ARGS__)

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
    return item->unread || item->sum == ak_checksum_data(&item->tensor);
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
    akin_status st = AKIN_OK;
    AK_TRY(ak_checksum_key(ctx, item->tensor.name, &key));
    const bool known = take_sum(json_object_get(meta, key), &item->sum);
    if (!accept(known && is_right(item)))
        AK_TRY(bad_tensor(t, ctx, item));
done:
    return st;
}

/* Of ours, or with a checksum: then all of them are looked at, so that the
 * word that says whose it is cannot switch them off. */
static bool has_sums(const ak_tensors *t, json_t *meta)
{
    const char *key;
    json_t *value;
    bool has = ak_tensors_is_ours(t);
    json_object_foreach(meta, key, value) has = has || ak_note_is_checksum(key);
    return has;
}

akin_status ak_checksums_check(ak_tensors *t, akin_ctx *ctx, json_t *meta,
                               const char *later)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    uint64_t sum = 0, wanted = 0;
    akin_status st = AKIN_OK;
    if (!has_sums(t, meta))
        goto done;
    for (int64_t i = 0; i < t->n_notes; ++i)
        sum += ak_checksum_note(t->notes[i].key, t->notes[i].value);
    for (int64_t i = 0; i < t->n_items; ++i) {
        ak_item *item = &t->items[i];
        item->unread = later && strcmp(item->tensor.name, later) == 0;
        AK_TRY(check_item(t, ctx, meta, item));
        sum += ak_checksum_shape(&item->tensor);
    }
    if (!accept(take_sum(json_object_get(meta, "xxh3"), &wanted) &&
                sum == wanted))
        AK_TRY(BAD("%s: the header does not match its checksum", t->path));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* The tensor is the first thing in its item. */
static const ak_item *find(const ak_tensors *t, const char *name)
{
    return (const ak_item *)(const void *)ak_tensors_find(t, name);
}

akin_status ak_tensors_settle(const ak_tensors *t, akin_ctx *ctx,
                              const char *name)
{
    const ak_item *item = find(t, name);
    const bool waits = item != NULL && item->unread;
    if (waits && !accept(item->sum == ak_checksum_data(&item->tensor)))
        return bad_tensor(t, ctx, item);
    return AKIN_OK;
}

int64_t ak_tensors_byte(const ak_tensors *t, const char *name)
{
    const ak_item *item = find(t, name);
    return item ? t->data_at + (int64_t)item->begin : 0;
}
