/* Documents to rows: folders and csv say the same; recipes in files. */
#include <akin/text.h>
#include <stdlib.h>

#include "context.h"
#include "data/recipe/recipe.h"
#include "text_files.h"

static int begin(void **state)
{
    return context_begin(state) != 0 || text_begin() != 0;
}

static int end(void **state)
{
    return text_end() != 0 || context_end(state) != 0;
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)

static akin_rows *read_documents(const char *name, const akin_recipe *recipe,
                                 akin_text_info *info)
{
    akin_rows *rows = NULL;
    const akin_status st =
        akin_text_read(&rows, ctx, text_path(name), recipe, NULL, info);
    if (st != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    return rows;
}

static void assert_same(const akin_rows *a, const akin_rows *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->d, b->d);
    assert_memory_equal(a->offsets, b->offsets,
                        (size_t)(a->n + 1) * sizeof *a->offsets);
    const size_t n = (size_t)a->offsets[a->n];
    assert_memory_equal(a->cols, b->cols, n * sizeof *a->cols);
    assert_memory_equal(a->vals, b->vals, n * sizeof *a->vals);
    for (int64_t j = 0; j < a->d; ++j)
        assert_string_equal(akin_rows_column_name(a, j),
                            akin_rows_column_name(b, j));
}

static void folder_is_counted(void **state)
{
    (void)state;
    const char *terms[] = {"orbit", "rocket", "roses", "tulips",
                           "\xc3\xa9t\xc3\xa9"};
    const float full[][5] = {{2, 1, 0, 0, 0},
                             {0, 1, 0, 0, 1},
                             {1, 0, 2, 0, 0},
                             {0, 0, 1, 1, 0},
                             {0, 0, 0, 0, 0}};
    akin_text_info info = {0};
    akin_rows *rows = read_documents("docs", NULL, &info);
    float room[5];
    assert_int_equal(rows->n, 5);
    assert_int_equal(rows->d, 5);
    for (int64_t j = 0; j < 5; ++j)
        assert_string_equal(akin_rows_column_name(rows, j), terms[j]);
    for (int64_t i = 0; i < 5; ++i)
        assert_memory_equal(ak_rows_full(rows, i, room), full[i], sizeof room);
    assert_int_equal(akin_rows_label_count(rows), 2);
    assert_int_equal(info.words, 10);
    assert_int_equal(info.left_out, 1);
    assert_int_equal(info.repaired, 1);
    assert_int_equal(info.empty, 1);
    akin_rows_free(rows);
}

static void files_are_counted_the_same(void **state)
{
    (void)state;
    const char *const files[] = {"docs.csv", "docs.jsonl"};
    akin_rows *a = read_documents("docs", NULL, NULL);
    for (int k = 0; k < 2; ++k) {
        akin_rows *b = read_documents(files[k], NULL, NULL);
        assert_same(a, b);
        assert_memory_equal(a->labels, b->labels, 5 * sizeof *a->labels);
        akin_rows_free(b);
    }
    akin_rows_free(a);
}

static const char *const in_memory[] = {
    "orbit rocket orbit", "rocket \xc3\x89t\xc3\xa9", "roses roses orbit",
    "roses \xff tulips", ""};

static void texts_in_memory_are_counted_the_same(void **state)
{
    (void)state;
    akin_rows *a = read_documents("docs", NULL, NULL), *b = NULL;
    akin_recipe *r = NULL;
    assert_int_equal(akin_text_count(&b, ctx, in_memory, NULL, 5, NULL, NULL),
                     AKIN_OK);
    assert_same(a, b);
    akin_rows_free(b);
    /* With the terms of a recipe, a text alone has the row it has there. */
    assert_int_equal(akin_text_fit(&r, ctx, a, NULL, NULL), AKIN_OK);
    assert_int_equal(akin_text_count(&b, ctx, in_memory + 2, NULL, 1, r, NULL),
                     AKIN_OK);
    assert_int_equal(b->d, a->d);
    assert_int_equal(b->offsets[1], a->offsets[3] - a->offsets[2]);
    assert_memory_equal(b->cols, a->cols + a->offsets[2],
                        (size_t)b->offsets[1] * sizeof *b->cols);
    akin_rows_free(b);
    akin_recipe_free(r);
    akin_rows_free(a);
}

static void every_text_in_memory_is_a_row(void **state)
{
    (void)state;
    const char *const texts[] = {"a\0orbit", "orbit and more", "", "the"};
    const size_t lengths[] = {7, 5, 0, 3};
    akin_rows *rows = NULL;
    assert_int_equal(akin_text_count(&rows, ctx, texts, lengths, 4, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(rows->n, 4);
    assert_int_equal(rows->d, 1);
    assert_string_equal(akin_rows_column_name(rows, 0), "orbit");
    assert_int_equal(rows->offsets[2], 2);
    assert_int_equal(rows->offsets[4], 2);
    akin_rows_free(rows);
    assert_int_equal(akin_text_count(&rows, ctx, texts, NULL, 0, NULL, NULL),
                     AKIN_EINVAL);
}

/* Also after a way through a file, and in a copy. */
static void recipe_does_it_again(void **state)
{
    (void)state;
    akin_text_options o = AKIN_TEXT_DEFAULTS;
    akin_recipe_options then = AKIN_RECIPE_DEFAULTS;
    akin_rows *counts = read_documents("docs", NULL, NULL), *first = NULL;
    akin_recipe *r[3] = {NULL};
    o.features = 3;
    then.weights = "tfidf";
    then.norm = "l2";
    assert_int_equal(akin_text_fit(&r[0], ctx, counts, &o, &then), AKIN_OK);
    assert_int_equal(akin_recipe_apply(&first, ctx, r[0], counts), AKIN_OK);
    assert_int_equal(akin_recipe_save(ctx, r[0], text_path("r")), AKIN_OK);
    assert_int_equal(akin_recipe_load(&r[1], ctx, text_path("r")), AKIN_OK);
    assert_int_equal(ak_recipe_copy(&r[2], ctx, r[1]), AKIN_OK);
    for (int k = 0; k < 3; ++k) {
        akin_rows *again = read_documents("docs.csv", r[k], NULL), *out = NULL;
        assert_same(counts, again);
        assert_int_equal(akin_recipe_apply(&out, ctx, r[k], again), AKIN_OK);
        assert_same(first, out);
        assert_string_equal(akin_recipe_text(r[k]), akin_recipe_text(r[0]));
        assert_string_equal(r[k]->vocabulary->choices,
                            r[0]->vocabulary->choices);
        akin_rows_free(out);
        akin_rows_free(again);
    }
    for (int k = 0; k < 3; ++k)
        akin_recipe_free(r[k]);
    akin_rows_free(first);
    akin_rows_free(counts);
}

/* A recipe's file with one thing about its vocabulary changed. */
static akin_status take_changed(const char *key, const char *value,
                                const int32_t *kept, const char *terms)
{
    static const double idf[] = {1.0, 2.0};
    ak_tensors *t = NULL;
    akin_recipe *r = NULL;
    assert_int_equal(ak_tensors_new(&t, ctx), AKIN_OK);
    const char *const notes[][2] = {{"weights", "tfidf"},
                                    {"scale", "none"},
                                    {"norm", "l2"},
                                    {"center", "0"},
                                    {"dim", "2"},
                                    {"index_base", "2"},
                                    {"global", "1"},
                                    {"vocabulary.dim", "4"},
                                    {"vocabulary.words", "nfkc-casefold"}};
    for (int k = 0; k < 9; ++k)
        ak_tensors_note(t, ctx, notes[k][0], notes[k][1]);
    if (key != NULL)
        ak_tensors_note(t, ctx, key, value);
    ak_tensors_put_vector(t, ctx, "idf", AK_DTYPE_F64, 2, idf);
    ak_tensors_put_vector(t, ctx, "vocabulary.kept", AK_DTYPE_I32, 2, kept);
    ak_tensors_put_vector(t, ctx, "vocabulary.terms", AK_DTYPE_U8, 8, terms);
    const akin_status st = ak_recipe_take(&r, ctx, t, "");
    akin_recipe_free(r);
    ak_tensors_free(t);
    return st;
}

static void vocabulary_is_checked(void **state)
{
    (void)state;
    const int32_t good[] = {1, 3};
    const int32_t bad[][2] = {{1, 4}, {3, 1}, {-1, 2}, {2, 2}};
    const char terms[] = "a\0b\0c\0d";
    assert_int_equal(take_changed(NULL, NULL, good, terms), AKIN_OK);
    for (int k = 0; k < 4; ++k)
        assert_int_equal(take_changed(NULL, NULL, bad[k], terms), AKIN_EFORMAT);
    const char *const changes[][2] = {
        {"vocabulary.dim", "3"},       {"vocabulary.dim", "5"},
        {"vocabulary.dim", "-1"},      {"vocabulary.dim", "9999999999"},
        {"vocabulary.words", "stems"}, {"dim", "3"}};
    for (int k = 0; k < 6; ++k)
        assert_int_equal(
            take_changed(changes[k][0], changes[k][1], good, terms),
            AKIN_EFORMAT);
    /* The same term twice is found when documents are to be read. */
    assert_int_equal(take_changed(NULL, NULL, good, "a\0b\0a\0d"), AKIN_OK);
}

static void older_readers_are_told(void **state)
{
    (void)state;
    akin_rows *counts = read_documents("docs", NULL, NULL);
    akin_recipe *text = NULL, *plain = NULL;
    ak_tensors *t = NULL;
    assert_int_equal(akin_text_fit(&text, ctx, counts, NULL, NULL), AKIN_OK);
    assert_int_equal(akin_recipe_fit(&plain, ctx, counts, NULL), AKIN_OK);
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(
            akin_recipe_save(ctx, k ? plain : text, text_path("r")), AKIN_OK);
        assert_int_equal(ak_tensors_read(&t, ctx, text_path("r")), AKIN_OK);
        assert_string_equal(ak_tensors_get_note(t, "format_version"),
                            k ? "1" : "2");
        ak_tensors_free(t);
    }
    akin_recipe_free(text);
    akin_recipe_free(plain);
    akin_rows_free(counts);
}

/* tests/golden/text-recipe-2.safetensors came of four documents about rockets
 * and flowers, when format version 2 came to be. */
static void version_2_is_read(void **state)
{
    (void)state;
    char path[4096];
    const char *tests = getenv("AKIN_TESTS");
    const char *terms[] = {"friday", "rocket", "sun", "tulips"};
    static const char document[] = "Rocket, rocket; ROCKETS! Sun: FRIDAY";
    akin_recipe *r = NULL;
    akin_rows *out = NULL;
    if (tests == NULL)
        skip();
    snprintf(path, sizeof path, "%s/golden/text-recipe-2.safetensors", tests);
    assert_int_equal(akin_recipe_load(&r, ctx, path), AKIN_OK);
    assert_string_equal(akin_recipe_text(r),
                        "columns=4/13 weights=tfidf norm=l2");
    for (int64_t j = 0; j < 4; ++j)
        assert_string_equal(akin_recipe_column_name(r, j), terms[j]);
    text_sub("new");
    text_put("new/1", document, sizeof document - 1);
    akin_rows *counts = read_documents("new", r, NULL);
    assert_int_equal(akin_recipe_apply(&out, ctx, r, counts), AKIN_OK);
    /* ln 4, 2 ln 2 and ln 2, in the ratio 2 : 2 : 1 */
    const float expected[] = {2.0F / 3, 2.0F / 3, 1.0F / 3};
    assert_int_equal(akin_rows_nonzeros(out), 3);
    for (int k = 0; k < 3; ++k)
        assert_float_equal(out->vals[k], expected[k], 1e-6);
    akin_rows_free(out);
    akin_rows_free(counts);
    akin_recipe_free(r);
}

static void sizes_that_do_not_fit_are_told(void **state)
{
    (void)state;
    const int64_t offsets[] = {0, 1};
    const int32_t cols[] = {6};
    const float vals[] = {1};
    akin_rows *counts = read_documents("docs", NULL, NULL);
    akin_rows *wide = NULL, *out = NULL;
    akin_recipe *r = NULL;
    assert_int_equal(akin_text_fit(&r, ctx, counts, NULL, NULL), AKIN_OK);
    assert_int_equal(
        akin_rows_new_sparse(&wide, ctx, 1, 7, offsets, cols, vals), AKIN_OK);
    assert_int_equal(akin_recipe_apply(&out, ctx, r, wide), AKIN_ESHAPE);
    assert_string_equal(akin_ctx_message(ctx),
                        "the rows have 7 columns (the vocabulary has 5)");
    akin_rows_free(wide);
    akin_recipe_free(r);
    akin_rows_free(counts);
}

/* Longer than any buffer, and without an end of line. */
static void long_documents_take_no_more_memory(void **state)
{
    (void)state;
    enum { TIMES = 100000 };
    char *text = malloc(12 * TIMES);
    for (int k = 0; k < TIMES; ++k)
        memcpy(text + 12 * k, "orbit roses ", 12);
    text_sub("long");
    text_put("long/1", text, 12 * TIMES);
    free(text);
    akin_rows *rows = read_documents("long", NULL, NULL);
    assert_int_equal(rows->n, 1);
    assert_int_equal(rows->d, 2);
    assert_true(rows->vals[0] == TIMES && rows->vals[1] == TIMES);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(folder_is_counted),
        CASE(files_are_counted_the_same),
        CASE(texts_in_memory_are_counted_the_same),
        CASE(every_text_in_memory_is_a_row),
        CASE(recipe_does_it_again),
        CASE(vocabulary_is_checked),
        CASE(older_readers_are_told),
        CASE(version_2_is_read),
        CASE(sizes_that_do_not_fit_are_told),
        CASE(long_documents_take_no_more_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
