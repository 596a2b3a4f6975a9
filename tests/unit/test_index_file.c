/* Indexes that earlier versions wrote are read, and found in; names of rows. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <akin/index.h>

#include "context.h"

static void check_golden(const char *name, const char *kind, int64_t present,
                         const int64_t *wanted)
{
    static const int64_t like[1] = {0};
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    char path[1024];
    akin_index *x = NULL;
    int64_t *rows = NULL;
    double *scores = NULL;
    snprintf(path, sizeof path, "%s/golden/%s", getenv("AKIN_TESTS"), name);
    assert_int_equal(akin_index_load(&x, ctx, path), AKIN_OK);
    assert_string_equal(akin_index_kind(x), kind);
    assert_int_equal(akin_index_count(x), 4);
    assert_int_equal(akin_index_present(x), present);
    int64_t found = 0;
    for (int64_t i = -1; i <= 4; ++i)
        found += akin_index_has(x, i);
    assert_int_equal(found, present);
    o.top = 4;
    o.like = like;
    o.n_like = 1;
    assert_int_equal(akin_index_search(&rows, &scores, ctx, x, NULL, &o),
                     AKIN_OK);
    assert_memory_equal(rows, wanted, 4 * sizeof *wanted);
    akin_free(rows);
    akin_free(scores);
    akin_index_free(x);
}

static void version_1_inverted(void **state)
{
    (void)state;
    check_golden("inverted-1.index", "inverted", 3, (int64_t[]){2, 3, -1, -1});
}

static void version_1_with_sums_of_blocks(void **state)
{
    (void)state;
    check_golden("inverted-sums-1.index", "inverted", 3,
                 (int64_t[]){2, 3, -1, -1});
}

static void version_1_hnsw(void **state)
{
    (void)state;
    if (akin_index_can("hnsw"))
        check_golden("hnsw-1.index", "hnsw", 4, (int64_t[]){1, 2, 3, -1});
}

static const char path[] = "test_index_file.index";

/* Four rows, named and saved. */
static akin_index *named(void)
{
    static const float vals[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const char *const names[4] = {"a, b", "", "twice", "twice"};
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    akin_index *x = NULL;
    assert_int_equal(akin_rows_new_dense(&rows, ctx, 4, 2, vals), AKIN_OK);
    assert_int_equal(akin_model_builtin(&m, ctx, "euclidean", rows), AKIN_OK);
    assert_int_equal(akin_index_build(&x, ctx, m, rows, NULL), AKIN_OK);
    assert_false(akin_index_has_names(x));
    assert_int_equal(akin_index_set_names(ctx, x, 0, names, 4), AKIN_OK);
    assert_int_equal(akin_index_add(ctx, x, rows), AKIN_OK);
    akin_model_free(m);
    akin_rows_free(rows);
    return x;
}

static void names_come_back(void **state)
{
    static const int64_t removed[1] = {2};
    static const char *const more[2] = {"\xff\xfe", "a, b"};
    akin_index *x = named(), *y = NULL;
    (void)state;
    assert_int_equal(akin_index_set_names(ctx, x, 6, more, 2), AKIN_OK);
    assert_int_equal(akin_index_remove(ctx, x, removed, 1), AKIN_OK);
    assert_int_equal(akin_index_save(ctx, x, path), AKIN_OK);
    assert_int_equal(akin_index_load(&y, ctx, path), AKIN_OK);
    unlink(path);
    assert_true(akin_index_has_names(y));
    assert_string_equal(akin_index_name(y, 0), "a, b");
    assert_null(akin_index_name(y, 1));
    assert_string_equal(akin_index_name(y, 3), "twice");
    assert_null(akin_index_name(y, 4));
    assert_string_equal(akin_index_name(y, 6), "\xff\xfe");
    assert_null(akin_index_name(y, 8));
    assert_int_equal(akin_index_find(y, "a, b"), 0);
    assert_int_equal(akin_index_find(y, "twice"), 3);
    assert_int_equal(akin_index_find(y, ""), -1);
    assert_int_equal(akin_index_find(y, "none"), -1);
    akin_index_free(x);
    akin_index_free(y);
}

static void names_that_do_not_fit(void **state)
{
    static const char *const lines[1] = {"one\ntwo"};
    akin_index *x = named();
    (void)state;
    assert_int_equal(akin_index_set_names(ctx, x, 8, lines, 1), AKIN_ESHAPE);
    assert_int_equal(akin_index_set_names(ctx, x, 0, lines, 1), AKIN_EINVAL);
    assert_string_equal(akin_index_name(x, 0), "a, b");
    akin_index_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(version_1_inverted),
        CONTEXT_CASE(version_1_with_sums_of_blocks),
        CONTEXT_CASE(version_1_hnsw), CONTEXT_CASE(names_come_back),
        CONTEXT_CASE(names_that_do_not_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
