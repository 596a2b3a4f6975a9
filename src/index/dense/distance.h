/* index/dense/distance.h - distances of vectors in float, for a graph. */
#ifndef AK_INDEX_DENSE_DISTANCE_H
#define AK_INDEX_DENSE_DISTANCE_H

#include <stdbool.h>

/* `dim` points to an int64_t: the length of each vector. */
typedef float (*ak_distance_fn)(const void *a, const void *b, const void *dim);

/* The squared distance, or minus the dot product, in the best form for this
 * processor. */
ak_distance_fn ak_distance_of(bool distance);

#endif
