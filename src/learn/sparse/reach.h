/* learn/sparse/reach.h - numbers on the points of a graph, zero on all but few,
 * that are spread along it.
 *
 *   v = sum_t (alpha P)^t v0,  or with P' for P                          (1)
 *
 * Each point has what it passed on and what rests with it. A point passes on
 * what rests, to its neighbours, once that is `drop` or more; less stays. Both
 * together are v but for sum_t>0 (alpha P)^t of what rests, an error below
 * drop alpha / (1 - alpha), with P' as many times that as a point is near. */
#ifndef AK_LEARN_SPARSE_REACH_H
#define AK_LEARN_SPARSE_REACH_H

#include <math.h>

#include "base/ctx.h"

typedef struct ak_reach_point {
    double passed, rest;
} ak_reach_point;

typedef struct ak_reach {
    int64_t n;
    double drop;
    ak_reach_point *point;  // n
    unsigned char *state;   // n
    int32_t *at;            // n + 1: the points that are not zero
    int64_t count;
    int32_t *queue;  // n + 1, a ring: those that have to pass on
    int64_t head, tail;
} ak_reach;

enum { AK_REACH_LISTED = 1, AK_REACH_WAITS = 2 };

/* Scratch memory, zeros. */
akin_status ak_reach_new(ak_reach *r, akin_ctx *ctx, int64_t n, double drop);
void ak_reach_clear(ak_reach *r);

/* Without branches, which would be guessed wrong half of the time: what does
 * not belong at the end of a list is overwritten by the next. */
static inline void ak_reach_add(ak_reach *r, int32_t i, double x)
{
    const unsigned state = r->state[i];
    const double rest = r->point[i].rest + x;
    const unsigned full = fabs(rest) >= r->drop;
    const int64_t tail = r->tail + ((full & ~(state >> 1)) & 1);
    r->point[i].rest = rest;
    r->at[r->count] = i;
    r->count += ~state & 1;
    r->queue[r->tail] = i;
    r->tail = tail > r->n ? 0 : tail;
    r->state[i] = (unsigned char)(state | AK_REACH_LISTED | full << 1);
}

static inline double ak_reach_get(const ak_reach *r, int64_t i)
{
    return r->point[i].passed + r->point[i].rest;
}

/* (1) of what was added: point i passes `share` of what it has on to each of
 * to[at[i]] to to[at[i + 1]], without `at` to each of `k` from to[k i] on. */
void ak_reach_spread(ak_reach *r, double share, const int64_t *at,
                     const int32_t *to, int64_t k);

#endif
