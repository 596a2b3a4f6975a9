/* The lazy SOLIS learners equal their dense definitions, in every round and
 * every coordinate. The definitions here are the boxes of the paper with the
 * sign of the gradient corrected, one loop over all coordinates a round; from
 * zero as published, and from the plain measure in units of what was seen. And
 * rows times a constant give the same weights. */
#include <math.h>

#include "support.h"

#include <akin/learn.h>

#include "data/supervision/supervision.h"
#include "model/diagonal.h"

enum { D = 60, N = 40, ROUNDS = 600 };

typedef struct dense {
    double w[D], gbar[D], G[D];
    double margins, squares, entries;
    int64_t t;
} dense;

typedef struct settings {
    const char *learner;
    double eta, lambda, delta, gamma, rho;
    const char *clock;
    bool relative;  // and from the measure; else absolute, from zero
} settings;

static double soft(double x, double a)
{
    const double m = fabs(x) - a;
    return m > 0.0 ? (x > 0.0 ? m : -m) : 0.0;
}

/* One coordinate of one step, as printed but for the sign and the start. */
static double dense_weight(const settings *p, const dense *s, int64_t j,
                           double g)
{
    const double t = (double)s->t, H = p->delta + sqrt(s->G[j]);
    const double w0 = p->relative ? 1.0 : 0.0, f = sqrt(t) / p->gamma;
    const double lambda = p->lambda * (p->relative ? s->entries / (D * t) : 1);
    if (strcmp(p->learner, "solis-tg") == 0)
        return soft(s->w[j] - p->eta * g, p->eta * lambda);
    if (strcmp(p->learner, "solis-da") == 0)
        return soft(w0 - f * s->gbar[j],
                    f * (lambda + p->gamma * p->rho / sqrt(t)));
    if (H == 0.0)
        return w0;
    if (strcmp(p->learner, "solis-afb") == 0)
        return soft(s->w[j] - p->eta / H * g, p->eta * lambda / H);
    return soft(w0 - p->eta * t / H * s->gbar[j], p->eta * t / H * lambda);
}

/* What the margin and the gradient are divided by. */
static void see(const settings *p, dense *s, const double *v, double *u,
                double *r)
{
    double margin = 0.0;
    for (int64_t j = 0; j < D; ++j) {
        margin += v[j];  // of weights 1
        s->squares += v[j] * v[j];
        s->entries += v[j] != 0.0;
    }
    s->margins += fabs(margin);
    *u = p->relative && s->margins > 0.0 ? 4.0 * s->margins / (double)(s->t + 1)
                                         : 1;
    *r = p->relative && s->entries > 0.0 ? sqrt(s->squares / s->entries) : 1;
}

static double dense_round(const settings *p, dense *s, const double *v)
{
    double margin = 0.0, u, r;
    see(p, s, v, &u, &r);
    for (int64_t j = 0; j < D; ++j)
        margin += s->w[j] * v[j];
    const double loss = fmax(0.0, 1.0 - margin / u);
    const bool step = loss > 0.0 || strcmp(p->clock, "all") == 0;
    ++s->t;
    for (int64_t j = 0; j < D; ++j) {
        const double g = loss > 0.0 ? -v[j] / r : 0.0, t = (double)s->t;
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
    if (!p->relative)
        assert_int_equal(akin_options_as_published(ctx, o), AKIN_OK);
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
    dense s = {0};
    for (int64_t j = 0; j < D; ++j)
        s.w[j] = p->relative ? 1.0 : 0.0;
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
            worst = fmax(worst, fabs((w ? w[j] : 1.0) - s.w[j]));
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
            p.relative = true;
            compare_run(&p, seed);
            p.clock = "active";
            compare_run(&p, seed);
        }
}

/* The weights that `learner` finds on dense rows times `scale`. */
static void weights_at(akin_ctx *ctx, const char *learner, const char *lambda,
                       float scale, double *w)
{
    float values[N * D];
    int64_t triplets[3 * ROUNDS];
    akin_rows *rows = NULL;
    akin_supervision *data = NULL;
    akin_options *o = NULL;
    akin_model *m = NULL;
    ak_rng rng = ak_rng_new(3, 78);
    for (int i = 0; i < N * D; ++i)
        values[i] = scale * (float)ak_rng_normal(&rng);
    for (int i = 0; i < 3 * ROUNDS; ++i)
        triplets[i] = ak_rng_below(&rng, N);
    assert_int_equal(akin_rows_new_dense(&rows, ctx, N, D, values), AKIN_OK);
    assert_int_equal(akin_supervision_new(&data, ctx, rows, NULL, NULL), 0);
    assert_int_equal(
        akin_supervision_set(ctx, data, AKIN_TRIPLETS, triplets, ROUNDS), 0);
    assert_int_equal(akin_options_new(&o, ctx, learner), AKIN_OK);
    assert_int_equal(akin_options_set(ctx, o, "lambda", lambda), AKIN_OK);
    assert_int_equal(akin_learn(&m, ctx, o, data, NULL), AKIN_OK);
    memcpy(w, ak_diagonal_w(m), D * sizeof *w);
    akin_model_free(m);
    akin_options_free(o);
    akin_supervision_free(data);
    akin_rows_free(rows);
}

/* Scales are powers of two: the same sums, to the last bit. */
static void scale_does_not_matter(void **state)
{
    static const char *const names[] = {"solis-ada", "solis-afb", "solis-da",
                                        "solis-tg"};
    static const char *const lambdas[] = {"0", "0.02", "1"};
    akin_ctx *ctx = NULL;
    (void)state;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    for (int i = 0; i < 4; ++i) {
        int zeros[3] = {0};
        for (int k = 0; k < 3; ++k) {
            double w[D], other[D];
            weights_at(ctx, names[i], lambdas[k], 1.0f, w);
            weights_at(ctx, names[i], lambdas[k], 16.0f, other);
            assert_memory_equal(w, other, sizeof w);
            weights_at(ctx, names[i], lambdas[k], 0x1p-20f, other);
            assert_memory_equal(w, other, sizeof w);
            for (int j = 0; j < D; ++j)
                zeros[k] += w[j] == 0.0;
        }
        assert_int_equal(zeros[0], 0);
        assert_true(zeros[2] > zeros[1]);
    }
    akin_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lazy_equals_dense),
        cmocka_unit_test(scale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
