/* server/workers.h - threads that answer requests. */
#ifndef SERVER_WORKERS_H
#define SERVER_WORKERS_H

#include <pthread.h>

#include "server/request.h"

enum { WORKERS_MOST = 16, QUEUE_MOST = 4096 };

typedef struct worker {
    struct server *s;
    struct request_queue *from;
    akin_ctx *ctx;
    pthread_t thread;
    bool passed_on;  // the request, to another thread: it may be gone
} worker;

typedef struct request_queue {
    pthread_mutex_t lock;
    pthread_cond_t more;
    request *first, *last;
    int64_t n;
    bool stop;
} request_queue;

/* Quick requests do not wait for slow ones. */
typedef struct workers {
    request_queue quick, slow;
    worker all[WORKERS_MOST];
    int n;
} workers;

akin_status workers_start(struct server *s, int64_t threads);
/* After the last request was answered. */
void workers_stop(workers *w);

/* False: there are too many already. */
bool queue_put(request_queue *q, request *r);
/* The next, waits for one; NULL: stop. */
request *queue_get(request_queue *q);
void queue_init(request_queue *q);
void queue_end(request_queue *q);
void queue_free(request_queue *q);

#endif
