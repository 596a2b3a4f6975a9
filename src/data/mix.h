/* data/mix.h - weighted sums of rows. */
#ifndef AK_DATA_MIX_H
#define AK_DATA_MIX_H

#include "data/rows.h"

/* Rows [first, first + n) of equal weight. */
typedef struct ak_share {
    const akin_rows *rows;  // NULL when n is 0
    int64_t first, n;
    double weight;
} ak_share;

/* Each query (NULL: a single empty one) times `weight`, plus the shares, added
 * up in this order. Sparse when all parts are. */
akin_status ak_rows_mix(akin_rows **out, akin_ctx *ctx,
                        const akin_rows *queries, double weight,
                        const ak_share *shares, int64_t n_shares);

#endif
