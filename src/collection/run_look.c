/* Pictures into the catalogue, some at a time: each time is one transaction,
 * so that a run that is killed has whole pictures, each of them once. */
#include <math.h>
#include <string.h>

#include "collection/run.h"
#include "vision/moments.h"

akin_status ak_run_leave_out(ak_run *r, const char *path, const char *why)
{
    const ak_blob key = {path, strlen(path)};
    ++r->info.left_out;
    ak_log(r->ctx, AKIN_LOG_WARNING, "%s, left out", why);
    return ak_sql_do(&r->catalog.sql, r->ctx,
                     "INSERT OR REPLACE INTO left_out VALUES(?, ?)", "bt", key,
                     why);
}

/* What is seen, as the catalogue has it. */
typedef struct blobs {
    ak_blob words, frames, colours;
} blobs;

static blobs blobs_of(const ak_seen *s)
{
    const size_t n = (size_t)s->n;
    return (blobs){
        {n ? (const void *)s->words : "", n * sizeof *s->words},
        {n ? (const void *)s->frames : "", n * sizeof *s->frames},
        {s->colours, AK_MOMENTS_DIM * sizeof *s->colours},
    };
}

static akin_status insert(ak_run *r, const ak_todo *t, const ak_seen *s)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const ak_blob key = {t->path, strlen(t->path)};
    const blobs b = blobs_of(s);
    char *labels;
    akin_status st = AKIN_OK;
    AK_TRY(ak_picture_labels_of(&r->labels, r->ctx,
                                t->path + strlen(r->root) + 1, t->folder_label,
                                &labels));
    AK_TRY(ak_sql_do(&r->catalog.sql, r->ctx,
                     "INSERT INTO pictures VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
                     "ibitiiibbbii", r->next_row, key, r->folder, labels,
                     s->width, s->height, s->n, b.words, b.frames, b.colours,
                     t->stamp.size, t->stamp.modified));
    ++r->next_row;
    ++r->info.added;
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* Its row, name and labels stay. */
static akin_status update(ak_run *r, const ak_todo *t, const ak_seen *s)
{
    const blobs b = blobs_of(s);
    ++r->info.changed;
    return ak_sql_do(&r->catalog.sql, r->ctx,
                     "UPDATE pictures SET width = ?, height = ?, n = ?, words "
                     "= ?, frames = ?, colours = ?, size = ?, modified = ? "
                     "WHERE row = ?",
                     "iiibbbiii", s->width, s->height, s->n, b.words, b.frames,
                     b.colours, t->stamp.size, t->stamp.modified, t->row);
}

static akin_status write_down(ak_run *r, const ak_todo *t, const ak_seen *s)
{
    const ak_blob key = {t->path, strlen(t->path)};
    akin_status st = AKIN_OK;
    if (s->why != NULL)
        return ak_run_leave_out(r, t->path, s->why);
    if (r->codebook == NULL)
        return AKIN_OK;  // nothing but blank ones
    AK_TRY(t->row < 0 ? insert(r, t, s) : update(r, t, s));
    AK_TRY(ak_sql_do(&r->catalog.sql, r->ctx,
                     "DELETE FROM left_out WHERE path = ?", "b", key));
done:
    return st;
}

/* Those of todo[0..n) that were not in the sample. */
static akin_status look_at(ak_run *r, const ak_todo *todo, int64_t n,
                           ak_seen *seen)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const char **paths;
    int64_t count = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, n, &paths));
    for (int64_t i = 0; i < n; ++i)
        if (todo[i].first < 0)
            paths[count++] = todo[i].path;
    AK_TRY(ak_eyes_look(r->eyes, r->ctx, paths, count, r->codebook, seen));
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status look_window(ak_run *r, const ak_todo *todo, int64_t n)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    ak_seen *seen = NULL;
    int64_t next = 0;
    bool begun = false;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, n, &seen));
    AK_TRY(look_at(r, todo, n, seen));
    AK_TRY(ak_sql_run(&r->catalog.sql, r->ctx, "BEGIN IMMEDIATE"));
    begun = true;
    for (int64_t i = 0; i < n; ++i)
        AK_TRY(write_down(r, &todo[i],
                          todo[i].first < 0 ? &seen[next++] : &todo[i].seen));
    AK_TRY(ak_sql_run(&r->catalog.sql, r->ctx, "COMMIT"));
    begun = false;
done:
    if (begun)
        sqlite3_exec(r->catalog.sql.db, "ROLLBACK", NULL, NULL, NULL);
    for (int64_t i = 0; seen != NULL && i < n; ++i)
        ak_seen_free(&seen[i]);
    ak_scratch_end(r->ctx, mark);
    return st;
}

akin_status ak_run_look(ak_run *r)
{
    const int64_t window = ak_eyes_window(r->eyes);
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_number(&r->catalog.sql, r->ctx,
                         "SELECT COUNT(*) FROM pictures", &r->next_row));
    for (int64_t at = 0; at < r->n_todo; at += window) {
        AK_TRY(ak_ctx_tick(r->ctx, "pictures", at, r->n_todo, NAN));
        AK_TRY(
            look_window(r, r->todo + at, ak_min_i64(window, r->n_todo - at)));
    }
    AK_TRY(ak_ctx_tick(r->ctx, "pictures", r->n_todo, r->n_todo, NAN));
done:
    return st;
}
