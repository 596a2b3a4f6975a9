/* learn/metric/constraints.h - pairs of rows that must be near, or far. */
#ifndef AK_LEARN_METRIC_CONSTRAINTS_H
#define AK_LEARN_METRIC_CONSTRAINTS_H

#include "learn/learner.h"

/* Pairs as constraints on a metric: unordered (within one set of rows), without
 * duplicates, similar ones first, each part sorted. Scratch memory of the
 * context. */
typedef struct ak_constraints {
    int64_t count, similar;
    int64_t *ij;  // 2 numbers each
} ak_constraints;

/* Pairs to learn from: those given, except pairs of a row with itself; or, from
 * labels, all pairs of labelled rows, and where these are more than the sample
 * size (0: `most`), that many drawn at random, half of them similar if there
 * are enough.
 * EINVAL: a pair is given as similar and dissimilar; there are no pairs; labels
 * of one class, or none that two rows share. */
akin_status ak_constraints_of(ak_constraints *out, akin_ctx *ctx,
                              const akin_supervision *data, int64_t most);

/* `most` distinct pairs drawn from labels, fewer if there are not so many: 3
 * numbers each as in a file, scratch memory. */
akin_status ak_constraints_draw(int64_t **numbers, int64_t *count,
                                akin_ctx *ctx, const akin_supervision *data,
                                int64_t most);

/* The rows that occur in pairs as a dense n x d matrix; the pairs then hold row
 * numbers of X. */
akin_status ak_constraints_points(double **X, int64_t *n, akin_ctx *ctx,
                                  ak_constraints *pairs, const akin_rows *rows);

/* T = sum vv' over similar pairs - far times the same over dissimilar ones,
 * v = x_i - x_j of rows of X. */
akin_status ak_constraints_scatter(akin_ctx *ctx, int64_t d, const double *X,
                                   const ak_constraints *pairs, double far,
                                   double *T);

/* Rows as a dense n x d matrix, scratch memory. `which` NULL: the first n. */
akin_status ak_rows_matrix(double **X, akin_ctx *ctx, const akin_rows *rows,
                           const int64_t *which, int64_t n);

/* The known rows that have a label, in order. EINVAL as for labels above. */
akin_status ak_labelled_rows(int64_t **rows, int64_t *n, akin_ctx *ctx,
                             const akin_supervision *data);

/* Some labelled rows: do number i and number j of them share a label? */
typedef struct ak_labelled {
    const akin_rows *rows;
    const int64_t *which;
} ak_labelled;

bool ak_labelled_same(const void *labelled, int64_t i, int64_t j);

#endif
