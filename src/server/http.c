/* libmicrohttpd calls these functions, in one thread. Requests go from here to
 * the workers, and their answers come back. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/assets.h"
#include "server/guard.h"
#include "server/routes.h"
#include "server/server.h"

enum { CONNECTIONS = 4096, PER_ADDRESS = 1024, MEMORY = 16384, IDLE = 60 };

/* ---- connections ---- */

static void address_of(struct MHD_Connection *c, char *text, socklen_t size)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *a = info ? info->client_addr : NULL;
    snprintf(text, size, "-");
    if (a != NULL && a->sa_family == AF_INET)
        inet_ntop(AF_INET,
                  &((const struct sockaddr_in *)(const void *)a)->sin_addr,
                  text, size);
    else if (a != NULL && a->sa_family == AF_INET6)
        inet_ntop(AF_INET6,
                  &((const struct sockaddr_in6 *)(const void *)a)->sin6_addr,
                  text, size);
}

static void on_connection(void *user, struct MHD_Connection *c, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    server *s = user;
    char address[48];
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        peer_free(&s->peers, *context);
        *context = NULL;
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    address_of(c, address, sizeof address);
    *context = info ? peer_new(&s->peers, info->connect_fd, address) : NULL;
}

static peer *peer_of(struct MHD_Connection *c)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* ---- answers ---- */

static struct MHD_Response *make_response(reply *a)
{
    struct MHD_Response *made;
    if (a->stream != NULL) {
        made = a->stream;
        a->stream = NULL;
    } else if (a->fd >= 0) {
        made = MHD_create_response_from_fd64(a->size, a->fd);
        if (made != NULL)
            a->fd = -1;
    } else if (a->body != NULL) {
        made = MHD_create_response_from_buffer(a->size, a->body,
                                               MHD_RESPMEM_MUST_FREE);
        if (made != NULL)
            a->body = NULL;
    } else {
        made = MHD_create_response_from_buffer(
            a->size, (void *)(uintptr_t)(a->fixed ? a->fixed : ""),
            MHD_RESPMEM_PERSISTENT);
    }
    return made;
}

static void add_headers(const request *r, struct MHD_Response *to)
{
    static const char page[] =
        "default-src 'self'; img-src 'self' blob:; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'; object-src 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'";
    static const char interface[] =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        "frame-ancestors 'none'; sandbox";
    const reply *a = &r->answer;
    const char *const headers[][2] = {
        {"Content-Type", a->type},
        {"Content-Security-Policy", a->is_page ? page : interface},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", a->may_cache ? "private, max-age=300"
                          : a->is_page ? "no-cache"
                                       : "no-store"},
        {"ETag", a->tag},
        {"Allow", a->allow},
        {"Set-Cookie", a->cookie[0] ? a->cookie : NULL},
        {"WWW-Authenticate", a->status == 401 ? "Bearer" : NULL},
        {"Retry-After", a->status == 503 ? "1" : NULL},
        {"Content-Disposition", a->disposition},
        {"Connection", a->close || r->s->draining ? "close" : NULL},
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i)
        if (headers[i][1] != NULL)
            MHD_add_response_header(to, headers[i][0], headers[i][1]);
}

static enum MHD_Result send_answer(request *r)
{
    reply *a = &r->answer;
    const bool streams = a->stream != NULL;
    struct MHD_Response *response = make_response(a);
    if (response == NULL)
        return MHD_NO;
    add_headers(r, response);
    peer_set(&r->s->peers, r->peer, streams ? WORKS : SENDS, a->size);
    const enum MHD_Result done =
        MHD_queue_response(r->connection, a->status, response);
    MHD_destroy_response(response);
    return done;
}

void server_answer(request *r)
{
    MHD_resume_connection(r->connection);
}

/* ---- requests ---- */

/* The URL as it came. libmicrohttpd ends it with a byte 0, and the version of
 * the protocol follows; where the client sent a byte 0, something else does. A
 * long URL may end where the memory of the connection ends. */
static void *on_uri(void *user, const char *uri, struct MHD_Connection *c)
{
    static const char version[] = "HTTP/1.";
    server *s = user;
    request *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    const size_t n = strlen(uri);
    r->s = s;
    r->connection = c;
    r->peer = peer_of(c);
    r->answer.fd = -1;
    r->begun = app_now();
    r->long_uri = n > URL_MOST;
    r->bad_uri = strstr(uri, "%00") != NULL ||
                 (!guard_is_strict() && !r->long_uri &&
                  strncmp(uri + n + 1, version, strlen(version)) != 0);
    const char *slash = strcasestr(uri, "%2f");
    r->hidden_slash = slash != NULL && slash < uri + strcspn(uri, "?");
    snprintf(r->logged, sizeof r->logged, "%s", uri);
    ++s->active;
    return r;
}

static void on_completed(void *user, struct MHD_Connection *c, void **context,
                         enum MHD_RequestTerminationCode code)
{
    server *s = user;
    request *r = *context;
    (void)c;
    (void)code;
    *context = NULL;
    if (r == NULL)
        return;
    const double seconds = app_now() - r->begun;
    metrics_count(&s->metrics, r, seconds);
    log_request(&s->log, r, seconds);
    peer_set(&s->peers, r->peer, WAITS_FOR_HEADERS, 0);
    request_free(r);
    --s->active;
}

static void answer_page(request *r)
{
    const asset *x = asset_find(r->url);
    const char *known = MHD_lookup_connection_value(
        r->connection, MHD_HEADER_KIND, "If-None-Match");
    reply *a = &r->answer;
    const bool same = known != NULL && strcmp(known, x->tag) == 0;
    a->is_page = true;
    a->status = same ? 304 : 200;
    a->type = x->type;
    a->tag = x->tag;
    a->fixed = same ? "" : (const char *)x->bytes;
    a->size = same ? 0 : x->size;
}

/* The headers are there. */
static enum MHD_Result begin_request(request *r, const char *method,
                                     const char *url)
{
    if (!guard_admit(r, method, url))
        return send_answer(r);
    peer_set(&r->s->peers, r->peer, WAITS_FOR_BODY, 0);
    return MHD_YES;
}

static void take_body(request *r, const char *data, size_t n)
{
    if (r->n_body == 0 && r->body_at != NULL && data != r->body_at)
        r->bad_body = true;
    if (n > r->body_size - r->n_body)
        n = r->body_size - r->n_body;
    memcpy(r->body + r->n_body, data, n);
    r->n_body += n;
    peer_received(&r->s->peers, r->peer, n);
}

/* All of it is there. */
static enum MHD_Result hand_over(request *r)
{
    workers *w = &r->s->workers;
    if (r->bad_body) {
        reply_error(r, 400, "a header is not as HTTP/1.1 has it");
        r->answer.close = true;
        return send_answer(r);
    }
    if (r->route == NULL || r->route->where == AT_ONCE) {
        if (r->route == NULL)
            answer_page(r);
        else
            r->route->handler(r, NULL);
        return send_answer(r);
    }
    peer_set(&r->s->peers, r->peer, WORKS, 0);
    MHD_suspend_connection(r->connection);
    if (!queue_put(r->route->where == SLOW ? &w->slow : &w->quick, r)) {
        reply_error(r, 503, "too many requests wait for an answer");
        MHD_resume_connection(r->connection);
    }
    return MHD_YES;
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *c,
                                  const char *url, const char *method,
                                  const char *version, const char *data,
                                  size_t *n, void **context)
{
    request *r = *context;
    (void)user;
    (void)c;
    (void)version;
    if (r == NULL)
        return MHD_NO;
    if (!r->is_known) {
        r->is_known = true;
        return begin_request(r, method, url);
    }
    if (*n > 0) {
        take_body(r, data, *n);
        *n = 0;
        return MHD_YES;
    }
    if (!r->is_handed) {
        r->is_handed = true;
        return hand_over(r);
    }
    return send_answer(r);
}

/* ---- the socket ---- */

static bool is_loopback(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)a)
                         ->sin_addr.s_addr) >>
                   24 ==
               127;
    return IN6_IS_ADDR_LOOPBACK(
        &((const struct sockaddr_in6 *)(const void *)a)->sin6_addr);
}

static akin_status bind_socket(server *s, const struct addrinfo *to)
{
    const int on = 1;
    s->listener = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->listener < 0)
        return app_fail(s->a, AKIN_EIO, "--listen %s: %s", s->o->listen,
                        strerror(errno));
    setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(s->listener, to->ai_addr, to->ai_addrlen) != 0 ||
        listen(s->listener, 1024) != 0)
        return app_fail(s->a, AKIN_EIO, "--listen %s --port %lld: %s",
                        s->o->listen, (long long)s->o->port, strerror(errno));
    return AKIN_OK;
}

/* "http://127.0.0.1:8080", with the port that was taken. */
static void name_url(server *s)
{
    struct sockaddr_storage a;
    socklen_t n = sizeof a;
    char host[80] = "", port[16] = "";
    getsockname(s->listener, (struct sockaddr *)&a, &n);
    getnameinfo((struct sockaddr *)&a, n, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(s->url, sizeof s->url,
             a.ss_family == AF_INET6 ? "http://[%s]:%s" : "http://%s:%s", host,
             port);
}

static akin_status open_socket(server *s)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                   .ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_NUMERICHOST | AI_PASSIVE |
                                               AI_NUMERICSERV};
    const char *host = strcmp(s->o->listen, "localhost") == 0 ? "127.0.0.1"
                                                              : s->o->listen;
    struct addrinfo *to = NULL;
    char port[16];
    akin_status st = AKIN_OK;
    snprintf(port, sizeof port, "%d", (int)s->o->port);
    if (getaddrinfo(host, port, &hints, &to) != 0)
        return app_fail(s->a, AKIN_EINVAL,
                        "--listen %s is not an address (expected 127.0.0.1, "
                        "::1, 0.0.0.0 or another in numbers)",
                        s->o->listen);
    if (!is_loopback(to->ai_addr) && s->token[0] == '\0')
        APP_TRY(app_fail(s->a, AKIN_EINVAL,
                         "--listen %s lets other machines in, which needs "
                         "--token FILE",
                         s->o->listen));
    APP_TRY(bind_socket(s, to));
    name_url(s);
done:
    freeaddrinfo(to);
    return st;
}

akin_status http_start(server *s)
{
    akin_status st = AKIN_OK;
    APP_TRY(open_socket(s));
    s->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_SUSPEND_RESUME | MHD_USE_TURBO,
        0, NULL, NULL, on_request, s, MHD_OPTION_LISTEN_SOCKET, s->listener,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)PER_ADDRESS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE,
        MHD_OPTION_STRICT_FOR_CLIENT, 0, MHD_OPTION_URI_LOG_CALLBACK, on_uri, s,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, s,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, s,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    if (s->daemon == NULL)
        return app_fail(s->a, AKIN_EIO, "the server cannot start: %s",
                        strerror(errno));
done:
    return st;
}

void http_stop(server *s)
{
    if (s->daemon != NULL)
        MHD_stop_daemon(s->daemon);
    s->daemon = NULL;
}
