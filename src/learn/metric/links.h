/* learn/metric/links.h - pairs of rows that must be near, or far. */
#ifndef AK_LEARN_METRIC_LINKS_H
#define AK_LEARN_METRIC_LINKS_H

#include "learn/learner.h"

/* Pairs as constraints on a metric: without order (of rows of one file) and
 * without repeats, the similar ones first, each part rising. Scratch memory of
 * the context. */
typedef struct ak_links {
    int64_t count, similar;
    int64_t *ij;  // 2 numbers each
} ak_links;

/* Pairs to learn from: those given, without those of a row and itself; or, of
 * labels, all pairs of rows that have one, and where these are more than
 * --sample (0: `most`), so many drawn at random, half of them similar where
 * there are enough.
 * EINVAL: a pair is given as both; there is none; labels of one class, or none
 * that two rows share. */
akin_status ak_links_of(ak_links *out, akin_ctx *ctx,
                        const akin_supervision *data, int64_t most);

/* So many pairs drawn from labels, none twice: 3 numbers each as in a file,
 * scratch memory. Fewer where there are not so many. */
akin_status ak_links_draw(int64_t **numbers, int64_t *count, akin_ctx *ctx,
                          const akin_supervision *data, int64_t most);

/* The known rows that have a label, rising. EINVAL as for labels above. */
akin_status ak_labelled_rows(int64_t **rows, int64_t *n, akin_ctx *ctx,
                             const akin_supervision *data);

/* Rows as numbers, n x d, scratch memory. `which` NULL: the first n. */
akin_status ak_points_of(double **X, akin_ctx *ctx, const akin_rows *rows,
                         const int64_t *which, int64_t n);
/* The rows that stand first or second in a pair (`side` 0 or 1; 2: either) as
 * numbers, and the pairs numbered by them from now on. */
akin_status ak_links_points(double **X, int64_t *n, akin_ctx *ctx,
                            ak_links *pairs, const akin_rows *rows, int side);

/* Of some rows: do number i and number j of them share a label? */
typedef struct ak_labelled {
    const akin_rows *rows;
    const int64_t *which;
} ak_labelled;

bool ak_labelled_same(const void *labelled, int64_t i, int64_t j);

static inline double ak_links_sign(const ak_links *p, int64_t t)
{
    return t < p->similar ? 1.0 : -1.0;
}

#endif
