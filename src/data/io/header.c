#include "data/io/header.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "data/io/number.h"

/* ---- what separates cells ---- */

/* The end of the cell at `at`: a delimiter outside quotes, or the end. */
static const char *cell_end(const char *at, const char *end, char delimiter)
{
    bool quoted = false;
    for (; at < end && (quoted || *at != delimiter); ++at)
        quoted ^= *at == '"';
    return at;
}

bool ak_is_decimal_comma(const char *text, size_t n)
{
    const char *comma = memchr(text, ',', n);
    char copy[64];
    float value;
    if (comma == NULL || n >= sizeof copy)
        return false;
    memcpy(copy, text, n);
    copy[n] = '\n';
    copy[comma - text] = '.';
    const char *at = copy;
    return ak_number_read(&at, &value) != AK_NUMBER_NONE && at == copy + n;
}

/* Has the line several cells with this delimiter, and commas in none but
 * quoted ones and decimal numbers? */
static bool separates(const char *line, const char *end, char delimiter)
{
    int64_t cells = 0;
    for (const char *at = line; at <= end; ++cells) {
        const char *stop = cell_end(at, end, delimiter);
        const char *last = stop;
        while (at < last && *at == ' ')
            ++at;
        while (last > at && (last[-1] == ' ' || last[-1] == '\r'))
            --last;
        if (cell_end(at, last, ',') < last &&
            !ak_is_decimal_comma(at, (size_t)(last - at)))
            return false;
        at = stop + 1;
    }
    return cells > 1;
}

char ak_header_delimiter(const char *text, size_t n)
{
    const char *end = cell_end(text, text + n, '\n');
    if (separates(text, end, ';'))
        return ';';
    return separates(text, end, '\t') ? '\t' : ',';
}

/* ---- columns by name ---- */

bool ak_header_no_label(const char *wanted)
{
    return wanted != NULL && strcmp(wanted, "none") == 0;
}

bool ak_header_is_number(const char *wanted)
{
    char *rest;
    (void)strtoll(wanted, &rest, 10);
    return *wanted != '\0' && *rest == '\0';
}

static int64_t find_name(const ak_columns *h, const char *wanted,
                         int (*compare)(const char *, const char *))
{
    for (int64_t k = 0; k < h->n; ++k) {
        const char *name = ak_columns_name(h, k);
        if (name != NULL && compare(name, wanted) == 0)
            return k;
    }
    return -1;
}

int64_t ak_header_find(const ak_columns *h, const char *wanted, bool by_name)
{
    int64_t k = by_name ? find_name(h, wanted, strcmp) : -1;
    if (k < 0 && by_name)
        k = find_name(h, wanted, strcasecmp);
    if (k >= 0 || !ak_header_is_number(wanted))
        return k;
    k = strtoll(wanted, NULL, 10);
    k += k < 0 ? h->n : 0;
    return k >= 0 && k < h->n ? k : -1;
}

static const char *const usual[] = {"label", "class", "target", "y"};
enum { N_USUAL = sizeof usual / sizeof *usual };

/* The first column with a usual name, other than column k. */
static int64_t find_usual(const ak_columns *h, int64_t k)
{
    int64_t found = -1;
    for (int i = 0; i < N_USUAL && (found < 0 || found == k); ++i)
        found = find_name(h, usual[i], strcasecmp);
    return found == k ? -1 : found;
}

int64_t ak_header_label(const ak_columns *h)
{
    return find_usual(h, -1);
}

int64_t ak_header_other_label(const ak_columns *h, int64_t k)
{
    return find_usual(h, k);
}

void ak_header_tell_label(akin_ctx *ctx, const ak_columns *h, int64_t k,
                          const char *path, const char *remedy)
{
    const char *other = ak_columns_name(h, find_usual(h, k));
    ak_log(ctx, AKIN_LOG_INFO,
           "%s: the labels are column '%s'%s%s%s (`label_column` none %s)",
           path, ak_columns_name(h, k), other ? ", not '" : "",
           other ? other : "", other ? "'" : "", remedy);
}

akin_status ak_header_missing(akin_ctx *ctx, const ak_columns *h,
                              const char *wanted, const char *path,
                              int64_t line, const char *otherwise)
{
    const char *best = NULL;
    int64_t least = INT64_MAX;
    for (int64_t k = 0; k < h->n; ++k) {
        const char *name = ak_columns_name(h, k);
        const int64_t d = name != NULL ? akin_word_near(wanted, name) : 0;
        if (d > 0 && d < least) {
            best = name;
            least = d;
        }
    }
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s:%" PRId64 ": no column \"%s\" among %" PRId64 "%s%s%s",
                   path, line, wanted, h->n, best ? " (did you mean '" : "",
                   best ? best : otherwise, best ? "'?)" : "");
}
