/* Learning makes a version: of the collection's model, or of what a user's
 * weights add to it. */
#include <akin/learn.h>
#include <akin/versions.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collection/feedback/events.h"
#include "collection/feedback/learning.h"
#include "collection/feedback/residual.h"
#include "model/model.h"

/* The model in use, what it learned from, and the space that is learned in: all
 * columns that there are by now, or those of a model that is added to. */
static akin_status take_in_use(ak_learning *l)
{
    const akin_collection *c = l->c;
    const int64_t version = c->version.version;
    AK_CHECK(ak_collection_segments(l->c, l->ctx));
    l->space = c->version.left;
    if (c->n_segments == 0)
        return ak_fail(l->ctx, AKIN_EINVAL, "%s has no items",
                       c->catalog.folder);
    if (c->version.left.id != c->version.right.id)
        return ak_fail(l->ctx, AKIN_EINVAL,
                       "%s: the model in use compares two kinds of items, and "
                       "is not learned from feedback (akin learn %s `rollback` "
                       "0 goes without it)",
                       c->catalog.folder, c->catalog.folder);
    if (version == 0)
        return AKIN_OK;
    AK_CHECK(ak_model_copy(&l->in_use, l->ctx, c->model));
    AK_CHECK(ak_version_origin(&c->catalog, l->ctx, version, &l->known,
                               l->old_learner, sizeof l->old_learner));
    return l->known < 0 || l->user != NULL
               ? AKIN_OK
               : ak_space_get(&c->catalog, l->ctx, c->version.left.id,
                              &l->space);
}

/* What people said, and labels of items, are learned from as triplets. */
static akin_status check_learner(akin_ctx *ctx, const char *name)
{
    const akin_learner_info *learner = name ? akin_learner_find(name) : NULL;
    if (learner != NULL && (learner->takes & AKIN_TRIPLETS) == 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s does not learn from triplets, as a collection does "
                       "(expected a learner such as solis-ada or loreta-psd)",
                       name);
    return AKIN_OK;
}

/* Can the learner's weights be added to the model in use? */
static akin_status check_user(const ak_learning *l)
{
    const akin_collection *c = l->c;
    const akin_learner_info *learner =
        l->learner ? akin_learner_find(l->learner) : NULL;
    if (!ak_residual_fits(akin_index_model(c->segments[0].x)))
        return ak_fail(l->ctx, AKIN_EINVAL,
                       "%s: a user's weights cannot be added to the model in "
                       "use (expected kind diagonal or psd)",
                       c->catalog.folder);
    if (learner != NULL && strcmp(learner->makes, "diagonal") != 0)
        return ak_fail(l->ctx, AKIN_EINVAL,
                       "%s makes no weights to add for a user (expected a "
                       "learner of kind diagonal, as solis-ada)",
                       l->learner);
    return AKIN_OK;
}

/* The user's version in use; one that cannot be read is none. */
static akin_status take_own(ak_learning *l)
{
    const akin_collection *c = l->c;
    const ak_catalog *catalog = &c->catalog;
    ak_version v;
    bool counts = false;
    AK_CHECK(ak_user_version(catalog, l->ctx, l->user, &v.version));
    if (v.version == 0)
        return AKIN_OK;
    const akin_status st =
        ak_version_model(&l->own_model, l->ctx, catalog, v.version);
    if (st == AKIN_ENOENT || st == AKIN_EFORMAT)
        return AKIN_OK;
    AK_CHECK(st);
    AK_CHECK(ak_version_get(catalog, l->ctx, v.version, &v));
    AK_CHECK(ak_residual_is_for(
        &counts, l->ctx, catalog, l->own_model, &v,
        akin_model_kind(akin_index_model(c->segments[0].x)), &c->version));
    l->own = counts ? v.version : 0;
    return ak_version_origin(catalog, l->ctx, v.version, &l->own_known,
                             l->own_learner, sizeof l->own_learner);
}

static akin_status begin(ak_learning *l)
{
    AK_CHECK(take_in_use(l));
    if (l->user != NULL) {
        AK_CHECK(check_user(l));
        AK_CHECK(take_own(l));
    }
    AK_CHECK(ak_learning_triplets(l));
    return ak_learning_rows(l);
}

/* A weight for each word suits bags of words; where all rows have all columns,
 * a measure of few directions is often better. */
static akin_status choose_learner(ak_learning *l, akin_version_info *out)
{
    static const char *const learners[] = {"solis-ada", "loreta-psd"};
    const bool both = l->user == NULL && l->ready->offsets == NULL;
    akin_version_info other = *out;
    l->learner = learners[0];
    AK_CHECK(ak_learning_verdict(l, out));
    if (!both)
        return AKIN_OK;
    l->learner = learners[1];
    AK_CHECK(ak_learning_verdict(l, &other));
    if (other.held_out > out->held_out)
        *out = other;
    else
        l->learner = learners[0];
    return AKIN_OK;
}

/* What the user's weights add to those in use. Where that is nothing, it is
 * not used. */
static akin_status learn_residual(const ak_learning *l, akin_version_info *out,
                                  akin_model **m)
{
    AK_CHECK(ak_learning_residual(l, l->in_use ? l->in_use : l->plain,
                                  AK_TO_NEW, -1, m));
    out->weights = akin_model_nonzeros(*m);
    out->in_use = out->in_use && out->weights > 0;
    if (out->in_use && l->own > 0)
        out->own_stays = ak_residual_is_same(*m, l->own_model);
    return AKIN_OK;
}

static akin_status learn_model(ak_learning *l, akin_version_info *out,
                               akin_model **m)
{
    const char *method;
    AK_CHECK(begin(l));
    AK_CHECK(l->learner != NULL ? ak_learning_verdict(l, out)
                                : choose_learner(l, out));
    out->events = l->events;
    out->last = l->newest;
    out->against = l->c->version.version;
    if (l->user != NULL)
        return learn_residual(l, out, m);
    AK_CHECK(ak_choose_method(&method, l->ctx, l->c));
    strncpy(out->feedback, method, sizeof out->feedback - 1);
    return ak_learning_model(l, (ak_ready_rows){l->ready, 0}, AK_TO_NEW, -1, m);
}

/* ---- a version ---- */

/* The row of a version whose file is there. One of a user is better than the
 * shared model, which its row is about. */
static akin_status record(const ak_catalog *c, akin_ctx *ctx,
                          const ak_version *v, const char *user,
                          const akin_version_info *i)
{
    AK_CHECK(ak_version_record(c, ctx, v, i->learner));
    return ak_sql_do(&c->sql, ctx,
                     "UPDATE versions SET user = ?, events = ?, last = ?, "
                     "against = ?, verdict = ?, held_out = ?, incumbent = ?, "
                     "baseline = ?, weights = ? WHERE version = ?",
                     "tiiitdddii", user ? user : "", i->events, i->last,
                     i->against, user ? "better" : i->verdict, i->held_out,
                     i->incumbent, i->baseline, i->weights, v->version);
}

static akin_status record_shared(const ak_catalog *c, akin_ctx *ctx,
                                 const ak_version *v,
                                 const akin_version_info *i)
{
    AK_CHECK(record(c, ctx, v, NULL, i));
    AK_CHECK(ak_catalog_set_number(c, ctx, "learned", i->events));
    return ak_catalog_set(c, ctx, ak_setting_feedback, i->feedback);
}

static akin_status store_shared(const ak_catalog *c, akin_ctx *ctx,
                                const akin_model *m, akin_version_info *i)
{
    ak_version v = {0};
    AK_CHECK(ak_version_spaces(c, ctx, m, &v));
    AK_CHECK(ak_version_save(c, ctx, m, &v));
    i->version = v.version;
    AK_CHECK(ak_sql_begin(&c->sql, ctx));
    AK_CHECK(ak_sql_end(&c->sql, ctx, record_shared(c, ctx, &v, i)));
    return i->in_use ? ak_segments_switch(c, ctx, &v, m) : AKIN_OK;
}

/* In use from now on, or nothing is: what was better once is not any more. The
 * version that stays has its row. */
static akin_status record_user(const ak_catalog *c, akin_ctx *ctx,
                               const ak_version *v, const char *user,
                               const akin_version_info *i)
{
    if (i->in_use && !i->own_stays)
        AK_CHECK(record(c, ctx, v, user, i));
    return ak_sql_do(&c->sql, ctx, "INSERT OR REPLACE INTO users VALUES(?,?,?)",
                     "tii", user, i->own_stays ? i->own : i->version,
                     i->events);
}

static akin_status store_user(const ak_catalog *c, akin_ctx *ctx,
                              const akin_model *m, const char *user,
                              ak_version v, akin_version_info *i)
{
    v.version = i->in_use && i->own_stays ? i->own : 0;
    if (i->in_use && !i->own_stays)
        AK_CHECK(ak_version_save(c, ctx, m, &v));
    i->version = v.version;
    AK_CHECK(ak_sql_begin(&c->sql, ctx));
    return ak_sql_end(&c->sql, ctx, record_user(c, ctx, &v, user, i));
}

static akin_status learn(akin_version_info *out, akin_ctx *ctx,
                         const char *path, const char *learner,
                         const char *user)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const bool automatic = learner == NULL || strcmp(learner, "auto") == 0;
    ak_catalog c = {.lock = -1};
    ak_learning l = {
        .ctx = ctx, .learner = automatic ? NULL : learner, .user = user};
    ak_version v;
    akin_model *m = NULL;
    int lock = -1;
    akin_status st = AKIN_OK;
    *out = (akin_version_info){0};
    if (user != NULL)
        strcpy(out->user, user);
    AK_TRY(check_learner(ctx, l.learner));
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_CHANGE));
    AK_TRY(ak_catalog_lock(&c, ctx, ak_folder_versions, &lock));
    AK_TRY(akin_collection_open(&l.c, ctx, path));
    AK_TRY(learn_model(&l, out, &m));
    strncpy(out->learner, l.learner, sizeof out->learner - 1);
    v = l.c->version;
    akin_collection_close(l.c);
    l.c = NULL;
    AK_TRY(user != NULL ? store_user(&c, ctx, m, user, v, out)
                        : store_shared(&c, ctx, m, out));
done:
    akin_model_free(m);
    ak_learning_free(&l);
    if (lock >= 0)
        close(lock);
    ak_catalog_close(&c);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_collection_learn(akin_version_info *out, akin_ctx *ctx,
                                  const char *path, const char *learner)
{
    return learn(out, ctx, path, learner, NULL);
}

akin_status akin_collection_learn_user(akin_version_info *out, akin_ctx *ctx,
                                       const char *path, const char *learner,
                                       const char *user)
{
    if (user == NULL || user[0] == '\0' || strlen(user) >= AKIN_USER_SIZE)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`user` has %s (expected 1 to %d bytes)",
                       user && user[0] ? "too many bytes" : "no bytes",
                       AKIN_USER_SIZE - 1);
    return learn(out, ctx, path, learner, user);
}

/* ---- from time to time ---- */

static const char after_key[] = "learn-after";
enum { LEARN_AFTER = 100, FEWEST_OF_USER = 20 };

akin_status akin_collection_learn_after(akin_ctx *ctx, const char *path,
                                        int64_t events)
{
    ak_catalog c = {.lock = -1};
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_CHANGE));
    AK_TRY(ak_catalog_set_number(&c, ctx, after_key, events));
done:
    ak_catalog_close(&c);
    return st;
}

/* Are there so many events? To count them takes time, so the largest number,
 * which no count exceeds, comes first. */
static akin_status has_events(const ak_catalog *c, akin_ctx *ctx, int64_t least,
                              bool *has)
{
    int64_t n;
    AK_CHECK(ak_sql_number(&c->sql, ctx, "SELECT max(number) FROM events", &n));
    if (n >= least)
        AK_CHECK(ak_sql_number(
            &c->sql, ctx, "SELECT COUNT(*) FROM events WHERE undone = 0", &n));
    *has = n >= least;
    return AKIN_OK;
}

/* A model of two kinds of items is not learned from feedback. */
static akin_status is_due(const ak_catalog *c, akin_ctx *ctx, bool *due)
{
    char text[32];
    ak_version in_use;
    int64_t learned;
    *due = false;
    AK_CHECK(ak_catalog_get(c, ctx, after_key, text, sizeof text));
    AK_CHECK(ak_catalog_get_number(c, ctx, "learned", &learned));
    const int64_t after = text[0] ? strtoll(text, NULL, 10) : LEARN_AFTER;
    if (after < 1)
        return AKIN_OK;
    AK_CHECK(ak_version_current(c, ctx, &in_use));
    if (in_use.left.id != in_use.right.id)
        return AKIN_OK;
    return has_events(c, ctx, learned + after, due);
}

/* The first user after this one, in the order of names, with enough events and
 * new ones among them; *out stays NULL: there are no more. */
static akin_status next_user(akin_ctx *ctx, const char *path, const char *after,
                             char **out)
{
    ak_catalog c = {.lock = -1};
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_READ));
    AK_TRY(ak_sql_ask(
        &c.sql, ctx, &q,
        "SELECT user FROM events e WHERE undone = 0 AND user > ? AND "
        "length(CAST(user AS BLOB)) < ? "
        "GROUP BY user HAVING COUNT(*) >= ? AND COUNT(*) <> "
        "ifnull((SELECT learned FROM users u WHERE u.user = "
        "e.user), 0) ORDER BY user LIMIT 1",
        "tii", after, (int64_t)AKIN_USER_SIZE, (int64_t)FEWEST_OF_USER));
    AK_TRY(ak_sql_next(&c.sql, ctx, q, &row));
    if (row)
        AK_TRY(ak_strdup(ctx, (const char *)sqlite3_column_text(q, 0), out));
done:
    sqlite3_finalize(q);
    ak_catalog_close(&c);
    return st;
}

/* Users whose weights ended with the shared model learn again, from what they
 * said before. */
static akin_status forget_ended(akin_ctx *ctx, const char *path)
{
    ak_catalog c = {.lock = -1};
    akin_version_info *all = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(akin_collection_versions(&all, &n, ctx, path));
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_CHANGE));
    for (int64_t i = 0; i < n; ++i)
        if (all[i].has_ended)
            AK_TRY(ak_sql_do(&c.sql, ctx,
                             "UPDATE users SET learned = 0 WHERE user = ?", "t",
                             all[i].user));
done:
    akin_free(all);
    ak_catalog_close(&c);
    return st;
}

/* A user whose events are all of items that are gone is passed over. */
static akin_status learn_users(akin_ctx *ctx, const char *path)
{
    akin_version_info info;
    char *user = NULL, *next = NULL;
    akin_status st = AKIN_OK;
    for (;;) {
        AK_TRY(next_user(ctx, path, user ? user : "", &next));
        akin_free(user);
        user = next;
        next = NULL;
        if (user == NULL)
            break;
        st = learn(&info, ctx, path, NULL, user);
        if (st != AKIN_EINVAL)
            AK_TRY(st);
        st = AKIN_OK;
    }
done:
    akin_free(user);
    return st;
}

akin_status akin_collection_learn_due(akin_version_info *out, akin_ctx *ctx,
                                      const char *path)
{
    ak_catalog c = {.lock = -1};
    bool due = false;
    akin_status st = AKIN_OK;
    *out = (akin_version_info){.version = -1};
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_READ));
    AK_TRY(is_due(&c, ctx, &due));
    ak_catalog_close(&c);
    if (due) {
        AK_TRY(akin_collection_learn(out, ctx, path, NULL));
        AK_TRY(forget_ended(ctx, path));
        AK_TRY(learn_users(ctx, path));
    }
done:
    ak_catalog_close(&c);
    return st;
}
