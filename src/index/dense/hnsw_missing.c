/* The graph calls of a build without hnswlib. */
#include "index/dense/dense.h"

bool ak_graph_exists(void)
{
    return false;
}

#pragma GCC diagnostic ignored "-Wunused-parameter"

static akin_status missing(akin_ctx *ctx)
{
    return ak_fail(ctx, AKIN_EINVAL,
                   "this akin was built without approximate search (feature "
                   "hnsw, which needs hnswlib)");
}

akin_status ak_graph_add(akin_index *x, akin_ctx *ctx, int64_t first)
{
    return missing(ctx);
}

void ak_graph_remove(akin_index *x)
{
}

akin_status ak_graph_search(const akin_index *x, akin_ctx *ctx,
                            const ak_search *w)
{
    return missing(ctx);
}

akin_status ak_graph_put(const akin_index *x, akin_ctx *ctx, ak_tensors *t)
{
    return missing(ctx);
}

akin_status ak_graph_take(akin_index *x, akin_ctx *ctx, const ak_tensors *t)
{
    return missing(ctx);
}

void ak_graph_free(ak_dense *v)
{
}
