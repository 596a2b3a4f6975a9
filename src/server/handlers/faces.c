/* Faces: what is known of one, and pictures of it. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "server/handlers/captions.h"
#include "server/handlers/handlers.h"
#include "server/handlers/query.h"
#include "server/handlers/review.h"
#include "server/server.h"

enum { CANDIDATES_MOST = 20 };

/* ---- as JSON ---- */

static json_t *box_json(const akin_face *f)
{
    const double box[] = {f->x, f->y, f->width, f->height};
    json_t *list = json_array();
    if (isnan(f->x)) {
        json_decref(list);
        return json_null();
    }
    for (int k = 0; k < 4; ++k)
        json_array_append_new(list, app_json_real(box[k]));
    return list;
}

static akin_status place_of(akin_face *out, akin_ctx *ctx, const reviewing *x,
                            int64_t id)
{
    int64_t row;
    const akin_status st = akin_collection_row_of(&row, ctx, x->c, id);
    return st == AKIN_OK ? akin_faces_get(out, ctx, x->c, row) : st;
}

static json_t *text_json(const char *text)
{
    return text ? app_json_string(text) : json_null();
}

static json_t *known_json(const akin_review_face *f, const akin_face *at)
{
    const bool has_picture = at->path != NULL && !isnan(at->x);
    return APP_OBJECT(
        APP_KEY("id", f->id), APP_KEY("photo", app_json_string(at->photo)),
        APP_KEY("photo_id", at->photo_id), APP_KEY("name", text_json(f->name)),
        APP_KEY("probability", f->probability), APP_KEY("gain", f->gain),
        APP_KEY("said", (bool)(f->said != 0)), APP_KEY("changed", f->changed),
        APP_KEY("picture", has_picture), APP_KEY("box", box_json(at)),
        APP_KEY("width", at->photo_width), APP_KEY("height", at->photo_height));
}

json_t *face_json(akin_ctx *ctx, const reviewing *x, const akin_review_face *f)
{
    akin_face at;
    return place_of(&at, ctx, x, f->id) == AKIN_OK ? known_json(f, &at) : NULL;
}

static json_t *candidates_json(const reviewing *x, int64_t row)
{
    akin_candidate list[CANDIDATES_MOST];
    const int64_t n =
        akin_review_candidates(list, x->review, row, CANDIDATES_MOST);
    json_t *out = json_array();
    for (int64_t k = 0; k < n; ++k)
        json_array_append_new(
            out, APP_OBJECT(APP_KEY("name", text_json(list[k].name)),
                            APP_KEY("probability", list[k].probability)));
    return out;
}

/* Those of the same photo. */
static akin_status others_json(akin_ctx *ctx, const reviewing *x, int64_t photo,
                               int64_t except, json_t *list)
{
    akin_review_face f;
    akin_face at;
    akin_status st = AKIN_OK;
    int64_t *ids = NULL, n = 0;
    APP_TRY(akin_faces_of_photo(&ids, &n, ctx, x->c, photo));
    for (int64_t i = 0; i < n; ++i) {
        if (ids[i] == except ||
            akin_review_find(&f, ctx, x->review, ids[i]) != AKIN_OK)
            continue;
        APP_TRY(place_of(&at, ctx, x, f.id));
        json_array_append_new(list, known_json(&f, &at));
    }
done:
    akin_free(ids);
    return st;
}

/* ---- one face ---- */

static akin_status tell_face(request *r, worker *w, const reviewing *x)
{
    akin_review_face f;
    akin_face at;
    json_t *others = json_array(), *names = NULL, *o = NULL;
    akin_status st = akin_review_find(&f, w->ctx, x->review, r->id);
    if (st == AKIN_EINVAL) {
        reply_error(r, 404, "there is no face %" PRId64, r->id);
        json_decref(others);
        return AKIN_OK;
    }
    APP_TRY(st);
    APP_TRY(place_of(&at, w->ctx, x, f.id));
    o = known_json(&f, &at);
    json_object_set_new(o, "caption", text_json(at.caption));
    APP_TRY(captions_names(&names, w->ctx, x, at.photo_id));
    json_object_set_new(o, "names", names);
    json_object_set_new(o, "candidates", candidates_json(x, f.row));
    APP_TRY(others_json(w->ctx, x, at.photo_id, f.id, others));
    json_object_set(o, "others", others);
    reply_json(r, 200, json_incref(o));
done:
    json_decref(o);
    json_decref(others);
    return st;
}

void handle_face(request *r, worker *w)
{
    reviewing x;
    if (!review_take(r, w, &x))
        return;
    const akin_status st = tell_face(r, w, &x);
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
    review_give(&x);
}

/* ---- pictures ---- */

/* A copy that the answer owns. */
static void reply_jpeg(request *r, worker *w, akin_status st, uint8_t *jpeg,
                       int64_t n)
{
    char *copy;
    if (st != AKIN_OK) {
        reply_failure(r, w->ctx, st);
        return;
    }
    copy = malloc((size_t)n);
    if (copy == NULL)
        reply_error(r, 503, "out of memory");
    else {
        memcpy(copy, jpeg, (size_t)n);
        reply_bytes(r, "image/jpeg", copy, (size_t)n);
        r->answer.may_cache = true;
    }
    akin_free(jpeg);
}

static void reply_picture(request *r, worker *w, int crop)
{
    served *s;
    akin_collection *c;
    int64_t row, side, n = 0;
    uint8_t *jpeg = NULL;
    if (!request_number(r, "side", 16, 1024, crop ? 256 : 1024, &side) ||
        !take_item(r, w, &s, &c, r->id, &row))
        return;
    const akin_status st =
        akin_faces_picture(&jpeg, &n, w->ctx, c, row, side, crop);
    pool_give(s, c);
    reply_jpeg(r, w, st, jpeg, n);
}

void handle_face_crop(request *r, worker *w)
{
    reply_picture(r, w, 1);
}

void handle_face_photo(request *r, worker *w)
{
    reply_picture(r, w, 0);
}

/* ---- photos without a face ---- */

void handle_photo_picture(request *r, worker *w)
{
    served *s = review_collection(r);
    akin_collection *c = NULL;
    int64_t side, n = 0;
    uint8_t *jpeg = NULL;
    if (s == NULL || !request_number(r, "side", 16, 1024, 256, &side))
        return;
    akin_status st = pool_take(&c, w->ctx, s);
    if (st == AKIN_OK)
        st = akin_faces_photo_picture(&jpeg, &n, w->ctx, c, r->id, side);
    pool_give(s, c);
    reply_jpeg(r, w, st, jpeg, n);
}

static akin_status list_photos(akin_ctx *ctx, akin_collection *c,
                               int64_t offset, int64_t top, json_t *list,
                               int64_t *total)
{
    akin_photo p;
    int64_t *ids = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_faces_without(&ids, total, ctx, c));
    for (int64_t i = offset; i < *total && i < offset + top; ++i) {
        APP_TRY(akin_faces_photo(&p, ctx, c, ids[i]));
        json_array_append_new(
            list,
            APP_OBJECT(APP_KEY("photo_id", p.id),
                       APP_KEY("photo", app_json_string(p.name)),
                       APP_KEY("width", p.width), APP_KEY("height", p.height),
                       APP_KEY("caption", text_json(p.caption))));
    }
done:
    akin_free(ids);
    return st;
}

void handle_photos(request *r, worker *w)
{
    served *s = review_collection(r);
    akin_collection *c = NULL;
    json_t *list = json_array();
    int64_t offset, top, total = 0;
    akin_status st = AKIN_OK;
    if (s == NULL ||
        !request_number(r, "offset", 0, INT64_MAX / 2, 0, &offset) ||
        !request_number(r, "top", 1, TOP_MOST, 100, &top))
        goto refused;
    st = pool_take(&c, w->ctx, s);
    if (st == AKIN_OK)
        st = list_photos(w->ctx, c, offset, top, list, &total);
    pool_give(s, c);
    if (st == AKIN_OK)
        reply_json(r, 200,
                   APP_OBJECT(APP_KEY("total", total),
                              APP_KEY("offset", offset),
                              APP_KEY("photos", json_incref(list))));
    else
        reply_failure(r, w->ctx, st);
refused:
    json_decref(list);
}
