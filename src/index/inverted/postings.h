/* index/inverted/postings.h - the rows of each column and their values.
 *
 * Columns without rows are omitted. The rows of a column increase and are cut
 * into blocks of 128, the last one shorter. A block holds its first row, the
 * gaps to the next ones and the values minus one, bit-packed
 * (index/inverted/pack.h); if a value is not an integer from 1 to 2^24, the
 * block stores all of its values as floats. The words are owned or lie in a
 * mapped file. */
#ifndef AK_INDEX_INVERTED_POSTINGS_H
#define AK_INDEX_INVERTED_POSTINGS_H

#include "data/rows.h"
#include "index/inverted/block_checks.h"
#include "index/inverted/pack.h"

typedef struct ak_postings {
    int64_t n;                // rows
    int64_t n_terms;          // columns with rows
    int64_t n_blocks;         // of all columns
    int64_t n_words;          // of `words`, slack included
    int64_t count;            // postings
    bool plain;               // all values are at least 1e-12
    const int32_t *terms;     // n_terms: columns, increasing
    const int64_t *blocks;    // n_terms + 1: first block of each
    const int32_t *counts;    // n_terms: rows of each
    const int32_t *first;     // n_blocks: first row
    const int64_t *at;        // n_blocks: where its words begin
    const uint8_t *bits;      // n_blocks x 2: of gaps and of values
    const uint32_t *words;    // n_words
    ak_block_checks *checks;  // of a file; NULL: nothing to verify
    int32_t *guide;           // of ak_postings_term, always owned
    int shift;
    void *own[7];  // arrays above to release
} ak_postings;

/* A block, unpacked; a full block is in vector order. */
typedef struct ak_posting_block {
    int64_t n;
    uint32_t last;  // row
    bool floats;    // if not, integers minus one
    uint32_t rows[AK_PACK_BLOCK];
    union {
        uint32_t less_one[AK_PACK_BLOCK];
        float value[AK_PACK_BLOCK];
    };
} ak_posting_block;

/* The old postings without the rows flagged in `gone` (NULL: keep all), then
 * those of the sparse rows `more` (NULL: none), numbered from old->n on. With
 * `keep`, only columns j with keep[j]. */
akin_status ak_postings_merge(ak_postings *p, akin_ctx *ctx,
                              const ak_postings *old, const unsigned char *gone,
                              const akin_rows *more, const unsigned char *keep);
void ak_postings_free(ak_postings *p);

/* Where the words of block b end. */
static inline int64_t ak_postings_end(const ak_postings *p, int64_t b)
{
    return b + 1 < p->n_blocks ? p->at[b + 1] : p->n_words - AK_PACK_SLACK;
}
/* Verify the checksum of block b of a file. */
bool ak_postings_verify(const ak_postings *p, int64_t b);
/* The error after `false` from any of these: EFORMAT, with file and place. */
akin_status ak_postings_fail(const ak_postings *p, akin_ctx *ctx);

/* Block b of term t; false: damaged. All rows are below p->n. */
bool ak_postings_block(const ak_postings *p, int64_t t, int64_t b,
                       ak_posting_block *out);
/* Only its rows, and its values after the rows. */
bool ak_postings_rows(const ak_postings *p, int64_t t, int64_t b,
                      ak_posting_block *out);
bool ak_postings_values(const ak_postings *p, int64_t b, ak_posting_block *out);
/* Value i in the block's own order. */
static inline float ak_posting_value(const ak_posting_block *b, int64_t i)
{
    return b->floats ? b->value[i] : (float)(b->less_one[i] + 1);
}
/* The position of the i-th row in increasing order. */
static inline int64_t ak_posting_place(const ak_posting_block *b, int64_t i)
{
    return b->n == AK_PACK_BLOCK ? AK_PACK_PLACE(i) : i;
}
/* The position of a row, -1: not in the block. */
int64_t ak_posting_find(const ak_posting_block *b, uint32_t row);
/* The value of block b at a position found by its rows, which are unpacked;
 * false: damaged. */
bool ak_postings_value(const ak_postings *p, int64_t b,
                       const ak_posting_block *rows, int64_t at, float *value);

/* Prefetch for many columns: call each step for all columns before the next
 * step; `t` is a term. */
void ak_postings_fetch_column(const ak_postings *p, int64_t column, int step);
void ak_postings_fetch_term(const ak_postings *p, int64_t t, int step);
/* Prefetch the words of a term, some terms ahead. */
void ak_postings_fetch_words(const ak_postings *p, int64_t t);
/* Build the guide of ak_postings_term, after all terms. */
akin_status ak_postings_guide(ak_postings *p, akin_ctx *ctx);
/* The term of a column, -1: no row has it. */
int64_t ak_postings_term(const ak_postings *p, int64_t column);

/* To and from tensors. `take` checks and copies everything except the words,
 * which it borrows from `t`; they are verified block by block on first use. */
akin_status ak_postings_put(const ak_postings *p, akin_ctx *ctx, ak_tensors *t);
akin_status ak_postings_take(ak_postings *p, akin_ctx *ctx, const ak_tensors *t,
                             int64_t n, int64_t d);

#endif
