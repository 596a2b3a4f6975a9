/* SOLIS by dual averaging; learn/diagonal/solis.h has (1) to (4) and [1].
 *
 *   gbar = (1/t) sum of g over all t rounds             (5)
 *   w    = -(sqrt t / gamma) soft(gbar, lambda + gamma rho / sqrt t)  (6)
 *
 * [1] eq. 13 to 16. Kept is the sum s = t gbar alone: with T the round of the
 * last step,
 *
 *   w_j = -soft(s_j, lambda T + gamma rho sqrt T) / (gamma sqrt T)    (7)
 */
#include "learn/diagonal/solis.h"

/* (7) is soft(s, cut) times a factor; both change with T only. */
static double da_cut(const ak_solis *s)
{
    const double T = (double)s->T;
    return s->lambda * T + s->gamma * s->rho * sqrt(T);
}

static double da_factor(const ak_solis *s)
{
    return s->T > 0 ? -1.0 / (s->gamma * sqrt((double)s->T)) : 0.0;
}

static double da_value(const ak_solis *s, const double *cell)
{
    return da_factor(s) * ak_soft(*cell, da_cut(s));
}

AK_CLONES
static void da_read(const ak_solis *s, double cut, double factor, int64_t n,
                    const int32_t *cols, double *w)
{
    const double *sums = s->cells;
    for (int64_t k = 0; k < n; ++k)
        w[k] = factor * ak_soft(sums[cols[k]], cut);  // (7)
}

static double da_round(ak_solis *s, int64_t n, const int32_t *cols,
                       const double *v)
{
    da_read(s, da_cut(s), da_factor(s), n, cols, s->w);
    const double loss = ak_solis_loss(s, n, cols, v);
    if (loss > 0.0)
        for (int64_t k = 0; k < n; ++k)
            s->cells[cols[k]] -= v[k];  // s += g
    ak_solis_advance(s, loss > 0.0);
    return loss;
}

static const ak_solis_rule rule = {
    .width = 1,
    .round = da_round,
    .value = da_value,
};

static const akin_option options[] = {
    AK_SOLIS_LAMBDA(akin_solis_da_options),
    AK_OPTION_GRID(akin_solis_da_options, gamma, 1e-12, 1e6,
                   "how fast the weights may grow: smaller is faster", 1e-3,
                   3e-3, 1e-2, 1e-1, 1.0),
    AK_OPTION_GRID(akin_solis_da_options, rho, 0.0, 1e6,
                   "further draw to zero that fades with the rounds", 0.0, 1e-3,
                   1e-2, 1e-1),
    AK_SOLIS_OPTIONS(akin_solis_da_options),
};
AK_OPTIONS_COVER(akin_solis_da_options, options);

static const akin_solis_da_options defaults = AKIN_SOLIS_DA_DEFAULTS;

static const ak_online online = AK_SOLIS_ONLINE(&rule);

const ak_learner ak_learner_solis_da = {
    .info =
        {
            .name = "solis-da",
            .summary = "sparse diagonal similarity by dual averaging",
            .when = "the least memory: one number a dimension",
            AK_SOLIS_ENTRY,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
};
