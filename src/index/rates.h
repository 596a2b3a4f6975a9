/* index/rates.h - what a sum becomes a score by, row by row.
 *
 *   s_i = a_i times_i + plus_i
 *
 * in float, of the sum a_i: a dot product without the scale of row i. */
#ifndef AK_INDEX_RATES_H
#define AK_INDEX_RATES_H

#include "index/index.h"

/* Rows of a heap: what is said of many rows is said of so many. */
enum { AK_HEAP_BITS = 16, AK_HEAP = 1 << AK_HEAP_BITS };

typedef struct ak_rates {
    akin_compare by;
    float *times, *plus;  // n; nothing is found of rows that are gone
    float *best;          // largest `times` of each heap of rows
    double largest;       // of the norms, or 1 for the cosine
    bool safe;            // all numbers are of a size that floats can hold
} ak_rates;

/* Of each row, NULL: 1, or for `self` as the norm. */
typedef struct ak_sizes {
    const double *sum, *scale;
    const double *norm, *self;  // squared
} ak_sizes;

/* From the allocator. */
akin_status ak_rates_make(ak_rates *r, akin_ctx *ctx, const akin_index *x,
                          const ak_sizes *sizes, akin_compare by);
void ak_rates_free(ak_rates *r, const akin_index *x);

#endif
