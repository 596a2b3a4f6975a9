/* server/log.h - a line for each request. */
#ifndef SERVER_LOG_H
#define SERVER_LOG_H

#include <pthread.h>
#include <stdio.h>

#include "server/request.h"

typedef struct server_log {
    pthread_mutex_t lock;
    const char *path;  // NULL: standard error
    FILE *file;        // NULL: nothing is written
    bool json;
} server_log;

/* EIO: the file cannot be written. */
akin_status log_open(app *a, server_log *l, const char *path, bool json);
/* After the file was moved away; a file that cannot be opened is kept. */
void log_reopen(server_log *l);
void log_close(server_log *l);

void log_request(server_log *l, const request *r, double seconds);
/* What else happens: "error" or "info". */
void log_event(server_log *l, const char *level, const char *text);

#endif
