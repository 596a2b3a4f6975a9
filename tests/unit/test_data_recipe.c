/* Recipes: numbers known by heart, words, errors, files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "data/recipe/recipe.h"
#include "data/rows.h"

static const char path[] = "test_data_recipe.safetensors";
static akin_ctx *ctx;
static akin_rows *rows;

/* Three documents over five words; nobody uses word 3, everybody word 0. */
static int begin(void **state)
{
    (void)state;
    const int64_t offsets[] = {0, 3, 5, 6};
    const int32_t cols[] = {0, 1, 4, 0, 1, 0};
    const float vals[] = {1, 2, 1, 4, 4, 9};
    return akin_ctx_new(&ctx, NULL) != AKIN_OK ||
           akin_rows_new_sparse(&rows, ctx, 3, 5, offsets, cols, vals) !=
               AKIN_OK;
}

static int end(void **state)
{
    (void)state;
    akin_rows_free(rows);
    akin_ctx_free(ctx);
    remove(path);
    return 0;
}

static akin_recipe *fit(const char *weights, const char *scale,
                        const char *norm, int64_t center)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_recipe *r = NULL;
    o.weights = weights;
    o.scale = scale;
    o.norm = norm;
    o.center = center;
    assert_int_equal(akin_recipe_fit(&r, ctx, rows, &o), AKIN_OK);
    return r;
}

/* Row 0 must be `want`, of which zeros stand for absent. */
static void assert_row(const char *weights, const double want[5])
{
    akin_recipe *r = fit(weights, "none", "none", 0);
    int32_t cols[5];
    double v[5];
    const int64_t n = ak_recipe_row(r, rows, 0, cols, v);
    int64_t at = 0;
    for (int32_t j = 0; j < 5; ++j) {
        if (want[j] == 0.0)
            continue;
        assert_true(at < n && cols[at] == j);
        assert_true(fabs(v[at++] - want[j]) < 1e-15);
    }
    assert_int_equal(at, n);
    akin_recipe_free(r);
}

static void weights_are_as_defined(void **state)
{
    (void)state;
    const double idf1 = log(3.0 / 2.0), idf4 = log(3.0);
    assert_row("none", (double[]){1, 2, 0, 0, 1});
    assert_row("binary", (double[]){1, 1, 0, 0, 1});
    assert_row("tf", (double[]){0.25, 0.5, 0, 0, 0.25});
    assert_row("sqrt", (double[]){1, sqrt(2.0), 0, 0, 1});
    assert_row("log", (double[]){log(2.0), log(3.0), 0, 0, log(2.0)});
    assert_row("tfidf", (double[]){0, 0.5 * idf1, 0, 0, 0.25 * idf4});
    assert_row("binary-idf", (double[]){0, idf1, 0, 0, idf4});
    assert_row("sqrt-idf", (double[]){0, sqrt(2.0) * idf1, 0, 0, idf4});
}

static void text_names_what_is_done(void **state)
{
    (void)state;
    akin_recipe *r = fit("binary-idf", "none", "l2", 0);
    assert_string_equal(akin_recipe_text(r), "weights=binary-idf norm=l2");
    assert_int_equal(akin_recipe_dim(r), 5);
    assert_non_null(r->idf);
    akin_recipe_free(r);
    r = fit("log", "zscore", "global", 1);
    assert_string_equal(akin_recipe_text(r),
                        "weights=log center scale=zscore norm=global");
    assert_null(r->idf);
    akin_recipe_free(r);
    r = fit(NULL, NULL, NULL, 0);
    assert_string_equal(akin_recipe_text(r), "none");
    akin_recipe_free(r);
}

static void assert_refused(akin_status st, akin_recipe_options o,
                           const char *message)
{
    akin_recipe *r = NULL;
    assert_int_equal(akin_recipe_fit(&r, ctx, rows, &o), st);
    assert_null(r);
    assert_string_equal(akin_ctx_message(ctx), message);
}

static void wrong_options_are_named(void **state)
{
    (void)state;
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    o.norm = "l3";
    assert_refused(AKIN_EINVAL, o,
                   "norm: unknown value \"l3\" (expected none, l2, global)");
    o.norm = "l2";
    o.center = 2;
    assert_refused(AKIN_EINVAL, o, "center is 2 (expected 0 or 1)");
    o.center = 0;
    o.weights = "sqrt";
    rows->vals[4] = -4.0f;
    assert_refused(AKIN_EINVAL, o,
                   "row 1, column 1: -4 is negative (weights=sqrt needs "
                   "counts)");
    rows->n = 0;
    assert_refused(AKIN_EINVAL, o, "a recipe needs at least one row");
}

static void more_columns_are_refused(void **state)
{
    (void)state;
    akin_recipe *r = fit("tfidf", "none", "l2", 0);
    akin_rows *out = NULL;
    rows->d = 4;
    rows->offsets[3] = 6;
    rows->cols[2] = 2;
    assert_int_equal(akin_recipe_apply(&out, ctx, r, rows), AKIN_OK);
    assert_int_equal(akin_rows_dim(out), 5);
    akin_rows_free(out);
    rows->d = 6;
    assert_int_equal(akin_recipe_apply(&out, ctx, r, rows), AKIN_ESHAPE);
    assert_string_equal(akin_ctx_message(ctx),
                        "the rows have 6 columns (the recipe was made for 5)");
    akin_recipe_free(r);
}

static void huge_dense_results_are_refused(void **state)
{
    (void)state;
    rows->d = INT32_MAX;
    akin_recipe *r = NULL;
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    o.center = 1;
    assert_int_equal(akin_recipe_fit(&r, ctx, rows, &o), AKIN_EINVAL);
}

static void minmax_of_counts_stays_sparse(void **state)
{
    (void)state;
    akin_recipe *r = fit("none", "minmax", "none", 0);
    akin_rows *out = NULL;
    assert_true(ak_recipe_makes_dense(r, rows));  // word 0 has a least of 1
    akin_recipe_free(r);
    rows->vals[5] = 1.0f;
    rows->vals[3] = 1.0f;  // now word 0 is constant: it becomes 0
    r = fit("none", "minmax", "none", 0);
    assert_false(ak_recipe_makes_dense(r, rows));
    assert_int_equal(akin_recipe_apply(&out, ctx, r, rows), AKIN_OK);
    assert_true(akin_rows_is_sparse(out));
    assert_int_equal(akin_rows_nonzeros(out), 3);
    assert_true(out->vals[0] == 0.5f && out->vals[1] == 1.0f);
    assert_int_equal(out->cols[1], 4);
    akin_rows_free(out);
    akin_recipe_free(r);
}

static void assert_same_row(const akin_recipe *a, const akin_recipe *b)
{
    for (int64_t i = 0; i < 3; ++i) {
        int32_t ca[5], cb[5];
        double va[5], vb[5];
        const int64_t n = ak_recipe_row(a, rows, i, ca, va);
        assert_int_equal(n, ak_recipe_row(b, rows, i, cb, vb));
        assert_memory_equal(va, vb, (size_t)n * sizeof *va);
    }
}

static void files_keep_every_bit(void **state)
{
    (void)state;
    const char *weights[] = {"none", "tfidf", "binary-idf", "log"};
    const char *scales[] = {"none", "minmax", "zscore", "su"};
    const char *norms[] = {"none", "l2", "global"};
    for (int k = 0; k < 4 * 4 * 3 * 2; ++k) {
        akin_recipe *r =
            fit(weights[k % 4], scales[k / 4 % 4], norms[k / 16 % 3], k / 48);
        akin_recipe *loaded = NULL, *copy = NULL;
        assert_int_equal(akin_recipe_save(ctx, r, path), AKIN_OK);
        assert_int_equal(akin_recipe_load(&loaded, ctx, path), AKIN_OK);
        assert_int_equal(ak_recipe_copy(&copy, ctx, loaded), AKIN_OK);
        assert_string_equal(akin_recipe_text(r), akin_recipe_text(copy));
        assert_int_equal(akin_recipe_index_base(r),
                         akin_recipe_index_base(copy));
        assert_same_row(r, copy);
        akin_recipe_free(r);
        akin_recipe_free(loaded);
        akin_recipe_free(copy);
    }
}

/* A recipe of one kind under the words of another lacks its tensors. */
static void wrong_files_are_refused(void **state)
{
    (void)state;
    akin_recipe *r = fit("tfidf", "zscore", "l2", 0), *out = NULL;
    const char *notes[][2] = {
        {"kind", "model"},         {"recipe.weights", "TFIDF"},
        {"recipe.scale", "su"},    {"recipe.norm", "l1"},
        {"recipe.dim", "6"},       {"recipe.dim", "-1"},
        {"recipe.global", "nan"},  {"recipe.center", "2"},
        {"recipe.index_base", "3"}};
    for (size_t k = 0; k < sizeof notes / sizeof notes[0]; ++k) {
        ak_tensors *t = NULL;
        assert_int_equal(ak_tensors_new(&t, ctx), AKIN_OK);
        ak_tensors_note(t, ctx, "kind", "recipe");
        assert_int_equal(ak_recipe_put(r, ctx, t, "recipe."), AKIN_OK);
        ak_tensors_note(t, ctx, notes[k][0], notes[k][1]);
        assert_int_equal(ak_tensors_write(t, ctx, path), AKIN_OK);
        ak_tensors_free(t);
        assert_int_equal(akin_recipe_load(&out, ctx, path), AKIN_EFORMAT);
        assert_null(out);
        assert_memory_equal(akin_ctx_message(ctx), path, sizeof path - 1);
    }
    akin_recipe_free(r);
}

static void keep_line(void *user, akin_log_level level, const char *line)
{
    assert_int_equal(level, AKIN_LOG_WARNING);
    snprintf(user, 200, "%s", line);
}

static void an_idf_of_zeros_is_told(void **state)
{
    const float full[] = {1, 2, 3, 4};
    const akin_recipe_options o = {sizeof o, "tfidf", "none", "l2", 0};
    akin_rows *dense = NULL;
    akin_recipe *r = NULL;
    char said[200] = "";
    (void)state;
    akin_ctx_set_log(ctx, keep_line, said);
    akin_recipe_free(fit("tfidf", "none", "l2", 0));
    assert_string_equal(said, "");
    assert_int_equal(akin_rows_new_dense(&dense, ctx, 2, 2, full), AKIN_OK);
    assert_int_equal(akin_recipe_fit(&r, ctx, dense, &o), AKIN_OK);
    assert_non_null(strstr(said, "`weights` tfidf makes every value 0"));
    akin_recipe_free(r);
    akin_rows_free(dense);
}

/* 32 ones, the first `again` of them twice. */
static void assert_words(int again, const char *want)
{
    int64_t offsets[33];
    int32_t cols[32];
    float vals[32];
    akin_recipe_options o = {sizeof o, "auto-words", "none", "l2", 0};
    akin_rows *bags = NULL;
    for (int i = 0; i < 32; ++i) {
        offsets[i] = i;
        cols[i] = i % 4;
        vals[i] = i < again ? 2.0f : 1.0f;
    }
    offsets[32] = 32;
    assert_int_equal(
        akin_rows_new_sparse(&bags, ctx, 32, 4, offsets, cols, vals), AKIN_OK);
    assert_int_equal(ak_recipe_settle(&o, ctx, bags), AKIN_OK);
    assert_string_equal(o.weights, want);
    akin_rows_free(bags);
}

static void words_that_rarely_repeat_count_once(void **state)
{
    (void)state;
    assert_words(0, "binary-idf");
    assert_words(2, "binary-idf");
    assert_words(3, "sqrt-idf");
    assert_words(32, "sqrt-idf");
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
    const struct CMUnitTest tests[] = {
        CASE(words_that_rarely_repeat_count_once),
        CASE(weights_are_as_defined),
        CASE(text_names_what_is_done),
        CASE(wrong_options_are_named),
        CASE(more_columns_are_refused),
        CASE(huge_dense_results_are_refused),
        CASE(minmax_of_counts_stays_sparse),
        CASE(files_keep_every_bit),
        CASE(wrong_files_are_refused),
        CASE(an_idf_of_zeros_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
