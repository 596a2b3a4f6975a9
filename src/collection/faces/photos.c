/* Photos and faces in the catalogue. */
#include "collection/faces/photos.h"

#include <string.h>

#include "collection/faces/captions/corrections.h"
#include "collection/faces/face_items.h"

/* ---- photos ---- */

static ak_blob blob_of(const char *text)
{
    return text ? (ak_blob){text, strlen(text)} : (ak_blob){NULL, 0};
}

akin_status ak_photo_by_path(const ak_catalog *c, akin_ctx *ctx,
                             const char *path, ak_known *out)
{
    return ak_known_ask(c, ctx,
                        "SELECT id, folder, size, modified, hash FROM photos "
                        "WHERE path = ?",
                        blob_of(path), out);
}

akin_status ak_photo_by_name(const ak_catalog *c, akin_ctx *ctx,
                             const char *name, int64_t *id)
{
    ak_known known;
    AK_CHECK(ak_known_ask(c, ctx,
                          "SELECT id, folder, size, modified, hash FROM photos "
                          "WHERE name = ?",
                          blob_of(name), &known));
    *id = known.id;
    return AKIN_OK;
}

akin_status ak_photo_moved(const ak_catalog *c, akin_ctx *ctx, ak_blob hash,
                           int64_t *id)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    *id = -1;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT id, path FROM photos WHERE hash = ? ORDER BY id",
                      "b", hash));
    while (*id < 0) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        if (ak_path_is_gone(q, 1))
            *id = sqlite3_column_int64(q, 0);
    }
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status insert_photo(const ak_catalog *c, akin_ctx *ctx,
                                ak_catalog_photo *p)
{
    AK_CHECK(ak_sql_number(
        &c->sql, ctx, "SELECT 1 + ifnull(max(id), -1) FROM photos", &p->id));
    AK_CHECK(ak_sql_do(
        &c->sql, ctx, "INSERT INTO photos VALUES(?,?,?,?,?,?,?,?,?,NULL)",
        "ibbiiibii", p->id, blob_of(p->name), blob_of(p->path), p->folder,
        p->stamp.size, p->stamp.modified, p->hash, p->width, p->height));
    return ak_lost_claim(c, ctx, p);
}

/* Its faces are called after it. */
static akin_status rename_faces(const ak_catalog *c, akin_ctx *ctx,
                                const ak_catalog_photo *p)
{
    AK_CHECK(ak_sql_do(
        &c->sql, ctx,
        "UPDATE items SET folder = ?, name = CAST(CAST(? AS TEXT) || '#' || "
        "(SELECT number FROM faces WHERE item = items.id) AS BLOB) WHERE id IN "
        "(SELECT item FROM faces WHERE photo = ?)",
        "ibi", p->folder, blob_of(p->name), p->id));
    return ak_sql_do(&c->sql, ctx,
                     "UPDATE fields SET value = CAST(? AS TEXT) WHERE name = "
                     "'photo' AND item IN (SELECT item FROM faces WHERE photo "
                     "= ?)",
                     "bi", blob_of(p->name), p->id);
}

akin_status ak_photo_put(const ak_catalog *c, akin_ctx *ctx,
                         ak_catalog_photo *p)
{
    if (p->id < 0)
        return insert_photo(c, ctx, p);
    AK_CHECK(ak_photo_scale(c, ctx, p));
    AK_CHECK(ak_sql_do(
        &c->sql, ctx,
        "UPDATE photos SET name = ?, path = ?, folder = ?, size = ?, modified "
        "= ?, hash = ?, width = ifnull(nullif(?, 0), width), height = "
        "ifnull(nullif(?, 0), height) WHERE id = ?",
        "bbiiibiii", blob_of(p->name), blob_of(p->path), p->folder,
        p->stamp.size, p->stamp.modified, p->hash, p->width, p->height, p->id));
    return rename_faces(c, ctx, p);
}

static akin_status remove_faces(const ak_catalog *c, akin_ctx *ctx, int64_t id)
{
    for (;;) {
        sqlite3_stmt *q = NULL;
        bool row = false;
        akin_status st = ak_sql_ask(&c->sql, ctx, &q,
                                    "SELECT item FROM faces WHERE photo = ? "
                                    "LIMIT 1",
                                    "i", id);
        if (st == AKIN_OK)
            st = ak_sql_next(&c->sql, ctx, q, &row);
        const int64_t item = row ? sqlite3_column_int64(q, 0) : -1;
        sqlite3_finalize(q);
        AK_CHECK(st);
        if (!row)
            return AKIN_OK;
        AK_CHECK(ak_item_remove(c, ctx, item));
    }
}

akin_status ak_photo_remove(const ak_catalog *c, akin_ctx *ctx, int64_t id)
{
    static const char answers[] =
        "DELETE FROM answers WHERE number IN (SELECT number FROM "
        "caption_answers WHERE photo = ?)";
    static const char *const changes[] = {
        "UPDATE lost SET photo = NULL, (name, path, hash, photo_width, "
        "photo_height) = (SELECT name, path, hash, width, height FROM photos "
        "WHERE id = ?1) WHERE photo = ?1",
        answers,
        "DELETE FROM caption_answers WHERE photo = ?",
        "DELETE FROM caption_names WHERE photo = ?",
        "DELETE FROM found_names WHERE photo = ?",
        "DELETE FROM tagged WHERE photo = ?",
        "DELETE FROM photos WHERE id = ?",
    };
    AK_CHECK(remove_faces(c, ctx, id));
    for (size_t k = 0; k < sizeof changes / sizeof *changes; ++k)
        AK_CHECK(ak_sql_do(&c->sql, ctx, changes[k], "i", id));
    return AKIN_OK;
}

/* ---- captions ---- */

/* Names that were given are surely persons in the picture. */
static akin_status take_given(akin_caption_names *out, akin_ctx *ctx,
                              const char *names)
{
    while (*names != '\0') {
        const size_t n = strcspn(names, "\n");
        ak_caption_name *x;
        AK_CHECK(ak_caption_names_add(out, ctx, names, n, &x));
        names += n + (names[n] == '\n');
    }
    return AKIN_OK;
}

/* Where the text that the photo has names those that were given. */
static akin_status locate_given(akin_caption_names *names, akin_ctx *ctx,
                                const ak_catalog *c, int64_t id)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q,
                            "SELECT caption FROM photos WHERE id = ? AND "
                            "caption IS NOT NULL",
                            "i", id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    const char *text = row ? (const char *)sqlite3_column_text(q, 0) : NULL;
    if (text != NULL)
        AK_TRY(ak_caption_names_locate(names, ctx, text));
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

static akin_status put_names(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                             const ak_caption *caption,
                             const akin_tagger *tagger)
{
    akin_caption_names names = {0};
    akin_status st = AKIN_OK;
    if (caption->names != NULL) {
        AK_TRY(take_given(&names, ctx, caption->names));
        AK_TRY(locate_given(&names, ctx, c, id));
    } else
        AK_TRY(ak_caption_names_tag(&names, ctx, tagger, caption->text));
    AK_TRY(ak_corrections_take(c, ctx, id, &names));
done:
    ak_caption_names_clear(&names);
    return st;
}

void ak_caption_hash_of(ak_caption_hash *out, const char *text,
                        const char *names)
{
    ak_hash_bytes(text ? text : "", text ? strlen(text) : 0, out->text);
    ak_hash_bytes(names ? names : "", names ? strlen(names) : 0, out->names);
}

/* Is it the caption that the photo had before a person was removed? */
static akin_status is_blanked(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                              const ak_caption *caption, bool *same)
{
    ak_caption_hash hash;
    const ak_blob text = {caption->text ? hash.text : NULL, sizeof hash.text};
    const ak_blob names = {caption->names ? hash.names : NULL,
                           sizeof hash.names};
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    ak_caption_hash_of(&hash, caption->text, caption->names);
    AK_TRY(ak_sql_ask_again(&c->sql, ctx, &q,
                            "SELECT 1 FROM blanked WHERE photo = ? AND caption "
                            "= ifnull(?, caption) AND names = ifnull(?, names)",
                            "ibb", id, text, names));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, same));
done:
    ak_sql_end_asking(&c->sql, q);
    return st;
}

/* What the collection before this one had left of the caption. */
static akin_status put_rest(const ak_catalog *c, akin_ctx *ctx, int64_t id)
{
    sqlite3_stmt *q = NULL;
    ak_caption rest = {NULL, NULL};
    bool row = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT rest, others FROM blanked WHERE photo = ? AND "
                      "others IS NOT NULL",
                      "i", id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    if (!row)
        goto done;
    rest.text = (char *)sqlite3_column_text(q, 0);
    rest.names = (char *)sqlite3_column_text(q, 1);
    if (rest.names == NULL)
        AK_TRY(ak_nomem(ctx, 0));
    AK_TRY(ak_sql_do(&c->sql, ctx, "UPDATE photos SET caption = ? WHERE id = ?",
                     "ti", rest.text, id));
    AK_TRY(put_names(c, ctx, id, &rest, NULL));
    AK_TRY(ak_sql_do(&c->sql, ctx,
                     "UPDATE blanked SET rest = NULL, others = NULL WHERE "
                     "photo = ?",
                     "i", id));
done:
    sqlite3_finalize(q);
    return st;
}

akin_status ak_photo_put_caption(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                                 const ak_caption *caption,
                                 const akin_tagger *tagger)
{
    bool same = false;
    if (caption->text == NULL && caption->names == NULL)
        return ak_corrections_bind(c, ctx, id);
    AK_CHECK(is_blanked(c, ctx, id, caption, &same));
    if (same)
        return put_rest(c, ctx, id);
    if (caption->text != NULL)
        AK_CHECK(ak_sql_do(&c->sql, ctx,
                           "UPDATE photos SET caption = ? WHERE id = ?", "ti",
                           caption->text, id));
    AK_CHECK(ak_sql_do(&c->sql, ctx, "DELETE FROM blanked WHERE photo = ?", "i",
                       id));
    AK_CHECK(ak_sql_do(&c->sql, ctx,
                       caption->names
                           ? "DELETE FROM tagged WHERE photo = ?"
                           : "INSERT OR IGNORE INTO tagged VALUES(?)",
                       "i", id));
    return put_names(c, ctx, id, caption, tagger);
}
