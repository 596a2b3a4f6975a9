/* Faces that a person draws in a photo. */
#include <string.h>

#include "app/json.h"
#include "server/handlers/handlers.h"
#include "server/handlers/query.h"
#include "server/handlers/review.h"
#include "server/server.h"

static bool take_box(request *r, const json_t *body, akin_drawing *d)
{
    const json_t *box = json_object_get(body, "box");
    double *const to[] = {&d->x, &d->y, &d->width, &d->height};
    bool good = json_array_size(box) == 4;
    for (size_t k = 0; good && k < 4; ++k) {
        good = json_is_number(json_array_get(box, k));
        *to[k] = json_number_value(json_array_get(box, k));
    }
    if (!good)
        reply_error(r, 400, "\"box\": expected [x, y, width, height]");
    return good;
}

static bool take_id(request *r, const json_t *body, const char *key,
                    bool is_needed, int64_t *out)
{
    const json_t *x = json_object_get(body, key);
    if (x == NULL && !is_needed)
        return true;
    *out = json_integer_value(x);
    if (json_is_integer(x) && *out >= 0)
        return true;
    reply_error(r, 400, "\"%s\": expected an id", key);
    return false;
}

static bool take_drawing(request *r, const json_t *body, akin_drawing *d)
{
    return has_known_keys(r, body, "photo_id face box key user") &&
           take_id(r, body, "photo_id", true, &d->photo_id) &&
           take_id(r, body, "face", false, &d->face) && take_box(r, body, d) &&
           review_text(r, body, "key", &d->key) &&
           review_text(r, body, "user", &d->user);
}

/* Others ask and answer while the pixels are looked at. */
static akin_status draw(worker *w, served *s, const akin_drawing *d,
                        int64_t *face, int64_t *number)
{
    akin_status st = AKIN_OK;
    pthread_mutex_lock(&s->drawer_lock);
    if (s->drawer == NULL)
        st = akin_answers_open(&s->drawer, w->ctx, s->path);
    if (st == AKIN_OK)
        st = akin_answers_draw(face, number, w->ctx, s->drawer, d);
    pthread_mutex_unlock(&s->drawer_lock);
    return st;
}

static void reply_drawn(request *r, worker *w, served *s, int64_t face,
                        int64_t number)
{
    json_t *o =
        APP_OBJECT(APP_KEY("answers", json_pack("[I]", (json_int_t)number)),
                   APP_KEY("face", face));
    pthread_mutex_lock(&s->review_lock);
    review_add_changed(r, w, s, number - 1, o);
    pthread_mutex_unlock(&s->review_lock);
    reply_json(r, 200, o);
}

void handle_face_draw(request *r, worker *w)
{
    served *s = review_collection(r);
    json_t *body = s ? request_json(r) : NULL;
    akin_drawing d = AKIN_DRAWING_INIT;
    int64_t face = -1, number = 0;
    if (body != NULL && take_drawing(r, body, &d)) {
        const akin_status st = draw(w, s, &d, &face, &number);
        if (st == AKIN_OK)
            reply_drawn(r, w, s, face, number);
        else
            review_reply_lost(r, w, st);
    }
    json_decref(body);
}
