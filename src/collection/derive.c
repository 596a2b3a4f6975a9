#include "collection/derive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/io/row_builder.h"

/* One pass of a radix sort: by the byte at `shift` of numbers that are never
 * negative. False: all have the same, and nothing was moved. */
static bool sort_by_byte(const int32_t *from, int64_t n, int shift, int32_t *to)
{
    int64_t at[257] = {0};
    for (int64_t i = 0; i < n; ++i)
        ++at[((uint32_t)from[i] >> shift & 255) + 1];
    if (at[((uint32_t)from[0] >> shift & 255) + 1] == n)
        return false;
    for (int k = 0; k < 256; ++k)
        at[k + 1] += at[k];
    for (int64_t i = 0; i < n; ++i)
        to[at[(uint32_t)from[i] >> shift & 255]++] = from[i];
    return true;
}

/* `spare` has room for n more. */
static void sort_words(int32_t *words, int64_t n, int32_t *spare)
{
    int32_t *from = words, *to = spare;
    for (int shift = 0; shift < 32; shift += 8)
        if (sort_by_byte(from, n, shift, to)) {
            int32_t *other = from;
            from = to;
            to = other;
        }
    if (from != words)
        memcpy(words, from, (size_t)n * sizeof *words);
}

int64_t ak_bag_of_words(int32_t *words, int64_t n, int32_t *cols, float *vals)
{
    int64_t k = 0;
    if (n > 0)
        sort_words(words, n, cols);
    for (int64_t i = 0; i < n; ++i) {
        if (i > 0 && words[i] == words[i - 1]) {
            vals[k - 1] += 1.0F;
            continue;
        }
        cols[k] = words[i];
        vals[k++] = 1.0F;
    }
    return k;
}

/* A question for item, features, labels; and the rows that come of it. */
typedef struct reading {
    akin_ctx *ctx;
    const ak_catalog *c;
    const ak_space *space;
    sqlite3_stmt *q;
    ak_row_builder b;
} reading;

static akin_status bad(const reading *r, const char *what)
{
    return ak_fail(r->ctx, AKIN_EFORMAT, "%s: item %" PRId64 " has invalid %s",
                   r->c->sql.path, (int64_t)sqlite3_column_int64(r->q, 0),
                   what);
}

static akin_status add_words(reading *r, const void *bytes, int64_t size)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const int64_t n = size / (int64_t)sizeof(int32_t);
    ak_row_builder *b = &r->b;
    int32_t *w;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, n, &w));
    AK_TRY(ak_row_builder_room(b, r->ctx, n));
    if (n > 0)
        memcpy(w, bytes, (size_t)n * sizeof *w);
    b->n_vals += ak_bag_of_words(w, n, b->rows->cols + b->n_vals,
                                 b->rows->vals + b->n_vals);
    if (n > 0 && (w[0] < 0 || w[n - 1] >= r->space->dim))
        AK_TRY(bad(r, "words"));
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status check_values(const reading *r, const float *vals, int64_t n)
{
    for (int64_t k = 0; k < n; ++k)
        if (!isfinite(vals[k]))
            return bad(r, "values");
    return AKIN_OK;
}

/* Columns past the last of the space are those of words that came later than
 * the model that the rows are for. */
static akin_status add_sparse(reading *r, const void *bytes, int64_t size)
{
    ak_row_builder *b = &r->b;
    int64_t n = size / 8;
    AK_CHECK(ak_row_builder_room(b, r->ctx, n));
    if (n == 0)
        return AKIN_OK;
    int32_t *cols = b->rows->cols + b->n_vals;
    float *vals = b->rows->vals + b->n_vals;
    memcpy(cols, bytes, (size_t)n * sizeof *cols);
    memcpy(vals, (const char *)bytes + 4 * n, (size_t)n * sizeof *vals);
    for (int64_t k = 0; k < n; ++k)
        if (cols[k] < (k ? cols[k - 1] + 1 : 0))
            return bad(r, "columns");
    while (n > 0 && cols[n - 1] >= r->space->dim)
        --n;
    b->n_vals += n;
    return check_values(r, vals, n);
}

static akin_status add_dense(reading *r, const void *bytes, int64_t size)
{
    ak_row_builder *b = &r->b;
    const int64_t d = r->space->dim;
    AK_CHECK(ak_row_builder_room(b, r->ctx, d));
    if (size != d * (int64_t)sizeof(float))
        return bad(r, "values");
    float *to = b->rows->vals + b->n_vals;
    if (d > 0)
        memcpy(to, bytes, (size_t)size);
    b->n_vals += d;
    return check_values(r, to, d);
}

/* The current row of the question. */
static akin_status add_row(reading *r, bool labels)
{
    const void *bytes = sqlite3_column_blob(r->q, 1);
    const int64_t size = sqlite3_column_bytes(r->q, 1);
    const char *text = labels ? (const char *)sqlite3_column_text(r->q, 2)
                              : NULL;
    const char *where, *why = NULL;
    switch (r->space->form) {
    case AK_FORM_WORDS:
        AK_CHECK(add_words(r, bytes, size));
        break;
    case AK_FORM_SPARSE:
        AK_CHECK(add_sparse(r, bytes, size));
        break;
    case AK_FORM_DENSE:
        AK_CHECK(add_dense(r, bytes, size));
        break;
    }
    if (text != NULL && text[0] != '\0' && strcmp(text, "?") != 0)
        AK_CHECK(ak_row_builder_labels(&r->b, r->ctx, text, strlen(text), '\n',
                                       &where, &why));
    if (why != NULL)
        return bad(r, "labels");
    ak_row_builder_row(&r->b, -1);
    return AKIN_OK;
}

static akin_status begin(reading *r)
{
    AK_CHECK(
        ak_row_builder_begin(&r->b, r->ctx, r->space->form != AK_FORM_DENSE));
    r->b.utf8_labels = true;
    return AKIN_OK;
}

static akin_status end(reading *r, akin_rows **out)
{
    AK_CHECK(ak_row_builder_end(&r->b, r->ctx, out));
    (*out)->d = r->space->dim;
    return ak_catalog_get_number(r->c, r->ctx, "index-base",
                                 &(*out)->index_base);
}

akin_status ak_derive_rows(akin_rows **out, int32_t **ids, akin_ctx *ctx,
                           const ak_catalog *c, const ak_space *space,
                           bool labels)
{
    reading r = {ctx, c, space, NULL, {0}};
    int32_t *numbers = NULL;
    int64_t n = 0, room = 0;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(begin(&r));
    AK_TRY(ak_sql_ask(&c->sql, ctx, &r.q,
                      "SELECT key / 16, row, labels FROM features f JOIN items "
                      "i ON i.id = f.key / 16 WHERE f.key % 16 = ? ORDER BY "
                      "f.key",
                      "i", space->id));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, r.q, &row));
        if (!row)
            break;
        AK_TRY(add_row(&r, labels));
        if (ids == NULL)
            continue;
        AK_TRY(ak_grow(ctx, n + 1, &room, sizeof *numbers, &numbers));
        numbers[n++] = (int32_t)sqlite3_column_int64(r.q, 0);
    }
    AK_TRY(end(&r, out));
    if (ids != NULL) {
        *ids = numbers;
        numbers = NULL;
    }
done:
    akin_free(numbers);
    sqlite3_finalize(r.q);
    ak_row_builder_drop(&r.b);
    return st;
}

/* Add the item, if it has features in the space. */
static akin_status add_item(reading *r, int64_t id, bool *there)
{
    sqlite3_reset(r->q);
    sqlite3_bind_int64(r->q, 1, id);
    sqlite3_bind_int64(r->q, 2, id * AK_MOST_SPACES + r->space->id);
    AK_CHECK(ak_sql_next(&r->c->sql, r->ctx, r->q, there));
    return *there ? add_row(r, false) : AKIN_OK;
}

static akin_status begin_items(reading *r)
{
    AK_CHECK(begin(r));
    return ak_sql_ask_again(&r->c->sql, r->ctx, &r->q,
                            "SELECT ?1, row FROM features WHERE key = ?2", "");
}

akin_status ak_derive_present(akin_rows **out, int32_t **ids, akin_ctx *ctx,
                              const ak_catalog *c, const ak_space *space,
                              const int64_t *list, int64_t n)
{
    reading r = {ctx, c, space, NULL, {0}};
    int32_t *numbers = NULL;
    int64_t count = 0;
    bool there;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, n, &numbers));
    AK_TRY(begin_items(&r));
    for (int64_t i = 0; i < n; ++i) {
        AK_TRY(add_item(&r, list[i], &there));
        numbers[count] = (int32_t)list[i];
        count += there;
    }
    AK_TRY(end(&r, out));
    *ids = numbers;
    numbers = NULL;
done:
    akin_free(numbers);
    ak_sql_end_asking(&c->sql, r.q);
    ak_row_builder_drop(&r.b);
    return st;
}

akin_status ak_derive_some(akin_rows **out, akin_ctx *ctx, const ak_catalog *c,
                           const ak_space *space, const int64_t *list,
                           int64_t n)
{
    int32_t *ids = NULL;
    AK_CHECK(ak_derive_present(out, &ids, ctx, c, space, list, n));
    akin_free(ids);
    if ((*out)->n == 0) {
        akin_rows_free(*out);
        *out = NULL;
    }
    return AKIN_OK;
}

akin_status ak_derive_items(akin_rows **out, akin_ctx *ctx, const ak_catalog *c,
                            const ak_space *space, const int64_t *ids,
                            int64_t n)
{
    reading r = {ctx, c, space, NULL, {0}};
    bool there;
    akin_status st = AKIN_OK;
    AK_TRY(begin_items(&r));
    for (int64_t i = 0; i < n; ++i) {
        AK_TRY(add_item(&r, ids[i], &there));
        if (!there)
            AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                           "%s: item %" PRId64 " has no %s features", c->folder,
                           ids[i], space->name));
    }
    AK_TRY(end(&r, out));
done:
    ak_sql_end_asking(&c->sql, r.q);
    ak_row_builder_drop(&r.b);
    return st;
}

akin_status ak_sparse_blob(ak_blob *out, akin_ctx *ctx, ak_sparse row)
{
    const size_t bytes = (size_t)row.n * sizeof *row.cols;
    char *to;
    AK_CHECK(ak_scratch(ctx, 2 * (int64_t)bytes + 1, 1, &to));
    *out = (ak_blob){to, 2 * bytes};
    if (row.n > 0) {
        memcpy(to, row.cols, bytes);
        memcpy(to + bytes, row.vals, bytes);
    }
    return AKIN_OK;
}

akin_status ak_derive_query(akin_rows **out, akin_ctx *ctx, const ak_catalog *c,
                            const ak_space *space, int64_t id)
{
    reading r = {ctx, c, space, NULL, {0}};
    bool row;
    akin_status st = AKIN_OK;
    AK_TRY(begin(&r));
    AK_TRY(ak_sql_ask(&c->sql, ctx, &r.q,
                      "SELECT id, row FROM queries WHERE id = ?", "i", id));
    AK_TRY(ak_sql_next(&c->sql, ctx, r.q, &row));
    if (!row)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: no query %" PRId64, c->sql.path,
                       id));
    AK_TRY(add_row(&r, false));
    AK_TRY(end(&r, out));
done:
    ak_sql_end_asking(&c->sql, r.q);
    ak_row_builder_drop(&r.b);
    return st;
}
