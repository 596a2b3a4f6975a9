/* The versions of a collection, and which are in use. */
#include <akin/versions.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collection/feedback/learning.h"
#include "collection/feedback/residual.h"
#include "model/model.h"

static void copy_text(char *to, size_t size, sqlite3_stmt *q, int column)
{
    const char *text = (const char *)sqlite3_column_text(q, column);
    strncpy(to, text ? text : "", size - 1);
}

static double number_or_nan(sqlite3_stmt *q, int column)
{
    return sqlite3_column_type(q, column) == SQLITE_NULL
               ? NAN
               : sqlite3_column_double(q, column);
}

static const char all_versions[] =
    "SELECT 0, '', 0, NULL, NULL, NULL, '', 0, NULL, 0, 0, (SELECT value FROM "
    "settings WHERE key = 'version' AND value <> '0') IS NULL UNION ALL SELECT "
    "version, learner, ifnull(events, -1), verdict, held_out, baseline, user, "
    "ifnull(against, 0), incumbent, ifnull(last, 0), ifnull(weights, 0), "
    "version IN (SELECT CAST(value AS INTEGER) FROM settings WHERE key = "
    "'version' UNION ALL SELECT version FROM users) FROM versions WHERE "
    "version > 0 ORDER BY 1";

static void take_version(akin_version_info *v, sqlite3_stmt *q)
{
    *v = (akin_version_info){.version = sqlite3_column_int64(q, 0),
                             .events = sqlite3_column_int64(q, 2),
                             .held_out = number_or_nan(q, 4),
                             .baseline = number_or_nan(q, 5),
                             .against = sqlite3_column_int64(q, 7),
                             .incumbent = number_or_nan(q, 8),
                             .last = sqlite3_column_int64(q, 9),
                             .weights = sqlite3_column_int64(q, 10),
                             .in_use = sqlite3_column_int64(q, 11)};
    copy_text(v->learner, sizeof v->learner, q, 1);
    copy_text(v->verdict, sizeof v->verdict, q, 3);
    copy_text(v->user, sizeof v->user, q, 6);
}

static akin_status find_lost(const ak_catalog *c, akin_ctx *ctx,
                             akin_version_info *all, int64_t n)
{
    char path[PATH_MAX];
    for (int64_t i = 0; i < n; ++i) {
        AK_CHECK(ak_version_path(c, ctx, all[i].version, path));
        all[i].is_lost = all[i].version > 0 && access(path, F_OK) != 0;
    }
    return AKIN_OK;
}

/* ---- what of users has an effect ---- */

/* The shared model that weights of users are added to. */
typedef struct shared_model {
    ak_version v;
    char kind[24];
} shared_model;

/* Version 0 has weights of columns. */
static akin_status take_shared(const ak_catalog *c, akin_ctx *ctx,
                               shared_model *out)
{
    akin_model *m = NULL;
    AK_CHECK(ak_version_current(c, ctx, &out->v));
    AK_CHECK(ak_version_model(&m, ctx, c, out->v.version));
    snprintf(out->kind, sizeof out->kind, "%s",
             m ? akin_model_kind(m) : ak_kind_diagonal.name);
    akin_model_free(m);
    return AKIN_OK;
}

static akin_status has_effect(const ak_catalog *c, akin_ctx *ctx,
                              const ak_version *v, const shared_model *shared,
                              bool *out)
{
    akin_model *residual = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_version_model(&residual, ctx, c, v->version));
    AK_TRY(
        ak_residual_is_for(out, ctx, c, residual, v, shared->kind, &shared->v));
done:
    akin_model_free(residual);
    return st;
}

/* Of versions whose files cannot be read, searches say so. */
static akin_status find_ended(const ak_catalog *c, akin_ctx *ctx,
                              akin_version_info *all, int64_t n)
{
    shared_model shared = {.v.version = -1};
    for (int64_t i = 0; i < n; ++i) {
        ak_version v;
        bool counts = true;
        akin_status st = AKIN_OK;
        if (!all[i].in_use || all[i].user[0] == '\0')
            continue;
        if (shared.v.version < 0)
            st = take_shared(c, ctx, &shared);
        if (st == AKIN_OK)
            AK_CHECK(ak_version_get(c, ctx, all[i].version, &v));
        if (st == AKIN_OK)
            st = has_effect(c, ctx, &v, &shared, &counts);
        if (st != AKIN_ENOENT && st != AKIN_EFORMAT)
            AK_CHECK(st);
        all[i].in_use = counts;
        all[i].has_ended = !counts;
    }
    return AKIN_OK;
}

akin_status akin_collection_versions(akin_version_info **out, int64_t *n,
                                     akin_ctx *ctx, const char *path)
{
    ak_catalog c = {.lock = -1};
    akin_version_info *all = NULL;
    sqlite3_stmt *q = NULL;
    int64_t room = 0, count = 0;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_READ));
    AK_TRY(ak_sql_ask(&c.sql, ctx, &q, all_versions, ""));
    for (;; ++count) {
        AK_TRY(ak_sql_next(&c.sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(ak_grow(ctx, count + 1, &room, sizeof *all, &all));
        take_version(&all[count], q);
    }
    AK_TRY(find_lost(&c, ctx, all, count));
    AK_TRY(find_ended(&c, ctx, all, count));
    *out = all;
    *n = count;
    all = NULL;
done:
    sqlite3_finalize(q);
    akin_free(all);
    ak_catalog_close(&c);
    return st;
}

/* Is the version one of this user ("": everybody's)? */
static akin_status check_user(const ak_catalog *c, akin_ctx *ctx,
                              int64_t version, const char *user)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT user FROM versions WHERE version = ? AND user <> "
                      "?",
                      "it", version, user));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    if (!row)
        goto done;
    const char *owner = (const char *)sqlite3_column_text(q, 0);
    AK_TRY(
        owner[0]
            ? ak_fail(ctx, AKIN_EINVAL, "%s: version %" PRId64 " is of user %s",
                      c->folder, version, owner)
            : ak_fail(ctx, AKIN_EINVAL, "%s: version %" PRId64 " is of no user",
                      c->folder, version));
done:
    sqlite3_finalize(q);
    return st;
}

/* The model in use and the weights of a user. */
static akin_status model_of_user(akin_model **out, akin_ctx *ctx,
                                 akin_collection *c, const ak_version *v,
                                 const akin_model *residual)
{
    bool fits = false;
    AK_CHECK(ak_collection_segments(c, ctx));
    const akin_model *shared =
        c->n_segments > 0 ? akin_index_model(c->segments[0].x) : NULL;
    if (shared != NULL)
        AK_CHECK(ak_residual_is_for(&fits, ctx, &c->catalog, residual, v,
                                    akin_model_kind(shared), &c->version));
    return fits ? ak_residual_add(out, ctx, shared, residual)
                : ak_residual_refuse(ctx, &c->catalog, v);
}

akin_status akin_collection_version_model(akin_model **out, akin_ctx *ctx,
                                          akin_collection *c, int64_t version)
{
    ak_version v;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_version_get(&c->catalog, ctx, version, &v));
    if (version == 0)
        return ak_learning_plain(out, ctx, c, &v.left);
    AK_TRY(ak_version_model(&m, ctx, &c->catalog, version));
    if (v.is_residual)
        AK_TRY(model_of_user(out, ctx, c, &v, m));
    else {
        *out = m;
        m = NULL;
    }
done:
    akin_model_free(m);
    return st;
}

akin_status akin_collection_rollback(akin_ctx *ctx, const char *path,
                                     int64_t version)
{
    ak_catalog c = {.lock = -1};
    ak_version v;
    akin_model *m = NULL;
    int lock = -1;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_CHANGE));
    AK_TRY(ak_catalog_lock(&c, ctx, ak_folder_versions, &lock));
    AK_TRY(ak_version_get(&c, ctx, version, &v));
    AK_TRY(check_user(&c, ctx, version, ""));
    AK_TRY(ak_version_model(&m, ctx, &c, version));
    AK_TRY(ak_segments_switch(&c, ctx, &v, m));
done:
    akin_model_free(m);
    if (lock >= 0)
        close(lock);
    ak_catalog_close(&c);
    return st;
}

/* Would searches of its user use it? */
static akin_status check_effect(const ak_catalog *c, akin_ctx *ctx,
                                const ak_version *v)
{
    shared_model shared;
    bool counts;
    AK_CHECK(take_shared(c, ctx, &shared));
    AK_CHECK(has_effect(c, ctx, v, &shared, &counts));
    return counts ? AKIN_OK : ak_residual_refuse(ctx, c, v);
}

akin_status akin_collection_rollback_user(akin_ctx *ctx, const char *path,
                                          const char *user, int64_t version)
{
    ak_catalog c = {.lock = -1};
    ak_version v;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_CHANGE));
    AK_TRY(ak_version_get(&c, ctx, version, &v));
    AK_TRY(check_user(&c, ctx, version, user));
    if (version > 0)
        AK_TRY(check_effect(&c, ctx, &v));
    AK_TRY(ak_sql_do(&c.sql, ctx,
                     "INSERT INTO users VALUES(?,?,0) ON CONFLICT(user) DO "
                     "UPDATE SET version = excluded.version",
                     "ti", user, version));
done:
    ak_catalog_close(&c);
    return st;
}
