/* A condition such as
 *
 *   date >= 2020 AND (label = cat OR NOT camera LIKE 'Canon%')
 *
 * is a tree of comparisons FIELD OPERATOR VALUE. A value is a number, a text in
 * quotes, the name of another field, or any other word. */
#include "collection/where.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_BYTES = 1 << 16, MOST_DEPTH = 100, MOST_VALUES = 500 };

typedef enum {
    END,
    OPEN,
    CLOSE,
    COMMA,
    OPERATOR,  // = == != <> < <= > >=
    WORD,      // a field, a keyword or a value
    QUOTED,    // '...': a value
    NAMED      // "...": a field, or a value
} token_kind;

typedef struct token {
    token_kind kind;
    const char *start;  // without quotes
    size_t n;
    int64_t at;  // its first character, from 1
} token;

typedef struct value {
    char *text;
    double number;
    bool is_number, is_date;
} value;

typedef struct parser {
    akin_ctx *ctx;
    const ak_catalog *c;
    const char *text, *next;
    token now;
    int depth;
    char *sql;
    int64_t n, room;
    value values[MOST_VALUES];
    int n_values;
} parser;

/* ---- tokens ---- */

static akin_status wrong(const parser *p, const char *expected)
{
    return ak_fail(p->ctx, AKIN_EINVAL,
                   "`where` %s: character %" PRId64 ": expected %s", p->text,
                   p->now.at, expected);
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 ||
           (c != '\0' && strchr("_-.:/+%*", c) != NULL);
}

/* Up to the closing quote; a doubled one stands for itself. */
static akin_status take_quoted(parser *p, char quote)
{
    const char *at = p->next + 1;
    p->now.kind = quote == '\'' ? QUOTED : NAMED;
    p->now.start = at;
    while (*at != '\0' && (*at != quote || at[1] == quote))
        at += *at == quote ? 2 : 1;
    if (*at == '\0')
        return wrong(p, "the closing quote");
    p->now.n = (size_t)(at - p->now.start);
    p->next = at + 1;
    return AKIN_OK;
}

static void take_operator(parser *p)
{
    const char *at = p->next;
    p->now.kind = OPERATOR;
    p->now.start = at;
    p->now.n = (at[0] == '<' && at[1] == '>') || at[1] == '=' ? 2 : 1;
    p->next = at + p->now.n;
}

static akin_status advance(parser *p)
{
    while (isspace((unsigned char)*p->next))
        ++p->next;
    const char c = *p->next;
    p->now = (token){
        .kind = END, .start = p->next, .n = 1, .at = p->next - p->text + 1};
    if (c == '\0')
        return AKIN_OK;
    if (c == '\'' || c == '"')
        return take_quoted(p, c);
    if (c == '=' || c == '<' || c == '>' || (c == '!' && p->next[1] == '=')) {
        take_operator(p);
        return AKIN_OK;
    }
    if (in_word(c)) {
        p->now.kind = WORD;
        p->now.n = 0;
        while (in_word(*p->next)) {
            ++p->next;
            ++p->now.n;
        }
        return AKIN_OK;
    }
    p->now.kind = c == '(' ? OPEN : c == ')' ? CLOSE : COMMA;
    ++p->next;
    return c == '(' || c == ')' || c == ','
               ? AKIN_OK
               : wrong(p, "a field, a value or an operator");
}

static bool is_keyword(const parser *p, const char *word)
{
    return p->now.kind == WORD && p->now.n == strlen(word) &&
           strncasecmp(p->now.start, word, p->now.n) == 0;
}

/* Go on if it is there. */
static akin_status take_keyword(parser *p, const char *word, bool *there)
{
    *there = is_keyword(p, word);
    return *there ? advance(p) : AKIN_OK;
}

static akin_status need_keyword(parser *p, const char *word)
{
    return is_keyword(p, word) ? advance(p) : wrong(p, word);
}

/* A copy of the current token without doubled quotes; from scratch. */
static akin_status copy_token(parser *p, char **out)
{
    const char quote = p->now.kind == QUOTED ? '\'' : '"';
    size_t k = 0;
    AK_CHECK(AK_SCRATCH(p->ctx, (int64_t)p->now.n + 1, out));
    for (size_t i = 0; i < p->now.n; ++i) {
        (*out)[k++] = p->now.start[i];
        if (p->now.kind != WORD && p->now.start[i] == quote)
            ++i;
    }
    (*out)[k] = '\0';
    return AKIN_OK;
}

/* ---- SQL ---- */

static akin_status put(parser *p, const char *text)
{
    const int64_t n = (int64_t)strlen(text);
    AK_CHECK(ak_grow(p->ctx, p->n + n + 1, &p->room, 1, &p->sql));
    memcpy(p->sql + p->n, text, (size_t)n + 1);
    p->n += n;
    return AKIN_OK;
}

/* "?12" for a value: 2k + 1 is the text, 2k + 2 the number. */
static akin_status put_value(parser *p, int k, bool number)
{
    char text[16];
    snprintf(text, sizeof text, "?%d", 2 * k + 1 + number);
    return put(p, text);
}

/* "2020", "2020-05", "2020-05-17T12:30": the beginning of a date. */
static bool is_date(const char *s)
{
    static const char form[] = "dddd-dd-ddTdd:dd:dd";
    size_t i = 0;
    for (; s[i] != '\0' && i < sizeof form - 1; ++i)
        if (form[i] == 'd' ? !isdigit((unsigned char)s[i]) : s[i] != form[i])
            return false;
    return s[i] == '\0' && (i == 4 || i == 7 || i == 10 || i >= 13);
}

static akin_status take_value(parser *p, int *k)
{
    value *v = &p->values[p->n_values];
    char *end;
    if (p->now.kind != WORD && p->now.kind != QUOTED && p->now.kind != NAMED)
        return wrong(p, "a value");
    if (p->n_values == MOST_VALUES)
        return wrong(p, "fewer values");
    AK_CHECK(copy_token(p, &v->text));
    v->number = strtod(v->text, &end);
    v->is_number = p->now.kind == WORD && v->text[0] != '\0' && *end == '\0';
    v->is_date = is_date(v->text);
    *k = p->n_values++;
    return advance(p);
}

/* ---- comparisons ---- */

/* What a comparison is of. */
typedef struct field {
    const char *name;
    const char *column;  // of items; NULL: one of the table of fields
    bool labels;
} field;

/* As in the file, or, where that is not known, as it was described. */
#define PICTURE_SIZE(name)                                                   \
    "coalesce((SELECT value FROM fields WHERE item = i.id AND name = '" name \
    "'), i." name ")"

static const field known_fields[] = {
    {"label", NULL, true},
    {"labels", NULL, true},
    {"name", "CAST(i.name AS TEXT)", false},
    {"path", "CAST(i.path AS TEXT)", false},
    {"id", "i.id", false},
    {"width", PICTURE_SIZE("width"), false},
    {"height", PICTURE_SIZE("height"), false},
};

static bool is_known_field(const char *name)
{
    for (size_t i = 0; i < sizeof known_fields / sizeof *known_fields; ++i)
        if (strcasecmp(name, known_fields[i].name) == 0)
            return true;
    return false;
}

/* The names that there are, for the message. */
static akin_status unknown_field(const parser *p, const char *name)
{
    char list[400] = "label, name, path, id, width, height";
    size_t n = strlen(list);
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&p->c->sql, p->ctx, &q,
                      "SELECT DISTINCT name FROM fields ORDER BY name LIMIT 20",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(&p->c->sql, p->ctx, q, &row));
        const char *text = row ? (const char *)sqlite3_column_text(q, 0) : NULL;
        if (text == NULL)
            break;
        if (!is_known_field(text) && n + strlen(text) + 3 < sizeof list)
            n += (size_t)sprintf(list + n, ", %s", text);
    }
    AK_TRY(ak_fail(p->ctx, AKIN_EINVAL,
                   "`where` %s: no field %s (there are %s)", p->text, name,
                   list));
done:
    sqlite3_finalize(q);
    return st;
}

/* A field by its name; in other letters where it is not there as it is
 * written. *actual stays NULL where there is none. */
static akin_status field_name(const parser *p, const char *name, char **actual)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    *actual = NULL;
    AK_TRY(ak_sql_ask(&p->c->sql, p->ctx, &q,
                      "SELECT name FROM fields WHERE name = ?1 UNION ALL "
                      "SELECT name FROM (SELECT DISTINCT name FROM fields) "
                      "WHERE name = ?1 COLLATE NOCASE LIMIT 1",
                      "t", name));
    AK_TRY(ak_sql_next(&p->c->sql, p->ctx, q, &row));
    if (row) {
        const char *text = (const char *)sqlite3_column_text(q, 0);
        AK_TRY(AK_SCRATCH(p->ctx, (int64_t)strlen(text) + 1, actual));
        strcpy(*actual, text);
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* Does the current token name a field? */
static akin_status find_field(parser *p, field *f, bool *there)
{
    char *name, *actual;
    AK_CHECK(copy_token(p, &name));
    AK_CHECK(field_name(p, name, &actual));
    *f = (field){.name = actual ? actual : name};
    *there = actual != NULL;
    for (size_t i = 0; i < sizeof known_fields / sizeof *known_fields; ++i)
        if (!*there && strcasecmp(name, known_fields[i].name) == 0) {
            *f = known_fields[i];
            *there = true;
        }
    return AKIN_OK;
}

static akin_status take_field(parser *p, field *f)
{
    bool there;
    if (p->now.kind != WORD && p->now.kind != NAMED)
        return wrong(p, "a field");
    AK_CHECK(find_field(p, f, &there));
    return there ? advance(p) : unknown_field(p, f->name);
}

/* One of the labels, which are separated by newlines. */
static akin_status compare_labels(parser *p, const char *op, int k)
{
    const bool like = strcmp(op, "LIKE") == 0, glob = strcmp(op, "GLOB") == 0;
    const char *around = glob ? "'*'" : "'%'";
    if (!like && !glob && strcmp(op, "=") != 0 && strcmp(op, "<>") != 0) {
        AK_CHECK(put(p, "i.labels "));
        AK_CHECK(put(p, op));
        AK_CHECK(put(p, " "));
        return put_value(p, k, false);
    }
    if (!like && !glob) {
        AK_CHECK(put(p, op[0] == '=' ? "" : "NOT "));
        AK_CHECK(put(p, "instr(char(10)||i.labels||char(10), char(10)||"));
        AK_CHECK(put_value(p, k, false));
        return put(p, "||char(10)) > 0");
    }
    AK_CHECK(put(p, "char(10)||i.labels||char(10) "));
    AK_CHECK(put(p, op));
    AK_CHECK(put(p, " "));
    AK_CHECK(put(p, around));
    AK_CHECK(put(p, "||char(10)||"));
    AK_CHECK(put_value(p, k, false));
    AK_CHECK(put(p, "||char(10)||"));
    return put(p, around);
}

/* `what` is a number or a text, as is the value; a date is as long as what it
 * is compared with: 2020 is all of that year. */
static akin_status compare_numbers(parser *p, const char *what, const char *op,
                                   int k)
{
    AK_CHECK(put(p, "(typeof("));
    AK_CHECK(put(p, what));
    AK_CHECK(put(p, ") <> 'text' AND "));
    AK_CHECK(put(p, what));
    AK_CHECK(put(p, " "));
    AK_CHECK(put(p, op));
    AK_CHECK(put(p, " "));
    AK_CHECK(put_value(p, k, true));
    return put(p, ") OR ");
}

static akin_status compare_texts(parser *p, const char *what, const char *op,
                                 int k)
{
    const bool date = p->values[k].is_date, number = p->values[k].is_number;
    const bool order = strcmp(op, "=") != 0 && strcmp(op, "<>") != 0;
    AK_CHECK(put(p, "(typeof("));
    AK_CHECK(put(p, what));
    AK_CHECK(put(p, number ? ") = 'text' AND " : ") <> '' AND "));
    if (number && order) {  // a word is not above or below a number
        AK_CHECK(put(p, what));
        AK_CHECK(put(p, " GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]*' AND "));
    }
    if (date) {
        AK_CHECK(put(p, "CASE WHEN "));
        AK_CHECK(put(p, what));
        AK_CHECK(
            put(p, " GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]*' THEN substr("));
        AK_CHECK(put(p, what));
        AK_CHECK(put(p, ", 1, length("));
        AK_CHECK(put_value(p, k, false));
        AK_CHECK(put(p, ")) ELSE CAST("));
    } else
        AK_CHECK(put(p, "CAST("));
    AK_CHECK(put(p, what));
    AK_CHECK(put(p, date ? " AS TEXT) END " : " AS TEXT) "));
    AK_CHECK(put(p, op));
    AK_CHECK(put(p, " "));
    AK_CHECK(put_value(p, k, false));
    return put(p, ")");
}

static akin_status compare(parser *p, const field *f, const char *op, int k)
{
    const char *what = f->column ? f->column : "value";
    const bool pattern = strcmp(op, "LIKE") == 0 || strcmp(op, "GLOB") == 0;
    if (f->labels)
        return compare_labels(p, op, k);
    if (p->values[k].is_number && !pattern)
        AK_CHECK(compare_numbers(p, what, op, k));
    return compare_texts(p, what, op, k);
}

/* What stands around the comparisons of a field of the table. */
static akin_status open_field(parser *p, const field *f)
{
    value *v = &p->values[p->n_values];
    if (f->column != NULL || f->labels)
        return put(p, "(");
    if (p->n_values == MOST_VALUES)
        return wrong(p, "fewer values");
    *v = (value){.text = (char *)f->name};
    AK_CHECK(put(p, "i.id IN (SELECT item FROM fields WHERE name = "));
    AK_CHECK(put_value(p, p->n_values++, false));
    return put(p, " AND (");
}

static akin_status close_field(parser *p, const field *f)
{
    return put(p, f->column != NULL || f->labels ? ")" : "))");
}

/* ---- the tree ---- */

static akin_status parse_or(parser *p);

static akin_status parse_in(parser *p, const field *f)
{
    int k;
    if (p->now.kind != OPEN)
        return wrong(p, "( after IN");
    do {
        AK_CHECK(advance(p));
        AK_CHECK(take_value(p, &k));
        AK_CHECK(compare(p, f, "=", k));
        AK_CHECK(put(p, p->now.kind == COMMA ? " OR " : ""));
    } while (p->now.kind == COMMA);
    return p->now.kind == CLOSE ? advance(p) : wrong(p, ", or )");
}

static akin_status parse_between(parser *p, const field *f)
{
    int low, high;
    AK_CHECK(take_value(p, &low));
    AK_CHECK(need_keyword(p, "AND"));
    AK_CHECK(take_value(p, &high));
    AK_CHECK(put(p, "("));
    AK_CHECK(compare(p, f, ">=", low));
    AK_CHECK(put(p, ") AND ("));
    AK_CHECK(compare(p, f, "<=", high));
    return put(p, ")");
}

static akin_status parse_pattern(parser *p, const field *f, const char *op)
{
    int k;
    AK_CHECK(take_value(p, &k));
    return compare(p, f, op, k);
}

/* IS [NOT] NULL */
static akin_status parse_null(parser *p, const field *f)
{
    bool not_null;
    AK_CHECK(take_keyword(p, "NOT", &not_null));
    AK_CHECK(need_keyword(p, "NULL"));
    if (f->labels)
        return put(p, not_null ? "(i.labels <> '')" : "(i.labels = '')");
    AK_CHECK(put(p, not_null ? "(" : "NOT ("));
    AK_CHECK(open_field(p, f));
    AK_CHECK(put(p, f->column ? f->column : "value"));
    AK_CHECK(put(p, " IS NOT NULL"));
    AK_CHECK(close_field(p, f));
    return put(p, ")");
}

/* The value of another field of the item. */
static akin_status compare_fields(parser *p, const field *f, const char *op,
                                  const field *other)
{
    int k = p->n_values;
    AK_CHECK(put(p, f->labels ? "i.labels" : f->column ? f->column : "value"));
    AK_CHECK(put(p, " "));
    AK_CHECK(put(p, op));
    AK_CHECK(put(p, " "));
    if (other->labels || other->column != NULL)
        return put(p, other->labels ? "i.labels" : other->column);
    if (k == MOST_VALUES)
        return wrong(p, "fewer values");
    p->values[p->n_values++] = (value){.text = (char *)other->name};
    AK_CHECK(put(p, "(SELECT o.value FROM fields o WHERE o.item = i.id AND "
                    "o.name = "));
    AK_CHECK(put_value(p, k, false));
    return put(p, ")");
}

static akin_status parse_operator(parser *p, const field *f)
{
    char op[3] = {0};
    field other;
    bool is_field = false;
    int k;
    memcpy(op, p->now.start, p->now.n);
    if (strcmp(op, "==") == 0)
        strcpy(op, "=");
    if (strcmp(op, "!=") == 0)
        strcpy(op, "<>");
    AK_CHECK(advance(p));
    if (p->now.kind == WORD)
        AK_CHECK(find_field(p, &other, &is_field));
    if (is_field) {
        AK_CHECK(advance(p));
        return compare_fields(p, f, op, &other);
    }
    AK_CHECK(take_value(p, &k));
    return compare(p, f, op, k);
}

static akin_status parse_words(parser *p, const field *f)
{
    bool there;
    AK_CHECK(take_keyword(p, "IN", &there));
    if (there)
        return parse_in(p, f);
    AK_CHECK(take_keyword(p, "BETWEEN", &there));
    if (there)
        return parse_between(p, f);
    AK_CHECK(take_keyword(p, "LIKE", &there));
    if (there)
        return parse_pattern(p, f, "LIKE");
    AK_CHECK(take_keyword(p, "GLOB", &there));
    return there ? parse_pattern(p, f, "GLOB")
                 : wrong(p, "an operator (= <> < <= > >= LIKE GLOB IN BETWEEN "
                            "IS NULL)");
}

static akin_status parse_comparison(parser *p)
{
    field f;
    bool is, negated = false;
    AK_CHECK(take_field(p, &f));
    AK_CHECK(take_keyword(p, "IS", &is));
    if (is)
        return parse_null(p, &f);
    if (p->now.kind != OPERATOR)
        AK_CHECK(take_keyword(p, "NOT", &negated));
    AK_CHECK(put(p, negated ? "NOT " : ""));
    AK_CHECK(open_field(p, &f));
    AK_CHECK(p->now.kind == OPERATOR && !negated ? parse_operator(p, &f)
                                                 : parse_words(p, &f));
    return close_field(p, &f);
}

static akin_status parse_not(parser *p)
{
    bool negated;
    AK_CHECK(take_keyword(p, "NOT", &negated));
    if (negated)
        AK_CHECK(put(p, "NOT "));
    if (p->now.kind != OPEN)
        return negated ? parse_not(p) : parse_comparison(p);
    if (++p->depth > MOST_DEPTH)
        return wrong(p, "fewer parentheses");
    AK_CHECK(advance(p));
    AK_CHECK(put(p, "("));
    AK_CHECK(parse_or(p));
    if (p->now.kind != CLOSE)
        return wrong(p, ")");
    --p->depth;
    AK_CHECK(put(p, ")"));
    return advance(p);
}

static akin_status parse_and(parser *p)
{
    bool more = true;
    AK_CHECK(parse_not(p));
    while (more) {
        AK_CHECK(take_keyword(p, "AND", &more));
        AK_CHECK(put(p, more ? " AND " : ""));
        if (more)
            AK_CHECK(parse_not(p));
    }
    return AKIN_OK;
}

static akin_status parse_or(parser *p)
{
    bool more = true;
    AK_CHECK(put(p, "("));
    AK_CHECK(parse_and(p));
    while (more) {
        AK_CHECK(take_keyword(p, "OR", &more));
        AK_CHECK(put(p, more ? " OR " : ""));
        if (more)
            AK_CHECK(parse_and(p));
    }
    return put(p, ")");
}

/* ---- which items ---- */

static akin_status parse(parser *p)
{
    if (strlen(p->text) > MOST_BYTES)
        return ak_fail(p->ctx, AKIN_EINVAL,
                       "`where` is longer than %d characters", MOST_BYTES);
    AK_CHECK(put(p, "SELECT id FROM items i WHERE "));
    AK_CHECK(advance(p));
    AK_CHECK(parse_or(p));
    return p->now.kind == END ? AKIN_OK : wrong(p, "AND, OR or the end");
}

static akin_status run(parser *p, unsigned char *pass)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&p->c->sql, p->ctx, &q, p->sql, ""));
    for (int k = 0; k < p->n_values; ++k) {
        sqlite3_bind_text(q, 2 * k + 1, p->values[k].text, -1, SQLITE_STATIC);
        sqlite3_bind_double(q, 2 * k + 2, p->values[k].number);
    }
    for (;;) {
        AK_TRY(ak_sql_next(&p->c->sql, p->ctx, q, &row));
        if (!row)
            break;
        pass[sqlite3_column_int64(q, 0)] = 1;
    }
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_where(unsigned char **pass, int64_t *n, akin_ctx *ctx,
                     const ak_catalog *c, const char *text)
{
    parser *p = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &p));
    p->ctx = ctx;
    p->c = c;
    p->text = p->next = text;
    AK_TRY(parse(p));
    AK_TRY(ak_sql_number(&c->sql, ctx,
                         "SELECT 1 + ifnull(max(id), -1) FROM items", n));
    AK_TRY(AK_SCRATCH(ctx, *n, pass));
    AK_TRY(run(p, *pass));
done:
    if (p != NULL)
        akin_free(p->sql);
    akin_free(p);
    return st;
}
