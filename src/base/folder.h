/* base/folder.h - a folder that is written completely or not at all. */
#ifndef AK_BASE_FOLDER_H
#define AK_BASE_FOLDER_H

#include <limits.h>

#include "base/ctx.h"

typedef struct ak_new_folder {
    char path[PATH_MAX];  // the wanted name
    char made[PATH_MAX];  // beside it, while it is written; "": not begun
} ak_new_folder;

/* FOLDER/NAME; EIO where that is too long. */
akin_status ak_folder_join(char to[PATH_MAX], akin_ctx *ctx, const char *folder,
                           const char *name);
/* What stands there already may be replaced where `is_ours` says so. `what` is
 * the word for it, as in "an export". EINVAL: the path is neither free nor an
 * empty folder nor that. */
akin_status ak_folder_begin(ak_new_folder *f, akin_ctx *ctx, const char *path,
                            bool (*is_ours)(akin_ctx *ctx, const char *folder),
                            const char *what);
/* With `st` AKIN_OK: it gets its name, and what was there is removed. Otherwise
 * it is removed itself. Returns the status of all. */
akin_status ak_folder_end(ak_new_folder *f, akin_ctx *ctx, akin_status st);

#endif
