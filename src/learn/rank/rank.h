/* learn/rank/rank.h - what the learners that rank labels share.
 *
 *   s     = W x,  W labels x features                             (1)
 *   ybar  = argmax of s over the labels that x has not            (2)
 *   loss  = sum over its labels i of max(0, 1 - s_i + s_ybar)     (3)
 *   u_i   = 1 where i adds to (3), u_ybar = - how many do         (4)
 *   -grad = u x'                                                  (5)
 *
 * A tie in (2) goes to the label with the lowest number. A row that has all
 * labels teaches nothing.
 *
 * By --sampler warp, instead of (2) wrong labels are drawn for each label i of
 * the row until one, y, violates the margin, s_y > s_i - 1; i and y then have
 * the weight of learn/warp.h in (3) and (4). Only labels that are drawn need a
 * score. For each label at most as many draws are made as let the row cost no
 * more than all scores would. */
#ifndef AK_LEARN_RANK_RANK_H
#define AK_LEARN_RANK_RANK_H

#include "base/rng.h"
#include "learn/learner.h"
#include "learn/lowrank/factor.h"
#include "model/ranker.h"

/* What sets a learner apart: (1) after a look at the row (NULL: none is
 * needed), of all labels or of one, and the step along (5). */
typedef struct ak_rank_rule {
    void (*look)(void *state, ak_spvec x);
    void (*scores)(void *state, ak_spvec x, double *scores);
    double (*score)(void *state, ak_spvec x, int64_t label);
    akin_status (*step)(void *state, akin_ctx *ctx);
} ak_rank_rule;

/* First member of every state: the labels, and the row that is learned from,
 * in memory of its own. */
typedef struct ak_rank {
    const ak_rank_rule *rule;
    int64_t n;  // labels
    int64_t d;  // features
    char **names;
    int32_t *map;        // labels of the rows to numbers here
    bool one;            // u_ybar is -1 whatever the number of violations
    double *scores;      // n
    unsigned char *has;  // n; all 0 between rows

    int32_t *x_cols, *u_cols;
    double *x_vals, *u_vals;
    int64_t x_room;
    ak_spvec x, u;       // (5)
    double x2, u2;       // squared lengths
    int64_t violations;  // labels that add to the loss
    double weight;       // theirs, summed: their number but for warp
    int64_t ybar;        // -1: the row has all labels
    double loss;

    bool warp;
    ak_rng root;
    int64_t seen;  // examples in all runs
    int32_t *own;  // n: the labels of the row, rising
} ak_rank;

/* Labels as in the rows, or as in the state `resume`: EINVAL when the rows have
 * one that it does not know. `ybar` is the option of that name. */
akin_status ak_rank_begin(ak_rank *r, akin_ctx *ctx, const ak_rank_rule *rule,
                          const char *ybar, const akin_supervision *data,
                          const ak_tensors *resume);
void ak_rank_end(ak_rank *r);
/* ak_online.observe; examples are row numbers. */
akin_status ak_rank_observe(void *state, akin_ctx *ctx, const akin_rows *rows,
                            const int64_t *which, int64_t count,
                            akin_learn_info *info);
akin_status ak_rank_save(const ak_rank *r, akin_ctx *ctx, ak_tensors *t);
ak_labels ak_rank_labels(const ak_rank *r);
/* M kept by feature, d x n: M <- M + eta u x'; and the entry l of M x. */
void ak_rank_add(const ak_rank *r, double eta, double *M);
double ak_rank_score(const ak_rank *r, const double *M, ak_spvec x, int64_t l);

/* Where a factor begins, n x k for the left one (labels) and d x k for the
 * other: "identity" (NULL), "gauss", or that of a ranker in a file; scratch. */
akin_status ak_rank_start(double **A, akin_ctx *ctx, const char *start,
                          akin_side side, const ak_rank *r, int64_t k);

/* Where a learner does both: whether rows are compared or labels ranked. */
#define AK_RANK_TASK(type)                        \
    AK_OPTION_WORD(type, task, "similarity|rank", \
                   "compare rows, or rank their labels")
#define AK_RANK_ETA(type) \
    AK_OPTION_GRID(type, eta, 1e-12, 1e6, "size of a step", 0.03, 0.1, 0.3, 1.0)
#define AK_RANK_YBAR(type)                                                  \
    AK_OPTION_WORD_IF(type, ybar, "count|one", "task=rank",                 \
                      "push the best wrong label down once for each label " \
                      "that it is above, or once in all, as the paper prints")

#endif
