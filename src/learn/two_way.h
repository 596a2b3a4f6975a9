/* learn/two_way.h - sparse rows stored by row and by column, so that products
 * with tall matrices go over the numbers that are there, by all threads. */
#ifndef AK_LEARN_TWO_WAY_H
#define AK_LEARN_TWO_WAY_H

#include "data/rows.h"

typedef struct ak_two_way {
    int64_t n, u;      // rows, and columns that occur
    int64_t *columns;  // u, increasing: their numbers in the rows
    int64_t *offsets;  // n + 1, into cols and vals, by row
    int32_t *cols;
    int64_t *starts;  // u + 1, into at and nums, by column
    int32_t *at;
    float *vals, *nums;
} ak_two_way;

/* The n rows numbered `which`, of sparse rows. Scratch memory. */
akin_status ak_two_way_of(ak_two_way *out, akin_ctx *ctx, const akin_rows *rows,
                          const int64_t *which, int64_t n);
/* The mean of the rows (u); returns the sum of their squared distances from it.
 */
double ak_two_way_mean(const ak_two_way *x, double *mean);
/* Y (n x L) += X W, W u x L. */
akin_status ak_two_way_add(akin_ctx *ctx, const ak_two_way *x, int64_t L,
                           const double *W, double *Y);
/* G (u x L) = X'Z, Z n x L. */
akin_status ak_two_way_cross(akin_ctx *ctx, const ak_two_way *x, int64_t L,
                             const double *Z, double *G);

#endif
