/* Faces that a person draws: a box becomes a face with landmarks and a vector,
 * and an answer that can be undone.
 *
 * The photo is looked at before anything is written, and without a lock: what
 * is stored then is one short transaction. */
#include "collection/faces/drawn.h"

#include <math.h>
#include <string.h>

#include "collection/faces/answers.h"
#include "collection/faces/finder.h"

enum { VALUE = 32, SECONDS = 60, SIDE_LEAST = 8 };  // pixels

/* A photo and how it is looked at. */
typedef struct drawing {
    akin_drawing o;
    ak_catalog_photo photo;
    char name[PATH_MAX], path[PATH_MAX];
    ak_finder_options how;
} drawing;

static akin_status take_settings(drawing *d, akin_ctx *ctx, const ak_catalog *c)
{
    char descriptor[VALUE];
    AK_CHECK(
        ak_catalog_get(c, ctx, "descriptor", descriptor, sizeof descriptor));
    if (descriptor[0] == '\0')
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s has faces whose vectors were given; no box can be "
                       "drawn in it",
                       c->folder);
    d->how.face = (ak_face_options){
        .detector = AK_DETECTOR_HOG,  // which is not asked
        .descriptor = strcmp(descriptor, "resnet") == 0 ? AK_FACE_RESNET
                                                        : AK_FACE_PATCHES,
        .seconds = SECONDS};
    return ak_catalog_get_number(c, ctx, "side", &d->how.side);
}

static akin_status take_photo(drawing *d, akin_ctx *ctx, const ak_catalog *c)
{
    ak_catalog_photo *p = &d->photo;
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT name, path, folder, width, height FROM photos "
                      "WHERE id = ?",
                      "i", d->o.photo_id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    if (!found)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: no photo with id %" PRId64,
                       c->folder, d->o.photo_id));
    if (!ak_path_take(q, 0, d->name) || !ak_path_take(q, 1, d->path))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: photo %" PRId64 " has no file",
                       c->folder, d->o.photo_id));
    *p = (ak_catalog_photo){.id = d->o.photo_id,
                            .name = d->name,
                            .path = d->path,
                            .folder = sqlite3_column_int64(q, 2),
                            .width = sqlite3_column_int64(q, 3),
                            .height = sqlite3_column_int64(q, 4)};
done:
    sqlite3_finalize(q);
    return st;
}

/* A part of the photo that has pixels enough. */
static akin_status check_box(const drawing *d, akin_ctx *ctx)
{
    const akin_drawing *o = &d->o;
    const double W = (double)d->photo.width, H = (double)d->photo.height;
    const bool good = o->width >= SIDE_LEAST && o->height >= SIDE_LEAST &&
                      o->x >= 0.0 && o->y >= 0.0 && o->x + o->width <= W &&
                      o->y + o->height <= H;  // false also for NAN
    return good ? AKIN_OK
                : ak_fail(ctx, AKIN_EINVAL,
                          "the box is not in the photo, or below %d pixels "
                          "(the photo has %" PRId64 " x %" PRId64 ")",
                          SIDE_LEAST, d->photo.width, d->photo.height);
}

static akin_status check_face(const akin_drawing *o, akin_ctx *ctx,
                              const ak_catalog *c)
{
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    if (o->face < 0)
        return AKIN_OK;
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q,
                            "SELECT 1 FROM faces WHERE item = ? AND photo = ?",
                            "ii", o->face, o->photo_id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    if (!found)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s: photo %" PRId64 " has no face with id %" PRId64,
                       c->folder, o->photo_id, o->face));
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

/* ---- pixels ---- */

/* The program that looks at faces takes a second to start, so it is kept for
 * the next box. */
static akin_status need_finder(akin_answers *a, akin_ctx *ctx,
                               const ak_finder_options *how)
{
    if (a->finder != NULL && a->side == how->side &&
        a->descriptor == (int64_t)how->face.descriptor)
        return AKIN_OK;
    ak_face_finder_free(a->finder);
    a->finder = NULL;
    AK_CHECK(ak_face_finder_new(&a->finder, ctx, how));
    a->side = how->side;
    a->descriptor = (int64_t)how->face.descriptor;
    return AKIN_OK;
}

static akin_status look(const drawing *d, akin_ctx *ctx, akin_answers *a,
                        ak_face_task *task)
{
    const akin_drawing *o = &d->o;
    const double box[4] = {o->x, o->y, o->width, o->height};
    ak_boxes boxes = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_boxes_add(&boxes, ctx, box, NULL, 0));
    AK_TRY(need_finder(a, ctx, &d->how));
    *task = (ak_face_task){.path = d->path, .boxes = &boxes};
    AK_TRY(ak_face_finder_run(a->finder, ctx, task, 1));
    if (task->why != NULL)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s", task->why));
    if (task->faces.n != 1)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: the box was not looked at",
                       d->path));
    if (task->width != d->photo.width || task->height != d->photo.height)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s has another size now (`add` its folder again)",
                       d->path));
done:
    task->boxes = NULL;
    ak_boxes_free(&boxes);
    return st;
}

/* ---- to the disk ---- */

static akin_status insert(const ak_catalog *c, akin_ctx *ctx,
                          const akin_drawing *o, int64_t face, ak_blob before,
                          int64_t *number)
{
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "INSERT INTO answers(key, item, kind, user, x, y, "
                       "width, height, before) VALUES(?,?,'box',?,?,?,?,?,?)",
                       "titddddb", o->key, face, o->user ? o->user : "", o->x,
                       o->y, o->width, o->height, before));
    *number = sqlite3_last_insert_rowid(c->sql.db);
    return AKIN_OK;
}

akin_status ak_drawing_put(int64_t *face, int64_t *number, akin_ctx *ctx,
                           const ak_catalog *c, const ak_catalog_photo *p,
                           const akin_drawing *o, const ak_face_set *faces)
{
    char *before = NULL;
    size_t n = 0;
    akin_status st = AKIN_OK;
    *face = o->face;
    AK_TRY(check_face(o, ctx, c));
    if (*face < 0)
        AK_TRY(ak_photo_face_at(c, ctx, p->id, faces->faces[0].box, face));
    if (*face >= 0)
        AK_TRY(ak_face_pack(c, ctx, *face, &before, &n));
    AK_TRY(ak_photo_draw_face(c, ctx, p, faces, face));
    AK_TRY(insert(c, ctx, o, *face, (ak_blob){before, n}, number));
done:
    akin_free(before);
    return st;
}

/* That with the key: number 0, there is none. */
static akin_status find_key(const drawing *d, akin_ctx *ctx,
                            const ak_catalog *c, int64_t *face, int64_t *number)
{
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    *number = 0;
    if (d->o.key == NULL)
        return AKIN_OK;
    AK_TRY(ak_answer_by_key(c, ctx, d->o.key, number));
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT ifnull(item, -1) FROM answers WHERE number = ?",
                      "i", *number));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &found));
    if (found)
        *face = sqlite3_column_int64(q, 0);
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status store(const drawing *d, akin_ctx *ctx, const ak_catalog *c,
                         const ak_face_set *faces, int64_t *face,
                         int64_t *number)
{
    AK_CHECK(find_key(d, ctx, c, face, number));
    return *number > 0
               ? AKIN_OK
               : ak_drawing_put(face, number, ctx, c, &d->photo, &d->o, faces);
}

static akin_status check(drawing *d, akin_ctx *ctx, const ak_catalog *c)
{
    const akin_answer x = {.kind = "box", .key = d->o.key, .user = d->o.user};
    AK_CHECK(ak_answer_check(c, ctx, &x));
    AK_CHECK(take_settings(d, ctx, c));
    AK_CHECK(take_photo(d, ctx, c));
    AK_CHECK(check_box(d, ctx));
    return check_face(&d->o, ctx, c);
}

akin_status akin_answers_draw(int64_t *face, int64_t *number, akin_ctx *ctx,
                              akin_answers *a, const akin_drawing *given)
{
    drawing d = {.o = AKIN_DRAWING_INIT};
    ak_face_task task = {0};
    akin_status st = AKIN_OK;
    ak_options_take(&d.o, sizeof d.o, given);
    AK_TRY(ak_answers_write(a, ctx));
    AK_TRY(find_key(&d, ctx, &a->catalog, face, number));
    if (*number > 0)
        goto done;
    AK_TRY(check(&d, ctx, &a->catalog));
    AK_TRY(look(&d, ctx, a, &task));
    AK_TRY(ak_sql_begin(&a->catalog.sql, ctx));
    AK_TRY(ak_sql_end(&a->catalog.sql, ctx,
                      store(&d, ctx, &a->catalog, &task.faces, face, number)));
    AK_TRY(ak_answers_index(a, ctx));
done:
    ak_face_task_free(&task);
    return st;
}
