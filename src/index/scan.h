/* index/scan.h - every query against every row, exactly, in blocks.
 *
 * Sparse rows under a diagonal model: columns that many rows have are compared
 * through a table of a block of queries, in one pass over the rows; the others
 * through lists of the rows that have them. Models that embed, and dense rows:
 * blocks of matrix products. Memory is a block of scores and, for sparse rows,
 * a copy of their non-zeros; never n x n.
 *
 * A score depends on the rows, the model and its query alone: not on the
 * number of threads, nor on the queries beside it. */
#ifndef AK_INDEX_SCAN_H
#define AK_INDEX_SCAN_H

#include "model/model.h"

enum { AK_SCAN_QUERIES = 16 };

typedef struct ak_scan ak_scan;

/* Rows and model are borrowed. */
akin_status ak_scan_new(ak_scan **out, akin_ctx *ctx, const akin_model *m,
                        const akin_rows *rows, akin_compare by);
void ak_scan_free(ak_scan *s, akin_ctx *ctx);

/* Called once for each query, from any worker and in any order: query number t
 * of `count`, and scores[i] of every row. */
typedef akin_status (*ak_scan_fn)(void *arg, int64_t t, const double *scores,
                                  int64_t worker);
/* Query t is row which[t] of `queries`, or row t when `which` is NULL. */
akin_status ak_scan_run(const ak_scan *s, akin_ctx *ctx,
                        const akin_rows *queries, const int64_t *which,
                        int64_t count, ak_scan_fn fn, void *arg);

#endif
