/* Searches: by examples, a text, features or a file that was sent. */
#include <akin/versions.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/json.h"
#include "server/handlers/answers.h"
#include "server/handlers/handlers.h"
#include "server/handlers/query.h"
#include "server/routes.h"
#include "server/server.h"

enum {
    VERIFIED = 100,  // results that `verify` looks at
    MOVES = 1000     // results among which an item has a rank before
};

/* What is asked. */
typedef struct question {
    item_ids like, unlike;  // ids at first, then rows
    const char *text, *where, *feedback, *user;
    int64_t top, offset, version;  // version -1: the one in use
    bool verify;
    const json_t *features;
    const char *file;  // that was sent, as a path
    const char *kind;  // of the file
    bool has_file;
    bool of_path;     // the one example is {id}
    akin_rows *rows;  // the query; NULL: examples alone
} question;

static void free_question(question *q)
{
    free(q->like.ids);
    free(q->unlike.ids);
    akin_rows_free(q->rows);
}

/* ---- from arguments ---- */

static bool take_arguments(request *r, question *q)
{
    const char *verify = request_argument(r, "verify", 0);
    if (verify != NULL && strcmp(verify, "true") != 0 &&
        strcmp(verify, "false") != 0) {
        reply_error(r, 400, "verify: expected true or false");
        return false;
    }
    q->text = request_argument(r, "text", 0);
    q->where = request_argument(r, "where", 0);
    q->feedback = request_argument(r, "feedback", 0);
    q->user = request_argument(r, "user", 0);
    q->verify = verify != NULL && strcmp(verify, "true") == 0;
    return ids_of_arguments(r, "like", &q->like) &&
           ids_of_arguments(r, "unlike", &q->unlike) &&
           request_number(r, "top", 1, TOP_MOST, 10, &q->top) &&
           request_number(r, "offset", 0, REACH_MOST, 0, &q->offset) &&
           request_number(r, "version", 0, INT64_MAX, -1, &q->version);
}

/* ---- from JSON ---- */

static bool take_text(request *r, const json_t *body, const char *key,
                      const char **out)
{
    const json_t *x = json_object_get(body, key);
    *out = json_string_value(x);
    if (x == NULL || json_is_null(x) || *out != NULL)
        return true;
    reply_error(r, 400, "\"%s\": expected a text", key);
    return false;
}

static bool is_bool(request *r, const json_t *body, const char *key)
{
    const json_t *x = json_object_get(body, key);
    if (x == NULL || json_is_boolean(x))
        return true;
    reply_error(r, 400, "\"%s\": expected true or false", key);
    return false;
}

static bool take_number(request *r, const json_t *body, const char *key,
                        int64_t min, int64_t max, int64_t *out)
{
    const json_t *x = json_object_get(body, key);
    if (x == NULL || json_is_null(x))
        return true;
    *out = json_integer_value(x);
    if (json_is_integer(x) && *out >= min && *out <= max)
        return true;
    reply_error(r, 400,
                "\"%s\": expected a whole number from %" PRId64 " to %" PRId64,
                key, min, max);
    return false;
}

static bool take_body(request *r, const json_t *body, question *q)
{
    q->top = 10;
    q->version = -1;
    q->verify = json_is_true(json_object_get(body, "verify"));
    q->features = json_object_get(body, "features");
    return is_bool(r, body, "verify") &&
           has_known_keys(r, body,
                          "like unlike text where top offset version feedback "
                          "user verify features") &&
           take_text(r, body, "text", &q->text) &&
           take_text(r, body, "where", &q->where) &&
           take_text(r, body, "feedback", &q->feedback) &&
           take_text(r, body, "user", &q->user) &&
           take_number(r, body, "top", 1, TOP_MOST, &q->top) &&
           take_number(r, body, "offset", 0, REACH_MOST, &q->offset) &&
           take_number(r, body, "version", 0, INT64_MAX, &q->version) &&
           ids_of_json(r, json_object_get(body, "like"), "like", NULL, NULL,
                       &q->like) &&
           ids_of_json(r, json_object_get(body, "unlike"), "unlike", NULL, NULL,
                       &q->unlike);
}

/* ---- the search ---- */

static bool is_complete(request *r, const question *q)
{
    if (q->like.n == 0 && q->text == NULL && q->features == NULL &&
        !q->has_file)
        reply_error(r, 400,
                    "nothing to search by (expected like, text, features or a "
                    "file)");
    else if (q->text != NULL && strlen(q->text) > TEXT_MOST)
        reply_error(r, 400, "text: expected at most %d bytes", TEXT_MOST);
    else if (q->feedback != NULL &&
             !argument_is_in("auto none mean learn expand", q->feedback))
        reply_error(r, 400,
                    "feedback: expected auto, none, mean, learn or expand");
    else if (q->offset + q->top > REACH_MOST)
        reply_error(r, 400, "offset and top together exceed %d", REACH_MOST);
    else
        return true;
    return false;
}

/* Ids become rows. */
static akin_status find_rows(akin_ctx *ctx, akin_collection *c, item_ids *list)
{
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < list->n && st == AKIN_OK; ++i)
        st = akin_collection_row_of(&list->ids[i], ctx, c, list->ids[i]);
    return st;
}

/* Is the file a document? Where both kinds are asked, its type tells. */
static bool is_document(const request *r, const akin_collection *c)
{
    return akin_collection_can_ask(c, "documents") &&
           (r->is_text || !akin_collection_can_ask(c, "images"));
}

static akin_status describe_file(request *r, akin_ctx *ctx, akin_collection *c,
                                 question *q)
{
    const char *text = r->body;
    akin_status st = AKIN_OK;
    q->kind = is_document(r, c) ? "documents" : "images";
    if (strcmp(q->kind, "documents") == 0) {
        APP_TRY(akin_collection_ask(ctx, c, "documents"));
        return akin_collection_describe_text(&q->rows, ctx, c, &text,
                                             &r->n_body, 1);
    }
    APP_TRY(akin_collection_ask(ctx, c, "images"));
    APP_TRY(akin_collection_describe(&q->rows, ctx, c, &q->file, 1));
done:
    return st;
}

/* The query as a row. False: the answer says what is wrong. */
static bool describe(request *r, akin_ctx *ctx, akin_collection *c, question *q)
{
    akin_status st = AKIN_OK;
    if (q->has_file) {
        st = describe_file(r, ctx, c, q);
        if (st != AKIN_OK)
            reply_file_failure(r, ctx, st, q->file);
        return st == AKIN_OK;
    } else if (q->text != NULL) {
        st = akin_collection_ask(ctx, c, "documents");
        if (st == AKIN_OK)
            st = akin_collection_describe_text(&q->rows, ctx, c, &q->text, NULL,
                                               1);
    } else if (q->features != NULL)
        return query_of_json(r, ctx, c, q->features, &q->rows);
    if (st != AKIN_OK)
        reply_failure(r, ctx, st);
    return st == AKIN_OK;
}

static akin_status use_version(akin_ctx *ctx, akin_collection *c,
                               int64_t version)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_version_model(&m, ctx, c, version));
    APP_TRY(akin_collection_use(ctx, c, m));
done:
    akin_model_free(m);
    return st;
}

/* What was found. */
typedef struct found {
    int64_t *rows, *agreeing;
    double *scores;
    int64_t n;
} found;

static void free_found(found *f)
{
    akin_free(f->rows);
    akin_free(f->scores);
    free(f->agreeing);
}

static akin_status verify(akin_ctx *ctx, akin_collection *c, const question *q,
                          found *f)
{
    const int64_t query = q->like.n > 0 ? q->like.ids[0] : -1;
    f->agreeing = calloc((size_t)f->n + 1, sizeof *f->agreeing);
    if (f->agreeing == NULL)
        return AKIN_ENOMEM;
    return akin_collection_verify(f->rows, f->scores, f->agreeing, ctx, c,
                                  q->file, query, f->n);
}

/* All items would be as near to it. */
static bool is_empty(const question *q)
{
    return q->rows != NULL && akin_rows_nonzeros(q->rows) == 0 &&
           q->like.n == 0 && q->features == NULL;
}

static akin_status search(akin_ctx *ctx, akin_collection *c, const question *q,
                          found *f)
{
    akin_find_options o = AKIN_FIND_DEFAULTS;
    akin_status st = AKIN_OK;
    o.top = q->offset + q->top + 1;  // one more says whether there are more
    if (q->verify && o.top < VERIFIED)
        o.top = VERIFIED;
    o.like = q->like.ids;
    o.n_like = q->like.n;
    o.unlike = q->unlike.ids;
    o.n_unlike = q->unlike.n;
    o.where = q->where;
    o.feedback = q->feedback;
    o.user = q->user;
    APP_TRY(akin_collection_search(&f->rows, &f->scores, ctx, c, q->rows, &o));
    while (!is_empty(q) && f->n < o.top && f->rows[f->n] >= 0)
        ++f->n;
    if (q->verify)
        APP_TRY(verify(ctx, c, q, f));
done:
    return st;
}

static akin_status list_hits(akin_ctx *ctx, akin_collection *c,
                             const question *q, const found *f, json_t *list)
{
    akin_item item;
    for (int64_t i = q->offset; i < f->n && i < q->offset + q->top; ++i) {
        const akin_status st = akin_collection_item(&item, ctx, c, f->rows[i]);
        if (st != AKIN_OK)
            return st;
        json_t *hit = answer_item(&item, f->rows[i]);
        json_object_set_new(hit, "score", app_json_real(f->scores[i]));
        if (f->agreeing != NULL)
            json_object_set_new(hit, "agreeing", json_integer(f->agreeing[i]));
        json_array_append_new(list, hit);
    }
    return AKIN_OK;
}

/* `kind`: what the collection has. */
static json_t *hits_json(const question *q, const found *f, json_t *list,
                         int64_t version, const char *kind, double seconds)
{
    json_t *o = APP_OBJECT(
        APP_KEY("version", version), APP_KEY("offset", q->offset),
        APP_KEY("more", (bool)(f->n > q->offset + q->top)),
        APP_KEY("seconds", seconds), APP_KEY("hits", json_incref(list)));
    if (q->rows != NULL && akin_rows_nonzeros(q->rows) == 0)
        json_object_set_new(o, "note",
                            json_string("nothing in the query is known here"));
    if (q->has_file && q->rows != NULL) {
        json_t *features = features_json(q->rows);
        if (strcmp(q->kind, kind) != 0)
            json_object_set_new(features, "kind", json_string(q->kind));
        json_object_set_new(o, "features", features);
    }
    return o;
}

static void answer(request *r, worker *w, served *s, question *q)
{
    const double begun = app_now();
    akin_collection *c = NULL;
    found f = {0};
    json_t *list = json_array();
    akin_status st = AKIN_OK;
    APP_TRY(pool_take(&c, w->ctx, s));
    if (q->version >= 0)
        APP_TRY(use_version(w->ctx, c, q->version));
    st = find_rows(w->ctx, c, &q->like);
    if (st == AKIN_EINVAL && q->of_path) {
        reply_error(r, 404, "there is no item %" PRId64, r->id);
        goto refused;
    }
    APP_TRY(st);
    APP_TRY(find_rows(w->ctx, c, &q->unlike));
    if (!describe(r, w->ctx, c, q))
        goto refused;
    APP_TRY(search(w->ctx, c, q, &f));
    APP_TRY(list_hits(w->ctx, c, q, &f, list));
    const int64_t version = q->version >= 0 ? q->version
                                            : akin_collection_version(c);
    reply_json(r, 200,
               hits_json(q, &f, list, version, akin_collection_kind(c),
                         app_now() - begun));
done:
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
refused:
    json_decref(list);
    free_found(&f);
    if (q->version < 0)
        pool_give(s, c);
    else
        akin_collection_close(c);  // it searches by another model from now on
}

void handle_search_get(request *r, worker *w)
{
    question q = {0};
    served *s = request_collection(r);
    if (s != NULL && take_arguments(r, &q) && is_complete(r, &q))
        answer(r, w, s, &q);
    free_question(&q);
}

void handle_search_put(request *r, worker *w)
{
    question q = {.has_file = true};
    served *s = request_collection(r);
    char path[64];
    if (s == NULL)
        return;
    const int fd = body_as_file(r, path);
    q.file = path;
    if (fd < 0)
        reply_error(r, 503, "out of memory");
    else if (take_arguments(r, &q) && is_complete(r, &q))
        answer(r, w, s, &q);
    if (fd >= 0)
        close(fd);
    free_question(&q);
}

void handle_search_post(request *r, worker *w)
{
    question q = {0};
    served *s = request_collection(r);
    json_t *body = s ? request_json(r) : NULL;
    if (body != NULL && take_body(r, body, &q) && is_complete(r, &q))
        answer(r, w, s, &q);
    free_question(&q);
    json_decref(body);
}

/* As a search by the one item. */
void handle_neighbours(request *r, worker *w)
{
    question q = {.of_path = true};
    served *s = request_collection(r);
    if (s != NULL && take_arguments(r, &q)) {
        q.like.ids[q.like.n++] = r->id;
        if (is_complete(r, &q))
            answer(r, w, s, &q);
    }
    free_question(&q);
}

/* ---- two versions ---- */

/* The rank of a row, -1: it is not among them. */
static int64_t rank_of(const found *f, int64_t row)
{
    for (int64_t i = 0; i < f->n; ++i)
        if (f->rows[i] == row)
            return i;
    return -1;
}

static akin_status list_moves(akin_ctx *ctx, akin_collection *c, int64_t top,
                              const found *before, const found *after,
                              json_t *hits, json_t *gone)
{
    akin_item item;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < after->n && i < top; ++i) {
        const int64_t was = rank_of(before, after->rows[i]);
        APP_TRY(akin_collection_item(&item, ctx, c, after->rows[i]));
        json_t *o = answer_item(&item, after->rows[i]);
        json_object_set_new(o, "score", app_json_real(after->scores[i]));
        json_object_set_new(o, "rank", json_integer(i + 1));
        json_object_set_new(o, "was",
                            was < 0 ? json_null() : json_integer(was + 1));
        json_array_append_new(hits, o);
    }
    for (int64_t i = 0; i < before->n && i < top; ++i) {
        const int64_t rank = rank_of(after, before->rows[i]);
        if (rank >= 0 && rank < top)
            continue;
        APP_TRY(akin_collection_item(&item, ctx, c, before->rows[i]));
        json_array_append_new(gone, answer_item(&item, before->rows[i]));
    }
done:
    return st;
}

/* Both searches are of one moment: rows mean the same items. */
static akin_status compare(request *r, akin_ctx *ctx, akin_collection *c,
                           question *q, int64_t from, json_t *out)
{
    found before = {0}, after = {0};
    json_t *hits = json_array(), *gone = json_array();
    const int64_t top = q->top;
    akin_status st = AKIN_OK;
    if (q->version >= 0)
        APP_TRY(use_version(ctx, c, q->version));
    const int64_t to = q->version >= 0 ? q->version
                                       : akin_collection_version(c);
    APP_TRY(find_rows(ctx, c, &q->like));
    APP_TRY(find_rows(ctx, c, &q->unlike));
    if (!describe(r, ctx, c, q))
        goto done;
    q->top = MOVES;
    APP_TRY(search(ctx, c, q, &after));
    APP_TRY(use_version(ctx, c, from));
    APP_TRY(search(ctx, c, q, &before));
    APP_TRY(list_moves(ctx, c, top, &before, &after, hits, gone));
    json_object_set_new(out, "from", json_integer(from));
    json_object_set_new(out, "to", json_integer(to));
    json_object_set(out, "hits", hits);
    json_object_set(out, "gone", gone);
    reply_json(r, 200, json_incref(out));
done:
    json_decref(hits);
    json_decref(gone);
    free_found(&before);
    free_found(&after);
    return st;
}

void handle_diff(request *r, worker *w)
{
    question q = {0};
    served *s = request_collection(r);
    akin_collection *c = NULL;
    json_t *out;
    int64_t from;
    akin_status st = AKIN_OK;
    if (s == NULL || !take_arguments(r, &q) ||
        !request_number(r, "from", 0, INT64_MAX, 0, &from) ||
        !request_number(r, "to", 0, INT64_MAX, -1, &q.version) ||
        !is_complete(r, &q)) {
        free_question(&q);
        return;
    }
    out = json_object();
    APP_TRY(pool_take(&c, w->ctx, s));
    APP_TRY(compare(r, w->ctx, c, &q, from, out));
done:
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
    json_decref(out);
    akin_collection_close(c);  // it searches by another model from now on
    free_question(&q);
}
