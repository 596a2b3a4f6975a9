#include "collection/segments.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "collection/derive.h"
#include "data/recipe/fingerprint.h"
#include "data/rows.h"
#include "index/index.h"
#include "model/diagonal.h"
#include "model/model.h"

/* With at most so many items, all are indexed again: the measure without
 * learning then always knows all of them. */
enum { SMALL = 10000 };
/* Segments are merged until they have so many items. */
enum { MERGED = 50000 };

akin_status ak_segment_path(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                            char path[PATH_MAX])
{
    char name[64];
    snprintf(name, sizeof name, "%s/%" PRId64 ".safetensors",
             ak_folder_segments, id);
    return ak_catalog_file(c, ctx, name, path);
}

/* ---- to read ---- */

void ak_segments_free(ak_segment *segments, int64_t n)
{
    for (int64_t i = 0; segments != NULL && i < n; ++i) {
        akin_free(segments[i].ids);
        akin_free(segments[i].dead);
        akin_index_free(segments[i].x);
    }
    akin_free(segments);
}

static akin_status bad(const ak_catalog *c, akin_ctx *ctx, int64_t id)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: segment %" PRId64 " is invalid",
                   c->sql.path, id);
}

/* The items of a segment, from a row of (id, count, ids). */
static akin_status take_ids(const ak_catalog *c, akin_ctx *ctx, sqlite3_stmt *q,
                            ak_segment *s)
{
    s->id = sqlite3_column_int64(q, 0);
    s->n = sqlite3_column_int64(q, 1);
    const int64_t size = sqlite3_column_bytes(q, 2);
    if (s->n < 0 || size != s->n * (int64_t)sizeof *s->ids)
        return bad(c, ctx, s->id);
    AK_CHECK(AK_NEW(ctx, s->n, &s->ids));
    if (size > 0)
        memcpy(s->ids, sqlite3_column_blob(q, 2), (size_t)size);
    for (int64_t i = 0; i < s->n; ++i)
        if (s->ids[i] < (i ? s->ids[i - 1] + 1 : 0))
            return bad(c, ctx, s->id);
    return AKIN_OK;
}

static int by_id(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static akin_status mark_dead(const ak_catalog *c, akin_ctx *ctx, ak_segment *s)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT item FROM dead WHERE segment = ?", "i", s->id));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        const int32_t id = (int32_t)sqlite3_column_int64(q, 0);
        const int32_t *at =
            bsearch(&id, s->ids, (size_t)s->n, sizeof id, by_id);
        if (at == NULL)
            continue;
        if (s->dead == NULL)
            AK_TRY(AK_NEW(ctx, s->n, &s->dead));
        s->dead[at - s->ids] = 1;
    }
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_segment_fail(const ak_catalog *c, akin_ctx *ctx, akin_status st,
                            int64_t version)
{
    if (st != AKIN_ENOENT && st != AKIN_EFORMAT)
        return st;
    return ak_fail(ctx, st,
                   "%s; akin learn %s `rollback` %" PRId64
                   " writes the index again",
                   akin_ctx_message(ctx), c->folder, version);
}

static akin_status open_file(const ak_catalog *c, akin_ctx *ctx, ak_segment *s,
                             int64_t version)
{
    char path[PATH_MAX];
    AK_CHECK(ak_segment_path(c, ctx, s->id, path));
    akin_status st = akin_index_load(&s->x, ctx, path);
    if (st == AKIN_OK && akin_index_count(s->x) != s->n)
        st = ak_fail(ctx, AKIN_EFORMAT,
                     "%s: %" PRId64 " rows (the catalogue has %" PRId64 ")",
                     path, akin_index_count(s->x), s->n);
    return ak_segment_fail(c, ctx, st, version);
}

/* Use one that is open; false: it is not, or has weights that the file of the
 * version does not have. */
static bool reuse(ak_segment *s, int64_t id, int64_t version, bool has_model,
                  ak_segment *old, int64_t n_old)
{
    for (int64_t i = 0; i < n_old; ++i)
        if (old[i].id == id && old[i].x != NULL &&
            (has_model || old[i].version == version)) {
            *s = old[i];
            akin_free(s->dead);
            s->dead = NULL;
            old[i] = (ak_segment){0};
            return true;
        }
    return false;
}

/* The segment of a row of (id, count, ids, version), under the weights of the
 * version. */
static akin_status open_segment(const ak_catalog *c, akin_ctx *ctx,
                                sqlite3_stmt *q, ak_segment *s,
                                const ak_version *v, const akin_model *model,
                                ak_segment *old, int64_t n_old)
{
    if (!reuse(s, sqlite3_column_int64(q, 0), v->version, model != NULL, old,
               n_old)) {
        AK_CHECK(take_ids(c, ctx, q, s));
        AK_CHECK(open_file(c, ctx, s, v->version));
        s->version = sqlite3_column_int64(q, 3);
    }
    AK_CHECK(mark_dead(c, ctx, s));
    if (s->version != v->version && model != NULL)
        AK_CHECK(akin_index_set_model(ctx, s->x, model));
    s->version = v->version;
    return AKIN_OK;
}

akin_status ak_segments_open(ak_segment **out, int64_t *n, akin_ctx *ctx,
                             const ak_catalog *c, const ak_version *v,
                             const akin_model *model, ak_segment *old,
                             int64_t n_old)
{
    sqlite3_stmt *q = NULL;
    ak_segment *all = NULL;
    int64_t count = 0, room = 0;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT id, count, ids, version FROM segments WHERE "
                      "space = ? ORDER BY id",
                      "i", v->right.id));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(ak_grow(ctx, count + 1, &room, sizeof *all, &all));
        all[count] = (ak_segment){0};
        ++count;
        AK_TRY(open_segment(c, ctx, q, &all[count - 1], v, model, old, n_old));
    }
    *out = all;
    *n = count;
    all = NULL;
done:
    sqlite3_finalize(q);
    ak_segments_free(all, count);
    return st;
}

/* ---- to write ---- */

/* One kind of items, and the segment that is to be written of them. */
typedef struct filling {
    akin_ctx *ctx;
    const ak_catalog *c;
    ak_space space;      // of the items
    int64_t version;     // of the model
    akin_model *model;   // NULL: to be fitted to all items
    int64_t first_kept;  // segments before it stay; 0: none
    int64_t id;          // of the new segment
    int64_t n;           // its items
    int32_t *ids;
} filling;

static akin_status number_of(const filling *f, const char *text, int64_t id,
                             int64_t *out)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    *out = 0;
    AK_TRY(ak_sql_ask(&f->c->sql, f->ctx, &q, text, "i", id));
    AK_TRY(ak_sql_next(&f->c->sql, f->ctx, q, &row));
    if (row)
        *out = sqlite3_column_int64(q, 0);
done:
    sqlite3_finalize(q);
    return st;
}

/* The last change that waits when the items are read. Others may come, change
 * or go before the segments are recorded. */
static akin_status last_change(const ak_catalog *c, akin_ctx *ctx,
                               int64_t *change)
{
    return ak_sql_number(&c->sql, ctx,
                         "SELECT ifnull(max(change), -1) FROM waiting", change);
}

/* A segment and how much of it is of use. */
typedef struct part {
    int64_t id, n, n_dead;
} part;

/* Newest first. */
static akin_status list_parts(const filling *f, part *parts, int64_t most,
                              int64_t *n)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    *n = 0;
    AK_TRY(ak_sql_ask(&f->c->sql, f->ctx, &q,
                      "SELECT id, count, (SELECT COUNT(*) FROM dead WHERE "
                      "segment = id) FROM segments WHERE space = ? ORDER BY id "
                      "DESC LIMIT ?",
                      "ii", f->space.id, most));
    for (;;) {
        AK_TRY(ak_sql_next(&f->c->sql, f->ctx, q, &row));
        if (!row)
            break;
        parts[(*n)++] = (part){sqlite3_column_int64(q, 0),
                               sqlite3_column_int64(q, 1),
                               sqlite3_column_int64(q, 2)};
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* Which segments the new one replaces: the newest ones, as far as they are
 * small or have lost much; all of them in a small collection, or when half as
 * many items came as the oldest has. */
static akin_status plan(filling *f, int64_t waiting)
{
    enum { MOST = 64 };
    part parts[MOST];
    int64_t n, items, sum = waiting, k = 0;
    AK_CHECK(list_parts(f, parts, MOST, &n));
    AK_CHECK(ak_items_count(f->c, f->ctx, &items));
    f->first_kept = 0;
    if (items <= SMALL || n == 0 || n == MOST)
        return AKIN_OK;
    while (k < n && ((parts[k].n <= sum && parts[k].n + sum <= MERGED) ||
                     4 * parts[k].n_dead > parts[k].n))
        sum += parts[k++].n;
    if (k == n || 2 * (items - parts[n - 1].n) > parts[n - 1].n)
        return AKIN_OK;
    f->first_kept = k ? parts[k - 1].id : f->id;
    return AKIN_OK;
}

/* ---- the items of the new segment ---- */

typedef struct id_list {
    int64_t *at;
    int64_t n, room;
} id_list;

static int by_number(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static akin_status add_id(id_list *l, akin_ctx *ctx, int64_t id)
{
    AK_CHECK(ak_grow(ctx, l->n + 1, &l->room, sizeof *l->at, &l->at));
    l->at[l->n++] = id;
    return AKIN_OK;
}

static akin_status add_waiting(const filling *f, id_list *l)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&f->c->sql, f->ctx, &q, "SELECT item FROM waiting", ""));
    for (;;) {
        AK_TRY(ak_sql_next(&f->c->sql, f->ctx, q, &row));
        if (!row)
            break;
        AK_TRY(add_id(l, f->ctx, sqlite3_column_int64(q, 0)));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* The items of a segment that are still as they were. */
static akin_status add_segment(const filling *f, sqlite3_stmt *q, id_list *l)
{
    ak_segment s = {0};
    akin_status st = AKIN_OK;
    AK_TRY(take_ids(f->c, f->ctx, q, &s));
    AK_TRY(mark_dead(f->c, f->ctx, &s));
    for (int64_t i = 0; i < s.n; ++i)
        if (s.dead == NULL || !s.dead[i])
            AK_TRY(add_id(l, f->ctx, s.ids[i]));
done:
    akin_free(s.ids);
    akin_free(s.dead);
    return st;
}

static akin_status add_replaced(const filling *f, id_list *l)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&f->c->sql, f->ctx, &q,
                      "SELECT id, count, ids FROM segments WHERE space = ? AND "
                      "id >= ?",
                      "ii", f->space.id, f->first_kept));
    for (;;) {
        AK_TRY(ak_sql_next(&f->c->sql, f->ctx, q, &row));
        if (!row)
            break;
        AK_TRY(add_segment(f, q, l));
    }
done:
    sqlite3_finalize(q);
    return st;
}

static void sort_once(id_list *l)
{
    int64_t n = 0;
    if (l->n > 0)
        qsort(l->at, (size_t)l->n, sizeof *l->at, by_number);
    for (int64_t i = 0; i < l->n; ++i)
        if (n == 0 || l->at[i] != l->at[n - 1])
            l->at[n++] = l->at[i];
    l->n = n;
}

/* The rows of the new segment; a model may know fewer columns than there are
 * by now. */
static akin_status read_rows(filling *f, akin_rows **rows)
{
    ak_space space = f->space;
    const int64_t d = f->model ? ak_model_raw_dim(f->model, AKIN_RIGHT)
                               : space.dim;
    id_list l = {0};
    akin_status st = AKIN_OK;
    if (space.form == AK_FORM_SPARSE && d > 0 && d < space.dim)
        space.dim = d;
    if (f->first_kept > 0) {
        AK_TRY(add_waiting(f, &l));
        AK_TRY(add_replaced(f, &l));
        sort_once(&l);
    }
    AK_TRY(
        f->first_kept > 0
            ? ak_derive_present(rows, &f->ids, f->ctx, f->c, &space, l.at, l.n)
            : ak_derive_rows(rows, &f->ids, f->ctx, f->c, &space, false));
    f->n = (*rows)->n;
done:
    akin_free(l.at);
    return st;
}

/* The model of the segments that stay. */
static akin_status model_of_kept(filling *f)
{
    char path[PATH_MAX];
    int64_t id;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(number_of(f, "SELECT min(id) FROM segments WHERE space = ?",
                     f->space.id, &id));
    AK_TRY(ak_segment_path(f->c, f->ctx, id, path));
    AK_TRY(akin_index_load(&x, f->ctx, path));
    AK_TRY(ak_model_copy(&f->model, f->ctx, akin_index_model(x)));
done:
    akin_index_free(x);
    return st;
}

/* The file of the new segment. Nothing refers to it yet. */
static akin_status write_segment(filling *f)
{
    char path[PATH_MAX];
    akin_rows *rows = NULL;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    if (f->model == NULL && f->first_kept > 0)
        AK_TRY(model_of_kept(f));
    AK_TRY(read_rows(f, &rows));
    if (f->model == NULL)
        AK_TRY(ak_plain_model(&f->model, f->ctx, rows));
    AK_TRY(akin_index_build(&x, f->ctx, f->model, rows, NULL));
    AK_TRY(ak_segment_path(f->c, f->ctx, f->id, path));
    AK_TRY(akin_index_save(f->ctx, x, path));
done:
    akin_index_free(x);
    akin_rows_free(rows);
    return st;
}

enum { RECIPE = 48 };

/* What two models must share for their weights to be exchanged in an index;
 * "": these cannot be. */
static void put_recipe(const akin_model *m, char text[RECIPE])
{
    const akin_recipe *r = akin_model_recipe(m, AKIN_RIGHT);
    text[0] = '\0';
    if (ak_model_is_diagonal(m) && akin_model_compare(m) == AKIN_BY_DOT)
        snprintf(text, RECIPE, "%016" PRIx64 " %" PRId64,
                 r ? ak_recipe_fingerprint(r) : 0, m->d[AKIN_RIGHT]);
}

/* Items that were removed since they were read. */
static akin_status record_removed(const filling *f, int64_t last)
{
    const ak_sql *sql = &f->c->sql;
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(sql, f->ctx, &q, "SELECT id FROM removed WHERE id <= ?",
                      "i", last));
    for (;;) {
        AK_TRY(ak_sql_next(sql, f->ctx, q, &row));
        if (!row)
            break;
        const int32_t id = (int32_t)sqlite3_column_int64(q, 0);
        if (bsearch(&id, f->ids, (size_t)f->n, sizeof id, by_id) != NULL)
            AK_TRY(ak_sql_do(sql, f->ctx,
                             "INSERT OR IGNORE INTO dead VALUES(?,?)", "ii",
                             f->id, (int64_t)id));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* It takes the place of others, in the transaction. */
static akin_status record(const filling *f, int64_t change)
{
    const ak_sql *sql = &f->c->sql;
    const ak_blob blob = {f->ids ? (const void *)f->ids : "",
                          (size_t)f->n * sizeof *f->ids};
    const int64_t last = f->n ? (int64_t)f->ids[f->n - 1] : -1;
    char recipe[RECIPE];
    put_recipe(f->model, recipe);
    AK_CHECK(ak_sql_do(sql, f->ctx,
                       "DELETE FROM segments WHERE space = ? AND id >= ?", "ii",
                       f->space.id, f->first_kept));
    AK_CHECK(ak_sql_do(sql, f->ctx,
                       "INSERT OR IGNORE INTO dead SELECT s.id, w.item FROM "
                       "segments s JOIN waiting w ON w.item <= s.last WHERE "
                       "s.space = ? AND w.change <= ?",
                       "ii", f->space.id, change));
    AK_CHECK(record_removed(f, last));
    return ak_sql_do(sql, f->ctx, "INSERT INTO segments VALUES(?,?,?,?,?,?,?)",
                     "iiiiitb", f->id, f->space.id, f->version, f->n, last,
                     recipe, blob);
}

static akin_status record_all(const filling *f, int64_t n, int64_t change)
{
    const ak_sql *sql = &f->c->sql;
    for (int64_t k = 0; k < n; ++k)
        AK_CHECK(record(&f[k], change));
    AK_CHECK(ak_sql_do(sql, f->ctx,
                       "DELETE FROM segments WHERE space NOT IN (?, ?)", "ii",
                       f[0].space.id, f[n - 1].space.id));
    AK_CHECK(ak_sql_run(sql, f->ctx,
                        "DELETE FROM dead WHERE segment NOT IN (SELECT id FROM "
                        "segments)"));
    return ak_sql_do(sql, f->ctx, "DELETE FROM waiting WHERE change <= ?", "i",
                     change);
}

/* ---- a version: one kind of items, or two ---- */

enum { BOTH = 2 };

static void free_fillings(filling *f)
{
    for (int64_t k = 0; k < BOTH; ++k) {
        akin_model_free(f[k].model);
        akin_free(f[k].ids);
    }
}

/* Items of the right, found by queries of the left; and where these differ, the
 * other way round. */
static akin_status begin_fillings(filling *f, int64_t *n, const ak_catalog *c,
                                  akin_ctx *ctx, const ak_version *v,
                                  const akin_model *model)
{
    int64_t id;
    *n = v->left.id == v->right.id ? 1 : BOTH;
    AK_CHECK(ak_sql_number(&c->sql, ctx,
                           "SELECT 1 + ifnull(max(id), 0) FROM segments", &id));
    for (int64_t k = 0; k < *n; ++k)
        f[k] = (filling){.ctx = ctx,
                         .c = c,
                         .space = k ? v->left : v->right,
                         .version = v->version,
                         .id = id + k};
    if (model != NULL)
        AK_CHECK(ak_model_copy(&f[0].model, ctx, model));
    return model != NULL && *n == BOTH
               ? akin_model_turn(&f[1].model, ctx, model)
               : AKIN_OK;
}

/* Is there anything to do? */
static akin_status is_due(const filling *f, int64_t waiting, bool *due)
{
    int64_t n, worn;
    AK_CHECK(number_of(f, "SELECT COUNT(*) FROM segments WHERE space = ?",
                       f->space.id, &n));
    AK_CHECK(number_of(f,
                       "SELECT COUNT(*) FROM segments s WHERE space = ? AND 4 "
                       "* (SELECT COUNT(*) FROM dead WHERE segment = s.id) > "
                       "count",
                       f->space.id, &worn));
    *due = *due || waiting > 0 || n == 0 || worn > 0;
    return AKIN_OK;
}

static akin_status update(const ak_catalog *c, akin_ctx *ctx,
                          bool in_transaction)
{
    filling f[BOTH] = {0};
    ak_version v;
    akin_model *model = NULL;
    int64_t waiting, n, change;
    bool due = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_version_current(c, ctx, &v));
    AK_TRY(ak_version_model(&model, ctx, c, v.version));
    AK_TRY(begin_fillings(f, &n, c, ctx, &v, model));
    AK_TRY(last_change(c, ctx, &change));
    AK_TRY(
        ak_sql_number(&c->sql, ctx, "SELECT COUNT(*) FROM waiting", &waiting));
    for (int64_t k = 0; k < n; ++k)
        AK_TRY(is_due(&f[k], waiting, &due));
    if (!due)
        goto done;
    for (int64_t k = 0; k < n; ++k) {
        AK_TRY(plan(&f[k], waiting));
        AK_TRY(write_segment(&f[k]));
    }
    if (!in_transaction)
        AK_TRY(ak_sql_begin(&c->sql, ctx));
    st = record_all(f, n, change);
    if (!in_transaction)
        st = ak_sql_end(&c->sql, ctx, st);
done:
    akin_model_free(model);
    free_fillings(f);
    return st;
}

/* A file that was written for a segment which never came to be, or of one that
 * was replaced. */
static akin_status is_used(const ak_catalog *c, akin_ctx *ctx, const char *name,
                           bool *used)
{
    const filling f = {.ctx = ctx, .c = c};
    char *end;
    int64_t n = 0;
    const int64_t id = strtoll(name, &end, 10);
    if (strcmp(end, ".safetensors") == 0)
        AK_CHECK(number_of(&f, "SELECT COUNT(*) FROM segments WHERE id = ?", id,
                           &n));
    *used = n > 0;
    return AKIN_OK;
}

static akin_status sweep(const ak_catalog *c, akin_ctx *ctx)
{
    char folder[PATH_MAX], path[2 * PATH_MAX];
    const struct dirent *entry;
    akin_status st = AKIN_OK;
    AK_CHECK(ak_catalog_file(c, ctx, ak_folder_segments, folder));
    DIR *dir = opendir(folder);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        bool used = true;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            AK_TRY(is_used(c, ctx, entry->d_name, &used));
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (!used && unlink(path) != 0 && errno != ENOENT)
            AK_TRY(ak_file_fail(ctx, AKIN_EIO, path));
    }
done:
    if (dir != NULL)
        closedir(dir);
    return st;
}

/* Only one at a time plans and writes segments. */
static akin_status update_alone(const ak_catalog *c, akin_ctx *ctx,
                                bool in_transaction)
{
    int lock = -1;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_lock(c, ctx, ak_folder_segments, &lock));
    AK_TRY(update(c, ctx, in_transaction));
    if (!in_transaction)
        AK_TRY(sweep(c, ctx));
done:
    if (lock >= 0)
        close(lock);
    return st;
}

akin_status ak_segments_fill(const ak_catalog *c, akin_ctx *ctx)
{
    return update_alone(c, ctx, true);
}

akin_status ak_segments_update(const ak_catalog *c, akin_ctx *ctx)
{
    return update_alone(c, ctx, false);
}

/* ---- another model ---- */

/* Can the segments stay, and searches take other weights? */
static akin_status can_stay(const filling *f, bool *stay)
{
    sqlite3_stmt *q = NULL;
    char recipe[RECIPE] = "";
    bool row = false;
    akin_status st = AKIN_OK;
    *stay = false;
    if (f->model != NULL)
        put_recipe(f->model, recipe);
    if (recipe[0] == '\0')
        return AKIN_OK;
    AK_TRY(ak_sql_ask(&f->c->sql, f->ctx, &q,
                      "SELECT COUNT(*), SUM(recipe = ?) FROM segments WHERE "
                      "space = ?",
                      "ti", recipe, f->space.id));
    AK_TRY(ak_sql_next(&f->c->sql, f->ctx, q, &row));
    *stay = row && sqlite3_column_int64(q, 0) > 0 &&
            sqlite3_column_int64(q, 0) == sqlite3_column_int64(q, 1);
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status change_model(filling *f, int64_t n, const ak_version *v)
{
    int64_t now, change;
    bool stay = false;
    akin_status st = AKIN_OK;
    AK_TRY(last_change(f->c, f->ctx, &change));
    AK_TRY(ak_catalog_get_number(f->c, f->ctx, "version", &now));
    if (n == 1 && now != v->version)
        AK_TRY(can_stay(f, &stay));
    for (int64_t k = 0; k < n && !stay; ++k)
        AK_TRY(write_segment(&f[k]));
    AK_TRY(ak_sql_begin(&f->c->sql, f->ctx));
    if (!stay)
        st = record_all(f, n, change);
    if (st == AKIN_OK)
        st = ak_catalog_set_number(f->c, f->ctx, "version", v->version);
    st = ak_sql_end(&f->c->sql, f->ctx, st);
done:
    return st;
}

akin_status ak_segments_switch(const ak_catalog *c, akin_ctx *ctx,
                               const ak_version *v, const akin_model *model)
{
    filling f[BOTH] = {0};
    int64_t n;
    int lock = -1;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_lock(c, ctx, ak_folder_segments, &lock));
    AK_TRY(begin_fillings(f, &n, c, ctx, v, model));
    AK_TRY(change_model(f, n, v));
    AK_TRY(sweep(c, ctx));
done:
    free_fillings(f);
    if (lock >= 0)
        close(lock);
    return st;
}
