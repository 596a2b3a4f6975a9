/* server/writer.h - the thread that stores events. What has arrived while it
 * wrote becomes durable together. */
#ifndef SERVER_WRITER_H
#define SERVER_WRITER_H

#include <akin/events.h>
#include <stdatomic.h>

#include "server/pool.h"
#include "server/workers.h"

/* An event to be stored, or to be undone. */
typedef struct event_job {
    served *c;
    akin_event event;
    char *key, *user, *query;
    akin_rows *row;
    int64_t *ids;    // of all lists
    int64_t undo;    // the number of an event; 0: store
    int64_t number;  // the answer
} event_job;

void event_job_free(event_job *j);

typedef struct event_writer {
    request_queue queue;
    akin_ctx *ctx;
    pthread_t thread;
    akin_events **events;  // of each collection, NULL until it is needed
    atomic_long n_events, n_groups;
} event_writer;

akin_status writer_start(struct server *s);
void writer_stop(struct server *s);
/* It answers the request once the event is on the disk. */
void writer_put(request *r, worker *w, event_job *j);

#endif
