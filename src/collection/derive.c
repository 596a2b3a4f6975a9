#include "collection/derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/io/row_builder.h"
#include "model/diagonal.h"
#include "model/model.h"
#include "vision/moments.h"

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int64_t ak_bag_of_words(int32_t *words, int64_t n, int32_t *cols, float *vals)
{
    int64_t k = 0;
    if (n > 0)
        qsort(words, (size_t)n, sizeof *words, by_number);
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

static akin_status bad(const ak_catalog *c, akin_ctx *ctx, int64_t row,
                       const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: picture %" PRId64 " has invalid %s",
                   c->sql.path, row, what);
}

/* Labels in column 1; the row is whole with them. */
static akin_status close_row(ak_row_builder *b, akin_ctx *ctx,
                             const ak_catalog *c, sqlite3_stmt *q)
{
    const char *text = (const char *)sqlite3_column_text(q, 1);
    const char *where, *why = NULL;
    if (text != NULL && text[0] != '\0' && strcmp(text, "?") != 0)
        AK_CHECK(ak_row_builder_labels(b, ctx, text, strlen(text), '\n', &where,
                                       &why));
    if (why != NULL || sqlite3_column_int64(q, 0) != b->rows->n)
        return bad(c, ctx, b->rows->n, why ? "labels" : "row numbers");
    ak_row_builder_row(b, -1);
    return AKIN_OK;
}

static akin_status add_bag(ak_row_builder *b, akin_ctx *ctx,
                           const ak_catalog *c, sqlite3_stmt *q, int64_t words)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = sqlite3_column_bytes(q, 2) / (int64_t)sizeof(int32_t);
    int32_t *w;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &w));
    AK_TRY(ak_row_builder_room(b, ctx, n));
    if (n > 0)
        memcpy(w, sqlite3_column_blob(q, 2), (size_t)n * sizeof *w);
    b->n_vals += ak_bag_of_words(w, n, b->rows->cols + b->n_vals,
                                 b->rows->vals + b->n_vals);
    if (n > 0 && (w[0] < 0 || w[n - 1] >= words))
        AK_TRY(bad(c, ctx, b->rows->n, "words"));
    AK_TRY(close_row(b, ctx, c, q));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status add_colours(ak_row_builder *b, akin_ctx *ctx,
                               const ak_catalog *c, sqlite3_stmt *q, int64_t d)
{
    const size_t size = (size_t)d * sizeof(float);
    AK_CHECK(ak_row_builder_room(b, ctx, d));
    if (sqlite3_column_bytes(q, 2) != (int)size)
        return bad(c, ctx, b->rows->n, "colours");
    float *to = b->rows->vals + b->n_vals;
    memcpy(to, sqlite3_column_blob(q, 2), size);
    for (int64_t k = 0; k < d; ++k)
        if (!isfinite(to[k]))
            return bad(c, ctx, b->rows->n, "colours");
    b->n_vals += d;
    return close_row(b, ctx, c, q);
}

typedef akin_status (*add_fn)(ak_row_builder *b, akin_ctx *ctx,
                              const ak_catalog *c, sqlite3_stmt *q, int64_t d);

static akin_status read_rows(akin_rows **out, akin_ctx *ctx,
                             const ak_catalog *c, const char *text, add_fn add,
                             int64_t d)
{
    ak_row_builder b = {0};
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_row_builder_begin(&b, ctx, add == add_bag));
    b.utf8_labels = true;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q, text, ""));
    while (row) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (row)
            AK_TRY(add(&b, ctx, c, q, d));
    }
    AK_TRY(ak_row_builder_end(&b, ctx, out));
    (*out)->d = d;
done:
    sqlite3_finalize(q);
    ak_row_builder_drop(&b);
    return st;
}

akin_status ak_derive_bags(akin_rows **out, akin_ctx *ctx, const ak_catalog *c,
                           int64_t words)
{
    return read_rows(out, ctx, c,
                     "SELECT row, labels, words FROM pictures ORDER BY row",
                     add_bag, words);
}

akin_status ak_derive_colours(akin_rows **out, akin_ctx *ctx,
                              const ak_catalog *c)
{
    char kind[16];
    *out = NULL;
    AK_CHECK(ak_catalog_get(c, ctx, "colours", kind, sizeof kind));
    if (strcmp(kind, "none") == 0)
        return AKIN_OK;
    return read_rows(out, ctx, c,
                     "SELECT row, labels, colours FROM pictures ORDER BY row",
                     add_colours, AK_MOMENTS_DIM);
}

static akin_status write_colours(akin_ctx *ctx, const ak_catalog *c)
{
    char path[PATH_MAX];
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_file(c, ctx, ak_file_colours, path));
    AK_TRY(ak_derive_colours(&rows, ctx, c));
    if (rows != NULL)
        AK_TRY(akin_rows_write(ctx, rows, path));
done:
    akin_rows_free(rows);
    return st;
}

/* Rare words count more, and a word that comes again and again, as bricks and
 * leaves do, less than that often. */
static akin_status plain_model(akin_model **out, akin_ctx *ctx,
                               const akin_rows *bags)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    o.weights = "sqrt-idf";
    o.norm = "l2";
    AK_TRY(ak_diagonal_new(&m, ctx, bags->d, NULL, AKIN_BY_DOT));
    AK_TRY(akin_recipe_fit(&m->recipe[AKIN_LEFT], ctx, bags, &o));
    AK_TRY(ak_model_set_note(m, ctx, "learner", "tfidf"));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

akin_status ak_derive_index(akin_index **out, akin_ctx *ctx,
                            const akin_model *model, const akin_rows *bags)
{
    akin_model *own = NULL;
    akin_status st = AKIN_OK;
    if (model == NULL)
        AK_TRY(plain_model(&own, ctx, bags));
    AK_TRY(akin_index_build(out, ctx, model ? model : own, bags, NULL));
done:
    akin_model_free(own);
    return st;
}

static akin_status write_index(akin_ctx *ctx, const ak_catalog *c,
                               const akin_rows *bags)
{
    char path[PATH_MAX], model_path[PATH_MAX];
    akin_model *model = NULL;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_file(c, ctx, ak_file_index, path));
    AK_TRY(ak_catalog_file(c, ctx, ak_file_model, model_path));
    if (access(model_path, F_OK) == 0)
        AK_TRY(akin_model_load(&model, ctx, model_path));
    AK_TRY(ak_derive_index(&x, ctx, model, bags));
    AK_TRY(akin_index_save(ctx, x, path));
done:
    akin_index_free(x);
    akin_model_free(model);
    return st;
}

akin_status ak_derive(akin_ctx *ctx, const ak_catalog *c, int64_t words)
{
    char path[PATH_MAX];
    akin_outputs outputs;
    akin_rows *bags = NULL;
    akin_status st = AKIN_OK;
    akin_outputs_begin(ctx, &outputs);
    AK_TRY(ak_catalog_file(c, ctx, ak_file_bags, path));
    AK_TRY(ak_derive_bags(&bags, ctx, c, words));
    AK_TRY(akin_rows_write(ctx, bags, path));
    AK_TRY(write_colours(ctx, c));
    AK_TRY(write_index(ctx, c, bags));
done:
    akin_rows_free(bags);
    return akin_outputs_end(ctx, &outputs, st);
}
