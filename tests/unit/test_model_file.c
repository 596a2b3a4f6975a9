/* Model files: the same again when read, refused when wrong. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "model/diagonal.h"
#include "model/metric.h"

enum { D = 6 };

static const double many[D] = {0.5, -1.0, 2.0, 0.25, 1e-300, 3.0};
static const double few[D] = {0.0, -1.5, 0.0, 0.0, 0.0, 2.0};
static char folder[] = "akin-test-XXXXXX";

static int enter(void **state)
{
    return akin_ctx_new((akin_ctx **)state, NULL) != AKIN_OK ||
           mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int leave(void **state)
{
    akin_ctx_free(*state);
    return chdir("..") != 0 || rmdir(folder) != 0;
}

static akin_rows *counts(akin_ctx *ctx)
{
    static const float x[4 * D] = {1, 0, 2, 0, 0, 0, 0, 3, 1, 0, 0, 0,
                                   0, 0, 0, 4, 0, 1, 1, 0, 0, 0, 5, 0};
    akin_rows *rows = NULL;
    assert_int_equal(akin_rows_new_dense(&rows, ctx, 4, D, x), AKIN_OK);
    return rows;
}

/* A model with everything: notes, a recipe, a learner's state. */
static akin_model *whole(akin_ctx *ctx, const double *w)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_rows *rows = counts(ctx);
    akin_recipe *recipe = NULL;
    akin_model *m = NULL;
    o.weights = "tfidf";
    o.norm = "l2";
    assert_int_equal(akin_recipe_fit(&recipe, ctx, rows, &o), AKIN_OK);
    assert_int_equal(ak_diagonal_new(&m, ctx, D, w, AKIN_BY_COSINE), AKIN_OK);
    assert_int_equal(ak_model_set_note(m, ctx, "learner", "test"), AKIN_OK);
    assert_int_equal(ak_model_set_note(m, ctx, "option.eta", "0.1"), AKIN_OK);
    assert_int_equal(ak_model_set_recipe(m, ctx, AKIN_LEFT, recipe), AKIN_OK);
    assert_int_equal(ak_tensors_new(&m->state, ctx), AKIN_OK);
    ak_tensors_put_vector(m->state, ctx, "g", AK_DTYPE_F64, D, many);
    ak_tensors_note_i64(m->state, ctx, "t", 17);
    akin_recipe_free(recipe);
    akin_rows_free(rows);
    return m;
}

static void same_bytes(akin_ctx *ctx, const char *one, const char *two)
{
    char *a = NULL, *b = NULL;
    size_t na, nb;
    assert_int_equal(ak_file_read(ctx, one, &a, &na), AKIN_OK);
    assert_int_equal(ak_file_read(ctx, two, &b, &nb), AKIN_OK);
    assert_int_equal(na, nb);
    assert_memory_equal(a, b, na);
    akin_free(a);
    akin_free(b);
}

/* Save, load, save: the same bytes; the loaded model. */
static akin_model *again(akin_ctx *ctx, akin_model *m)
{
    akin_model *back = NULL;
    assert_int_equal(akin_model_save(ctx, m, "a"), AKIN_OK);
    assert_int_equal(akin_model_load(&back, ctx, "a"), AKIN_OK);
    assert_int_equal(akin_model_save(ctx, back, "b"), AKIN_OK);
    same_bytes(ctx, "a", "b");
    unlink("a");
    unlink("b");
    akin_model_free(m);
    return back;
}

static void check_whole(akin_ctx *ctx, const double *w, int64_t nonzeros)
{
    akin_model *m = again(ctx, whole(ctx, w));
    int64_t t;
    const char *key, *value;
    assert_string_equal(akin_model_kind(m), "diagonal");
    assert_string_equal(akin_model_learner(m), "test");
    assert_string_equal(akin_model_note(m, "option.eta"), "0.1");
    assert_int_equal(akin_model_compare(m), AKIN_BY_COSINE);
    assert_int_equal(akin_model_dim(m, AKIN_RIGHT), D);
    assert_int_equal(akin_model_nonzeros(m), nonzeros);
    assert_string_equal(akin_recipe_text(akin_model_recipe(m, AKIN_RIGHT)),
                        "weights=tfidf norm=l2");
    assert_true(akin_model_can_resume(m));
    assert_int_equal(ak_tensors_need_i64(m->state, ctx, "t", &t), AKIN_OK);
    assert_int_equal(t, 17);
    assert_memory_equal(ak_tensors_find(m->state, "g")->data, many,
                        sizeof many);
    assert_true(akin_model_note_at(&key, &value, m, 1));
    assert_false(akin_model_note_at(&key, &value, m, 2));
    if (w != NULL)
        assert_memory_equal(ak_diagonal_w(m), w, D * sizeof *w);
    else
        assert_null(ak_diagonal_w(m));
    akin_model_free(m);
}

static void what_is_saved_is_loaded(void **state)
{
    const double M[4] = {2.0, -0.5, -0.5, 1.0};
    akin_model *m = NULL;
    check_whole(*state, many, D);
    check_whole(*state, few, 2);
    check_whole(*state, NULL, D);
    assert_int_equal(ak_metric_new(&m, *state, 2, M, AKIN_BY_DISTANCE),
                     AKIN_OK);
    m = again(*state, m);
    assert_string_equal(akin_model_kind(m), "metric");
    assert_memory_equal(ak_metric_M(m), M, sizeof M);
    assert_null(akin_model_recipe(m, AKIN_LEFT));
    assert_false(akin_model_can_resume(m));
    akin_model_free(m);
}

/* Mostly zeros, and of low rank: kept as they are. */
static void a_metric_is_kept_in_its_form(void **state)
{
    const double M[9] = {2.0, 0.0, -0.5, 0.0, 0.0, 0.0, -0.5, 0.0, 1.0};
    const double B[6] = {1.0, -2.0, 0.5, 0.0, 3.0, 1.0};
    int64_t k = 0;
    akin_model *m = NULL;
    assert_int_equal(ak_metric_new(&m, *state, 3, M, AKIN_BY_DISTANCE),
                     AKIN_OK);
    m = again(*state, m);
    assert_memory_equal(ak_metric_M(m), M, sizeof M);
    assert_int_equal(akin_model_nonzeros(m), 4);
    assert_int_equal(akin_model_rank(m), 2);
    akin_model_free(m);
    assert_int_equal(
        ak_metric_new_factor(&m, *state, 3, 2, B, AKIN_BY_DISTANCE), AKIN_OK);
    m = again(*state, m);
    assert_null(ak_metric_M(m));
    assert_memory_equal(ak_metric_B(m, &k), B, sizeof B);
    assert_int_equal(k, 2);
    assert_int_equal(akin_model_parameters(m), 6);
    assert_int_equal(akin_model_nonzeros(m), 5);
    assert_int_equal(akin_model_rank(m), 2);
    akin_model_free(m);
}

/* EFORMAT with a message that begins with the file's name. */
static void loads_or_says_why(akin_ctx *ctx, const char *bytes, size_t n)
{
    ak_tensors *t = NULL;
    akin_model *m = NULL;
    akin_status st = ak_tensors_parse(&t, ctx, "a", bytes, n);
    if (st == AKIN_OK)
        st = ak_model_take(&m, ctx, t);
    if (st != AKIN_OK) {
        assert_int_equal(st, AKIN_EFORMAT);
        assert_memory_equal(akin_ctx_message(ctx), "a: ", 3);
    }
    akin_model_free(m);
    ak_tensors_free(t);
}

static void every_change_loads_or_is_refused(void **state)
{
    char *a = NULL;
    size_t n;
    akin_model *m = NULL;
    ak_diagonal_new(&m, *state, D, few, AKIN_BY_DOT);
    assert_int_equal(akin_model_save(*state, m, "a"), AKIN_OK);
    akin_model_free(m);
    assert_int_equal(ak_file_read(*state, "a", &a, &n), AKIN_OK);
    for (size_t i = 0; i < n; ++i) {
        char *prefix = NULL;
        assert_int_equal(ak_alloc(*state, (int64_t)i, 1, &prefix), AKIN_OK);
        memcpy(prefix, a, i);
        loads_or_says_why(*state, prefix, i);
        akin_free(prefix);
        for (int change = 1; change < 256; ++change) {
            a[i] = (char)(a[i] ^ change);
            loads_or_says_why(*state, a, n);
            a[i] = (char)(a[i] ^ change);
        }
    }
    akin_free(a);
    unlink("a");
}

/* A set with a note or tensor that is wrong, its checksums right. */
static void refused(akin_ctx *ctx, const char *const *notes, ak_tensor one,
                    ak_tensor two, const char *says)
{
    ak_tensors *t = NULL;
    akin_model *m = NULL;
    ak_tensors_new(&t, ctx);
    ak_tensors_set_path(t, ctx, "x");
    for (int i = 0; notes[i] != NULL; i += 2)
        ak_tensors_note(t, ctx, notes[i], notes[i + 1]);
    if (one.name)
        ak_tensors_put(t, ctx, one);
    if (two.name)
        ak_tensors_put(t, ctx, two);
    assert_int_equal(ak_model_take(&m, ctx, t), AKIN_EFORMAT);
    assert_string_equal(akin_ctx_message(ctx), says);
    ak_tensors_free(t);
}

#define HEAD(kind, by, dim) \
    ((const char *const[]){"kind", kind, "compare", by, "dim", dim, NULL})

static const ak_tensor none;

static void wrong_heads_are_refused(void **state)
{
    refused(*state, (const char *const[]){NULL}, none, none,
            "x: not a model (kind '')");
    refused(*state, HEAD("recipe", "dot", "6"), none, none,
            "x: not a model (kind 'recipe')");
    refused(*state, HEAD("diagonal", "size", "6"), none, none,
            "x: unknown comparison 'size' (expected dot, cosine or distance)");
    refused(*state, (const char *const[]){"kind", "metric", NULL}, none, none,
            "x: unknown comparison '' (expected dot, cosine or distance)");
    refused(*state, HEAD("diagonal", "dot", "six"), none, none,
            "x: note 'dim' is 'six' (expected a number)");
    refused(*state, HEAD("diagonal", "dot", "-1"), none, none,
            "x: note 'dim' is -1 (expected 0 to 2147483647)");
    refused(*state,
            (const char *const[]){"kind", "diagonal", "compare", "dot", "dim",
                                  "6", "dim_right", "5", NULL},
            none, none,
            "x: a diagonal model has 6 columns on the left and 5 on the right "
            "(must be equal)");
}

static void wrong_weights_are_refused(void **state)
{
    static const double nan[2] = {1.0, NAN}, lower[4] = {1.0, 0.0, 1.0, 1.0};
    static const int32_t falling[2] = {3, 1}, far[2] = {1, 6}, low[2] = {-1, 2};
    const char *const *head = HEAD("diagonal", "dot", "6");
    const char *says =
        "x: w.index and w.value must be increasing columns below 6 "
        "and their weights";
    ak_tensor value = {"w.value", AK_DTYPE_F64, 1, {2}, many};
    ak_tensor index = {"w.index", AK_DTYPE_I32, 1, {2}, falling};
    refused(*state, head, (ak_tensor){"w", AK_DTYPE_F64, 1, {5}, many}, none,
            "x: 5 weights (expected 6)");
    refused(*state, head, index, none, "x: there is no tensor 'w.value'");
    refused(*state, head, index, value, says);
    index.data = far;
    refused(*state, head, index, value, says);
    index.data = low;
    refused(*state, head, index, value, says);
    value.shape[0] = 3;
    refused(*state, head, index, value, says);
    refused(*state, HEAD("diagonal", "dot", "2"),
            (ak_tensor){"w", AK_DTYPE_F64, 1, {2}, nan}, none,
            "x: weight 1 is not finite");
    refused(*state, HEAD("metric", "dot", "2"),
            (ak_tensor){"M", AK_DTYPE_F64, 2, {2, 3}, many}, none,
            "x: M is 2 by 3 in a model of 2 by 2 columns");
    refused(*state, HEAD("metric", "dot", "2"),
            (ak_tensor){"M", AK_DTYPE_F64, 2, {2, 2}, lower}, none,
            "x: M is not symmetric and finite");
}

/* The parts of a metric of two columns, one of them wrong. */
static void wrong_parts_are_refused(void **state)
{
    static const int64_t offsets[][3] = {
        {0, 1, 1}, {1, 1, 2}, {0, 3, 2}, {0, 2, 1}, {0, 1, 2}};
    static const int32_t cols[][2] = {{1, 0}, {0, 0}, {0, 2}, {-1, 0}, {0, 1}};
    static const double vals[2] = {1.0, 2.0}, odd[2] = {1.0, NAN};
    const char *const notes[] = {"kind",     "metric", "compare",
                                 "distance", "dim",    "2"};
    for (int i = 0; i < 25; ++i) {
        const bool right = i % 5 == 4 && i / 5 == 4;
        const ak_tensor parts[3] = {
            {"M.offsets", AK_DTYPE_I64, 1, {3}, offsets[i % 5]},
            {"M.columns", AK_DTYPE_I32, 1, {2}, cols[i / 5]},
            {"M.values", AK_DTYPE_F64, 1, {2}, right ? odd : vals}};
        ak_tensors *t = NULL;
        akin_model *m = NULL;
        ak_tensors_new(&t, *state);
        for (int k = 0; k < 6; k += 2)
            ak_tensors_note(t, *state, notes[k], notes[k + 1]);
        for (int k = 0; k < 3; ++k)
            ak_tensors_put(t, *state, parts[k]);
        assert_int_equal(ak_model_take(&m, *state, t), AKIN_EFORMAT);
        ak_tensors_free(t);
    }
    refused(*state, HEAD("metric", "dot", "3"),
            (ak_tensor){"B", AK_DTYPE_F64, 2, {2, 1}, vals}, none,
            "x: tensor 'B' does not match the model");
    refused(*state, HEAD("metric", "dot", "2"),
            (ak_tensor){"B", AK_DTYPE_F64, 2, {2, 1}, odd}, none,
            "x: B is not finite");
    refused(*state, HEAD("metric", "dot", "2"),
            (ak_tensor){"M.offsets", AK_DTYPE_I64, 1, {3}, offsets[0]}, none,
            "x: there is no tensor 'M.columns'");
}

/* tests/golden/diagonal-1.safetensors is whole() with the weights `few`, as
 * format version 1 was when it came to be. */
static void version_1_is_read(void **state)
{
    static const int64_t ij[4] = {1, 2, 1, 1};
    char path[4096];
    const char *tests = getenv("AKIN_TESTS");
    akin_rows *raw = counts(*state), *rows = NULL;
    akin_model *m = NULL;
    double scores[2];
    if (tests == NULL)
        skip();
    snprintf(path, sizeof path, "%s/golden/diagonal-1.safetensors", tests);
    assert_int_equal(akin_model_load(&m, *state, path), AKIN_OK);
    assert_memory_equal(ak_diagonal_w(m), few, sizeof few);
    assert_string_equal(akin_model_note(m, "option.eta"), "0.1");
    assert_true(akin_model_can_resume(m));
    assert_int_equal(akin_model_prepare(&rows, *state, m, raw, AKIN_LEFT),
                     AKIN_OK);
    assert_int_equal(
        akin_model_score(scores, *state, m, rows, rows, ij, 2, AKIN_BY_DEFAULT),
        AKIN_OK);
    assert_true(scores[0] == 0.0 && fabs(scores[1] + 1.0) < 1e-12);
    akin_model_free(m);
    akin_rows_free(rows);
    akin_rows_free(raw);
}

static const char *info_of(const akin_file_info *info, const char *name)
{
    const char *key, *value;
    for (int64_t i = 0; akin_file_info_at(&key, &value, info, i); ++i)
        if (strcmp(key, name) == 0)
            return value;
    return "absent";
}

static void files_are_inspected(void **state)
{
    akin_model *m = whole(*state, few);
    akin_file_info *info = NULL;
    akin_rows *rows = counts(*state);
    assert_int_equal(akin_model_save(*state, m, "model"), AKIN_OK);
    assert_int_equal(akin_file_inspect(&info, *state, "model", NULL), AKIN_OK);
    assert_string_equal(info_of(info, "type"), "model");
    assert_string_equal(info_of(info, "nonzeros"), "2");
    assert_string_equal(info_of(info, "learner"), "test");
    assert_string_equal(info_of(info, "recipe"), "weights=tfidf norm=l2");
    akin_file_info_free(info);
    assert_int_equal(akin_recipe_save(*state, m->recipe[0], "r.safetensors"),
                     AKIN_OK);
    assert_int_equal(akin_file_inspect(&info, *state, "r.safetensors", NULL),
                     AKIN_OK);
    assert_string_equal(info_of(info, "type"), "recipe");
    assert_string_equal(info_of(info, "dim"), "6");
    akin_file_info_free(info);
    assert_int_equal(akin_rows_write(*state, rows, "a.svm"), AKIN_OK);
    assert_int_equal(akin_file_inspect(&info, *state, "a.svm", NULL), AKIN_OK);
    assert_string_equal(info_of(info, "type"), "rows");
    assert_string_equal(info_of(info, "rows"), "4");
    assert_string_equal(info_of(info, "nonzeros"), "8");
    akin_file_info_free(info);
    assert_int_equal(ak_tensors_write(m->state, *state, "t"), AKIN_OK);
    assert_int_equal(akin_file_inspect(&info, *state, "t", NULL), AKIN_OK);
    assert_string_equal(info_of(info, "type"), "tensors");
    assert_string_equal(info_of(info, "g"), "F64 6");
    akin_file_info_free(info);
    assert_int_equal(akin_file_inspect(&info, *state, "none.safetensors", NULL),
                     AKIN_ENOENT);
    akin_rows_free(rows);
    akin_model_free(m);
    unlink("model");
    unlink("r.safetensors");
    unlink("a.svm");
    unlink("t");
}

/* A threshold is kept with its rates, for one way of comparing. */
static void threshold_is_kept(void **state)
{
    const akin_threshold set = {-0.1, 0.25, 1.0 / 3.0, 12};
    const akin_threshold wrong = {NAN, 0.0, 0.0, 1};
    akin_threshold t;
    akin_model *m = NULL, *back = NULL;
    assert_int_equal(ak_diagonal_new(&m, *state, D, many, AKIN_BY_DOT),
                     AKIN_OK);
    assert_false(akin_model_threshold(&t, m, AKIN_BY_DEFAULT));
    assert_int_equal(
        akin_model_set_threshold(*state, m, &wrong, AKIN_BY_DEFAULT),
        AKIN_EINVAL);
    assert_int_equal(akin_model_set_threshold(*state, m, &set, AKIN_BY_COSINE),
                     AKIN_OK);
    assert_int_equal(akin_model_save(*state, m, "m"), AKIN_OK);
    assert_int_equal(akin_model_load(&back, *state, "m"), AKIN_OK);
    assert_false(akin_model_threshold(&t, back, AKIN_BY_DEFAULT));
    assert_true(akin_model_threshold(&t, back, AKIN_BY_COSINE));
    assert_true(t.score == set.score && t.pairs == set.pairs);
    assert_true(t.false_match_rate == set.false_match_rate &&
                t.miss_rate == set.miss_rate);
    akin_model_free(m);
    akin_model_free(back);
    unlink("m");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_saved_is_loaded),
        cmocka_unit_test(a_metric_is_kept_in_its_form),
        cmocka_unit_test(wrong_parts_are_refused),
        cmocka_unit_test(every_change_loads_or_is_refused),
        cmocka_unit_test(wrong_heads_are_refused),
        cmocka_unit_test(wrong_weights_are_refused),
        cmocka_unit_test(version_1_is_read),
        cmocka_unit_test(files_are_inspected),
        cmocka_unit_test(threshold_is_kept),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
