/* Which files of a folder are pictures that nobody has looked at yet. */
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collection/run.h"

/* Formats that libvips reads by loaders it trusts; and from ppm on, those that
 * are better named as not read than passed over. */
static bool is_picture(const char *path)
{
    static const char *const endings[] = {
        ".jpg", ".jpeg", ".jpe",  ".png",  ".gif", ".webp",
        ".tif", ".tiff", ".heic", ".avif", ".ppm", ".pgm",
        ".pbm", ".pnm",  ".bmp",  ".jp2",  ".jxl",
    };
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

static ak_stamp stamp_of(const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return (ak_stamp){0, 0};
    return (ak_stamp){s.st_size, (int64_t)s.st_mtim.tv_sec * 1000000000 +
                                     s.st_mtim.tv_nsec};
}

/* What the catalogue has of a picture. */
typedef struct known {
    int64_t row;  // -1: nothing
    ak_stamp stamp;
} known;

static akin_status ask_known(const ak_run *r, const char *path, known *out)
{
    const ak_blob key = {path, strlen(path)};
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    *out = (known){.row = -1};
    AK_TRY(ak_sql_ask(&r->catalog.sql, r->ctx, &q,
                      "SELECT row, size, modified FROM pictures WHERE path = ?",
                      "b", key));
    AK_TRY(ak_sql_next(&r->catalog.sql, r->ctx, q, &row));
    if (row)
        *out =
            (known){sqlite3_column_int64(q, 0),
                    {sqlite3_column_int64(q, 1), sqlite3_column_int64(q, 2)}};
done:
    sqlite3_finalize(q);
    return st;
}

/* Labels that were given after it was looked at. */
static akin_status relabel(const ak_run *r, const char *path, int64_t row)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const char *name = path + strlen(r->root) + 1;
    char *labels;
    akin_status st = AKIN_OK;
    if (r->labels.given &&
        ak_names_find(&r->labels.files, name, strlen(name)) >= 0) {
        AK_TRY(ak_picture_labels_of(&r->labels, r->ctx, name, NULL, &labels));
        AK_TRY(ak_sql_do(&r->catalog.sql, r->ctx,
                         "UPDATE pictures SET labels = ? WHERE row = ?", "ti",
                         labels, row));
    }
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* An akin that did not write it down has looked at it: it counts as the same
 * as it was. */
static akin_status note_stamp(const ak_run *r, int64_t row, ak_stamp s)
{
    return ak_sql_do(&r->catalog.sql, r->ctx,
                     "UPDATE pictures SET size = ?, modified = ? WHERE row = ?",
                     "iii", s.size, s.modified, row);
}

static akin_status list_picture(ak_run *r, const ak_document *d)
{
    const ak_stamp now = stamp_of(d->path);
    known k;
    akin_status st = AKIN_OK;
    if (r->anew)
        k = (known){.row = -1};
    else
        AK_TRY(ask_known(r, d->path, &k));
    if (k.row >= 0)
        AK_TRY(relabel(r, d->path, k.row));
    if (k.row >= 0 && k.stamp.modified == 0)
        return note_stamp(r, k.row, now);
    if (k.row >= 0 && k.stamp.modified == now.modified &&
        k.stamp.size == now.size)
        return AKIN_OK;
    r->todo[r->n_todo++] = (ak_todo){
        .path = d->path,
        .row = k.row,
        .stamp = now,
        .folder_label = d->label < 0 ? NULL : r->files.classes[d->label],
        .first = -1};
done:
    return st;
}

static akin_status list_files(ak_run *r)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(r->ctx, r->files.n, &r->todo));
    for (int64_t i = 0; i < r->files.n; ++i) {
        const ak_document *d = &r->files.documents[i];
        if (is_ours(r, d->path))
            continue;
        if (is_picture(d->path))
            AK_TRY(list_picture(r, d));
        else
            ++r->info.passed_over;
    }
done:
    return st;
}

static akin_status count_gone(ak_run *r)
{
    char path[PATH_MAX];
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&r->catalog.sql, r->ctx, &q,
                      "SELECT path FROM pictures WHERE folder = ?", "i",
                      r->folder));
    for (;;) {
        AK_TRY(ak_sql_next(&r->catalog.sql, r->ctx, q, &row));
        const size_t n = row ? (size_t)sqlite3_column_bytes(q, 0) : 0;
        if (!row)
            break;
        if (n == 0 || n >= sizeof path)
            continue;
        memcpy(path, sqlite3_column_blob(q, 0), n);
        path[n] = '\0';
        r->info.gone += access(path, F_OK) != 0;
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* A folder that an earlier run was interrupted at may be gone since: others
 * are not to wait for it. */
static akin_status read_folder(ak_run *r)
{
    ak_trouble trouble = {.all = true};
    akin_status st = ak_folder_list(&r->files, r->ctx, r->root, &trouble);
    r->info.left_out += trouble.n[AK_LEFT_OUT_UNREADABLE];
    if (st == AKIN_ENOENT) {
        ak_log(r->ctx, AKIN_LOG_WARNING, "%s, left out",
               akin_ctx_message(r->ctx));
        ++r->info.left_out;
        st = AKIN_OK;
    }
    return st;
}

akin_status ak_run_list(ak_run *r)
{
    bool begun = false;
    akin_status st = AKIN_OK;
    AK_TRY(read_folder(r));
    if (r->anew)
        return list_files(r);
    AK_TRY(ak_sql_run(&r->catalog.sql, r->ctx, "BEGIN IMMEDIATE"));
    begun = true;
    AK_TRY(list_files(r));
    AK_TRY(count_gone(r));
    AK_TRY(ak_sql_run(&r->catalog.sql, r->ctx, "COMMIT"));
    begun = false;
done:
    if (begun)
        sqlite3_exec(r->catalog.sql.db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

void ak_run_forget(ak_run *r)
{
    for (int64_t i = 0; i < r->n_todo; ++i)
        ak_seen_free(&r->todo[i].seen);
    akin_free(r->todo);
    akin_free(r->sample);
    ak_folder_free(&r->files);
    r->todo = NULL;
    r->sample = NULL;
    r->n_todo = r->n_sample = r->sample_room = 0;
}
