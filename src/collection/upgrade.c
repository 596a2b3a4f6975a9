#include "collection/upgrade.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "collection/faces/captions/mentions.h"
#include "collection/pictures/codebook.h"
#include "collection/segments.h"
#include "vision/moments.h"

static const char old_model[] = "model.safetensors";

static const char move_pictures[] =
    "INSERT INTO items SELECT p.row, CAST(substr(p.path, length(f.path) + 2) "
    "AS "
    "BLOB), p.path, p.folder, p.labels, p.size, p.modified, NULL, p.width, "
    "p.height, p.n, NULL FROM pictures p JOIN folders f ON f.id = p.folder;"
    "INSERT INTO features SELECT 16 * row, words, frames FROM pictures;"
    "INSERT INTO features SELECT 16 * row + 1, colours, NULL FROM pictures "
    "WHERE colours IS NOT NULL;"
    "INSERT INTO waiting(item) SELECT row FROM pictures;"
    "INSERT INTO settings VALUES('kind', 'images');"
    "DROP TABLE pictures;";

/* The words of the codebook, and colours where there are any. */
static akin_status make_spaces(const ak_catalog *c, akin_ctx *ctx,
                               int64_t words)
{
    const ak_space by_words = {0, words, AK_FORM_WORDS, "words"};
    const ak_space by_colour = {1, AK_MOMENTS_DIM, AK_FORM_DENSE, "colours"};
    char colours[16];
    AK_CHECK(ak_space_put(c, ctx, &by_words));
    AK_CHECK(ak_catalog_get(c, ctx, "colours", colours, sizeof colours));
    return strcmp(colours, "none") == 0 ? AKIN_OK
                                        : ak_space_put(c, ctx, &by_colour);
}

/* The model that was set becomes version 1. */
static akin_status keep_model(const ak_catalog *c, akin_ctx *ctx)
{
    char from[PATH_MAX], folder[PATH_MAX], to[PATH_MAX];
    AK_CHECK(ak_catalog_file(c, ctx, old_model, from));
    AK_CHECK(ak_catalog_file(c, ctx, ak_folder_versions, folder));
    AK_CHECK(ak_version_path(c, ctx, 1, to));
    if (access(from, F_OK) != 0)
        return AKIN_OK;
    if ((mkdir(folder, 0777) != 0 && errno != EEXIST) ||
        (link(from, to) != 0 && errno != EEXIST))
        return ak_file_fail(ctx, AKIN_EIO, to);
    AK_CHECK(ak_sql_run(&c->sql, ctx,
                        "INSERT INTO versions(version, space, right_space) "
                        "VALUES(1, 0, 0)"));
    return ak_catalog_set_number(c, ctx, "version", 1);
}

static akin_status upgrade_pictures(ak_catalog *c, akin_ctx *ctx,
                                    int64_t version)
{
    char path[PATH_MAX];
    ak_codebook *words = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_file(c, ctx, ak_file_codebook, path));
    if (access(path, F_OK) == 0)
        AK_TRY(ak_visual_words_load(&words, ctx, path));
    if (version == 1)
        AK_TRY(ak_sql_run(&c->sql, ctx,
                          "ALTER TABLE pictures ADD COLUMN size INTEGER; ALTER "
                          "TABLE pictures ADD COLUMN modified INTEGER"));
    AK_TRY(ak_sql_run(&c->sql, ctx, move_pictures));
    if (words == NULL)
        goto done;
    AK_TRY(make_spaces(c, ctx, words->k));
    AK_TRY(keep_model(c, ctx));
    AK_TRY(ak_segments_fill(c, ctx));
done:
    ak_codebook_free(words);
    return st;
}

/* They get what is known of them by now. */
static akin_status upgrade_versions(const ak_catalog *c, akin_ctx *ctx)
{
    return ak_sql_run(
        &c->sql, ctx,
        "ALTER TABLE versions ADD COLUMN user TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE versions ADD COLUMN last INTEGER;"
        "ALTER TABLE versions ADD COLUMN against INTEGER;"
        "ALTER TABLE versions ADD COLUMN incumbent REAL;"
        "ALTER TABLE versions ADD COLUMN weights INTEGER;"
        "UPDATE versions SET against = 0, incumbent = baseline, last = "
        "ifnull((SELECT number FROM (SELECT number, row_number() OVER (ORDER "
        "BY number) AS place FROM events WHERE undone = 0) WHERE place = "
        "versions.events), (SELECT ifnull(max(number), 0) FROM events)) WHERE "
        "events IS NOT NULL;"
        "UPDATE versions SET last = 0 WHERE events = 0;");
}

/* Items that something was said of are known by their features. */
static akin_status upgrade_judged(const ak_catalog *c, akin_ctx *ctx)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT DISTINCT item FROM events WHERE item >= 0", ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(ak_item_judged(c, ctx, sqlite3_column_int64(q, 0)));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* Earlier ones had no answers, and have this table by now. */
static akin_status upgrade_answers(const ak_catalog *c, akin_ctx *ctx)
{
    return ak_sql_run(&c->sql, ctx,
                      "ALTER TABLE answers ADD COLUMN x REAL;"
                      "ALTER TABLE answers ADD COLUMN y REAL;"
                      "ALTER TABLE answers ADD COLUMN width REAL;"
                      "ALTER TABLE answers ADD COLUMN height REAL;"
                      "ALTER TABLE answers ADD COLUMN before BLOB;");
}

akin_status ak_upgrade(ak_catalog *c, akin_ctx *ctx, int64_t version)
{
    if (version < 3)
        return upgrade_pictures(c, ctx, version);
    if (version < 5)
        AK_CHECK(upgrade_versions(c, ctx));
    if (version < 6)
        AK_CHECK(upgrade_judged(c, ctx));
    if (version == 8)
        AK_CHECK(upgrade_answers(c, ctx));
    return version < 10 ? ak_mentions_upgrade(c, ctx) : AKIN_OK;
}

akin_status ak_upgrade_files(const ak_catalog *c, akin_ctx *ctx)
{
    static const char *const files[] = {"bags.safetensors", "index.safetensors",
                                        old_model};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        AK_CHECK(ak_catalog_file(c, ctx, files[i], path));
        if (unlink(path) != 0 && errno != ENOENT)
            return ak_file_fail(ctx, AKIN_EIO, path);
    }
    return AKIN_OK;
}
