/* index/scan/scan.h - every query against every row, exactly, in blocks.
 *
 * Sparse rows under a diagonal model: columns that many rows have are compared
 * through a table of a block of queries, in one pass over the rows; the others
 * through lists of the rows that have them. Models that embed, and dense rows:
 * blocks of matrix products. Memory is a block of scores and, for sparse rows,
 * a copy of the columns that the queries use; never n x n.
 *
 * A score depends on the rows, the model and its query alone: not on the
 * number of threads, nor on the other queries. */
#ifndef AK_INDEX_SCAN_SCAN_H
#define AK_INDEX_SCAN_SCAN_H

#include "base/comm.h"
#include "model/model.h"

enum { AK_SCAN_QUERIES = 16 };

/* Query t is row which[t] of `rows`, or row t when `which` is NULL. */
typedef struct ak_queries {
    const akin_rows *rows;
    const int64_t *which;
    int64_t count;
} ak_queries;

/* Called once per query, from any worker and in any order, with the number t of
 * the query and scores[i] of every row. */
typedef akin_status (*ak_scan_fn)(void *arg, int64_t t, const double *scores,
                                  int64_t worker);

/* Ranks share the queries; `results` are what fn stores of each query, of
 * which all ranks get all. */
akin_status ak_scan(akin_ctx *ctx, const akin_model *m, ak_queries queries,
                    const akin_rows *rows, akin_compare by, ak_scan_fn fn,
                    void *arg, const ak_comm_array *results, int64_t n_results);
#define AK_SCAN(ctx, m, queries, rows, by, fn, arg, ...)             \
    ak_scan((ctx), (m), (queries), (rows), (by), (fn), (arg),        \
            (const ak_comm_array[]){__VA_ARGS__},                    \
            (int64_t)(sizeof((const ak_comm_array[]){__VA_ARGS__}) / \
                      sizeof(ak_comm_array)))

#endif
