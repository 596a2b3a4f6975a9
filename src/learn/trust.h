/* learn/trust.h - how far to go from the measure where learning began to the
 * one that it found.
 *
 * Triplets of a class say what makes two rows of it alike; the nearest row may
 * depend on something else. So the labelled rows, a sample of them, query each
 * other under a measure that went only a share of the way, 1, 1/2, 1/4, 1/8 or
 * 0. The share with the best sum of mean average precision and precision at 1
 * is taken, among those that have neither more than a standard error below
 * share 0. */
#ifndef AK_LEARN_TRUST_H
#define AK_LEARN_TRUST_H

#include "learn/learner.h"

typedef struct ak_trust_rows {
    const akin_rows *rows;
    int64_t *chosen, n;  // rows that are ranked
    int64_t queries;     // of them, those that query
} ak_trust_rows;

/* Query q is this one of the chosen rows. */
int64_t ak_trust_query(const ak_trust_rows *t, int64_t q);

/* The scores of all chosen rows for every query, queries x n, under a share. */
typedef akin_status (*ak_trust_scores_fn)(void *arg, akin_ctx *ctx,
                                          const ak_trust_rows *t, double share,
                                          double *scores);
/* A score costs about `width` products. Without labels to learn from the share
 * is 1. */
akin_status ak_trust_share(double *share, akin_ctx *ctx,
                           const akin_supervision *data, double width,
                           ak_trust_scores_fn fn, void *arg);

#endif
