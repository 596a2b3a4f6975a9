/* Faces of an open collection, and its captions as supervision. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "collection/collection.h"
#include "collection/faces/answers.h"
#include "collection/faces/photos.h"
#include "collection/pictures/thumbnail.h"
#include "data/captions/folded_names.h"

akin_status ak_faces_counts(const ak_catalog *c, akin_ctx *ctx,
                            akin_faces_info *info)
{
    AK_CHECK(ak_items_count(c, ctx, &info->faces));
    AK_CHECK(ak_sql_number(&c->sql, ctx, "SELECT COUNT(*) FROM photos",
                           &info->photos));
    AK_CHECK(ak_sql_number(&c->sql, ctx,
                           "SELECT COUNT(*) FROM photos WHERE caption IS NOT "
                           "NULL OR id IN (SELECT photo FROM caption_names)",
                           &info->captions));
    return ak_sql_number(&c->sql, ctx, "SELECT dim FROM spaces WHERE id = 0",
                         &info->dim);
}

static akin_status need_faces(akin_ctx *ctx, const akin_collection *c)
{
    return strcmp(c->kind, "faces") == 0
               ? AKIN_OK
               : ak_fail(ctx, AKIN_EINVAL,
                         "%s is a collection of %s, not of "
                         "faces",
                         c->catalog.folder, c->kind);
}

akin_status akin_faces_count(akin_faces_info *info, akin_ctx *ctx,
                             const akin_collection *c)
{
    *info = (akin_faces_info){0};
    AK_CHECK(need_faces(ctx, c));
    return ak_faces_counts(&c->catalog, ctx, info);
}

/* ---- one face ---- */

static akin_status ask_face(akin_collection *c, akin_ctx *ctx, int64_t id)
{
    if (c->face != NULL) {
        sqlite3_reset(c->face);
        sqlite3_bind_int64(c->face, 1, id);
        return AKIN_OK;
    }
    return ak_sql_ask(
        &c->catalog.sql, ctx, &c->face,
        "SELECT f.item, f.photo, CAST(p.name AS TEXT), CAST(p.path AS TEXT), "
        "p.width, p.height, p.caption, f.x, f.y, f.width, f.height, f.score, "
        "f.sharpness, f.roll, f.turn, f.landmarks FROM faces f JOIN photos p "
        "ON p.id = f.photo WHERE f.item = ?",
        "i", id);
}

/* NAN where there is none. */
static double real(const akin_collection *c, int column)
{
    return sqlite3_column_type(c->face, column) == SQLITE_NULL
               ? (double)NAN
               : sqlite3_column_double(c->face, column);
}

static void take_points(const akin_collection *c, int column, akin_face *f)
{
    const bool whole = sqlite3_column_bytes(c->face, column) ==
                       (int)sizeof f->points;
    for (int k = 0; k < 2 * AKIN_FACE_POINTS; ++k)
        f->points[k] = (double)NAN;
    if (whole)
        memcpy(f->points, sqlite3_column_blob(c->face, column),
               sizeof f->points);
}

akin_status akin_faces_get(akin_face *out, akin_ctx *ctx, akin_collection *c,
                           int64_t row)
{
    bool found = false;
    AK_CHECK(need_faces(ctx, c));
    AK_CHECK(ask_face(c, ctx, row < 0 ? row : ak_collection_id(c, row)));
    AK_CHECK(ak_sql_next(&c->catalog.sql, ctx, c->face, &found));
    if (!found)
        return ak_fail(ctx, AKIN_ESHAPE, "%s: no face %" PRId64,
                       c->catalog.folder, row);
    *out = (akin_face){
        .id = sqlite3_column_int64(c->face, 0),
        .photo_id = sqlite3_column_int64(c->face, 1),
        .photo = (const char *)sqlite3_column_text(c->face, 2),
        .path = (const char *)sqlite3_column_text(c->face, 3),
        .photo_width = sqlite3_column_int64(c->face, 4),
        .photo_height = sqlite3_column_int64(c->face, 5),
        .caption = (const char *)sqlite3_column_text(c->face, 6),
        .x = real(c, 7),
        .y = real(c, 8),
        .width = real(c, 9),
        .height = real(c, 10),
        .score = real(c, 11),
        .sharpness = real(c, 12),
        .roll = real(c, 13),
        .turn = real(c, 14),
    };
    take_points(c, 15, out);
    return AKIN_OK;
}

/* What a question with one number says, as a list of numbers. */
static akin_status list_ids(int64_t **ids, int64_t *n, akin_ctx *ctx,
                            const akin_collection *c, const char *question,
                            int64_t argument)
{
    sqlite3_stmt *q = NULL;
    int64_t *list = NULL, count = 0, room = 0;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_grow(ctx, 1, &room, sizeof *list, &list));
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q, question, "i", argument));
    for (;;) {
        AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(ak_grow(ctx, count + 1, &room, sizeof *list, &list));
        list[count++] = sqlite3_column_int64(q, 0);
    }
    *ids = list;
    *n = count;
    list = NULL;
done:
    sqlite3_finalize(q);
    akin_free(list);
    return st;
}

akin_status akin_faces_of_photo(int64_t **ids, int64_t *n, akin_ctx *ctx,
                                akin_collection *c, int64_t photo_id)
{
    return list_ids(ids, n, ctx, c,
                    "SELECT item FROM faces WHERE photo = ? ORDER BY number",
                    photo_id);
}

/* ---- photos ---- */

akin_status akin_faces_without(int64_t **ids, int64_t *n, akin_ctx *ctx,
                               akin_collection *c)
{
    AK_CHECK(need_faces(ctx, c));
    return list_ids(ids, n, ctx, c,
                    "SELECT id FROM photos p WHERE id > ? AND path IS NOT NULL "
                    "AND width > 0 AND NOT EXISTS (SELECT 1 FROM faces WHERE "
                    "photo = p.id) ORDER BY id",
                    -1);
}

akin_status akin_faces_photo(akin_photo *out, akin_ctx *ctx, akin_collection *c,
                             int64_t photo_id)
{
    bool found = false;
    AK_CHECK(need_faces(ctx, c));
    sqlite3_finalize(c->photo);
    c->photo = NULL;
    AK_CHECK(ak_sql_ask(&c->catalog.sql, ctx, &c->photo,
                        "SELECT id, CAST(name AS TEXT), CAST(path AS TEXT), "
                        "caption, ifnull(width, 0), ifnull(height, 0), (SELECT "
                        "COUNT(*) FROM faces WHERE photo = p.id) FROM photos p "
                        "WHERE id = ?",
                        "i", photo_id));
    AK_CHECK(ak_sql_next(&c->catalog.sql, ctx, c->photo, &found));
    if (!found)
        return ak_fail(ctx, AKIN_EINVAL, "%s: no photo with id %" PRId64,
                       c->catalog.folder, photo_id);
    *out = (akin_photo){
        .id = sqlite3_column_int64(c->photo, 0),
        .name = (const char *)sqlite3_column_text(c->photo, 1),
        .path = (const char *)sqlite3_column_text(c->photo, 2),
        .caption = (const char *)sqlite3_column_text(c->photo, 3),
        .width = sqlite3_column_int64(c->photo, 4),
        .height = sqlite3_column_int64(c->photo, 5),
        .faces = sqlite3_column_int64(c->photo, 6),
    };
    return AKIN_OK;
}

akin_status akin_faces_photo_picture(uint8_t **jpeg, int64_t *n, akin_ctx *ctx,
                                     akin_collection *c, int64_t photo_id,
                                     int64_t side)
{
    ak_image image = {0};
    akin_photo p;
    akin_status st = AKIN_OK;
    AK_TRY(akin_faces_photo(&p, ctx, c, photo_id));
    if (p.path == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: photo %" PRId64 " has no file",
                       c->catalog.folder, photo_id));
    AK_TRY(ak_thumbnail_read(c, ctx, p.path, side, &image));
    AK_TRY(ak_thumbnail_write(c, ctx, &image, jpeg, n));
done:
    ak_image_free(&image);
    return st;
}

/* ---- the picture of a face ---- */

static double clamp(double x, double least, double most)
{
    return fmax(least, fmin(most, x));
}

/* The part of the photo to show, in its pixels: x, y, width, height. */
static void part_of(const akin_face *f, double part[4])
{
    static const double margin = 0.4;  // of the box, on each side
    const double W = (double)f->photo_width, H = (double)f->photo_height;
    part[0] = clamp(f->x - margin * f->width, 0.0, W - 1.0);
    part[1] = clamp(f->y - margin * f->height, 0.0, H - 1.0);
    part[2] = clamp(f->x + (1.0 + margin) * f->width, part[0] + 1.0, W) -
              part[0];
    part[3] = clamp(f->y + (1.0 + margin) * f->height, part[1] + 1.0, H) -
              part[1];
}

/* In place. */
static void crop_image(ak_image *image, const akin_face *f,
                       const double part[4])
{
    const double scale = (double)image->width / (double)f->photo_width;
    const int64_t x = ak_min_i64((int64_t)(part[0] * scale), image->width - 1);
    const int64_t y = ak_min_i64((int64_t)(part[1] * scale), image->height - 1);
    const int64_t w =
        ak_max_i64(1, ak_min_i64((int64_t)(part[2] * scale), image->width - x));
    const int64_t h = ak_max_i64(
        1, ak_min_i64((int64_t)(part[3] * scale), image->height - y));
    for (int64_t i = 0; i < h; ++i)
        memmove(image->rgb + 3 * i * w,
                image->rgb + 3 * ((y + i) * image->width + x), (size_t)(3 * w));
    image->width = w;
    image->height = h;
}

akin_status akin_faces_picture(uint8_t **jpeg, int64_t *n, akin_ctx *ctx,
                               akin_collection *c, int64_t row, int64_t side,
                               int crop)
{
    enum { SIDE_MOST = 4096 };
    double part[4];
    ak_image image = {0};
    akin_face f;
    akin_status st = AKIN_OK;
    AK_TRY(akin_faces_get(&f, ctx, c, row));
    if (f.path == NULL || (crop && (isnan(f.x) || f.photo_width <= 0)))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: face %" PRId64 " has no picture",
                       c->catalog.folder, f.id));
    if (crop) {
        part_of(&f, part);
        const double longest =
            (double)ak_max_i64(f.photo_width, f.photo_height);
        side = (int64_t)clamp((double)side * longest / fmax(part[2], part[3]),
                              (double)side, SIDE_MOST);
    }
    AK_TRY(ak_thumbnail_read(c, ctx, f.path, side, &image));
    if (crop)
        crop_image(&image, &f, part);
    AK_TRY(ak_thumbnail_write(c, ctx, &image, jpeg, n));
done:
    ak_image_free(&image);
    return st;
}

/* ---- captions ---- */

/* Captions as lines of JSON, as akin_supervision_captions reads them. */
typedef struct caption_lines {
    char *text;
    int64_t n, room;
    ak_merges merges;  // of names
} caption_lines;

static akin_status add_line(caption_lines *l, akin_ctx *ctx, const json_t *line)
{
    char *text = json_dumps(line, JSON_COMPACT);
    const size_t n = text ? strlen(text) : 0;
    akin_status st = AKIN_OK;
    if (text == NULL)
        AK_TRY(ak_nomem(ctx, 0));
    AK_TRY(ak_grow(ctx, l->n + (int64_t)n + 2, &l->room, 1, &l->text));
    memcpy(l->text + l->n, text, n);
    l->n += (int64_t)n;
    l->text[l->n++] = '\n';
    l->text[l->n] = '\0';
done:
    free(text);
    return st;
}

/* The next entry of a list: the row of an item. */
static akin_status add_row(json_t *list, akin_ctx *ctx,
                           const akin_collection *c, int64_t item)
{
    json_t *one = json_integer(ak_collection_row(c, item));
    return json_array_append_new(list, one) == 0 ? AKIN_OK : ak_nomem(ctx, 0);
}

/* The name of a person, unless the list has it by another of their names. */
static akin_status add_name(json_t *list, akin_ctx *ctx,
                            const ak_merges *merges, ak_folded_names *seen,
                            const char *text)
{
    const int64_t before = seen->keys.n;
    const char *name;
    int32_t number;
    AK_CHECK(ak_merged_name(&name, ctx, merges, text));
    AK_CHECK(ak_folded_names_add(seen, ctx, name, strlen(name), &number));
    if (seen->keys.n == before)
        return AKIN_OK;
    return json_array_append_new(list, json_string(name)) == 0
               ? AKIN_OK
               : ak_nomem(ctx, 0);
}

/* What a question says of a photo: names, or items as their rows where `merges`
 * is NULL. */
static akin_status list_of(const akin_collection *c, akin_ctx *ctx,
                           const char *question, int64_t photo,
                           const ak_merges *merges, json_t *list)
{
    ak_folded_names seen = {0};
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q, question, "i", photo));
    for (;;) {
        AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(merges ? add_name(list, ctx, merges, &seen,
                                 (const char *)sqlite3_column_text(q, 0))
                      : add_row(list, ctx, c, sqlite3_column_int64(q, 0)));
    }
done:
    ak_folded_names_free(&seen);
    sqlite3_finalize(q);
    return st;
}

/* Its name where that is text, else its number. */
static json_t *photo_name(sqlite3_stmt *q)
{
    const char *name = sqlite3_column_blob(q, 1);
    const size_t n = (size_t)sqlite3_column_bytes(q, 1);
    return n > 0 && ak_utf8_span(name, n) == n
               ? json_stringn(name, n)
               : json_sprintf("photo %" JSON_INTEGER_FORMAT,
                              (json_int_t)sqlite3_column_int64(q, 0));
}

static akin_status add_photo(caption_lines *l, akin_ctx *ctx,
                             const akin_collection *c, sqlite3_stmt *q)
{
    const int64_t photo = sqlite3_column_int64(q, 0);
    json_t *faces = json_array(), *names = json_array();
    json_t *line = json_pack("{s:o?, s:o?, s:o?}", "photo", photo_name(q),
                             "faces", faces, "names", names);
    akin_status st = AKIN_OK;
    if (line == NULL)
        AK_TRY(ak_nomem(ctx, 0));
    AK_TRY(list_of(c, ctx,
                   "SELECT item FROM faces WHERE photo = ? ORDER BY number",
                   photo, NULL, faces));
    AK_TRY(list_of(c, ctx,
                   "SELECT name FROM caption_names WHERE photo = ? AND "
                   "in_picture = 'yes' ORDER BY place",
                   photo, &l->merges, names));
    if (json_array_size(faces) > 0)
        AK_TRY(add_line(l, ctx, line));
done:
    json_decref(line);
    return st;
}

static akin_status add_photos(caption_lines *l, akin_ctx *ctx,
                              const akin_collection *c)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q,
                      "SELECT id, name FROM photos ORDER BY id", ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(add_photo(l, ctx, c, q));
    }
done:
    sqlite3_finalize(q);
    return st;
}

akin_status akin_faces_captions(akin_ctx *ctx, akin_supervision *s,
                                akin_collection *c)
{
    caption_lines l = {0};
    int64_t names;
    akin_status st = AKIN_OK;
    AK_TRY(need_faces(ctx, c));
    AK_TRY(ak_sql_number(&c->catalog.sql, ctx,
                         "SELECT EXISTS (SELECT 1 FROM caption_names WHERE "
                         "in_picture = 'yes') OR EXISTS (SELECT 1 FROM items "
                         "WHERE labels != '')",
                         &names));
    if (names == 0 || c->n_items == 0)
        AK_TRY(ak_fail(
            ctx, AKIN_EINVAL, "%s: %s (add captions with their names to it)",
            c->catalog.folder,
            names == 0 ? "no caption has a name" : "it has no faces"));
    AK_TRY(ak_merges_read(&l.merges, ctx, &c->catalog));
    AK_TRY(add_photos(&l, ctx, c));
    AK_TRY(akin_supervision_captions(ctx, s, c->catalog.folder, l.text));
done:
    akin_free(l.text);
    ak_merges_free(&l.merges);
    return st;
}
