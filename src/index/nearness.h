/* index/nearness.h - distances of vectors in float, for a graph. */
#ifndef AK_INDEX_NEARNESS_H
#define AK_INDEX_NEARNESS_H

/* `dim` points at an int64_t: the numbers of each vector. */
float ak_minus_dot(const void *a, const void *b, const void *dim);
float ak_squared_distance(const void *a, const void *b, const void *dim);

#endif
