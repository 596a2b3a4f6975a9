/* The catalogue's file, its schema, its settings. */
#include "collection/catalog.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "collection/extractor.h"

enum { SCHEMA = 2, APPLICATION = 0x616b696e };  // "akin"

static const char catalog_file[] = "catalog.sqlite";
static const char clearing[] = "clearing";
const char ak_file_codebook[] = "codebook.safetensors";
const char ak_file_bags[] = "bags.safetensors";
const char ak_file_colours[] = "colours.safetensors";
const char ak_file_index[] = "index.safetensors";
const char ak_file_model[] = "model.safetensors";

/* Paths are bytes, they need not be UTF-8. Labels of a picture are separated
 * by newlines. Frames are four floats each, words an int32 each, colours
 * floats: little-endian. `size` and `modified` (nanoseconds) are those of the
 * file when it was looked at; schema 1 had none. */
static const char schema[] =
    "CREATE TABLE settings(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE folders(id INTEGER PRIMARY KEY, path BLOB UNIQUE NOT NULL,"
    " done INTEGER NOT NULL);"
    "CREATE TABLE pictures(row INTEGER PRIMARY KEY, path BLOB UNIQUE NOT NULL,"
    " folder INTEGER NOT NULL, labels TEXT NOT NULL, width INTEGER,"
    " height INTEGER, n INTEGER, words BLOB, frames BLOB, colours BLOB,"
    " size INTEGER, modified INTEGER);"
    "CREATE TABLE left_out(path BLOB PRIMARY KEY, why TEXT) WITHOUT ROWID;";

akin_status ak_catalog_file(const ak_catalog *c, akin_ctx *ctx,
                            const char *name, char path[PATH_MAX])
{
    const int n = snprintf(path, PATH_MAX, "%s/%s", c->folder, name);
    if (n > 0 && n < PATH_MAX)
        return AKIN_OK;
    errno = ENAMETOOLONG;
    return ak_file_fail(ctx, AKIN_EIO, c->folder);
}

bool ak_catalog_is(const char *folder)
{
    char path[PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, catalog_file);
    return n > 0 && n < PATH_MAX && access(path, F_OK) == 0;
}

static bool is_empty(const char *folder)
{
    DIR *dir = opendir(folder);
    int entries = 0;
    while (dir != NULL && entries < 3 && readdir(dir) != NULL)
        ++entries;  // "." and ".." are two
    if (dir != NULL)
        closedir(dir);
    return dir != NULL && entries < 3;
}

static akin_status make_folder(ak_catalog *c, akin_ctx *ctx, const char *folder)
{
    c->made = mkdir(folder, 0777) == 0;
    if (c->made || ak_catalog_is(folder) || is_empty(folder))
        return AKIN_OK;
    struct stat s;
    if (stat(folder, &s) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "%s exists and is not a collection",
                       folder);
    return ak_file_fail(ctx, AKIN_EIO, folder);
}

/* The folder itself is what is locked: no file of its own. */
static akin_status lock(ak_catalog *c, akin_ctx *ctx)
{
    c->lock = open(c->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (c->lock < 0 || faccessat(AT_FDCWD, c->folder, W_OK, AT_EACCESS) != 0)
        return ak_file_fail(ctx, AKIN_EIO, c->folder);
    if (flock(c->lock, LOCK_EX | LOCK_NB) == 0)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EIO, "%s is locked by another akin process",
                   c->folder);
}

static akin_status begin(ak_catalog *c, akin_ctx *ctx)
{
    char text[sizeof schema + 160];
    snprintf(text, sizeof text,
             "PRAGMA journal_mode=WAL; BEGIN IMMEDIATE; %s PRAGMA "
             "application_id=%d; PRAGMA user_version=%d; COMMIT",
             schema, APPLICATION, SCHEMA);
    return ak_sql_run(&c->sql, ctx, text);
}

static akin_status from_schema_1(ak_catalog *c, akin_ctx *ctx)
{
    return ak_sql_run(&c->sql, ctx,
                      "BEGIN IMMEDIATE; ALTER TABLE pictures ADD COLUMN size "
                      "INTEGER; ALTER TABLE pictures ADD COLUMN modified "
                      "INTEGER; PRAGMA user_version=2; COMMIT");
}

/* A codebook is never there before settings are. */
static bool has_words(const ak_catalog *c, akin_ctx *ctx)
{
    char path[PATH_MAX];
    return ak_catalog_file(c, ctx, ak_file_codebook, path) == AKIN_OK &&
           access(path, F_OK) == 0;
}

/* Nothing is in it: is it new, or was something lost? */
static akin_status check_empty(const ak_catalog *c, akin_ctx *ctx, bool write)
{
    if (has_words(c, ctx))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: damaged: it is empty (make the collection again "
                       "with `force`)",
                       c->sql.path);
    if (!write)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s is incomplete; rerun the command that started it",
                       c->folder);
    return AKIN_OK;
}

static akin_status check(ak_catalog *c, akin_ctx *ctx, bool write)
{
    int64_t application, version;
    AK_CHECK(
        ak_sql_number(&c->sql, ctx, "PRAGMA application_id", &application));
    AK_CHECK(ak_sql_number(&c->sql, ctx, "PRAGMA user_version", &version));
    if (application == 0 && version == 0) {
        AK_CHECK(check_empty(c, ctx, write));
        return begin(c, ctx);
    }
    if (application != APPLICATION)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: not an akin catalogue",
                       c->sql.path);
    if (version > SCHEMA)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: made by a newer akin (schema %" PRId64
                       ", this version reads up to %d)",
                       c->sql.path, version, SCHEMA);
    if (version == 1 && write)
        AK_CHECK(from_schema_1(c, ctx));
    return AKIN_OK;
}

static akin_status remove_files(const ak_catalog *c, akin_ctx *ctx)
{
    const char *const files[] = {ak_file_index, ak_file_model, ak_file_bags,
                                 ak_file_colours, ak_file_codebook};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        AK_CHECK(ak_catalog_file(c, ctx, files[i], path));
        if (unlink(path) != 0 && errno != ENOENT)
            return ak_file_fail(ctx, AKIN_EIO, path);
    }
    return AKIN_OK;
}

/* A clearing that was interrupted is done again when the catalogue is
 * opened: no file may speak of rows that are gone, no row of a codebook
 * that is. */
static akin_status clear_catalog(ak_catalog *c, akin_ctx *ctx)
{
    AK_CHECK(ak_catalog_set(c, ctx, clearing, "1"));
    AK_CHECK(remove_files(c, ctx));
    return ak_sql_run(&c->sql, ctx,
                      "BEGIN; DELETE FROM settings; DELETE FROM folders; "
                      "DELETE FROM pictures; DELETE FROM left_out; COMMIT; "
                      "VACUUM");
}

static akin_status open_file(ak_catalog *c, akin_ctx *ctx, bool write)
{
    char path[PATH_MAX], half_cleared[8] = "", side[32];
    AK_CHECK(ak_catalog_file(c, ctx, catalog_file, path));
    AK_CHECK(ak_sql_open(&c->sql, ctx, path, write));
    AK_CHECK(check(c, ctx, write));
    if (write)
        AK_CHECK(ak_sql_run(&c->sql, ctx, "PRAGMA synchronous=FULL"));
    AK_CHECK(
        ak_catalog_get(c, ctx, clearing, half_cleared, sizeof half_cleared));
    if (half_cleared[0] != '\0')
        AK_CHECK(
            write
                ? clear_catalog(c, ctx)
                : ak_fail(
                      ctx, AKIN_EFORMAT,
                      "%s is being replaced; rerun the command that started it",
                      c->folder));
    AK_CHECK(ak_catalog_get(c, ctx, "side", side, sizeof side));
    if (side[0] == '\0')
        AK_CHECK(check_empty(c, ctx, write));
    return AKIN_OK;
}

akin_status ak_catalog_open(ak_catalog *c, akin_ctx *ctx, const char *folder,
                            ak_catalog_mode mode)
{
    const bool write = mode != AK_CATALOG_READ;
    akin_status st = AKIN_OK;
    c->lock = -1;
    if (write)
        AK_TRY(make_folder(c, ctx, folder));
    else if (!ak_catalog_is(folder))
        AK_TRY(ak_fail(ctx, AKIN_ENOENT, "%s: not a collection (it has no %s)",
                       folder, catalog_file));
    if (realpath(folder, c->real) == NULL || strlen(folder) >= PATH_MAX)
        AK_TRY(ak_file_fail(ctx, AKIN_ENOENT, folder));
    strcpy(c->folder, folder);
    if (write)
        AK_TRY(lock(c, ctx));
    c->fresh = write && !ak_catalog_is(folder);
    st = open_file(c, ctx, write);
    c->damaged = st == AKIN_EFORMAT && mode == AK_CATALOG_REPLACE &&
                 has_words(c, ctx);
    if (c->damaged) {
        ak_sql_close(&c->sql);
        st = AKIN_OK;
    }
done:
    return st;
}

static void remove_catalog(const ak_catalog *c)
{
    static const char *const endings[] = {"-wal", "-shm", ""};
    char path[PATH_MAX + sizeof catalog_file + 8];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        snprintf(path, sizeof path, "%s/%s%s", c->folder, catalog_file,
                 endings[i]);
        unlink(path);
    }
}

void ak_catalog_undo(ak_catalog *c)
{
    if (!c->fresh)
        return;
    ak_sql_close(&c->sql);
    remove_catalog(c);
    if (c->made)
        rmdir(c->folder);
}

void ak_catalog_close(ak_catalog *c)
{
    ak_sql_close(&c->sql);
    if (c->lock >= 0)
        close(c->lock);
    c->lock = -1;
}

/* Whenever this is interrupted there is an empty catalogue, or nothing. */
static akin_status remake(ak_catalog *c, akin_ctx *ctx)
{
    char path[PATH_MAX];
    ak_sql_close(&c->sql);
    AK_CHECK(ak_catalog_file(c, ctx, catalog_file, path));
    if (truncate(path, 0) != 0)
        return ak_file_fail(ctx, AKIN_EIO, path);
    AK_CHECK(remove_files(c, ctx));
    remove_catalog(c);
    AK_CHECK(open_file(c, ctx, true));
    c->damaged = false;
    return AKIN_OK;
}

/* Damage may also lie further in. */
akin_status ak_catalog_replace(ak_catalog *c, akin_ctx *ctx)
{
    const akin_status st = c->damaged ? AKIN_EFORMAT : clear_catalog(c, ctx);
    return st == AKIN_EFORMAT ? remake(c, ctx) : st;
}

akin_status ak_catalog_get(const ak_catalog *c, akin_ctx *ctx, const char *key,
                           char *value, size_t size)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    value[0] = '\0';
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT value FROM settings WHERE key = ?", "t", key));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    const char *text = row ? (const char *)sqlite3_column_text(q, 0) : "";
    if (text == NULL || strlen(text) >= size)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: setting %s is out of range",
                       c->sql.path, key));
    strcpy(value, text);
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_catalog_set(const ak_catalog *c, akin_ctx *ctx, const char *key,
                           const char *value)
{
    return ak_sql_do(&c->sql, ctx,
                     "INSERT OR REPLACE INTO settings VALUES(?,?)", "tt", key,
                     value);
}

akin_status ak_catalog_extractor(const ak_catalog *c, akin_ctx *ctx,
                                 ak_extractor **out)
{
    char side[32], octave[32], colours[32];
    AK_CHECK(ak_catalog_get(c, ctx, "side", side, sizeof side));
    AK_CHECK(ak_catalog_get(c, ctx, "first-octave", octave, sizeof octave));
    AK_CHECK(ak_catalog_get(c, ctx, "colours", colours, sizeof colours));
    const ak_extract_options o = ak_extract_options_of(
        strtoll(side, NULL, 10), strtoll(octave, NULL, 10), colours);
    return ak_extractor_new(out, ctx, &o);
}
