/* Sparse rows as text: label[,label...] [qid:N] index:value ... # comment
 *
 * Indices are kept as they are written until the end of the file, when it is
 * known whether one of them is 0. They rise within a line, so the last of a
 * line is all that need be looked at to know the largest.
 *
 * Where rows went through a recipe, a comment behind the first one says so: a
 * line is still a row, in whatever order they are. */
#include <stdio.h>
#include <string.h>

#include "data/io/formats.h"
#include "data/io/number.h"
#include "data/io/row_builder.h"
#include "data/io/sink.h"
#include "data/recipe/fingerprint.h"

static const char recipe_comment[] = "# akin recipe ";

typedef struct parser {
    ak_row_builder build;
    ak_source *source;
    const akin_read_options *options;
    const char *line;  // its first byte
    const char *end;   // the '\n' behind it
    int64_t least;     // smallest index allowed
    int64_t most;      // largest
    int64_t largest;   // index so far, -1: none
    bool any_zero;
    /* Index `dim` was met first here: an error if the base turns out as 0. */
    int64_t edge_line, edge_column;
} parser;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Behind a token: a blank, a comment or the end of the line. */
static bool is_break(char c)
{
    return is_blank(c) || c == '\n' || c == '#';
}

static const char *skip_blanks(const char *p)
{
    while (is_blank(*p))
        ++p;
    return p;
}

static const char *skip_token(const char *p)
{
    while (!is_break(*p))
        ++p;
    return p;
}

/* ---- what can be wrong ---- */

static akin_status bad(const parser *s, akin_ctx *ctx, const char *at,
                       const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ":%" PRId64 ": %s",
                   ak_source_name(s->source), ak_source_line_number(s->source),
                   (int64_t)(at - s->line) + 1, what);
}

/* `index` as it is written. */
static akin_status outside(const parser *s, akin_ctx *ctx, int64_t line,
                           int64_t column, const char *index, int64_t base)
{
    const int64_t dim = s->options->dim;
    const char *of = s->options->dim_of;
    const int digits =
        (int)ak_min_i64(20, (int64_t)strspn(index, "0123456789"));
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s:%" PRId64 ":%" PRId64
                   ": index %.*s is outside dimension %" PRId64
                   " (expected %" PRId64 " to %" PRId64 "%s%s)",
                   ak_source_name(s->source), line, column, digits, index, dim,
                   base, dim - 1 + base, of ? ", as in " : "", of ? of : "");
}

/* While the base is open and no 0 was seen, also before `at` in this line,
 * indices are taken to begin at 1. */
static int64_t likely_base(const parser *s, const char *at)
{
    if (s->options->index_base != AKIN_BASE_AUTO)
        return s->least;
    const size_t n = (size_t)(at - s->line);
    return !s->any_zero && memmem(s->line, n, " 0:", 3) == NULL;
}

/* Why no index followed by ':' stands at `at`, or why it cannot be. */
static akin_status bad_index(const parser *s, akin_ctx *ctx, const char *at)
{
    const char *p = at + (*at == '-' || *at == '+');
    const bool digits = is_digit(*p);
    while (is_digit(*p))
        ++p;
    if (!digits || (*p != ':' && !is_break(*p)))
        return bad(s, ctx, at, "not an entry (expected index:value)");
    if (*p != ':')
        return bad(s, ctx, p, "no ':' after the index (expected index:value)");
    if (*at == '-')
        return bad(s, ctx, at, "negative index");
    if (*at == '+')
        return bad(s, ctx, at, "index has a sign");
    if (s->options->dim > 0)
        return outside(s, ctx, ak_source_line_number(s->source),
                       at - s->line + 1, at, likely_base(s, at));
    return bad(s, ctx, at, "index is above 2147483647");
}

static akin_status bad_value(const parser *s, akin_ctx *ctx, const char *at,
                             ak_number what)
{
    if (is_break(*at))
        return bad(s, ctx, at, "no value after the ':'");
    if (what == AK_NUMBER_INFINITE)
        return bad(s, ctx, at, "value is not finite in 32 bits");
    return bad(s, ctx, at, "not a value (expected a number)");
}

static akin_status bad_order(const parser *s, akin_ctx *ctx, const char *at,
                             int64_t index, int64_t previous)
{
    char what[96];
    if (index < s->least)
        return bad(s, ctx, at, "index 0 (expected indices from 1)");
    snprintf(what, sizeof what,
             "indices must increase (got %" PRId64 " after %" PRId64 ")", index,
             previous);
    return bad(s, ctx, at, what);
}

/* ---- one line ---- */

/* The labels at the start of a line, which may be missing: a token with ':'
 * in it is an entry already. */
static akin_status parse_front(parser *s, akin_ctx *ctx, const char **at)
{
    const char *p = *at, *stop = skip_token(p);
    if (stop == p || memchr(p, ':', (size_t)(stop - p)) != NULL)
        return AKIN_OK;
    *at = stop;
    if (stop - p == 1 && *p == '?')
        return AKIN_OK;
    const char *wrong, *why;
    const akin_status st = ak_row_builder_labels(
        &s->build, ctx, p, (size_t)(stop - p), ',', &wrong, &why);
    return st == AKIN_OK && why != NULL ? bad(s, ctx, wrong, why) : st;
}

static akin_status parse_group(parser *s, akin_ctx *ctx, const char **at,
                               int64_t *group)
{
    const char *p = *at + 4;
    *group = -1;
    if (s->end - *at < 4 || memcmp(*at, "qid:", 4) != 0)
        return AKIN_OK;
    const char *first = p;
    for (*group = 0; is_digit(*p) && p - first < 18; ++p)
        *group = 10 * *group + (*p - '0');
    if (p == first || !is_break(*p))
        return bad(s, ctx, first, "not a group number (expected qid:N)");
    *at = skip_blanks(p);
    return AKIN_OK;
}

/* Indices rise, so a line's first and last tell whether there is a 0, and the
 * largest. The last one's text is at `token`. */
static void note_range(parser *s, int64_t first, int64_t last,
                       const char *token)
{
    s->any_zero |= first == 0;
    s->largest = ak_max_i64(s->largest, last);
    if (last == s->options->dim && s->edge_line == 0 && last > 0) {
        s->edge_line = ak_source_line_number(s->source);
        s->edge_column = token - s->line + 1;
    }
}

/* A comment may say which recipe the rows went through; the first one does. */
static void take_comment(parser *s, const char *p)
{
    const size_t n = strlen(recipe_comment), room = (size_t)(s->end - p);
    char *prepared = s->build.rows->prepared;
    if (prepared[0] == '\0' && room > n && memcmp(p, recipe_comment, n) == 0)
        (void)ak_prepared_take(p + n, room - n, prepared);
}

/* The entries at p. Room for as many as the line can hold is there. */
static akin_status parse_entries(parser *s, akin_ctx *ctx, const char *p)
{
    int32_t *cols = s->build.rows->cols + s->build.n_vals;
    float *vals = s->build.rows->vals + s->build.n_vals;
    const int64_t most = s->most;
    int64_t n = 0, first = -1, previous = s->least - 1;
    const char *token = p;
    for (; p = skip_blanks(p), *p != '\n' && *p != '#';) {
        int64_t index = 0;
        for (token = p; is_digit(*p) && p - token < 11; ++p)
            index = 10 * index + (*p - '0');
        if (*p != ':' || p == token || index > most)
            return bad_index(s, ctx, token);
        if (index <= previous)
            return bad_order(s, ctx, token, index, previous);
        const char *text = ++p;
        const ak_number got = ak_number_read(&p, &vals[n]);
        if (got != AK_NUMBER_OK || !is_break(*p))
            return bad_value(s, ctx, text, got);
        cols[n] = (int32_t)index;
        n += vals[n] != 0.0F;
        first = first < 0 ? index : first;
        previous = index;
    }
    if (*p == '#')
        take_comment(s, p);
    s->build.n_vals += n;
    note_range(s, first, previous, token);
    return AKIN_OK;
}

static akin_status parse_line(parser *s, akin_ctx *ctx)
{
    const char *p = skip_blanks(s->line);
    int64_t group;
    if (*p == '#')
        take_comment(s, p);
    if (*p == '\n' || *p == '#')
        return AKIN_OK;
    /* An entry takes four bytes at least, "1:2 ". */
    AK_CHECK(ak_row_builder_room(&s->build, ctx, (s->end - s->line) / 4 + 2));
    if (p == s->line)
        AK_CHECK(parse_front(s, ctx, &p));
    p = skip_blanks(p);
    AK_CHECK(parse_group(s, ctx, &p, &group));
    AK_CHECK(parse_entries(s, ctx, p));
    ak_row_builder_row(&s->build, group);
    return AKIN_OK;
}

/* ---- the file ---- */

static void begin_limits(parser *s)
{
    const akin_read_options *o = s->options;
    s->least = o->index_base == AKIN_BASE_1;
    s->most = INT32_MAX;
    if (o->dim > 0)
        s->most = ak_min_i64(s->most, o->index_base == AKIN_BASE_0 ? o->dim - 1
                                                                   : o->dim);
    s->largest = -1;
}

/* Now it is known what the indices are counted from. */
static akin_status settle(parser *s, akin_ctx *ctx, akin_rows *r)
{
    const akin_read_options *o = s->options;
    const bool from_0 = o->index_base == AKIN_BASE_0 ||
                        (o->index_base == AKIN_BASE_AUTO && s->any_zero);
    char edge[24];
    snprintf(edge, sizeof edge, "%" PRId64, o->dim);
    if (from_0 && s->edge_line > 0)
        return outside(s, ctx, s->edge_line, s->edge_column, edge, 0);
    r->index_base = from_0 ? AKIN_BASE_0 : AKIN_BASE_1;
    if (!from_0)
        for (int64_t k = 0; k < r->offsets[r->n]; ++k)
            --r->cols[k];
    r->d = o->dim > 0 ? o->dim : ak_max_i64(0, s->largest + from_0);
    return AKIN_OK;
}

akin_status ak_svmlight_parse(akin_rows **out, akin_ctx *ctx, ak_source *source,
                              const akin_read_options *o)
{
    parser s = {.source = source, .options = o};
    akin_rows *r = NULL;
    char *line;
    size_t n;
    akin_status st = AKIN_OK;
    begin_limits(&s);
    AK_TRY(ak_row_builder_begin(&s.build, ctx, true));
    s.build.utf8_labels = o->utf8_labels && o->labels == NULL;
    AK_TRY(ak_source_enter_piece(source, ctx));
    for (;;) {
        AK_TRY(ak_source_line(source, ctx, &line, &n));
        if (line == NULL)
            break;
        s.line = line;
        s.end = line + n;
        AK_TRY(parse_line(&s, ctx));
    }
    if (s.build.rows->n == 0 && !ak_source_is_piece(source))
        AK_TRY(
            ak_fail(ctx, AKIN_EFORMAT, "%s: no rows", ak_source_name(source)));
    AK_TRY(ak_row_builder_end(&s.build, ctx, &r));
    AK_TRY(settle(&s, ctx, r));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    ak_row_builder_drop(&s.build);
    return st;
}

/* ---- writing ---- */

/* Columns and dimension come back as they were: where no entry tells them,
 * the first row has an explicit zero. */
typedef struct printer {
    ak_sink *sink;
    const akin_rows *rows;
    int64_t base;
    bool zero_first, zero_last;  // mark column 0 and d - 1 in the first row
} printer;

static bool can_be_label(const char *name)
{
    if (name[0] == '\0' || strcmp(name, "?") == 0)
        return false;
    for (; *name; ++name)
        if ((unsigned char)*name <= ' ' || strchr(",:#\x7f", *name) != NULL)
            return false;
    return true;
}

static akin_status check_labels(akin_ctx *ctx, const akin_rows *r,
                                const char *path)
{
    for (int64_t k = 0; k < r->n_label_names; ++k)
        if (!can_be_label(r->label_names[k]))
            return ak_fail(ctx, AKIN_EINVAL,
                           "%s: the label \"%s\" cannot be written in "
                           "svmlight (no blanks, commas, colons, #)",
                           path, r->label_names[k]);
    return AKIN_OK;
}

static void find_marks(printer *p)
{
    bool first = false, last = false;
    for (int64_t i = 0; i < p->rows->n; ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t n = akin_rows_row(&cols, &vals, p->rows, i);
        if (n == 0)
            continue;
        first |= cols ? cols[0] == 0 : vals[0] != 0;
        last |= cols ? cols[n - 1] == p->rows->d - 1 : vals[n - 1] != 0;
    }
    p->zero_first = p->base == 0 && !first && p->rows->d > 0;
    p->zero_last = !last && p->rows->d > p->zero_first;
}

static akin_status put_labels(const printer *p, akin_ctx *ctx, int64_t i)
{
    const int32_t *labels;
    const int64_t n = akin_rows_labels(&labels, p->rows, i);
    if (n == 0)
        AK_CHECK(ak_sink_text(p->sink, ctx, "?"));
    for (int64_t k = 0; k < n; ++k) {
        if (k > 0)
            AK_CHECK(ak_sink_text(p->sink, ctx, ","));
        AK_CHECK(ak_sink_text(p->sink, ctx, p->rows->label_names[labels[k]]));
    }
    if (p->rows->groups != NULL && p->rows->groups[i] >= 0) {
        char text[32] = " qid:";
        const size_t at = strlen(text);
        AK_CHECK(
            ak_sink_put(p->sink, ctx, text,
                        at + ak_integer_write(text + at, p->rows->groups[i])));
    }
    return AKIN_OK;
}

static akin_status put_entry(const printer *p, akin_ctx *ctx, int64_t column,
                             float value)
{
    char text[2 * AK_NUMBER_SIZE];
    char *to = text;
    *to++ = ' ';
    to += ak_integer_write(to, column + p->base);
    *to++ = ':';
    to += ak_number_write(to, value);
    return ak_sink_put(p->sink, ctx, text, (size_t)(to - text));
}

static akin_status put_row(const printer *p, akin_ctx *ctx, int64_t i)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, p->rows, i);
    AK_CHECK(put_labels(p, ctx, i));
    if (i == 0 && p->zero_first)
        AK_CHECK(put_entry(p, ctx, 0, 0.0F));
    for (int64_t k = 0; k < n; ++k)
        if (vals[k] != 0.0F)
            AK_CHECK(put_entry(p, ctx, cols ? cols[k] : k, vals[k]));
    if (i == 0 && p->zero_last)
        AK_CHECK(put_entry(p, ctx, p->rows->d - 1, 0.0F));
    if (i == 0 && p->rows->prepared[0] != '\0') {
        AK_CHECK(ak_sink_text(p->sink, ctx, " "));
        AK_CHECK(ak_sink_text(p->sink, ctx, recipe_comment));
        AK_CHECK(ak_sink_text(p->sink, ctx, p->rows->prepared));
    }
    return ak_sink_text(p->sink, ctx, "\n");
}

akin_status ak_svmlight_write(akin_ctx *ctx, const akin_rows *rows,
                              const char *path)
{
    printer p = {.rows = rows, .base = rows->index_base != AKIN_BASE_0};
    akin_status st = AKIN_OK;
    find_marks(&p);
    AK_TRY(check_labels(ctx, rows, path));
    AK_TRY(ak_sink_open(&p.sink, ctx, path));
    for (int64_t i = 0; i < rows->n; ++i)
        AK_TRY(put_row(&p, ctx, i));
done:
    return ak_sink_close(p.sink, ctx, st);
}
