#include "collection/terms.h"

#include <stdlib.h>
#include <string.h>

#include "data/io/source.h"

const char ak_space_terms[] = "terms";
const char ak_space_vectors[] = "vectors";

/* ---- the table ---- */

static akin_status add_term(const ak_catalog *c, akin_ctx *ctx,
                            const char *term, int64_t number)
{
    return ak_sql_do(&c->sql, ctx, "INSERT INTO terms VALUES(?,?)", "ti", term,
                     number);
}

/* In a collection of pictures it comes after their spaces. */
static akin_status add_space(const ak_catalog *c, akin_ctx *ctx)
{
    ak_space s = {.form = AK_FORM_SPARSE};
    strcpy(s.name, ak_space_terms);
    AK_CHECK(ak_sql_number(&c->sql, ctx, "SELECT COUNT(*) FROM spaces", &s.id));
    return ak_space_put(c, ctx, &s);
}

akin_status ak_terms_start(const ak_catalog *c, akin_ctx *ctx,
                           const akin_text_options *o, const ak_names *stop)
{
    AK_CHECK(ak_catalog_set_number(c, ctx, "min-length", o->min_length));
    AK_CHECK(ak_catalog_set_number(c, ctx, "max-length", o->max_length));
    for (int64_t k = 0; k < stop->n; ++k)
        AK_CHECK(add_term(c, ctx, stop->texts[k], -1 - k));
    return add_space(c, ctx);
}

akin_status ak_terms_save(const ak_catalog *c, akin_ctx *ctx, const ak_bag *bag,
                          int64_t first)
{
    ak_space s;
    if (first == bag->names.n)
        return AKIN_OK;
    for (int64_t k = first; k < bag->names.n; ++k)
        AK_CHECK(add_term(c, ctx, bag->names.texts[k], k));
    AK_CHECK(ak_space_find(c, ctx, ak_space_terms, &s));
    s.dim = bag->names.n;
    return ak_space_put(c, ctx, &s);
}

static akin_status invalid(const ak_catalog *c, akin_ctx *ctx)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: the terms are invalid", c->sql.path);
}

/* The next term in the order of their numbers; NULL behind the last. */
static akin_status next_term(const ak_catalog *c, akin_ctx *ctx,
                             sqlite3_stmt *q, const char **term,
                             int64_t *number)
{
    bool row = false;
    *term = NULL;
    AK_CHECK(ak_sql_next(&c->sql, ctx, q, &row));
    if (!row)
        return AKIN_OK;
    *term = (const char *)sqlite3_column_text(q, 0);
    *number = sqlite3_column_int64(q, 1);
    return *term == NULL || **term == '\0' ? invalid(c, ctx) : AKIN_OK;
}

static akin_status ask_terms(const ak_catalog *c, akin_ctx *ctx, int64_t from,
                             sqlite3_stmt **q)
{
    return ak_sql_ask(&c->sql, ctx, q,
                      "SELECT term, number FROM terms WHERE number >= ? ORDER "
                      "BY number",
                      "i", from);
}

static akin_status load_lengths(const ak_catalog *c, akin_ctx *ctx,
                                akin_text_options *o)
{
    AK_CHECK(ak_catalog_get_number(c, ctx, "min-length", &o->min_length));
    AK_CHECK(ak_catalog_get_number(c, ctx, "max-length", &o->max_length));
    o->stop_words = "none";
    return AKIN_OK;
}

akin_status ak_terms_load(const ak_catalog *c, akin_ctx *ctx, ak_names *stop,
                          ak_bag *bag)
{
    akin_text_options o = AKIN_TEXT_DEFAULTS;
    sqlite3_stmt *q = NULL;
    const char *term;
    int64_t number = 0;
    int32_t at;
    akin_status st = AKIN_OK;
    AK_TRY(load_lengths(c, ctx, &o));
    AK_TRY(ak_bag_begin(bag, ctx, NULL, stop, o.min_length, o.max_length));
    AK_TRY(ask_terms(c, ctx, INT64_MIN, &q));
    for (;;) {
        AK_TRY(next_term(c, ctx, q, &term, &number));
        if (term == NULL)
            break;
        if (number < 0)
            AK_TRY(ak_names_add(stop, ctx, term, strlen(term), &at));
        else if (number != bag->names.n)
            AK_TRY(invalid(c, ctx));
        else
            AK_TRY(ak_bag_know(bag, term, strlen(term)));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* All columns by their names; `names` stays empty where one has none, or the
 * name of another. */
static akin_status take_names(akin_ctx *ctx, const akin_rows *rows,
                              ak_names *names)
{
    int32_t number = 0;
    for (int64_t j = 0; j < rows->d; ++j) {
        const char *name = ak_columns_name(&rows->columns, j);
        if (name != NULL)
            AK_CHECK(ak_names_add(names, ctx, name, strlen(name), &number));
        if (name != NULL && number == j)
            continue;
        ak_names_free(names);
        break;
    }
    return AKIN_OK;
}

akin_status ak_terms_put_columns(const ak_catalog *c, akin_ctx *ctx,
                                 const akin_rows *rows)
{
    ak_names names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(take_names(ctx, rows, &names));
    for (int64_t k = 0; k < names.n; ++k)
        AK_TRY(add_term(c, ctx, names.texts[k], k));
done:
    ak_names_free(&names);
    return st;
}

akin_status ak_terms_check_columns(const ak_catalog *c, akin_ctx *ctx,
                                   const akin_rows *rows)
{
    sqlite3_stmt *q = NULL;
    const char *term, *name;
    int64_t j = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ask_terms(c, ctx, 0, &q));
    for (;;) {
        AK_TRY(next_term(c, ctx, q, &term, &j));
        name = term ? ak_columns_name(&rows->columns, j) : NULL;
        if (term == NULL)
            break;
        if (name != NULL && strcmp(name, term) != 0)
            AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                           "column %" PRId64 " is '%s' (%s has '%s' there)", j,
                           name, c->folder, term));
    }
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_terms_find(const ak_catalog *c, akin_ctx *ctx, const char *term,
                          int64_t *number)
{
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT number FROM terms WHERE term = ?", "t", term));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    *number = found ? sqlite3_column_int64(q, 0) : -1;
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_terms_name(const ak_catalog *c, akin_ctx *ctx, akin_rows *rows)
{
    sqlite3_stmt *q = NULL;
    const char *term;
    int64_t number = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ask_terms(c, ctx, 0, &q));
    while (rows->columns.n < rows->d) {
        AK_TRY(next_term(c, ctx, q, &term, &number));
        if (term == NULL)
            break;
        if (number != rows->columns.n)
            AK_TRY(invalid(c, ctx));
        AK_TRY(ak_columns_add(&rows->columns, ctx, term, strlen(term)));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* ---- texts from outside ---- */

/* The number of each column's term, -1 where it is none of d. */
static akin_status find_numbers(const ak_catalog *c, akin_ctx *ctx,
                                const akin_rows *counts, int64_t d,
                                int32_t *numbers)
{
    sqlite3_stmt *q = NULL;
    bool row;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT number FROM terms WHERE term = ?", ""));
    for (int64_t j = 0; j < counts->d; ++j) {
        sqlite3_reset(q);
        sqlite3_bind_text(q, 1, ak_columns_name(&counts->columns, j), -1,
                          SQLITE_STATIC);
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        const int64_t number = row ? sqlite3_column_int64(q, 0) : -1;
        numbers[j] = number >= 0 && number < d ? (int32_t)number : -1;
    }
done:
    sqlite3_finalize(q);
    return st;
}

typedef struct entry {
    int32_t column;
    float value;
} entry;

static int by_column(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return (x->column > y->column) - (x->column < y->column);
}

/* Row i with its columns numbered. */
static akin_status add_row(ak_row_builder *b, akin_ctx *ctx,
                           const akin_rows *counts, int64_t i,
                           const int32_t *numbers, entry *row)
{
    const ak_sparse from = ak_rows_sparse(counts, i);
    int64_t n = 0;
    for (int64_t k = 0; k < from.n; ++k)
        if (numbers[from.cols[k]] >= 0)
            row[n++] = (entry){numbers[from.cols[k]], from.vals[k]};
    qsort(row, (size_t)n, sizeof *row, by_column);
    AK_CHECK(ak_row_builder_room(b, ctx, n));
    for (int64_t k = 0; k < n; ++k, ++b->n_vals) {
        b->rows->cols[b->n_vals] = row[k].column;
        b->rows->vals[b->n_vals] = row[k].value;
    }
    ak_row_builder_row(b, -1);
    return AKIN_OK;
}

static akin_status renumber(akin_rows **out, akin_ctx *ctx, const ak_catalog *c,
                            const akin_rows *counts, int64_t d)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_row_builder b = {0};
    int32_t *numbers;
    entry *row;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, counts->d, &numbers));
    AK_TRY(AK_SCRATCH(ctx, counts->d, &row));
    AK_TRY(find_numbers(c, ctx, counts, d, numbers));
    AK_TRY(ak_row_builder_begin(&b, ctx, true));
    for (int64_t i = 0; i < counts->n; ++i)
        AK_TRY(add_row(&b, ctx, counts, i, numbers, row));
    AK_TRY(ak_row_builder_end(&b, ctx, out));
    (*out)->d = d;
done:
    ak_row_builder_drop(&b);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_terms_count(akin_rows **out, akin_ctx *ctx, const ak_catalog *c,
                           int64_t d, const char *const *texts,
                           const size_t *lengths, int64_t n)
{
    akin_text_options o = AKIN_TEXT_DEFAULTS;
    akin_rows *counts = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(load_lengths(c, ctx, &o));
    AK_TRY(akin_text_count(&counts, ctx, texts, lengths, n, NULL, &o));
    AK_TRY(renumber(out, ctx, c, counts, d));
done:
    akin_rows_free(counts);
    return st;
}

static akin_status read_file(akin_ctx *ctx, const char *path, char **text,
                             size_t *n)
{
    enum { PIECE = 1 << 16 };
    ak_source *s = NULL;
    int64_t room = 0;
    size_t got = PIECE;
    akin_status st = AKIN_OK;
    *n = 0;
    AK_TRY(ak_source_open(&s, ctx, path, AK_SOURCE_TEXT));
    while (got == PIECE) {
        AK_TRY(ak_grow(ctx, (int64_t)*n + PIECE, &room, 1, text));
        AK_TRY(ak_source_read(s, ctx, *text + *n, PIECE, &got));
        *n += got;
    }
    if (memchr(*text, '\0', *n) != NULL)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: contains zero bytes: not text in UTF-8", path));
done:
    ak_source_close(s);
    return st;
}

akin_status ak_terms_count_files(akin_rows **out, akin_ctx *ctx,
                                 const ak_catalog *c, int64_t d,
                                 const char *const *files, int64_t n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    char **texts = NULL;
    size_t *lengths;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &texts));
    AK_TRY(AK_SCRATCH(ctx, n, &lengths));
    for (int64_t i = 0; i < n; ++i)
        AK_TRY(read_file(ctx, files[i], &texts[i], &lengths[i]));
    AK_TRY(
        ak_terms_count(out, ctx, c, d, (const char *const *)texts, lengths, n));
done:
    for (int64_t i = 0; texts != NULL && i < n; ++i)
        akin_free(texts[i]);
    ak_scratch_end(ctx, mark);
    return st;
}
