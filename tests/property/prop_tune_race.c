/* Races: the choice between learning and not learning, on random tables. */
#include "support.h"

#include <math.h>

#include <akin/tune.h>

#include "base/rng.h"

enum { ROWS = 150, DIM = 12, CLASSES = 3 };

/* Rows of noise. Column 0 tells the class when `matters`: the others are ten
 * times as wide and say nothing. */
static akin_rows *table(akin_ctx *ctx, uint64_t seed, bool matters)
{
    float values[ROWS * DIM];
    int32_t labels[ROWS];
    const char *names[CLASSES] = {"a", "b", "c"};
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    akin_rows *rows = NULL;
    for (int64_t i = 0; i < ROWS; ++i) {
        labels[i] = (int32_t)ak_rng_below(&rng, CLASSES);
        for (int64_t j = 0; j < DIM; ++j)
            values[i * DIM + j] =
                (float)(ak_rng_normal(&rng) * (j == 0 ? 1.0 : 10.0));
        if (matters)
            values[i * DIM] += 5.0f * (float)labels[i];
    }
    assert_int_equal(akin_rows_new_dense(&rows, ctx, ROWS, DIM, values),
                     AKIN_OK);
    assert_int_equal(akin_rows_set_labels(ctx, rows, labels, names, CLASSES),
                     AKIN_OK);
    return rows;
}

static akin_race *race(akin_ctx *ctx, akin_rows *rows, akin_model **m)
{
    akin_race_options o = AKIN_RACE_DEFAULTS;
    akin_supervision *s = NULL;
    akin_race *r = NULL;
    o.effort = 1;
    assert_int_equal(akin_supervision_new(&s, ctx, rows, NULL, NULL), AKIN_OK);
    if (akin_race_run(&r, m, ctx, s, &o, NULL) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    akin_supervision_free(s);
    return r;
}

static void noise_leaves_the_plain_measure(void **state)
{
    akin_ctx *ctx = *state;
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        akin_rows *rows = table(ctx, seed, false);
        akin_model *m = NULL;
        akin_race *r = race(ctx, rows, &m);
        if (akin_race_best(r) != akin_race_baseline(r))
            fail_msg("seed %d: %s", (int)seed, akin_race_reason(r));
        assert_string_equal(akin_race_verdict(r), "same");
        assert_true(akin_race_at(r, akin_race_best(r)).is_plain);
        assert_non_null(strstr(akin_race_reason(r), "no learner was better"));
        akin_model_free(m);
        akin_race_free(r);
        akin_rows_free(rows);
    }
}

static void a_column_that_matters_is_learned(void **state)
{
    akin_ctx *ctx = *state;
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        akin_rows *rows = table(ctx, seed, true);
        akin_model *m = NULL;
        akin_race *r = race(ctx, rows, &m);
        const akin_race_row best = akin_race_at(r, akin_race_best(r));
        const akin_race_row plain = akin_race_at(r, akin_race_baseline(r));
        if (best.is_plain || !(best.score > plain.score + 0.03))
            fail_msg("seed %d: %s", (int)seed, akin_race_reason(r));
        assert_string_equal(akin_race_verdict(r), "better");
        assert_string_equal(akin_model_learner(m), best.method);
        akin_model_free(m);
        akin_race_free(r);
        akin_rows_free(rows);
    }
}

static void rows_are_best_first(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = table(ctx, 5, true);
    akin_race *r = race(ctx, rows, NULL);
    double last = INFINITY;
    for (int64_t i = 0; i < akin_race_count(r); ++i) {
        const akin_race_row row = akin_race_at(r, i);
        if (row.status != AKIN_OK)
            last = -INFINITY;
        else
            assert_true(row.score <= last);
        last = row.status == AKIN_OK ? row.score : last;
        assert_true(row.status == AKIN_OK || row.message[0] != '\0');
    }
    akin_race_free(r);
    akin_rows_free(rows);
}

static void threads_change_nothing(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = table(ctx, 6, true);
    akin_race *r[2];
    for (int k = 0; k < 2; ++k) {
        akin_ctx_set_threads(ctx, k == 0 ? 1 : 3);
        r[k] = race(ctx, rows, NULL);
    }
    assert_int_equal(akin_race_count(r[0]), akin_race_count(r[1]));
    assert_int_equal(akin_race_best(r[0]), akin_race_best(r[1]));
    for (int64_t i = 0; i < akin_race_count(r[0]); ++i) {
        const akin_race_row a = akin_race_at(r[0], i);
        const akin_race_row b = akin_race_at(r[1], i);
        assert_string_equal(a.method, b.method);
        assert_string_equal(a.recipe_text, b.recipe_text);
        assert_true(a.score == b.score || (isnan(a.score) && isnan(b.score)));
    }
    akin_race_free(r[0]);
    akin_race_free(r[1]);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_leaves_the_plain_measure),
        cmocka_unit_test(a_column_that_matters_is_learned),
        cmocka_unit_test(rows_are_best_first),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
