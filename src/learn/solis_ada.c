/* SOLIS by adaptive dual averaging; learn/solis.h has (1) to (4) and [1].
 *
 *   gbar = (1/t) sum of g over all t rounds             (5)
 *   G    = sum of g^2,  H = delta + sqrt G              (6)  [1] eq. 21
 *   w    = -(eta t / H) soft(gbar, lambda)              (7)  [1] eq. 22a
 *
 * Kept are the sums s = t gbar and G: with T the round of the last step,
 *
 *   w_j = -(eta / H_j) soft(s_j, lambda T)              (8)
 *
 * H_j = 0 (delta = 0, never touched) means w_j = 0. */
#include "learn/solis.h"

typedef struct cell {
    double s;
    double G;
    double h;  // 1 / H, or 0 where H = 0
} cell;

static void ada_refresh(const ak_solis *s, double *state)
{
    cell *c = (cell *)state;
    if (c->s != 0.0 || c->G != 0.0)  // has been touched
        c->h = ak_solis_inverse_H(s->delta, c->G);
}

static double ada_value(const ak_solis *s, const double *state)
{
    const cell *c = (const cell *)state;
    return -s->eta * c->h * ak_soft(c->s, s->lambda * (double)s->T);
}

AK_CLONES
static void ada_read(const ak_solis *s, int64_t n, const int32_t *cols,
                     double *w)
{
    const cell *cells = (const cell *)s->cells;
    const double eta = s->eta, cut = s->lambda * (double)s->T;
    for (int64_t k = 0; k < n; ++k) {
        const cell *c = &cells[cols[k]];
        w[k] = -eta * c->h * ak_soft(c->s, cut);  // (8)
    }
}

static void ada_write(const ak_solis *s, int64_t n, const int32_t *cols,
                      const double *v)
{
    cell *cells = (cell *)s->cells;
    for (int64_t k = 0; k < n; ++k) {
        cell *c = &cells[cols[k]];
        s->G[k] = c->G + v[k] * v[k];
        c->s -= v[k];  // s += g
        c->G = s->G[k];
    }
    ak_solis_inverse_Hs(s->delta, n, s->G, s->h);  // (6)
    for (int64_t k = 0; k < n; ++k)
        cells[cols[k]].h = s->h[k];
}

static double ada_round(ak_solis *s, int64_t n, const int32_t *cols,
                        const double *v)
{
    ada_read(s, n, cols, s->w);
    const double loss = ak_solis_loss(s, n, cols, v);
    if (loss > 0.0)
        ada_write(s, n, cols, v);
    ak_solis_advance(s, loss > 0.0);
    return loss;
}

static const ak_solis_rule rule = {
    .width = sizeof(cell) / sizeof(double),
    .round = ada_round,
    .value = ada_value,
    .refresh = ada_refresh,
};

static const akin_option options[] = {
    AK_SOLIS_ETA(akin_solis_ada_options),
    AK_SOLIS_LAMBDA(akin_solis_ada_options),
    AK_SOLIS_DELTA(akin_solis_ada_options),
    AK_SOLIS_OPTIONS(akin_solis_ada_options),
};
AK_OPTIONS_COVER(akin_solis_ada_options, options);

static const akin_solis_ada_options defaults = AKIN_SOLIS_ADA_DEFAULTS;

static const ak_online online = AK_SOLIS_ONLINE(&rule);

const ak_learner ak_learner_solis_ada = {
    .info =
        {
            .name = "solis-ada",
            .summary = "sparse diagonal similarity by adaptive dual averaging",
            .when = "bags of words of many dimensions; the one to begin with",
            AK_SOLIS_ENTRY,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
};
