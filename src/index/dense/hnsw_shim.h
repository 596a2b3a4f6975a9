/* index/dense/hnsw_shim.h - a graph of neighbours, from C.
 *
 *   Malkov, Yashunin. Efficient and robust approximate nearest neighbor search
 *   using hierarchical navigable small world graphs. TPAMI 42:824-836, 2020.
 *
 * The graph is hnswlib's. Nothing is thrown: what failed for want of memory
 * says so by its return. Rows are numbered in the order they are added. */
#ifndef AK_INDEX_DENSE_HNSW_SHIM_H
#define AK_INDEX_DENSE_HNSW_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ak_hnsw ak_hnsw;

/* Distance of two vectors; `dim` points at their int64_t dimension. */
typedef float (*ak_hnsw_distance)(const void *a, const void *b,
                                  const void *dim);

/* Numbers of a list of neighbours: how many there are, and room for them. */
#define AK_HNSW_BASE(links) (2 * (links) + 1)
#define AK_HNSW_UPPER(links) ((links) + 1)

/* All that return int: 0 when it was done, else there is not enough memory. */
int ak_hnsw_new(ak_hnsw **out, int64_t dim, int64_t room, int64_t links,
                int64_t effort, ak_hnsw_distance distance);
void ak_hnsw_free(ak_hnsw *h);
/* Room for more rows in all. */
int ak_hnsw_grow(ak_hnsw *h, int64_t room);
int ak_hnsw_add(ak_hnsw *h, const float *vector);
/* Row i is found no more, though the way may lead over it. */
void ak_hnsw_remove(ak_hnsw *h, int64_t i);

/* Up to `effort` rows near a vector, the nearest last, and their distances;
 * *count says how many. May be called by several threads. */
int ak_hnsw_search(const ak_hnsw *h, const float *vector, int64_t effort,
                   int64_t *rows, float *gaps, int64_t *count);

/* The graph: AK_HNSW_BASE numbers a row, the level of each row, and
 * AK_HNSW_UPPER numbers for each level of each row above the base. */
int64_t ak_hnsw_upper(const ak_hnsw *h);
int64_t ak_hnsw_entry(const ak_hnsw *h);
void ak_hnsw_give(const ak_hnsw *h, int32_t *base, int32_t *levels,
                  int32_t *upper);
/* Such a graph of n rows, which has been checked, into an empty one. */
int ak_hnsw_take(ak_hnsw *h, int64_t n, const float *vectors,
                 const int32_t *base, const int32_t *levels,
                 const int32_t *upper, int64_t entry);

#ifdef __cplusplus
}
#endif
#endif
