#include "collection/faces/face_items.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- faces that a photo had ---- */

/* In the order in which they are looked for at a place. */
typedef enum { HERE, LOST, REFUSED } old_state;

typedef struct old_face {
    int64_t item, number;
    double box[4];
    bool has_box, taken;
    bool is_drawn;  // by a person: it stays there
    old_state state;
} old_face;

typedef struct old_faces {
    old_face *faces;
    int64_t n, room, next;  // next: the number of another one
} old_faces;

static akin_status load_old(const ak_catalog *c, akin_ctx *ctx, int64_t photo,
                            old_faces *out)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    out->next = 1;
    AK_TRY(ak_sql_ask_again(
        &c->sql, ctx, &q,
        "SELECT item, number, x, y, width, height, 0, EXISTS (SELECT 1 FROM "
        "answers a WHERE a.item = f.item AND kind = 'box' AND undone = 0) FROM "
        "faces f WHERE photo = ?1 UNION ALL SELECT item, number, x, y, width, "
        "height, 1 + refused, 0 FROM lost WHERE photo = ?1 ORDER BY 7, 2, 1",
        "i", photo));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        AK_TRY(ak_grow(ctx, out->n + 1, &out->room, sizeof *out->faces,
                       &out->faces));
        old_face *f = &out->faces[out->n++];
        *f = (old_face){.item = sqlite3_column_int64(q, 0),
                        .number = sqlite3_column_int64(q, 1),
                        .has_box = sqlite3_column_type(q, 2) != SQLITE_NULL,
                        .state = (old_state)sqlite3_column_int(q, 6),
                        .is_drawn = sqlite3_column_int(q, 7) != 0};
        out->next = ak_max_i64(out->next, f->number + 1);
        for (int k = 0; k < 4; ++k)
            f->box[k] = sqlite3_column_double(q, k + 2);
    }
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

/* ---- which is which ---- */

/* A face to put; `labels` NULL: nobody is known. */
typedef struct new_face {
    const ak_face *face;
    const float *row;
    const char *labels;
    bool is_drawn;
    old_face *same;           // NULL: a new one
    const ak_face *detected;  // of one that is drawn: what was found there
    const float *detected_row;
} new_face;

typedef struct place_pair {
    double share;
    int64_t old, found;
    old_state state;
} place_pair;

static int by_share(const void *left, const void *right)
{
    const place_pair *a = left, *b = right;
    if (a->state != b->state)
        return a->state < b->state ? -1 : 1;
    if (a->share != b->share)
        return a->share < b->share ? 1 : -1;
    if (a->old != b->old)
        return a->old < b->old ? -1 : 1;
    return (a->found > b->found) - (a->found < b->found);
}

/* Each face gets the one that was at its place; where there is a choice, that
 * which is still there, then the largest overlap of all. */
static akin_status match(akin_ctx *ctx, const old_faces *old, new_face *faces,
                         int64_t n)
{
    place_pair *pairs = NULL;
    int64_t n_pairs = 0, room = 0;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = 0; k < old->n; ++k) {
            const old_face *f = &old->faces[k];
            const double share =
                f->has_box ? ak_box_overlap(f->box, faces[i].face->box) : 0.0;
            if (share < AK_SAME_PLACE)
                continue;
            AK_TRY(ak_grow(ctx, n_pairs + 1, &room, sizeof *pairs, &pairs));
            pairs[n_pairs++] = (place_pair){share, k, i, f->state};
        }
    if (n_pairs > 0)
        qsort(pairs, (size_t)n_pairs, sizeof *pairs, by_share);
    for (int64_t k = 0; k < n_pairs; ++k) {
        old_face *f = &old->faces[pairs[k].old];
        new_face *x = &faces[pairs[k].found];
        if (f->taken || x->same != NULL)
            continue;
        f->taken = true;
        x->same = f;
    }
done:
    akin_free(pairs);
    return st;
}

/* ---- one face ---- */

static akin_status put_number(const ak_catalog *c, akin_ctx *ctx, int64_t item,
                              const char *field, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    return ak_item_field(c, ctx, item, field, text);
}

/* What one can ask for with a condition. */
static akin_status put_fields(const ak_catalog *c, akin_ctx *ctx, int64_t item,
                              const ak_face *f)
{
    const ak_face_quality *q = &f->quality;
    if (isnan(f->box[0]))
        return AKIN_OK;  // a vector alone
    AK_CHECK(put_number(c, ctx, item, "size", q->size));
    AK_CHECK(put_number(c, ctx, item, "sharpness", q->sharpness));
    AK_CHECK(put_number(c, ctx, item, "roll", q->roll));
    return put_number(c, ctx, item, "turn", q->turn);
}

static akin_status put_row(const ak_catalog *c, akin_ctx *ctx, int64_t item,
                           ak_blob row)
{
    return ak_item_features(c, ctx, item, 0, row, (ak_blob){NULL, 0});
}

/* An item called PHOTO#NUMBER; `old` NULL: a new one, else one that was lost,
 * with its labels where no others are given. */
static akin_status insert_item(const ak_catalog *c, akin_ctx *ctx,
                               const ak_catalog_photo *p, int64_t number,
                               const char *labels, ak_blob row,
                               const old_face *old, int64_t *id)
{
    unsigned char hash[AK_HASH_SIZE];
    char name[PATH_MAX + 32];
    ak_catalog_item item = {.id = old ? old->item : -1,
                            .folder = p->folder,
                            .labels = labels ? labels : "",
                            .hash = {hash, sizeof hash}};
    const int n = snprintf(name, sizeof name, "%s#%" PRId64, p->name, number);
    if (n < 0 || n >= PATH_MAX)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: the name of the photo is too "
                       "long",
                       p->name);
    item.name = (ak_blob){name, (size_t)n};
    ak_hash_bytes(row.bytes, row.n, hash);
    AK_CHECK(ak_item_insert(c, ctx, &item));
    AK_CHECK(ak_item_field(c, ctx, item.id, "photo", p->name));
    if (old != NULL && item.labels[0] == '\0')
        AK_CHECK(ak_sql_do(&c->sql, ctx,
                           "UPDATE items SET labels = ifnull((SELECT labels "
                           "FROM lost WHERE item = ?1), '') WHERE id = ?1",
                           "i", item.id));
    if (old != NULL)
        AK_CHECK(ak_sql_do(&c->sql, ctx, "DELETE FROM lost WHERE item = ?", "i",
                           item.id));
    *id = item.id;
    return AKIN_OK;
}

static akin_status put_box(const ak_catalog *c, akin_ctx *ctx, int64_t item,
                           int64_t photo, int64_t number, const ak_face *f)
{
    const ak_face_quality *q = &f->quality;
    return ak_sql_do(
        &c->sql, ctx,
        "INSERT INTO faces VALUES(?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(item) "
        "DO UPDATE SET x = excluded.x, y = excluded.y, width = excluded.width, "
        "height = excluded.height, score = excluded.score, landmarks = "
        "excluded.landmarks, sharpness = excluded.sharpness, roll = "
        "excluded.roll, turn = excluded.turn",
        "iiidddddbddd", item, photo, number, f->box[0], f->box[1], f->box[2],
        f->box[3], f->score, (ak_blob){f->points, sizeof f->points},
        q->sharpness, q->roll, q->turn);
}

/* The labels of a known face stay where nothing else is known. */
static akin_status change_item(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                               const char *labels, ak_blob row)
{
    unsigned char hash[AK_HASH_SIZE];
    const ak_catalog_item item = {.id = id, .hash = {hash, sizeof hash}};
    ak_hash_bytes(row.bytes, row.n, hash);
    if (labels != NULL && labels[0] != '\0')
        AK_CHECK(ak_item_labels(c, ctx, id, labels));
    return ak_item_update(c, ctx, &item);
}

/* The face at x->same or a new one; *item is which. */
static akin_status put_face(const ak_catalog *c, akin_ctx *ctx,
                            const ak_catalog_photo *p, const new_face *x,
                            int64_t dim, int64_t *next, int64_t *item)
{
    const ak_blob row = {x->row, (size_t)dim * sizeof *x->row};
    const int64_t number = x->same ? x->same->number : *next;
    const bool is_here = x->same != NULL && x->same->state == HERE;
    *item = is_here ? x->same->item : -1;
    AK_CHECK(is_here ? change_item(c, ctx, *item, x->labels, row)
                     : insert_item(c, ctx, p, number, x->labels, row, x->same,
                                   item));
    *next += x->same == NULL;
    AK_CHECK(put_row(c, ctx, *item, row));
    AK_CHECK(put_box(c, ctx, *item, p->id, number, x->face));
    AK_CHECK(put_fields(c, ctx, *item, x->face));
    return is_here ? AKIN_OK : ak_item_judged_again(c, ctx, *item);
}

/* ---- as bytes ---- */

/* Behind it, the vector. Its size follows from the box. */
typedef struct packed_face {
    double box[4], score, points[2 * AK_FACE_POINTS];
    double sharpness, roll, turn;
    double photo[2];  // width and height; 0: unknown
} packed_face;

static akin_status join(akin_ctx *ctx, const packed_face *head, ak_blob row,
                        char **bytes, size_t *n)
{
    AK_CHECK(AK_NEW(ctx, (int64_t)(sizeof *head + row.n), bytes));
    memcpy(*bytes, head, sizeof *head);
    if (row.n > 0)
        memcpy(*bytes + sizeof *head, row.bytes, row.n);
    *n = sizeof *head + row.n;
    return AKIN_OK;
}

static akin_status pack(akin_ctx *ctx, const ak_catalog_photo *p,
                        const ak_face *f, const float *row, int64_t dim,
                        char **bytes, size_t *n)
{
    packed_face head = {.score = f->score,
                        .sharpness = f->quality.sharpness,
                        .roll = f->quality.roll,
                        .turn = f->quality.turn,
                        .photo = {(double)p->width, (double)p->height}};
    memcpy(head.box, f->box, sizeof head.box);
    memcpy(head.points, f->points, sizeof head.points);
    return join(ctx, &head, (ak_blob){row, (size_t)dim * sizeof *row}, bytes,
                n);
}

/* NAN where there is none, which SQLite stores as NULL. */
static double real(sqlite3_stmt *q, int column)
{
    return sqlite3_column_type(q, column) == SQLITE_NULL
               ? (double)NAN
               : sqlite3_column_double(q, column);
}

akin_status ak_face_pack(const ak_catalog *c, akin_ctx *ctx, int64_t item,
                         char **bytes, size_t *n)
{
    packed_face head = {0};
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    *bytes = NULL;
    *n = 0;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT x, y, f.width, f.height, score, sharpness, roll, "
                      "turn, landmarks, row, p.width, p.height FROM faces f "
                      "JOIN photos p ON p.id = photo JOIN features ON key = ? "
                      "WHERE item = ?",
                      "ii", item * AK_MOST_SPACES, item));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    if (!row)
        goto done;
    for (int k = 0; k < 4; ++k)
        head.box[k] = real(q, k);
    head.score = real(q, 4);
    head.sharpness = real(q, 5);
    head.roll = real(q, 6);
    head.turn = real(q, 7);
    for (int k = 0; k < 2; ++k)
        head.photo[k] = sqlite3_column_double(q, 10 + k);
    for (int k = 0; k < 2 * AK_FACE_POINTS; ++k)
        head.points[k] = (double)NAN;
    if (sqlite3_column_bytes(q, 8) == (int)sizeof head.points)
        memcpy(head.points, sqlite3_column_blob(q, 8), sizeof head.points);
    AK_TRY(join(ctx, &head,
                (ak_blob){sqlite3_column_blob(q, 9),
                          (size_t)sqlite3_column_bytes(q, 9)},
                bytes, n));
done:
    sqlite3_finalize(q);
    return st;
}

/* A place in a photo that may have another size now. */
static void scale_head(packed_face *head, const ak_catalog_photo *p)
{
    const double now[2] = {(double)p->width, (double)p->height};
    for (int i = 0; i < 2; ++i) {
        if (now[i] <= 0.0 || head->photo[i] <= 0.0 || now[i] == head->photo[i])
            continue;
        const double scale = now[i] / head->photo[i];
        for (int k = i; k < 4; k += 2)
            head->box[k] = ak_pixels(scale * head->box[k]);
        for (int k = i; k < 2 * AK_FACE_POINTS; k += 2)
            head->points[k] *= scale;
    }
}

/* *good false: it is none, or of another descriptor. The row is from scratch.
 */
static akin_status unpack(akin_ctx *ctx, ak_blob bytes,
                          const ak_catalog_photo *p, int64_t dim, ak_face *f,
                          float **row, bool *good)
{
    packed_face head;
    *good = bytes.bytes != NULL &&
            bytes.n == sizeof head + (size_t)dim * sizeof **row;
    if (!*good)
        return AKIN_OK;
    memcpy(&head, bytes.bytes, sizeof head);
    scale_head(&head, p);
    AK_CHECK(AK_SCRATCH(ctx, dim + 1, row));
    memcpy(*row, (const char *)bytes.bytes + sizeof head,
           (size_t)dim * sizeof **row);
    *f = (ak_face){.score = head.score,
                   .quality = {.size = fmin(head.box[2], head.box[3]),
                               .sharpness = head.sharpness,
                               .roll = head.roll,
                               .turn = head.turn}};
    memcpy(f->box, head.box, sizeof f->box);
    memcpy(f->points, head.points, sizeof f->points);
    return AKIN_OK;
}

/* ---- faces of persons that were removed ---- */

akin_status ak_face_forget(const ak_catalog *c, akin_ctx *ctx, int64_t item)
{
    AK_CHECK(ak_sql_do(
        &c->sql, ctx,
        "INSERT INTO removed_faces SELECT photo, hash, x / w, y / h, width / "
        "w, height / h, iif(x IS NULL OR w IS NULL, content, NULL), "
        "iif(photo IS NULL, name, NULL) FROM (SELECT p.id AS photo, p.hash, x, "
        "y, f.width, f.height, nullif(p.width, 0) AS w, nullif(p.height, 0) AS "
        "h, i.hash AS content, NULL AS name FROM faces f JOIN photos p ON p.id "
        "= f.photo JOIN items i ON i.id = item WHERE item = ?1 UNION ALL "
        "SELECT l.photo, ifnull(p.hash, l.hash), x, y, l.width, l.height, "
        "nullif(ifnull(p.width, photo_width), 0), nullif(ifnull(p.height, "
        "photo_height), 0), content, l.name FROM lost l LEFT JOIN photos p ON "
        "p.id = l.photo WHERE item = ?1)",
        "i", item));
    bool is_here = false;
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q,
                            "SELECT 1 FROM items WHERE id = ?", "i", item));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &is_here));
    if (is_here)
        AK_TRY(ak_item_remove(c, ctx, item));
    AK_TRY(
        ak_sql_do(&c->sql, ctx, "DELETE FROM lost WHERE item = ?", "i", item));
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

/* Photos are known by number, and copies by the content of their files. */
static akin_status is_forgotten(const ak_catalog *c, akin_ctx *ctx,
                                const ak_catalog_photo *p, const double box[4],
                                bool *forgotten)
{
    const double w = (double)p->width, h = (double)p->height;
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    *forgotten = false;
    AK_TRY(ak_sql_ask_again(
        &c->sql, ctx, &q,
        "SELECT x, y, width, height FROM removed_faces WHERE x IS NOT NULL AND "
        "(photo = ?1 OR hash = ?2 OR photo IN (SELECT id FROM photos WHERE "
        "hash = ?2))",
        "ib", p->id, p->hash));
    while (!*forgotten) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        const double place[4] = {
            sqlite3_column_double(q, 0) * w, sqlite3_column_double(q, 1) * h,
            sqlite3_column_double(q, 2) * w, sqlite3_column_double(q, 3) * h};
        *forgotten = ak_box_overlap(place, box) >= AK_SAME_PLACE;
    }
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

/* The same of a face that is a vector alone. */
static akin_status is_forgotten_row(const ak_catalog *c, akin_ctx *ctx,
                                    int64_t photo, ak_blob row, bool *forgotten)
{
    unsigned char hash[AK_HASH_SIZE];
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    ak_hash_bytes(row.bytes, row.n, hash);
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q,
                            "SELECT 1 FROM removed_faces WHERE photo = ? AND "
                            "content = ?",
                            "ib", photo, (ak_blob){hash, sizeof hash}));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, forgotten));
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

/* ---- all faces of a photo ---- */

/* What undoing the drawn boxes of an item leads back to, now that it is found
 * without them. */
static akin_status put_before(const ak_catalog *c, akin_ctx *ctx,
                              const ak_catalog_photo *p, int64_t item,
                              const new_face *x, int64_t dim)
{
    char *bytes = NULL;
    size_t n;
    akin_status st = AKIN_OK;
    if (x->detected == NULL)
        return AKIN_OK;
    AK_TRY(pack(ctx, p, x->detected, x->detected_row, dim, &bytes, &n));
    AK_TRY(ak_sql_do(&c->sql, ctx,
                     "UPDATE answers SET before = ?1 WHERE number = (SELECT "
                     "min(number) FROM answers WHERE item = ?2 AND undone = 0 "
                     "AND kind IN ('box', 'no-face')) AND kind = 'box'",
                     "bi", (ak_blob){bytes, n}, item));
done:
    akin_free(bytes);
    return st;
}

/* The drawn face at the place of another one; NULL: there is none. */
static new_face *find_drawn(new_face *drawn, int64_t n, const double box[4])
{
    new_face *best = NULL;
    double most = AK_SAME_PLACE;
    for (int64_t i = 0; i < n; ++i) {
        const double share = ak_box_overlap(drawn[i].face->box, box);
        if (drawn[i].detected == NULL && share >= most) {
            most = share;
            best = &drawn[i];
        }
    }
    return best;
}

/* Drawn ones, then the others; returns how many. */
static int64_t list_faces(new_face *out, const ak_face_set *faces,
                          const char *const *names, const ak_face_set *drawn)
{
    int64_t n = 0;
    for (int64_t i = 0; drawn != NULL && i < drawn->n; ++i)
        out[n++] = (new_face){.face = &drawn->faces[i],
                              .row = drawn->descriptors + i * drawn->dim,
                              .is_drawn = true};
    const int64_t n_drawn = n;
    for (int64_t i = 0; i < faces->n; ++i) {
        const float *row = faces->descriptors + i * faces->dim;
        const char *labels = names ? names[i] : NULL;
        new_face *same = find_drawn(out, n_drawn, faces->faces[i].box);
        if (same == NULL) {
            out[n++] = (new_face){
                .face = &faces->faces[i], .row = row, .labels = labels};
            continue;
        }
        same->labels = labels;
        same->detected = &faces->faces[i];
        same->detected_row = row;
    }
    return n;
}

/* One that is not wanted there; or somebody drew it since the photo was looked
 * at. */
static bool is_decided(const new_face *x)
{
    return x->same != NULL &&
           ((x->same->state == REFUSED && x->face->score != 0.0) ||
            (x->same->is_drawn && !x->is_drawn));
}

static akin_status put_all(const ak_catalog *c, akin_ctx *ctx,
                           const ak_catalog_photo *p, const new_face *faces,
                           int64_t n, int64_t dim, old_faces *old,
                           ak_face_changes *changes)
{
    int64_t item;
    for (int64_t i = 0; i < n; ++i) {
        const new_face *x = &faces[i];
        bool forgotten = false;
        if (!x->is_drawn && (x->same == NULL || x->same->state != HERE))
            AK_CHECK(is_forgotten(c, ctx, p, x->face->box, &forgotten));
        if (forgotten || is_decided(x))
            continue;
        if (x->same != NULL && x->same->state == HERE)
            ++changes->changed;
        else
            ++changes->added;
        AK_CHECK(put_face(c, ctx, p, x, dim, &old->next, &item));
        AK_CHECK(put_before(c, ctx, p, item, x, dim));
    }
    for (int64_t i = 0; i < old->n; ++i) {
        const old_face *f = &old->faces[i];
        if (f->taken || f->state != HERE || f->is_drawn)
            continue;
        ++changes->removed;
        AK_CHECK(ak_item_remove(c, ctx, f->item));
    }
    return AKIN_OK;
}

akin_status ak_photo_put_faces(const ak_catalog *c, akin_ctx *ctx,
                               const ak_catalog_photo *p,
                               const ak_face_set *faces,
                               const char *const *names,
                               const ak_face_set *drawn,
                               ak_face_changes *changes)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t most = faces->n + (drawn ? drawn->n : 0);
    const int64_t dim = drawn && drawn->n > 0 ? drawn->dim : faces->dim;
    old_faces old = {0};
    new_face *list;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, most + 1, &list));
    AK_TRY(load_old(c, ctx, p->id, &old));
    const int64_t n = list_faces(list, faces, names, drawn);
    AK_TRY(match(ctx, &old, list, n));
    AK_TRY(put_all(c, ctx, p, list, n, dim, &old, changes));
done:
    akin_free(old.faces);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_photo_face_at(const ak_catalog *c, akin_ctx *ctx, int64_t photo,
                             const double box[4], int64_t *item)
{
    ak_face face = {.score = 0.0};
    new_face x = {.face = &face};
    old_faces old = {0};
    akin_status st = AKIN_OK;
    memcpy(face.box, box, sizeof face.box);
    AK_TRY(load_old(c, ctx, photo, &old));
    AK_TRY(match(ctx, &old, &x, 1));
    *item = x.same ? x.same->item : -1;
done:
    akin_free(old.faces);
    return st;
}

akin_status ak_photo_draw_face(const ak_catalog *c, akin_ctx *ctx,
                               const ak_catalog_photo *p,
                               const ak_face_set *faces, int64_t *item)
{
    new_face x = {.face = &faces->faces[0], .row = faces->descriptors};
    old_faces old = {0};
    akin_status st = AKIN_OK;
    AK_TRY(load_old(c, ctx, p->id, &old));
    for (int64_t i = 0; i < old.n; ++i)
        if (old.faces[i].item == *item)
            x.same = &old.faces[i];
    AK_TRY(put_face(c, ctx, p, &x, faces->dim, &old.next, item));
done:
    akin_free(old.faces);
    return st;
}

akin_status ak_photo_add_row(const ak_catalog *c, akin_ctx *ctx,
                             const ak_catalog_photo *p, int64_t number,
                             const float *row, int64_t dim)
{
    const ak_blob bytes = {row, (size_t)dim * sizeof *row};
    int64_t id;
    bool forgotten;
    AK_CHECK(is_forgotten_row(c, ctx, p->id, bytes, &forgotten));
    if (forgotten)
        return AKIN_OK;
    AK_CHECK(insert_item(c, ctx, p, number, NULL, bytes, NULL, &id));
    AK_CHECK(put_row(c, ctx, id, bytes));
    return ak_sql_do(&c->sql, ctx,
                     "INSERT INTO faces(item, photo, number) VALUES(?,?,?)",
                     "iii", id, p->id, number);
}

/* ---- places that people gave ---- */

akin_status ak_drawn_read(ak_drawn *out, akin_ctx *ctx, const ak_catalog *c,
                          const ak_catalog_photo *p)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask_again(
        &c->sql, ctx, &q,
        "SELECT f.x, f.y, f.width, f.height, p.width, p.height, 1, NULL FROM "
        "faces f JOIN photos p ON p.id = f.photo WHERE f.photo = ?1 AND EXISTS "
        "(SELECT 1 FROM answers a WHERE a.item = f.item AND kind = 'box' AND "
        "undone = 0) UNION ALL SELECT x, y, width, height, photo_width, "
        "photo_height, l.name = ?2, l.path FROM lost l WHERE photo IS NULL AND "
        "(l.name = ?2 OR l.hash = ?3) AND refused = 0 AND ?1 < 0 AND EXISTS "
        "(SELECT 1 FROM answers a WHERE a.item = l.item AND kind = 'box' AND "
        "undone = 0)",
        "ibb", p->id, (ak_blob){p->name, strlen(p->name)}, p->hash));
    for (;;) {
        double box[4];
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        if (!sqlite3_column_int(q, 6) && !ak_path_is_gone(q, 7))
            continue;
        for (int k = 0; k < 4; ++k)
            box[k] = sqlite3_column_double(q, k);
        out->width = sqlite3_column_int64(q, 4);
        out->height = sqlite3_column_int64(q, 5);
        AK_TRY(ak_boxes_add(&out->boxes, ctx, box, NULL, 0));
    }
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

static akin_status scale_places(const ak_catalog *c, akin_ctx *ctx,
                                int64_t photo, double x, double y)
{
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "UPDATE faces SET x = ?1 * x, y = ?2 * y, width = ?1 * "
                       "width, height = ?2 * height WHERE photo = ?3",
                       "ddi", x, y, photo));
    return ak_sql_do(&c->sql, ctx,
                     "UPDATE lost SET x = ?1 * x, y = ?2 * y, width = ?1 * "
                     "width, height = ?2 * height WHERE photo = ?3",
                     "ddi", x, y, photo);
}

/* From the size that a statement says, to that of p. */
static akin_status scale_from(const ak_catalog *c, akin_ctx *ctx,
                              const ak_catalog_photo *p, const char *question)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    int64_t width = 0, height = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q, question, "i", p->id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    if (row) {
        width = sqlite3_column_int64(q, 0);
        height = sqlite3_column_int64(q, 1);
    }
    if (width > 0 && height > 0 && p->width > 0 && p->height > 0 &&
        (width != p->width || height != p->height))
        AK_TRY(scale_places(c, ctx, p->id, (double)p->width / (double)width,
                            (double)p->height / (double)height));
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

akin_status ak_photo_scale(const ak_catalog *c, akin_ctx *ctx,
                           const ak_catalog_photo *p)
{
    return scale_from(c, ctx, p,
                      "SELECT width, height FROM photos WHERE id = ?");
}

/* The path that lost faces of this content had, if nothing is there now: their
 * photo was moved. */
static akin_status claim_moved(const ak_catalog *c, akin_ctx *ctx,
                               const ak_catalog_photo *p)
{
    sqlite3_stmt *q = NULL;
    bool row = true, found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q,
                            "SELECT DISTINCT path FROM lost WHERE photo IS "
                            "NULL AND hash = ? AND path IS NOT NULL ORDER BY "
                            "path",
                            "b", p->hash));
    while (!found) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        found = ak_path_is_gone(q, 0);
    }
    if (found) {
        const ak_blob path = {sqlite3_column_blob(q, 0),
                              (size_t)sqlite3_column_bytes(q, 0)};
        AK_TRY(ak_sql_do(&c->sql, ctx,
                         "UPDATE lost SET photo = ? WHERE photo IS NULL AND "
                         "path = ?",
                         "ib", p->id, path));
    }
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

akin_status ak_lost_claim(const ak_catalog *c, akin_ctx *ctx,
                          const ak_catalog_photo *p)
{
    const ak_blob name = {p->name, strlen(p->name)};
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "UPDATE removed_faces SET photo = ?, name = NULL WHERE "
                       "photo IS NULL AND name = ?",
                       "ib", p->id, name));
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "UPDATE OR IGNORE blanked SET photo = ?, name = NULL "
                       "WHERE photo IS NULL AND name = ?",
                       "ib", p->id, name));
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       "UPDATE lost SET photo = ? WHERE photo IS NULL AND name "
                       "= ?",
                       "ib", p->id, name));
    if (sqlite3_changes(c->sql.db) == 0 && p->hash.bytes != NULL)
        AK_CHECK(claim_moved(c, ctx, p));
    return scale_from(c, ctx, p,
                      "SELECT photo_width, photo_height FROM lost WHERE photo "
                      "= ? LIMIT 1");
}

/* ---- as it was ---- */

/* The photo of an item that is there, or was; the name is from scratch. */
static akin_status photo_of(const ak_catalog *c, akin_ctx *ctx, int64_t item,
                            ak_catalog_photo *p)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    char *name;
    akin_status st = AKIN_OK;
    *p = (ak_catalog_photo){.id = -1};
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT id, name, folder, width, height FROM photos "
                      "WHERE id = "
                      "ifnull((SELECT photo FROM faces WHERE item = ?1), "
                      "(SELECT photo FROM lost WHERE item = ?1))",
                      "i", item));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    if (!row)
        goto done;
    const size_t n = (size_t)sqlite3_column_bytes(q, 1);
    AK_TRY(AK_SCRATCH(ctx, (int64_t)n + 1, &name));
    memcpy(name, sqlite3_column_blob(q, 1), n);
    name[n] = '\0';
    *p = (ak_catalog_photo){.id = sqlite3_column_int64(q, 0),
                            .name = name,
                            .folder = sqlite3_column_int64(q, 2),
                            .width = sqlite3_column_int64(q, 3),
                            .height = sqlite3_column_int64(q, 4)};
done:
    sqlite3_finalize(q);
    return st;
}

/* Did somebody say last that it is none? */
static akin_status leave(const ak_catalog *c, akin_ctx *ctx, int64_t item)
{
    bool is_here = false;
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q,
                            "SELECT 1 FROM faces WHERE item = ?", "i", item));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &is_here));
    if (is_here)
        AK_TRY(ak_item_remove(c, ctx, item));
    AK_TRY(
        ak_sql_do(&c->sql, ctx,
                  "UPDATE lost SET refused = ifnull((SELECT kind = "
                  "'no-face' FROM answers WHERE item = ?1 AND undone = 0 AND "
                  "kind IN ('box', 'no-face') ORDER BY number DESC LIMIT "
                  "1), 0) WHERE item = ?1",
                  "i", item));
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

akin_status ak_face_restore(const ak_catalog *c, akin_ctx *ctx, int64_t item,
                            ak_blob before)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_face face;
    ak_face_set set = {.n = 1, .faces = &face};
    ak_catalog_photo p;
    bool good = false;
    akin_status st = AKIN_OK;
    AK_TRY(photo_of(c, ctx, item, &p));
    AK_TRY(ak_sql_number(&c->sql, ctx, "SELECT dim FROM spaces WHERE id = 0",
                         &set.dim));
    AK_TRY(unpack(ctx, before, &p, set.dim, &face, &set.descriptors, &good));
    if (p.id >= 0)
        AK_TRY(good ? ak_photo_draw_face(c, ctx, &p, &set, &item)
                    : leave(c, ctx, item));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_face_refuse(const ak_catalog *c, akin_ctx *ctx, int64_t item)
{
    AK_CHECK(ak_item_remove(c, ctx, item));
    return ak_sql_do(&c->sql, ctx, "UPDATE lost SET refused = 1 WHERE item = ?",
                     "i", item);
}
