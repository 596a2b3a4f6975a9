#include "app/text.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

app_text app_count(int64_t n)
{
    char digits[24];
    app_text t = {""};
    const int length = snprintf(digits, sizeof digits, "%lld", (long long)n);
    size_t at = 0;
    for (int i = 0; i < length; ++i) {
        const int left = length - i;
        if (i > 0 && left % 3 == 0 && digits[i - 1] != '-')
            t.text[at++] = ',';
        t.text[at++] = digits[i];
    }
    t.text[at] = '\0';
    return t;
}

app_text app_counted(int64_t n, const char *noun)
{
    app_text t = app_count(n);
    const size_t at = strlen(t.text), length = strlen(noun);
    const bool ies = n != 1 && length > 0 && noun[length - 1] == 'y';
    snprintf(t.text + at, sizeof t.text - at, " %s", noun);
    if (n != 1 && at + 1 + length + 3 < sizeof t.text)
        strcpy(t.text + at + 1 + length - ies, ies ? "ies" : "s");
    return t;
}

/* Three digits and the unit that keeps x below `step`. */
static app_text scaled(double x, double step, const char *const *units,
                       int n_units)
{
    app_text t;
    int u = 0;
    while (u + 1 < n_units && x >= 0.9995 * step) {
        x /= step;
        ++u;
    }
    const int decimals = u == 0 || x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2;
    snprintf(t.text, sizeof t.text, "%.*f%s", decimals, x, units[u]);
    return t;
}

app_text app_si(double x)
{
    static const char *const units[] = {"", " k", " M", " G", " T"};
    return scaled(x, 1000.0, units, 5);
}

app_text app_bytes(int64_t n)
{
    static const char *const units[] = {" bytes", " KiB", " MiB", " GiB"};
    return scaled((double)n, 1024.0, units, 4);
}

app_text app_seconds(double s)
{
    app_text t;
    const long whole = (long)(s + 0.5);
    if (s < 0.9995)
        snprintf(t.text, sizeof t.text, "%.*f ms", s > 0.0 && s < 0.00995,
                 1000.0 * s);
    else if (s < 99.95)
        snprintf(t.text, sizeof t.text, "%.*f s",
                 s == floor(s) ? 0
                 : s < 9.995   ? 2
                               : 1,
                 s);
    else if (whole < 3600)
        snprintf(t.text, sizeof t.text, "%ld min %ld s", whole / 60,
                 whole % 60);
    else
        snprintf(t.text, sizeof t.text, "%ld h %ld min", whole / 3600,
                 whole / 60 % 60);
    return t;
}

app_text app_percent(double part)
{
    app_text t = {"none"};
    if (!isnan(part))
        snprintf(t.text, sizeof t.text, "%.1f %%", 100.0 * part);
    return t;
}

/* 1e-05 is read as 1e-5, 1e+06 as 1e6. */
static void short_exponent(char *s)
{
    char *e = strchr(s, 'e');
    if (e == NULL)
        return;
    char *to = e + 1;
    const char *from = to;
    if (*from == '-')
        *to++ = *from++;
    else if (*from == '+')
        ++from;
    while (*from == '0')
        ++from;
    memmove(to, from, strlen(from) + 1);
}

app_text app_digits(double x, int digits)
{
    app_text t;
    snprintf(t.text, sizeof t.text, "%.*g", digits, x + 0.0);  // no -0
    short_exponent(t.text);
    return t;
}

app_text app_real(double x)
{
    app_text t;
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(t.text, sizeof t.text, "%.*g", digits, x + 0.0);  // no -0
        if (strtod(t.text, NULL) == x)
            break;
    }
    short_exponent(t.text);
    return t;
}

app_text app_limit(double x)
{
    const app_text t = app_digits(x, 6);
    return strtod(t.text, NULL) == x ? t : app_real(x);
}

size_t app_wrap(const char *text, size_t width, const char **next)
{
    size_t length = strcspn(text, "\n");
    size_t cut = length;
    if (length > width) {
        cut = width;
        while (cut > 0 && text[cut] != ' ')
            --cut;
        if (cut == 0)  // one long word
            cut = strcspn(text, " \n");
    }
    *next = text + cut;
    while (**next == ' ')
        ++*next;
    if (**next == '\n')
        ++*next;
    while (cut > 0 && text[cut - 1] == ' ')
        --cut;
    return cut;
}

void app_options_to_flags(char *text)
{
    for (char *s = text; (s = strchr(s, '`')) != NULL; ++s) {
        size_t n = 0;
        while (isalnum((unsigned char)s[n + 1]) || s[n + 1] == '_')
            ++n;
        if (n == 0 || s[n + 1] != '`')
            continue;
        memmove(s + 2, s + 1, n);
        s[0] = s[1] = '-';
        for (char *p = s + 2; p < s + 2 + n; ++p)
            if (*p == '_')
                *p = '-';
    }
}

void app_csv_cell(FILE *to, const char *text)
{
    if (text[strcspn(text, ",\"\n\r")] == '\0') {
        fputs(text, to);
        return;
    }
    putc('"', to);
    for (; *text; ++text) {
        if (*text == '"')
            putc('"', to);
        putc(*text, to);
    }
    putc('"', to);
}
