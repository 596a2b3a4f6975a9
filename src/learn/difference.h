/* learn/difference.h - z = x - y of two rows, on its non-zeros. */
#ifndef AK_LEARN_DIFFERENCE_H
#define AK_LEARN_DIFFERENCE_H

#include "data/rows.h"

/* The most entries that x - y can have. */
int64_t ak_difference_room(const akin_rows *rows, int64_t x, int64_t y);
/* Columns rise; zeros are left out. Returns how many there are. */
int64_t ak_difference(const akin_rows *rows, int64_t x, int64_t y,
                      int32_t *cols, double *z);

#endif
