/* bench/hnsw_direct.h - hnswlib as its own users call it. */
#ifndef BENCH_HNSW_DIRECT_H
#define BENCH_HNSW_DIRECT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hnsw_direct hnsw_direct;

/* A graph of n vectors by squared distance. */
hnsw_direct *hnsw_direct_new(int64_t dim, int64_t n, const float *vectors,
                             int64_t links, int64_t effort);
void hnsw_direct_free(hnsw_direct *g);
/* The `top` nearest of each query, best first. */
void hnsw_direct_search(hnsw_direct *g, int64_t n, const float *queries,
                        int64_t top, int64_t effort, int64_t *rows);

#ifdef __cplusplus
}
#endif
#endif
