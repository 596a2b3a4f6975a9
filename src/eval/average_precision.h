/* eval/average_precision.h - the ranks of relevant rows, best first,
 * ties by row number. */
#ifndef AK_EVAL_AVERAGE_PRECISION_H
#define AK_EVAL_AVERAGE_PRECISION_H

#include "index/top_hits.h"

/* What a row is to a query. */
enum { AK_WRONG, AK_RELEVANT, AK_LEFT_OUT };

/* Sorts the relevant rows, `hits`, and finds their ranks from 1 on among all
 * rows but those left out: O(n log n_hits). */
void ak_ranks(const double *scores, const unsigned char *flags, int64_t n,
              ak_hit *hits, int64_t n_hits, int64_t *ranks);

#endif
