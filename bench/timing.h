/* bench/timing.h - seconds, and the median of several. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdlib.h>
#include <time.h>

static inline double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU seconds, which other programs on the machine disturb less. */
static inline double now(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static inline int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double median(int n, double *t)
{
    qsort(t, (size_t)n, sizeof *t, by_value);
    return t[n / 2];
}

#endif
