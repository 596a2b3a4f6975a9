/* Fingerprints of recipes: the same after a file, other for other statistics;
 * rows keep them in files, and no step is applied twice. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "context.h"
#include "data/recipe/fingerprint.h"

enum { ROWS = 20, DIM = 6, SEEDS = 200 };

static akin_rows *draw_rows(ak_rng *r)
{
    int64_t offsets[ROWS + 1] = {0};
    int32_t cols[ROWS * DIM];
    float vals[ROWS * DIM];
    akin_rows *rows = NULL;
    int64_t n = 0;
    for (int64_t i = 0; i < ROWS; ++i) {
        for (int32_t j = 0; j < DIM; ++j)
            if (ak_rng_below(r, 2) > 0 || j == i % DIM) {
                cols[n] = j;
                vals[n++] = (float)(1 + ak_rng_below(r, 5));
            }
        offsets[i + 1] = n;
    }
    assert_int_equal(
        akin_rows_new_sparse(&rows, ctx, ROWS, DIM, offsets, cols, vals),
        AKIN_OK);
    return rows;
}

static akin_recipe_options draw_options(ak_rng *r)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    o.weights = ak_weights_words[ak_rng_below(r, AK_WEIGHTS_COUNT)];
    o.scale = ak_scale_words[ak_rng_below(r, AK_SCALE_COUNT)];
    o.norm = ak_norm_words[ak_rng_below(r, AK_NORM_COUNT)];
    o.center = ak_rng_below(r, 2);
    return o;
}

static void assert_file_keeps(const akin_rows *rows, const char *path)
{
    akin_rows *back = NULL;
    assert_int_equal(akin_rows_write(ctx, rows, path), AKIN_OK);
    assert_int_equal(akin_rows_read(&back, ctx, path, NULL), AKIN_OK);
    assert_string_equal(back->prepared, rows->prepared);
    akin_rows_free(back);
    unlink(path);
}

static void assert_load_keeps(const akin_recipe *recipe)
{
    akin_recipe *back = NULL;
    assert_int_equal(akin_recipe_save(ctx, recipe, "print.safetensors"),
                     AKIN_OK);
    assert_int_equal(akin_recipe_load(&back, ctx, "print.safetensors"),
                     AKIN_OK);
    assert_int_equal(ak_recipe_fingerprint(back),
                     ak_recipe_fingerprint(recipe));
    akin_recipe_free(back);
    unlink("print.safetensors");
}

/* Twice the same: refused exactly where a step would change rows again. */
static void assert_once(const akin_recipe *recipe, const akin_rows *ready)
{
    const bool changes = recipe->weights != AK_WEIGHTS_NONE ||
                         recipe->scale != AK_SCALE_NONE || recipe->center ||
                         recipe->norm == AK_NORM_GLOBAL;
    akin_rows *again = NULL;
    assert_int_equal(akin_recipe_apply(&again, ctx, recipe, ready),
                     changes ? AKIN_EINVAL : AKIN_OK);
    akin_rows_free(again);
}

static void files_keep_and_nothing_is_applied_twice(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
        akin_rows *rows = draw_rows(&r), *ready = NULL;
        const akin_recipe_options o = draw_options(&r);
        akin_recipe *recipe = NULL;
        assert_int_equal(akin_recipe_fit(&recipe, ctx, rows, &o), AKIN_OK);
        assert_int_equal(akin_recipe_apply(&ready, ctx, recipe, rows), AKIN_OK);
        assert_string_equal(rows->prepared, "");
        assert_file_keeps(ready, "print.svm");
        assert_file_keeps(ready, "print.safetensors");
        assert_load_keeps(recipe);
        assert_once(recipe, ready);
        akin_recipe_free(recipe);
        akin_rows_free(ready);
        akin_rows_free(rows);
    }
}

static void other_statistics_are_another_recipe(void **state)
{
    static const char *const weights[] = {"tfidf", "none", "none"};
    static const char *const scale[] = {"none", "minmax", "zscore"};
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
        uint64_t prints[2];
        akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
        o.weights = weights[seed % 3];
        o.scale = scale[seed % 3];
        for (int k = 0; k < 2; ++k) {
            akin_rows *rows = draw_rows(&r);
            akin_recipe *recipe = NULL;
            rows->vals[0] = 100.0F + (float)k;
            assert_int_equal(akin_recipe_fit(&recipe, ctx, rows, &o), AKIN_OK);
            prints[k] = ak_recipe_fingerprint(recipe);
            akin_recipe_free(recipe);
            akin_rows_free(rows);
        }
        assert_int_not_equal(prints[0], prints[1]);
    }
}

/* A recipe fitted to rows that went through another one goes on from there. */
static void recipe_knows_what_came_before(void **state)
{
    ak_rng r = ak_rng_new(5, AK_STREAM_SYNTH);
    akin_recipe_options first = AKIN_RECIPE_DEFAULTS, then = first;
    akin_rows *rows = draw_rows(&r), *a = NULL, *b = NULL, *c = NULL;
    akin_recipe *r1 = NULL, *r2 = NULL, *r3 = NULL;
    (void)state;
    first.scale = "zscore";
    first.weights = "sqrt";
    then.scale = "minmax";
    then.weights = "auto";
    assert_int_equal(akin_recipe_fit(&r1, ctx, rows, &first), AKIN_OK);
    assert_int_equal(akin_recipe_apply(&a, ctx, r1, rows), AKIN_OK);
    assert_int_equal(akin_recipe_fit(&r2, ctx, a, &then), AKIN_OK);
    assert_string_equal(r2->after, a->prepared);
    assert_int_equal(akin_recipe_apply(&b, ctx, r2, a), AKIN_OK);
    assert_true(ak_prepared_has(b->prepared, "weights=sqrt"));
    assert_true(ak_prepared_has(b->prepared, "scale=minmax"));
    /* Fitted to raw rows, it would scale what is scaled already. */
    assert_int_equal(akin_recipe_fit(&r3, ctx, rows, &then), AKIN_OK);
    assert_int_equal(akin_recipe_apply(&c, ctx, r3, a), AKIN_EINVAL);
    assert_non_null(strstr(akin_ctx_message(ctx), "`as_is`"));
    akin_recipe_free(r1);
    akin_recipe_free(r2);
    akin_recipe_free(r3);
    akin_rows_free(a);
    akin_rows_free(b);
    akin_rows_free(rows);
}

static void texts_of_another_form_are_no_recipe(void **state)
{
    static const char *const bad[] = {"",
                                      "0123",
                                      "0123456789abcdeF",
                                      "0123456789abcdefx",
                                      "0123456789abcdef \x01",
                                      "0123456789abcdef \xc3\xa9"};
    char to[AK_PREPARED_SIZE] = "";
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        assert_false(ak_prepared_take(bad[k], strlen(bad[k]), to));
    assert_string_equal(to, "");
    assert_true(ak_prepared_take("0123456789abcdef norm=l2", 24, to));
    assert_true(ak_prepared_has(to, "norm="));
    assert_false(ak_prepared_has(to, "weights="));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(files_keep_and_nothing_is_applied_twice),
        CONTEXT_CASE(other_statistics_are_another_recipe),
        CONTEXT_CASE(recipe_knows_what_came_before),
        CONTEXT_CASE(texts_of_another_form_are_no_recipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
