/* Passive-aggressive steps on the factors, W = A B'; learn/loreta.h has (1) to
 * (4).
 *
 *   A <- A + min(C, loss / (|x|^2 |B'D|^2)) x (B'D)'      (5)
 *   B <- B + min(C, loss / (|D|^2 |A'x|^2)) D (A'x)'      (6)
 *
 * Each is the smallest change of one factor, the other held, that ends the
 * loss. Order "sequential": (6) has the A of (5) and the loss that it left;
 * "simultaneous": both have the old ones. [1] section 7.1.4. */
#include <math.h>

#include "learn/plain.h"

/* The length of a step along x v' where the loss falls by |x|^2 |v|^2 each
 * unit; 0 where there is nothing to do or no way to. */
static double pa_length(double C, double loss, double x2, int64_t k,
                        const double *v)
{
    const double fall = x2 * ak_small_dot(k, v, v);
    return loss > 0.0 && fall > 0.0 ? fmin(C, loss / fall) : 0.0;
}

static akin_status pa_step(void *state, akin_ctx *ctx, ak_lesson *l)
{
    ak_plain *s = state;
    (void)ctx;
    const double eta_A = pa_length(s->C, l->loss, l->q2, s->k, s->BD);
    double loss = l->loss;
    ak_rows_add(s->k, s->A, l->q, eta_A, s->BD);  // (5)
    if (!s->at_once) {
        for (int64_t c = 0; c < s->k; ++c)
            s->Aq[c] += eta_A * l->q2 * s->BD[c];
        loss = 1.0 - ak_small_dot(s->k, s->Aq, s->BD);
    }
    const double eta_B = pa_length(s->C, loss, l->D2, s->k, s->Aq);
    ak_rows_add(s->k, s->B, l->D, eta_B, s->Aq);  // (6)
    return AKIN_OK;
}

static const akin_option options[] = {
    AK_RANK_OPTION(akin_pa_options),
    AK_OPTION_GRID(akin_pa_options, C, 1e-12, 1e12,
                   "largest step for one triplet", 0.03, 0.1, 0.3, 1.0),
    AK_OPTION_WORD(akin_pa_options, order, "sequential|simultaneous",
                   "the second factor sees the step of the first, or not"),
    AK_START_OPTIONS(akin_pa_options),
};
AK_OPTIONS_COVER(akin_pa_options, options);

static const akin_pa_options defaults = AKIN_PA_DEFAULTS;

static const ak_plain_rule rule = {{ak_plain_margin, pa_step}, false};
static const ak_online online = AK_PLAIN_ONLINE(&rule);

const ak_learner ak_learner_pa = {
    .info =
        {
            .name = "pa",
            .summary = "low-rank similarity by passive-aggressive steps",
            .when = "to compare loreta-1 with; the step needs no tuning",
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
