#include <string.h>
#include <xxhash.h>

#include "data/captions/bags.h"

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
