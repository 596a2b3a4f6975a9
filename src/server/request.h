/* server/request.h - a request, from its first line to the answer. */
#ifndef SERVER_REQUEST_H
#define SERVER_REQUEST_H

#include <akin/collection.h>
#include <jansson.h>
#include <microhttpd.h>

#include "app/app.h"

struct server;
struct peer;
struct worker;
struct event_job;

enum {
    URL_MOST = 8192,        // bytes of a request's URL
    ARGUMENTS_MOST = 1024,  // behind its ?
    JSON_MOST = 1 << 20,    // bytes of a body of JSON
    FILE_MOST = 32 << 20,   // bytes of another body
    DEPTH_MOST = 16,        // of brackets in JSON
    TEXT_MOST = 4096,       // bytes of a text that is searched for
    FEATURES_MOST = 65536,  // values of a query
    TOP_MOST = 1000,
    REACH_MOST = 10000,  // offset and top together
    LOGGED_MOST = 512    // bytes of a URL in the log
};

typedef struct url_argument {
    char *key, *value;
} url_argument;

typedef struct reply {
    unsigned status;   // 0: none yet
    const char *type;  // of the content
    char *body;        // free()
    size_t size;
    const char *fixed;            // in place of body: lives forever
    int fd;                       // in place of body; -1: none
    struct MHD_Response *stream;  // in place of all these
    char cookie[160];             // Set-Cookie; "": none
    const char *allow;            // methods; NULL: not said
    const char *tag;              // ETag; NULL: none
    const char *disposition;      // NULL: none
    bool close;                   // the connection, after the answer
    bool is_page;                 // of the page, not of the interface
    bool may_cache;
} reply;

typedef struct request {
    struct server *s;
    struct MHD_Connection *connection;
    struct peer *peer;
    const struct route *route;
    char logged[LOGGED_MOST];  // the URL as it came
    char method[8];
    bool bad_uri, long_uri;    // what is wrong with it
    bool hidden_slash;         // the path has one as %2F
    bool is_known, is_handed;  // headers were looked at, a worker has it
    char *url;                 // without arguments, decoded
    char collection[128];      // {collection} of the path
    int64_t id;                // {id} of the path
    url_argument *arguments;
    int64_t n_arguments, room_arguments;
    char *body;
    size_t n_body, body_size;  // so far, announced
    bool is_text;              // the body, by its content type
    const char *body_at;       // where it has to begin; NULL: unknown
    bool bad_body;             // it begins elsewhere
    reply answer;
    double begun;
    struct request *next;          // in a queue
    struct event_job *event;       // to be stored
    struct page_session *session;  // of its cookie; NULL: none
} request;

typedef void handler_fn(request *r, struct worker *w);

/* ---- what a handler answers ---- */

/* {"error": ..., "status": ...}. */
void reply_error(request *r, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The message of a call of the library, with a fitting status. */
void reply_failure(request *r, akin_ctx *ctx, akin_status st);
/* The reference goes over; NULL: out of memory. */
void reply_json(request *r, unsigned status, json_t *json);
/* The memory goes over. */
void reply_bytes(request *r, const char *type, char *bytes, size_t size);
/* The status that the interface has for one of the library. */
unsigned reply_status_of(akin_status st);

/* ---- what it is asked ---- */

/* The k-th value of an argument, NULL: there is none. */
const char *request_argument(const request *r, const char *key, int64_t k);
/* A whole number; `standard` where it is absent. False: it is wrong, and the
 * answer says so. */
bool request_number(request *r, const char *key, int64_t min, int64_t max,
                    int64_t standard, int64_t *out);
/* The body, an object; NULL: it is wrong, and the answer says so. */
json_t *request_json(request *r);
/* A whole number of digits alone, below 2^53; false: it is not. */
bool request_parse_number(const char *text, int64_t *out);

void request_free(request *r);

#endif
