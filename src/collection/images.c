/* Collections made, continued, added to. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "collection/derive.h"
#include "collection/figures.h"
#include "collection/run.h"

/* ---- folders ----------------------------------------------------------------
 */

static akin_status resolve(ak_run *r, const char *folder)
{
    struct stat s;
    if (realpath(folder, r->root) == NULL)
        return ak_file_fail(r->ctx, AKIN_ENOENT, folder);
    if (stat(r->root, &s) != 0 || !S_ISDIR(s.st_mode))
        return ak_fail(r->ctx, AKIN_ENOENT,
                       "%s: not a folder (expected one with pictures)", folder);
    return AKIN_OK;
}

static akin_status need_other_folder(const ak_run *r)
{
    const size_t n = strlen(r->catalog.real);
    if (strncmp(r->root, r->catalog.real, n) == 0 &&
        (r->root[n] == '/' || r->root[n] == '\0'))
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: in the collection itself (expected a folder of "
                       "pictures)",
                       r->root);
    return AKIN_OK;
}

/* The first folder behind number `folder` that is not done. */
static akin_status next_folder(ak_run *r, bool *found)
{
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&r->catalog.sql, r->ctx, &q,
                      "SELECT id, path FROM folders WHERE done = 0 AND id > ? "
                      "ORDER BY id LIMIT 1",
                      "i", r->folder));
    AK_TRY(ak_sql_next(&r->catalog.sql, r->ctx, q, found));
    const size_t n = *found ? (size_t)sqlite3_column_bytes(q, 1) : 0;
    if (n >= PATH_MAX)
        AK_TRY(ak_fail(r->ctx, AKIN_EFORMAT, "%s: a path is too long",
                       r->catalog.sql.path));
    if (*found) {
        r->folder = sqlite3_column_int64(q, 0);
        memcpy(r->root, sqlite3_column_blob(q, 1), n);
        r->root[n] = '\0';
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* ---- the run ----------------------------------------------------------------
 */

static akin_status run_folder(ak_run *r)
{
    akin_status st = AKIN_OK;
    if (!r->anew)  // else that is done
        AK_TRY(ak_run_list(r));
    AK_TRY(ak_run_look(r));
done:
    ak_run_forget(r);
    r->anew = false;
    return st;
}

/* Also those that an earlier run was interrupted at. */
static akin_status run_folders(ak_run *r)
{
    bool found = true;
    akin_status st = AKIN_OK;
    while (found) {
        AK_TRY(next_folder(r, &found));
        if (found)
            AK_TRY(run_folder(r));
    }
    if (r->next_row == 0)
        AK_TRY(ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: no picture that can be read and has anything to "
                       "describe",
                       r->root));
    AK_TRY(ak_derive(r->ctx, &r->catalog, r->codebook->k));
    AK_TRY(ak_sql_run(&r->catalog.sql, r->ctx, "UPDATE folders SET done = 1"));
    /* All is there; one file instead of two is better, and no more. */
    sqlite3_exec(r->catalog.sql.db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL,
                 NULL, NULL);
done:
    return st;
}

static akin_status finish(ak_run *r, akin_status st, akin_images_info *info)
{
    const akin_images_info run = r->info;
    if (st == AKIN_OK && info != NULL) {
        st = ak_figures(&r->catalog, r->ctx, r->codebook->k, info);
        info->added = run.added;
        info->left_out = run.left_out;
        info->passed_over = run.passed_over;
        info->changed = run.changed;
        info->gone = run.gone;
    }
    ak_run_forget(r);
    ak_eyes_close(r->eyes);
    ak_codebook_free(r->codebook);
    ak_picture_labels_free(&r->labels);
    if (st != AKIN_OK && !r->claimed)
        ak_catalog_undo(&r->catalog);
    ak_catalog_close(&r->catalog);
    return st;
}

static akin_status read_labels(ak_run *r)
{
    if (r->o.labels == NULL)
        return AKIN_OK;
    return ak_picture_labels_read(&r->labels, r->ctx, r->o.labels,
                                  r->o.label_column);
}

static akin_status run(akin_ctx *ctx, const char *path, const char *folder,
                       const akin_images_options *options,
                       akin_images_info *info, bool adds)
{
    ak_run r = {.ctx = ctx, .o = AKIN_IMAGES_DEFAULTS};
    akin_status st = AKIN_OK;
    r.catalog.lock = -1;
    ak_options_take(&r.o, sizeof r.o, options);
    AK_TRY(ak_run_check(ctx, &r.o));
    if (adds && !ak_catalog_is(path))
        AK_TRY(ak_fail(ctx, AKIN_ENOENT, "%s: not a collection", path));
    AK_TRY(read_labels(&r));
    AK_TRY(resolve(&r, folder));
    AK_TRY(ak_catalog_open(&r.catalog, ctx, path,
                           r.o.force && !adds ? AK_CATALOG_REPLACE
                                              : AK_CATALOG_WRITE));
    AK_TRY(need_other_folder(&r));
    AK_TRY(adds ? ak_run_recall(&r) : ak_run_claim(&r));
    AK_TRY(run_folders(&r));
done:
    return finish(&r, st, info);
}

akin_status akin_images_make(akin_ctx *ctx, const char *path,
                             const char *folder,
                             const akin_images_options *options,
                             akin_images_info *info)
{
    return run(ctx, path, folder, options, info, false);
}

akin_status akin_images_add(akin_ctx *ctx, const char *path, const char *folder,
                            const akin_images_options *options,
                            akin_images_info *info)
{
    return run(ctx, path, folder, options, info, true);
}

akin_status akin_images_model(akin_ctx *ctx, const char *path,
                              const akin_model *model)
{
    ak_catalog c = {.lock = -1};
    ak_codebook *codebook = NULL;
    char file[PATH_MAX];
    akin_outputs outputs;
    akin_rows *bags = NULL;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    akin_outputs_begin(ctx, &outputs);
    if (!ak_catalog_is(path))
        AK_TRY(ak_fail(ctx, AKIN_ENOENT, "%s: not a collection", path));
    AK_TRY(ak_catalog_open(&c, ctx, path, AK_CATALOG_WRITE));
    AK_TRY(ak_words_load(&codebook, ctx, path));
    AK_TRY(ak_derive_bags(&bags, ctx, &c, codebook->k));
    AK_TRY(ak_derive_index(&x, ctx, model, bags));
    AK_TRY(ak_catalog_file(&c, ctx, ak_file_index, file));
    AK_TRY(akin_index_save(ctx, x, file));
    AK_TRY(ak_catalog_file(&c, ctx, ak_file_model, file));
    if (model != NULL)
        AK_TRY(akin_model_save(ctx, model, file));
    else if (unlink(file) != 0 && errno != ENOENT)
        AK_TRY(ak_file_fail(ctx, AKIN_EIO, file));
done:
    akin_index_free(x);
    akin_rows_free(bags);
    ak_codebook_free(codebook);
    ak_catalog_close(&c);
    return akin_outputs_end(ctx, &outputs, st);
}
