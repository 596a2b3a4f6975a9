#include "collection/pictures/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "collection/pictures/extensions.h"
#include "collection/segments.h"

akin_status ak_picture_walk_resolve(ak_picture_walk *w, akin_ctx *ctx,
                                    const char *folder)
{
    struct stat s;
    if (folder == NULL)
        return AKIN_OK;
    if (realpath(folder, w->root) == NULL)
        return ak_file_fail(ctx, AKIN_ENOENT, folder);
    if (stat(w->root, &s) != 0 || !S_ISDIR(s.st_mode))
        return ak_fail(ctx, AKIN_ENOENT,
                       "%s: not a folder (expected one with %s)", folder,
                       w->noun);
    return AKIN_OK;
}

akin_status ak_picture_walk_check(const ak_picture_walk *w, akin_ctx *ctx)
{
    if (w->root[0] != '\0' && ak_catalog_owns(w->catalog, w->root))
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s: inside the collection (expected a folder of %s)",
                       w->root, w->noun);
    return AKIN_OK;
}

akin_status ak_picture_walk_next(ak_picture_walk *w, akin_ctx *ctx, bool *found)
{
    return ak_source_next(w->catalog, ctx, &w->folder, w->root, found);
}

akin_status ak_picture_walk_list(ak_picture_walk *w, akin_ctx *ctx)
{
    ak_warnings warnings = {.all = true, .wants = ak_is_picture};
    akin_status st = ak_folder_list(&w->files, ctx, w->root, &warnings);
    w->unreadable += warnings.n[AK_SKIPPED_UNREADABLE];
    if (st == AKIN_ENOENT) {
        ak_log(ctx, AKIN_LOG_WARNING, "%s; skipped", akin_ctx_message(ctx));
        ++w->unreadable;
        st = AKIN_OK;
    }
    return st;
}

akin_status ak_picture_walk_each(ak_picture_walk *w, void *arg,
                                 akin_status (*take)(void *arg,
                                                     const ak_document *d))
{
    for (int64_t i = 0; i < w->files.n; ++i) {
        const ak_document *d = &w->files.documents[i];
        if (ak_catalog_owns(w->catalog, d->path))
            continue;
        if (ak_is_picture(d->path))
            AK_CHECK(take(arg, d));
        else
            ++w->others;
    }
    return AKIN_OK;
}

akin_status ak_picture_walk_skip(ak_picture_walk *w, akin_ctx *ctx,
                                 const char *path, const char *why)
{
    ++w->unreadable;
    ak_log(ctx, AKIN_LOG_WARNING, "%s; skipped", why);
    return ak_left_out_add(w->catalog, ctx, path, why);
}

const char *ak_picture_walk_name(const ak_picture_walk *w, const char *path)
{
    return path + strlen(w->root) + 1;
}

void ak_picture_walk_end(ak_picture_walk *w)
{
    ak_folder_free(&w->files);
}

akin_status ak_picture_walk_parts(const ak_picture_walk *w, akin_ctx *ctx,
                                  int64_t count, int64_t window, void *arg,
                                  akin_status (*take)(void *arg, int64_t first,
                                                      int64_t n))
{
    for (int64_t at = 0; at < count; at += window) {
        AK_CHECK(ak_ctx_tick(ctx, w->noun, at, count, NAN));
        AK_CHECK(take(arg, at, ak_min_i64(window, count - at)));
    }
    return ak_ctx_tick(ctx, w->noun, count, count, NAN);
}

akin_status ak_picture_walk_finish(const ak_picture_walk *w, akin_ctx *ctx)
{
    AK_CHECK(ak_segments_update(w->catalog, ctx));
    AK_CHECK(ak_sql_run(&w->catalog->sql, ctx, "UPDATE folders SET done = 1"));
    ak_sql_tidy(&w->catalog->sql);
    return AKIN_OK;
}
