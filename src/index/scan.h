/* index/scan.h - every query against every row, exactly, in blocks.
 *
 * Sparse rows under a diagonal model: a block of queries is scattered into a
 * table of d x AK_SCAN_QUERIES numbers, and one pass over the non-zeros of the
 * rows serves them all. Models that embed: blocks of matrix products. Memory
 * is a block of scores a worker, never n x n. */
#ifndef AK_INDEX_SCAN_H
#define AK_INDEX_SCAN_H

#include "model/model.h"

enum { AK_SCAN_QUERIES = 16 };

typedef struct ak_scan ak_scan;

/* Rows and model are borrowed. */
akin_status ak_scan_new(ak_scan **out, akin_ctx *ctx, const akin_model *m,
                        const akin_rows *rows, akin_compare by);
void ak_scan_free(ak_scan *s, akin_ctx *ctx);

/* Called for each query in turn, from any worker: scores[i] of every row. */
typedef akin_status (*ak_scan_fn)(void *arg, int64_t query,
                                  const double *scores, int64_t worker);
/* All queries, or those numbered in `which` (NULL: all `count` of them). */
akin_status ak_scan_run(ak_scan *s, akin_ctx *ctx, const akin_rows *queries,
                        const int64_t *which, int64_t count, ak_scan_fn fn,
                        void *arg);

#endif
