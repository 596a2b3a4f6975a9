#include "collection/versions.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "model/diagonal.h"
#include "model/model.h"
#include "vision/moments.h"

/* Rare words count more, and a word that comes again and again, as bricks and
 * leaves do, less than that often; once where few words come again at all.
 * Numbers that are not counts are compared by the cosine. Without rows no word
 * is rare. */
akin_status ak_plain_model(akin_model **out, akin_ctx *ctx,
                           const akin_rows *rows)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    if (rows->offsets == NULL)
        return akin_model_builtin(out, ctx, "cosine", rows);
    o.weights = "auto-words";
    o.norm = "l2";
    AK_TRY(ak_diagonal_new(&m, ctx, rows->d, NULL, AKIN_BY_DOT));
    ak_ctx_mute_begin(ctx);  // of idf without effect: nobody asked for it
    if (rows->n > 0)
        st = akin_recipe_fit(&m->recipe[AKIN_LEFT], ctx, rows, &o);
    ak_ctx_mute_end(ctx);
    if (st != AKIN_OK)
        goto done;
    AK_TRY(ak_model_set_note(m, ctx, "learner", "tfidf"));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

akin_status ak_version_path(const ak_catalog *c, akin_ctx *ctx, int64_t version,
                            char path[PATH_MAX])
{
    char name[64];
    snprintf(name, sizeof name, "%s/%" PRId64 ".safetensors",
             ak_folder_versions, version);
    return ak_catalog_file(c, ctx, name, path);
}

akin_status ak_version_get(const ak_catalog *c, akin_ctx *ctx, int64_t version,
                           ak_version *out)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    int64_t left = 0, right = 0;
    akin_status st = AKIN_OK;
    out->is_residual = false;
    out->against = 0;
    AK_TRY(
        ak_sql_ask(&c->sql, ctx, &q,
                   "SELECT space, right_space, user <> '', ifnull(against, 0) "
                   "FROM versions WHERE version = ?",
                   "i", version));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    if (row) {
        left = sqlite3_column_int64(q, 0);
        right = sqlite3_column_int64(q, 1);
        out->is_residual = sqlite3_column_int64(q, 2) != 0;
        out->against = sqlite3_column_int64(q, 3);
    } else if (version != 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: no version %" PRId64, c->folder,
                       version));
    out->version = version;
    AK_TRY(ak_space_get(c, ctx, left, &out->left));
    AK_TRY(ak_space_get(c, ctx, right, &out->right));
    if (out->left.id < 0 || out->right.id < 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s is incomplete; rerun the command "
                       "that started it",
                       c->folder));
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_version_current(const ak_catalog *c, akin_ctx *ctx,
                               ak_version *out)
{
    int64_t version;
    AK_CHECK(ak_catalog_get_number(c, ctx, "version", &version));
    return ak_version_get(c, ctx, version, out);
}

/* What is wrong with the file of a version, and how to go on without it. */
static akin_status fail_model(const ak_catalog *c, akin_ctx *ctx,
                              int64_t version, akin_status why)
{
    sqlite3_stmt *q = NULL;
    char *wrong = NULL;
    bool of_user = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_strdup(ctx, akin_ctx_message(ctx), &wrong));
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT user FROM versions WHERE version = ? AND user <> "
                      "''",
                      "i", version));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &of_user));
    st = ak_fail(ctx, why, "%s; akin learn %s `rollback` 0%s%s goes without %s",
                 wrong, c->folder, of_user ? " `user` " : "",
                 of_user ? (const char *)sqlite3_column_text(q, 0) : "",
                 of_user ? "it" : "learning");
done:
    sqlite3_finalize(q);
    akin_free(wrong);
    return st;
}

akin_status ak_version_model(akin_model **out, akin_ctx *ctx,
                             const ak_catalog *c, int64_t version)
{
    char path[PATH_MAX];
    *out = NULL;
    if (version == 0)
        return AKIN_OK;
    AK_CHECK(ak_version_path(c, ctx, version, path));
    const akin_status st = akin_model_load(out, ctx, path);
    return st == AKIN_ENOENT || st == AKIN_EFORMAT
               ? fail_model(c, ctx, version, st)
               : st;
}

akin_status ak_version_is_same(bool *out, akin_ctx *ctx, const ak_catalog *c,
                               int64_t one, int64_t other)
{
    const int64_t versions[] = {one, other};
    char path[PATH_MAX], *bytes[2] = {NULL, NULL};
    size_t size[2];
    akin_status st = AKIN_OK;
    *out = one == other;
    if (*out || one == 0 || other == 0)
        return AKIN_OK;
    for (int i = 0; i < 2; ++i) {
        AK_TRY(ak_version_path(c, ctx, versions[i], path));
        AK_TRY(ak_file_read(ctx, path, &bytes[i], &size[i]));
    }
    *out = size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0;
done:
    akin_free(bytes[0]);
    akin_free(bytes[1]);
    return st == AKIN_ENOENT ? AKIN_OK : st;
}

/* ---- which spaces a model is for ---- */

int64_t ak_model_raw_dim(const akin_model *m, akin_side side)
{
    const akin_recipe *r = akin_model_recipe(m, side);
    return r ? akin_recipe_dim(r) : akin_model_dim(m, side);
}

static void fit_space(ak_space *s, const akin_model *m, akin_side side)
{
    const int64_t d = ak_model_raw_dim(m, side);
    if (s->form == AK_FORM_SPARSE && d > 0 && d < s->dim)
        s->dim = d;
}

void ak_version_fit(ak_version *v, const akin_model *model)
{
    fit_space(&v->left, model, AKIN_LEFT);
    fit_space(&v->right, model, AKIN_RIGHT);
}

/* Is the last column that the model knows a word of the collection? Weights
 * without names are taken for its first words. */
static akin_status knows_words(const ak_catalog *c, akin_ctx *ctx,
                               const akin_model *m, akin_side side, bool *out)
{
    const int64_t last = ak_model_raw_dim(m, side) - 1;
    const akin_recipe *r = akin_model_recipe(m, side);
    const char *name = r ? akin_recipe_column_name(r, last) : NULL;
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    *out = name == NULL && ak_model_is_diagonal(m);
    if (name == NULL)
        return AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT 1 FROM terms WHERE term = ? AND number = ?", "ti",
                      name, last));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, out));
done:
    sqlite3_finalize(q);
    return st;
}

/* Words and columns may have been added to those that a model knows. */
static akin_status fits(const ak_catalog *c, akin_ctx *ctx, const akin_model *m,
                        akin_side side, const ak_space *space, bool *out)
{
    const int64_t d = ak_model_raw_dim(m, side);
    *out = d == space->dim || d == 0;
    if (*out || space->form != AK_FORM_SPARSE || d > space->dim)
        return AKIN_OK;
    if (strcmp(space->name, "terms") == 0)
        return knows_words(c, ctx, m, side, out);
    *out = true;
    return AKIN_OK;
}

/* The first space whose rows the side takes. */
static akin_status find_space(const ak_catalog *c, akin_ctx *ctx,
                              const akin_model *m, akin_side side,
                              ak_space *out)
{
    const int64_t d = ak_model_raw_dim(m, side);
    bool found;
    for (int64_t id = 0; id < AK_MOST_SPACES; ++id) {
        AK_CHECK(ak_space_get(c, ctx, id, out));
        if (out->id < 0)
            break;
        AK_CHECK(fits(c, ctx, m, side, out, &found));
        if (found)
            return AKIN_OK;
    }
    AK_CHECK(ak_space_get(c, ctx, 0, out));
    return ak_fail(ctx, AKIN_ESHAPE,
                   "a model of %" PRId64 " columns (the collection has %" PRId64
                   " %s%s)",
                   d, out->dim, out->name,
                   d == AK_MOMENTS_DIM && out->form == AK_FORM_WORDS
                       ? "; made with `colours` luv or hsv, it has 225 colour "
                         "moments too"
                       : "");
}

akin_status ak_version_spaces(const ak_catalog *c, akin_ctx *ctx,
                              const akin_model *model, ak_version *out)
{
    AK_CHECK(find_space(c, ctx, model, AKIN_LEFT, &out->left));
    out->right = out->left;
    if (ak_model_raw_dim(model, AKIN_RIGHT) !=
        ak_model_raw_dim(model, AKIN_LEFT))
        AK_CHECK(find_space(c, ctx, model, AKIN_RIGHT, &out->right));
    ak_version_fit(out, model);
    return AKIN_OK;
}

akin_status ak_version_save(const ak_catalog *c, akin_ctx *ctx,
                            const akin_model *model, ak_version *v)
{
    char path[PATH_MAX];
    AK_CHECK(ak_sql_number(&c->sql, ctx,
                           "SELECT 1 + ifnull(max(version), 0) FROM versions",
                           &v->version));
    AK_CHECK(ak_version_path(c, ctx, v->version, path));
    return akin_model_save(ctx, model, path);
}

akin_status ak_version_record(const ak_catalog *c, akin_ctx *ctx,
                              const ak_version *v, const char *learner)
{
    return ak_sql_do(&c->sql, ctx,
                     "INSERT INTO versions(version, space, right_space, "
                     "learner) VALUES(?,?,?,?)",
                     "iiit", v->version, v->left.id, v->right.id, learner);
}

akin_status ak_version_add(const ak_catalog *c, akin_ctx *ctx,
                           const akin_model *model, ak_version *v)
{
    AK_CHECK(ak_version_spaces(c, ctx, model, v));
    AK_CHECK(ak_version_save(c, ctx, model, v));
    return ak_version_record(c, ctx, v, akin_model_learner(model));
}

akin_status ak_version_origin(const ak_catalog *c, akin_ctx *ctx,
                              int64_t version, int64_t *last, char *learner,
                              size_t size)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    *last = -1;
    learner[0] = '\0';
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT last, learner FROM versions WHERE version = ? "
                      "AND last IS NOT NULL",
                      "i", version));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    const char *text = row ? (const char *)sqlite3_column_text(q, 1) : NULL;
    if (text != NULL) {
        *last = sqlite3_column_int64(q, 0);
        snprintf(learner, size, "%s", text);
    }
done:
    sqlite3_finalize(q);
    return st;
}
