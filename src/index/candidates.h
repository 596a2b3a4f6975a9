/* index/candidates.h - candidates for the best few, from inexact scores.
 *
 * A score in float lies within half of the slack of the true one. Rows whose
 * score is at most the slack below the top-th best may be among the best, and
 * all of them are kept. Others are removed in batches; between batches,
 * whatever reaches the last cut is appended. */
#ifndef AK_INDEX_CANDIDATES_H
#define AK_INDEX_CANDIDATES_H

#include "index/top_hits.h"

typedef struct ak_candidates {
    int64_t top;
    double slack;
    double least;   // scores below it do not matter; -INFINITY: all do
    int32_t *rows;  // `room` candidates
    float *scores;  // their scores
    int64_t n_rows, room;
    int64_t limit;  // candidates that trigger the next batch
    bool full;      // more candidates than room
    float known;    // `top` rows elsewhere reach this; -INFINITY: unknown
    float bar;      // at least `top` reach this, here or elsewhere
    float cut;      // rows that score below it are no candidates
} ak_candidates;

/* Start again with the same arrays; set `top`, `slack`, `least` and `known`
 * first. */
void ak_candidates_clear(ak_candidates *s);
void ak_candidates_offer(ak_candidates *s, int64_t row, float score);
/* Offer the rows `first` to first + n whose score is
 * sums[i] * times[i] + plus[i]; flagged rows are excluded. All arrays begin at
 * the first row. */
void ak_candidates_rows(ak_candidates *s, int64_t first, int64_t n,
                        const float *sums, const float *times,
                        const float *plus, const unsigned char *flags);
/* Raise the bar to the top-th best of the scores as they now are. */
void ak_candidates_raise(ak_candidates *s);
/* Remove candidates that were taken before the best were known. */
void ak_candidates_filter(ak_candidates *s);

/* Of n finite scores the top-th best, top <= n. */
float ak_nth_best(const float *scores, int64_t n, int64_t top);

#endif
