/* The lazy SOLIS learners equal their dense definitions, in every round and
 * every coordinate. The definitions here are the boxes of the paper with the
 * sign of the gradient corrected, one loop over all coordinates a round. */
#include <math.h>

#include "support.h"

#include <akin/learn.h>

#include "data/supervision/supervision.h"
#include "model/diagonal.h"

enum { D = 60, N = 40, ROUNDS = 600 };

typedef struct dense {
    double w[D], gbar[D], G[D];
    int64_t t;
} dense;

typedef struct settings {
    const char *learner;
    double eta, lambda, delta, gamma, rho;
    const char *clock;
} settings;

static double soft(double x, double a)
{
    const double m = fabs(x) - a;
    return m > 0.0 ? (x > 0.0 ? m : -m) : 0.0;
}

/* One coordinate of one step, as printed but for the sign. */
static double dense_weight(const settings *p, const dense *s, int64_t j,
                           double g)
{
    const double t = (double)s->t, H = p->delta + sqrt(s->G[j]);
    if (strcmp(p->learner, "solis-tg") == 0)
        return soft(s->w[j] - p->eta * g, p->eta * p->lambda);
    if (strcmp(p->learner, "solis-da") == 0)
        return -sqrt(t) / p->gamma *
               soft(s->gbar[j], p->lambda + p->gamma * p->rho / sqrt(t));
    if (H == 0.0)
        return 0.0;
    if (strcmp(p->learner, "solis-afb") == 0)
        return soft(s->w[j] - p->eta / H * g, p->eta * p->lambda / H);
    return -p->eta * t / H * soft(s->gbar[j], p->lambda);
}

static double dense_round(const settings *p, dense *s, const double *v)
{
    double margin = 0.0;
    for (int64_t j = 0; j < D; ++j)
        margin += s->w[j] * v[j];
    const double loss = fmax(0.0, 1.0 - margin);
    const bool step = loss > 0.0 || strcmp(p->clock, "all") == 0;
    ++s->t;
    for (int64_t j = 0; j < D; ++j) {
        const double g = loss > 0.0 ? -v[j] : 0.0, t = (double)s->t;
        s->gbar[j] = (t - 1.0) / t * s->gbar[j] + g / t;
        s->G[j] += g * g;
        if (step)
            s->w[j] = dense_weight(p, s, j, g);
    }
    return loss;
}

static void fill(double *x, const akin_rows *rows, int64_t i)
{
    const ak_sparse r = ak_rows_sparse(rows, i);
    memset(x, 0, D * sizeof *x);
    for (int64_t k = 0; k < r.n; ++k)
        x[r.cols[k]] = (double)r.vals[k];
}

static akin_options *make_options(akin_ctx *ctx, const settings *p)
{
    akin_options *o = NULL;
    char text[40];
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"eta", p->eta},
                   {"lambda", p->lambda},
                   {"delta", p->delta},
                   {"gamma", p->gamma},
                   {"rho", p->rho}};
    assert_int_equal(akin_options_new(&o, ctx, p->learner), AKIN_OK);
    for (size_t i = 0; i < 5; ++i) {
        snprintf(text, sizeof text, "%.17g", numbers[i].value);
        akin_options_set(ctx, o, numbers[i].name, text);  // if it has it
    }
    assert_int_equal(akin_options_set(ctx, o, "clock", p->clock), AKIN_OK);
    return o;
}

/* Every 37th triplet has a query that shares no word with anything, so v = 0:
 * the loss is 1, the round is active. */
static void draw_triplet(ak_rng *rng, int64_t t, int64_t *triplet)
{
    triplet[0] = t % 37 == 5 ? N : ak_rng_below(rng, N);
    triplet[1] = ak_rng_below(rng, N);
    triplet[2] = ak_rng_below(rng, N);
}

static akin_rows *rows_with_stranger(akin_ctx *ctx, uint64_t seed)
{
    akin_rows *with = NULL, *rows = class_rows(ctx, seed, N, D - 3, 8, 3);
    int64_t offsets[N + 2];
    memcpy(offsets, rows->offsets, sizeof offsets - sizeof *offsets);
    const int64_t nnz = offsets[N];
    offsets[N + 1] = nnz + 3;
    int32_t *cols = calloc((size_t)nnz + 3, sizeof *cols);
    float *vals = calloc((size_t)nnz + 3, sizeof *vals);
    memcpy(cols, rows->cols, (size_t)nnz * sizeof *cols);
    memcpy(vals, rows->vals, (size_t)nnz * sizeof *vals);
    for (int k = 0; k < 3; ++k) {
        cols[nnz + k] = D - 3 + k;
        vals[nnz + k] = 0.5f;
    }
    assert_int_equal(
        akin_rows_new_sparse(&with, ctx, N + 1, D, offsets, cols, vals),
        AKIN_OK);
    akin_rows_free(rows);
    free(cols);
    free(vals);
    return with;
}

static void compare_run(const settings *p, uint64_t seed)
{
    akin_ctx *ctx = NULL;
    akin_supervision *data = NULL;
    akin_learning *l = NULL;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    akin_rows *rows = rows_with_stranger(ctx, seed);
    akin_options *o = make_options(ctx, p);
    assert_int_equal(akin_supervision_new(&data, ctx, rows, NULL, NULL), 0);
    assert_int_equal(akin_learning_begin(&l, ctx, o, data, NULL), AKIN_OK);
    ak_rng rng = ak_rng_new(seed, 77);
    dense s = {{0}, {0}, {0}, 0};
    double worst = 0.0, scale = 1.0;
    for (int64_t t = 0; t < ROUNDS; ++t) {
        int64_t triplet[3];
        double x[D], xp[D], xn[D], v[D];
        akin_model *m = NULL;
        draw_triplet(&rng, t, triplet);
        fill(x, rows, triplet[0]);
        fill(xp, rows, triplet[1]);
        fill(xn, rows, triplet[2]);
        for (int64_t j = 0; j < D; ++j)
            v[j] = x[j] * (xp[j] - xn[j]);
        dense_round(p, &s, v);
        assert_int_equal(akin_learning_observe(ctx, l, triplet, 1), AKIN_OK);
        assert_int_equal(akin_learning_model(&m, ctx, l), AKIN_OK);
        const double *w = ak_diagonal_w(m);
        for (int64_t j = 0; j < D; ++j) {
            worst = fmax(worst, fabs(w[j] - s.w[j]));
            scale = fmax(scale, fabs(s.w[j]));
        }
        akin_model_free(m);
    }
    if (worst > 1e-12 * scale)
        fail_msg("%s clock %s seed %d: off by %g at weights of %g", p->learner,
                 p->clock, (int)seed, worst, scale);
    akin_learning_free(l);
    akin_options_free(o);
    akin_supervision_free(data);
    akin_rows_free(rows);
    akin_ctx_free(ctx);
}

static void lazy_equals_dense(void **state)
{
    static const settings runs[] = {
        {"solis-tg", .eta = 0.3, .lambda = 2e-3, .gamma = 1},
        {"solis-tg", .eta = 1.0, .lambda = 0.0, .gamma = 1},
        {"solis-da", .eta = 1, .lambda = 1e-3, .gamma = 0.5, .rho = 0.01},
        {"solis-da", .eta = 1, .lambda = 0.0, .gamma = 2.0, .rho = 0.0},
        {"solis-afb", .eta = 0.3, .lambda = 2e-3, .delta = 0.1, .gamma = 1},
        {"solis-afb", .eta = 0.5, .lambda = 1e-3, .delta = 0.0, .gamma = 1},
        {"solis-ada", .eta = 0.3, .lambda = 1e-3, .delta = 0.1, .gamma = 1},
        {"solis-ada", .eta = 0.5, .lambda = 2e-3, .delta = 0.0, .gamma = 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i)
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            settings p = runs[i];
            p.clock = "active";
            compare_run(&p, seed);
            p.clock = "all";
            compare_run(&p, seed);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lazy_equals_dense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
