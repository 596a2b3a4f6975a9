/* Gradient descent on the factor of W = Y Y'; learn/lowrank/loreta.h has (1) to
 * (4).
 *
 *   Y <- Y + eta (x (Y'D)' + D (Y'x)')      (5)  both with the Y before it
 *
 * [1] section 7.1.4, the measure that loreta-psd is compared with. */
#include "learn/lowrank/plain.h"

static akin_status psd_gd_step(void *state, akin_ctx *ctx, ak_lesson *l)
{
    ak_plain *s = state;
    const double eta = s->eta * s->head.step_scale;
    (void)ctx;
    /* The two vectors were taken for the margin, before anything moves. */
    ak_rows_add(s->k, s->A, l->q, eta, s->BD);
    ak_rows_add(s->k, s->A, l->D, eta, s->Aq);
    return AKIN_OK;
}

static const akin_option options[] = {
    AK_RANK_OPTION(akin_psd_gd_options),
    AK_OPTION_GRID(akin_psd_gd_options, eta, 1e-12, 1e6, "size of a step", 0.03,
                   0.1, 0.3, 1.0),
    AK_START_OPTIONS(akin_psd_gd_options),
    AK_AVERAGE_OPTION(akin_psd_gd_options),
};
AK_OPTIONS_COVER(akin_psd_gd_options, options);

static const akin_psd_gd_options defaults = AKIN_PSD_GD_DEFAULTS;

static const ak_plain_rule rule = {{ak_plain_margin, psd_gd_step, NULL}, true};
static const ak_online online = AK_PLAIN_ONLINE(&rule);

const ak_learner ak_learner_psd_gd = {
    .info =
        {
            .name = "psd-gd",
            .summary = "low-rank symmetric similarity by gradient steps",
            .when = "to compare loreta-psd with",
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
