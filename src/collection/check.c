/* Is a collection sound: do its files say what its catalogue says? */
#include <string.h>
#include <unistd.h>

#include "collection/collection.h"
#include "collection/derive.h"
#include "data/rows.h"
#include "index/index.h"

static akin_status check_catalog(const akin_collection *c, akin_ctx *ctx)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q, "PRAGMA quick_check(1)", ""));
    AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &row));
    const char *text = row ? (const char *)sqlite3_column_text(q, 0) : NULL;
    if (text == NULL || strcmp(text, "ok") != 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: damaged", c->catalog.sql.path));
done:
    sqlite3_finalize(q);
    return st;
}

static bool are_same(const akin_rows *a, const akin_rows *b)
{
    const bool sparse = a->offsets != NULL;
    if (a->n != b->n || a->d != b->d || sparse != (b->offsets != NULL))
        return false;
    const size_t n = (size_t)(sparse ? a->offsets[a->n] : a->n * a->d);
    if (sparse &&
        memcmp(a->offsets, b->offsets, (size_t)(a->n + 1) * sizeof *a->offsets))
        return false;
    return n == 0 ||
           ((!sparse || !memcmp(a->cols, b->cols, n * sizeof *a->cols)) &&
            !memcmp(a->vals, b->vals, n * sizeof *a->vals));
}

/* A file against the rows that it was made from. */
static akin_status check_file(const akin_collection *c, akin_ctx *ctx,
                              const char *name, const akin_rows *wanted)
{
    char path[PATH_MAX];
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_file(&c->catalog, ctx, name, path));
    AK_TRY(akin_rows_read(&rows, ctx, path, NULL));
    if (rows->d != wanted->d)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " columns (expected %" PRId64 ")", path,
                       rows->d, wanted->d));
    if (!are_same(rows, wanted))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: rows differ from those of the catalogue (adding a "
                       "folder of pictures writes them again)",
                       path));
done:
    akin_rows_free(rows);
    return st;
}

/* Until a run is complete, the index may have fewer pictures. */
static akin_status fit_index(const akin_collection *c, akin_ctx *ctx,
                             const char *path, const akin_index *x,
                             int64_t pictures)
{
    const int64_t words = akin_model_dim(akin_index_model(x), AKIN_RIGHT);
    if (words != c->codebook->k)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " words (the codebook has %" PRId64 ")",
                       path, words, c->codebook->k);
    if (!c->is_open && akin_index_count(x) != pictures)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " rows (the catalogue has %" PRId64
                       " pictures)",
                       path, akin_index_count(x), pictures);
    return AKIN_OK;
}

/* All of it is read, as searches do not. */
static akin_status check_index(const akin_collection *c, akin_ctx *ctx,
                               int64_t pictures)
{
    char path[PATH_MAX];
    ak_tensors *t = NULL;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_file(&c->catalog, ctx, ak_file_index, path));
    if (c->is_open && access(path, F_OK) != 0)
        return AKIN_OK;
    AK_TRY(ak_tensors_read(&t, ctx, path));
    AK_TRY(ak_index_take(&x, ctx, t));
    AK_TRY(fit_index(c, ctx, path, x, pictures));
done:
    akin_index_free(x);
    return st;
}

akin_status akin_collection_check(akin_ctx *ctx, const akin_collection *c)
{
    akin_rows *bags = NULL, *colours = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(check_catalog(c, ctx));
    AK_TRY(akin_collection_rows(&bags, ctx, c));
    AK_TRY(ak_derive_colours(&colours, ctx, &c->catalog));
    AK_TRY(check_index(c, ctx, bags->n));
    /* Files are made when all pictures are there. */
    if (!c->is_open)
        AK_TRY(check_file(c, ctx, ak_file_bags, bags));
    if (!c->is_open && colours != NULL)
        AK_TRY(check_file(c, ctx, ak_file_colours, colours));
done:
    akin_rows_free(bags);
    akin_rows_free(colours);
    return st;
}
