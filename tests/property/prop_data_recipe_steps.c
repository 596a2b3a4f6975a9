/* Recipes against a slow and obvious one: a dense matrix, one step after the
 * other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "data/recipe/recipe.h"
#include "la/dense.h"

enum { N = 9, M = 5, D = 7, TRIALS = 300 };  // M more rows are not fitted

static const char *const weights[] = {
    "none", "binary", "tf", "sqrt", "log", "tfidf", "binary-idf", "sqrt-idf"};
static const char *const scales[] = {"none", "minmax", "zscore"};
static const char *const norms[] = {"none", "l2", "global"};

typedef struct instance {
    float counts[N + M][D];
    double want[N + M][D];
    akin_recipe_options options;
} instance;

static void draw(instance *x, ak_rng *r)
{
    const bool zero_column = ak_rng_below(r, 2) == 0;
    for (int i = 0; i < N + M; ++i)
        for (int j = 0; j < D; ++j) {
            const int64_t c = ak_rng_below(r, 6) - 2;
            x->counts[i][j] = (float)(c > 0 ? c : 0);
            if (j == 3)
                x->counts[i][j] = zero_column ? 0.0f : 2.0f;
        }
    x->options = (akin_recipe_options)AKIN_RECIPE_DEFAULTS;
    x->options.weights = weights[ak_rng_below(r, 8)];
    x->options.scale = scales[ak_rng_below(r, 3)];
    x->options.norm = norms[ak_rng_below(r, 3)];
    x->options.center = ak_rng_below(r, 2);
}

static bool has(const char *word, const char *part)
{
    return strstr(word, part) != NULL;
}

static void ref_weights(instance *x, const char *word)
{
    for (int j = 0; j < D; ++j) {
        int df = 0;
        for (int i = 0; i < N; ++i)
            df += x->counts[i][j] > 0.0f;
        const double idf = df ? log((double)N / df) : 0.0;
        for (int i = 0; i < N + M; ++i) {
            const double c = (double)x->counts[i][j];
            double total = 0.0, v = c;
            for (int k = 0; k < D; ++k)
                total += (double)x->counts[i][k];
            if (has(word, "binary"))
                v = c > 0.0;
            if (has(word, "tf"))
                v = total > 0.0 ? c / total : 0.0;
            if (has(word, "sqrt"))
                v = sqrt(c);
            if (has(word, "log"))
                v = log(1.0 + c);
            x->want[i][j] = has(word, "idf") ? v * idf : v;
        }
    }
}

static void ref_columns(instance *x)
{
    for (int j = 0; j < D; ++j) {
        double mean = 0.0, var = 0.0, low = 1e9, high = -1e9;
        for (int i = 0; i < N; ++i)
            mean += x->want[i][j] / N;
        for (int i = 0; i < N; ++i) {
            var += pow(x->want[i][j] - mean, 2) / N;
            low = fmin(low, x->want[i][j]);
            high = fmax(high, x->want[i][j]);
        }
        for (int i = 0; i < N + M; ++i) {
            double *v = &x->want[i][j];
            if (has(x->options.scale, "minmax"))
                *v = high > low ? (*v - low) / (high - low) : 0.0;
            else if (has(x->options.scale, "zscore"))
                *v = high > low ? (*v - mean) / sqrt(var) : 0.0;
            else if (x->options.center)
                *v -= mean;
        }
    }
}

static double squares(const double *v)
{
    double sum = 0.0;
    for (int j = 0; j < D; ++j)
        sum += v[j] * v[j];
    return sum;
}

static void ref_norm(instance *x)
{
    double mean = 0.0;
    for (int i = 0; i < N; ++i)
        mean += squares(x->want[i]) / N;
    for (int i = 0; i < N + M; ++i) {
        double by = 1.0;
        if (has(x->options.norm, "l2"))
            by = sqrt(squares(x->want[i]));
        if (has(x->options.norm, "global"))
            by = sqrt(mean);
        for (int j = 0; j < D && by > 0.0; ++j)
            x->want[i][j] /= by;
    }
}

static akin_rows *rows_of(akin_ctx *ctx, const float *counts, int64_t n,
                          bool sparse)
{
    int64_t offsets[N + M + 1] = {0}, at = 0;
    int32_t cols[(N + M) * D];
    float vals[(N + M) * D];
    akin_rows *rows = NULL;
    for (int64_t i = 0; i < n; ++i) {
        for (int32_t j = 0; j < D; ++j)
            if (counts[i * D + j] != 0.0f) {
                cols[at] = j;
                vals[at++] = counts[i * D + j];
            }
        offsets[i + 1] = at;
    }
    assert_int_equal(
        sparse ? akin_rows_new_sparse(&rows, ctx, n, D, offsets, cols, vals)
               : akin_rows_new_dense(&rows, ctx, n, D, counts),
        AKIN_OK);
    return rows;
}

static void assert_near(double a, double b, uint64_t seed, const char *text)
{
    if (!(fabs(a - b) <= 1e-12))
        fail_msg("seed %d: %.17g, expected %.17g (%s)", (int)seed, a, b, text);
}

/* Row i in double, and in float as akin_recipe_apply makes it. */
static void compare(const akin_recipe *r, const akin_rows *raw,
                    const akin_rows *cooked, int64_t i, const double *want,
                    uint64_t seed)
{
    int32_t cols[D];
    double v[D], full[D] = {0};
    float full32[D] = {0};
    const int32_t *c;
    const float *f;
    const int64_t n = ak_recipe_row(r, raw, i, cols, v);
    for (int64_t k = 0; k < n; ++k)
        full[ak_recipe_makes_dense(r, raw) ? k : cols[k]] = v[k];
    const int64_t n32 = akin_rows_row(&c, &f, cooked, i);
    for (int64_t k = 0; k < n32; ++k)
        full32[c ? c[k] : k] = f[k];
    for (int j = 0; j < D; ++j) {
        assert_near(full[j], want[j], seed, akin_recipe_text(r));
        assert_true(full32[j] == (float)full[j]);
    }
}

static void steps_are_taken_in_order(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    akin_ctx_new(&ctx, NULL);
    for (uint64_t seed = 1; seed <= TRIALS; ++seed) {
        instance x;
        ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
        draw(&x, &r);
        ref_weights(&x, x.options.weights);
        ref_columns(&x);
        ref_norm(&x);
        for (int sparse = 0; sparse < 2; ++sparse) {
            akin_rows *fitted = rows_of(ctx, x.counts[0], N, sparse);
            akin_rows *all = rows_of(ctx, x.counts[0], N + M, sparse);
            akin_rows *out = NULL;
            akin_recipe *recipe = NULL;
            assert_int_equal(akin_recipe_fit(&recipe, ctx, fitted, &x.options),
                             AKIN_OK);
            assert_int_equal(akin_recipe_apply(&out, ctx, recipe, all),
                             AKIN_OK);
            for (int64_t i = 0; i < N + M; ++i)
                compare(recipe, all, out, i, x.want[i], seed);
            akin_rows_free(fitted);
            akin_rows_free(all);
            akin_rows_free(out);
            akin_recipe_free(recipe);
        }
    }
    akin_ctx_free(ctx);
}

/* Before its rows are divided by their length, Z Z' = U S U' is the square
 * root of the centred X X'. */
static void su_is_a_root_of_the_gram_matrix(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    akin_ctx_new(&ctx, NULL);
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
        akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
        akin_recipe *r = NULL;
        float x[N][D];
        double X[N][D], G[N * N] = {0}, values[N], K[N][N] = {{0}}, z[N][D];
        for (int i = 0; i < N * D; ++i)
            x[i / D][i % D] = (float)ak_rng_normal(&rng);
        for (int j = 0; j < D; ++j) {
            double mean = 0.0;
            for (int i = 0; i < N; ++i)
                mean += (double)x[i][j] / N;
            for (int i = 0; i < N; ++i)
                X[i][j] = (double)x[i][j] - mean;
        }
        for (int i = 0; i < N * N; ++i)
            G[i] = ak_dot(D, X[i / N], X[i % N]);
        assert_int_equal(ak_eigh(ctx, N, G, values), AKIN_OK);
        for (int i = 0; i < N * N; ++i)
            for (int k = 0; k < N; ++k)
                K[i / N][i % N] += sqrt(fmax(values[k], 0.0)) *
                                   G[i / N * N + k] * G[i % N * N + k];
        akin_rows *rows = rows_of(ctx, x[0], N, seed % 2);
        o.scale = "su";
        assert_int_equal(akin_recipe_fit(&r, ctx, rows, &o), AKIN_OK);
        for (int i = 0; i < N; ++i)
            assert_int_equal(ak_recipe_row(r, rows, i, NULL, z[i]), D);
        for (int i = 0; i < N * N; ++i) {
            const double root = K[i / N][i % N] /
                                sqrt(K[i / N][i / N] * K[i % N][i % N]);
            if (!(fabs(ak_dot(D, z[i / N], z[i % N]) - root) < 1e-6))
                fail_msg("seed %d", (int)seed);
        }
        akin_recipe_free(r);
        akin_rows_free(rows);
    }
    akin_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_taken_in_order),
        cmocka_unit_test(su_is_a_root_of_the_gram_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
