/* model/sums.h - two places in a learned space, compared coordinate by
 * coordinate. */
#ifndef AK_MODEL_SUMS_H
#define AK_MODEL_SUMS_H

#include <akin/model.h>
#include <math.h>

typedef struct ak_sums {
    double xy, xx, yy, gap;
} ak_sums;

static inline void ak_sums_add(ak_sums *s, double x, double y)
{
    s->xy += x * y;
    s->xx += x * x;
    s->yy += y * y;
    s->gap += (x - y) * (x - y);
}

static inline double ak_sums_compare(const ak_sums *s, akin_compare by)
{
    if (by == AKIN_BY_DISTANCE)
        return -s->gap;
    if (by == AKIN_BY_COSINE)
        return s->xx > 0.0 && s->yy > 0.0 ? s->xy / (sqrt(s->xx) * sqrt(s->yy))
                                          : 0.0;
    return s->xy;
}

#endif
