/* index/score_factors.h - factors that turn a row's sum into its score.
 *
 *   s_i = a_i times_i + plus_i
 *
 * in float, for the sum a_i: a dot product without the scale of row i. */
#ifndef AK_INDEX_SCORE_FACTORS_H
#define AK_INDEX_SCORE_FACTORS_H

#include "index/index.h"

/* Rows of a bucket; bounds are kept per bucket. */
enum { AK_BUCKET_BITS = 16, AK_BUCKET = 1 << AK_BUCKET_BITS };

typedef struct ak_score_factors {
    akin_compare by;
    float *times, *plus;  // n; removed rows never score
    float *best;          // largest `times` of each bucket
    float fastest;        // largest `times` of all
    double largest;       // norm, or 1 for the cosine; INFINITY: unknown
    bool safe;            // all numbers fit the range of float
} ak_score_factors;

/* Per row; NULL: 1, or for `self` the norm. */
typedef struct ak_sizes {
    const double *sum, *scale;
    const double *norm, *self;  // squared; norm NULL: unknown, by dot only
} ak_sizes;

/* From the allocator. */
akin_status ak_score_factors_make(ak_score_factors *r, akin_ctx *ctx,
                                  const akin_index *x, const ak_sizes *sizes,
                                  akin_compare by);
void ak_score_factors_free(ak_score_factors *r);

#endif
