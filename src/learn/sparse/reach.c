#include "learn/sparse/reach.h"

akin_status ak_reach_new(ak_reach *r, akin_ctx *ctx, int64_t n, double drop)
{
    akin_status st = AKIN_OK;
    r->n = n;
    r->drop = drop;
    AK_TRY(AK_SCRATCH(ctx, n, &r->point));
    AK_TRY(AK_SCRATCH(ctx, n, &r->state));
    AK_TRY(AK_SCRATCH(ctx, n + 1, &r->at));
    AK_TRY(AK_SCRATCH(ctx, n + 1, &r->queue));
done:
    return st;
}

void ak_reach_clear(ak_reach *r)
{
    for (int64_t c = 0; c < r->count; ++c) {
        r->point[r->at[c]] = (ak_reach_point){0};
        r->state[r->at[c]] = 0;
    }
    r->count = r->head = r->tail = 0;
}

void ak_reach_spread(ak_reach *r, double share, const int64_t *at,
                     const int32_t *to, int64_t k)
{
    ak_reach v = *r;  // in registers
    while (v.head != v.tail) {
        const int32_t i = v.queue[v.head];
        const double x = v.point[i].rest;
        const int64_t from = at ? at[i] : i * k;
        const int64_t end = at ? at[i + 1] : from + k;
        v.head = v.head == v.n ? 0 : v.head + 1;
        v.state[i] = AK_REACH_LISTED;
        v.point[i].passed += x;
        v.point[i].rest = 0.0;
        for (int64_t e = from; e < end; ++e)
            ak_reach_add(&v, to[e], share * x);
    }
    *r = v;
}
