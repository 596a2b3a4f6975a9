/* Numbers and paragraphs as people read them, and words they meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/json.h"
#include "app/nearest.h"
#include "app/text.h"

static void counts_have_commas(void **state)
{
    (void)state;
    assert_string_equal(app_counted(1, "row").text, "1 row");
    assert_string_equal(app_counted(0, "row").text, "0 rows");
    assert_string_equal(app_counted(2000, "query").text, "2,000 queries");
    assert_string_equal(app_counted(1, "query").text, "1 query");
    assert_string_equal(app_count(0).text, "0");
    assert_string_equal(app_count(999).text, "999");
    assert_string_equal(app_count(1234567).text, "1,234,567");
    assert_string_equal(app_count(-123456).text, "-123,456");
    assert_string_equal(app_count(INT64_MIN).text,
                        "-9,223,372,036,854,775,808");
}

static void options_in_backquotes_become_flags(void **state)
{
    char text[] = "`max_sweeps` 0, `C` 1, `a b`, ``, `rank` 9 and `open";
    (void)state;
    app_options_to_flags(text);
    assert_string_equal(text,
                        "--max-sweeps 0, --C 1, `a b`, ``, --rank 9 and `open");
}

static void units_keep_three_digits(void **state)
{
    (void)state;
    assert_string_equal(app_si(526.4).text, "526");
    assert_string_equal(app_si(999.7).text, "1.00 k");
    assert_string_equal(app_si(526400).text, "526 k");
    assert_string_equal(app_bytes(65741).text, "64.2 KiB");
    assert_string_equal(app_seconds(0.0123).text, "12 ms");
    assert_string_equal(app_seconds(1.936).text, "1.94 s");
    assert_string_equal(app_seconds(125).text, "2 min 5 s");
    assert_string_equal(app_seconds(7260).text, "2 h 1 min");
}

static void reals_read_back_the_same(void **state)
{
    static const double x[] = {0.1, 1e-5, 1e6, 1e300, 1.0 / 3.0, 5e-324, -0.3};
    (void)state;
    assert_string_equal(app_real(1e-5).text, "1e-5");
    assert_string_equal(app_real(1e300).text, "1e300");
    for (size_t i = 0; i < sizeof x / sizeof x[0]; ++i)
        assert_true(strtod(app_real(x[i]).text, NULL) == x[i]);
}

static void lines_break_at_blanks(void **state)
{
    const char *next;
    (void)state;
    assert_int_equal(app_wrap("one two three", 8, &next), 7);
    assert_string_equal(next, "three");
    assert_int_equal(app_wrap("a\nb", 8, &next), 1);
    assert_string_equal(next, "b");
    assert_int_equal(app_wrap("longerthanthat x", 8, &next), 14);
    assert_string_equal(next, "x");
    assert_int_equal(app_wrap("", 8, &next), 0);
    assert_string_equal(next, "");
}

static void limits_are_short(void **state)
{
    (void)state;
    assert_string_equal(app_limit(1e12).text, "1e12");
    assert_string_equal(app_limit(1e-12).text, "1e-12");
    assert_string_equal(app_limit(1000.0).text, "1000");
    assert_string_equal(app_limit(2147483647.0).text, "2147483647");
}

static void near_counts_swaps_once(void **state)
{
    (void)state;
    assert_int_equal(akin_word_near("train", "train"), 0);
    assert_int_equal(akin_word_near("trian", "train"), 1);
    assert_int_equal(akin_word_near("Train", "train"), 1);
    assert_int_equal(akin_word_near("tr", "train"), 1);
    assert_int_equal(akin_word_near("", "abc"), 0);
    assert_int_equal(akin_word_near("kitten", "sitting"), 0);
    assert_int_equal(akin_word_near("clsas_names", "class_name"), 2);
}

static void nearest_takes_the_best_and_no_stranger(void **state)
{
    app_nearest n = {.word = "scroe"};
    (void)state;
    app_nearest_try(&n, "search");
    app_nearest_try(&n, "score");
    assert_string_equal(app_nearest_hint(&n, "").text,
                        " (did you mean score?)");
    app_nearest none = {.word = "xyzzy"};
    app_nearest_try(&none, "score");
    assert_string_equal(app_nearest_hint(&none, "").text, "");
}

static void json_is_short_and_whole(void **state)
{
    json_t *o = json_pack("{s:o, s:o, s:[I,I], s:s}", "x", app_json_real(0.1),
                          "none", app_json_real(1.0 / 0.0), "n", (json_int_t)1,
                          (json_int_t)2, "s", "a\"b");
    char *text = app_json_text(o);
    (void)state;
    assert_string_equal(text, "{\n  \"x\": 0.1,\n  \"none\": null,\n"
                              "  \"n\": [1, 2],\n  \"s\": \"a\\\"b\"\n}\n");
    free(text);
    json_decref(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_have_commas),
        cmocka_unit_test(options_in_backquotes_become_flags),
        cmocka_unit_test(units_keep_three_digits),
        cmocka_unit_test(reals_read_back_the_same),
        cmocka_unit_test(lines_break_at_blanks),
        cmocka_unit_test(limits_are_short),
        cmocka_unit_test(near_counts_swaps_once),
        cmocka_unit_test(nearest_takes_the_best_and_no_stranger),
        cmocka_unit_test(json_is_short_and_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
