/* A collection opened: its items, its rows, its versions. */
#include "collection/collection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "collection/derive.h"
#include "collection/feedback/residual.h"
#include "collection/pictures/codebook.h"
#include "collection/terms.h"
#include "data/io/formats.h"
#include "data/io/row_builder.h"
#include "model/model.h"

int akin_collection_is(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode) && ak_catalog_is(path);
}

/* Different labels, of texts with one or several an item. */
static akin_status count_classes(const ak_catalog *c, akin_ctx *ctx,
                                 int64_t *count)
{
    ak_names names = {0};
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT DISTINCT labels FROM items WHERE labels <> ''",
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

akin_status ak_catalog_counts(const ak_catalog *c, akin_ctx *ctx,
                              akin_items_info *info)
{
    *info = (akin_items_info){0};
    AK_CHECK(ak_items_count(c, ctx, &info->items));
    AK_CHECK(ak_sql_number(&c->sql, ctx,
                           "SELECT SUM(n) FROM items WHERE (ifnull(width, 0) > "
                           "0) = (SELECT value = 'images' FROM settings WHERE "
                           "key = 'kind')",
                           &info->features));
    AK_CHECK(ak_sql_number(&c->sql, ctx, "SELECT COUNT(*) FROM left_out",
                           &info->left_out));
    AK_CHECK(ak_sql_number(&c->sql, ctx, "SELECT dim FROM spaces WHERE id = 0",
                           &info->dim));
    AK_CHECK(count_classes(c, ctx, &info->classes));
    info->added = info->items;
    return AKIN_OK;
}

/* ---- a moment of it ---- */

static akin_status load_removed(akin_collection *c, akin_ctx *ctx)
{
    sqlite3_stmt *q = NULL;
    int64_t room = 0;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q,
                      "SELECT id FROM removed ORDER BY id", ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(ak_grow(ctx, c->n_removed + 1, &room, sizeof *c->removed,
                       &c->removed));
        c->removed[c->n_removed++] = sqlite3_column_int64(q, 0);
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* A run that was interrupted before its first items has no space yet. */
static akin_status load_version(akin_collection *c, akin_ctx *ctx)
{
    ak_space first;
    AK_CHECK(ak_space_get(&c->catalog, ctx, 0, &first));
    c->dim = first.id < 0 ? 0 : first.dim;
    if (first.id < 0) {
        c->version = (ak_version){.left = first, .right = first};
        return AKIN_OK;
    }
    c->turned = false;
    AK_CHECK(ak_version_current(&c->catalog, ctx, &c->version));
    AK_CHECK(ak_version_model(&c->model, ctx, &c->catalog, c->version.version));
    if (c->model != NULL)
        ak_version_fit(&c->version, c->model);
    return AKIN_OK;
}

/* What the catalogue says, from here to the end of the transaction. */
static akin_status take_snapshot(akin_collection *c, akin_ctx *ctx)
{
    int64_t pending;
    AK_CHECK(ak_sql_run(&c->catalog.sql, ctx, "BEGIN"));
    AK_CHECK(ak_sql_number(&c->catalog.sql, ctx,
                           "SELECT COUNT(*) FROM folders WHERE done = 0",
                           &pending));
    c->is_open = pending > 0;
    AK_CHECK(ak_sql_number(&c->catalog.sql, ctx, "PRAGMA data_version",
                           &c->data_version));
    AK_CHECK(ak_catalog_get(&c->catalog, ctx, "kind", c->kind, sizeof c->kind));
    AK_CHECK(ak_items_count(&c->catalog, ctx, &c->n_items));
    AK_CHECK(load_removed(c, ctx));
    return load_version(c, ctx);
}

static void drop_old(akin_collection *c)
{
    ak_segments_free(c->old, c->n_old);
    c->old = NULL;
    c->n_old = 0;
}

/* Segments that the next moment may still have, with weights of no version if
 * they are a user's. */
static void keep_old(akin_collection *c)
{
    drop_old(c);
    for (int64_t i = 0; c->has_weights && i < c->n_segments; ++i)
        c->segments[i].version = -1;
    c->old = c->segments;
    c->n_old = c->n_segments;
    c->segments = NULL;
    c->n_segments = 0;
}

static void drop_segments(akin_collection *c)
{
    ak_segments_free(c->segments, c->n_segments);
    akin_rows_free(c->background);
    akin_model_free(c->shared);
    c->segments = NULL;
    c->n_segments = 0;
    c->background = NULL;
    c->shared = NULL;
    c->of_user = 0;
    c->has_weights = false;
}

static void drop_snapshot(akin_collection *c)
{
    sqlite3_finalize(c->item);
    sqlite3_finalize(c->face);
    sqlite3_finalize(c->photo);
    c->item = NULL;
    c->face = NULL;
    c->photo = NULL;
    drop_segments(c);
    akin_model_free(c->model);
    c->model = NULL;
    akin_free(c->removed);
    c->removed = NULL;
    c->n_removed = 0;
    if (c->catalog.sql.db != NULL)
        sqlite3_exec(c->catalog.sql.db, "ROLLBACK", NULL, NULL, NULL);
}

akin_status akin_collection_open(akin_collection **out, akin_ctx *ctx,
                                 const char *path)
{
    akin_collection *c = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &c));
    AK_TRY(ak_catalog_open(&c->catalog, ctx, path, AK_CATALOG_READ));
    AK_TRY(take_snapshot(c, ctx));
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
    drop_snapshot(c);
    drop_old(c);
    ak_decoder_close(c->decoder);
    ak_extractor_free(c->extractor);
    ak_codebook_free(c->codebook);
    ak_catalog_close(&c->catalog);
    akin_free(c);
}

akin_status akin_collection_release(akin_ctx *ctx, akin_collection *c)
{
    sqlite3_reset(c->item);
    sqlite3_reset(c->face);
    sqlite3_reset(c->photo);
    if (sqlite3_get_autocommit(c->catalog.sql.db))
        return AKIN_OK;
    return ak_sql_do(&c->catalog.sql, ctx, "ROLLBACK", "");
}

akin_status akin_collection_refresh(akin_ctx *ctx, akin_collection *c)
{
    int64_t now;
    if (c->catalog.sql.db == NULL)
        return ak_fail(ctx, AKIN_EINVAL, "the collection is not open");
    if (ak_sql_has_moved(&c->catalog.sql))
        return ak_fail(ctx, AKIN_EBUSY, "%s was replaced or removed",
                       c->catalog.folder);
    AK_CHECK(akin_collection_release(ctx, c));
    AK_CHECK(ak_sql_do(&c->catalog.sql, ctx, "BEGIN", ""));
    AK_CHECK(ak_sql_number(&c->catalog.sql, ctx, "PRAGMA data_version", &now));
    if (now == c->data_version)
        return AKIN_OK;
    if (c->segments != NULL && !c->turned && c->version.version >= 0)
        keep_old(c);
    drop_snapshot(c);
    return take_snapshot(c, ctx);
}

/* ---- which of two kinds asks ---- */

static akin_status turn(akin_collection *c, akin_ctx *ctx)
{
    const ak_space left = c->version.left;
    akin_model *turned = NULL;
    if (c->model != NULL)
        AK_CHECK(akin_model_turn(&turned, ctx, c->model));
    drop_segments(c);
    akin_model_free(c->model);
    c->model = turned;
    c->version.left = c->version.right;
    c->version.right = left;
    c->turned = !c->turned;
    return AKIN_OK;
}

static const char *kind_of(const ak_space *s)
{
    return strcmp(s->name, "words") == 0 || strcmp(s->name, "colours") == 0
               ? "images"
           : strcmp(s->name, ak_space_terms) == 0 ? "documents"
                                                  : "vectors";
}

/* What searches a collection of pictures and documents by both; "": it has
 * documents alone, or none. */
static akin_status both_hint(const akin_collection *c, akin_ctx *ctx,
                             char *hint, size_t size)
{
    const char *folder = c->catalog.folder;
    ak_space space;
    hint[0] = '\0';
    AK_CHECK(ak_space_find(&c->catalog, ctx, ak_space_terms, &space));
    if (space.id > 0)
        snprintf(hint, size,
                 " (akin train rsl `data` %s/words `right` %s/terms `out` M, "
                 "then akin documents %s `model` M, searches by both)",
                 folder, folder, folder);
    return AKIN_OK;
}

int akin_collection_can_ask(const akin_collection *c, const char *kind)
{
    if (c->version.left.id < 0)
        return strcmp(c->kind, kind) == 0;
    return strcmp(kind_of(&c->version.left), kind) == 0 ||
           strcmp(kind_of(&c->version.right), kind) == 0;
}

int64_t akin_collection_query_dim(const akin_collection *c)
{
    return c->version.left.id < 0 ? c->dim : c->version.left.dim;
}

akin_status akin_collection_ask(akin_ctx *ctx, akin_collection *c,
                                const char *kind)
{
    char hint[4 * PATH_MAX];
    if (c->version.left.id < 0 || strcmp(kind_of(&c->version.left), kind) == 0)
        return AKIN_OK;
    if (strcmp(kind_of(&c->version.right), kind) == 0)
        return turn(c, ctx);
    AK_CHECK(both_hint(c, ctx, hint, sizeof hint));
    return ak_fail(ctx, AKIN_EINVAL, "%s is searched by %s, not by %s%s",
                   c->catalog.folder, kind_of(&c->version.left), kind, hint);
}

akin_status ak_collection_ask_like(akin_collection *c, akin_ctx *ctx,
                                   int64_t id)
{
    sqlite3_stmt *q = NULL;
    bool there = true;
    akin_status st = AKIN_OK;
    if (c->version.left.id == c->version.right.id)
        return AKIN_OK;
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q,
                      "SELECT 1 FROM features WHERE key = ?", "i",
                      id * AK_MOST_SPACES + c->version.left.id));
    AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &there));
    if (!there)
        AK_TRY(turn(c, ctx));
done:
    sqlite3_finalize(q);
    return st;
}

/* As they are, for a user or for all. */
static akin_status open_segments(akin_collection *c, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    if (c->segments != NULL)
        return AKIN_OK;
    if (c->version.right.id < 0)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s is incomplete; rerun the command that started it",
                       c->catalog.folder);
    /* A writer may have replaced files since the snapshot: take a newer one. */
    for (int tries = 0; tries < 100; ++tries) {
        st = ak_segments_open(&c->segments, &c->n_segments, ctx, &c->catalog,
                              &c->version, c->model, c->old, c->n_old);
        if (st != AKIN_ENOENT)
            break;
        drop_snapshot(c);
        AK_CHECK(take_snapshot(c, ctx));
    }
    drop_old(c);
    if (st == AKIN_OK && c->n_segments > 0)
        ak_version_fit(&c->version, akin_index_model(c->segments[0].x));
    return st;
}

akin_status akin_collection_info(akin_items_info *info, akin_ctx *ctx,
                                 const akin_collection *c)
{
    return ak_catalog_counts(&c->catalog, ctx, info);
}

int64_t akin_collection_count(const akin_collection *c)
{
    return c->n_items;
}

int64_t akin_collection_dim(const akin_collection *c)
{
    return c->dim;
}

const char *akin_collection_kind(const akin_collection *c)
{
    return c->kind;
}

akin_status akin_collection_index_base(int64_t *base, akin_ctx *ctx,
                                       const akin_collection *c)
{
    return ak_catalog_get_number(&c->catalog, ctx, "index-base", base);
}

int64_t akin_collection_version(const akin_collection *c)
{
    return c->version.version;
}

int akin_collection_is_open(const akin_collection *c)
{
    return !c->is_open ? 0 : ak_catalog_is_locked(&c->catalog) ? 2 : 1;
}

/* ---- items ---- */

int64_t ak_collection_row(const akin_collection *c, int64_t id)
{
    int64_t low = 0, high = c->n_removed;
    while (low < high) {
        const int64_t k = (low + high) / 2;
        if (c->removed[k] < id)
            low = k + 1;
        else
            high = k;
    }
    return id - low;
}

int64_t ak_collection_id(const akin_collection *c, int64_t row)
{
    int64_t low = 0, high = c->n_removed;
    while (low < high) {
        const int64_t k = (low + high) / 2;
        if (c->removed[k] - k <= row)
            low = k + 1;
        else
            high = k;
    }
    return row + low;
}

static int64_t number(const akin_collection *c, int column)
{
    return sqlite3_column_int64(c->item, column);
}

/* The bytes of a column as a text. */
static akin_status take_bytes(const akin_collection *c, akin_ctx *ctx,
                              int column, char to[PATH_MAX])
{
    const size_t n = (size_t)sqlite3_column_bytes(c->item, column);
    if (n >= PATH_MAX)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: item %" PRId64 " has an invalid path",
                       c->catalog.sql.path, number(c, 0));
    if (n > 0)
        memcpy(to, sqlite3_column_blob(c->item, column), n);
    to[n] = '\0';
    return AKIN_OK;
}

/* One statement for all items: to parse it takes longer than to run it. */
static akin_status ask_item(akin_collection *c, akin_ctx *ctx, int64_t id)
{
    if (c->item != NULL) {
        sqlite3_reset(c->item);
        sqlite3_bind_int64(c->item, 1, id);
        return AKIN_OK;
    }
    return ak_sql_ask(&c->catalog.sql, ctx, &c->item,
                      "SELECT id, name, path, labels, snippet, width, height, "
                      "n, EXISTS (SELECT 1 FROM faces f JOIN photos p ON p.id "
                      "= f.photo WHERE f.item = i.id AND f.x IS NOT NULL AND "
                      "p.path IS NOT NULL) FROM items i WHERE id = ?",
                      "i", id);
}

akin_status akin_collection_item(akin_item *out, akin_ctx *ctx,
                                 akin_collection *c, int64_t row)
{
    bool found = false;
    AK_CHECK(ask_item(c, ctx, row < 0 ? row : ak_collection_id(c, row)));
    AK_CHECK(ak_sql_next(&c->catalog.sql, ctx, c->item, &found));
    if (!found)
        return ak_fail(ctx, AKIN_ESHAPE, "%s: no item %" PRId64,
                       c->catalog.folder, row);
    AK_CHECK(take_bytes(c, ctx, 1, c->name));
    AK_CHECK(take_bytes(c, ctx, 2, c->path));
    *out = (akin_item){number(c, 0),
                       c->name,
                       c->path[0] ? c->path : NULL,
                       (const char *)sqlite3_column_text(c->item, 3),
                       (const char *)sqlite3_column_text(c->item, 4),
                       number(c, 5),
                       number(c, 6),
                       number(c, 7),
                       number(c, 8)};
    return AKIN_OK;
}

akin_status akin_collection_find(int64_t *row, akin_ctx *ctx,
                                 akin_collection *c, const char *name)
{
    int64_t id;
    AK_CHECK(ak_item_find(&c->catalog, ctx, name, &id));
    *row = ak_collection_row(c, id);
    return AKIN_OK;
}

/* ---- rows ---- */

/* Only pictures from outside need it. */
static akin_status need_codebook(akin_collection *c, akin_ctx *ctx)
{
    if (c->codebook != NULL)
        return AKIN_OK;
    if (strcmp(c->kind, "images") != 0)
        return ak_fail(ctx, AKIN_EINVAL, "%s has %s, no pictures",
                       c->catalog.folder, c->kind);
    AK_CHECK(ak_visual_words_of(&c->codebook, ctx, &c->catalog));
    if (c->codebook == NULL)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s is incomplete; rerun the command that started it",
                       c->catalog.folder);
    return AKIN_OK;
}

/* Words that came later than what is asked for are left out. */
akin_status akin_collection_rows(akin_rows **out, akin_ctx *ctx,
                                 const akin_collection *c, const char *features,
                                 const akin_read_options *options)
{
    akin_read_options o;
    ak_space space;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_read_options_take(&o, ctx, options));
    AK_TRY(features ? ak_space_find(&c->catalog, ctx, features, &space)
                    : ak_space_get(&c->catalog, ctx, 0, &space));
    if (space.id < 0 && features != NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s has no %s", c->catalog.folder,
                       features));
    if (space.id < 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s is incomplete; rerun the command that started it",
                       c->catalog.folder));
    if (strcmp(space.name, "terms") == 0 && o.dim > 0 && o.dim < space.dim)
        space.dim = o.dim;
    AK_TRY(ak_derive_rows(&rows, NULL, ctx, &c->catalog, &space, true));
    if (strcmp(space.name, ak_space_terms) == 0 ||
        strcmp(space.name, ak_space_vectors) == 0)
        AK_TRY(ak_terms_name(&c->catalog, ctx, rows));
    AK_TRY(ak_rows_as_asked(rows, ctx, c->catalog.folder, &o));
    *out = rows;
    rows = NULL;
done:
    akin_rows_free(rows);
    return st;
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

akin_status ak_collection_extractor(akin_collection *c, akin_ctx *ctx)
{
    ak_extract_options sight;
    AK_CHECK(need_codebook(c, ctx));
    if (c->extractor != NULL)
        return AKIN_OK;
    AK_CHECK(ak_catalog_sight(&c->catalog, ctx, &sight));
    return ak_extractor_new(&c->extractor, ctx, &sight);
}

/* Words, or colours where the model compares those. */
static akin_status add_features(ak_row_builder *b, akin_ctx *ctx,
                                const akin_collection *c, ak_features *s)
{
    const ak_space *space = &c->version.left;
    if (space->form == AK_FORM_WORDS)
        return add_row(b, ctx, s);
    if (s->why != NULL)
        return ak_fail(ctx, s->status, "%s", s->why);
    AK_CHECK(ak_row_builder_room(b, ctx, space->dim));
    memcpy(b->rows->vals + b->n_vals, s->colours,
           (size_t)space->dim * sizeof(float));
    b->n_vals += space->dim;
    ak_row_builder_row(b, -1);
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
    if (strcmp(c->version.left.name, ak_space_terms) == 0) {
        AK_CHECK(open_segments(c, ctx));
        return ak_terms_count_files(out, ctx, &c->catalog, c->version.left.dim,
                                    files, n);
    }
    AK_TRY(ak_collection_extractor(c, ctx));
    AK_TRY(AK_SCRATCH(ctx, n, &seen));
    AK_TRY(
        ak_row_builder_begin(&b, ctx, c->version.left.form == AK_FORM_WORDS));
    AK_TRY(ak_extractor_run(c->extractor, ctx, files, n, c->codebook, seen));
    for (int64_t i = 0; i < n; ++i)
        AK_TRY(add_features(&b, ctx, c, &seen[i]));
    AK_TRY(ak_row_builder_end(&b, ctx, out));
    (*out)->d = c->version.left.dim;
done:
    for (int64_t i = 0; seen != NULL && i < n; ++i)
        ak_features_free(&seen[i]);
    ak_row_builder_drop(&b);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_collection_describe_text(akin_rows **out, akin_ctx *ctx,
                                          akin_collection *c,
                                          const char *const *texts,
                                          const size_t *lengths, int64_t n)
{
    const ak_space *space = &c->version.left;
    if (strcmp(space->name, ak_space_terms) != 0)
        return ak_fail(ctx, AKIN_EINVAL, "%s has %s, no documents",
                       c->catalog.folder, c->kind);
    AK_CHECK(open_segments(c, ctx));
    return ak_terms_count(out, ctx, &c->catalog, space->dim, texts, lengths, n);
}

/* ---- versions ---- */

/* The items under another model, in memory alone. */
static akin_status index_all(akin_collection *c, akin_ctx *ctx,
                             const akin_model *model, const ak_version *v)
{
    ak_segment *s = NULL;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    AK_TRY(ak_derive_rows(&rows, &s->ids, ctx, &c->catalog, &v->right, false));
    s->n = rows->n;
    AK_TRY(akin_index_build(&s->x, ctx, model, rows, NULL));
    drop_segments(c);
    c->segments = s;
    c->n_segments = 1;
    s = NULL;
done:
    ak_segments_free(s, 1);
    akin_rows_free(rows);
    return st;
}

/* ---- the weights of a user ---- */

/* An index that has no weights to exchange is built again, in memory. */
static akin_status exchange(akin_collection *c, akin_ctx *ctx,
                            const akin_model *model)
{
    const ak_version v = c->version;
    akin_model *const shared = c->shared;
    akin_status st = AKIN_OK;
    if (strcmp(akin_index_kind(c->segments[0].x), "inverted") != 0) {
        c->shared = NULL;
        st = index_all(c, ctx, model, &v);
        c->shared = shared;
        return st;
    }
    for (int64_t i = 0; i < c->n_segments; ++i)
        AK_CHECK(akin_index_set_model(ctx, c->segments[i].x, model));
    return AKIN_OK;
}

/* The shared model, and the weights of the version where they can be added to
 * it. */
static akin_status use_weights(akin_collection *c, akin_ctx *ctx,
                               int64_t version)
{
    akin_model *residual = NULL, *model = NULL;
    ak_version v;
    bool fits = false;
    akin_status st = AKIN_OK;
    if (c->shared == NULL)
        AK_TRY(
            ak_model_copy(&c->shared, ctx, akin_index_model(c->segments[0].x)));
    AK_TRY(ak_version_get(&c->catalog, ctx, version, &v));
    AK_TRY(ak_version_model(&residual, ctx, &c->catalog, version));
    if (residual != NULL)
        AK_TRY(ak_residual_is_for(&fits, ctx, &c->catalog, residual, &v,
                                  akin_model_kind(c->shared), &c->version));
    if (fits)
        AK_TRY(ak_residual_add(&model, ctx, c->shared, residual));
    if (model != NULL || c->has_weights)
        AK_TRY(exchange(c, ctx, model ? model : c->shared));
    c->has_weights = model != NULL;
    c->of_user = version;
done:
    akin_model_free(residual);
    akin_model_free(model);
    if (st != AKIN_OK)  // some segments may have been changed
        drop_segments(c);
    return st;
}

akin_status ak_collection_segments_of(akin_collection *c, akin_ctx *ctx,
                                      const char *user)
{
    int64_t version = 0;
    AK_CHECK(open_segments(c, ctx));
    if (user != NULL && c->version.version >= 0)
        AK_CHECK(ak_user_version(&c->catalog, ctx, user, &version));
    return version == c->of_user || c->n_segments == 0
               ? AKIN_OK
               : use_weights(c, ctx, version);
}

akin_status ak_collection_segments(akin_collection *c, akin_ctx *ctx)
{
    return ak_collection_segments_of(c, ctx, NULL);
}

akin_status akin_collection_use(akin_ctx *ctx, akin_collection *c,
                                const akin_model *model)
{
    ak_version v = {.version = -1};
    if (model == NULL) {
        drop_segments(c);
        akin_model_free(c->model);
        c->model = NULL;
        return load_version(c, ctx);
    }
    AK_CHECK(ak_version_spaces(&c->catalog, ctx, model, &v));
    AK_CHECK(index_all(c, ctx, model, &v));
    c->version = v;
    return AKIN_OK;
}

akin_status akin_collection_set_model(akin_ctx *ctx, const char *path,
                                      const akin_model *model)
{
    ak_catalog c = {.lock = -1};
    ak_version v;
    int lock = -1;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_CHANGE));
    AK_TRY(ak_version_get(&c, ctx, 0, &v));
    if (model != NULL) {
        AK_TRY(ak_catalog_lock(&c, ctx, ak_folder_versions, &lock));
        AK_TRY(ak_version_add(&c, ctx, model, &v));
    }
    AK_TRY(ak_segments_switch(&c, ctx, &v, model));
done:
    if (lock >= 0)
        close(lock);
    ak_catalog_close(&c);
    return st;
}
