/* index/inverted/forward.h - the columns of each row and their values.
 *
 * The entries of the postings once more, by row. A long query that has come
 * down to a few rows reads these instead of all its columns.
 *
 * A row begins with two words, the number n of its entries and the bits of a
 * gap plus 256 times those of a value. A stream of bits follows: n gaps to the
 * column before, less one, and n values, less one or as floats
 * (index/inverted/pack.h says which widths there are). */
#ifndef AK_INDEX_INVERTED_FORWARD_H
#define AK_INDEX_INVERTED_FORWARD_H

#include "index/inverted/postings.h"

typedef struct ak_forward {
    int64_t n;                // rows
    int64_t d;                // columns
    const int64_t *at;        // n + 1: where the words of each begin
    const uint32_t *words;    // at[n] and slack
    ak_block_checks *checks;  // of a file, a block per row; NULL: none
    void *own[2];             // arrays above to release
} ak_forward;

/* A row whose entries are unpacked in order. */
typedef struct ak_forward_row {
    int64_t n;  // entries
    unsigned gap_bits, value_bits;
    const uint32_t *bits;
    int64_t done;     // entries unpacked
    uint64_t column;  // one past the last of them
} ak_forward_row;

/* From postings with columns below d. */
akin_status ak_forward_make(ak_forward *f, akin_ctx *ctx, const ak_postings *p,
                            int64_t d);
void ak_forward_free(ak_forward *f);

/* Begin with row i; false: damaged. */
bool ak_forward_begin(const ak_forward *f, int64_t i, ak_forward_row *row);
/* The next columns, at most AK_PACK_BLOCK, which increase; *count 0: none are
 * left. false: damaged. */
bool ak_forward_next(const ak_forward *f, int64_t i, ak_forward_row *row,
                     uint32_t *columns, int64_t *count);
/* The value of entry k of the row. */
float ak_forward_value(const ak_forward_row *row, int64_t k);
/* Prefetch the beginning of row i. */
void ak_forward_fetch(const ak_forward *f, int64_t i);
/* The error after `false`: EFORMAT, with file and place. */
akin_status ak_forward_fail(const ak_forward *f, akin_ctx *ctx);

/* To and from tensors, for n rows of d columns; `take` borrows
 * the words from `t`. */
akin_status ak_forward_put(const ak_forward *f, akin_ctx *ctx, ak_tensors *t);
akin_status ak_forward_take(ak_forward *f, akin_ctx *ctx, const ak_tensors *t,
                            int64_t n, int64_t d);

#endif
