/* SOLIS by adaptive forward-backward steps; learn/diagonal/solis.h has (1) to
 * (4), [1].
 *
 *   G <- G + g^2,  H = delta + sqrt G                   (5)  [1] eq. 18
 *   w <- soft(w - (eta/H) g, eta lambda / H)            (6)  [1] eq. 19a
 *
 * H_j stands still while g_j = 0, so the steps since the last touch of a
 * coordinate shrink it in one go:
 *
 *   w_j now = soft(w_j, (N - stamp_j) eta lambda / H_j) (7)
 *
 * H_j = 0 (delta = 0, never touched) means w_j = 0. */
#include "learn/diagonal/solis.h"

typedef struct cell {
    double w;
    double G;
    double h;  // 1 / H, or 0 where H = 0
    double stamp;
} cell;

static void afb_refresh(const ak_solis *s, double *state)
{
    cell *c = (cell *)state;
    if (c->stamp != 0.0)  // has been touched
        c->h = ak_solis_inverse_H(s->delta, c->G);
}

static double afb_value(const ak_solis *s, const double *state)
{
    const cell *c = (const cell *)state;
    return ak_soft(c->w,
                   ((double)s->N - c->stamp) * c->h * (s->eta * s->lambda));
}

/* (7) of coordinates side by side; the shrinking comes in units of its
 * factor. */
AK_CLONES
static void afb_catch_up(double shrink, int64_t n, const double *units,
                         double *w)
{
    for (int64_t k = 0; k < n; ++k)
        w[k] = ak_soft(w[k], units[k] * shrink);
}

static void afb_read(const ak_solis *s, int64_t n, const int32_t *cols)
{
    const cell *cells = (const cell *)s->cells;
    const double N = (double)s->N;
    for (int64_t k = 0; k < n; ++k) {
        const cell *c = &cells[cols[k]];
        s->w[k] = c->w;
        s->G[k] = c->G;
        s->h[k] = (N - c->stamp) * c->h;
    }
    afb_catch_up(s->eta * s->lambda, n, s->h, s->w);
}

/* (5) and (6), g = -v, of coordinates side by side. */
AK_CLONES
static void afb_step(double eta, double lambda, double delta, int64_t n,
                     const double *v, double *G, double *h, double *w)
{
    for (int64_t k = 0; k < n; ++k) {
        G[k] += v[k] * v[k];
        h[k] = ak_solis_inverse_H(delta, G[k]);
        w[k] = ak_soft(w[k] + eta * h[k] * v[k], eta * lambda * h[k]);
    }
}

static void afb_write(const ak_solis *s, int64_t n, const int32_t *cols,
                      const double *v)
{
    cell *cells = (cell *)s->cells;
    const double stamp = (double)(s->N + 1);
    afb_step(s->eta, s->lambda, s->delta, n, v, s->G, s->h, s->w);
    for (int64_t k = 0; k < n; ++k)
        cells[cols[k]] = (cell){s->w[k], s->G[k], s->h[k], stamp};
}

static double afb_round(ak_solis *s, int64_t n, const int32_t *cols,
                        const double *v)
{
    afb_read(s, n, cols);
    const double loss = ak_solis_loss(s, n, cols, v);
    if (loss > 0.0)
        afb_write(s, n, cols, v);
    ak_solis_advance(s, loss > 0.0);
    return loss;
}

static const ak_solis_rule rule = {
    .width = sizeof(cell) / sizeof(double),
    .round = afb_round,
    .value = afb_value,
    .refresh = afb_refresh,
};

static const akin_option options[] = {
    AK_SOLIS_ETA(akin_solis_afb_options),
    AK_SOLIS_LAMBDA(akin_solis_afb_options),
    AK_SOLIS_DELTA(akin_solis_afb_options),
    AK_SOLIS_OPTIONS(akin_solis_afb_options),
};
AK_OPTIONS_COVER(akin_solis_afb_options, options);

static const akin_solis_afb_options defaults = AKIN_SOLIS_AFB_DEFAULTS;

static const ak_online online = AK_SOLIS_ONLINE(&rule);

const ak_learner ak_learner_solis_afb = {
    .info =
        {
            .name = "solis-afb",
            .summary = "sparse diagonal similarity by adaptive "
                       "forward-backward steps",
            .when = "as solis-ada; keeps more weights at the same lambda",
            AK_SOLIS_ENTRY,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
};
