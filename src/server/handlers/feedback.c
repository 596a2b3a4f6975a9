/* Feedback and what is learned from it. */
#include <akin/learn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "server/handlers/answers.h"
#include "server/handlers/handlers.h"
#include "server/handlers/query.h"
#include "server/server.h"

/* ---- an event ---- */

enum { GOOD, BAD, SHOWN, CLICKED, LISTS };
static const char *const list_keys[] = {"good", "bad", "shown", "clicked"};

static bool take_text(request *r, const json_t *body, const char *key,
                      char **out)
{
    const json_t *x = json_object_get(body, key);
    const char *text = json_string_value(x);
    if (x == NULL || json_is_null(x))
        return true;
    if (text != NULL && text[0] != '\0' &&
        strlen(text) == json_string_length(x) && strlen(text) <= TEXT_MOST)
        *out = strdup(text);
    if (*out == NULL)
        reply_error(r, 400, "\"%s\": expected a text of 1 to %d bytes", key,
                    TEXT_MOST);
    return *out != NULL;
}

/* An event that is being read, and the collection that knows its items. */
typedef struct reading {
    request *r;
    akin_ctx *ctx;
    akin_collection *c;
    const json_t *body;
    event_job *j;
} reading;

/* The ids of all lists, one after the other. */
static bool take_lists(const reading *x)
{
    event_job *j = x->j;
    const int64_t **const to[] = {&j->event.good, &j->event.bad,
                                  &j->event.shown, &j->event.clicked};
    int64_t *const n[] = {&j->event.n_good, &j->event.n_bad, &j->event.n_shown,
                          &j->event.n_clicked};
    item_ids lists[LISTS] = {{0}};
    int64_t total = 0, at = 0;
    bool good = true;
    for (int k = 0; k < LISTS && good; ++k) {
        good = ids_of_json(x->r, json_object_get(x->body, list_keys[k]),
                           list_keys[k], x->ctx, x->c, &lists[k]);
        total += lists[k].n;
    }
    j->ids = good ? calloc((size_t)total + 1, sizeof *j->ids) : NULL;
    if (good && j->ids == NULL)
        reply_error(x->r, 503, "out of memory");
    for (int k = 0; k < LISTS; ++k) {
        if (j->ids != NULL && lists[k].n > 0)
            memcpy(j->ids + at, lists[k].ids,
                   (size_t)lists[k].n * sizeof *j->ids);
        *to[k] = j->ids ? j->ids + at : NULL;
        *n[k] = lists[k].n;
        at += lists[k].n;
        free(lists[k].ids);
    }
    return j->ids != NULL;
}

/* The name of an item, or else a text to describe. No text of a client is taken
 * for the name of a file. */
static bool take_named(const reading *x)
{
    event_job *j = x->j;
    const char *text = j->query;
    akin_status st;
    if (id_of_name(&j->event.item, x->ctx, x->c, text) == AKIN_OK)
        return true;
    j->event.item = -1;
    st = akin_collection_ask(x->ctx, x->c, "documents");
    if (st != AKIN_OK) {
        reply_error(x->r, 400, "\"query\": there is no item '%.60s'", text);
        return false;
    }
    st = akin_collection_describe_text(&j->row, x->ctx, x->c, &text, NULL, 1);
    if (st != AKIN_OK)
        reply_failure(x->r, x->ctx, st);
    return st == AKIN_OK;
}

static bool take_query(const reading *x)
{
    const json_t *query = json_object_get(x->body, "query");
    const json_t *features = json_object_get(x->body, "features");
    if (json_is_integer(query) && features == NULL) {
        x->j->event.item = json_integer_value(query);
        return true;
    }
    if (!take_text(x->r, x->body, "query", &x->j->query))
        return false;
    if (x->j->query == NULL && features == NULL) {
        reply_error(x->r, 400, "\"query\": expected an id, a name or a text");
        return false;
    }
    return features ? query_of_json(x->r, x->ctx, x->c, features, &x->j->row)
                    : take_named(x);
}

static bool take_event(const reading *x)
{
    event_job *j = x->j;
    if (!has_known_keys(x->r, x->body,
                        "key query features good bad shown clicked user") ||
        !take_text(x->r, x->body, "key", &j->key) ||
        !take_text(x->r, x->body, "user", &j->user) || !take_lists(x) ||
        !take_query(x))
        return false;
    j->event.key = j->key;
    j->event.user = j->user;
    j->event.query = j->query;
    j->event.row = j->row;
    return true;
}

static event_job *read_event(request *r, akin_ctx *ctx, served *s,
                             const json_t *body)
{
    reading x = {.r = r, .ctx = ctx, .body = body};
    const akin_status st = pool_take(&x.c, ctx, s);
    if (st != AKIN_OK) {
        reply_failure(r, ctx, st);
        return NULL;
    }
    x.j = calloc(1, sizeof *x.j);
    if (x.j == NULL)
        reply_error(r, 503, "out of memory");
    else {
        x.j->c = s;
        x.j->event = (akin_event)AKIN_EVENT_INIT;
        if (!take_event(&x)) {
            event_job_free(x.j);
            x.j = NULL;
        }
    }
    pool_give(s, x.c);
    return x.j;
}

void handle_feedback_add(request *r, worker *w)
{
    served *s = request_collection(r);
    json_t *body = s ? request_json(r) : NULL;
    event_job *j = body ? read_event(r, w->ctx, s, body) : NULL;
    json_decref(body);
    if (j != NULL)
        writer_put(r, w, j);
}

void handle_feedback_undo(request *r, worker *w)
{
    served *s = request_collection(r);
    event_job *j = s ? calloc(1, sizeof *j) : NULL;
    if (s != NULL && r->id == 0) {
        reply_error(r, 404, "there is no event 0");
        free(j);
    } else if (j != NULL) {
        j->c = s;
        j->undo = r->id;
        writer_put(r, w, j);
    } else if (s != NULL)
        reply_error(r, 503, "out of memory");
}

/* Items have ids and names: an event as a line has one of them. */
static json_t *item_json(akin_ctx *ctx, akin_collection *c, const json_t *x)
{
    akin_item item;
    int64_t row;
    const akin_status st =
        json_is_string(x)
            ? akin_collection_find(&row, ctx, c, json_string_value(x))
            : akin_collection_row_of(&row, ctx, c, json_integer_value(x));
    if (st != AKIN_OK || akin_collection_item(&item, ctx, c, row) != AKIN_OK)
        return json_null();
    return answer_item(&item, row);
}

/* The items of its lists; the query is an item or, with features, a text. */
static json_t *event_json(akin_ctx *ctx, akin_collection *c, json_t *line)
{
    const json_t *query = json_object_get(line, "query"), *x;
    size_t i;
    for (int k = 0; k < LISTS; ++k) {
        const json_t *list = json_object_get(line, list_keys[k]);
        json_t *items = json_array();
        json_array_foreach(list, i, x)
            json_array_append_new(items, item_json(ctx, c, x));
        json_object_set_new(line, list_keys[k], items);
    }
    if (json_object_get(line, "features") != NULL)
        json_object_set_new(line, "query", json_pack("{s:O?}", "text", query));
    else if (query != NULL)
        json_object_set_new(line, "query", item_json(ctx, c, query));
    json_object_del(line, "features");
    return line;
}

/* A page of events: on from `at`, or back from it, those of a query. */
typedef struct event_page {
    int64_t at, query, top, count;
    bool back, more;
    json_t *list;
} event_page;

static bool take_page(request *r, event_page *p)
{
    const char *from = "after";
    const bool of_query = request_argument(r, "query", 0) != NULL;
    if (of_query || request_argument(r, "before", 0) != NULL)
        from = "before";
    p->back = from[0] == 'b';
    if (p->back && request_argument(r, "after", 0) != NULL) {
        reply_error(r, 400, "after: not together with before or query");
        return false;
    }
    return request_number(r, from, 0, INT64_MAX, 0, &p->at) &&
           request_number(r, "query", 0, INT64_MAX, -1, &p->query) &&
           request_number(r, "top", 1, TOP_MOST, 100, &p->top);
}

static akin_status list_events(akin_ctx *ctx, akin_collection *c,
                               akin_events *e, event_page *p)
{
    akin_status st = AKIN_OK;
    APP_TRY(akin_events_count(&p->count, ctx, e));
    for (int64_t i = 0; i <= p->top; ++i) {
        char *text = NULL;
        if (p->back)
            APP_TRY(
                akin_events_previous(&text, &p->at, ctx, e, p->at, p->query));
        else
            APP_TRY(akin_events_next(&text, &p->at, ctx, e, p->at));
        p->more = text != NULL;
        if (text != NULL && i < p->top)
            json_array_append_new(
                p->list, event_json(ctx, c, json_loads(text, 0, NULL)));
        akin_free(text);
        if (!p->more)
            break;
    }
done:
    return st;
}

void handle_feedback_list(request *r, worker *w)
{
    served *s = request_collection(r);
    akin_collection *c = NULL;
    akin_events *e = NULL;
    event_page p = {0};
    akin_status st = AKIN_OK;
    if (s == NULL || !take_page(r, &p))
        return;
    p.list = json_array();
    APP_TRY(pool_take(&c, w->ctx, s));
    APP_TRY(akin_events_open(&e, w->ctx, s->path));
    APP_TRY(list_events(w->ctx, c, e, &p));
    reply_json(r, 200,
               APP_OBJECT(APP_KEY("count", p.count), APP_KEY("more", p.more),
                          APP_KEY("events", json_incref(p.list))));
done:
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
    akin_events_close(e);
    pool_give(s, c);
    json_decref(p.list);
}

/* ---- learning ---- */

void handle_learn(request *r, worker *w)
{
    served *s = request_collection(r);
    json_t *body = s ? request_json(r) : NULL;
    const json_t *given = json_object_get(body, "learner");
    const char *learner = json_string_value(given);
    int64_t number = 0;
    (void)w;
    if (body != NULL && given != NULL &&
        (learner == NULL || strlen(learner) >= JOB_ARGUMENT ||
         (strcmp(learner, "auto") != 0 && akin_learner_find(learner) == NULL)))
        reply_error(r, 400,
                    "\"learner\": expected auto, or the name of a learner");
    else if (body != NULL && has_known_keys(r, body, "learner")) {
        number = jobs_add(&r->s->jobs, JOB_LEARN, s, learner ? learner : "auto",
                          NULL);
        if (number > 0)
            reply_json(r, 202, APP_OBJECT(APP_KEY("job", number)));
        else
            reply_error(r, 503, "too many jobs wait");
    }
    json_decref(body);
}

static akin_status count_events(akin_ctx *ctx, const served *s, int64_t *count)
{
    akin_events *e = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_events_open(&e, ctx, s->path));
    APP_TRY(akin_events_count(count, ctx, e));
done:
    akin_events_close(e);
    return st;
}

void handle_learn_status(request *r, worker *w)
{
    served *s = request_collection(r);
    akin_collection *c = NULL;
    int64_t events = 0;
    json_t *last;
    akin_status st = AKIN_OK;
    if (s == NULL)
        return;
    APP_TRY(count_events(w->ctx, s, &events));
    APP_TRY(pool_take(&c, w->ctx, s));
    last = jobs_learning(&r->s->jobs, s);
    reply_json(r, 200,
               APP_OBJECT(APP_KEY("events", events),
                          APP_KEY("version", akin_collection_version(c)),
                          APP_KEY("job", last ? last : json_null())));
done:
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
    pool_give(s, c);
}

/* How sparse its model is. A version whose file cannot be read is listed
 * without that. */
static void add_sparsity(akin_ctx *ctx, akin_collection *c, int64_t version,
                         json_t *to)
{
    akin_model *m = NULL;
    if (akin_collection_version_model(&m, ctx, c, version) != AKIN_OK)
        return;
    json_object_set_new(to, "nonzeros", json_integer(akin_model_nonzeros(m)));
    json_object_set_new(to, "parameters",
                        json_integer(akin_model_parameters(m)));
    akin_model_free(m);
}

void handle_versions(request *r, worker *w)
{
    served *s = request_collection(r);
    akin_collection *c = NULL;
    akin_version_info *all = NULL;
    json_t *list = json_array();
    int64_t n = 0;
    akin_status st = AKIN_OK;
    if (s == NULL)
        goto refused;
    APP_TRY(pool_take(&c, w->ctx, s));
    APP_TRY(akin_collection_versions(&all, &n, w->ctx, s->path));
    for (int64_t i = 0; i < n; ++i) {
        json_t *one = answer_version(&all[i]);
        if (all[i].version > 0)
            add_sparsity(w->ctx, c, all[i].version, one);
        json_array_append_new(list, one);
    }
    reply_json(r, 200, APP_OBJECT(APP_KEY("versions", json_incref(list))));
done:
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
refused:
    akin_free(all);
    json_decref(list);
    pool_give(s, c);
}

void handle_version_use(request *r, worker *w)
{
    served *s = request_collection(r);
    if (s == NULL)
        return;
    const akin_status st = akin_collection_rollback(w->ctx, s->path, r->id);
    if (st == AKIN_OK)
        reply_json(r, 200, APP_OBJECT(APP_KEY("version", r->id)));
    else if (st == AKIN_EINVAL)
        reply_error(r, 404, "there is no version %" PRId64, r->id);
    else
        reply_failure(r, w->ctx, st);
}
