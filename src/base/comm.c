#include "base/comm.h"

#include <string.h>

static akin_status self_sum(ak_comm *c, int64_t n, double *x)
{
    (void)c, (void)n, (void)x;
    return AKIN_OK;
}

static akin_status self_broadcast(ak_comm *c, int64_t from, size_t bytes,
                                  void *x)
{
    (void)c, (void)from, (void)bytes, (void)x;
    return AKIN_OK;
}

static akin_status self_gather(ak_comm *c, size_t bytes, const void *mine,
                               void *all)
{
    (void)c;
    if (bytes > 0)
        memmove(all, mine, bytes);
    return AKIN_OK;
}

ak_comm ak_comm_self = {0, 1, self_sum, self_broadcast, self_gather};
