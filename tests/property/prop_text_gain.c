/* Information gain: against its definition by entropies, and numbers of
 * another program; which terms are chosen by it. */
#include <akin/text.h>
#include <math.h>
#include <stdio.h>

#include "base/rng.h"
#include "context.h"
#include "data/recipe/recipe.h"
#include "data/rows.h"

enum { SEEDS = 60, MOST = 64 };

static double entropy(const double *p, int64_t n)
{
    double sum = 0.0, h = 0.0;
    for (int64_t k = 0; k < n; ++k)
        sum += p[k];
    for (int64_t k = 0; k < n; ++k)
        if (p[k] > 0.0)
            h -= p[k] / sum * log(p[k] / sum);
    return h;
}

/* H(C) - P(t) H(C | t) - P(not t) H(C | not t). */
static double gain_by_definition(const akin_rows *rows, int64_t column)
{
    double all[MOST] = {0}, with[MOST] = {0}, without[MOST];
    double n = 0.0, there = 0.0;
    const int64_t k = akin_rows_label_count(rows);
    for (int64_t i = 0; i < rows->n; ++i) {
        const int32_t *labels;
        const int64_t m = akin_rows_labels(&labels, rows, i);
        for (int64_t l = 0; l < m; ++l) {
            float room[MOST];
            const bool has = ak_rows_full(rows, i, room)[column] != 0.0F;
            all[labels[l]] += 1.0;
            with[labels[l]] += has;
            n += 1.0;
            there += has;
        }
    }
    for (int64_t c = 0; c < k; ++c)
        without[c] = all[c] - with[c];
    return entropy(all, k) - there / n * entropy(with, k) -
           (n - there) / n * entropy(without, k);
}

/* 7 documents over 5 terms, 3 classes. */
static akin_rows *small(void)
{
    static const float values[] = {1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1,
                                   1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 1,
                                   1, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0};
    static const int32_t labels[] = {0, 0, 1, 1, 2, 0, 2};
    static const char *const names[] = {"x", "y", "z"};
    akin_rows *rows = NULL;
    assert_int_equal(akin_rows_new_dense(&rows, ctx, 7, 5, values), AKIN_OK);
    assert_int_equal(akin_rows_set_labels(ctx, rows, labels, names, 3),
                     AKIN_OK);
    return rows;
}

/* scikit-learn 1.2, mutual_info_classif(X, y, discrete_features=True). */
static void gain_is_mutual_information(void **state)
{
    (void)state;
    const double expected[] = {0.6829081047004717, 0.41011631828840883,
                               0.2120742666998532, 0.0, 0.20218548540814568};
    akin_rows *rows = small();
    double gain[5];
    assert_int_equal(akin_text_gain(gain, ctx, rows), AKIN_OK);
    for (int j = 0; j < 5; ++j)
        assert_true(fabs(gain[j] - expected[j]) < 1e-14);
    akin_rows_free(rows);
}

/* Sparse rows, of no, one or two labels. */
static akin_rows *random_rows(uint64_t seed)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    const int64_t n = 3 + ak_rng_below(&rng, 40);
    const int64_t d = 1 + ak_rng_below(&rng, MOST);
    int64_t offsets[MOST] = {0}, at = 0;
    int32_t cols[MOST * MOST], labels[MOST];
    float vals[MOST * MOST];
    akin_rows *rows = NULL;
    for (int64_t i = 0; i < n; ++i) {
        labels[i] = i == 0 ? 0 : (int32_t)ak_rng_below(&rng, 6) - 1;
        for (int32_t j = 0; j < (int32_t)d; ++j)
            if (ak_rng_unit(&rng) < 0.3) {
                cols[at] = j;
                vals[at++] = (float)(1 + ak_rng_below(&rng, 3));
            }
        offsets[i + 1] = at;
    }
    assert_int_equal(
        akin_rows_new_sparse(&rows, ctx, n, d, offsets, cols, vals), AKIN_OK);
    assert_int_equal(akin_rows_set_labels(ctx, rows, labels, names, 5),
                     AKIN_OK);
    return rows;
}

static void gain_is_as_defined(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        akin_rows *rows = random_rows(seed);
        double gain[MOST];
        assert_int_equal(akin_text_gain(gain, ctx, rows), AKIN_OK);
        for (int64_t j = 0; j < rows->d; ++j) {
            const double expected = gain_by_definition(rows, j);
            if (fabs(gain[j] - expected) > 1e-12)
                fail_msg("seed %d, column %d: %.17g, %.17g", (int)seed, (int)j,
                         gain[j], expected);
        }
        akin_rows_free(rows);
    }
}

static void labels_are_needed(void **state)
{
    (void)state;
    akin_rows *rows = NULL;
    const float values[] = {1, 2};
    double gain[2];
    assert_int_equal(akin_rows_new_dense(&rows, ctx, 1, 2, values), AKIN_OK);
    assert_int_equal(akin_text_gain(gain, ctx, rows), AKIN_EINVAL);
    akin_rows_free(rows);
}

/* What is kept has at least the gain of what goes, and the recipe gives the
 * rows that selecting by hand gives. */
static void the_best_are_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        akin_rows *rows = random_rows(seed), *out = NULL;
        akin_text_options o = AKIN_TEXT_DEFAULTS;
        akin_recipe *r = NULL;
        double gain[MOST], least = INFINITY;
        bool kept[MOST] = {false};
        float a[MOST], b[MOST];
        o.features = 1 + (int64_t)(seed % 7);
        assert_int_equal(akin_text_gain(gain, ctx, rows), AKIN_OK);
        assert_int_equal(akin_text_fit(&r, ctx, rows, &o, NULL), AKIN_OK);
        assert_int_equal(akin_recipe_apply(&out, ctx, r, rows), AKIN_OK);
        assert_int_equal(akin_recipe_dim(r), rows->d);
        for (int64_t j = 0; j < out->d; ++j) {
            kept[akin_recipe_column(r, j)] = true;
            least = fmin(least, gain[akin_recipe_column(r, j)]);
            for (int64_t i = 0; i < rows->n; ++i)
                assert_true(ak_rows_full(out, i, a)[j] ==
                            ak_rows_full(rows, i, b)[akin_recipe_column(r, j)]);
        }
        for (int64_t j = 0; j < rows->d && out->d == o.features; ++j)
            assert_true(kept[j] || gain[j] <= least);
        akin_recipe_free(r);
        akin_rows_free(out);
        akin_rows_free(rows);
    }
}

static void limits_are_counts_or_shares(void **state)
{
    (void)state;
    const struct {
        double least, most;
        int64_t kept;
    } cases[] = {{1, 0, 5},     {3, 0, 4},   {0.4, 0, 4}, {1, 4, 4},
                 {1, 0.99, 4},  {3, 3, 2},   {7, 0, 1},   {0.5, 0.6, 1},
                 {0, 0.428, 1}, {2, 0.45, 3}};
    akin_rows *rows = small();  // in 3, 3, 4, 7, 2 documents
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        akin_text_options o = AKIN_TEXT_DEFAULTS;
        akin_recipe *r = NULL;
        o.min_df = cases[k].least;
        o.max_df = cases[k].most;
        assert_int_equal(akin_text_fit(&r, ctx, rows, &o, NULL), AKIN_OK);
        assert_int_equal(r->d, cases[k].kept);
        akin_recipe_free(r);
    }
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(gain_is_mutual_information),
        CONTEXT_CASE(gain_is_as_defined),
        CONTEXT_CASE(labels_are_needed),
        CONTEXT_CASE(the_best_are_kept),
        CONTEXT_CASE(limits_are_counts_or_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
