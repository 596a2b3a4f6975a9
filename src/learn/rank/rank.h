/* learn/rank/rank.h - what the learners that rank labels share.
 *
 *   s     = W x,  W labels x features                             (1)
 *   ybar  = argmax of s over the labels that x does not have      (2)
 *   loss  = sum over its labels i of max(0, 1 - s_i + s_ybar)     (3)
 *   u_i   = 1 where i adds to (3), u_ybar = minus their number    (4)
 *   -grad = u x'                                                  (5)
 *
 * A tie in (2) goes to the label with the lowest number. A row that has all
 * labels gives no step.
 *
 * With WARP sampling, wrong labels are drawn instead of (2): for each label i
 * of the row until one, y, violates the margin, s_y > s_i - 1; i and y then
 * have the weight of learn/warp.h in (3) and (4). Only labels that are drawn
 * need a score. The number of draws per label is limited so that a row costs no
 * more than all scores would.
 *
 * A learner may ask for a constant column, the last of d: every row then has
 * the root of the mean square of all numbers of the rows there, so that a label
 * can be the best for rows in the middle of the others. */
#ifndef AK_LEARN_RANK_RANK_H
#define AK_LEARN_RANK_RANK_H

#include "base/rng.h"
#include "learn/learner.h"
#include "learn/lowrank/sparse_vectors.h"
#include "learn/lowrank/start.h"
#include "model/ranker.h"

/* What one learner provides: (1) of all labels or of one, and the step along
 * (5). `prepare` is called before the scores of a row; may be NULL. */
typedef struct ak_rank_rule {
    void (*prepare)(void *state, ak_spvec x);
    void (*scores)(void *state, ak_spvec x, double *scores);
    double (*score)(void *state, ak_spvec x, int64_t label);
    akin_status (*step)(void *state, akin_ctx *ctx);
} ak_rank_rule;

/* First member of every state: the labels, and the current row. */
typedef struct ak_rank {
    const ak_rank_rule *rule;
    int64_t n;  // labels
    int64_t d;  // features
    char **names;
    int32_t *map;        // labels of the rows to numbers here
    bool one;            // u_ybar is -1 whatever the number of violations
    double *scores;      // n
    unsigned char *has;  // n; all 0 between rows
    int32_t *labels;     // n: those of the row, increasing

    ak_spvec_buffer x_memory;
    int32_t *u_cols;
    double *u_vals;
    ak_spvec x, u;       // (5)
    double x2, u2;       // squared norms
    int64_t violations;  // labels that add to the loss
    double weight;       // sum of theirs: their number, except with WARP
    int64_t ybar;        // -1: the row has all labels
    double loss;

    double square;    // mean |x|^2 of all rows
    double constant;  // of the last column; 0: there is none

    bool warp;
    ak_rng root;
    int64_t seen;  // examples in all runs
} ak_rank;

/* Labels as in the rows, or as in the state `resume`: EINVAL when the rows have
 * one that is not in it. `ybar` is the option of that name. */
akin_status ak_rank_begin(ak_rank *r, akin_ctx *ctx, const ak_rank_rule *rule,
                          const char *ybar, const akin_supervision *data,
                          const ak_tensors *resume);
/* The same with a constant column: d is one more than the rows have. */
akin_status ak_rank_begin_constant(ak_rank *r, akin_ctx *ctx,
                                   const ak_rank_rule *rule, const char *ybar,
                                   const akin_supervision *data,
                                   const ak_tensors *resume);
void ak_rank_end(ak_rank *r);
/* ak_online.observe; examples are row numbers. */
akin_status ak_rank_observe(void *state, akin_ctx *ctx, const akin_rows *rows,
                            const int64_t *which, int64_t count,
                            akin_learn_info *info);
akin_status ak_rank_save(const ak_rank *r, akin_ctx *ctx, ak_tensors *t);
/* A model of W, d x n, the row of a constant column the offsets of labels. */
akin_status ak_rank_model(akin_model **out, akin_ctx *ctx, const ak_rank *r,
                          const double *W);
/* For M kept by feature, d x n: M <- M + eta u x'; and entry l of M x. */
void ak_rank_add(const ak_rank *r, double eta, double *M);
double ak_rank_score(const ak_rank *r, const double *M, ak_spvec x, int64_t l);

/* ---- W = A B', labels x features ------------------------------------------
 *
 * A learner keeps and updates its factors; the rest is shared. With a start
 * from zero (learn/lowrank/start.h) there is a full matrix before the factors.
 */

/* What one learner provides; all but `eta` are called with factors only. */
typedef struct ak_rank_factors_rule {
    /* Factors to start with; NULL: the identity. */
    akin_status (*set)(void *state, akin_ctx *ctx, const double *A,
                       const double *B);
    akin_status (*load)(void *state, akin_ctx *ctx, const ak_tensors *t);
    akin_status (*save)(const void *state, akin_ctx *ctx, ak_tensors *t);
    void (*copy)(const void *state, double *A, double *B);
    /* Before the scores of a row; then the score of one label. */
    void (*prepare)(void *state, ak_spvec x);
    double (*score)(const void *state, int64_t label);
    akin_status (*step)(void *state, akin_ctx *ctx);
    /* The length of a step of the full matrix; 0: no step. */
    double (*eta)(const void *state);
} ak_rank_factors_rule;

/* First member of every state. */
typedef struct ak_rank_factors {
    ak_rank rank;
    const ak_rank_factors_rule *rule;
    int64_t k;
    bool is_ready;  // false: still on the full matrix of a start from zero
    ak_zero zero;
} ak_rank_factors;

/* Into zeroed memory, when what `set` and `load` need is there; k, ybar and
 * start are the options. */
akin_status ak_rank_factors_begin(ak_rank_factors *s, akin_ctx *ctx,
                                  const ak_online_input *in,
                                  const ak_rank_factors_rule *rule, int64_t k,
                                  const char *ybar, const char *start);
void ak_rank_factors_end(ak_rank_factors *s);
/* For ak_online. */
akin_status ak_rank_factors_model(akin_model **out, akin_ctx *ctx, void *state);
akin_status ak_rank_factors_save(const void *state, akin_ctx *ctx,
                                 ak_tensors *t);
#define AK_RANK_FACTORS_ONLINE                                  \
    .observe = ak_rank_observe, .model = ak_rank_factors_model, \
    .save = ak_rank_factors_save

/* ---- the mean of all states ------------------------------------------------
 *
 * A step of M, d x n, at row t is missing in the states before it. So the mean
 * of the states after T rows is
 *
 *   M - late / T,  late <- late + (t - 1) eta u x'                (6)
 */

/* `late`, for the option `average` or as in the state; NULL: there is no mean.
 */
akin_status ak_rank_late_begin(double **late, akin_ctx *ctx, const ak_rank *r,
                               const char *average, const ak_tensors *resume);
/* At a step of M along eta u x'. */
void ak_rank_late_add(const ak_rank *r, double eta, double *late);
/* (6); a copy of M where there is no mean. */
void ak_rank_late_mean(const ak_rank *r, const double *M, const double *late,
                       double *mean);
akin_status ak_rank_late_save(const ak_rank *r, akin_ctx *ctx,
                              const double *late, ak_tensors *t);

/* Rows of the option tables. */
#define AK_RANK_CONSTANT(type)                                              \
    AK_OPTION_WORD(type, constant, "auto|none|one",                         \
                   "a constant column beside those of the rows; auto: for " \
                   "dense rows")
#define AK_RANK_AVERAGE(type)                                            \
    AK_OPTION_WORD(type, average, "auto|none|all",                       \
                   "the matrix as it is at the end, or the mean of all " \
                   "that were before; auto: all for dense rows")
#define AK_RANK_UNITS(type)                                                \
    AK_OPTION_WORD(type, units, "auto|relative|absolute",                  \
                   "steps relative to the squared length of the rows, or " \
                   "as published; auto: relative for dense rows")
#define AK_RANK_TASK(type)                        \
    AK_OPTION_WORD(type, task, "similarity|rank", \
                   "compare rows, or rank their labels")
#define AK_RANK_YBAR(type)                                                  \
    AK_OPTION_WORD_IF(type, ybar, "count|one", "task=rank",                 \
                      "push the best wrong label down once per violation, " \
                      "or once per row, as the paper prints")

#endif
