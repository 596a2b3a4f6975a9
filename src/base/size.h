/* base/size.h - sizes that refuse to overflow, and the order of numbers. */
#ifndef AK_BASE_SIZE_H
#define AK_BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* *out = a * b or a + b; false when that does not fit. */
static inline bool ak_mul_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool ak_mul_i64(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool ak_add_i64(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline int64_t ak_min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t ak_max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* For qsort and bsearch: increasing. */
static inline int ak_compare_i64(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

static inline int ak_compare_f64(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The caller's options, a struct whose first member is its size. What an older
 * caller does not know of keeps the value it has in `own`; NULL changes
 * nothing. */
static inline void ak_options_take(void *own, size_t size, const void *given)
{
    uint64_t theirs = 0;
    if (given == NULL)
        return;
    memcpy(&theirs, given, sizeof theirs);
    memcpy(own, given, theirs < size ? (size_t)theirs : size);
}

#endif
