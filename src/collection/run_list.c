/* Which files of a folder are pictures that nobody has looked at yet. */
#include <string.h>
#include <strings.h>

#include "collection/run.h"

/* Formats that libvips reads without loaders it calls untrusted. */
static bool is_picture(const char *path)
{
    static const char *const endings[] = {
        ".jpg",  ".jpeg", ".jpe",  ".png", ".gif", ".webp", ".tif",
        ".tiff", ".heic", ".avif", ".ppm", ".pgm", ".pbm",  ".pnm"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; ++i)
        if (strcasecmp(dot, endings[i]) == 0)
            return true;
    return false;
}

/* The collection may lie in the folder that it is made from. */
static bool is_ours(const ak_run *r, const char *path)
{
    const size_t n = strlen(r->catalog.real);
    return strncmp(path, r->catalog.real, n) == 0 && path[n] == '/';
}

static akin_status is_known(const ak_run *r, const char *path, bool *known)
{
    const ak_blob key = {path, strlen(path)};
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&r->catalog.sql, r->ctx, &q,
                      "SELECT 1 FROM pictures WHERE path = ?", "b", key));
    AK_TRY(ak_sql_next(&r->catalog.sql, r->ctx, q, known));
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_run_list(ak_run *r)
{
    ak_trouble trouble = {.all = true};
    akin_status st = AKIN_OK;
    AK_TRY(ak_folder_list(&r->files, r->ctx, r->root, &trouble));
    r->info.left_out += trouble.n[AK_LEFT_OUT_UNREADABLE];
    AK_TRY(AK_NEW(r->ctx, r->files.n, &r->todo));
    for (int64_t i = 0; i < r->files.n; ++i) {
        const ak_document *d = &r->files.documents[i];
        bool known = false;
        if (is_ours(r, d->path))
            continue;
        if (!is_picture(d->path)) {
            ++r->info.passed_over;
            continue;
        }
        AK_TRY(is_known(r, d->path, &known));
        if (known)
            continue;
        r->todo[r->n_todo++] = (ak_todo){
            .path = d->path,
            .folder_label = d->label < 0 ? NULL : r->files.classes[d->label],
            .first = -1};
    }
done:
    return st;
}

void ak_run_forget(ak_run *r)
{
    for (int64_t i = 0; i < r->n_todo; ++i)
        ak_seen_free(&r->todo[i].seen, r->ctx);
    ak_release(r->ctx, r->todo);
    ak_release(r->ctx, r->sample);
    ak_folder_free(&r->files, r->ctx);
    r->todo = NULL;
    r->sample = NULL;
    r->n_todo = r->n_sample = r->sample_room = 0;
}
