/* eval/queries.h - the measures of single queries and pairs, of which
 * akin/eval.h gives the means. */
#ifndef AK_EVAL_QUERIES_H
#define AK_EVAL_QUERIES_H

#include <akin/eval.h>

/* As akin_eval_retrieval. Both arrays have room for every query; `first`, which
 * may be NULL, is 1 where the nearest row is relevant, else 0. NAN: nothing is
 * relevant. */
akin_status ak_eval_queries(akin_retrieval *out, double *ap, double *first,
                            akin_ctx *ctx, const akin_model *m,
                            const akin_rows *rows,
                            const akin_retrieval_options *o);

/* As akin_eval_rank; `first` is 1 where the first label is right. NAN: the row
 * has no label. */
akin_status ak_eval_labels(akin_ranking *out, double *ap, double *first,
                           akin_ctx *ctx, const akin_model *m,
                           const akin_rows *rows);

/* The same for a model that compares rows: `queries` are row numbers, and a
 * label ranks by the nearest other row that has it. `exclude`: NULL, or 1 for
 * rows that do not count. */
akin_status ak_eval_nearest_labels(double *ap, double *first, akin_ctx *ctx,
                                   const akin_model *m, const akin_rows *rows,
                                   const int64_t *queries, int64_t n_queries,
                                   const unsigned char *exclude,
                                   akin_compare by);

/* For each pair (i j y) the share of the pairs of the other kind whose score is
 * on the right side of its own, ties as half. The mean over the pairs that
 * match is the area under the ROC curve, and so is the mean over the others
 * (DeLong, DeLong and Clarke-Pearson, Biometrics 1988). EINVAL: all match, or
 * none. */
akin_status ak_eval_pair_shares(double *shares, akin_ctx *ctx,
                                const double *scores, const int64_t *pairs,
                                int64_t count);

#endif
