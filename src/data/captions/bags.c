#include "data/captions/bags.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

void ak_bags_free(ak_bags *bags)
{
    if (bags == NULL)
        return;
    for (int64_t i = 0; bags->photos && i < bags->n_photos; ++i)
        akin_free(bags->photos[i]);
    for (int64_t i = 0; bags->name_texts && i < bags->n_names; ++i)
        akin_free(bags->name_texts[i]);
    akin_free(bags->photos);
    akin_free(bags->name_texts);
    akin_free(bags->item_offsets);
    akin_free(bags->items);
    akin_free(bags->name_offsets);
    akin_free(bags->names);
    akin_free(bags);
}

static akin_status fill_anyone(ak_bags *b, akin_ctx *ctx, int64_t n, int64_t p,
                               const char *const *names)
{
    AK_CHECK(AK_NEW(ctx, n, &b->photos));
    b->n_photos = n;
    AK_CHECK(AK_NEW(ctx, p, &b->name_texts));
    b->n_names = p;
    AK_CHECK(AK_NEW(ctx, n + 1, &b->item_offsets));
    AK_CHECK(AK_NEW(ctx, n + 1, &b->name_offsets));
    AK_CHECK(AK_NEW(ctx, n, &b->items));
    AK_CHECK(ak_alloc(ctx, n, (size_t)p * sizeof *b->names, &b->names));
    for (int64_t q = 0; q < p; ++q)
        AK_CHECK(ak_strdup(ctx, names[q], &b->name_texts[q]));
    for (int64_t i = 0; i < n; ++i) {
        char text[32];
        snprintf(text, sizeof text, "%" PRId64, i);
        AK_CHECK(ak_strdup(ctx, text, &b->photos[i]));
        b->items[i] = i;
        b->item_offsets[i + 1] = i + 1;
        b->name_offsets[i + 1] = (i + 1) * p;
        for (int64_t q = 0; q < p; ++q)
            b->names[i * p + q] = (int32_t)q;
    }
    return AKIN_OK;
}

akin_status ak_bags_anyone(ak_bags **out, akin_ctx *ctx, int64_t n_rows,
                           int64_t n_names, const char *const *names)
{
    ak_bags *b = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &b));
    AK_TRY(fill_anyone(b, ctx, n_rows, n_names, names));
    *out = b;
    b = NULL;
done:
    ak_bags_free(b);
    return st;
}

/* Room for the photos that are wanted, and all names. */
static akin_status new_selection(ak_bags *to, akin_ctx *ctx,
                                 const ak_bags *from,
                                 const unsigned char *flags, int wanted)
{
    int64_t n = 0, n_items = 0, n_names = 0;
    for (int64_t i = 0; i < from->n_photos; ++i)
        if (flags[i] == wanted) {
            ++n;
            n_items += from->item_offsets[i + 1] - from->item_offsets[i];
            n_names += from->name_offsets[i + 1] - from->name_offsets[i];
        }
    AK_CHECK(AK_NEW(ctx, n, &to->photos));
    AK_CHECK(AK_NEW(ctx, n + 1, &to->item_offsets));
    AK_CHECK(AK_NEW(ctx, n + 1, &to->name_offsets));
    AK_CHECK(AK_NEW(ctx, n_items, &to->items));
    AK_CHECK(AK_NEW(ctx, n_names, &to->names));
    AK_CHECK(AK_NEW(ctx, from->n_names, &to->name_texts));
    for (; to->n_names < from->n_names; ++to->n_names)
        AK_CHECK(ak_strdup(ctx, from->name_texts[to->n_names],
                           &to->name_texts[to->n_names]));
    return AKIN_OK;
}

static akin_status copy_photo(ak_bags *to, akin_ctx *ctx, const ak_bags *from,
                              int64_t i)
{
    const int64_t n = to->n_photos;
    const int64_t item = from->item_offsets[i], name = from->name_offsets[i];
    const int64_t n_items = from->item_offsets[i + 1] - item;
    const int64_t n_names = from->name_offsets[i + 1] - name;
    AK_CHECK(ak_strdup(ctx, from->photos[i], &to->photos[n]));
    memcpy(to->items + to->item_offsets[n], from->items + item,
           (size_t)n_items * sizeof *to->items);
    memcpy(to->names + to->name_offsets[n], from->names + name,
           (size_t)n_names * sizeof *to->names);
    to->item_offsets[n + 1] = to->item_offsets[n] + n_items;
    to->name_offsets[n + 1] = to->name_offsets[n] + n_names;
    ++to->n_photos;
    return AKIN_OK;
}

akin_status ak_bags_select(ak_bags **out, akin_ctx *ctx, const ak_bags *bags,
                           const unsigned char *flags, int wanted)
{
    ak_bags *b = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(AK_NEW(ctx, 1, &b));
    AK_TRY(new_selection(b, ctx, bags, flags, wanted));
    for (int64_t i = 0; i < bags->n_photos; ++i)
        if (flags[i] == wanted)
            AK_TRY(copy_photo(b, ctx, bags, i));
    *out = b;
    b = NULL;
done:
    ak_bags_free(b);
    return st;
}

typedef struct part {
    const void *data;
    int64_t n;
    size_t size;
} part;

static uint64_t sum_of(uint64_t sum, part x)
{
    return x.data != NULL && x.n > 0
               ? XXH3_64bits_withSeed(x.data, (size_t)x.n * x.size, sum)
               : sum;
}

uint64_t ak_bags_checksum(const ak_bags *b, const akin_rows *rows)
{
    const int64_t m = b->n_photos, values = akin_rows_nonzeros(rows);
    const int64_t counts[] = {rows->n, rows->d, m, b->n_names};
    const part parts[] = {
        {counts, 4, sizeof *counts},
        {rows->vals, rows->offsets ? values : rows->n * rows->d,
         sizeof *rows->vals},
        {rows->cols, values, sizeof *rows->cols},
        {rows->offsets, rows->n + 1, sizeof *rows->offsets},
        {b->item_offsets, m + 1, sizeof *b->item_offsets},
        {b->items, b->item_offsets[m], sizeof *b->items},
        {b->name_offsets, m + 1, sizeof *b->name_offsets},
        {b->names, b->name_offsets[m], sizeof *b->names},
    };
    uint64_t sum = 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
        sum = sum_of(sum, parts[k]);
    for (int64_t q = 0; q < b->n_names; ++q)
        sum = sum_of(sum, (part){b->name_texts[q],
                                 (int64_t)strlen(b->name_texts[q]) + 1, 1});
    return sum;
}

uint64_t ak_bags_photo_checksum(const ak_bags *b, const akin_rows *rows,
                                int64_t photo)
{
    const int64_t items = b->item_offsets[photo + 1] - b->item_offsets[photo];
    const int64_t names = b->name_offsets[photo + 1] - b->name_offsets[photo];
    const int64_t counts[] = {items, names};
    uint64_t sum = sum_of(0, (part){counts, 2, sizeof *counts});
    sum = sum_of(sum, (part){b->photos[photo],
                             (int64_t)strlen(b->photos[photo]) + 1, 1});
    for (int64_t k = 0; k < items; ++k) {
        const int32_t *columns;
        const float *values;
        const int64_t n = akin_rows_row(&columns, &values, rows,
                                        b->items[b->item_offsets[photo] + k]);
        sum = sum_of(sum, (part){values, n, sizeof *values});
        sum = sum_of(sum, (part){columns, n, sizeof *columns});
    }
    for (int64_t k = 0; k < names; ++k) {
        const char *text = b->name_texts[b->names[b->name_offsets[photo] + k]];
        sum = sum_of(sum, (part){text, (int64_t)strlen(text) + 1, 1});
    }
    return sum;
}

/* ---- rare names ---------------------------------------------------------- */

/* The new number of each name, -1: too rare; the texts are kept in order. */
static void renumber(ak_bags *b, int64_t least, int32_t *counts)
{
    int32_t kept = 0;
    for (int64_t m = 0; m < b->name_offsets[b->n_photos]; ++m)
        ++counts[b->names[m]];
    for (int64_t q = 0; q < b->n_names; ++q) {
        char *text = b->name_texts[q];
        if (counts[q] >= least) {
            counts[q] = kept;
            b->name_texts[kept++] = text;
        } else {
            counts[q] = -1;
            akin_free(text);
        }
    }
    b->n_names = kept;
}

/* Moves what is kept of photo i behind the photos kept so far. */
static bool keep_photo(ak_bags *b, int64_t i, int64_t at,
                       const int32_t *numbers, int64_t faces, int64_t names,
                       int64_t end)
{
    const int64_t first = b->item_offsets[i],
                  n = b->item_offsets[i + 1] - first;
    int64_t kept = b->name_offsets[at];
    for (int64_t m = names; m < end; ++m)
        if (numbers[b->names[m]] >= 0)
            b->names[kept++] = numbers[b->names[m]];
    if (kept == b->name_offsets[at] && end > names)
        return false;
    memmove(b->items + faces, b->items + first, (size_t)n * sizeof *b->items);
    b->item_offsets[at + 1] = faces + n;
    b->name_offsets[at + 1] = kept;
    return true;
}

akin_status ak_bags_drop_rare(ak_bags *b, akin_ctx *ctx, int64_t least,
                              char ***dropped, int64_t *n_dropped)
{
    int32_t *numbers = NULL;
    int64_t kept = 0, names = 0;
    akin_status st = AKIN_OK;
    *dropped = NULL;
    *n_dropped = 0;
    AK_TRY(AK_NEW(ctx, b->n_names, &numbers));
    AK_TRY(AK_NEW(ctx, b->n_photos, dropped));
    renumber(b, least, numbers);
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t end = b->name_offsets[i + 1];
        char *photo = b->photos[i];
        if (keep_photo(b, i, kept, numbers, b->item_offsets[kept], names, end))
            b->photos[kept++] = photo;
        else
            (*dropped)[(*n_dropped)++] = photo;
        names = end;
    }
    b->n_photos = kept;
done:
    akin_free(numbers);
    return st;
}
