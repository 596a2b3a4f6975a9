/* index/index.h - what every kind of index shares, and what a kind provides. */
#ifndef AK_INDEX_INDEX_H
#define AK_INDEX_INDEX_H

#include <akin/index.h>

#include "index/hits.h"
#include "model/model.h"

/* Prepared queries, and what is wanted of them. */
typedef struct ak_wanted {
    const akin_rows *queries;
    akin_compare by;  // never AKIN_BY_DEFAULT
    int64_t top;      // at most as many as there are rows
    int64_t effort;
    const akin_lists *ignore;
    const int64_t *hidden;  // rows that no query finds
    int64_t n_hidden;
    int64_t stride;  // of the results
    int64_t *rows;   // results of query t at t * stride
    double *scores;
} ak_wanted;

typedef struct ak_index_kind {
    const char *name;
    /* Raw rows behind those that are there; also the first ones. */
    akin_status (*add)(akin_index *x, akin_ctx *ctx, const akin_rows *rows);
    /* Rows newly flagged in x->gone. */
    akin_status (*remove)(akin_index *x, akin_ctx *ctx);
    akin_status (*search)(const akin_index *x, akin_ctx *ctx,
                          const ak_wanted *w);
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
    int64_t links, effort;  // of a graph that is to be built
    int64_t index_base;     // of the first rows
    int64_t n;              // rows, those that are gone too
    int64_t n_gone;
    unsigned char *gone;  // n
    ak_tensors *file;     // that arrays lie in, NULL: none
    akin_allocator allocator;
    void *body;
};

extern const ak_index_kind ak_index_inverted, ak_index_dense, ak_index_hnsw;

/* Are rows and queries kept in the learned space? Else they are prepared ones,
 * under a diagonal model. */
bool ak_index_embeds(const akin_index *x);
/* Columns of what is kept. */
int64_t ak_index_dim(const akin_index *x);

/* Flag in a worker's n bytes the rows that query t may not find, and take the
 * flags back. */
void ak_wanted_flag(const ak_wanted *w, int64_t t, unsigned char *flags,
                    unsigned char value);
/* Results of query t: sorted hits, and nothing behind them. */
void ak_wanted_give(const ak_wanted *w, int64_t t, const ak_hit *hits,
                    int64_t count);
/* Squared norm of a prepared row under a diagonal w (NULL: ones), by rising
 * column: of w, or of |w| for the cosine. */
double ak_weighted_norm(const double *w, const akin_rows *rows, int64_t i,
                        bool absolute);

/* The index in what was read from a file, which it takes over in any case.
 * EFORMAT: it is not one. */
akin_status ak_index_take(akin_index **out, akin_ctx *ctx, ak_tensors *t);
/* ESHAPE unless all of the rows are there. */
akin_status ak_index_check_rows(const akin_index *x, akin_ctx *ctx,
                                const int64_t *rows, int64_t count);
/* EINVAL where a row that is kept cannot be a query. */
akin_status ak_index_check_sides(const akin_index *x, akin_ctx *ctx);
void ak_index_release(const akin_index *x, void *p);

#endif
