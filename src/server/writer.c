#include "server/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/json.h"
#include "server/server.h"

enum { GROUP_MOST = 512 };

void event_job_free(event_job *j)
{
    if (j == NULL)
        return;
    free(j->key);
    free(j->user);
    free(j->query);
    free(j->ids);
    akin_rows_free(j->row);
    free(j);
}

void writer_put(request *r, worker *w, event_job *j)
{
    if (faccessat(AT_FDCWD, j->c->path, W_OK, AT_EACCESS) != 0 &&
        errno != ENOENT) {
        reply_error(r, 403, "the server may not write to the collection");
        event_job_free(j);
        return;
    }
    r->event = j;
    w->passed_on = true;
    if (queue_put(&r->s->writer.queue, r))
        return;
    w->passed_on = false;
    reply_error(r, 503, "too many events wait to be stored");
}

/* ---- one group ---- */

static akin_status events_of(server *s, const served *c, akin_events **out)
{
    akin_events **e = &s->writer.events[c - s->collections];
    akin_status st = AKIN_OK;
    if (*e != NULL && akin_events_has_moved(*e)) {
        akin_events_close(*e);
        *e = NULL;
    }
    if (*e == NULL)
        st = akin_events_open(e, s->writer.ctx, c->path);
    *out = *e;
    return st;
}

/* The fault of one event alone. */
static bool is_own_fault(akin_status st)
{
    return st == AKIN_EINVAL || st == AKIN_EFORMAT || st == AKIN_ESHAPE;
}

/* Takes from the queue what is there, of one collection: stores or undoings. */
static int64_t take_group(server *s, request *first, request **group)
{
    request_queue *q = &s->writer.queue;
    const event_job *like = first->event;
    int64_t n = 0;
    group[n++] = first;
    pthread_mutex_lock(&q->lock);
    while (q->first != NULL && n < GROUP_MOST && like->undo == 0 &&
           q->first->event->c == like->c && q->first->event->undo == 0) {
        group[n++] = q->first;
        q->first = q->first->next;
        if (q->first == NULL)
            q->last = NULL;
        --q->n;
    }
    pthread_mutex_unlock(&q->lock);
    return n;
}

static akin_status store_one(server *s, akin_events *e, request *r)
{
    event_job *j = r->event;
    const akin_status st =
        akin_events_add(&j->number, s->writer.ctx, e, &j->event);
    if (is_own_fault(st))
        reply_failure(r, s->writer.ctx, st);
    return is_own_fault(st) ? AKIN_OK : st;
}

static akin_status store_in(server *s, akin_events *e, request **group,
                            int64_t n)
{
    akin_ctx *ctx = s->writer.ctx;
    akin_status st = AKIN_OK;
    if (group[0]->event->undo > 0)
        return akin_events_undo(ctx, e, group[0]->event->undo);
    APP_TRY(akin_events_begin(ctx, e));
    for (int64_t i = 0; i < n && st == AKIN_OK; ++i)
        st = store_one(s, e, group[i]);
    st = akin_events_end(ctx, e, st);
done:
    return st;
}

/* Somebody may put another collection in the place of this one meanwhile: it is
 * stored again, there. */
static akin_status store_group(server *s, request **group, int64_t n)
{
    enum { TRIES = 3 };
    akin_events *e = NULL;
    akin_status st = AKIN_OK;
    for (int i = 0; i < TRIES; ++i) {
        APP_TRY(events_of(s, group[0]->event->c, &e));
        APP_TRY(store_in(s, e, group, n));
        if (!akin_events_has_moved(e))
            return AKIN_OK;
    }
    st = AKIN_EBUSY;
done:
    return st;
}

static void answer_one(server *s, request *r, akin_status st)
{
    event_job *j = r->event;
    const char *key = j->undo > 0 ? "undone" : "event";
    const int64_t number = j->undo > 0 ? j->undo : j->number;
    if (st == AKIN_EINVAL && j->undo > 0)
        reply_error(r, 404, "there is no event %" PRId64, j->undo);
    else if (st != AKIN_OK)
        reply_failure(r, s->writer.ctx, st);
    else if (r->answer.status == 0)
        reply_json(r, 200, APP_OBJECT(APP_KEY(key, number)));
    r->event = NULL;
    event_job_free(j);
    server_answer(r);
}

/* An error of the disk: SQLite cannot say what is on it now. */
static void finish_group(server *s, served *c, request **group, int64_t n,
                         akin_status st)
{
    if (st == AKIN_EIO)
        server_fail(s, akin_ctx_message(s->writer.ctx));
    for (int64_t i = 0; i < n; ++i)
        answer_one(s, group[i], st);
    if (st == AKIN_OK) {
        s->writer.n_events += n;
        ++s->writer.n_groups;
        jobs_learn_if_due(&s->jobs, c);
    }
}

static void *write_all(void *user)
{
    server *s = user;
    request *group[GROUP_MOST], *first;
    while ((first = queue_get(&s->writer.queue)) != NULL) {
        const int64_t n = take_group(s, first, group);
        served *c = first->event->c;
        const akin_status st = s->failed ? AKIN_EIO : store_group(s, group, n);
        finish_group(s, c, group, n, st);
    }
    return NULL;
}

akin_status writer_start(server *s)
{
    event_writer *w = &s->writer;
    akin_status st = AKIN_OK;
    queue_init(&w->queue);
    APP_TRY(akin_ctx_new(&w->ctx, NULL));
    APP_TRY(APP_NEW(s->a, s->n_collections, &w->events));
    if (pthread_create(&w->thread, NULL, write_all, s) != 0)
        return app_fail(s->a, AKIN_EIO, "cannot start a thread");
done:
    return st;
}

void writer_stop(server *s)
{
    event_writer *w = &s->writer;
    queue_end(&w->queue);
    pthread_join(w->thread, NULL);
    for (int64_t i = 0; i < s->n_collections; ++i)
        akin_events_close(w->events[i]);
    free(w->events);
    akin_ctx_free(w->ctx);
    queue_free(&w->queue);
}
