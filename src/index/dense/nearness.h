/* index/dense/nearness.h - distances of vectors in float, for a graph. */
#ifndef AK_INDEX_DENSE_NEARNESS_H
#define AK_INDEX_DENSE_NEARNESS_H

#include <stdbool.h>

/* `dim` points at an int64_t: the numbers of each vector. */
typedef float (*ak_nearness)(const void *a, const void *b, const void *dim);

/* The squared distance, or minus the dot product, as this processor does it
 * best. */
ak_nearness ak_nearness_of(bool distance);

#endif
