/* Is a collection sound: do its files say what its catalogue says? */
#include <string.h>
#include <unistd.h>

#include "collection/collection.h"
#include "collection/derive.h"
#include "collection/files.h"
#include "collection/pictures/codebook.h"
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

static akin_status check_codebook(const akin_collection *c, akin_ctx *ctx,
                                  const ak_space *space)
{
    ak_codebook *words = NULL;
    if (space->form != AK_FORM_WORDS)
        return AKIN_OK;
    AK_CHECK(ak_visual_words_of(&words, ctx, &c->catalog));
    ak_codebook_free(words);
    return AKIN_OK;
}

/* All numbers of an index, in one. */
static akin_status fingerprint(const akin_index *x, akin_ctx *ctx,
                               uint64_t *out)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(x->kind->put(x, ctx, t));
    *out = ak_tensors_fingerprint(t);
done:
    ak_tensors_free(t);
    return st;
}

/* The same items, indexed again. */
static akin_status compare_rows(const akin_collection *c, akin_ctx *ctx,
                                const ak_segment *s, const char *path)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const akin_model *m = akin_index_model(s->x);
    ak_space space = c->version.right;
    akin_rows *rows = NULL;
    akin_index *again = NULL;
    uint64_t have = 0, want = 0;
    int64_t *ids;
    akin_status st = AKIN_OK;
    space.dim = ak_model_raw_dim(m, AKIN_RIGHT);
    AK_TRY(AK_SCRATCH(ctx, s->n, &ids));
    for (int64_t i = 0; i < s->n; ++i)
        ids[i] = s->ids[i];
    AK_TRY(ak_derive_items(&rows, ctx, &c->catalog, &space, ids, s->n));
    AK_TRY(akin_index_build(&again, ctx, m, rows, NULL));
    ak_index_forget_rows(again, s->x);
    AK_TRY(fingerprint(s->x, ctx, &have));
    AK_TRY(fingerprint(again, ctx, &want));
    if (have != want)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: rows differ from those of the catalogue", path));
done:
    akin_index_free(again);
    akin_rows_free(rows);
    ak_scratch_end(ctx, mark);
    return st;
}

/* Is an item of the segment to be indexed again? */
static akin_status has_waiting(const akin_collection *c, akin_ctx *ctx,
                               const ak_segment *s, bool *found)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    *found = false;
    AK_TRY(
        ak_sql_ask(&c->catalog.sql, ctx, &q, "SELECT item FROM waiting", ""));
    while (!*found) {
        AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &row));
        if (!row)
            break;
        const int64_t id = sqlite3_column_int64(q, 0);
        for (int64_t i = 0; i < s->n && !*found; ++i)
            *found = s->ids[i] == id;
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* All of a file is read, as searches do not. Items that were removed or changed
 * cannot be compared. */
static akin_status check_segment(const akin_collection *c, akin_ctx *ctx,
                                 ak_segment *s)
{
    char path[PATH_MAX];
    ak_tensors *t = NULL;
    bool changed;
    AK_CHECK(has_waiting(c, ctx, s, &changed));
    AK_CHECK(ak_segment_path(&c->catalog, ctx, s->id, path));
    AK_CHECK(ak_tensors_read(&t, ctx, path));
    akin_index_free(s->x);
    s->x = NULL;
    AK_CHECK(ak_index_take(&s->x, ctx, t));
    return s->dead || changed ? AKIN_OK : compare_rows(c, ctx, s, path);
}

/* Does each item with features belong to one segment? */
static akin_status count_items(const akin_collection *c, akin_ctx *ctx,
                               const ak_segment *s, int64_t n)
{
    int64_t waiting, items, alive = 0;
    AK_CHECK(ak_sql_number(&c->catalog.sql, ctx, "SELECT COUNT(*) FROM waiting",
                           &waiting));
    AK_CHECK(ak_space_count(&c->catalog, ctx, &c->version.right, &items));
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = 0; k < s[i].n; ++k)
            alive += s[i].dead == NULL || !s[i].dead[k];
    if (c->is_open || waiting > 0 || alive == items)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: the index has %" PRId64
                   " items (the catalogue has %" PRId64 ")",
                   c->catalog.folder, alive, items);
}

static akin_status check_index(const akin_collection *c, akin_ctx *ctx)
{
    ak_segment *s = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_segments_open(&s, &n, ctx, &c->catalog, &c->version, c->model,
                            NULL, 0));
    AK_TRY(count_items(c, ctx, s, n));
    for (int64_t i = 0; i < n; ++i)
        AK_TRY(ak_segment_fail(&c->catalog, ctx, check_segment(c, ctx, &s[i]),
                               c->version.version));
done:
    ak_segments_free(s, n);
    return st;
}

/* One that is not in use is not needed; what is wrong with it is named. */
static akin_status check_version(const akin_collection *c, akin_ctx *ctx,
                                 int64_t version, bool in_use)
{
    char path[PATH_MAX];
    akin_model *model = NULL;
    akin_status st = AKIN_OK;
    if (in_use)
        AK_TRY(ak_version_model(&model, ctx, &c->catalog, version));
    else {
        AK_TRY(ak_version_path(&c->catalog, ctx, version, path));
        st = akin_model_load(&model, ctx, path);
    }
    if (st == AKIN_ENOENT || st == AKIN_EFORMAT) {
        ak_log(ctx, AKIN_LOG_WARNING,
               "%s; version %" PRId64
               " is not in use, and cannot be used again",
               akin_ctx_message(ctx), version);
        st = AKIN_OK;
    }
done:
    akin_model_free(model);
    return st;
}

static akin_status check_versions(const akin_collection *c, akin_ctx *ctx)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q,
                      "SELECT version, version IN (SELECT CAST(value AS "
                      "INTEGER) FROM settings WHERE key = 'version' UNION ALL "
                      "SELECT version FROM users) FROM versions WHERE version "
                      "> 0 ORDER BY version",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(check_version(c, ctx, sqlite3_column_int64(q, 0),
                             sqlite3_column_int64(q, 1) != 0));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* The file of rows by colour, where there is one. */
static akin_status check_colours(const akin_collection *c, akin_ctx *ctx)
{
    char path[PATH_MAX];
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_file(&c->catalog, ctx, ak_file_colours, path));
    if (access(path, F_OK) == 0)
        AK_TRY(akin_rows_read(&rows, ctx, path, NULL));
done:
    akin_rows_free(rows);
    return st;
}

static akin_status check_spaces(const akin_collection *c, akin_ctx *ctx)
{
    for (int64_t id = 0; id < AK_MOST_SPACES; ++id) {
        ak_space space;
        akin_rows *rows = NULL;
        AK_CHECK(ak_space_get(&c->catalog, ctx, id, &space));
        if (space.id < 0)
            break;
        AK_CHECK(check_codebook(c, ctx, &space));
        AK_CHECK(ak_derive_rows(&rows, NULL, ctx, &c->catalog, &space, true));
        akin_rows_free(rows);
    }
    return AKIN_OK;
}

/* Files that are no longer there are no damage, but are named: those of items,
 * and those whose records are items. */
static akin_status name_missing(const akin_collection *c, akin_ctx *ctx)
{
    char path[PATH_MAX];
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q,
                      "SELECT path FROM folders f WHERE EXISTS (SELECT 1 FROM "
                      "items WHERE folder = f.id AND path IS NULL) UNION ALL "
                      "SELECT path FROM items WHERE path IS NOT NULL",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &row));
        if (!row)
            break;
        if (ak_path_take(q, 0, path) && access(path, F_OK) != 0)
            ak_log(ctx, AKIN_LOG_WARNING, "%s is no longer there", path);
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* What could not be read is named too. */
static akin_status name_left_out(const akin_collection *c, akin_ctx *ctx)
{
    char path[PATH_MAX];
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q,
                      "SELECT path, why FROM left_out ORDER BY path", ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &row));
        if (!row)
            break;
        if (ak_path_take(q, 0, path))
            ak_log(ctx, AKIN_LOG_WARNING, "%s was skipped: %s", path,
                   (const char *)sqlite3_column_text(q, 1));
    }
done:
    sqlite3_finalize(q);
    return st;
}

akin_status akin_collection_check(akin_ctx *ctx, const akin_collection *c)
{
    AK_CHECK(check_catalog(c, ctx));
    AK_CHECK(check_spaces(c, ctx));
    if (c->version.right.id >= 0)
        AK_CHECK(check_index(c, ctx));
    AK_CHECK(check_versions(c, ctx));
    AK_CHECK(check_colours(c, ctx));
    AK_CHECK(name_missing(c, ctx));
    return name_left_out(c, ctx);
}
