/* collection/pictures/walk.h - the pictures below folders, for runs that make
 * items of them. */
#ifndef AK_COLLECTION_PICTURES_WALK_H
#define AK_COLLECTION_PICTURES_WALK_H

#include "collection/files.h"
#include "text/folder.h"

/* A folder at hand. All zero to begin with. */
typedef struct ak_picture_walk {
    const ak_catalog *catalog;
    const char *noun;     // "pictures"
    int64_t folder;       // its number in the catalogue
    char root[PATH_MAX];  // "": none was given
    ak_folder files;
    int64_t unreadable, others;  // so far, in all folders: files that cannot be
                                 // read, and that are no pictures
} ak_picture_walk;

/* The folder that somebody gave; NULL: none. ENOENT: it is none. */
akin_status ak_picture_walk_resolve(ak_picture_walk *w, akin_ctx *ctx,
                                    const char *folder);
/* EINVAL: it lies in the collection. */
akin_status ak_picture_walk_check(const ak_picture_walk *w, akin_ctx *ctx);

/* The next folder that is not done, also of an interrupted run. */
akin_status ak_picture_walk_next(ak_picture_walk *w, akin_ctx *ctx,
                                 bool *found);
/* Lists its files. One that is gone is reported; others must not wait for it.
 */
akin_status ak_picture_walk_list(ak_picture_walk *w, akin_ctx *ctx);
/* Each picture that is not the collection's own. */
akin_status ak_picture_walk_each(ak_picture_walk *w, void *arg,
                                 akin_status (*take)(void *arg,
                                                     const ak_document *d));
/* A picture that cannot be read: said, noted and counted. */
akin_status ak_picture_walk_skip(ak_picture_walk *w, akin_ctx *ctx,
                                 const char *path, const char *why);
/* What a file is called below the folder. */
const char *ak_picture_walk_name(const ak_picture_walk *w, const char *path);
void ak_picture_walk_end(ak_picture_walk *w);

/* `count` pictures in parts of `window`: take(arg, first, n), with progress. */
akin_status ak_picture_walk_parts(const ak_picture_walk *w, akin_ctx *ctx,
                                  int64_t count, int64_t window, void *arg,
                                  akin_status (*take)(void *arg, int64_t first,
                                                      int64_t n));
/* All folders are done, and their items in the index. */
akin_status ak_picture_walk_finish(const ak_picture_walk *w, akin_ctx *ctx);

#endif
