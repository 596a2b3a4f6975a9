/* Gradient descent on the factors, W = A B'; learn/lowrank/loreta.h has (1) to
 * (4).
 *
 *   A <- A + eta x (B'D)'          (5)
 *   B <- B + eta D (A'x)'          (6)  with A as it was before (5)
 *
 * [1] section 7.1.4, the measure that the manifold is compared with. */
#include "learn/lowrank/plain.h"

static akin_status gd_step(void *state, akin_ctx *ctx, ak_lesson *l)
{
    ak_plain *s = state;
    const double eta = s->eta * s->head.step_scale;
    (void)ctx;
    ak_rows_add(s->k, s->A, l->q, eta, s->BD);  // (5)
    ak_rows_add(s->k, s->B, l->D, eta, s->Aq);  // (6)
    return AKIN_OK;
}

static const akin_option options[] = {
    AK_RANK_OPTION(akin_gd_options),
    AK_OPTION_GRID(akin_gd_options, eta, 1e-12, 1e6, "size of a step", 0.03,
                   0.1, 0.3, 1.0),
    AK_START_OPTIONS(akin_gd_options),
    AK_AVERAGE_OPTION(akin_gd_options),
};
AK_OPTIONS_COVER(akin_gd_options, options);

static const akin_gd_options defaults = AKIN_GD_DEFAULTS;

static const ak_plain_rule rule = {{ak_plain_margin, gd_step, NULL}, false};
static const ak_online online = AK_PLAIN_ONLINE(&rule);

const ak_learner ak_learner_gd = {
    .info =
        {
            .name = "gd",
            .summary = "low-rank similarity by gradient steps on its factors",
            .when = "to compare loreta-1 with",
            .paper = "shalit2012loreta",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "factored",
            .is_online = 1,
            .recipe = &ak_recipe_text,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
};
