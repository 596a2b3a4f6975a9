/* Charts: well-formed whatever the data, the same bytes every time. */
#include <locale.h>
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

#include <akin/plot.h>

#include "base/file.h"
#include "faulty.h"
#include "plot/axis.h"
#include "plot/svg.h"

static char path[] = "/tmp/akin-test-plot-XXXXXX";

/* Every element that is opened is closed, in order, and no text holds bare
 * markup or control characters. */
static void check_well_formed(const char *at)
{
    char open[64][16];
    int depth = 0;
    for (; *at; ++at) {
        assert_true((unsigned char)*at >= 0x20 || *at == '\n');
        if (*at == '&')
            assert_true(strchr(at, ';') != NULL && strchr(at, ';') - at < 6);
        assert_true(*at != '>');
        if (*at != '<')
            continue;
        const char *end = strchr(at, '>');
        assert_non_null(end);
        if (at[1] == '/') {
            assert_true(depth > 0);
            --depth;
            assert_memory_equal(at + 2, open[depth], strlen(open[depth]));
        } else if (end[-1] != '/') {
            assert_true(depth < 64);
            sscanf(at, "<%15[a-z]", open[depth++]);
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

static char *written(akin_ctx *ctx)
{
    char *bytes = NULL;
    size_t n = 0;
    assert_int_equal(ak_file_read(ctx, path, &bytes, &n), AKIN_OK);
    assert_int_equal(strlen(bytes), n);
    check_well_formed(bytes);
    return bytes;
}

static char *saved(akin_ctx *ctx, const akin_plot *p)
{
    assert_int_equal(akin_plot_save(ctx, p, path), AKIN_OK);
    return written(ctx);
}

static const double xs[] = {0.001, 0.01, NAN, 1.0, -3.0, INFINITY, 1e301};
static const double ys[] = {0.5, 0.25, 0.3, -0.1, 1e-5, 0.4, 0.5};
static const double es[] = {0.1, 0.6, 0.1, NAN, 0.0, -1.0, INFINITY};

static void awkward_numbers_are_drawn(void **state)
{
    akin_ctx *ctx = *state;
    for (int64_t logs = 0; logs < 4; ++logs)
        for (int64_t n = 0; n <= 7; ++n) {
            akin_plot_options o = {.size = sizeof o,
                                   .title = "a",
                                   .log_x = logs & 1,
                                   .log_y = logs >> 1};
            akin_plot *p = NULL;
            assert_int_equal(akin_plot_new(&p, ctx, &o), AKIN_OK);
            assert_int_equal(akin_plot_line(ctx, p, "l", xs, ys, es, n),
                             AKIN_OK);
            char *bytes = saved(ctx, p);
            assert_null(strstr(bytes, "\"nan"));
            assert_null(strstr(bytes, "inf"));
            if (n == 0)
                assert_non_null(strstr(bytes, "no data"));
            akin_free(bytes);
            akin_plot_free(p);
        }
}

static void matrix_is_a_picture(void **state)
{
    akin_ctx *ctx = *state;
    const double v[] = {1.0, 1.0, 0.0, NAN, -2.0, INFINITY};
    int cells = 0;
    assert_int_equal(akin_matrix_save(ctx, path, "<W>", 2, 3, v), AKIN_OK);
    char *bytes = written(ctx);
    for (char *at = bytes; (at = strstr(at, "fill=\"rgb(0,0,0)\"")); ++at)
        ++cells;
    assert_int_equal(cells, 2);  // neighbours of one shade are one
    assert_non_null(strstr(bytes, "black: 1<"));
    akin_free(bytes);
    assert_int_equal(akin_matrix_save(ctx, path, NULL, 0, 3, v), AKIN_EINVAL);
}

static void bars_leave_gaps(void **state)
{
    akin_ctx *ctx = *state;
    const char *groups[] = {"one", "two"}, *series[] = {"a", "b", "c"};
    const double v[] = {1.0, NAN, -2.0, 3.0, 0.0, 1.5};
    for (int64_t log_y = 0; log_y < 2; ++log_y) {
        akin_plot_options o = {.size = sizeof o, .log_y = log_y};
        akin_plot *p = NULL;
        assert_int_equal(akin_plot_new(&p, ctx, &o), AKIN_OK);
        assert_int_equal(akin_plot_bars(ctx, p, groups, 2, series, 3, v),
                         AKIN_OK);
        assert_int_equal(akin_plot_line(ctx, p, "l", xs, ys, NULL, 3),
                         AKIN_EINVAL);
        char *bytes = saved(ctx, p);
        int bars = 0;
        for (char *at = bytes; (at = strstr(at, "<g><title>")); ++at)
            ++bars;
        assert_int_equal(bars, log_y ? 3 : 5);
        akin_free(bytes);
        akin_plot_free(p);
    }
}

static void bars_of_nothing_survive(void **state)
{
    akin_ctx *ctx = *state;
    for (int64_t n = 0; n < 2; ++n) {
        const char *names[] = {"x"};
        const double v[] = {NAN};
        akin_plot *p = NULL;
        assert_int_equal(akin_plot_new(&p, ctx, NULL), AKIN_OK);
        assert_int_equal(akin_plot_bars(ctx, p, names, n, names, 1, v),
                         AKIN_OK);
        char *bytes = saved(ctx, p);
        assert_non_null(strstr(bytes, "no data"));
        akin_free(bytes);
        akin_plot_free(p);
    }
}

static void text_is_escaped(void **state)
{
    akin_ctx *ctx = *state;
    ak_svg s = {.ctx = ctx};
    const char *text = "a<b>&\"\x01\xff\xc3\xa4\xed\xa0\x80\xf4\x90\x80\x80";
    ak_svg_text(&s, text, 100);
    ak_svg_put(&s, "|");
    ak_svg_text(&s, "abcdef", 4);
    assert_string_equal(s.bytes,
                        "a&lt;b&gt;&amp;&quot;"
                        "\xef\xbf\xbd\xef\xbf\xbd\xc3\xa4"
                        "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                        "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                        "|abc\xe2\x80\xa6");
    assert_int_equal(ak_svg_length(text), 16);
    akin_free(s.bytes);
}

static void check_ticks(bool log, double low, double high, const char *texts)
{
    char got[512] = "";
    ak_axis a = ak_axis_new(log);
    ak_axis_reach(&a, low);
    ak_axis_reach(&a, high);
    ak_axis_finish(&a, 0.0, 5);
    for (int64_t i = 0; i < a.n_ticks; ++i) {
        strcat(got, i ? " " : "");
        strcat(got, a.texts[i]);
    }
    assert_string_equal(got, texts);
}

static void ticks_are_round_numbers(void **state)
{
    (void)state;
    check_ticks(false, 0.0, 1.0, "0.0 0.2 0.4 0.6 0.8 1.0");
    check_ticks(false, 0.32, 0.41, "0.32 0.34 0.36 0.38 0.40");
    check_ticks(false, 0.33, 0.66, "0.4 0.5 0.6");
    check_ticks(false, -7.0, 23.0, "0 10 20");
    check_ticks(false, 0.0, 100000.0, "0 20,000 40,000 60,000 80,000 100,000");
    check_ticks(false, 0.0, 5e6,
                "0 10\xe2\x81\xb6 2\xc3\x97"
                "10\xe2\x81\xb6 3\xc3\x97"
                "10\xe2\x81\xb6 4\xc3\x97"
                "10\xe2\x81\xb6 5\xc3\x97"
                "10\xe2\x81\xb6");
    check_ticks(true, 1.0, 1000.0, "1 10 100 1,000");
    check_ticks(true, 0.5, 30.0, "0.5 1 2 5 10 20");
    check_ticks(true, 2.0, 2.5, "2.0 2.1 2.2 2.3 2.4 2.5");
    check_ticks(true, 1e-6, 1e-4,
                "10\xe2\x81\xbb\xe2\x81\xb6 10\xe2\x81\xbb\xe2\x81\xb5 "
                "10\xe2\x81\xbb\xe2\x81\xb4");
}

/* Thousands of random ranges: ticks rise, lie inside, and are not too many. */
static void ticks_stay_in_range(void **state)
{
    (void)state;
    srand(1);
    for (int round = 0; round < 20000; ++round) {
        const bool log = round % 2;
        const double scale = pow(10.0, rand() % 540 - 240);
        const double at = (rand() % 2001 - 1000) * scale;
        ak_axis a = ak_axis_new(log);
        ak_axis_reach(&a, log ? fabs(at) : at);
        ak_axis_reach(&a, scale * rand() / RAND_MAX);
        if (round % 3 == 0)
            ak_axis_reach(&a, 1.0);
        if (ak_axis_empty(&a))
            continue;
        a.from = 0.0;
        a.to = 1.0;
        ak_axis_finish(&a, 0.05, 5);
        assert_true(a.n_ticks >= 1 && a.n_ticks <= 12);
        for (int64_t i = 0; i < a.n_ticks; ++i) {
            const double where = ak_axis_at(&a, a.ticks[i]);
            assert_true(where >= 0.0 && where <= 1.0);
            assert_true(i == 0 || a.ticks[i] > a.ticks[i - 1]);
            assert_true(strlen(a.texts[i]) < AK_AXIS_TEXT - 1);
        }
    }
}

static akin_plot *example(akin_ctx *ctx, akin_status *st)
{
    akin_plot_options o = {.size = sizeof o, .title = "t", .x_label = "x"};
    const char *names[] = {"a", "b"};
    akin_plot *p = NULL, *q = NULL;
    *st = akin_plot_new(&p, ctx, &o);
    if (*st == AKIN_OK)
        *st = akin_plot_line(ctx, p, "one", xs, ys, es, 7);
    if (*st == AKIN_OK)
        *st = akin_plot_line(ctx, p, NULL, xs, ys, NULL, 7);
    if (*st == AKIN_OK)
        *st = akin_plot_new(&q, ctx, NULL);
    if (*st == AKIN_OK)
        *st = akin_plot_bars(ctx, q, names, 2, names, 2, ys);
    if (*st == AKIN_OK)
        *st = akin_matrix_save(ctx, path, "m", 2, 3, ys);
    if (*st == AKIN_OK)
        *st = akin_plot_save(ctx, q, path);
    if (*st == AKIN_OK)
        *st = akin_plot_save(ctx, p, path);
    akin_plot_free(q);
    return p;
}

static void same_bytes_in_any_locale(void **state)
{
    akin_ctx *ctx = *state;
    akin_status st;
    akin_plot *p = example(ctx, &st);
    assert_int_equal(st, AKIN_OK);
    char *a = saved(ctx, p);
    setlocale(LC_ALL, "de_DE.UTF-8");  // has a decimal comma, where installed
    char *b = saved(ctx, p);
    setlocale(LC_ALL, "C");
    assert_string_equal(a, b);
    akin_free(a);
    akin_free(b);
    akin_plot_free(p);
}

static akin_status draw_example(akin_ctx *ctx, void *arg)
{
    akin_status st;
    (void)arg;
    akin_plot_free(example(ctx, &st));
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_in_range(faulty_run(draw_example, NULL), 10, 1000);
}

static int set_up(void **state)
{
    akin_ctx *ctx = NULL;
    const int fd = mkstemp(path);
    *state = NULL;
    if (fd < 0 || close(fd) != 0 || akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return -1;
    *state = ctx;
    return 0;
}

static int tear_down(void **state)
{
    akin_ctx_free(*state);
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(awkward_numbers_are_drawn),
        cmocka_unit_test(matrix_is_a_picture),
        cmocka_unit_test(bars_leave_gaps),
        cmocka_unit_test(bars_of_nothing_survive),
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(ticks_are_round_numbers),
        cmocka_unit_test(ticks_stay_in_range),
        cmocka_unit_test(same_bytes_in_any_locale),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
