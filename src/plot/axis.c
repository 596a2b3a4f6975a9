/* Ticks stand at 1, 2 or 5 times a power of ten; on a logarithmic axis at the
 * powers themselves, with steps between them only when those are too few. */
#include "plot/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LARGEST = 1e300, SMALLEST = 1e-250;

ak_axis ak_axis_new(bool log)
{
    return (ak_axis){.log = log, .low = INFINITY, .high = -INFINITY};
}

bool ak_axis_shows(const ak_axis *a, double v)
{
    return fabs(v) <= LARGEST && (!a->log || v >= SMALLEST);
}

static double to_axis(const ak_axis *a, double v)
{
    if (a->log)
        return log10(v);
    return fabs(v) < SMALLEST ? 0.0 : v;
}

void ak_axis_reach(ak_axis *a, double v)
{
    if (!ak_axis_shows(a, v))
        return;
    a->low = fmin(a->low, to_axis(a, v));
    a->high = fmax(a->high, to_axis(a, v));
}

bool ak_axis_empty(const ak_axis *a)
{
    return !(a->low <= a->high);
}

double ak_axis_at(const ak_axis *a, double v)
{
    if (a->log && v < SMALLEST)
        return a->from;
    const double share = (to_axis(a, v) - a->low) / (a->high - a->low);
    return a->from + fmin(fmax(share, 0.0), 1.0) * (a->to - a->from);
}

/* 10 to the power e, with the exponent in superscript digits. */
static int put_power(char *text, size_t room, int e)
{
    static const char *const raised[] = {
        "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",
        "\xe2\x81\xb4", "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7",
        "\xe2\x81\xb8", "\xe2\x81\xb9"};
    char digits[16];
    snprintf(digits, sizeof digits, "%d", e < 0 ? -e : e);
    int n = snprintf(text, room, "10%s", e < 0 ? "\xe2\x81\xbb" : "");
    for (const char *c = digits; *c && n < (int)room; ++c)
        n += snprintf(text + n, room - (size_t)n, "%s", raised[*c - '0']);
    return n;
}

/* 2000 as 2,000. */
static void group_thousands(char *text)
{
    char *first = text + (*text == '-');
    const size_t whole = strcspn(first, ".");
    for (size_t at = whole; at > 3; at -= 3) {
        memmove(first + at - 2, first + at - 3, strlen(first + at - 3) + 1);
        first[at - 3] = ',';
    }
}

/* A number of which only the digits down to 10^unit matter. */
static void tick_text(char *text, double v, int unit, bool powers)
{
    if (powers && v == 0.0)
        unit = 0;
    if (!powers || v == 0.0) {
        snprintf(text, AK_AXIS_TEXT, "%.*f", unit < 0 ? -unit : 0, v);
        group_thousands(text);
        return;
    }
    const int e = (int)floor(log10(fabs(v)) + 1e-9);
    const double m = v / pow(10.0, e);
    int n = 0;
    if (fabs(m - 1.0) > 1e-9)
        n = snprintf(text, AK_AXIS_TEXT, "%.*f\xc3\x97",
                     unit < e && e - unit < 13 ? e - unit : 0, m);
    put_power(text + n, AK_AXIS_TEXT - (size_t)n, e);
}

static void add_tick(ak_axis *a, double v)
{
    const double at = to_axis(a, v), slack = 1e-9 * (a->high - a->low);
    if (a->n_ticks < AK_AXIS_TICKS && at >= a->low - slack &&
        at <= a->high + slack)
        a->ticks[a->n_ticks++] = v;
}

/* Ticks every 1, 2 or 5 times 10^unit between two values. */
static int even_ticks(ak_axis *a, double low, double high, int64_t wanted)
{
    const double raw = (high - low) / (double)wanted;
    int unit = (int)floor(log10(raw));
    const double m = raw / pow(10.0, unit);
    const double steps = m <= 1.0001 || m > 5.0 ? 1.0 : m <= 2.0 ? 2.0 : 5.0;
    unit += m > 5.0;
    const double step = steps * pow(10.0, unit);
    const double first = ceil(low / step - 1e-9) + 0.0;  // not -0
    const double last = floor(high / step + 1e-9);
    for (double i = first; i <= last && i < first + AK_AXIS_TICKS; i += 1.0)
        add_tick(a, unit < 0 ? i * steps / pow(10.0, -unit) : i * step);
    return unit;
}

/* At the mantissas in `marks`, of every stride-th power of ten. */
static void power_ticks(ak_axis *a, const char *marks, int stride)
{
    const int first = (int)floor(a->low), last = (int)floor(a->high + 1e-9);
    a->n_ticks = 0;
    for (int e = first; e <= last; ++e)
        for (const char *m = marks; *m && (e % stride) == 0; ++m)
            add_tick(a, e < 0 ? (*m - '0') / pow(10.0, -e)
                              : (*m - '0') * pow(10.0, e));
}

static int log_ticks(ak_axis *a, int64_t wanted)
{
    const int decades = (int)(floor(a->high) - ceil(a->low)) + 1;
    const int most = (int)wanted + 2;
    power_ticks(a, "1", decades > most ? (decades + most - 1) / most : 1);
    if (a->n_ticks < 3)
        power_ticks(a, "125", 1);
    if (a->n_ticks < 3)
        power_ticks(a, "123456789", 1);
    if (a->n_ticks >= 3)
        return 0;
    a->n_ticks = 0;
    return even_ticks(a, pow(10.0, a->low), pow(10.0, a->high), wanted);
}

/* Make the range wider than a point and add a margin; data that start at zero
 * or above do not get an axis below it. */
static void widen(ak_axis *a, double margin)
{
    const double size = fmax(fabs(a->low), fabs(a->high));
    const double low = a->low, high = a->high;
    double by = margin * (high - low);
    if (a->log)
        by = high - low > 1e-6 ? by : 0.2;
    else if (high - low <= 1e-9 * size || size == 0.0)
        by = size > 0.0 ? 0.1 * size : 0.5;
    a->low = low - by;
    a->high = high + by;
    if (!a->log && low >= 0.0 && a->low < 0.0)
        a->low = 0.0;
    if (!a->log && high <= 0.0 && a->high > 0.0 && size > 0.0)
        a->high = 0.0;
}

void ak_axis_finish(ak_axis *a, double margin, int64_t wanted)
{
    if (ak_axis_empty(a))
        return;
    widen(a, margin);
    const int unit = a->log ? log_ticks(a, wanted)
                            : even_ticks(a, a->low, a->high, wanted);
    double large = 0.0, small = INFINITY;
    for (int64_t i = 0; i < a->n_ticks; ++i) {
        large = fmax(large, fabs(a->ticks[i]));
        if (a->ticks[i] != 0.0)
            small = fmin(small, fabs(a->ticks[i]));
    }
    const bool powers = large >= 999999.5 || small < 0.99e-4 ||
                        (a->log && (large > 10001.0 || small < 0.99e-3));
    for (int64_t i = 0; i < a->n_ticks; ++i) {
        const double v = fabs(a->ticks[i]);
        const int own = a->log && unit == 0 ? (int)floor(log10(v) + 1e-9)
                                            : unit;
        tick_text(a->texts[i], a->ticks[i], own, powers);
    }
}
