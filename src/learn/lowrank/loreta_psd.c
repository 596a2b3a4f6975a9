/* LORETA-PSD: W = Y Y' of rank k, one triplet at a time; learn/lowrank/loreta.h
 * has (1) to (4) and [1]. Each step is [1] Algorithm 5 in
 * learn/lowrank/retract.h, with p = x and q = D. */
#include "learn/lowrank/lowrank.h"

static akin_status psd_step(void *state, akin_ctx *ctx, ak_lesson *l)
{
    ak_lowrank *s = state;
    if (!s->is_ready)
        return ak_lowrank_pretrain(s, ctx, l);
    const ak_stride stride = ak_lowrank_stride(s, l);
    return ak_retract_psd(&s->A, ctx, l->q, l->D, &stride);
}

static const ak_loreta_rule rule = {ak_lowrank_margin, psd_step,
                                    ak_lowrank_fetch};

static akin_status psd_begin(void **state, akin_ctx *ctx,
                             const ak_online_input *in)
{
    return ak_lowrank_new(state, ctx, in->options, in->data, in->resume, true,
                          &rule);
}

static const akin_option options[] = {
    AK_LORETA_OPTIONS(akin_loreta_psd_options),
    AK_AVERAGE_OPTION(akin_loreta_psd_options),
    AK_OPTION(akin_loreta_psd_options, blend, 0.0, 1e6,
              "how much the cosine of the rows themselves counts beside the "
              "learned one, for kinds of rows never learned from"),
};
AK_OPTIONS_COVER(akin_loreta_psd_options, options);

static const akin_loreta_psd_options defaults = AKIN_LORETA_PSD_DEFAULTS;

static const ak_online online = {
    .begin = psd_begin,
    .observe = ak_loreta_observe,
    .score = ak_loreta_score,
    .set_step_scale = ak_loreta_set_step_scale,
    .model = ak_lowrank_model,
    .save = ak_lowrank_save,
    .free = ak_lowrank_free,
};

const ak_learner ak_learner_loreta_psd = {
    .info =
        {
            .name = "loreta-psd",
            .summary = "low-rank symmetric similarity, online on the manifold",
            .when = "text of known classes; learns fast, compares by cosine",
            .paper = "shalit2012loreta",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "psd",
            .is_online = 1,
            .recipe = &ak_recipe_text,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
};
