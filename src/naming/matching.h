/* naming/matching.h - how likely each name is for each face of one photo, over
 * all ways to give names; inside naming/ alone. */
#ifndef AK_NAMING_MATCHING_H
#define AK_NAMING_MATCHING_H

#include "base/ctx.h"
#include "base/rng.h"

/* A way gives each of n faces at most one of r names, and no name twice. Its
 * weight is the product of `weight` over the pairs, times counts[j], where j
 * is how many pairs there are (0 to the smaller of n and r). */
typedef struct ak_matching {
    int64_t n, r;
    const double *weight;  // n x r, finite, >= 0
    const double *counts;  // min(n, r) + 1, >= 0, not all 0
} ak_matching;

/* Numbers that `work` must hold. */
int64_t ak_matching_room(int64_t n, int64_t r);

/* p (n x r): the share of the ways in which a face has a name; by_count: the
 * share of ways with j pairs. Exact where the smaller of n and r is 12 or less;
 * else by belief propagation, with the counts as one factor for each pair. */
void ak_matching_marginals(const ak_matching *m, double *p, double *by_count,
                           double *work);

/* A way at random, by its weight: name_of[f] is the name of face f, -1 for
 * none. `work` and p are as ak_matching_marginals left them. */
void ak_matching_draw(const ak_matching *m, const double *p, const double *work,
                      ak_rng *rng, int32_t *name_of);

#endif
