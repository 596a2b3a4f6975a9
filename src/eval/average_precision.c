/* Ranks of the relevant among many rows, and average precision. */
#include "eval/average_precision.h"

#include <akin/eval.h>
#include <math.h>

enum { BUCKETS = 1024 };

/* Where to look for a score among sorted hits: the range of their scores in
 * equal parts. Rounding keeps the order, so a hit in a higher bucket has a
 * higher score. */
typedef struct buckets {
    double low, scale;
    int64_t above[BUCKETS + 2];  // [b + 1]: hits in buckets higher than b
} buckets;

static int64_t bucket_of(const buckets *x, double score)
{
    const double at = (score - x->low) * x->scale;
    return at < BUCKETS ? (int64_t)at : BUCKETS;
}

static void buckets_fill(buckets *x, const ak_hit *hits, int64_t n)
{
    const double range = hits[0].score - hits[n - 1].score;
    x->low = hits[n - 1].score;
    x->scale = range > 0.0 && isfinite(BUCKETS / range) ? BUCKETS / range : 0.0;
    int64_t k = 0;
    for (int64_t b = BUCKETS; b >= -1; --b) {
        while (b >= 0 && k < n && bucket_of(x, hits[k].score) > b)
            ++k;
        x->above[b + 1] = b >= 0 ? k : n;
    }
}

/* How many of the hits from `first` to `end` stand before x, and all those
 * before the first. */
static int64_t hits_before(const ak_hit *hits, int64_t first, int64_t end,
                           ak_hit x)
{
    while (first < end) {
        const int64_t mid = first + (end - first) / 2;
        if (ak_hit_before(hits[mid], x))
            first = mid + 1;
        else
            end = mid;
    }
    return first;
}

/* ranks[k] = the wrong rows between the hits k - 1 and k. */
static void count_wrong(const double *scores, const unsigned char *flags,
                        int64_t n, const ak_hit *hits, int64_t n_hits,
                        int64_t *ranks)
{
    buckets x;
    buckets_fill(&x, hits, n_hits);
    for (int64_t i = 0; i < n; ++i) {
        if (flags[i] != AK_WRONG || !(scores[i] >= x.low))
            continue;
        const int64_t b = bucket_of(&x, scores[i]);
        const int64_t k = hits_before(hits, x.above[b + 1], x.above[b],
                                      (ak_hit){scores[i], i});
        if (k < n_hits)
            ++ranks[k];
    }
}

void ak_ranks(const double *scores, const unsigned char *flags, int64_t n,
              ak_hit *hits, int64_t n_hits, int64_t *ranks)
{
    if (n_hits == 0)
        return;
    ak_hits_sort(hits, n_hits);
    for (int64_t k = 0; k < n_hits; ++k)
        ranks[k] = 0;
    count_wrong(scores, flags, n, hits, n_hits, ranks);
    int64_t wrong = 0;
    for (int64_t k = 0; k < n_hits; ++k) {
        wrong += ranks[k];
        ranks[k] = wrong + k + 1;
    }
}

/* The trapezoid is that of the Oxford buildings: precision just before a hit
 * and at it, where before the first rank it is 1. */
double akin_average_precision(const int64_t *ranks, int64_t count,
                              int64_t n_relevant, int trapezoid)
{
    double sum = 0.0;
    if (n_relevant <= 0)
        return NAN;
    for (int64_t k = 0; k < count; ++k) {
        const double rank = (double)ranks[k];
        const double here = (double)(k + 1) / rank;
        const double before = ranks[k] > 1 ? (double)k / (rank - 1.0) : 1.0;
        sum += trapezoid ? 0.5 * (before + here) : here;
    }
    return sum / (double)n_relevant;
}
