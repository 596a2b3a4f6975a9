/* server/serve.h - collections over HTTP. */
#ifndef SERVER_SERVE_H
#define SERVER_SERVE_H

#include "app/app.h"

typedef struct serve_options {
    const char *const *collections;  // their folders
    int64_t n_collections;
    const char *listen;  // an address
    int64_t port;        // 0: a free one
    const char *token;   // a file; NULL: none is needed
    const char *origin;  // of a reverse proxy: https://photos.example.org
    bool json_log;
    const char *log_file;  // NULL: standard error
    bool read_only;
} serve_options;

/* Serve until a signal asks to stop. EABSENT: this build has no server. */
akin_status serve_run(app *a, const serve_options *o);

#endif
