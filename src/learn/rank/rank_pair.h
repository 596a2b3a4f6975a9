/* learn/rank/rank_pair.h - rankers W = A B', labels x features, that may begin
 * with a full matrix: learn/rank/rank.h has (1) to (5),
 * learn/lowrank/loreta_zero.h the start.
 *
 * A learner says how it keeps and changes its factors; all else is here. */
#ifndef AK_LEARN_RANK_RANK_PAIR_H
#define AK_LEARN_RANK_RANK_PAIR_H

#include "learn/lowrank/loreta_zero.h"
#include "learn/rank/rank.h"

/* What sets a learner apart, for ak_online.rule; all but `options`, `eta` and
 * `end` are called with factors alone. */
typedef struct ak_rank_pair_rule {
    size_t size;  // of a state
    /* What the options say, and room; the labels are known. */
    akin_status (*options)(void *state, akin_ctx *ctx,
                           const akin_options *options,
                           const akin_supervision *data);
    /* Factors to begin with; NULL: the identity. */
    akin_status (*take)(void *state, akin_ctx *ctx, const double *A,
                        const double *B);
    akin_status (*load)(void *state, akin_ctx *ctx, const ak_tensors *t);
    akin_status (*save)(const void *state, akin_ctx *ctx, ak_tensors *t);
    void (*copy)(const void *state, double *A, double *B);
    /* Before the scores of a row; the score of a label, and of all. */
    void (*look)(void *state, ak_spvec x);
    double (*score)(const void *state, int64_t label);
    void (*scores)(const void *state, double *scores);
    akin_status (*step)(void *state, akin_ctx *ctx);
    /* The length of a step of the full matrix; 0: none is made. */
    double (*eta)(const void *state);
    void (*end)(void *state);  // what it holds beside
} ak_rank_pair_rule;

/* First member of every state. */
typedef struct ak_rank_pair {
    ak_rank rank;
    const ak_rank_pair_rule *rule;
    int64_t k;
    bool is_ready;  // false: still on the full matrix of a start from zero
    ak_zero zero;
} ak_rank_pair;

/* The functions of ak_online. */
akin_status ak_rank_pair_begin(void **state, akin_ctx *ctx,
                               const ak_online_input *in);
akin_status ak_rank_pair_model(akin_model **out, akin_ctx *ctx, void *state);
akin_status ak_rank_pair_save(const void *state, akin_ctx *ctx, ak_tensors *t);
void ak_rank_pair_free(void *state);

#define AK_RANK_PAIR_ONLINE(rule_)                               \
    {                                                            \
        .rule = (rule_), .begin = ak_rank_pair_begin,            \
        .observe = ak_rank_observe, .model = ak_rank_pair_model, \
        .save = ak_rank_pair_save, .free = ak_rank_pair_free     \
    }

#endif
