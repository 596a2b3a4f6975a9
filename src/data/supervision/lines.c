#include "data/supervision/lines.h"

#include <stdlib.h>
#include <string.h>

static const int64_t CLIPPED = INT64_C(1000000000000000000);

ak_line_form ak_line_form_of(akin_knowledge what, int64_t n_left,
                             int64_t n_right)
{
    switch (what) {
    case AKIN_PAIRS:
        return (ak_line_form){3, {n_left, n_right}, true, "i j 1|-1"};
    case AKIN_TRIPLETS:
        return (ak_line_form){3, {n_left, n_right, n_right}, false, "q p n"};
    case AKIN_QUADRUPLETS:
        return (ak_line_form){
            4, {n_left, n_right, n_left, n_right}, false, "a b c d"};
    default:
        return (ak_line_form){0};
    }
}

/* Column of the first number that is not allowed, or form.n. */
static int64_t first_wrong(const ak_line_form *form, const int64_t *x)
{
    const int64_t n_rows = form->n - form->sign;
    for (int64_t k = 0; k < n_rows; ++k)
        if (x[k] < 0 || x[k] >= form->below[k])
            return k;
    if (form->sign && x[n_rows] != 1 && x[n_rows] != -1)
        return n_rows;
    return form->n;
}

/* "FILE:LINE: ..." or "example I: ...". */
static akin_status wrong(akin_ctx *ctx, const ak_line_form *form,
                         const char *path, int64_t number, int64_t k, int64_t x)
{
    const char *what = path ? path : "example";
    const char *between = path ? ":" : " ";
    if (form->sign && k == form->n - 1)
        return ak_fail(ctx, path ? AKIN_EFORMAT : AKIN_EINVAL,
                       "%s%s%" PRId64 ": a pair ends in %" PRId64
                       " (expected 1 or -1)",
                       what, between, number, x);
    if (x >= CLIPPED || x <= -CLIPPED)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s%s%" PRId64 ": a row number of so many digits does "
                       "not exist (there are %" PRId64 ")",
                       what, between, number, form->below[k]);
    return ak_fail(ctx, AKIN_ESHAPE,
                   "%s%s%" PRId64 ": row %" PRId64
                   " does not exist (there are %" PRId64 ")",
                   what, between, number, x, form->below[k]);
}

akin_status ak_lines_check(akin_ctx *ctx, ak_line_form form,
                           const int64_t *numbers, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        const int64_t *x = numbers + i * form.n;
        const int64_t k = first_wrong(&form, x);
        if (k < form.n)
            return wrong(ctx, &form, NULL, i, k, x[k]);
    }
    return AKIN_OK;
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
        ++p;
    return p;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number at p, CLIPPED when it has more digits than that; returns behind
 * it, or p when there is none. */
static const char *take_number(const char *p, const char *end, int64_t *out)
{
    const char *q = p;
    const bool minus = q < end && *q == '-';
    if (q < end && (*q == '-' || *q == '+'))
        ++q;
    const char *digits = q;
    int64_t x = 0;
    for (; q < end && is_digit(*q); ++q)
        x = x >= CLIPPED / 10 ? CLIPPED : 10 * x + (*q - '0');
    *out = minus ? -x : x;
    return q > digits ? q : p;
}

/* Numbers of one line; the count, or -1 with *bad at what is no number. */
static int64_t take_line(const char *p, const char *end, int64_t n, int64_t *x,
                         const char **bad)
{
    int64_t k = 0;
    bool comma = false;
    for (p = skip_blanks(p, end); p < end && *p != '#';) {
        int64_t spill;
        const char *q = take_number(p, end, k < n ? &x[k] : &spill);
        const char *next = skip_blanks(q, end);
        *bad = p;
        if (q == p)
            return -1;
        *bad = q;
        if (q == next && q < end && *q != ',' && *q != '#')
            return -1;
        ++k;
        comma = next < end && *next == ',';
        p = comma ? skip_blanks(next + 1, end) : next;
    }
    *bad = p;
    return comma ? -1 : k;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* A header: as many words as there should be numbers, each beginning with a
 * letter, perhaps in quotes. */
static bool is_header(const ak_lines *l, const char *p, const char *end)
{
    int64_t n = 0;
    for (p = skip_blanks(p, end); p < end && *p != '#'; ++n) {
        p += *p == '"';
        if (!is_letter(*p))
            return false;
        while (p < end && skip_blanks(p, end) == p && *p != ',')
            ++p;
        p = skip_blanks(p, end);
        if (p < end && *p == ',')
            p = skip_blanks(p + 1, end);
    }
    return n == l->form.n || (l->more && n > l->form.n);
}

/* One line to x; *used says whether it held an example. */
static akin_status parse(ak_lines *l, akin_ctx *ctx, const char *p,
                         const char *end, int64_t *x, bool *used)
{
    const ak_line_form *form = &l->form;
    const char *name = ak_source_name(l->source), *bad = NULL;
    const int64_t line = ak_source_line_number(l->source);
    *used = false;
    if (!l->begun && is_header(l, p, end)) {
        l->begun = true;
        ak_log(ctx, AKIN_LOG_INFO, "%s:%" PRId64 ": skipped as a header", name,
               line);
        return AKIN_OK;
    }
    const int64_t n = take_line(p, end, form->n, x, &bad);
    if (n < 0)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ":%td: not a whole number (expected %s)",
                       name, line, bad - p + 1, form->names);
    if (n == 0)
        return AKIN_OK;
    if (n < form->n || (n > form->n && !l->more))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": %" PRId64 " number%s (expected %s)",
                       name, line, n, n == 1 ? "" : "s", form->names);
    const int64_t k = first_wrong(form, x);
    if (k < form->n)
        return wrong(ctx, form, name, line, k, x[k]);
    l->begun = *used = true;
    l->first = l->first > 0 ? l->first : line;
    l->last = line;
    return AKIN_OK;
}

akin_status ak_lines_next(ak_lines *l, akin_ctx *ctx, bool eager, int64_t most,
                          int64_t *numbers, int64_t *count)
{
    int64_t n = 0;
    akin_status st = AKIN_OK;
    while (n < most && !(eager && n > 0 && !ak_source_has_line(l->source))) {
        char *line;
        size_t size;
        bool used;
        AK_TRY(ak_source_line(l->source, ctx, &line, &size));
        if (line == NULL)
            break;
        AK_TRY(
            parse(l, ctx, line, line + size, numbers + n * l->form.n, &used));
        n += used;
    }
done:
    *count = n;
    return st;
}

akin_status ak_lines_all(ak_lines *l, akin_ctx *ctx, int64_t **numbers,
                         int64_t *count)
{
    const int64_t width = l->form.n;
    int64_t *x = NULL, n = 0, room = 0;
    akin_status st = AKIN_OK;

    while (n == room) {
        int64_t more;
        room = room ? 2 * room : 1024;
        AK_TRY(ak_resize(ctx, room * width, sizeof *x, &x));
        AK_TRY(ak_lines_next(l, ctx, false, room - n, x + n * width, &more));
        n += more;
    }
    AK_TRY(ak_resize(ctx, n * width, sizeof *x, &x));
    *numbers = x;
    *count = n;
    x = NULL;
done:
    akin_free(x);
    return st;
}

akin_status ak_lines_read(akin_ctx *ctx, const char *path, ak_line_form form,
                          int64_t **numbers, int64_t *count,
                          int64_t *first_line)
{
    ak_lines l = {.form = form};
    akin_status st = AKIN_OK;

    AK_TRY(ak_source_open(&l.source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(ak_lines_all(&l, ctx, numbers, count));
    if (first_line != NULL)
        *first_line = *count == 0 || l.last - l.first == *count - 1 ? l.first
                                                                    : 0;
done:
    ak_source_close(l.source);
    return st;
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t ak_numbers_sort(int64_t *x, int64_t n)
{
    int64_t k = 0;
    qsort(x, (size_t)n, sizeof *x, by_value);
    for (int64_t i = 0; i < n; ++i)
        if (k == 0 || x[k - 1] != x[i])
            x[k++] = x[i];
    return k;
}
