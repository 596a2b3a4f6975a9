#include "index/candidates.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "la/clones.h"

enum {
    CHUNK = 128,  // rows that are looked at together
    PART = 8,     // of them
    SPARE = 64,   // beside four times as many candidates as are wanted
};

/* All but -INFINITY, which is the score of a row that is gone, pass at first.
 */
static void set_cut(ak_candidates *s)
{
    const double cut = fmax(s->least, (double)s->bar - s->slack);
    s->cut = fmaxf(nextafterf((float)cut, -INFINITY), -FLT_MAX);
}

static void set_limit(ak_candidates *s)
{
    const int64_t most = s->room / 4 > s->top ? 4 * s->top : s->room;
    s->limit = ak_min_i64(most + 2 * s->n_rows + SPARE, s->room);
}

void ak_candidates_clear(ak_candidates *s)
{
    s->n_rows = 0;
    s->full = false;
    s->bar = s->known;
    set_cut(s);
    set_limit(s);
}

AK_CLONES static int64_t count_from(const float *scores, int64_t n, float bar)
{
    int count = 0;
    for (int64_t i = 0; i < n; ++i)
        count += scores[i] >= bar;
    return count;
}

/* Floats as integers of the same order, and back: both ways the same. */
static int32_t turned(int32_t bits)
{
    return bits < 0 ? bits ^ INT32_MAX : bits;
}

static int32_t number_of(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return turned(bits);
}

static float float_of(int32_t number)
{
    const int32_t bits = turned(number);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Of all floats from the last bar on, by halving, until no other is left or
 * but a few more than `top` reach it. */
static void raise_bar(ak_candidates *s)
{
    int64_t low = number_of(fmaxf(s->bar, s->cut));  // enough reach it
    int64_t high = (int64_t)number_of(FLT_MAX) + 1;  // too few
    int64_t reach = s->n_rows;
    while (high - low > 1 && reach > s->top + s->top / 16) {
        const int64_t mid = low + (high - low) / 2;
        const int64_t count =
            count_from(s->scores, s->n_rows, float_of((int32_t)mid));
        if (count < s->top) {
            high = mid;
        } else {
            low = mid;
            reach = count;
        }
    }
    s->bar = float_of((int32_t)low);
}

float ak_nth_best(const float *scores, int64_t n, int64_t top)
{
    int64_t low = number_of(-FLT_MAX), high = (int64_t)number_of(FLT_MAX) + 1;
    while (high - low > 1) {
        const int64_t mid = low + (high - low) / 2;
        if (count_from(scores, n, float_of((int32_t)mid)) < top)
            high = mid;
        else
            low = mid;
    }
    return float_of((int32_t)low);
}

void ak_candidates_raise(ak_candidates *s)
{
    if (s->n_rows >= s->top && s->top > 0)
        raise_bar(s);
    set_cut(s);
}

void ak_candidates_filter(ak_candidates *s)
{
    int64_t n = 0;
    ak_candidates_raise(s);
    for (int64_t k = 0; k < s->n_rows; ++k) {
        s->rows[n] = s->rows[k];
        s->scores[n] = s->scores[k];
        n += s->scores[k] >= s->cut;
    }
    s->n_rows = n;
    set_limit(s);
}

/* Where almost nothing can be skipped, checking repeatedly takes longer
 * than to do without candidates. */
static void make_room(ak_candidates *s)
{
    const bool last = s->limit == s->room;
    ak_candidates_filter(s);
    s->full = s->full || (last && s->n_rows >= s->room - s->room / 8);
}

void ak_candidates_offer(ak_candidates *s, int64_t row, float score)
{
    if (s->n_rows >= s->limit)
        make_room(s);
    if (!(score >= s->cut) || s->full)
        return;
    s->rows[s->n_rows] = (int32_t)row;
    s->scores[s->n_rows++] = score;
}

/* Flags those that reach the cut. */
AK_CLONES static void look(const float *sums, const float *times,
                           const float *plus, const unsigned char *flags,
                           int64_t n, float cut, float *scores,
                           unsigned char *reach)
{
    for (int64_t i = 0; i < n; ++i) {
        scores[i] = sums[i] * times[i] + plus[i];
        reach[i] = (scores[i] >= cut) & !flags[i];
    }
}

/* A few rows, of which some are flagged; without a branch where there is room
 * for all. */
static void take_part(ak_candidates *s, int64_t first, const float *scores,
                      const unsigned char *reach)
{
    int64_t n = s->n_rows;
    if (n + PART > s->limit) {
        for (int i = 0; i < PART; ++i)
            if (reach[i])
                ak_candidates_offer(s, first + i, scores[i]);
        return;
    }
    for (int i = 0; i < PART; ++i) {
        s->rows[n] = (int32_t)(first + i);
        s->scores[n] = scores[i];
        n += reach[i];
    }
    s->n_rows = n;
}

void ak_candidates_rows(ak_candidates *s, int64_t first, int64_t n,
                        const float *sums, const float *times,
                        const float *plus, const unsigned char *flags)
{
    float scores[CHUNK] = {0};
    for (int64_t at = 0; at < n && !s->full; at += CHUNK) {
        const int64_t count = ak_min_i64(CHUNK, n - at);
        unsigned char reach[CHUNK] = {0};
        look(sums + at, times + at, plus + at, flags + at, count, s->cut,
             scores, reach);
        for (int64_t i = 0; i < count; i += PART) {
            uint64_t any;
            memcpy(&any, reach + i, sizeof any);
            if (any != 0)
                take_part(s, first + at + i, scores + i, reach + i);
        }
    }
}
