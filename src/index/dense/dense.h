/* index/dense/dense.h - an index of vectors in the learned space: exact
 * ("dense"), or with a graph of neighbours ("hnsw").
 *
 * A vector is a row as akin_model_embed gives it, in single precision; scores
 * are sums in double: eight running sums, as in la/sparse.h. */
#ifndef AK_INDEX_DENSE_DENSE_H
#define AK_INDEX_DENSE_DENSE_H

#include "index/index.h"
#include "index/score_factors.h"

struct ak_hnsw;

typedef struct ak_dense {
    int64_t k;                 // numbers of a vector
    const float *vectors;      // n x k
    float *own;                // the same; NULL: they lie in a mapped file
    double *norm;              // n: squared
    double *self;              // n: with the signs of weights; NULL: the norm
    const double *w;           // of a diagonal model, for their signs; NULL: +1
    ak_score_factors factors;  // for the index's own comparison
    struct ak_hnsw *graph;     // NULL: none
    int64_t links, effort;     // of the graph
} ak_dense;

static inline ak_dense *ak_dense_of(const akin_index *x)
{
    return x->state;
}

/* Sum of squares, with the signs of weights if there are any. */
double ak_dense_self(const ak_dense *v, const float *a, bool absolute);
/* The score of a query, whose `norm` is that of the comparison, and row i. */
double ak_dense_score(const ak_dense *v, const float *q, double norm, int64_t i,
                      akin_compare by);
/* Query t as k numbers, borrowed or written to `room`. */
const float *ak_dense_query(const ak_dense *v, const akin_rows *queries,
                            int64_t t, float *room);
/* Rows that query t must not list: as many more have to be found. */
int64_t ak_dense_hidden(const ak_search *w, int64_t t);
/* Must query t not list row i? */
bool ak_dense_hides(const akin_index *x, const ak_search *w, int64_t t,
                    int64_t i);

/* Exact search. */
akin_status ak_dense_search(const akin_index *x, akin_ctx *ctx,
                            const ak_search *w);

/* ---- the graph; without hnswlib each call fails with a message ---- */

/* Was akin built with it? */
bool ak_graph_exists(void);
/* Add rows from `first` on to the graph. */
akin_status ak_graph_add(akin_index *x, akin_ctx *ctx, int64_t first);
void ak_graph_remove(akin_index *x);
akin_status ak_graph_search(const akin_index *x, akin_ctx *ctx,
                            const ak_search *w);
akin_status ak_graph_put(const akin_index *x, akin_ctx *ctx, ak_tensors *t);
akin_status ak_graph_take(akin_index *x, akin_ctx *ctx, const ak_tensors *t);
void ak_graph_free(ak_dense *v);

#endif
