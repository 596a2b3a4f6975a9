#include "collection/sql.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

enum {
    WAIT_MS = 60000,
    KEPT = 16,
    ONE_THREAD = SQLITE_OPEN_NOMUTEX  // at a time has a connection
};

/* A statement that is parsed; others ask for it by its text. */
struct ak_kept_statement {
    sqlite3_stmt *q;  // NULL: this place is free
    bool taken;
};

/* ---- a folder that we may not write to --------------------------------------
 *
 * SQLite wants to write beside a file even to read it. It can be told that
 * nobody else does ("immutable"), which is right as long as no run has left
 * anything that is still to be moved into the file. */

static bool may_write_beside(const char *path)
{
    char folder[PATH_MAX];
    ak_path_folder(folder, path);
    return faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0;
}

static bool has_log(const char *path)
{
    char log[PATH_MAX + 8];
    struct stat s;
    snprintf(log, sizeof log, "%s-wal", path);
    return stat(log, &s) == 0 && s.st_size > 0;
}

/* The path in an URI; every byte that could mean something is written as its
 * number. */
static void put_uri(const char *path, char *to)
{
    to += sprintf(to, "file:");
    for (; *path != '\0'; ++path)
        to += sprintf(to, *path == '/' ? "/" : "%%%02x", (unsigned char)*path);
    sprintf(to, "?immutable=1");
}

static int open_still(sqlite3 **db, const char *path)
{
    char uri[3 * PATH_MAX + 32];
    put_uri(path, uri);
    return sqlite3_open_v2(
        uri, db, ONE_THREAD | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
}

static int open_to_read(sqlite3 **db, const char *path)
{
    int code;
    if (!may_write_beside(path) && !has_log(path))
        return open_still(db, path);
    code = sqlite3_open_v2(path, db, ONE_THREAD | SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK)
        return code;
    sqlite3_close(*db);
    return sqlite3_open_v2(path, db, ONE_THREAD | SQLITE_OPEN_READONLY, NULL);
}

static akin_status status_of(int code)
{
    switch (code) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:
        return AKIN_EFORMAT;
    case SQLITE_FULL:
        return AKIN_ENOSPC;
    case SQLITE_BUSY:
        return AKIN_EBUSY;
    default:
        return AKIN_EIO;
    }
}

/* The error of the last call: EFORMAT for a damaged file or one that is not
 * SQLite's, ENOMEM, ENOSPC, EBUSY, else EIO. */
static akin_status sql_error(const ak_sql *s, akin_ctx *ctx)
{
    const int code = s->db ? sqlite3_errcode(s->db) & 0xff : SQLITE_NOMEM;
    if (code == SQLITE_NOMEM)
        return ak_fail(ctx, AKIN_ENOMEM,
                       "%s: out of memory, or a damaged file wants too much",
                       s->path);
    if (!may_write_beside(s->path) && has_log(s->path))
        return ak_fail(ctx, AKIN_EIO,
                       "%s: a run was interrupted, and recovery needs "
                       "write access to the folder",
                       s->path);
    return ak_fail(ctx, status_of(code), "%s: %s", s->path,
                   sqlite3_errmsg(s->db));
}

akin_status ak_sql_open(ak_sql *s, akin_ctx *ctx, const char *path, bool write)
{
    AK_CHECK(ak_strdup(ctx, path, &s->path));
    AK_CHECK(AK_NEW(ctx, KEPT, &s->kept));
    s->n_kept = KEPT;
    const int code = write
                         ? sqlite3_open_v2(path, &s->db,
                                           ONE_THREAD | SQLITE_OPEN_READWRITE |
                                               SQLITE_OPEN_CREATE,
                                           NULL)
                         : open_to_read(&s->db, path);
    if (code != SQLITE_OK)
        return sql_error(s, ctx);
    sqlite3_busy_timeout(s->db, WAIT_MS);
    return AKIN_OK;
}

void ak_sql_close(ak_sql *s)
{
    for (int k = 0; k < s->n_kept; ++k)
        sqlite3_finalize(s->kept[k].q);
    sqlite3_close(s->db);
    akin_free(s->kept);
    akin_free(s->path);
    *s = (ak_sql){0};
}

akin_status ak_sql_run(const ak_sql *s, akin_ctx *ctx, const char *text)
{
    if (sqlite3_exec(s->db, text, NULL, NULL, NULL) == SQLITE_OK)
        return AKIN_OK;
    return sql_error(s, ctx);
}

akin_status ak_sql_begin(const ak_sql *s, akin_ctx *ctx)
{
    return ak_sql_run(s, ctx, "BEGIN IMMEDIATE");
}

akin_status ak_sql_end(const ak_sql *s, akin_ctx *ctx, akin_status st)
{
    if (st == AKIN_OK)
        st = ak_sql_run(s, ctx, "COMMIT");
    if (st != AKIN_OK)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

bool ak_sql_has_moved(const ak_sql *s)
{
    int moved = 0;
    return sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED,
                                &moved) == SQLITE_OK &&
           moved != 0;
}

void ak_sql_tidy(const ak_sql *s)
{
    sqlite3_busy_timeout(s->db, 0);
    sqlite3_exec(s->db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
    sqlite3_busy_timeout(s->db, WAIT_MS);
}

static int bind(sqlite3_stmt *q, int at, char kind, va_list *args)
{
    if (kind == 'i')
        return sqlite3_bind_int64(q, at, va_arg(*args, int64_t));
    if (kind == 'd')
        return sqlite3_bind_double(q, at, va_arg(*args, double));
    if (kind == 't')
        return sqlite3_bind_text(q, at, va_arg(*args, const char *), -1,
                                 SQLITE_STATIC);
    const ak_blob b = va_arg(*args, ak_blob);
    if (b.bytes == NULL)
        return sqlite3_bind_null(q, at);
    return sqlite3_bind_blob64(q, at, b.n ? b.bytes : "", b.n, SQLITE_STATIC);
}

/* A statement with its ? bound; *out is one that is parsed, or NULL. */
static akin_status ask(const ak_sql *s, akin_ctx *ctx, sqlite3_stmt **out,
                       const char *text, const char *kinds, va_list *args)
{
    int code = *out ? SQLITE_OK
                    : sqlite3_prepare_v2(s->db, text, -1, out, NULL);
    for (int i = 0; code == SQLITE_OK && kinds[i] != '\0'; ++i)
        code = bind(*out, i + 1, kinds[i], args);
    return code == SQLITE_OK ? AKIN_OK : sql_error(s, ctx);
}

akin_status ak_sql_ask(const ak_sql *s, akin_ctx *ctx, sqlite3_stmt **out,
                       const char *text, const char *kinds, ...)
{
    va_list args;
    *out = NULL;
    va_start(args, kinds);
    const akin_status st = ask(s, ctx, out, text, kinds, &args);
    va_end(args);
    if (st != AKIN_OK) {
        sqlite3_finalize(*out);
        *out = NULL;
    }
    return st;
}

/* ---- statements that are kept ---- */

static sqlite3_stmt *take_kept(const ak_sql *s, const char *text)
{
    for (int k = 0; k < s->n_kept && s->kept[k].q != NULL; ++k) {
        struct ak_kept_statement *x = &s->kept[k];
        if (!x->taken && strcmp(sqlite3_sql(x->q), text) == 0) {
            x->taken = true;
            return x->q;
        }
    }
    return NULL;
}

/* A statement without a place is one that is not kept. */
void ak_sql_end_asking(const ak_sql *s, sqlite3_stmt *q)
{
    int k = 0;
    if (q == NULL)
        return;
    while (k < s->n_kept && s->kept[k].q != NULL && s->kept[k].q != q)
        ++k;
    if (k == s->n_kept) {
        sqlite3_finalize(q);
        return;
    }
    sqlite3_reset(q);
    sqlite3_clear_bindings(q);
    s->kept[k] = (struct ak_kept_statement){q, false};
}

static akin_status ask_again(const ak_sql *s, akin_ctx *ctx, sqlite3_stmt **out,
                             const char *text, const char *kinds, va_list *args)
{
    *out = take_kept(s, text);
    const akin_status st = ask(s, ctx, out, text, kinds, args);
    if (st != AKIN_OK) {
        ak_sql_end_asking(s, *out);
        *out = NULL;
    }
    return st;
}

akin_status ak_sql_ask_again(const ak_sql *s, akin_ctx *ctx, sqlite3_stmt **out,
                             const char *text, const char *kinds, ...)
{
    va_list args;
    va_start(args, kinds);
    const akin_status st = ask_again(s, ctx, out, text, kinds, &args);
    va_end(args);
    return st;
}

akin_status ak_sql_next(const ak_sql *s, akin_ctx *ctx, sqlite3_stmt *q,
                        bool *row)
{
    const int code = sqlite3_step(q);
    *row = code == SQLITE_ROW;
    return *row || code == SQLITE_DONE ? AKIN_OK : sql_error(s, ctx);
}

akin_status ak_sql_do(const ak_sql *s, akin_ctx *ctx, const char *text,
                      const char *kinds, ...)
{
    sqlite3_stmt *q = NULL;
    va_list args;
    bool row;
    va_start(args, kinds);
    akin_status st = ask_again(s, ctx, &q, text, kinds, &args);
    va_end(args);
    if (st == AKIN_OK)
        st = ak_sql_next(s, ctx, q, &row);
    ak_sql_end_asking(s, q);
    return st;
}

akin_status ak_sql_number(const ak_sql *s, akin_ctx *ctx, const char *text,
                          int64_t *out)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = ak_sql_ask_again(s, ctx, &q, text, "");
    *out = 0;
    if (st == AKIN_OK)
        st = ak_sql_next(s, ctx, q, &row);
    if (row)
        *out = sqlite3_column_int64(q, 0);
    ak_sql_end_asking(s, q);
    return st;
}
