/* Rows from memory: what is checked, selecting, labels and their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "data/names.h"
#include "data/rows.h"

static int enter(void **state)
{
    return akin_ctx_new((akin_ctx **)state, NULL) != AKIN_OK;
}

static int leave(void **state)
{
    akin_ctx_free(*state);
    return 0;
}

static akin_rows *dense(akin_ctx *ctx, const int32_t *labels,
                        const char *const *names, int64_t n_names)
{
    static const float x[] = {1, 2, 3, 4, 5, 6};
    akin_rows *r = NULL;
    assert_int_equal(akin_rows_new_dense(&r, ctx, 3, 2, x), AKIN_OK);
    if (labels != NULL)
        assert_int_equal(akin_rows_set_labels(ctx, r, labels, names, n_names),
                         AKIN_OK);
    return r;
}

static void bad_arrays(void **state)
{
    static const int64_t good[] = {0, 1, 2}, falls[] = {0, 2, 1},
                         late[] = {1, 1, 2};
    static const int32_t cols[] = {0, 1}, outside[] = {0, 2}, twice[] = {1, 1};
    const float vals[] = {1, 0}, nan[] = {1, NAN};
    static const int64_t together[] = {0, 0, 2};
    akin_rows *r = NULL;
    akin_ctx *ctx = *state;
    assert_int_equal(akin_rows_new_dense(&r, ctx, -1, 2, vals), AKIN_EINVAL);
    assert_int_equal(akin_rows_new_dense(&r, ctx, 1, 2, nan), AKIN_EINVAL);
    assert_string_equal(akin_ctx_message(ctx), "row 0, column 1 is not finite");
    assert_int_equal(akin_rows_new_sparse(&r, ctx, 2, 2, falls, cols, vals),
                     AKIN_EINVAL);
    assert_int_equal(akin_rows_new_sparse(&r, ctx, 2, 2, late, cols, vals),
                     AKIN_EINVAL);
    assert_int_equal(akin_rows_new_sparse(&r, ctx, 2, 2, good, outside, vals),
                     AKIN_EINVAL);
    assert_int_equal(akin_rows_new_sparse(&r, ctx, 2, 2, together, twice, vals),
                     AKIN_EINVAL);
    assert_int_equal(akin_rows_new_sparse(&r, ctx, 2, 2, good, cols, nan),
                     AKIN_EINVAL);
    assert_null(r);
    assert_int_equal(akin_rows_new_sparse(&r, ctx, 2, 2, good, cols, vals),
                     AKIN_OK);
    assert_int_equal(akin_rows_nonzeros(r), 1);  // the zero is left out
    akin_rows_free(r);
}

static void labels_of_rows(void **state)
{
    static const char *const names[] = {"a", "b"}, *const twice[] = {"a", "a"};
    static const int32_t some[] = {1, -1, 0}, wrong[] = {0, 0, 2};
    akin_rows *r = dense(*state, some, names, 2);
    const int32_t *labels;
    assert_int_equal(akin_rows_label_count(r), 2);
    assert_string_equal(akin_rows_label_name(r, 1), "b");
    assert_int_equal(akin_rows_labels(&labels, r, 0), 1);
    assert_int_equal(labels[0], 1);
    assert_int_equal(akin_rows_labels(&labels, r, 1), 0);
    assert_int_equal(akin_rows_set_labels(*state, r, wrong, names, 2),
                     AKIN_EINVAL);
    assert_int_equal(akin_rows_set_labels(*state, r, some, twice, 2),
                     AKIN_EINVAL);
    assert_int_equal(akin_rows_label_count(r), 2);  // as they were
    akin_rows_free(r);
}

static void selected_rows_keep_all(void **state)
{
    static const char *const names[] = {"a", "b"};
    static const int32_t some[] = {1, -1, 0};
    static const int64_t which[] = {2, 0, 2}, outside[] = {3};
    akin_rows *r = dense(*state, some, names, 2), *s = NULL;
    const int32_t *labels;
    assert_int_equal(akin_rows_select(&s, *state, r, outside, 1), AKIN_EINVAL);
    assert_string_equal(akin_ctx_message(*state),
                        "there is no row 3 (of 3 rows)");
    assert_int_equal(akin_rows_select(&s, *state, r, which, 3), AKIN_OK);
    assert_true(ak_rows_dense(s, 0)[1] == 6 && ak_rows_dense(s, 1)[0] == 1);
    assert_int_equal(akin_rows_labels(&labels, s, 1), 1);
    assert_int_equal(labels[0], 1);
    assert_int_equal(akin_rows_label_count(s), 2);
    akin_rows_free(r);
    akin_rows_free(s);
}

static void labels_meet_by_name(void **state)
{
    static const char *const names[] = {"a", "b"};
    static const char *const others[] = {"c", "b", "d"};
    static const int32_t some[] = {1, -1, 0}, more[] = {0, 1, 2};
    const ak_mark mark = ak_scratch_begin(*state);
    akin_rows *r = dense(*state, some, names, 2);
    akin_rows *s = dense(*state, more, others, 3);
    int32_t *map;
    assert_int_equal(ak_rows_label_map(*state, r, s, &map), AKIN_OK);
    assert_int_equal(map[0], -1);
    assert_int_equal(map[1], 1);
    assert_true(ak_rows_share_label(r, 0, s, 1, map));
    assert_false(ak_rows_share_label(r, 2, s, 0, map));
    assert_false(ak_rows_share_label(r, 1, s, 1, map));
    assert_true(ak_rows_share_label(r, 0, r, 0, NULL));
    ak_scratch_end(*state, mark);
    akin_rows_free(r);
    akin_rows_free(s);
}

static void keep_line(void *user, akin_log_level level, const char *line)
{
    assert_int_equal(level, AKIN_LOG_WARNING);
    snprintf(user, 200, "%s", line);
}

static void numbers_meet_by_value(void **state)
{
    static const char *const names[] = {"1", "-1"};
    static const char *const others[] = {"-1.0", "+1", "x"};
    static const char *const same[] = {"1", "1.0"};
    static const int32_t some[] = {1, -1, 0}, more[] = {0, 1, 2};
    const ak_mark mark = ak_scratch_begin(*state);
    akin_rows *r = dense(*state, some, names, 2);
    akin_rows *s = dense(*state, more, others, 3);
    int32_t *map;
    assert_string_equal(akin_rows_label_name(s, 1), "1");
    assert_int_equal(ak_rows_label_map(*state, r, s, &map), AKIN_OK);
    assert_int_equal(map[0], 1);
    assert_int_equal(map[1], 0);
    assert_int_equal(akin_rows_set_labels(*state, s, some, same, 2),
                     AKIN_EINVAL);
    ak_scratch_end(*state, mark);
    akin_rows_free(r);
    akin_rows_free(s);
}

static void no_shared_label_is_told(void **state)
{
    static const char *const names[] = {"a", "b"}, *const others[] = {"c", "b"};
    static const int32_t some[] = {1, -1, 0}, one[] = {0, 0, 0};
    char said[200] = "";
    const ak_mark mark = ak_scratch_begin(*state);
    akin_rows *r = dense(*state, some, names, 2);
    akin_rows *s = dense(*state, one, others, 1);
    akin_rows *none = dense(*state, NULL, NULL, 0);
    int32_t *map;
    akin_ctx_set_log(*state, keep_line, said);
    assert_int_equal(ak_rows_label_map(*state, r, none, &map), AKIN_OK);
    assert_int_equal(ak_rows_label_map(*state, none, r, &map), AKIN_OK);
    assert_string_equal(said, "");
    assert_int_equal(ak_rows_label_map(*state, r, s, &map), AKIN_OK);
    assert_string_equal(said,
                        "the two sets of rows share no label (the first has "
                        "\"a\", the second \"c\")");
    akin_ctx_set_log(*state, NULL, NULL);
    ak_scratch_end(*state, mark);
    akin_rows_free(r);
    akin_rows_free(s);
    akin_rows_free(none);
}

static void many_names(void **state)
{
    ak_names names = {0};
    char text[16];
    int32_t number;
    for (int k = 0; k < 10000; ++k) {
        const int n = snprintf(text, sizeof text, "%d", k % 5000);
        assert_int_equal(ak_names_add(&names, *state, text, (size_t)n, &number),
                         AKIN_OK);
        assert_int_equal(number, k % 5000);
    }
    assert_int_equal(ak_names_find(&names, "17x", 2), 17);
    assert_int_equal(ak_names_find(&names, "17x", 3), -1);
    ak_names_free(&names);
    assert_int_equal(ak_names_find(&names, "17", 2), -1);
}

static void numbers_are_labels_that_read_back(void **state)
{
    static const char *const others[] = {
        "", "007", "+1", "1.0", "1e3", "x", "9223372036854775808"};
    int64_t number;
    (void)state;
    assert_true(akin_label_number(&number, "-12"));
    assert_int_equal(number, -12);
    assert_true(akin_label_number(&number, "9223372036854775807"));
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
        assert_false(akin_label_number(&number, others[k]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_arrays),
        cmocka_unit_test(labels_of_rows),
        cmocka_unit_test(numbers_are_labels_that_read_back),
        cmocka_unit_test(selected_rows_keep_all),
        cmocka_unit_test(labels_meet_by_name),
        cmocka_unit_test(numbers_meet_by_value),
        cmocka_unit_test(no_shared_label_is_told),
        cmocka_unit_test(many_names),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
