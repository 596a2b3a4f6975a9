/* collection/files.h - the files of items: how they were when they were read,
 * and which of them are no longer where they were. */
#ifndef AK_COLLECTION_FILES_H
#define AK_COLLECTION_FILES_H

#include "collection/items.h"

typedef struct ak_stamp {
    int64_t size, modified;  // bytes; nanoseconds, 0: not known
} ak_stamp;

ak_stamp ak_stamp_of(const char *path);

/* What the catalogue knows of an item. */
typedef struct ak_known {
    int64_t id;  // -1: nothing
    int64_t folder;
    ak_stamp stamp;
    unsigned char hash[AK_HASH_SIZE];
    bool hashed;
} ak_known;

/* By a statement for id, folder, size, modified and hash, with one blob. */
akin_status ak_known_ask(const ak_catalog *c, akin_ctx *ctx,
                         const char *question, ak_blob key, ak_known *out);
akin_status ak_known_by_path(const ak_catalog *c, akin_ctx *ctx,
                             const char *path, ak_known *out);
/* Of an item that is no file. */
akin_status ak_known_by_name(const ak_catalog *c, akin_ctx *ctx, ak_blob name,
                             ak_known *out);

/* The number of a folder or file that items came from, 0: none did; and whether
 * a run has done all of it (`is_done` may be NULL). */
akin_status ak_source_find(const ak_catalog *c, akin_ctx *ctx, const char *path,
                           int64_t *id, bool *is_done);

/* The first source after number *id that is not done, for a run or one that it
 * resumes. */
akin_status ak_source_next(const ak_catalog *c, akin_ctx *ctx, int64_t *id,
                           char path[PATH_MAX], bool *found);

/* The path in a column; false: it has none. Is nothing there any more? */
bool ak_path_take(sqlite3_stmt *q, int column, char path[PATH_MAX]);
bool ak_path_is_gone(sqlite3_stmt *q, int column);

/* Files and records that could not be read. They are tried again whenever their
 * source is, and forgotten before. A record is called FILE:LINE. */
akin_status ak_left_out_add(const ak_catalog *c, akin_ctx *ctx,
                            const char *path, const char *why);
akin_status ak_left_out_forget(const ak_catalog *c, akin_ctx *ctx,
                               const char *source);

/* Find the items whose files are gone; before files are looked for. Those of
 * the same content as a file that is found have moved there: take one of them,
 * -1 where there is none. `end` counts the others that came from `folder` (0:
 * from any), or removes them. `records` finds the records instead that are
 * called FILE:N, of files that are gone; `drop` forgets one of those found. */
akin_status ak_gone_begin(const ak_catalog *c, akin_ctx *ctx);
akin_status ak_gone_records(const ak_catalog *c, akin_ctx *ctx);
akin_status ak_gone_drop(const ak_catalog *c, akin_ctx *ctx, int64_t id);
/* After `records`: when a source has taken over half the records of one that is
 * gone, or more, the others are its own too. */
akin_status ak_gone_take_rest(const ak_catalog *c, akin_ctx *ctx,
                              int64_t source);
/* All records of a source, as if they were gone. */
akin_status ak_gone_source(const ak_catalog *c, akin_ctx *ctx, int64_t source);
akin_status ak_gone_take(const ak_catalog *c, akin_ctx *ctx, ak_blob hash,
                         int64_t *id);
akin_status ak_gone_end(const ak_catalog *c, akin_ctx *ctx, int64_t folder,
                        bool remove, int64_t *count);

#endif
