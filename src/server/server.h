/* server/server.h - the parts of a running server. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include <stdatomic.h>

#include "server/jobs.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/peers.h"
#include "server/pool.h"
#include "server/serve.h"
#include "server/sessions.h"
#include "server/workers.h"
#include "server/writer.h"

typedef struct server {
    app *a;
    const serve_options *o;
    served *collections;
    int64_t n_collections;
    struct MHD_Daemon *daemon;
    int listener;
    char url[160];          // "http://127.0.0.1:8080"
    char token[256];        // "": none is needed
    char origin_host[256];  // of --origin; "": none
    server_log log;
    metrics metrics;  // of the thread that reads requests
    peers peers;
    sessions sessions;
    workers workers;
    event_writer writer;
    jobs jobs;
    atomic_long active;    // requests without a complete answer
    atomic_bool draining;  // no new requests, streams end
    atomic_bool failed;    // nothing can be made durable any more
} server;

/* The collection of the path; NULL: there is none, and the answer says so. */
served *request_collection(request *r);

/* Clients see names of collections, not where their folders are. In place. */
void server_hide_paths(const server *s, char *text);

/* The answer is there, of a request that a worker has. */
void server_answer(request *r);
/* Something was lost or may be: nothing more is acknowledged, and the server
 * ends with an error. */
void server_fail(server *s, const char *why);

/* Start to listen and to answer; EIO with a message. */
akin_status http_start(server *s);
void http_stop(server *s);

#endif
