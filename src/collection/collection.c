/* A collection opened: its pictures, its rows, its index. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "collection/codebook.h"
#include "collection/collection.h"
#include "collection/derive.h"
#include "data/io/row_builder.h"

int akin_collection_is(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode) && ak_catalog_is(path);
}

/* Different labels, of texts with one or several a picture. */
static akin_status count_classes(const ak_catalog *c, akin_ctx *ctx,
                                 int64_t *count)
{
    ak_names names = {0};
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT DISTINCT labels FROM pictures WHERE labels <> ''",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        const char *at = (const char *)sqlite3_column_text(q, 0);
        for (int32_t number; at != NULL && *at != '\0';) {
            const size_t n = strcspn(at, "\n");
            AK_TRY(ak_names_add_label(&names, ctx, at, n, &number));
            at += n + (at[n] == '\n');
        }
    }
    *count = names.n;
done:
    sqlite3_finalize(q);
    ak_names_free(&names);
    return st;
}

akin_status ak_catalog_counts(const ak_catalog *c, akin_ctx *ctx, int64_t words,
                              akin_images_info *info)
{
    *info = (akin_images_info){.words = words};
    AK_CHECK(ak_sql_number(&c->sql, ctx, "SELECT COUNT(*) FROM pictures",
                           &info->pictures));
    AK_CHECK(ak_sql_number(&c->sql, ctx, "SELECT SUM(n) FROM pictures",
                           &info->descriptors));
    AK_CHECK(ak_sql_number(&c->sql, ctx, "SELECT COUNT(*) FROM left_out",
                           &info->left_out));
    AK_CHECK(count_classes(c, ctx, &info->classes));
    info->added = info->pictures;
    return AKIN_OK;
}

akin_status akin_collection_open(akin_collection **out, akin_ctx *ctx,
                                 const char *path)
{
    akin_collection *c = NULL;
    int64_t pending;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &c));
    AK_TRY(ak_catalog_open(&c->catalog, ctx, path, AK_CATALOG_READ));
    AK_TRY(ak_sql_number(&c->catalog.sql, ctx,
                         "SELECT COUNT(*) FROM folders WHERE done = 0",
                         &pending));
    c->is_open = pending > 0;
    AK_TRY(ak_catalog_file(&c->catalog, ctx, ak_file_codebook, c->path));
    if (access(c->path, F_OK) == 0)
        AK_TRY(ak_visual_words_load(&c->codebook, ctx, c->path));
    *out = c;
    c = NULL;
done:
    akin_collection_close(c);
    return st;
}

void akin_collection_close(akin_collection *c)
{
    if (c == NULL)
        return;
    sqlite3_finalize(c->picture);
    ak_extractor_free(c->extractor);
    ak_codebook_free(c->codebook);
    ak_catalog_close(&c->catalog);
    akin_free(c);
}

akin_status akin_collection_info(akin_images_info *info, akin_ctx *ctx,
                                 const akin_collection *c)
{
    return ak_catalog_counts(&c->catalog, ctx, c->codebook ? c->codebook->k : 0,
                             info);
}

int akin_collection_is_open(const akin_collection *c)
{
    return c->is_open;
}

/* ---- pictures ---- */

static int64_t number(const akin_collection *c, int column)
{
    return sqlite3_column_int64(c->picture, column);
}

akin_status akin_collection_picture(akin_picture *out, akin_ctx *ctx,
                                    akin_collection *c, int64_t row)
{
    bool found = false;
    sqlite3_finalize(c->picture);
    c->picture = NULL;
    AK_CHECK(ak_sql_ask(&c->catalog.sql, ctx, &c->picture,
                        "SELECT p.path, f.path, labels, width, height, n FROM "
                        "pictures p JOIN folders f ON f.id = p.folder WHERE "
                        "p.row = ?",
                        "i", row));
    AK_CHECK(ak_sql_next(&c->catalog.sql, ctx, c->picture, &found));
    if (!found)
        return ak_fail(ctx, AKIN_ESHAPE, "%s: no picture %" PRId64,
                       c->catalog.folder, row);
    const size_t n = (size_t)sqlite3_column_bytes(c->picture, 0);
    const size_t root = (size_t)sqlite3_column_bytes(c->picture, 1);
    if (n >= sizeof c->path || root + 1 > n)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: picture %" PRId64 " has an invalid path",
                       c->catalog.sql.path, row);
    memcpy(c->path, sqlite3_column_blob(c->picture, 0), n);
    c->path[n] = '\0';
    *out = (akin_picture){c->path,
                          c->path + root + 1,
                          (const char *)sqlite3_column_text(c->picture, 2),
                          number(c, 3),
                          number(c, 4),
                          number(c, 5)};
    return AKIN_OK;
}

akin_status akin_collection_find(int64_t *row, akin_ctx *ctx,
                                 akin_collection *c, const char *name)
{
    char path[PATH_MAX];
    const bool is_file = realpath(name, path) != NULL;
    const ak_blob whole = {is_file ? path : name,
                           strlen(is_file ? path : name)};
    const ak_blob part = {name, strlen(name)};
    sqlite3_stmt *q = NULL;
    bool found = false, another = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q,
                      "SELECT p.row FROM pictures p JOIN folders f ON f.id = "
                      "p.folder WHERE p.path = ? OR p.path = CAST(f.path || "
                      "x'2f' || ? AS BLOB) LIMIT 2",
                      "bb", whole, part));
    AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &found));
    *row = found ? sqlite3_column_int64(q, 0) : -1;
    if (found)
        AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &another));
    if (!found || another)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: %s picture %s", c->catalog.folder,
                       found ? "more than one" : "no", name));
done:
    sqlite3_finalize(q);
    return st;
}

/* ---- rows and index ---- */

static akin_status need_codebook(const akin_collection *c, akin_ctx *ctx)
{
    if (c->codebook != NULL)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s is incomplete; rerun the command that started it",
                   c->catalog.folder);
}

akin_status akin_collection_rows(akin_rows **out, akin_ctx *ctx,
                                 const akin_collection *c)
{
    AK_CHECK(need_codebook(c, ctx));
    return ak_derive_bags(out, ctx, &c->catalog, c->codebook->k);
}

static akin_status add_row(ak_row_builder *b, akin_ctx *ctx, ak_features *s)
{
    if (s->why != NULL)
        return ak_fail(ctx, s->status, "%s", s->why);
    AK_CHECK(ak_row_builder_room(b, ctx, s->n));
    b->n_vals += ak_bag_of_words(s->words, s->n, b->rows->cols + b->n_vals,
                                 b->rows->vals + b->n_vals);
    ak_row_builder_row(b, -1);
    return AKIN_OK;
}

static akin_status need_extractor(akin_collection *c, akin_ctx *ctx)
{
    AK_CHECK(need_codebook(c, ctx));
    if (c->extractor == NULL)
        AK_CHECK(ak_catalog_extractor(&c->catalog, ctx, &c->extractor));
    return AKIN_OK;
}

akin_status akin_collection_describe(akin_rows **out, akin_ctx *ctx,
                                     akin_collection *c,
                                     const char *const *files, int64_t n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_features *seen = NULL;
    ak_row_builder b = {0};
    akin_status st = AKIN_OK;
    AK_TRY(need_extractor(c, ctx));
    AK_TRY(AK_SCRATCH(ctx, n, &seen));
    AK_TRY(ak_row_builder_begin(&b, ctx, true));
    AK_TRY(ak_extractor_run(c->extractor, ctx, files, n, c->codebook, seen));
    for (int64_t i = 0; i < n; ++i)
        AK_TRY(add_row(&b, ctx, &seen[i]));
    AK_TRY(ak_row_builder_end(&b, ctx, out));
    (*out)->d = c->codebook->k;
done:
    for (int64_t i = 0; seen != NULL && i < n; ++i)
        ak_features_free(&seen[i]);
    ak_row_builder_drop(&b);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_collection_index(akin_index **out, akin_ctx *ctx,
                                  const akin_collection *c,
                                  const akin_model *model)
{
    char path[PATH_MAX];
    akin_rows *bags = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(need_codebook(c, ctx));
    AK_TRY(ak_catalog_file(&c->catalog, ctx, ak_file_index, path));
    if (model == NULL && access(path, F_OK) == 0)
        return akin_index_load(out, ctx, path);
    AK_TRY(akin_collection_rows(&bags, ctx, c));
    AK_TRY(ak_derive_index(out, ctx, model, bags));
done:
    akin_rows_free(bags);
    return st;
}
