/* learn/difference.h - the non-zeros of z = x - y of two rows. */
#ifndef AK_LEARN_DIFFERENCE_H
#define AK_LEARN_DIFFERENCE_H

#include "data/rows.h"

/* An upper bound on the number of non-zeros of x - y. */
int64_t ak_difference_room(const akin_rows *rows, int64_t x, int64_t y);
/* Write the non-zeros of x - y, by increasing column. Returns their number. */
int64_t ak_difference(const akin_rows *rows, int64_t x, int64_t y,
                      int32_t *cols, double *z);

#endif
