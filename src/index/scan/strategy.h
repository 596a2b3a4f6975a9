/* index/scan/strategy.h - strategies for the dot products of a block of
 * queries with all rows. */
#ifndef AK_INDEX_SCAN_STRATEGY_H
#define AK_INDEX_SCAN_STRATEGY_H

#include "index/scan/scan.h"

enum { AK_SCAN_MOST = 64 };  // queries in the largest block

typedef struct ak_scan_strategy ak_scan_strategy;

/* All memory is scratch of the context. */
typedef struct ak_scan_work {
    const akin_model *m;
    ak_queries queries;
    const akin_rows *rows;
    akin_compare by;  // never AKIN_BY_DEFAULT
    bool metric;      // a squared distance cannot be negative

    const ak_scan_strategy *strategy;
    void *state;          // of the strategy
    int64_t at_once;      // queries in a block
    int64_t chunk;        // rows per task
    int64_t n_padded;     // rows in whole chunks
    int64_t table, room;  // numbers in a block's table and a worker's scratch
    double *norms;        // n: squared; NULL: not needed
} ak_scan_work;

/* A block of queries. */
typedef struct ak_scan_block {
    int64_t first, count;
    double norm[AK_SCAN_MOST];  // squared, where the work has norms
    double *scores;             // at_once x n_padded
    double *table;              // of the strategy
    double *room;               // of the strategy, per worker
} ak_scan_block;

struct ak_scan_strategy {
    /* Set state, sizes and norms. */
    akin_status (*begin)(ak_scan_work *s, akin_ctx *ctx);
    /* Load query t of the block and its norm into the zeroed table. */
    void (*load)(const ak_scan_work *s, ak_scan_block *b, int64_t t);
    int64_t load_at_once;  // queries per worker
    /* Dot products with the rows [begin, end), one chunk. */
    akin_status (*rows)(const ak_scan_work *s, akin_ctx *ctx, ak_scan_block *b,
                        int64_t begin, int64_t end, int64_t worker);
    /* Add what the chunks left out for query t; NULL: nothing. */
    void (*rest)(const ak_scan_work *s, ak_scan_block *b, int64_t t);
};

extern const ak_scan_strategy ak_scan_sparse, ak_scan_dense;

/* The row of query t. */
static inline int64_t ak_query_at(const ak_queries *q, int64_t t)
{
    return q->which ? q->which[t] : t;
}

#endif
