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
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

akin_status ak_replace(akin_ctx *ctx, const char *path, ak_make_fn make,
                       void *arg)
{
    ak_catalog old = {.lock = -1};
    char made[PATH_MAX + 8];
    int lock = -1;
    akin_status st = AKIN_OK;
    if (realpath(path, old.folder) == NULL)
        return ak_file_fail(ctx, AKIN_EIO, path);
    snprintf(made, sizeof made, "%s%s", old.folder, ak_catalog_made);
    if (strlen(made) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return ak_file_fail(ctx, AKIN_EIO, path);
    }
    AK_TRY(ak_catalog_lock(&old, ctx, "", &lock));
    if (ak_catalog_is(made))  // of a run that was interrupted
        AK_TRY(ak_catalog_erase(ctx, made));
    AK_TRY(make(ctx, made, arg));
    AK_TRY(exchange(ctx, made, old.folder));
    flush_folder(old.folder);
done:
    if (ak_catalog_is(made) && ak_catalog_erase(ctx, made) != AKIN_OK &&
        st == AKIN_OK)
        ak_log(ctx, AKIN_LOG_WARNING, "%s", akin_ctx_message(ctx));
    if (lock >= 0)
        close(lock);
    return st;
}
