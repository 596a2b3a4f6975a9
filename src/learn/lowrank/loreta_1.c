/* LORETA-1: W = A B' of rank k, one triplet at a time, on the manifold of
 * matrices of that rank; learn/lowrank/loreta.h has (1) to (4) and [1].
 *
 * Each step is [1] Algorithm 4 in learn/lowrank/retract.h, with p = x and q =
 * D, so that p q' is the step against the gradient; learn/lowrank/factor.h does
 * it at the cost of the non-zeros and k^2, whatever the dimension. */
#include <string.h>

#include "learn/lowrank/lowrank.h"
#include "learn/rank/loreta_rank.h"
#include "learn/rank/rank.h"

/* For similarities, and to rank labels. */
static const double ETA = 3.0, ETA_RANK = 0.3;

static const ak_loreta_rule rule = {ak_lowrank_margin, ak_lowrank_step,
                                    ak_lowrank_fetch};

static akin_status loreta_begin(void **state, akin_ctx *ctx,
                                const ak_online_input *in)
{
    return ak_lowrank_new(state, ctx, in->options, in->data, in->resume, false,
                          &rule);
}

static void derive(akin_options *options)
{
    akin_loreta_1_options *o = (akin_loreta_1_options *)options;
    if (o->eta == 0.0)
        o->eta = strcmp(o->task, "rank") == 0 ? ETA_RANK : ETA;
}

static const akin_option options[] = {
    AK_RANK_OPTION(akin_loreta_1_options),
    AK_OPTION_GRID(akin_loreta_1_options, eta, 0.0, 1e6,
                   "size of a step; 0 = auto (3, and 0.3 to rank labels)", 0.1,
                   0.3, 1.0, 3.0, 10.0),
    AK_LORETA_MORE(akin_loreta_1_options),
    AK_AVERAGE_OPTION(akin_loreta_1_options),
    AK_RANK_TASK(akin_loreta_1_options),
    AK_RANK_YBAR(akin_loreta_1_options),
};
AK_OPTIONS_COVER(akin_loreta_1_options, options);

static const akin_loreta_1_options defaults = AKIN_LORETA_1_DEFAULTS;

static const ak_online online = {
    .begin = loreta_begin,
    .observe = ak_loreta_observe,
    .score = ak_loreta_score,
    .set_step_scale = ak_loreta_set_step_scale,
    .model = ak_lowrank_model,
    .save = ak_lowrank_save,
    .free = ak_lowrank_free,
};

const ak_learner ak_learner_loreta_1 = {
    .info =
        {
            .name = "loreta-1",
            .summary = "low-rank similarity, learned online on the manifold",
            .when = "text: words that mean the same become alike",
            .paper = "shalit2012loreta",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "factored",
            .is_online = 1,
            .recipe = &ak_recipe_text,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .derive = derive,
    .online = &online,
    .rank = &ak_loreta_rank,
};
