/* eval/ranking.h - rows in order of score: best first, ties by row number. */
#ifndef AK_EVAL_RANKING_H
#define AK_EVAL_RANKING_H

#include <akin/eval.h>

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

/* What a row is to a query. */
enum { AK_WRONG, AK_RELEVANT, AK_LEFT_OUT };

/* Sorts the relevant rows, `hits`, and finds their ranks from 1 on among all
 * rows but those left out: O(n log n_hits). */
void ak_ranks(const double *scores, const unsigned char *flags, int64_t n,
              ak_hit *hits, int64_t n_hits, int64_t *ranks);

/* The `top` best rows, without those flagged in `skip` (NULL: none) and row
 * `self` (-1: none), into `best`, sorted; returns how many. */
int64_t ak_best(const double *scores, int64_t n, const unsigned char *skip,
                int64_t self, int64_t top, ak_hit *best);

#endif
