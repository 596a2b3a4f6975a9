/* Compiled for the processor at hand, as hnswlib advises. */
#include "hnsw_direct.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Apart from the library's copy, which is compiled in another way. */
#define hnswlib direct_hnswlib
#define cpuid direct_cpuid
#define xgetbv direct_xgetbv
#define AVXCapable direct_avx
#define AVX512Capable direct_avx512
#include <hnswlib/hnswlib.h>

struct hnsw_direct {
    int64_t dim;
    hnswlib::L2Space space;
    hnswlib::HierarchicalNSW<float> graph;
    hnsw_direct(int64_t d, int64_t n, int64_t links, int64_t effort)
        : dim(d), space(static_cast<size_t>(d)),
          graph(&space, static_cast<size_t>(n), static_cast<size_t>(links),
                static_cast<size_t>(effort))
    {
    }
};

hnsw_direct *hnsw_direct_new(int64_t dim, int64_t n, const float *vectors,
                             int64_t links, int64_t effort)
{
    hnsw_direct *g = new hnsw_direct(dim, n, links, effort);
    for (int64_t i = 0; i < n; ++i)
        g->graph.addPoint(vectors + i * dim, static_cast<size_t>(i));
    return g;
}

void hnsw_direct_free(hnsw_direct *g)
{
    delete g;
}

void hnsw_direct_search(hnsw_direct *g, int64_t n, const float *queries,
                        int64_t top, int64_t effort, int64_t *rows)
{
    g->graph.setEf(static_cast<size_t>(effort));
    for (int64_t t = 0; t < n; ++t) {
        auto found =
            g->graph.searchKnn(queries + t * g->dim, static_cast<size_t>(top));
        for (int64_t k = top - 1; k >= 0; --k, found.pop())
            rows[t * top + k] = static_cast<int64_t>(found.top().second);
    }
}
