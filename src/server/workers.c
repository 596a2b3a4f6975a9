#include "server/workers.h"

#include "server/routes.h"
#include "server/server.h"

void queue_init(request_queue *q)
{
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->more, NULL);
}

void queue_end(request_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->stop = true;
    pthread_cond_broadcast(&q->more);
    pthread_mutex_unlock(&q->lock);
}

void queue_free(request_queue *q)
{
    pthread_cond_destroy(&q->more);
    pthread_mutex_destroy(&q->lock);
}

bool queue_put(request_queue *q, request *r)
{
    pthread_mutex_lock(&q->lock);
    const bool fits = q->n < QUEUE_MOST && !q->stop;
    if (fits) {
        r->next = NULL;
        if (q->last != NULL)
            q->last->next = r;
        else
            q->first = r;
        q->last = r;
        ++q->n;
        pthread_cond_signal(&q->more);
    }
    pthread_mutex_unlock(&q->lock);
    return fits;
}

request *queue_get(request_queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (q->first == NULL && !q->stop)
        pthread_cond_wait(&q->more, &q->lock);
    request *r = q->first;
    if (r != NULL) {
        q->first = r->next;
        if (q->first == NULL)
            q->last = NULL;
        --q->n;
    }
    pthread_mutex_unlock(&q->lock);
    return r;
}

static void *work(void *user)
{
    worker *w = user;
    request *r;
    while ((r = queue_get(w->from)) != NULL) {
        w->passed_on = false;
        r->route->handler(r, w);
        if (!w->passed_on)
            server_answer(r);
    }
    return NULL;
}

static akin_status start_one(server *s, request_queue *from)
{
    workers *all = &s->workers;
    worker *w = &all->all[all->n];
    w->s = s;
    w->from = from;
    akin_status st = akin_ctx_new(&w->ctx, NULL);
    if (st != AKIN_OK)
        return st;
    akin_ctx_set_threads(w->ctx, 1);
    if (pthread_create(&w->thread, NULL, work, w) != 0) {
        akin_ctx_free(w->ctx);
        return app_fail(s->a, AKIN_EIO, "cannot start a thread");
    }
    ++all->n;
    return AKIN_OK;
}

akin_status workers_start(server *s, int64_t threads)
{
    enum { SLOW_ONES = 2, QUICK_MOST = WORKERS_MOST - SLOW_ONES };
    const int64_t quick = threads < 2            ? 2
                          : threads > QUICK_MOST ? QUICK_MOST
                                                 : threads;
    akin_status st = AKIN_OK;
    queue_init(&s->workers.quick);
    queue_init(&s->workers.slow);
    for (int64_t i = 0; i < quick; ++i)
        APP_TRY(start_one(s, &s->workers.quick));
    for (int64_t i = 0; i < SLOW_ONES; ++i)
        APP_TRY(start_one(s, &s->workers.slow));
done:
    return st;
}

void workers_stop(workers *w)
{
    queue_end(&w->quick);
    queue_end(&w->slow);
    for (int i = 0; i < w->n; ++i) {
        pthread_join(w->all[i].thread, NULL);
        akin_ctx_free(w->all[i].ctx);
    }
    w->n = 0;
    queue_free(&w->quick);
    queue_free(&w->slow);
}
