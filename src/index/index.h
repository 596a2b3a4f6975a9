/* index/index.h - what every kind of index shares, and what a kind provides. */
#ifndef AK_INDEX_INDEX_H
#define AK_INDEX_INDEX_H

#include <akin/index.h>

#include "base/comm.h"
#include "data/columns.h"
#include "index/top_hits.h"
#include "model/model.h"

/* Prepared queries and what to find for them. */
typedef struct ak_search {
    const akin_rows *queries;
    akin_compare by;  // never AKIN_BY_DEFAULT
    int64_t top;      // at most as many as there are rows
    int64_t effort;
    bool approximate;  // a row may be missed where that saves much time
    const akin_lists *ignore;
    const int64_t *hidden;  // rows excluded for all queries
    int64_t n_hidden;
    const unsigned char *exclude;  // x->n: the same, as flags; NULL: none
    int64_t n_exclude;             // of rows that are not removed
    int64_t stride;                // of the results
    int64_t *rows;                 // results of query t at t * stride
    double *scores;
} ak_search;

typedef struct ak_index_kind {
    const char *name;
    /* Append raw rows, also the first ones. NULL: the index does not change. */
    akin_status (*add)(akin_index *x, akin_ctx *ctx, const akin_rows *rows);
    /* Drop the rows newly flagged in x->gone. */
    akin_status (*remove)(akin_index *x, akin_ctx *ctx);
    /* Put the diagonal model `m` in the place of x->model, which the caller
     * does then, and compare by `by`. NULL: the rows would have to be built
     * anew. On failure nothing changes. */
    akin_status (*set_model)(akin_index *x, akin_ctx *ctx, const akin_model *m,
                             akin_compare by);
    akin_status (*search)(const akin_index *x, akin_ctx *ctx,
                          const ak_search *w);
    /* The prepared rows `which`, as queries. */
    akin_status (*rows)(const akin_index *x, akin_ctx *ctx,
                        const int64_t *which, int64_t count, akin_rows **out);
    akin_status (*put)(const akin_index *x, akin_ctx *ctx, ak_tensors *t);
    akin_status (*take)(akin_index *x, akin_ctx *ctx, const ak_tensors *t);
    void (*free)(akin_index *x);
} ak_index_kind;

struct akin_index {
    const ak_index_kind *kind;
    akin_model *model;
    akin_compare by;  // never AKIN_BY_DEFAULT
    bool prune;
    int64_t links, effort;  // for building a graph
    int64_t index_base;     // of the first rows
    int64_t n;              // rows, removed ones included
    int64_t n_gone;
    unsigned char *gone;  // n
    ak_columns names;     // of the rows, as far as they have any
    ak_tensors *file;     // mapped file of the arrays; NULL: none
    void *state;          // of the kind
};

extern const ak_index_kind ak_index_inverted, ak_index_dense, ak_index_hnsw,
    ak_index_sharded;

/* Are rows and queries kept in the learned space? If not, they are prepared
 * rows under a diagonal model. */
bool ak_index_embeds(const akin_index *x);
/* Columns of the rows kept. */
int64_t ak_index_dim(const akin_index *x);

/* Set (or clear) a worker's flags of the rows excluded for query t; those of
 * rows excluded for all queries by `exclude` stay as they are. */
void ak_search_flag_excluded(const ak_search *w, int64_t t,
                             unsigned char *flags, unsigned char value);
/* Store the results of query t: sorted hits, padded with none. */
void ak_search_store(const ak_search *w, int64_t t, const ak_hit *hits,
                     int64_t count);
/* Search for all queries, in blocks, by the ranks. */
akin_status ak_search_run(akin_ctx *ctx, const ak_search *w, int64_t block,
                          ak_block_fn fn, void *arg);
/* Squared norm of a prepared row under a diagonal w (NULL: ones), in increasing
 * order of columns: of w, or of |w| for the cosine. */
double ak_weighted_norm(const double *w, const akin_rows *rows, int64_t i,
                        bool absolute);

/* The index in a file's tensors, of which it takes ownership in any case.
 * EFORMAT: not an index. */
akin_status ak_index_take(akin_index **out, akin_ctx *ctx, ak_tensors *t);
/* Old versions wrote no rows into an inverted index: `x` forgets its own where
 * `like` has none, so that both can be compared. */
void ak_index_forget_rows(akin_index *x, const akin_index *like);
/* ESHAPE unless all of the rows exist. */
akin_status ak_index_check_rows(const akin_index *x, akin_ctx *ctx,
                                const int64_t *rows, int64_t count);
/* EINVAL where a row of the index cannot be a query. */
akin_status ak_index_check_sides(const akin_index *x, akin_ctx *ctx);

#endif
