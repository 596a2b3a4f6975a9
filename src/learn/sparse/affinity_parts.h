/* learn/sparse/affinity_parts.h - between the files of the affinity. */
#ifndef AK_LEARN_SPARSE_AFFINITY_PARTS_H
#define AK_LEARN_SPARSE_AFFINITY_PARTS_H

#include "learn/sparse/affinity.h"
#include "learn/sparse/reach.h"

static inline double ak_propagation_share(const ak_propagation *a)
{
    return a->alpha / (double)a->k;
}

/* Is the column of i among a->columns? */
static inline bool ak_propagation_shares(const ak_propagation *a, int64_t i)
{
    return a->group[i] >= 0 && a->shared[a->group[i]] >= 0;
}

/* r += W0's row i times x. */
static inline void ak_propagation_add_w0(const ak_propagation *a, int32_t i,
                                         double x, ak_reach *r)
{
    ak_reach_add(r, i, x);
    for (int64_t c = a->w_at[i]; c < a->w_at[i + 1]; ++c)
        ak_reach_add(r, a->w_cols[c], x * a->w[c]);
}

/* u = column i of W*. */
static inline void ak_propagation_spread_column(const ak_propagation *a,
                                                ak_reach *u, int64_t i)
{
    ak_reach_clear(u);
    ak_propagation_add_w0(a, (int32_t)i, 1.0 - a->alpha, u);
    ak_reach_spread(u, ak_propagation_share(a), a->in_at, a->in, 0);
}

#endif
