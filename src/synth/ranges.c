#include "synth/ranges.h"

akin_status ak_ranges_check(akin_ctx *ctx, const ak_range *ranges, size_t n)
{
    for (const ak_range *r = ranges; r < ranges + n; ++r)
        if (!(r->value >= r->low && r->value <= r->high))
            return ak_fail(ctx, AKIN_EINVAL,
                           "`%s` is %.15g (expected %.15g to %.15g)", r->option,
                           r->value, r->low, r->high);
    return AKIN_OK;
}
