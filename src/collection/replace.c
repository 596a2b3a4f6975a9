#include "collection/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

/* At once where the system can; else there is no collection for a moment. */
static akin_status exchange(akin_ctx *ctx, const char *made, const char *old)
{
    char aside[PATH_MAX + 8];
    if (renameat2(AT_FDCWD, made, AT_FDCWD, old, RENAME_EXCHANGE) == 0)
        return AKIN_OK;
    snprintf(aside, sizeof aside, "%s.old", old);
    if ((errno != EINVAL && errno != ENOSYS) || rename(old, aside) != 0 ||
        rename(made, old) != 0 || rename(aside, made) != 0)
        return ak_file_fail(ctx, AKIN_EIO, old);
    return AKIN_OK;
}

static void flush_folder(const char *path)
{
    char folder[PATH_MAX];
    ak_path_folder(folder, path);
    ak_file_flush_folder(folder);
}

akin_status ak_replace_begin(ak_replacement *r, akin_ctx *ctx, const char *path,
                             bool force)
{
    ak_catalog old = {.lock = -1};
    const bool replaces = force && ak_catalog_is(path);
    *r = (ak_replacement){.lock = -1};
    if (replaces && realpath(path, r->old) == NULL)
        return ak_file_fail(ctx, AKIN_EIO, path);
    const int n = snprintf(r->path, sizeof r->path, "%s%s",
                           replaces ? r->old : path,
                           replaces ? ak_catalog_made : "");
    if (n < 0 || n >= (int)sizeof r->path) {
        errno = ENAMETOOLONG;
        return ak_file_fail(ctx, AKIN_EIO, path);
    }
    if (!replaces)
        return AKIN_OK;
    strcpy(old.folder, r->old);
    AK_CHECK(ak_catalog_lock(&old, ctx, "", &r->lock));
    return ak_catalog_is(r->path)  // of a run that was interrupted
               ? ak_catalog_erase(ctx, r->path)
               : AKIN_OK;
}

akin_status ak_replace_end(ak_replacement *r, akin_ctx *ctx, akin_status st)
{
    if (r->old[0] == '\0')
        return st;
    if (st == AKIN_OK)
        st = exchange(ctx, r->path, r->old);
    if (st == AKIN_OK)
        flush_folder(r->old);
    if (ak_catalog_is(r->path) && ak_catalog_erase(ctx, r->path) != AKIN_OK &&
        st == AKIN_OK)
        ak_log(ctx, AKIN_LOG_WARNING, "%s", akin_ctx_message(ctx));
    if (r->lock >= 0)
        close(r->lock);
    return st;
}
