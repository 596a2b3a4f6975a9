/* akin serve: a web page and an HTTP interface over collections. */
#include "cli/commands.h"
#include "server/serve.h"

typedef struct serve_flags {
    const char *collection, *listen, *token, *origin, *log, *log_file;
    int64_t port;
    bool read_only;
} serve_flags;

static const app_option options[] = {
    {"COLLECTION", NULL, APP_FIELD(serve_flags, collection),
     .help = "a collection; may be repeated. Its name is that of the folder",
     .flags = APP_ARGUMENT | APP_NEEDED | APP_MANY},
    {"port", "N", APP_FIELD(serve_flags, port),
     .help = "port to listen on; 0 takes a free one", .max = 65535},
    {"listen", "ADDRESS", APP_FIELD(serve_flags, listen),
     .help = "address to listen on; one that other machines reach needs "
             "--token"},
    {"token", "FILE", APP_FIELD(serve_flags, token),
     .help = "a file with a secret of 16 characters or more, which every "
             "request must have"},
    {"origin", "URL", APP_FIELD(serve_flags, origin),
     .help = "address of a reverse proxy, as in https://photos.example.org"},
    {"read-only", NULL, APP_FIELD(serve_flags, read_only),
     .help = "nothing is changed: no feedback, no learning"},
    {"log", "text|json", APP_FIELD(serve_flags, log),
     .help = "form of the log, a line for each request"},
    {"log-file", "FILE", APP_FIELD(serve_flags, log_file),
     .help = "append the log to this file; SIGHUP opens it again. Without it, "
             "standard error"},
};

static const app_group group = APP_GROUP(
    "Collections and network", options,
    (&(const serve_flags){.listen = "127.0.0.1", .port = 8080, .log = "text"}));

static akin_status run(app *a, const void *flags)
{
    const serve_flags *f = flags;
    const char *paths[APP_MOST_WORDS];
    serve_options o = {.collections = paths,
                       .listen = f->listen,
                       .port = f->port,
                       .token = f->token,
                       .origin = f->origin,
                       .json_log = f->log[0] == 'j',
                       .log_file = f->log_file,
                       .read_only = f->read_only};
    while ((paths[o.n_collections] =
                app_value_at(a, "COLLECTION", o.n_collections)) != NULL)
        ++o.n_collections;
    return serve_run(a, &o);
}

const app_command cmd_serve = {
    .name = "serve",
    .section = "collections",
    .summary = "a web page and an HTTP interface over collections",
    .about =
        "Answer HTTP requests for collections: search, items, feedback and "
        "learning. Feedback is on the disk before it is acknowledged, and "
        "searches use it at once. /api/v1/openapi.json describes the "
        "interface. SIGTERM ends the server once all requests are answered.",
    .examples = "akin serve photos.akin\n"
                "akin serve photos.akin news.akin --port 8000 --read-only\n"
                "akin serve photos.akin --listen 0.0.0.0 --token token.txt",
    .size = sizeof(serve_flags),
    APP_PARTS({&group, 0}),
    .run = run,
};
