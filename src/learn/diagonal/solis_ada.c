/* SOLIS by adaptive dual averaging; learn/diagonal/solis.h has (1) to (4) and
 * [1].
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
#include "learn/diagonal/solis.h"

typedef struct cell {
    double s;
    double G;
} cell;

static double ada_value(const ak_solis *s, const double *state)
{
    const cell *c = (const cell *)state;
    return -s->eta * ak_solis_inverse_H(s->delta, c->G) *
           ak_soft(c->s, s->lambda * (double)s->T);
}

/* (8) of coordinates side by side: w comes as s. */
AK_CLONES
static void ada_weights(double eta, double cut, int64_t n, const double *h,
                        double *w)
{
    for (int64_t k = 0; k < n; ++k)
        w[k] = -eta * h[k] * ak_soft(w[k], cut);
}

static void ada_read(const ak_solis *s, int64_t n, const int32_t *cols)
{
    const cell *cells = (const cell *)s->cells;
    for (int64_t k = 0; k < n; ++k) {
        s->w[k] = cells[cols[k]].s;
        s->G[k] = cells[cols[k]].G;
    }
    ak_solis_inverse_Hs(s->delta, n, s->G, s->h);  // (6)
    ada_weights(s->eta, s->lambda * (double)s->T, n, s->h, s->w);
}

static void ada_write(const ak_solis *s, int64_t n, const int32_t *cols,
                      const double *v)
{
    cell *cells = (cell *)s->cells;
    AK_DISTINCT
    for (int64_t k = 0; k < n; ++k) {
        cell *c = &cells[cols[k]];
        c->s -= v[k];  // s += g
        c->G = s->G[k] + v[k] * v[k];
    }
}

static double ada_round(ak_solis *s, int64_t n, const int32_t *cols,
                        const double *v)
{
    ada_read(s, n, cols);
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
