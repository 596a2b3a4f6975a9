/* cluster/points.h - points to be clustered: n of d numbers, float or bytes,
 * borrowed, all of them or those of a list. */
#ifndef AK_CLUSTER_POINTS_H
#define AK_CLUSTER_POINTS_H

#include <stdint.h>
#include <string.h>

typedef struct ak_points {
    int64_t n, d;
    const float *f32;      // rows of d, or NULL:
    const uint8_t *u8;     // bytes, read as the numbers 0 to 255
    const int64_t *which;  // the rows, n of them; NULL: 0 to n - 1
} ak_points;

static inline int64_t ak_points_row(const ak_points *p, int64_t i)
{
    return p->which ? p->which[i] : i;
}

/* Point i as floats. */
static inline void ak_points_load(const ak_points *p, int64_t i, float *out)
{
    const int64_t at = ak_points_row(p, i) * p->d;
    if (p->f32)
        memcpy(out, p->f32 + at, (size_t)p->d * sizeof *out);
    for (int64_t j = 0; p->u8 && j < p->d; ++j)
        out[j] = (float)p->u8[at + j];
}

/* sum += point i. */
static inline void ak_points_add(const ak_points *p, int64_t i, double *sum)
{
    const int64_t at = ak_points_row(p, i) * p->d;
    if (p->f32)
        for (int64_t j = 0; j < p->d; ++j)
            sum[j] += (double)p->f32[at + j];
    else
        for (int64_t j = 0; j < p->d; ++j)
            sum[j] += (double)p->u8[at + j];
}

#endif
