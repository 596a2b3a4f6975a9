/* index/inverted/entries.h - the entries of a small index, ready to be added.
 *
 * To unpack a short column takes longer than to add it up. An index with few
 * postings that is searched again keeps its prepared entries x_ij, column by
 * column, and scores every row exactly in one pass. */
#ifndef AK_INDEX_INVERTED_ENTRIES_H
#define AK_INDEX_INVERTED_ENTRIES_H

#include <stdatomic.h>

#include "index/inverted/inverted.h"

typedef struct ak_entries {
    int64_t *at;    // n_terms + 1: where the entries of each begin
    int32_t *rows;  // which increase in a column
    float *values;  // x_ij
} ak_entries;

/* Made by the first search that finds it worth while; others may search at the
 * same time. */
struct ak_entries_once {
    _Atomic(ak_entries *) made;
    _Atomic int64_t asked;  // queries so far
};

akin_status ak_entries_new(ak_entries_once **out, akin_ctx *ctx);
/* The entries are others from now on. */
void ak_entries_reset(ak_entries_once *once);
void ak_entries_free(ak_entries_once *once);

/* The entries, before n more queries; *out is NULL where they do not pay.
 * AKIN_EFORMAT: the index is damaged. */
akin_status ak_entries_of(const ak_entries **out, akin_ctx *ctx,
                          const ak_inverted *v, int64_t n);

#endif
