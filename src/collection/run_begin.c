/* What a run begins with: options that fit, and those of an earlier run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collection/run.h"

enum { VALUE = 32, SIDE_LEAST = 32, SIDE_MOST = 16384 };

akin_status ak_run_check(akin_ctx *ctx, const akin_images_options *o)
{
    if (o->side < SIDE_LEAST || o->side > SIDE_MOST)
        return ak_fail(ctx, AKIN_EINVAL,
                       "side %" PRId64 " is out of range (%d to %d)", o->side,
                       SIDE_LEAST, SIDE_MOST);
    if (o->first_octave < -1 || o->first_octave > 2)
        return ak_fail(ctx, AKIN_EINVAL,
                       "first-octave %" PRId64 " is out of range (-1 to 2)",
                       o->first_octave);
    if (o->words < 0 || o->sample < 0 || o->batch < 0 || o->words > INT32_MAX)
        return ak_fail(ctx, AKIN_EINVAL,
                       "words, sample or batch is out of range");
    if (strcmp(o->colours, "none") != 0 && strcmp(o->colours, "luv") != 0 &&
        strcmp(o->colours, "hsv") != 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "no colours '%s' (expected none, luv or hsv)",
                       o->colours);
    return AKIN_OK;
}

/* Write a setting, or hold it against what was written. */
static akin_status settle(const ak_run *r, const char *key, const char *value,
                          bool begun)
{
    char old[VALUE];
    akin_status st = AKIN_OK;
    if (!begun)
        return ak_catalog_set(&r->catalog, r->ctx, key, value);
    AK_TRY(ak_catalog_get(&r->catalog, r->ctx, key, old, sizeof old));
    if (old[0] == '\0')
        strcpy(old, "0");  // begun before there was such a setting
    if (strcmp(old, value) != 0)
        AK_TRY(ak_fail(r->ctx, AKIN_EINVAL,
                       "%s was begun with %s %s, not %s (the same goes on, "
                       "--force begins anew)",
                       r->catalog.folder, key, old, value));
done:
    return st;
}

static akin_status settle_number(const ak_run *r, const char *key,
                                 int64_t value, bool begun)
{
    char text[VALUE];
    snprintf(text, sizeof text, "%" PRId64, value);
    return settle(r, key, text, begun);
}

static akin_status settle_all(const ak_run *r, bool begun)
{
    const akin_images_options *o = &r->o;
    akin_status st = AKIN_OK;
    AK_TRY(settle_number(r, "side", o->side, begun));
    AK_TRY(settle_number(r, "first-octave", o->first_octave, begun));
    AK_TRY(settle_number(r, "words", o->words, begun));
    AK_TRY(settle_number(r, "sample", o->sample, begun));
    AK_TRY(settle_number(r, "batch", o->batch, begun));
    AK_TRY(settle_number(r, "seed", (int64_t)akin_ctx_seed(r->ctx), begun));
    AK_TRY(settle(r, "codebook", o->codebook ? "given" : "learned", begun));
    AK_TRY(settle(r, "colours", o->colours, begun));
done:
    return st;
}

static akin_status add_folder(const ak_run *r)
{
    const ak_blob key = {r->root, strlen(r->root)};
    return ak_sql_do(&r->catalog.sql, r->ctx,
                     "INSERT INTO folders(path, done) VALUES(?, 0) ON "
                     "CONFLICT(path) DO UPDATE SET done = 0",
                     "b", key);
}

static akin_status write_settings(ak_run *r, bool begun)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_run(&r->catalog.sql, r->ctx, "BEGIN IMMEDIATE"));
    st = settle_all(r, begun);
    if (st == AKIN_OK)
        st = add_folder(r);
    if (st == AKIN_OK)
        AK_TRY(ak_sql_run(&r->catalog.sql, r->ctx, "COMMIT"));
    else
        sqlite3_exec(r->catalog.sql.db, "ROLLBACK", NULL, NULL, NULL);
done:
    return st;
}

/* Has it got so far that its options hold? Without words nothing has been
 * described. */
static akin_status ask_begun(const ak_run *r, bool *begun)
{
    char side[VALUE], path[PATH_MAX];
    int64_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_get(&r->catalog, r->ctx, "side", side, sizeof side));
    AK_TRY(ak_catalog_file(&r->catalog, r->ctx, ak_file_codebook, path));
    AK_TRY(ak_sql_number(&r->catalog.sql, r->ctx,
                         "SELECT COUNT(*) FROM pictures", &n));
    *begun = side[0] != '\0' && (n > 0 || access(path, F_OK) == 0);
done:
    return st;
}

/* The eyes and the codebook of an earlier run. */
static akin_status go_on(ak_run *r)
{
    char path[PATH_MAX];
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_file(&r->catalog, r->ctx, ak_file_codebook, path));
    if (access(path, F_OK) != 0)
        AK_TRY(ak_fail(r->ctx, AKIN_EFORMAT,
                       "%s is gone, and there are pictures that were described "
                       "by it (--force begins anew)",
                       path));
    AK_TRY(ak_words_load(&r->codebook, r->ctx, path));
    AK_TRY(ak_catalog_eyes(&r->catalog, r->ctx, &r->eyes));
done:
    return st;
}

static akin_status continue_run(ak_run *r)
{
    int64_t pending;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_number(&r->catalog.sql, r->ctx,
                         "SELECT COUNT(*) FROM folders WHERE done = 0",
                         &pending));
    if (pending == 0)
        AK_TRY(ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: there is a collection already (--add DIR adds to "
                       "it, --force replaces it)",
                       r->catalog.folder));
    AK_TRY(go_on(r));
    AK_TRY(write_settings(r, true));
done:
    return st;
}

/* All that may be refused comes before anything is cleared. */
static akin_status begin_anew(ak_run *r)
{
    const ak_sight sight =
        ak_sight_of(r->o.side, r->o.first_octave, r->o.colours);
    akin_status st = AKIN_OK;
    r->anew = true;
    AK_TRY(ak_eyes_open(&r->eyes, r->ctx, &sight));
    if (r->o.codebook != NULL)
        AK_TRY(ak_words_load(&r->codebook, r->ctx, r->o.codebook));
    AK_TRY(ak_run_list(r));
    AK_TRY(ak_run_learn(r));
    AK_TRY(ak_catalog_replace(&r->catalog, r->ctx));
    r->claimed = true;
    AK_TRY(write_settings(r, false));
    AK_TRY(ak_run_keep(r));
done:
    return st;
}

akin_status ak_run_claim(ak_run *r)
{
    bool begun = false;
    akin_status st = AKIN_OK;
    if (!r->o.force)
        AK_TRY(ask_begun(r, &begun));
    AK_TRY(begun ? continue_run(r) : begin_anew(r));
done:
    return st;
}

akin_status ak_run_recall(ak_run *r)
{
    char side[VALUE], words[VALUE], sample[VALUE];
    bool begun;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_get(&r->catalog, r->ctx, "side", side, VALUE));
    AK_TRY(ak_catalog_get(&r->catalog, r->ctx, "words", words, VALUE));
    AK_TRY(ak_catalog_get(&r->catalog, r->ctx, "sample", sample, VALUE));
    AK_TRY(ask_begun(r, &begun));
    if (!begun)
        AK_TRY(ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: a collection that has only been begun (give the "
                       "command again that began it)",
                       r->catalog.folder));
    r->o.side = strtoll(side, NULL, 10);
    r->o.words = strtoll(words, NULL, 10);
    r->o.sample = strtoll(sample, NULL, 10);
    r->o.codebook = NULL;
    AK_TRY(go_on(r));
    AK_TRY(add_folder(r));
done:
    return st;
}
