/* collection/sql.h - SQLite, with our messages. */
#ifndef AK_COLLECTION_SQL_H
#define AK_COLLECTION_SQL_H

#include <sqlite3.h>

#include "base/ctx.h"

typedef struct ak_sql {
    sqlite3 *db;
    char *path;
    struct ak_kept_statement *kept;  // n_kept: of ak_sql_ask_again
    int n_kept;
} ak_sql;

/* All zero to begin with. ENOENT: not there, and it is not to be made. */
akin_status ak_sql_open(ak_sql *s, akin_ctx *ctx, const char *path, bool write);
void ak_sql_close(ak_sql *s);

/* Statements without results. */
akin_status ak_sql_run(const ak_sql *s, akin_ctx *ctx, const char *text);

/* A transaction that writes. `end` commits it when `st` is AKIN_OK and undoes
 * it otherwise; the status of both. */
akin_status ak_sql_begin(const ak_sql *s, akin_ctx *ctx);
akin_status ak_sql_end(const ak_sql *s, akin_ctx *ctx, akin_status st);

/* Is another file, or none, at its path since it was opened? */
bool ak_sql_has_moved(const ak_sql *s);

/* Merge two files into one, unless others are using them: everything is durable
 * already, so it waits for nobody. Others could not write meanwhile. */
void ak_sql_tidy(const ak_sql *s);

/* A blob to bind. */
typedef struct ak_blob {
    const void *bytes;
    size_t n;
} ak_blob;

/* A statement with its ? bound, in order: `kinds` has a letter for each, i
 * int64_t, d double, t const char * (NULL is one), b ak_blob. Free with
 * sqlite3_finalize. */
akin_status ak_sql_ask(const ak_sql *s, akin_ctx *ctx, sqlite3_stmt **out,
                       const char *text, const char *kinds, ...);
/* The same of a statement that is asked often: it is kept, and parsed once.
 * Give it back with ak_sql_end_asking. */
akin_status ak_sql_ask_again(const ak_sql *s, akin_ctx *ctx, sqlite3_stmt **out,
                             const char *text, const char *kinds, ...);
void ak_sql_end_asking(const ak_sql *s, sqlite3_stmt *q);
/* The next row of it, if there is one. */
akin_status ak_sql_next(const ak_sql *s, akin_ctx *ctx, sqlite3_stmt *q,
                        bool *row);
/* Ask, and want no answer; the statement is kept. */
akin_status ak_sql_do(const ak_sql *s, akin_ctx *ctx, const char *text,
                      const char *kinds, ...);
/* The number that a statement gives, 0 for none; it is kept too. */
akin_status ak_sql_number(const ak_sql *s, akin_ctx *ctx, const char *text,
                          int64_t *out);

#endif
