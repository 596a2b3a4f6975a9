/* index/top_hits.h - the best rows, ties by row number. */
#ifndef AK_INDEX_TOP_HITS_H
#define AK_INDEX_TOP_HITS_H

#include "base/ctx.h"

typedef struct ak_hit {
    double score;
    int64_t row;
} ak_hit;

static inline bool ak_hit_before(ak_hit a, ak_hit b)
{
    return a.score > b.score || (a.score == b.score && a.row < b.row);
}

void ak_hits_sort(ak_hit *hits, int64_t n);

/* Keep the `top` best of the hits offered, in a heap with the worst at best[0];
 * returns the new count. */
int64_t ak_hits_offer(ak_hit *best, int64_t count, int64_t top, ak_hit x);

/* Write the `top` best rows to `best`, sorted, without those flagged in `skip`
 * (NULL: none) and without row `self` (-1: none); returns the count. */
int64_t ak_hits_best(const double *scores, int64_t n, const unsigned char *skip,
                     int64_t self, int64_t top, ak_hit *best);

#endif
