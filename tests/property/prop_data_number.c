/* Decimal text to float and back, against strtod and on random floats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "data/io/number.h"

enum { TRIES = 200000 };

/* What the header promises: nearest double, then nearest float. */
static void same_as_strtod(const char *text)
{
    char line[1200];
    const char *at = line;
    float got = -1;
    snprintf(line, sizeof line, "%s\n", text);
    const float expected = (float)strtod(text, NULL);
    const ak_number what = ak_number_read(&at, &got);
    if (!isfinite(expected)) {
        assert_int_equal(what, AK_NUMBER_INFINITE);
        return;
    }
    if (what != AK_NUMBER_OK || memcmp(&got, &expected, sizeof got) != 0 ||
        *at != '\n')
        fail_msg("%s: %.9g, not %.9g", text, (double)got, (double)expected);
}

static float random_float(ak_rng *rng)
{
    float x;
    do {
        const uint32_t bits = (uint32_t)ak_rng_next(rng);
        memcpy(&x, &bits, sizeof x);
    } while (!isfinite(x));
    return x;
}

static void texts_of_random_numbers(void **state)
{
    static const char *const forms[] = {"%.*g", "%.*e", "%.*f"};
    ak_rng rng = ak_rng_new(2026, 1);
    char text[512];
    (void)state;
    for (int k = 0; k < TRIES; ++k) {
        const int form = (int)ak_rng_below(&rng, 3);
        const int digits = (int)ak_rng_below(&rng, 24);
        double x = (double)random_float(&rng);
        if (form == 2 || k % 2)
            x = ak_rng_normal(&rng) * pow(10, (double)ak_rng_below(&rng, 6));
        snprintf(text, sizeof text, forms[form], digits, x);
        same_as_strtod(text);
    }
}

/* Halfway between two floats, and a hair to either side. */
static void ties(void **state)
{
    ak_rng rng = ak_rng_new(2026, 2);
    char text[512];
    (void)state;
    for (int k = 0; k < TRIES / 10; ++k) {
        const float a = (float)fabs(ak_rng_normal(&rng));
        const double half = 0.5 * ((double)a + (double)nextafterf(a, INFINITY));
        for (int digits = 14; digits < 30; digits += 3) {
            snprintf(text, sizeof text, "%.*e", digits, half);
            same_as_strtod(text);
        }
    }
}

static void odd_forms(void **state)
{
    static const char *const texts[] = {
        "0",
        "-0",
        ".5",
        "5.",
        "1e5",
        "1E+05",
        "1e-5",
        "1e-400",
        "-1e-400",
        "00012.50",
        "1e400",
        "123456789e-30",
        "10000000000000000000000000000000000000",
        "0.00000000000000000000000000000000000000000001401298464324817",
        "340282346638528859811704183484516925440",
        "340282356779733661637539395458142568448",
        "16777217",
        "9007199254740993",
        "18446744073709551616"};
    static const char *const bad[] = {"",    "-", ".",   "e5",  "1e",
                                      "1e+", "x", "+-1", "--1", "0x"};
    char line[4096];
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k)
        same_as_strtod(texts[k]);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        const char *at = line;
        float x;
        snprintf(line, sizeof line, "%s\n", bad[k]);
        const ak_number what = ak_number_read(&at, &x);
        assert_true(what == AK_NUMBER_NONE || *at != '\n');
    }
    memset(line, '7', 1000);
    line[1] = '.';
    line[1000] = '\0';
    same_as_strtod(line);
}

static void written_numbers_read_back(void **state)
{
    ak_rng rng = ak_rng_new(2026, 3);
    (void)state;
    for (int k = 0; k < TRIES; ++k) {
        char text[AK_NUMBER_SIZE + 1], brief[64];
        const char *at = text;
        const float x = random_float(&rng);
        float y;
        const size_t n = ak_number_write(text, x);
        assert_in_range(n, 1, AK_NUMBER_SIZE);
        text[n] = '\n';
        if (ak_number_read(&at, &y) != AK_NUMBER_OK || y != x)
            fail_msg("%.9g does not come back", (double)x);
        /* No longer than nine digits, sign, point and exponent. */
        assert_true(
            n <= (size_t)snprintf(brief, sizeof brief, "%.8e", (double)x) + 4);
    }
}

static void short_numbers_stay_short(void **state)
{
    static const struct {
        float x;
        const char *text;
    } cases[] = {{0.1F, "0.1"},          {0, "0"},
                 {-0.0F, "0"},           {1e-5F, "0.00001"},
                 {1e-7F, "1e-7"},        {16777216, "16777216"},
                 {1e10F, "10000000000"}, {1e20F, "1e20"},
                 {-2.5F, "-2.5"},        {3.4028235e38F, "3.4028235e38"},
                 {1e-45F, "1e-45"}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        char text[AK_NUMBER_SIZE + 1];
        text[ak_number_write(text, cases[k].x)] = '\0';
        assert_string_equal(text, cases[k].text);
    }
}

/* The one form of a text; "" when it is no number. */
static const char *form_of(const char *text)
{
    static char form[AK_DECIMAL_SIZE + 1];
    form[ak_decimal_write(form, text, strlen(text))] = '\0';
    return form;
}

static void a_number_has_one_form(void **state)
{
    static const char *const cases[][2] = {
        {"1", "1"},           {"+1", "1"},
        {"1.0", "1"},         {"1.", "1"},
        {"1e0", "1"},         {"10E-1", "1"},
        {"0.1e+1", "1"},      {"-1.00", "-1"},
        {"0", "0"},           {"-0.0", "0"},
        {".5", "0.5"},        {"0.050", "0.05"},
        {"12.50", "12.5"},    {"1e3", "1000"},
        {"1e21", "1e21"},     {"1e20", "100000000000000000000"},
        {"1.5e-9", "1.5e-9"}, {"0.0000001", "1e-7"},
        {"1e9999", "1e9999"}, {"12345678901234567890", "12345678901234567890"},
    };
    static const char *const others[] = {
        "",   "+",  "-",   ".",   "1e",  "1e+",   "e1",  "1x",  "1 ",     "007",
        "00", "x1", "0x1", "+-1", "1,0", "1.0.0", "nan", "inf", "1e12345"};
    char longest[70] = "1";
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        assert_string_equal(form_of(cases[k][0]), cases[k][1]);
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
        assert_string_equal(form_of(others[k]), "");
    memset(longest + 1, '2', 63);
    assert_string_equal(form_of(longest),
                        "1.222222222222222222222222222222222222222222222222222"
                        "222222222222e63");
    longest[64] = '2';
    assert_string_equal(form_of(longest), "");
}

static void forms_keep_the_value(void **state)
{
    static const char *const forms[] = {"%.*g", "%.*e", "%+.*f"};
    ak_rng rng = ak_rng_new(2026, 7);
    char text[128], first[AK_DECIMAL_SIZE + 1];
    (void)state;
    for (int k = 0; k < TRIES; ++k) {
        const double x = ak_rng_normal(&rng) *
                         pow(10, (double)ak_rng_below(&rng, 40) - 20);
        snprintf(text, sizeof text, forms[ak_rng_below(&rng, 3)],
                 (int)ak_rng_below(&rng, 24), x);
        strcpy(first, form_of(text));
        if (strtod(first, NULL) != strtod(text, NULL) ||
            strcmp(form_of(first), first) != 0)
            fail_msg("%s: %s", text, first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_random_numbers),
        cmocka_unit_test(ties),
        cmocka_unit_test(odd_forms),
        cmocka_unit_test(written_numbers_read_back),
        cmocka_unit_test(short_numbers_stay_short),
        cmocka_unit_test(a_number_has_one_form),
        cmocka_unit_test(forms_keep_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
