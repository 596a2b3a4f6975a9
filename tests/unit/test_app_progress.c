/* The time that is left, by a clock that the test moves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "app/progress.h"

static void assert_near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-9 * fmax(1.0, fabs(expected))))
        fail_msg("%.17g, expected %.17g", got, expected);
}

static void nothing_is_known_before_the_first_unit(void **state)
{
    (void)state;
    app_pace p;
    app_pace_start(&p, 100.0, 0);
    assert_near(app_pace_rate(&p), 0.0);
    assert_true(isnan(app_pace_left(&p, 130.0, 1000)));
    app_pace_note(&p, 130.0, 0);  // still in the first one
    assert_near(app_pace_rate(&p), 0.0);
    assert_true(isnan(app_pace_left(&p, 130.0, 1000)));
}

static void steady_units_give_their_rate(void **state)
{
    (void)state;
    app_pace p;
    app_pace_start(&p, 100.0, 50);  // a stage may begin in the middle
    for (int i = 1; i <= 300; ++i) {
        app_pace_note(&p, 100.0 + 0.1 * i, 50 + 2 * i);
        assert_near(app_pace_rate(&p), 20.0);
    }
    assert_near(app_pace_left(&p, 130.0, 850), 10.0);
}

/* Long after a slow start the estimate has forgotten it. */
static void a_slow_start_does_not_spoil_the_estimate(void **state)
{
    (void)state;
    app_pace p;
    app_pace_start(&p, 0.0, 0);
    app_pace_note(&p, 8.0, 1);  // as it was, 999 times 8 s: 2 h 13 min
    assert_near(app_pace_left(&p, 8.0, 1000), 999.0 * 8.0);
    for (int i = 1; i <= 120; ++i)
        app_pace_note(&p, 8.0 + 0.1 * i, 1 + i);
    assert_near(app_pace_rate(&p), 10.0);
    assert_near(app_pace_left(&p, 20.0, 1000), 87.9);
}

static void slower_units_are_noticed(void **state)
{
    (void)state;
    app_pace p;
    app_pace_start(&p, 0.0, 0);
    for (int i = 1; i <= 100; ++i)
        app_pace_note(&p, 0.01 * i, i);
    for (int i = 1; i <= 12; ++i)
        app_pace_note(&p, 1.0 + i, 100 + i);
    assert_near(app_pace_rate(&p), 1.0);
}

/* Between two units of 20 s the time left goes down, and never below zero. */
static void time_passes_within_a_unit(void **state)
{
    (void)state;
    app_pace p;
    app_pace_start(&p, 0.0, 0);
    app_pace_note(&p, 20.0, 1);
    assert_near(app_pace_left(&p, 20.0, 3), 40.0);
    app_pace_note(&p, 35.0, 1);
    assert_near(app_pace_left(&p, 35.0, 3), 25.0);
    assert_near(app_pace_rate(&p), 0.05);
    assert_near(app_pace_left(&p, 70.0, 3), 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_known_before_the_first_unit),
        cmocka_unit_test(steady_units_give_their_rate),
        cmocka_unit_test(a_slow_start_does_not_spoil_the_estimate),
        cmocka_unit_test(slower_units_are_noticed),
        cmocka_unit_test(time_passes_within_a_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
