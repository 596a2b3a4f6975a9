/* learn/metric/lmnn.h - the problem that LMNN solves: a transform under which
 * points are nearer to their targets than to impostors, by a margin. */
#ifndef AK_LEARN_METRIC_LMNN_H
#define AK_LEARN_METRIC_LMNN_H

#include "base/ctx.h"

typedef struct ak_lmnn {
    int64_t n, d, rank;
    const double *X;  // n x d
    /* Point i has the targets targets[offsets[i]..[i + 1]). */
    const int64_t *offsets, *targets;
    /* Points that must be further from i than a target: those that differ from
     * i, or, where that is NULL, those listed for each target t:
     * far[far_offsets[t]..[t + 1]). */
    bool (*differ)(const void *arg, int64_t i, int64_t l);
    const void *arg;
    const int64_t *far_offsets, *far;
    double mu;      // weight of the margins; 1 - mu weighs the distances to
                    // targets, in [0, 1]
    double lambda;  // weight of staying near the start
    double tol;     // least relative progress in ten iterations
    int64_t max_iterations;

    double *B;         // d x rank, the start and then the transform
    double objective;  // written, as are the others below
    double first;      // objective of the start
    int64_t iterations;
    int64_t active;  // triplets inside the margin at the end
    bool converged;
} ak_lmnn;

akin_status ak_lmnn_run(ak_lmnn *p, akin_ctx *ctx);

#endif
