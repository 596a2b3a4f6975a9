/* The review of names: which faces to ask about, what people say of them, and
 * who is known. */
#include "server/handlers/review.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "server/handlers/captions.h"
#include "server/handlers/handlers.h"
#include "server/handlers/query.h"
#include "server/server.h"

enum { FACES_MOST = 1000 };  // of one answer
enum { CORRECTIONS = 20 };   // of captions, until one learns from them

/* ---- what is known, locked ---- */

/* The job that learns the names; 0: there are too many. */
static int64_t learn_names(request *r, served *s)
{
    return jobs_add(&r->s->jobs, JOB_REVIEW, s, "", NULL);
}

static void reply_learning(request *r, served *s)
{
    const int64_t job = learn_names(r, s);
    if (job > 0)
        reply_json(r, 202, APP_OBJECT(APP_KEY("job", job)));
    else
        reply_error(r, 503, "too many jobs wait");
}

/* Take the answers since. What is no longer right is forgotten. */
static akin_status bring_up_to_date(served *s, akin_ctx *ctx)
{
    int64_t stale = 0;
    akin_status st = AKIN_OK;
    if (s->review != NULL)
        st = akin_review_update(&stale, ctx, s->review);
    if (stale || st != AKIN_OK) {
        akin_review_close(s->review);
        s->review = NULL;
    }
    return st;
}

served *review_collection(request *r)
{
    served *s = request_collection(r);
    if (s != NULL && strcmp(s->kind, "faces") != 0) {
        reply_error(r, 400, "%s has %s, no faces", s->name, s->kind);
        return NULL;
    }
    return s;
}

bool review_take(request *r, worker *w, reviewing *x)
{
    akin_status st = AKIN_OK;
    *x = (reviewing){.s = review_collection(r)};
    if (x->s == NULL)
        return false;
    pthread_mutex_lock(&x->s->review_lock);
    st = bring_up_to_date(x->s, w->ctx);
    if (st == AKIN_OK && x->s->review != NULL) {
        x->review = x->s->review;
        st = pool_take(&x->c, w->ctx, x->s);
        if (st == AKIN_OK)
            return true;
    }
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
    else
        reply_learning(r, x->s);
    pthread_mutex_unlock(&x->s->review_lock);
    return false;
}

void review_give(reviewing *x)
{
    pool_give(x->s, x->c);
    pthread_mutex_unlock(&x->s->review_lock);
}

/* ---- lists of faces ---- */

/* A page of the faces that are added: `offset` are skipped. */
typedef struct face_page {
    int64_t offset, top, total;
    json_t *list;
} face_page;

static bool take_page(request *r, face_page *p)
{
    return request_number(r, "offset", 0, INT64_MAX / 2, 0, &p->offset) &&
           request_number(r, "top", 1, TOP_MOST, 100, &p->top);
}

static void add_face(face_page *p, worker *w, const reviewing *x,
                     const akin_review_face *f)
{
    if (p->total >= p->offset && p->total < p->offset + p->top) {
        json_t *o = face_json(w->ctx, x, f);
        if (o != NULL)
            json_array_append_new(p->list, o);
    }
    ++p->total;
}

static void reply_page(request *r, const reviewing *x, face_page *p)
{
    reply_json(r, 200,
               APP_OBJECT(APP_KEY("total", p->total),
                          APP_KEY("offset", p->offset),
                          APP_KEY("last", akin_review_last(x->review)),
                          APP_KEY("faces", p->list)));
}

void handle_review(request *r, worker *w)
{
    reviewing x;
    face_page p = {0};
    akin_review_face f;
    const int64_t *rows;
    int64_t after;
    if (!take_page(r, &p) ||
        !request_number(r, "after", 0, INT64_MAX, -1, &after) ||
        !review_take(r, w, &x))
        return;
    p.list = json_array();
    const int64_t n = after < 0 ? akin_review_queue(&rows, x.review)
                                : akin_review_count(x.review);
    for (int64_t k = 0; k < n; ++k) {
        akin_review_get(&f, x.review, after < 0 ? rows[k] : k);
        if (after < 0 || (f.changed > after && !f.said))
            add_face(&p, w, &x, &f);
    }
    reply_page(r, &x, &p);
    review_give(&x);
}

void handle_faces(request *r, worker *w)
{
    const char *person = request_argument(r, "person", 0);
    reviewing x;
    face_page p = {0};
    akin_review_face f;
    if (person == NULL) {
        reply_error(r, 400, "person: expected a name");
        return;
    }
    if (!take_page(r, &p) || !review_take(r, w, &x))
        return;
    p.list = json_array();
    for (int64_t i = 0; i < akin_review_count(x.review); ++i) {
        akin_review_get(&f, x.review, i);
        if (f.name != NULL && strcmp(f.name, person) == 0)
            add_face(&p, w, &x, &f);
    }
    reply_page(r, &x, &p);
    review_give(&x);
}

void handle_persons(request *r, worker *w)
{
    reviewing x;
    akin_person *all = NULL;
    json_t *list = json_array();
    int64_t n = 0;
    akin_status st = AKIN_OK;
    if (!review_take(r, w, &x)) {
        json_decref(list);
        return;
    }
    APP_TRY(akin_review_persons(&all, &n, w->ctx, x.review));
    for (int64_t i = 0; i < n; ++i)
        json_array_append_new(
            list, APP_OBJECT(APP_KEY("name", app_json_string(all[i].name)),
                             APP_KEY("said", all[i].said),
                             APP_KEY("suggested", all[i].suggested)));
    reply_json(r, 200, APP_OBJECT(APP_KEY("persons", json_incref(list))));
done:
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
    json_decref(list);
    akin_free(all);
    review_give(&x);
}

static akin_status list_unnamed(worker *w, const reviewing *x, json_t *list)
{
    const int64_t n = akin_review_count(x->review);
    int64_t *groups = calloc((size_t)n + 1, sizeof *groups), n_groups = 0;
    akin_review_face f;
    akin_status st = groups ? AKIN_OK : AKIN_ENOMEM;
    APP_TRY(st);
    APP_TRY(akin_review_groups(groups, &n_groups, w->ctx, x->review));
    for (int64_t k = 0; k < n_groups; ++k)
        json_array_append_new(list, json_array());
    for (int64_t i = 0; i < n; ++i) {
        if (groups[i] < 0)
            continue;
        akin_review_get(&f, x->review, i);
        json_t *o = face_json(w->ctx, x, &f);
        if (o != NULL)
            json_array_append_new(json_array_get(list, (size_t)groups[i]), o);
    }
done:
    free(groups);
    return st;
}

void handle_unnamed(request *r, worker *w)
{
    reviewing x;
    if (!review_take(r, w, &x))
        return;
    json_t *list = json_array();
    const akin_status st = list_unnamed(w, &x, list);
    if (st == AKIN_OK)
        reply_json(r, 200, APP_OBJECT(APP_KEY("groups", json_incref(list))));
    else
        reply_failure(r, w->ctx, st);
    json_decref(list);
    review_give(&x);
}

/* ---- answers ---- */

static akin_status answers_of(served *s, akin_ctx *ctx)
{
    return s->answers ? AKIN_OK : akin_answers_open(&s->answers, ctx, s->path);
}

void review_reply_lost(request *r, worker *w, akin_status st)
{
    if (st == AKIN_EIO)
        server_fail(r->s, akin_ctx_message(w->ctx));
    reply_failure(r, w->ctx, st);
}

void review_add_changed(request *r, worker *w, served *s, int64_t before,
                        json_t *o)
{
    reviewing x = {.s = s};
    akin_review_face f;
    json_t *list = json_array();
    if (bring_up_to_date(s, w->ctx) != AKIN_OK || s->review == NULL ||
        pool_take(&x.c, w->ctx, s) != AKIN_OK) {
        json_object_set_new(o, "job", json_integer(learn_names(r, s)));
        json_object_set_new(o, "changed", list);
        return;
    }
    x.review = s->review;
    for (int64_t i = 0;
         i < akin_review_count(x.review) && json_array_size(list) < TOP_MOST;
         ++i) {
        akin_review_get(&f, x.review, i);
        json_t *one = f.changed > before ? face_json(w->ctx, &x, &f) : NULL;
        if (one != NULL)
            json_array_append_new(list, one);
    }
    json_object_set_new(o, "changed", list);
    pool_give(s, x.c);
    if (akin_review_is_behind(x.review))
        learn_names(r, s);
}

/* One answer, or the same of several faces. */
typedef struct answering {
    akin_answer answer;
    int64_t *faces, n;
} answering;

static bool take_faces(request *r, const json_t *body, answering *a)
{
    const json_t *list = json_object_get(body, "faces");
    const json_t *face = json_object_get(body, "face"), *x;
    const size_t n = json_array_size(list);
    size_t i;
    if ((face != NULL) == (list != NULL) || (list != NULL && n == 0) ||
        n > FACES_MOST) {
        reply_error(r, 400, "expected \"face\" or a list of 1 to %d \"faces\"",
                    FACES_MOST);
        return false;
    }
    a->faces = calloc(n + 1, sizeof *a->faces);
    if (a->faces == NULL) {
        reply_error(r, 503, "out of memory");
        return false;
    }
    bool good = list != NULL || json_is_integer(face);
    a->faces[a->n++] = json_integer_value(face);
    if (list != NULL)
        a->n = 0;
    json_array_foreach(list, i, x)
    {
        good = good && json_is_integer(x);
        a->faces[a->n++] = json_integer_value(x);
    }
    if (!good)
        reply_error(r, 400, "a face is not an id");
    return good;
}

bool review_text(request *r, const json_t *body, const char *key,
                 const char **out)
{
    const json_t *x = json_object_get(body, key);
    *out = json_string_value(x);
    if (x == NULL || json_is_null(x) ||
        (*out != NULL && strlen(*out) == json_string_length(x)))
        return true;
    reply_error(r, 400, "\"%s\": expected a text", key);
    return false;
}

static bool take_answer(request *r, worker *w, served *s, const json_t *body,
                        answering *a)
{
    akin_answer *x = &a->answer;
    *x = (akin_answer)AKIN_ANSWER_INIT;
    if (!has_known_keys(r, body,
                        "face faces photo start end kind name other key "
                        "user") ||
        !review_text(r, body, "kind", &x->kind) ||
        !review_text(r, body, "name", &x->name) ||
        !review_text(r, body, "other", &x->other) ||
        !review_text(r, body, "key", &x->key) ||
        !review_text(r, body, "user", &x->user))
        return false;
    if (x->kind != NULL && strcmp(x->kind, "merge") == 0)
        return true;
    if (json_object_get(body, "photo") != NULL)
        return captions_take(r, w, s, body, x);
    return take_faces(r, body, a);
}

/* Each face has a key of its own. */
static akin_status store_one(served *s, akin_ctx *ctx, const answering *a,
                             int64_t i, int64_t *number)
{
    akin_answer x = a->answer;
    char key[256];
    x.face = a->n > 0 ? a->faces[i] : -1;
    if (x.key != NULL && a->n > 1) {
        snprintf(key, sizeof key, "%.200s/%" PRId64, x.key, x.face);
        x.key = key;
    }
    return akin_answers_add(number, ctx, s->answers, &x);
}

static akin_status store_all(request *r, worker *w, served *s,
                             const answering *a)
{
    json_t *numbers = json_array(), *o = NULL;
    int64_t number = 0, first = INT64_MAX;
    akin_status st = AKIN_OK;
    APP_TRY(answers_of(s, w->ctx));
    for (int64_t i = 0; i < (a->n > 0 ? a->n : 1); ++i) {
        APP_TRY(store_one(s, w->ctx, a, i, &number));
        json_array_append_new(numbers, json_integer(number));
        first = number < first ? number : first;
    }
    o = APP_OBJECT(APP_KEY("answers", json_incref(numbers)));
    review_add_changed(r, w, s, first - 1, o);
    if (a->answer.photo >= 0 && ++s->corrections % CORRECTIONS == 0)
        jobs_add(&r->s->jobs, JOB_TAGGER, s, "", NULL);
    reply_json(r, 200, o);
done:
    json_decref(numbers);
    return st;
}

void handle_answer_add(request *r, worker *w)
{
    served *s = review_collection(r);
    json_t *body = s ? request_json(r) : NULL;
    answering a = {0};
    if (body != NULL && take_answer(r, w, s, body, &a)) {
        pthread_mutex_lock(&s->review_lock);
        const akin_status st = store_all(r, w, s, &a);
        if (st != AKIN_OK)
            review_reply_lost(r, w, st);
        pthread_mutex_unlock(&s->review_lock);
    }
    free(a.faces);
    json_decref(body);
}

void handle_answer_undo(request *r, worker *w)
{
    served *s = review_collection(r);
    if (s == NULL)
        return;
    pthread_mutex_lock(&s->review_lock);
    const int64_t last = s->review ? akin_review_last(s->review) : 0;
    akin_status st = answers_of(s, w->ctx);
    if (st == AKIN_OK)
        st = akin_answers_undo(w->ctx, s->answers, r->id);
    if (st == AKIN_EINVAL)
        reply_error(r, 404, "there is no answer %" PRId64, r->id);
    else if (st != AKIN_OK)
        review_reply_lost(r, w, st);
    else {
        json_t *o = APP_OBJECT(APP_KEY("undone", r->id));
        review_add_changed(r, w, s, last - 1, o);
        reply_json(r, 200, o);
    }
    pthread_mutex_unlock(&s->review_lock);
}

static json_t *answer_json(const akin_answer *x)
{
    json_t *face = x->face >= 0 ? json_integer(x->face) : json_null();
    json_t *o = APP_OBJECT(APP_KEY("number", x->number), APP_KEY("face", face),
                           APP_KEY("kind", x->kind), APP_KEY("name", x->name),
                           APP_KEY("other", x->other), APP_KEY("key", x->key),
                           APP_KEY("user", x->user),
                           APP_KEY("undone", (bool)(x->undone != 0)));
    if (x->photo >= 0) {
        json_object_set_new(o, "photo", json_integer(x->photo));
        json_object_set_new(o, "mention", app_json_text_or_null(x->mention));
    }
    return o;
}

/* A box that was drawn has its place. */
static json_t *listed_json(const akin_answer *x)
{
    json_t *o = answer_json(x);
    if (strcmp(x->kind, "box") == 0)
        json_object_set_new(
            o, "box",
            json_pack("[f, f, f, f]", x->x, x->y, x->width, x->height));
    return o;
}

void handle_answer_list(request *r, worker *w)
{
    served *s = review_collection(r);
    akin_answers *a = NULL;
    akin_answer x;
    json_t *list = json_array();
    int64_t after, top;
    bool more = true;
    akin_status st = AKIN_OK;
    if (s == NULL || !request_number(r, "after", 0, INT64_MAX, 0, &after) ||
        !request_number(r, "top", 1, TOP_MOST, 100, &top))
        goto refused;
    APP_TRY(akin_answers_open(&a, w->ctx, s->path));
    for (int64_t i = 0; more && i <= top; ++i) {
        APP_TRY(akin_answers_next(&x, w->ctx, a, after));
        more = x.number > 0;
        after = x.number;
        if (more && i < top)
            json_array_append_new(list, listed_json(&x));
    }
    reply_json(r, 200,
               APP_OBJECT(APP_KEY("more", more),
                          APP_KEY("answers", json_incref(list))));
done:
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
refused:
    akin_answers_close(a);
    json_decref(list);
}
