#include "index/select.h"

#include <math.h>

#include "la/clones.h"

enum { CHUNK = 128, PART = 16 };  // rows that are looked at together

static void set_cut(ak_select *s)
{
    double cut = s->least;
    if (s->n_best == s->top && s->top > 0)
        cut = fmax(cut, s->best[0].score - s->slack);
    s->cut = nextafterf((float)cut, -INFINITY);
}

void ak_select_clear(ak_select *s)
{
    s->n_best = s->n_rows = 0;
    s->full = false;
    set_cut(s);
}

void ak_select_filter(ak_select *s)
{
    int64_t n = 0;
    for (int64_t k = 0; k < s->n_rows; ++k)
        if (s->scores[k] >= s->cut) {
            s->rows[n] = s->rows[k];
            s->scores[n++] = s->scores[k];
        }
    s->n_rows = n;
}

void ak_select_offer(ak_select *s, int64_t row, float score)
{
    if (!(score >= s->cut) || score == -INFINITY)  // a row is gone
        return;
    if (s->n_rows == s->room)
        ak_select_filter(s);
    if (s->n_rows == s->room) {
        s->full = true;
        return;
    }
    s->rows[s->n_rows] = (int32_t)row;
    s->scores[s->n_rows++] = score;
    const ak_hit hit = {(double)score, row};
    if (s->n_best < s->top || ak_hit_before(hit, s->best[0])) {
        s->n_best = ak_hits_offer(s->best, s->n_best, s->top, hit);
        set_cut(s);
    }
}

AK_CLONES static int any_above(const float *sums, const float *times,
                               const float *plus, int64_t n, float cut)
{
    int any = 0;
    for (int64_t i = 0; i < n; ++i)
        any |= sums[i] * times[i] + plus[i] >= cut;
    return any;
}

void ak_select_rows(ak_select *s, int64_t first, int64_t n, const float *sums,
                    const float *times, const float *plus,
                    const unsigned char *flags)
{
    for (int64_t at = 0; at < n;) {
        const int64_t chunk = ak_min_i64(CHUNK, n - at);
        if (!any_above(sums + at, times + at, plus + at, chunk, s->cut)) {
            at += chunk;
            continue;
        }
        const int64_t end = at + chunk;
        for (int64_t part; at < end; at += part) {
            part = ak_min_i64(PART, end - at);
            if (!any_above(sums + at, times + at, plus + at, part, s->cut))
                continue;
            for (int64_t i = at; i < at + part; ++i)
                if (!flags[i])
                    ak_select_offer(s, first + i, sums[i] * times[i] + plus[i]);
        }
    }
}
