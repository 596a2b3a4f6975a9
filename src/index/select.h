/* index/select.h - candidates for the best few, from scores that are not exact.
 *
 * A score in float lies within half of the slack of the true one. Rows whose
 * score is no more than the slack below the top-th best may be among the best;
 * all of them are kept. Others are only left out now and then, many at once:
 * between, whatever reaches the last cut is put behind the rest. */
#ifndef AK_INDEX_SELECT_H
#define AK_INDEX_SELECT_H

#include "index/hits.h"

typedef struct ak_select {
    int64_t top;
    double slack;
    double least;   // what is below does not matter; -INFINITY: all does
    int32_t *rows;  // room: the candidates
    float *scores;  // theirs
    int64_t n_rows, room;
    int64_t limit;  // with so many it is time to leave out some
    bool full;      // there were more candidates than room
    float bar;      // so good are `top` at least; -INFINITY: not known
    float cut;      // rows with a score below this are no candidates
} ak_select;

/* Forget all; the arrays stay. After `top`, `slack` and `least` are set. */
void ak_select_clear(ak_select *s);
void ak_select_offer(ak_select *s, int64_t row, float score);
/* Offer the rows `first` to first + n whose score is
 * sums[i] * times[i] + plus[i]; those flagged are left out. All arrays begin at
 * the first row. */
void ak_select_rows(ak_select *s, int64_t first, int64_t n, const float *sums,
                    const float *times, const float *plus,
                    const unsigned char *flags);
/* Leave out what was taken before the best were known. */
void ak_select_filter(ak_select *s);

#endif
