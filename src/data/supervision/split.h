/* data/supervision/split.h - a share of the rows, drawn by the seed. */
#ifndef AK_DATA_SUPERVISION_SPLIT_H
#define AK_DATA_SUPERVISION_SPLIT_H

#include "base/rng.h"
#include "data/rows.h"

/* Which share of which rows. */
typedef struct ak_share {
    const int64_t *which;  // n rows; NULL: the first n
    int64_t n;
    double fraction;
    bool by_class;   // of each class
    bool leave_one;  // every class keeps a row
} ak_share;

/* Set the flag (one a row of `rows`, 0 before) of the rows drawn. */
akin_status ak_share_draw(akin_ctx *ctx, const akin_rows *rows, ak_share share,
                          ak_rng rng, unsigned char *flags, int64_t *count);

#endif
