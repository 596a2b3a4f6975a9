/* base/comm.h - the ranks a run is spread over; one unless a program says so.
 *
 * A learner that sums over examples sums through here and knows no more. */
#ifndef AK_BASE_COMM_H
#define AK_BASE_COMM_H

#include "base/ctx.h"

typedef struct ak_comm {
    int64_t rank;
    int64_t size;
    /* Over all ranks, in place; the order of summation is fixed by rank. */
    akin_status (*sum)(struct ak_comm *c, int64_t n, double *x);
    akin_status (*broadcast)(struct ak_comm *c, int64_t from, size_t bytes,
                             void *x);
    /* `bytes` from each rank, in order of rank, to `all` on every rank. */
    akin_status (*gather)(struct ak_comm *c, size_t bytes, const void *mine,
                          void *all);
} ak_comm;

/* One rank that does nothing. */
extern ak_comm ak_comm_self;

#endif
