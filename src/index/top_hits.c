#include "index/top_hits.h"

#include <stdlib.h>

static int by_rank(const void *left, const void *right)
{
    const ak_hit *a = left, *b = right;
    return ak_hit_before(*b, *a) - ak_hit_before(*a, *b);
}

void ak_hits_sort(ak_hit *hits, int64_t n)
{
    if (n > 1)
        qsort(hits, (size_t)n, sizeof *hits, by_rank);
}

/* `best` is a heap with the worst hit at its root. */
static void sift_down(ak_hit *best, int64_t n, ak_hit x)
{
    int64_t at = 0;
    for (int64_t child = 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && ak_hit_before(best[child], best[child + 1]))
            ++child;
        if (!ak_hit_before(x, best[child]))
            break;
        best[at] = best[child];
        at = child;
    }
    best[at] = x;
}

static void sift_up(ak_hit *best, int64_t at, ak_hit x)
{
    for (; at > 0 && ak_hit_before(best[(at - 1) / 2], x); at = (at - 1) / 2)
        best[at] = best[(at - 1) / 2];
    best[at] = x;
}

int64_t ak_hits_offer(ak_hit *best, int64_t count, int64_t top, ak_hit x)
{
    if (count < top)
        sift_up(best, count++, x);
    else if (count > 0 && ak_hit_before(x, best[0]))
        sift_down(best, count, x);
    return count;
}

int64_t ak_hits_best(const double *scores, int64_t n, const unsigned char *skip,
                     int64_t self, int64_t top, ak_hit *best)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; ++i)
        if (i != self && !(skip && skip[i]))
            count = ak_hits_offer(best, count, top, (ak_hit){scores[i], i});
    ak_hits_sort(best, count);
    return count;
}
