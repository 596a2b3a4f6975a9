/* svmlight files: what is read, what is refused and where, what is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "data/io/formats.h"

static int enter(void **state)
{
    return akin_ctx_new((akin_ctx **)state, NULL) != AKIN_OK;
}

static int leave(void **state)
{
    akin_ctx_free(*state);
    return 0;
}

static akin_status parse(akin_ctx *ctx, const char *text, int64_t base,
                         int64_t dim, akin_rows **out)
{
    const akin_read_options o = {.index_base = base, .dim = dim};
    ak_source *s = NULL;
    *out = NULL;
    assert_int_equal(
        ak_source_memory(&s, ctx, "x.svm", AK_SOURCE_TEXT, text, strlen(text)),
        AKIN_OK);
    const akin_status st = ak_svmlight_parse(out, ctx, s, &o);
    ak_source_close(s);
    return st;
}

static akin_rows *good(akin_ctx *ctx, const char *text)
{
    akin_rows *r;
    if (parse(ctx, text, AKIN_BASE_AUTO, 0, &r) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    return r;
}

static void refused(akin_ctx *ctx, const char *text, int64_t base, int64_t dim,
                    const char *message)
{
    akin_rows *r;
    assert_int_equal(parse(ctx, text, base, dim, &r), AKIN_EFORMAT);
    assert_null(r);
    assert_string_equal(akin_ctx_message(ctx), message);
}

static void labels_groups_and_comments(void **state)
{
    akin_rows *r = good(*state, "# head\n"
                                "-1 qid:7 1:1.5 3:-2e1 # first\n"
                                "\n"
                                "b,a 2:1\r\n"
                                "? 3:0.25\n"
                                "1:4 2:0\n"
                                " 4:1#end\n"
                                "a\n"
                                "qid:3 1:1");
    assert_int_equal(r->n, 7);
    assert_int_equal(r->d, 4);
    assert_int_equal(r->index_base, AKIN_BASE_1);
    const int64_t offsets[] = {0, 2, 3, 4, 5, 6, 6, 7};
    assert_memory_equal(r->offsets, offsets, sizeof offsets);
    const int32_t cols[] = {0, 2, 1, 2, 0, 3, 0};
    assert_memory_equal(r->cols, cols, sizeof cols);
    const float vals[] = {1.5F, -20, 1, 0.25F, 4, 1, 1};
    assert_memory_equal(r->vals, vals, sizeof vals);
    assert_int_equal(r->n_label_names, 3);
    assert_string_equal(r->label_names[0], "-1");
    assert_string_equal(r->label_names[1], "b");
    const int64_t label_offsets[] = {0, 1, 3, 3, 3, 3, 4, 4};
    assert_memory_equal(r->label_offsets, label_offsets, sizeof label_offsets);
    const int32_t labels[] = {0, 1, 2, 2};
    assert_memory_equal(r->labels, labels, sizeof labels);
    const int64_t groups[] = {7, -1, -1, -1, -1, -1, 3};
    assert_memory_equal(r->groups, groups, sizeof groups);
    akin_rows_free(r);
}

static void a_zero_anywhere_makes_the_base_0(void **state)
{
    akin_rows *r = good(*state, "1 1:1 5:1\n1 0:0 2:1\n");
    assert_int_equal(r->index_base, AKIN_BASE_0);
    assert_int_equal(r->d, 6);
    assert_int_equal(r->cols[0], 1);
    assert_int_equal(r->offsets[2], 3);
    assert_null(r->groups);
    akin_rows_free(r);
}

static void the_dimension_may_be_larger(void **state)
{
    akin_rows *r;
    assert_int_equal(parse(*state, "1 1:1 5:1\n", AKIN_BASE_1, 9, &r), AKIN_OK);
    assert_int_equal(r->d, 9);
    akin_rows_free(r);
    assert_int_equal(parse(*state, "1 9:1\n", AKIN_BASE_AUTO, 9, &r), AKIN_OK);
    assert_int_equal(r->cols[0], 8);
    akin_rows_free(r);
}

static void errors_say_where(void **state)
{
    static const char *const cases[][2] = {
        {"1 2:1 2:3", "x.svm:1:7: indices must increase (got 2 after 2)"},
        {"1 2:1\n1 3:1 2:3",
         "x.svm:2:7: indices must increase (got 2 after 3)"},
        {"1 2:nan", "x.svm:1:5: value is not finite in 32 bits"},
        {"1 2:-Inf", "x.svm:1:5: value is not finite in 32 bits"},
        {"1 2:1e39", "x.svm:1:5: value is not finite in 32 bits"},
        {"1 2:", "x.svm:1:5: no value after the ':'"},
        {"1 2:x", "x.svm:1:5: not a value (expected a number)"},
        {"1 2:1e", "x.svm:1:5: not a value (expected a number)"},
        {"1 2:1,5", "x.svm:1:5: not a value (expected a number)"},
        {"1 2 3:1", "x.svm:1:4: no ':' after the index (expected index:value)"},
        {"1 x:1", "x.svm:1:3: not an entry (expected index:value)"},
        {"1 qid:1 qid:2", "x.svm:1:9: not an entry (expected index:value)"},
        {"1 qid:x", "x.svm:1:7: not a group number (expected qid:N)"},
        {"1 -2:1", "x.svm:1:3: negative index"},
        {"1 2147483648:1", "x.svm:1:3: index is above 2147483647"},
        {"1 99999999999999999999:1", "x.svm:1:3: index is above 2147483647"},
        {"1,,2 1:1", "x.svm:1:3: empty label"},
        {"1, 1:1", "x.svm:1:3: empty label"},
        {"1,1 1:1", "x.svm:1:3: repeated label"},
        {"a\x01z 1:1", "x.svm:1:2: control character in a label"},
        {"", "x.svm: no rows"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        refused(*state, cases[k][0], AKIN_BASE_AUTO, 0, cases[k][1]);
    refused(*state, "1 0:1", AKIN_BASE_1, 0,
            "x.svm:1:3: index 0 (expected indices from 1)");
    refused(*state, "1 1:1 6:1", AKIN_BASE_1, 5,
            "x.svm:1:7: index 6 is outside dimension 5 (expected 1 to 5)");
    refused(*state, "1 1:1 5:1", AKIN_BASE_0, 5,
            "x.svm:1:7: index 5 is outside dimension 5 (expected 0 to 4)");
    refused(*state, "1 1:1\n1 1:1 5:1\n1 0:1", AKIN_BASE_AUTO, 5,
            "x.svm:2:7: index 5 is outside dimension 5 (expected 0 to 4)");
}

static void same(const akin_rows *a, const akin_rows *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->d, b->d);
    assert_int_equal(a->index_base, b->index_base);
    const size_t n = (size_t)a->n, m = (size_t)a->offsets[n];
    assert_memory_equal(a->offsets, b->offsets, (n + 1) * sizeof *a->offsets);
    assert_memory_equal(a->cols, b->cols, m * sizeof *a->cols);
    assert_memory_equal(a->vals, b->vals, m * sizeof *a->vals);
    assert_int_equal(a->n_label_names, b->n_label_names);
    assert_memory_equal(a->label_offsets, b->label_offsets,
                        (n + 1) * sizeof *a->label_offsets);
    assert_int_equal(a->groups == NULL, b->groups == NULL);
}

static void written_rows_read_back(void **state)
{
    static const char *const paths[] = {"test-rows.svm", "test-rows.svm.gz",
                                        "test-rows.svm.zst"};
    akin_rows *r = good(*state, "b 2:1 4:0.1 5:16777217 6:3e-45 7:1e-30 9:0\n"
                                "a,b 0:0 3:-0.333333333333\n"
                                "?\n"
                                "c qid:9 2:123456.789 3:3.4028234e38\n");
    for (int k = 0; k < 3; ++k) {
        akin_rows *back = NULL;
        assert_int_equal(akin_rows_write(*state, r, paths[k]), AKIN_OK);
        assert_int_equal(akin_rows_read(&back, *state, paths[k], NULL),
                         AKIN_OK);
        same(r, back);
        akin_rows_free(back);
        assert_int_equal(unlink(paths[k]), 0);
    }
    akin_rows_free(r);
}

static void labels_that_cannot_be_written(void **state)
{
    akin_rows *r = NULL;
    const float x = 1;
    const int32_t label = 0;
    const char *name = "two words";
    assert_int_equal(akin_rows_new_dense(&r, *state, 1, 1, &x), AKIN_OK);
    assert_int_equal(akin_rows_set_labels(*state, r, &label, &name, 1),
                     AKIN_OK);
    assert_int_equal(akin_rows_write(*state, r, "test-no.svm"), AKIN_EINVAL);
    assert_int_equal(access("test-no.svm", F_OK), -1);
    akin_rows_free(r);
}

static void standard_input_needs_a_base(void **state)
{
    akin_rows *r = NULL;
    assert_int_equal(akin_rows_read(&r, *state, "-", NULL), AKIN_EINVAL);
    assert_non_null(strstr(akin_ctx_message(*state), "`index_base`"));
}

static void other_endings_are_refused(void **state)
{
    akin_rows *r = NULL;
    assert_int_equal(akin_rows_read(&r, *state, "x.foo", NULL), AKIN_EINVAL);
    assert_non_null(strstr(akin_ctx_message(*state), ".svm"));
    assert_int_equal(akin_rows_read(&r, *state, "no.svm", NULL), AKIN_ENOENT);
    assert_string_equal(akin_ctx_message(*state),
                        "no.svm: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_groups_and_comments),
        cmocka_unit_test(a_zero_anywhere_makes_the_base_0),
        cmocka_unit_test(the_dimension_may_be_larger),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(written_rows_read_back),
        cmocka_unit_test(labels_that_cannot_be_written),
        cmocka_unit_test(standard_input_needs_a_base),
        cmocka_unit_test(other_endings_are_refused),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
