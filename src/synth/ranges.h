/* synth/ranges.h - the ranges of the options of a generator. */
#ifndef AK_SYNTH_RANGES_H
#define AK_SYNTH_RANGES_H

#include "base/ctx.h"

typedef struct ak_range {
    const char *option;
    double value, low, high;
} ak_range;

/* AKIN_EINVAL: the message names the first option that is out of its range;
 * a NAN always is. */
akin_status ak_ranges_check(akin_ctx *ctx, const ak_range *ranges, size_t n);

#endif
