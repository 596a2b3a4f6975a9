/* data/supervision/shuffled_rows.h - the rows that have a label, shuffled again
 * for every pass.
 *
 * The row at position t depends on the seed, the rows and t alone, so that a
 * run can resume anywhere. */
#ifndef AK_DATA_SUPERVISION_SHUFFLED_ROWS_H
#define AK_DATA_SUPERVISION_SHUFFLED_ROWS_H

#include "base/rng.h"
#include "data/supervision/supervision.h"

typedef struct ak_shuffled_rows {
    ak_rng root;
    int64_t n;       // rows in a pass
    int64_t *rows;   // increasing
    int64_t *order;  // of the pass that was drawn from last
    int64_t pass;    // its number, -1: none
} ak_shuffled_rows;

/* EINVAL unless the supervision is labels, with two different ones at least. */
akin_status ak_shuffled_rows_new(ak_shuffled_rows **out, akin_ctx *ctx,
                                 const akin_supervision *s);
void ak_shuffled_rows_free(ak_shuffled_rows *o);
/* The rows at positions `from` to `from + count`. */
void ak_shuffled_rows_draw(ak_shuffled_rows *o, int64_t from, int64_t count,
                           int64_t *rows);

#endif
