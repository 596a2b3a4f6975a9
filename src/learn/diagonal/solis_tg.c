/* SOLIS by truncated gradient; learn/diagonal/solis.h has (1) to (4) and [1].
 *
 *   w <- soft(w - eta g, eta lambda)                    (5)  [1] eq. 10-11
 *
 * in every step and on all coordinates. A coordinate keeps w_j as of its last
 * touch and the number of the step after that touch; its value now is
 *
 *   soft(w_j, (N - stamp_j) eta lambda)                 (6)
 */
#include "learn/diagonal/solis.h"

typedef struct cell {
    double w;
    double stamp;  // a whole number, exact up to 2^53
} cell;

static double tg_value(const ak_solis *s, const double *state)
{
    const cell *c = (const cell *)state;
    return ak_soft(c->w, ((double)s->N - c->stamp) * s->eta * s->lambda);
}

AK_CLONES
static void tg_read(const ak_solis *s, int64_t n, const int32_t *cols,
                    double *w)
{
    const cell *cells = (const cell *)s->cells;
    const double N = (double)s->N, shrink = s->eta * s->lambda;
    for (int64_t k = 0; k < n; ++k) {
        const cell *c = &cells[cols[k]];
        w[k] = ak_soft(c->w, (N - c->stamp) * shrink);  // (6)
    }
}

AK_CLONES
static void tg_write(const ak_solis *s, int64_t n, const int32_t *cols,
                     const double *v, const double *w)
{
    cell *cells = (cell *)s->cells;
    const double eta = s->eta, shrink = s->eta * s->lambda;
    const double stamp = (double)(s->N + 1);
    AK_DISTINCT
    for (int64_t k = 0; k < n; ++k) {
        cell *c = &cells[cols[k]];
        c->w = ak_soft(w[k] + eta * v[k], shrink);  // (5), g = -v
        c->stamp = stamp;
    }
}

static double tg_round(ak_solis *s, int64_t n, const int32_t *cols,
                       const double *v)
{
    tg_read(s, n, cols, s->w);
    const double loss = ak_solis_loss(s, n, cols, v);
    if (loss > 0.0)
        tg_write(s, n, cols, v, s->w);
    ak_solis_advance(s, loss > 0.0);
    return loss;
}

static const ak_solis_rule rule = {
    .width = sizeof(cell) / sizeof(double),
    .round = tg_round,
    .value = tg_value,
};

static const akin_option options[] = {
    AK_SOLIS_ETA(akin_solis_tg_options),
    AK_SOLIS_LAMBDA(akin_solis_tg_options),
    AK_SOLIS_OPTIONS(akin_solis_tg_options),
};
AK_OPTIONS_COVER(akin_solis_tg_options, options);

static const akin_solis_tg_options defaults = AKIN_SOLIS_TG_DEFAULTS;

static const ak_online online = AK_SOLIS_ONLINE(&rule);

const ak_learner ak_learner_solis_tg = {
    .info =
        {
            .name = "solis-tg",
            .summary = "sparse diagonal similarity by truncated gradient",
            .when = "the simplest of the four; to compare with",
            AK_SOLIS_ENTRY,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
};
