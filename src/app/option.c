/* Option values: from text into a field, and back. */
#include "app/option.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/nearest.h"
#include "app/text.h"

/* Word number i of "a|b|C": its length, 0 behind the last. */
static size_t choice_at(const char *words, int i, const char **word)
{
    const char *s = words;
    for (; i > 0; --i) {
        s = strchr(s, '|');
        if (s == NULL)
            return 0;
        ++s;
    }
    *word = s;
    return strcspn(s, "|");
}

/* No two letters are capitals in a word that stands for itself. */
static bool stands_for_anything(const char *word, size_t n)
{
    return n > 0 && isupper((unsigned char)word[0]) &&
           (n == 1 || !islower((unsigned char)word[1]));
}

static bool is_choice(const app_option *o)
{
    const char *word;
    size_t n;
    if (o->type != APP_TEXT || o->argument == NULL)
        return false;
    for (int i = 0; (n = choice_at(o->argument, i, &word)) > 0; ++i)
        if (stands_for_anything(word, n))
            return false;
    return true;
}

static void range_of_words(const app_option *o, char *text, size_t size)
{
    const char *word;
    const char *after;
    size_t n, at = 0;
    text[0] = '\0';
    for (int i = 0; (n = choice_at(o->argument, i, &word)) > 0; ++i) {
        const bool last = choice_at(o->argument, i + 1, &after) == 0;
        at += (size_t)snprintf(text + at, size - at, "%s%.*s",
                               i == 0 ? ""
                               : last ? " or "
                                      : ", ",
                               (int)n, word);
        if (at >= size)
            return;
    }
}

void app_option_range(const app_option *o, char *text, size_t size)
{
    const bool from = isfinite(o->min) && o->min > -1e300;
    const bool to = isfinite(o->max) && o->max < 9e15;
    text[0] = '\0';
    if (is_choice(o))
        range_of_words(o, text, size);
    if (o->type != APP_INT && o->type != APP_REAL)
        return;
    if (o->min == 0.0 && o->max == 0.0)
        return;
    if (from && to)
        snprintf(text, size, "%s to %s", app_limit(o->min).text,
                 app_limit(o->max).text);
    else if (from)
        snprintf(text, size, "at least %s", app_limit(o->min).text);
    else if (to)
        snprintf(text, size, "at most %s", app_limit(o->max).text);
}

const char *app_option_dashes(const app_option *o)
{
    return o->flags & APP_ARGUMENT ? "" : "--";
}

static akin_status set_text(app *a, const app_option *o, const char *text,
                            const char **field)
{
    char range[256], allowed[64];
    const char *word;
    app_nearest near = {.word = text};
    size_t n;
    if (field != NULL)
        *field = text;
    if (!is_choice(o))
        return AKIN_OK;
    for (int i = 0; (n = choice_at(o->argument, i, &word)) > 0; ++i) {
        snprintf(allowed, sizeof allowed, "%.*s", (int)n, word);
        if (strcmp(allowed, text) == 0)
            return AKIN_OK;
        app_nearest_try(&near, allowed);
    }
    app_option_range(o, range, sizeof range);
    return app_fail(a, AKIN_EINVAL, "%s%s '%s' is not %s%s%s",
                    app_option_dashes(o), o->name, text,
                    strchr(range, ' ') ? "one of " : "", range,
                    app_nearest_hint(&near, "").text);
}

static akin_status not_a_number(app *a, const app_option *o, const char *text,
                                const char *what)
{
    char range[64];
    app_option_range(o, range, sizeof range);
    return app_fail(a, AKIN_EINVAL, "%s%s needs %s%s%s (not '%s')",
                    app_option_dashes(o), o->name, what, range[0] ? ", " : "",
                    range, text);
}

/* The help omits very large limits; the error message names them. */
static akin_status out_of_range(app *a, const app_option *o, const char *text,
                                double x)
{
    char range[64];
    const bool any = o->min == 0.0 && o->max == 0.0;
    app_option_range(o, range, sizeof range);
    if (range[0] == '\0' || (x > o->max && strstr(range, " to ") == NULL))
        snprintf(range, sizeof range, "at most %s",
                 app_limit(any ? 0x1p53 : o->max).text);
    return app_fail(a, AKIN_EINVAL, "%s%s %s is out of range (%s)",
                    app_option_dashes(o), o->name, text, range);
}

static akin_status check_range(app *a, const app_option *o, const char *text,
                               double x)
{
    const bool any = o->min == 0.0 && o->max == 0.0;
    return any || (x >= o->min && x <= o->max) ? AKIN_OK
                                               : out_of_range(a, o, text, x);
}

/* 1000000, and 1e6 where that is a whole number. */
static akin_status set_int(app *a, const app_option *o, const char *text,
                           int64_t *field)
{
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0) {
        const double x = strtod(text, &end);
        if (end == text || *end != '\0' || x != floor(x))
            return not_a_number(a, o, text, "a whole number");
        if (fabs(x) > 0x1p53)
            return out_of_range(a, o, text, x);
        n = (long long)x;
    }
    if (field != NULL)
        *field = n;
    return check_range(a, o, text, (double)n);
}

static akin_status set_real(app *a, const app_option *o, const char *text,
                            double *field)
{
    char *end;
    const double x = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(x))
        return not_a_number(a, o, text, "a number");
    if (field != NULL)
        *field = x;
    return check_range(a, o, text, x);
}

akin_status app_option_set(app *a, const app_option *o, const char *text,
                           void *field)
{
    if (o->zero != NULL && strcmp(text, o->zero) == 0) {
        if (field != NULL)
            memset(field, 0, 8);  // also 0.0
        return AKIN_OK;
    }
    if (o->type == APP_INT)
        return set_int(a, o, text, field);
    if (o->type == APP_REAL)
        return set_real(a, o, text, field);
    return set_text(a, o, text, field);
}

void app_option_text(const app_option *o, const void *field, char *text,
                     size_t size)
{
    text[0] = '\0';
    if (o->type == APP_INT) {
        const int64_t n = *(const int64_t *)field;
        if (n >= 0 || o->min < 0.0)
            snprintf(text, size, "%" PRId64, n);
        if (n == 0 && o->zero != NULL)
            snprintf(text, size, "%s", o->zero);
    } else if (o->type == APP_REAL) {
        const double x = *(const double *)field;
        if (!isnan(x))
            snprintf(text, size, "%s", app_real(x).text);
        if (x == 0.0 && o->zero != NULL)
            snprintf(text, size, "%s", o->zero);
    } else if (o->type == APP_TEXT) {
        const char *s = *(const char *const *)field;
        snprintf(text, size, "%s", s ? s : "");
    }
}
