/* Lines of whole numbers: examples, lists of rows for queries, streams. */
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
                       "%s%s%" PRId64 ": the last number of a pair is %" PRId64
                       " (expected 1 or -1)",
                       what, between, number, x);
    if (x >= CLIPPED || x <= -CLIPPED)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s%s%" PRId64 ": the row number is too large "
                       "(there are %" PRId64 ")",
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

/* ---- lists of rows for queries, plain lists of rows ---- */

struct akin_lists {
    int64_t n;
    int64_t *offsets;  // n + 1
    int64_t *rows;
};

/* Place the rows behind their queries; one place ahead, so that the offsets
 * are right afterwards. */
static void place(akin_lists *l, const int64_t *query_row, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        ++l->offsets[query_row[2 * k] + 2];
    for (int64_t q = 1; q <= l->n + 1; ++q)
        l->offsets[q] += l->offsets[q - 1];
    for (int64_t k = 0; k < count; ++k)
        l->rows[l->offsets[query_row[2 * k] + 1]++] = query_row[2 * k + 1];
}

static void sort_each(akin_lists *l)
{
    int64_t begin = 0, to = 0;
    for (int64_t q = 0; q < l->n; ++q) {
        const int64_t end = l->offsets[q + 1];
        const int64_t n = ak_numbers_sort(l->rows + begin, end - begin);
        memmove(l->rows + to, l->rows + begin, (size_t)n * sizeof *l->rows);
        to += n;
        begin = end;
        l->offsets[q + 1] = to;
    }
}

static akin_status make_lists(akin_lists **out, akin_ctx *ctx,
                              int64_t n_queries, const int64_t *query_row,
                              int64_t count)
{
    akin_lists *l = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(AK_NEW(ctx, 1, &l));
    l->n = n_queries;
    AK_TRY(AK_NEW(ctx, n_queries + 2, &l->offsets));
    AK_TRY(AK_NEW(ctx, count, &l->rows));
    place(l, query_row, count);
    sort_each(l);
    *out = l;
    l = NULL;
done:
    akin_lists_free(l);
    return st;
}

static ak_line_form list_form(int64_t n_queries, int64_t n_rows)
{
    return (ak_line_form){2, {n_queries, n_rows}, false, "query row"};
}

akin_status akin_lists_new(akin_lists **out, akin_ctx *ctx, int64_t n_queries,
                           const int64_t *query_row, int64_t count)
{
    const akin_status st =
        ak_lines_check(ctx, list_form(n_queries, INT64_MAX), query_row, count);
    if (st != AKIN_OK)
        return st;
    return make_lists(out, ctx, n_queries, query_row, count);
}

akin_status akin_lists_read(akin_lists **out, akin_ctx *ctx, const char *path,
                            int64_t n_queries, int64_t n_rows)
{
    int64_t *numbers = NULL, count = 0;
    akin_status st = AKIN_OK;

    AK_TRY(ak_lines_read(ctx, path, list_form(n_queries, n_rows), &numbers,
                         &count, NULL));
    AK_TRY(make_lists(out, ctx, n_queries, numbers, count));
done:
    akin_free(numbers);
    return st;
}

int64_t akin_lists_get(const int64_t **rows, const akin_lists *l, int64_t query)
{
    *rows = NULL;
    if (query < 0 || query >= l->n)
        return 0;
    *rows = l->rows + l->offsets[query];
    return l->offsets[query + 1] - l->offsets[query];
}

void akin_lists_free(akin_lists *l)
{
    if (l == NULL)
        return;
    akin_free(l->offsets);
    akin_free(l->rows);
    akin_free(l);
}

akin_status akin_numbers_read(int64_t **out, int64_t *count, akin_ctx *ctx,
                              const char *path, int64_t n_rows)
{
    const ak_line_form form = {1, {n_rows}, false, "a row number"};
    return ak_lines_read(ctx, path, form, out, count, NULL);
}

/* ---- examples as they arrive ---- */

enum { AT_ONCE = 1 << 16 };  // examples handed out by one call, at most

struct akin_stream {
    ak_lines lines;
    int64_t *numbers;
    int64_t room;  // examples that fit into numbers
};

akin_status akin_stream_open(akin_stream **out, akin_ctx *ctx,
                             akin_knowledge what, const char *path,
                             int64_t n_left, int64_t n_right)
{
    const int64_t n_other = n_right ? n_right : n_left;
    const ak_line_form plain = {2, {n_left, n_other}, false, "i j"};
    const ak_line_form form =
        what == AKIN_NOTHING ? plain : ak_line_form_of(what, n_left, n_other);
    akin_stream *s = NULL;
    akin_status st = AKIN_OK;

    if (form.n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "a stream is of pairs, triplets or quadruplets"));
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->lines.form = form;
    s->lines.more = what == AKIN_NOTHING;
    AK_TRY(ak_source_open(&s->lines.source, ctx, path, AK_SOURCE_TEXT));
    *out = s;
    s = NULL;
done:
    akin_stream_close(s);
    return st;
}

akin_status akin_stream_next(const int64_t **numbers, int64_t *count,
                             akin_ctx *ctx, akin_stream *s, int64_t most)
{
    const int64_t n = ak_min_i64(most, AT_ONCE);
    akin_status st = AKIN_OK;

    *count = 0;
    if (n > s->room) {
        AK_TRY(ak_resize(ctx, n * s->lines.form.n, sizeof *s->numbers,
                         &s->numbers));
        s->room = n;
    }
    /* Progress is the caller's to report, in examples rather than bytes. */
    ak_ctx_quiet_begin(ctx);
    st = ak_lines_next(&s->lines, ctx, true, n, s->numbers, count);
    ak_ctx_quiet_end(ctx);
    *numbers = s->numbers;
done:
    return st;
}

akin_status akin_stream_wait(int64_t *ready, akin_ctx *ctx, akin_stream *s,
                             double seconds)
{
    bool some = true;
    ak_ctx_quiet_begin(ctx);
    const akin_status st = ak_source_wait(s->lines.source, ctx, seconds, &some);
    ak_ctx_quiet_end(ctx);
    *ready = some;
    return st;
}

void akin_stream_close(akin_stream *s)
{
    if (s == NULL)
        return;
    ak_source_close(s->lines.source);
    akin_free(s->numbers);
    akin_free(s);
}
