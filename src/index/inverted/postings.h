/* index/inverted/postings.h - for each column the rows that have it, and their
 * values.
 *
 * Columns without rows are left out. The rows of a column rise and are cut into
 * blocks of 128, the last one shorter. A block is its first row, the gaps to
 * the next ones and the values less one, bit-packed (index/inverted/pack.h);
 * where a value is no whole number from 1 to 2^24, the block has all of them as
 * floats. Arrays are own ones or lie in a mapped file. */
#ifndef AK_INDEX_INVERTED_POSTINGS_H
#define AK_INDEX_INVERTED_POSTINGS_H

#include "data/rows.h"
#include "index/inverted/checks.h"
#include "index/inverted/pack.h"
#include "tensors/tensors.h"

typedef struct ak_postings {
    int64_t n;              // rows
    int64_t n_terms;        // columns that there are
    int64_t n_blocks;       // of all columns
    int64_t n_words;        // of `words`, slack and all
    int64_t count;          // of postings
    bool plain;             // no value is negative, or below 1e-12
    const int32_t *terms;   // n_terms, rising
    const int64_t *blocks;  // n_terms + 1: first block of each
    const int32_t *counts;  // n_terms: rows of each
    const int32_t *first;   // n_blocks: first row
    const int64_t *at;      // n_blocks: where its words begin
    const uint8_t *bits;    // n_blocks x 2: of gaps and of values
    const uint32_t *words;  // n_words
    ak_checks *checks;      // of blocks in a file, NULL: all are right
    int32_t *guide;         // of ak_postings_term, always our own
    int shift;
    void *own[7];  // those of the arrays above that are to be released
    akin_allocator allocator;
} ak_postings;

/* A block, unpacked, in the order of vectors where it is full. */
typedef struct ak_posting_block {
    int64_t n;
    uint32_t last;  // row
    bool floats;    // else values are whole numbers less one
    uint32_t rows[AK_PACK_BLOCK];
    union {
        uint32_t less_one[AK_PACK_BLOCK];
        float value[AK_PACK_BLOCK];
    };
} ak_posting_block;

/* Sparse rows. With `keep`, only columns j with keep[j]. */
akin_status ak_postings_build(ak_postings *p, akin_ctx *ctx,
                              const akin_rows *rows, const unsigned char *keep);
/* The old ones without the rows flagged in `gone` (NULL: all), then those of
 * `more` (NULL: none), numbered from old->n on. */
akin_status ak_postings_merge(ak_postings *p, akin_ctx *ctx,
                              const ak_postings *old, const unsigned char *gone,
                              const akin_rows *more, const unsigned char *keep);
void ak_postings_free(ak_postings *p);

/* Where the words of block b end. */
static inline int64_t ak_postings_end(const ak_postings *p, int64_t b)
{
    return b + 1 < p->n_blocks ? p->at[b + 1] : p->n_words - AK_PACK_SLACK;
}
/* Compare block b of a file with its checksum. */
bool ak_postings_look(const ak_postings *p, int64_t b);
/* After false from any of these: EFORMAT, with the file and the place. */
akin_status ak_postings_fail(const ak_postings *p, akin_ctx *ctx);

/* Block b of term t; false: it is damaged. Rows below p->n are sure. */
bool ak_postings_block(const ak_postings *p, int64_t t, int64_t b,
                       ak_posting_block *out);
/* Its rows alone, and its values once the rows are there. */
bool ak_postings_rows(const ak_postings *p, int64_t t, int64_t b,
                      ak_posting_block *out);
bool ak_postings_values(const ak_postings *p, int64_t b, ak_posting_block *out);
/* Value number i, as it stands. */
static inline float ak_posting_value(const ak_posting_block *b, int64_t i)
{
    return b->floats ? b->value[i] : (float)(b->less_one[i] + 1);
}
/* Where number i of the rising rows stands. */
static inline int64_t ak_posting_place(const ak_posting_block *b, int64_t i)
{
    return b->n == AK_PACK_BLOCK ? AK_PACK_PLACE(i) : i;
}
/* Where a row stands, -1: it is not there. */
int64_t ak_posting_find(const ak_posting_block *b, uint32_t row);

/* The same for many columns, none of which waits for the memory of another:
 * call each step for all of them before the next; `t` are the terms. */
void ak_postings_fetch_column(const ak_postings *p, int64_t column, int step);
void ak_postings_fetch_term(const ak_postings *p, int64_t t, int step);
/* The words of a term: some terms before it is its turn. */
void ak_postings_fetch_words(const ak_postings *p, int64_t t);
/* Make that quick; once all terms are there. */
akin_status ak_postings_guide(ak_postings *p, akin_ctx *ctx);
/* The number of a column among the terms, -1: no row has it. */
int64_t ak_postings_term(const ak_postings *p, int64_t column);

/* Tensors "terms", ..., borrowed; `take` borrows from `t`, once everything but
 * the words themselves has been checked; these are, block by block, when they
 * are used. */
akin_status ak_postings_put(const ak_postings *p, akin_ctx *ctx, ak_tensors *t);
akin_status ak_postings_take(ak_postings *p, akin_ctx *ctx, const ak_tensors *t,
                             int64_t n, int64_t d);

#endif
