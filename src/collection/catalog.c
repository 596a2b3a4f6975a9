/* The catalogue's file, its schema, its settings. */
#include "collection/catalog.h"

#include <akin/faces.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "collection/faces/captions/tagging.h"
#include "collection/pictures/extractor.h"
#include "collection/upgrade.h"

enum { SCHEMA = 11, APPLICATION = 0x616b696e };  // "akin"

static const char catalog_file[] = "catalog.sqlite";
static const char clearing[] = "clearing";
const char ak_catalog_made[] = ".new";
const char ak_file_codebook[] = "codebook.safetensors";
const char ak_file_words[] = "words.safetensors";
const char ak_file_colours[] = "colours.safetensors";
const char ak_file_names[] = AKIN_FACES_KEPT;
const char ak_folder_segments[] = "segments";
const char ak_folder_versions[] = "versions";
const char ak_folder_thumbnails[] = "thumbnails";

/* Names and paths are bytes, they need not be UTF-8. Labels of an item are
 * separated by newlines. `size` and `modified` (nanoseconds) are those of its
 * file when it was read, `hash` is of its content.
 *
 * `features` holds the raw row of an item in a space (key: 16 times the item,
 * plus the space), little-endian, in the form of the space: words (an int32 for
 * each local feature, with four floats of its place in `frames`), sparse
 * (columns as int32, then values as float) or dense (floats).
 *
 * A segment is a file of the index over the items `ids` (int32, increasing),
 * `recipe` that of its model where only the weights are to be exchanged;
 * `dead` are items of it that were removed or changed since, `waiting` items
 * that are in no segment yet, `change` a number for each change of one. An id
 * is never given to another item: `removed` has those that are gone.
 * `dismissed` are those that somebody removed, with where they came from; the
 * id there is -1 minus the item's (above 0: it is not known).
 *
 * A version has a file. It learned from `events`, `last` is the number of the
 * last one, and was compared with the version `against` (NULL: it was given).
 * With a `user` it has `weights` that are added to those of the version in use,
 * which is a setting. `users` has the version of each user, 0 for none, and the
 * number of events when it was learned. `judged` are the items that events have
 * as queries, with a hash of their features.
 *
 * In a collection of faces an item is a face. `photos` are the files they were
 * found in, with the caption (NULL: none); `faces` has the photo of an item,
 * its number there, its box in pixels of the photo as it is seen, five
 * landmarks (ten doubles) and how well it can be seen; NULL where only a vector
 * was given. `caption_names` are the persons that a caption may have: `place`
 * is their order in it, `in_picture` yes, no or credit, `position` what it says
 * of where they are, `present` the probability that they are in the picture,
 * `mentions` their places in the text (pairs of int32, bytes), `said` whether a
 * person said so. `tagged` are the photos whose names were found in the text,
 * with `aliases`. `answers` are what a person said of faces: the `kind` is is,
 * is-not or none, or merge, where `name` is another name of `other`; or box and
 * no-face, with the face as it was `before` (NULL: it was not there); other
 * kinds correct a caption. `caption_answers` then has its photo and, where it
 * is about a place in the text, bytes [first, last) and what was there.
 * `found_names` has the names of these captions without corrections.
 * `lost` are faces that are no longer items: none is found there now, or
 * somebody `refused` it. One that is found there again gets its number back,
 * and so what was said of it. Its photo is NULL until a photo of that name,
 * path or hash comes: it is of the collection that this one replaced.
 * `content` is the hash of the item.
 *
 * `carried` are answers about captions of the collection that this one
 * replaced, whose photo (-1) is not here yet: its name and hash.
 * Of persons that were removed no name and no vector is kept. `removed_faces`
 * are the places of their faces, as shares of the width and height of the
 * photo, with the hash of its file at that time; of a face without a place, the
 * hash of the item. `blanked` has hashes of a caption and its names as they
 * were given, before a name was taken out of them. In both the photo is NULL
 * until one of this `name` comes, as in `lost`; `rest` and `others` are then
 * the caption and the names that it is to have. */
static const char schema[] =
    "CREATE TABLE IF NOT EXISTS settings(key TEXT PRIMARY KEY, value TEXT) "
    "WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS folders(id INTEGER PRIMARY KEY, path BLOB "
    "UNIQUE NOT NULL,"
    " done INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS left_out(path BLOB PRIMARY KEY, why TEXT) "
    "WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS items(id INTEGER PRIMARY KEY, name BLOB NOT "
    "NULL, path BLOB"
    " UNIQUE, folder INTEGER, labels TEXT NOT NULL, size INTEGER, modified"
    " INTEGER, hash BLOB, width INTEGER, height INTEGER, n INTEGER, snippet"
    " TEXT);"
    "CREATE INDEX IF NOT EXISTS items_by_name ON items(name);"
    "CREATE INDEX IF NOT EXISTS items_by_hash ON items(hash) WHERE hash IS NOT "
    "NULL;"
    "CREATE TABLE IF NOT EXISTS removed(id INTEGER PRIMARY KEY);"
    "CREATE TABLE IF NOT EXISTS dismissed(id INTEGER PRIMARY KEY, hash BLOB "
    "NOT NULL, folder INTEGER NOT NULL, path BLOB, name BLOB NOT NULL);"
    "CREATE INDEX IF NOT EXISTS dismissed_by_hash ON dismissed(hash);"
    "CREATE TABLE IF NOT EXISTS fields(item INTEGER, name TEXT, value, PRIMARY "
    "KEY(item,"
    " name)) WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS fields_by_value ON fields(name, value, item);"
    "CREATE TABLE IF NOT EXISTS spaces(id INTEGER PRIMARY KEY, name TEXT "
    "UNIQUE NOT NULL,"
    " form TEXT NOT NULL, dim INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS terms(term TEXT PRIMARY KEY, number INTEGER "
    "UNIQUE NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS features(key INTEGER PRIMARY KEY, row BLOB NOT"
    " NULL, frames BLOB);"
    "CREATE TABLE IF NOT EXISTS segments(id INTEGER PRIMARY KEY, space INTEGER "
    "NOT NULL,"
    " version INTEGER NOT NULL, count INTEGER NOT NULL, last INTEGER NOT NULL, "
    "recipe TEXT NOT NULL, ids BLOB NOT NULL);"
    "CREATE TABLE IF NOT EXISTS dead(segment INTEGER, item INTEGER, PRIMARY "
    "KEY(segment,"
    " item)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS waiting(change INTEGER PRIMARY KEY"
    " AUTOINCREMENT, item INTEGER UNIQUE NOT NULL);"
    "CREATE TABLE IF NOT EXISTS versions(version INTEGER PRIMARY KEY, space "
    "INTEGER NOT NULL,"
    " right_space INTEGER NOT NULL, learner TEXT, events INTEGER, verdict TEXT,"
    " held_out REAL, baseline REAL, user TEXT NOT NULL DEFAULT '', last "
    "INTEGER, against INTEGER, incumbent REAL, weights INTEGER);"
    "CREATE TABLE IF NOT EXISTS users(user TEXT PRIMARY KEY, version INTEGER "
    "NOT NULL, learned INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS queries(id INTEGER PRIMARY KEY, name BLOB NOT "
    "NULL, space"
    " INTEGER NOT NULL, row BLOB NOT NULL, frames BLOB);"
    "CREATE INDEX IF NOT EXISTS queries_by_row ON queries(space, substr(row, "
    "1, 64));"
    "CREATE TABLE IF NOT EXISTS events(number INTEGER PRIMARY KEY "
    "AUTOINCREMENT, key TEXT"
    " UNIQUE, item INTEGER, query INTEGER, user TEXT NOT NULL, good BLOB, bad"
    " BLOB, shown BLOB, clicked BLOB, undone INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX IF NOT EXISTS events_by_item ON events(item);"
    "CREATE TABLE IF NOT EXISTS judged(item INTEGER, space INTEGER, hash BLOB "
    "NOT NULL, PRIMARY KEY(item, space)) WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS judged_by_hash ON judged(space, hash);"
    "CREATE INDEX IF NOT EXISTS events_by_query ON events(query);";

static const char schema_of_faces[] =
    "CREATE TABLE IF NOT EXISTS photos(id INTEGER PRIMARY KEY, name BLOB UNIQUE"
    " NOT NULL, path BLOB UNIQUE, folder INTEGER NOT NULL, size INTEGER, "
    "modified INTEGER, hash BLOB, width INTEGER, height INTEGER, caption TEXT);"
    "CREATE INDEX IF NOT EXISTS photos_by_hash ON photos(hash) WHERE hash IS "
    "NOT NULL;"
    "CREATE TABLE IF NOT EXISTS faces(item INTEGER PRIMARY KEY, photo INTEGER "
    "NOT NULL, number INTEGER NOT NULL, x REAL, y REAL, width REAL, height "
    "REAL, score REAL, landmarks BLOB, sharpness REAL, roll REAL, turn REAL);"
    "CREATE INDEX IF NOT EXISTS faces_by_photo ON faces(photo, number);"
    "CREATE TABLE IF NOT EXISTS caption_names(photo INTEGER, place INTEGER, "
    "name TEXT NOT NULL, in_picture TEXT NOT NULL, position TEXT NOT NULL, "
    "probability REAL NOT NULL, present REAL NOT NULL DEFAULT 1, said INTEGER "
    "NOT NULL DEFAULT 0, mentions BLOB, PRIMARY KEY(photo, place)) WITHOUT "
    "ROWID;"
    "CREATE TABLE IF NOT EXISTS found_names(photo INTEGER, place INTEGER, "
    "name TEXT NOT NULL, in_picture TEXT NOT NULL, position TEXT NOT NULL, "
    "probability REAL NOT NULL, present REAL NOT NULL, said INTEGER NOT NULL, "
    "mentions BLOB, PRIMARY KEY(photo, place)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS tagged(photo INTEGER PRIMARY KEY);"
    "CREATE TABLE IF NOT EXISTS aliases(alias TEXT PRIMARY KEY, name TEXT NOT "
    "NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS caption_answers(number INTEGER PRIMARY KEY, "
    "photo INTEGER NOT NULL, first INTEGER, last INTEGER, mention TEXT);"
    "CREATE INDEX IF NOT EXISTS caption_answers_by_photo ON "
    "caption_answers(photo);"
    "CREATE TABLE IF NOT EXISTS answers(number INTEGER PRIMARY KEY "
    "AUTOINCREMENT, key TEXT UNIQUE, item INTEGER, kind TEXT NOT NULL, name "
    "TEXT, other TEXT, user TEXT NOT NULL, undone INTEGER NOT NULL DEFAULT 0, "
    "x REAL, y REAL, width REAL, height REAL, before BLOB);"
    "CREATE INDEX IF NOT EXISTS answers_by_item ON answers(item);"
    "CREATE TABLE IF NOT EXISTS lost(item INTEGER PRIMARY KEY, photo INTEGER, "
    "number INTEGER NOT NULL, x REAL, y REAL, width REAL, height REAL, content "
    "BLOB, labels TEXT NOT NULL, refused INTEGER NOT NULL DEFAULT 0, name "
    "BLOB, path BLOB, hash BLOB, photo_width INTEGER, photo_height INTEGER);"
    "CREATE INDEX IF NOT EXISTS lost_by_photo ON lost(photo);";

/* A string of C11 has at most 4095 bytes. */
static const char schema_of_removed[] =
    "CREATE TABLE IF NOT EXISTS removed_faces(photo INTEGER, hash BLOB, x "
    "REAL, y REAL, width REAL, height REAL, content BLOB, name BLOB);"
    "CREATE INDEX IF NOT EXISTS removed_faces_by_photo ON removed_faces(photo);"
    "CREATE INDEX IF NOT EXISTS removed_faces_by_hash ON removed_faces(hash);"
    "CREATE TABLE IF NOT EXISTS blanked(photo INTEGER UNIQUE, caption BLOB NOT "
    "NULL, names BLOB NOT NULL, name BLOB, rest TEXT, others TEXT);"
    "CREATE TABLE IF NOT EXISTS carried(number INTEGER PRIMARY KEY, name BLOB, "
    "hash BLOB);";

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
    struct stat s;
    c->made = mkdir(folder, 0777) == 0;
    const int why = errno;
    if (c->made || ak_catalog_is(folder) || is_empty(folder))
        return AKIN_OK;
    if (stat(folder, &s) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "%s exists and is not a collection",
                       folder);
    errno = why;
    return ak_file_fail(ctx, AKIN_EIO, folder);
}

enum { LOCK_POLL = 20000 };  // microseconds

/* Wait until nobody else has it; once said that one waits. */
static akin_status wait_for(akin_ctx *ctx, int lock, const char *folder)
{
    for (int64_t tries = 0; flock(lock, LOCK_EX | LOCK_NB) != 0; ++tries) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return ak_file_fail(ctx, AKIN_EIO, folder);
        if (tries == 25)
            ak_log(ctx, AKIN_LOG_INFO, "%s: waiting for another akin process",
                   folder);
        AK_CHECK(ak_ctx_tick(ctx, "waiting", 0, 0, NAN));
        usleep(LOCK_POLL);
    }
    return AKIN_OK;
}

/* A folder itself is what is locked: no file of its own. */
akin_status ak_catalog_lock(const ak_catalog *c, akin_ctx *ctx,
                            const char *folder, int *lock)
{
    char path[PATH_MAX];
    AK_CHECK(ak_catalog_file(c, ctx, folder, path));
    if (folder[0] != '\0' && mkdir(path, 0777) != 0 && errno != EEXIST)
        return ak_file_fail(ctx, AKIN_EIO, path);
    *lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0 || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return ak_file_fail(ctx, AKIN_EIO, c->folder);
    return wait_for(ctx, *lock, c->folder);
}

bool ak_catalog_is_locked(const ak_catalog *c)
{
    const int fd = open(c->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 &&
                        errno == EWOULDBLOCK;
    if (fd >= 0)
        close(fd);
    return locked;
}

static akin_status make_tables(ak_catalog *c, akin_ctx *ctx)
{
    char text[sizeof schema + sizeof schema_of_faces +
              sizeof schema_of_removed + 160];
    snprintf(text, sizeof text,
             "%s %s %s PRAGMA application_id=%d; PRAGMA user_version=%d;",
             schema, schema_of_faces, schema_of_removed, APPLICATION, SCHEMA);
    return ak_sql_run(&c->sql, ctx, text);
}

static akin_status begin(ak_catalog *c, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_run(&c->sql, ctx, "PRAGMA journal_mode=WAL"));
    AK_TRY(ak_sql_begin(&c->sql, ctx));
    st = ak_sql_end(&c->sql, ctx, make_tables(c, ctx));
done:
    return st;
}

/* Another process may have done it meanwhile. */
static akin_status upgrade(ak_catalog *c, akin_ctx *ctx)
{
    int64_t version;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_run(&c->sql, ctx, "PRAGMA synchronous=FULL"));
    AK_TRY(ak_sql_begin(&c->sql, ctx));
    st = ak_sql_number(&c->sql, ctx, "PRAGMA user_version", &version);
    if (st == AKIN_OK && version < SCHEMA)
        st = make_tables(c, ctx);
    if (st == AKIN_OK && version < SCHEMA)
        st = ak_upgrade(c, ctx, version);
    AK_TRY(ak_sql_end(&c->sql, ctx, st));
    c->is_old = false;
    AK_TRY(ak_upgrade_files(c, ctx));
done:
    return st;
}

/* A codebook or a segment is never there before settings are. */
static bool has_files(const ak_catalog *c, akin_ctx *ctx)
{
    char codebook[PATH_MAX], segments[PATH_MAX];
    return ak_catalog_file(c, ctx, ak_file_codebook, codebook) == AKIN_OK &&
           ak_catalog_file(c, ctx, ak_folder_segments, segments) == AKIN_OK &&
           (access(codebook, F_OK) == 0 ||
            (access(segments, F_OK) == 0 && !is_empty(segments)));
}

/* Nothing is in it: is it new, or was something lost? */
static akin_status check_empty(const ak_catalog *c, akin_ctx *ctx, bool write)
{
    if (has_files(c, ctx))
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
    c->is_old = version < SCHEMA;
    return c->is_old && write ? upgrade(c, ctx) : AKIN_OK;
}

/* False: it is still there. */
static bool remove_whole(const char *folder)
{
    char path[2 * PATH_MAX];
    const struct dirent *entry;
    DIR *dir = opendir(folder);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' || entry->d_name[1] != '\0')
            unlink(path);
    }
    if (dir != NULL)
        closedir(dir);
    return rmdir(folder) == 0 || errno == ENOENT;
}

static akin_status remove_folder(const ak_catalog *c, akin_ctx *ctx,
                                 const char *name)
{
    char folder[PATH_MAX];
    AK_CHECK(ak_catalog_file(c, ctx, name, folder));
    return remove_whole(folder) ? AKIN_OK : ak_file_fail(ctx, AKIN_EIO, folder);
}

akin_status ak_catalog_remove_file(const ak_catalog *c, akin_ctx *ctx,
                                   const char *name)
{
    char path[PATH_MAX];
    AK_CHECK(ak_catalog_file(c, ctx, name, path));
    if (unlink(path) != 0 && errno != ENOENT)
        return ak_file_fail(ctx, AKIN_EIO, path);
    return AKIN_OK;
}

static akin_status remove_files(const ak_catalog *c, akin_ctx *ctx)
{
    AK_CHECK(remove_folder(c, ctx, ak_folder_segments));
    AK_CHECK(remove_folder(c, ctx, ak_folder_versions));
    AK_CHECK(remove_folder(c, ctx, ak_folder_thumbnails));
    AK_CHECK(ak_catalog_remove_file(c, ctx, ak_file_colours));
    AK_CHECK(ak_catalog_remove_file(c, ctx, ak_file_names));
    AK_CHECK(ak_catalog_remove_file(c, ctx, ak_file_words));
    AK_CHECK(ak_catalog_remove_file(c, ctx, ak_file_tagger));
    return ak_catalog_remove_file(c, ctx, ak_file_codebook);
}

/* A clearing that was interrupted is done again when the catalogue is
 * opened: no file may speak of rows that are gone, no row of a codebook
 * that is. */
akin_status ak_catalog_clear(ak_catalog *c, akin_ctx *ctx)
{
    AK_CHECK(ak_catalog_set(c, ctx, clearing, "1"));
    AK_CHECK(remove_files(c, ctx));
    return ak_sql_run(
        &c->sql, ctx,
        "BEGIN IMMEDIATE; DELETE FROM settings; DELETE FROM folders; DELETE "
        "FROM left_out; DELETE FROM items; DELETE FROM removed; DELETE FROM "
        "dismissed; DELETE FROM fields; DELETE FROM spaces; DELETE FROM terms; "
        "DELETE FROM features; "
        "DELETE FROM segments; DELETE FROM dead; DELETE FROM waiting; DELETE "
        "FROM versions; DELETE FROM users; DELETE FROM queries; DELETE FROM "
        "events; DELETE FROM judged; DELETE FROM photos; DELETE FROM faces; "
        "DELETE FROM caption_names; DELETE FROM found_names; DELETE FROM "
        "tagged; DELETE FROM aliases; DELETE FROM caption_answers; DELETE FROM "
        "answers; DELETE FROM lost; DELETE FROM removed_faces; DELETE FROM "
        "blanked; DELETE FROM carried; COMMIT; VACUUM");
}

static akin_status open_file(ak_catalog *c, akin_ctx *ctx, bool write)
{
    char path[PATH_MAX], half_cleared[8] = "", kind[32];
    AK_CHECK(ak_catalog_file(c, ctx, catalog_file, path));
    AK_CHECK(ak_sql_open(&c->sql, ctx, path, write));
    AK_CHECK(check(c, ctx, write));
    if (c->is_old)
        return AKIN_OK;
    if (write)
        AK_CHECK(ak_sql_run(&c->sql, ctx, "PRAGMA synchronous=FULL"));
    AK_CHECK(
        ak_catalog_get(c, ctx, clearing, half_cleared, sizeof half_cleared));
    if (half_cleared[0] != '\0')
        AK_CHECK(
            write
                ? ak_catalog_clear(c, ctx)
                : ak_fail(
                      ctx, AKIN_EFORMAT,
                      "%s is being replaced; rerun the command that started it",
                      c->folder));
    AK_CHECK(ak_catalog_get(c, ctx, "kind", kind, sizeof kind));
    if (kind[0] == '\0')
        AK_CHECK(check_empty(c, ctx, write));
    return AKIN_OK;
}

/* Of an earlier version: upgrade it, then open it again to read. */
static akin_status reopen(ak_catalog *c, akin_ctx *ctx, const char *folder)
{
    ak_catalog writer = {.lock = -1};
    ak_sql_close(&c->sql);
    const akin_status st =
        ak_catalog_open(&writer, ctx, folder, AK_CATALOG_WRITE);
    ak_catalog_close(&writer);
    if (st == AKIN_OK)
        return open_file(c, ctx, false);
    return ak_fail(ctx, st,
                   "%s was made by an earlier akin and needs to be upgraded "
                   "once, which failed: %s",
                   folder, akin_ctx_message(ctx));
}

akin_status ak_catalog_open(ak_catalog *c, akin_ctx *ctx, const char *folder,
                            ak_catalog_mode mode)
{
    const bool write = mode != AK_CATALOG_READ;
    const bool adds = mode == AK_CATALOG_WRITE;
    akin_status st = AKIN_OK;
    c->lock = -1;
    if (adds)
        AK_TRY(make_folder(c, ctx, folder));
    else if (!ak_catalog_is(folder) && errno == EACCES)
        AK_TRY(ak_file_fail(ctx, AKIN_EIO, folder));
    else if (!ak_catalog_is(folder))
        AK_TRY(ak_fail(ctx, AKIN_ENOENT, "%s: not a collection (it has no %s)",
                       folder, catalog_file));
    if (realpath(folder, c->real) == NULL || strlen(folder) >= PATH_MAX)
        AK_TRY(ak_file_fail(ctx, AKIN_ENOENT, folder));
    strcpy(c->folder, folder);
    if (adds)
        AK_TRY(ak_catalog_lock(c, ctx, "", &c->lock));
    c->fresh = adds && !ak_catalog_is(folder);
    st = open_file(c, ctx, write);
    if (st == AKIN_OK && c->is_old)
        st = reopen(c, ctx, folder);
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
    char segments[PATH_MAX + 16];
    if (!c->fresh)
        return;
    ak_sql_close(&c->sql);
    snprintf(segments, sizeof segments, "%s/%s", c->folder, ak_folder_segments);
    remove_whole(segments);
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

static bool is_below(const char *path, const char *folder, size_t n)
{
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

bool ak_catalog_owns(const ak_catalog *c, const char *path)
{
    const size_t n = strlen(c->real), more = strlen(ak_catalog_made);
    return is_below(path, c->real, n) ||
           (n > more && strcmp(c->real + n - more, ak_catalog_made) == 0 &&
            is_below(path, c->real, n - more));
}

akin_status ak_catalog_erase(akin_ctx *ctx, const char *folder)
{
    ak_catalog c = {.lock = -1};
    if (strlen(folder) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return ak_file_fail(ctx, AKIN_EIO, folder);
    }
    strcpy(c.folder, folder);
    AK_CHECK(remove_files(&c, ctx));
    AK_CHECK(ak_upgrade_files(&c, ctx));
    remove_catalog(&c);
    return rmdir(folder) == 0 ? AKIN_OK : ak_file_fail(ctx, AKIN_EIO, folder);
}

akin_status ak_catalog_get(const ak_catalog *c, akin_ctx *ctx, const char *key,
                           char *value, size_t size)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    value[0] = '\0';
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q,
                            "SELECT value FROM settings WHERE key = ?", "t",
                            key));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    const char *text = row ? (const char *)sqlite3_column_text(q, 0) : "";
    if (text == NULL || strlen(text) >= size)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: setting %s is out of range",
                       c->sql.path, key));
    strcpy(value, text);
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

akin_status ak_catalog_set(const ak_catalog *c, akin_ctx *ctx, const char *key,
                           const char *value)
{
    return ak_sql_do(&c->sql, ctx,
                     "INSERT OR REPLACE INTO settings VALUES(?,?)", "tt", key,
                     value);
}

akin_status ak_catalog_get_number(const ak_catalog *c, akin_ctx *ctx,
                                  const char *key, int64_t *value)
{
    char text[32];
    AK_CHECK(ak_catalog_get(c, ctx, key, text, sizeof text));
    *value = strtoll(text, NULL, 10);
    return AKIN_OK;
}

akin_status ak_catalog_set_number(const ak_catalog *c, akin_ctx *ctx,
                                  const char *key, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    return ak_catalog_set(c, ctx, key, text);
}

akin_status ak_catalog_check_kind(const ak_catalog *c, akin_ctx *ctx,
                                  const char *kind)
{
    char have[16];
    AK_CHECK(ak_catalog_get(c, ctx, "kind", have, sizeof have));
    if (have[0] != '\0' && strcmp(have, kind) != 0)
        return ak_fail(ctx, AKIN_EINVAL, "%s is a collection of %s, not of %s",
                       c->folder, have, kind);
    return AKIN_OK;
}

akin_status ak_catalog_sight(const ak_catalog *c, akin_ctx *ctx,
                             ak_extract_options *out)
{
    char side[32], octave[32], colours[32];
    AK_CHECK(ak_catalog_get(c, ctx, "side", side, sizeof side));
    AK_CHECK(ak_catalog_get(c, ctx, "first-octave", octave, sizeof octave));
    AK_CHECK(ak_catalog_get(c, ctx, "colours", colours, sizeof colours));
    *out = ak_extract_options_of(strtoll(side, NULL, 10),
                                 strtoll(octave, NULL, 10), colours);
    return AKIN_OK;
}
