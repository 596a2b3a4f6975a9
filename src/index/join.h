/* index/join.h - queries and examples become one. */
#ifndef AK_INDEX_JOIN_H
#define AK_INDEX_JOIN_H

#include "data/rows.h"

/* Some rows, each of which counts `weight`. */
typedef struct ak_share {
    const akin_rows *rows;
    int64_t first, n;
    double weight;
} ak_share;

/* Each query (NULL: there is one, of nothing) times `weight`, and the shares
 * added to it. */
akin_status ak_join(akin_rows **out, akin_ctx *ctx, const akin_rows *queries,
                    double weight, const ak_share *shares, int64_t n_shares);

#endif
