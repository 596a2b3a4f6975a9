/* learn/metric/full_metric.h - what learners of a full metric share. */
#ifndef AK_LEARN_METRIC_FULL_METRIC_H
#define AK_LEARN_METRIC_FULL_METRIC_H

#include "learn/metric/constraints.h"
#include "model/metric.h"

/* Every column between 0 and 1. */
extern const akin_recipe_options ak_recipe_minmax;

/* Pairs taken from labels when no sample size is given. */
enum { AK_METRIC_PAIRS = 10000 };

/* Columns at most: time grows with the cube, memory with the square. */
enum { AK_METRIC_COLUMNS = 5000, AK_METRIC_NUMBERS = 100000000 };

/* EINVAL: there are fewer than two rows, or all are equal. */
akin_status ak_metric_check_rows(akin_ctx *ctx, const akin_options *options,
                                 const akin_rows *rows);

/* ESHAPE: n of these rows are too many for a learner that decomposes X'X or
 * X X': n and d are both more than AK_METRIC_COLUMNS, or the rows are sparse
 * and have more than AK_METRIC_NUMBERS as a table. */
akin_status ak_metric_check_size(akin_ctx *ctx, const akin_options *options,
                                 const akin_rows *rows, int64_t n);

/* The model of M (d x d), or of its factor where M has lower rank. A `rank` k
 * above 0 and below d keeps the k directions of the learned space in which
 * `rows` vary most: no other projection to k dimensions changes their distances
 * less. */
akin_status ak_metric_learned(akin_model **out, akin_ctx *ctx,
                              const akin_rows *rows, const double *M,
                              int64_t rank);

/* The same for M = B B', B d x k. */
akin_status ak_metric_learned_factor(akin_model **out, akin_ctx *ctx,
                                     const akin_rows *rows, int64_t k,
                                     const double *B, int64_t rank);

/* The starting transform of n points X, d x rank: the identity, or the first
 * principal components where `rank` is below d. */
akin_status ak_metric_start(akin_ctx *ctx, int64_t n, int64_t d,
                            const double *X, int64_t rank, double *B);
/* The model of a transform B (d x rank): M = B B' where it is square. */
akin_status ak_metric_of_transform(akin_model **out, akin_ctx *ctx, int64_t d,
                                   int64_t rank, const double *B);
/* The dimension of the learned space: 0 or more than d means d. */
static inline int64_t ak_metric_rank(int64_t rank, int64_t d)
{
    return rank > 0 && rank < d ? rank : d;
}

/* How an iteration ended, for akin_learn_info. */
static inline void ak_metric_ended(akin_learn_info *info, bool converged,
                                   int64_t updates, int64_t iterations,
                                   double objective)
{
    info->outcome = converged ? AKIN_CONVERGED : AKIN_STEP_LIMIT;
    info->updates = updates;
    info->iterations = iterations;
    info->objective = objective;
}

/* A number about the model, shown by info. */
akin_status ak_metric_note(akin_model *m, akin_ctx *ctx, const char *key,
                           double value);
/* The largest number not above x that %.*g prints with `digits`. */
double ak_printed_below(double x, int digits);
static inline double ak_printed_above(double x, int digits)
{
    return -ak_printed_below(-x, digits);
}

#define AK_METRIC_RANK_OPTION(type)                       \
    AK_OPTION(type, rank, 0, 1e6,                         \
              "dimensions kept of the learned space, by " \
              "principal components; 0: all")

#endif
