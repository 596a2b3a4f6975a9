#include "server/guard.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/assets.h"
#include "server/routes.h"
#include "server/server.h"

bool guard_is_strict(void)
{
    return strcmp(MHD_get_version(), "0.9.75") != 0;
}

/* Headers that matter, and how often each is there. */
typedef struct headers {
    const char *host, *origin, *type, *length, *authorization, *cookies, *site;
    int n_host, n_length, n_encoding;
    const char *next;  // where the next header has to start; NULL: unknown
    bool is_wrong;     // one of them
    bool is_twice;     // one that is to be there once
} headers;

/* A name of letters, digits and a few signs; no control codes in a value. */
static bool is_header(const char *key, const char *value)
{
    if (key[0] == '\0' || value == NULL)
        return false;
    for (; *key != '\0'; ++key)
        if (*key <= ' ' || *key == 0x7f || strchr("\"(),/:;<=>?@[\\]{}", *key))
            return false;
    for (; *value != '\0'; ++value)
        if (((unsigned char)*value < ' ' && *value != '\t') || *value == 0x7f)
            return false;
    return true;
}

/* libmicrohttpd 0.9.75 takes a byte 0 in a header for its end, a line feed for
 * the end of a line, and lines that begin with a blank for more of the last
 * one, all of which others read in other ways. It leaves headers where they
 * came, with a byte 0 each for carriage return and line feed: whatever does not
 * follow its predecessor so was one of these. Later versions refuse them. */
static bool is_after(headers *h, const char *key, const char *value)
{
    const bool follows = h->next ? key == h->next : !key[-1] && !key[-2];
    h->next = value + strlen(value) + 2;
    return follows || guard_is_strict();
}

static void take_once(headers *h, const char **to, const char *value)
{
    h->is_twice = h->is_twice || *to != NULL;
    *to = value;
}

static enum MHD_Result take_header(void *user, enum MHD_ValueKind kind,
                                   const char *key, size_t key_size,
                                   const char *value, size_t value_size)
{
    headers *h = user;
    (void)kind;
    if (!is_header(key, value) || strlen(key) != key_size ||
        strlen(value) != value_size || !is_after(h, key, value))
        h->is_wrong = true;
    else if (strcasecmp(key, "Host") == 0)
        h->host = value, ++h->n_host;
    else if (strcasecmp(key, "Content-Length") == 0)
        h->length = value, ++h->n_length;
    else if (strcasecmp(key, "Transfer-Encoding") == 0)
        ++h->n_encoding;
    else if (strcasecmp(key, "Origin") == 0)
        take_once(h, &h->origin, value);
    else if (strcasecmp(key, "Content-Type") == 0)
        take_once(h, &h->type, value);
    else if (strcasecmp(key, "Authorization") == 0)
        take_once(h, &h->authorization, value);
    else if (strcasecmp(key, "Cookie") == 0)
        take_once(h, &h->cookies, value);
    else if (strcasecmp(key, "Sec-Fetch-Site") == 0)
        take_once(h, &h->site, value);
    return MHD_YES;
}

/* Behind the last header follows an empty line. */
static bool ends_well(const headers *h)
{
    return h->next == NULL || guard_is_strict() ||
           (!h->next[-1] && !h->next[0] && !h->next[1]);
}

/* A byte 0 at the end of the last header looks like its end. Then the body does
 * not begin where it should. */
static const char *body_after(const headers *h)
{
    return h->next == NULL || guard_is_strict() ? NULL : h->next + 2;
}

/* ---- refusals ---- */

/* Whatever follows on the connection is not looked at. */
static bool refuse(request *r, unsigned status, const char *why)
{
    reply_error(r, status, "%s", why);
    r->answer.close = true;
    return false;
}

/* What two programs on the way might read in two ways. */
static bool is_unambiguous(request *r, const headers *h)
{
    if (r->long_uri)
        return refuse(r, 414, "the URL is too long");
    if (r->bad_uri)
        return refuse(r, 400, "the request line has a byte 0 or no version");
    if (h->is_wrong || !ends_well(h))
        return refuse(r, 400, "a header is not as HTTP/1.1 has it");
    if (h->n_host != 1)
        return refuse(r, 400, "expected one Host header");
    if (h->is_twice)
        return refuse(r, 400, "a header is there twice");
    if (h->n_length > 1 || (h->n_length > 0 && h->n_encoding > 0))
        return refuse(r, 400, "the length of the body is given twice");
    if (h->n_encoding > 0)
        return refuse(r, 411, "expected a Content-Length");
    return true;
}

/* The host of "host", "host:port", "[::1]:port"; false: it is none of these. */
static bool split_host(const char *text, char host[256])
{
    const char *end = text[0] == '[' ? strchr(text, ']') : strchr(text, ':');
    const size_t n = end == NULL ? strlen(text) : (size_t)(end - text);
    if (text[0] == '[' && end == NULL)
        return false;
    if (n == 0 || n >= 256)
        return false;
    if (text[0] == '[')
        snprintf(host, 256, "%.*s", (int)n - 1, text + 1);
    else
        snprintf(host, 256, "%.*s", (int)n, text);
    const char *rest = text + n + (text[0] == '[');
    return *rest == '\0' ||
           (*rest == ':' &&
            strspn(rest + 1, "0123456789") == strlen(rest + 1) &&
            strlen(rest + 1) <= 5);
}

/* Is the text the host of a Host header that this server answers to? An
 * address in numbers, localhost, or that of --origin: a page of another site
 * that has its own name point here (DNS rebinding) uses that name. */
static bool knows_host(const server *s, const char *text)
{
    char host[256];
    struct in6_addr address;
    if (!split_host(text, host))
        return false;
    return inet_pton(text[0] == '[' ? AF_INET6 : AF_INET, host, &address) ==
               1 ||
           strcasecmp(host, "localhost") == 0 ||
           (s->origin_host[0] != '\0' && strcasecmp(host, s->origin_host) == 0);
}

/* Is it this page that asks, and no other site? */
static bool is_same_origin(const server *s, const headers *h)
{
    static const char http[] = "http://";
    if (h->origin == NULL)
        return true;
    if (s->o->origin != NULL && strcmp(h->origin, s->o->origin) == 0)
        return true;
    return strncmp(h->origin, http, strlen(http)) == 0 &&
           strcasecmp(h->origin + strlen(http), h->host) == 0;
}

static bool comes_from_elsewhere(const headers *h)
{
    return h->site != NULL && strcmp(h->site, "same-origin") != 0 &&
           strcmp(h->site, "none") != 0;
}

static bool is_from_here(request *r, const headers *h)
{
    if (!knows_host(r->s, h->host))
        return refuse(r, 421,
                      "this server is not known by that host (--origin names "
                      "the address of a reverse proxy)");
    if (!is_same_origin(r->s, h))
        return refuse(r, 403, "requests of other sites are not answered");
    if (r->route != NULL && comes_from_elsewhere(h))
        return refuse(r, 403, "requests of other sites are not answered");
    return true;
}

/* ---- who may ask ---- */

static bool is_open_to_all(const request *r)
{
    static const char *const open[] = {"/health", "/api/v1/openapi.json",
                                       "/api/v1/session"};
    if (r->route == NULL)
        return true;  // the page itself
    for (size_t i = 0; i < sizeof open / sizeof *open; ++i)
        if (strcmp(r->route->path, open[i]) == 0)
            return true;
    return false;
}

static bool is_authorised(request *r, const headers *h)
{
    static const char bearer[] = "Bearer ";
    server *s = r->s;
    r->session = session_find(&s->sessions, h->cookies);
    if (s->token[0] == '\0' || is_open_to_all(r) || r->session != NULL)
        return true;
    if (h->authorization != NULL &&
        strncasecmp(h->authorization, bearer, strlen(bearer)) == 0 &&
        token_is(s->token, h->authorization + strlen(bearer)))
        return true;
    return refuse(r, 401, "this needs the token of the server");
}

/* ---- bodies ---- */

static bool is_type(const char *type, const char *expected)
{
    const size_t n = strlen(expected);
    return type != NULL && strncasecmp(type, expected, n) == 0 &&
           (type[n] == '\0' || type[n] == ';' || type[n] == ' ' ||
            expected[n - 1] == '/');
}

static bool has_right_type(const headers *h, const char *body)
{
    if (strcmp(body, "json") == 0)
        return is_type(h->type, "application/json");
    return is_type(h->type, "image/") || is_type(h->type, "text/plain") ||
           is_type(h->type, "application/octet-stream");
}

static bool has_right_body(request *r, const headers *h)
{
    const char *body = r->route ? r->route->body : "";
    int64_t n = 0;
    if (h->n_length > 0 && !request_parse_number(h->length, &n))
        return refuse(r, strlen(h->length) > 15 ? 413 : 400,
                      "Content-Length is not a number, or too large");
    if (body[0] == '\0')
        return n == 0 || refuse(r, 400, "expected no body");
    if (h->n_length == 0)
        return refuse(r, 411, "expected a Content-Length");
    if (!has_right_type(h, body))
        return refuse(r, 415,
                      strcmp(body, "json") == 0
                          ? "expected Content-Type: application/json"
                          : "expected Content-Type: image/..., text/plain or "
                            "application/octet-stream");
    if (n > (strcmp(body, "json") == 0 ? JSON_MOST : FILE_MOST))
        return refuse(r, 413, "the body is too large");
    if (n == 0)
        return refuse(r, 400, "expected a body");
    r->is_text = is_type(h->type, "text/plain");
    r->body = malloc((size_t)n);
    r->body_size = (size_t)n;
    r->body_at = body_after(h);
    return r->body != NULL || refuse(r, 503, "out of memory");
}

/* ---- arguments ---- */

static enum MHD_Result take_argument(void *user, enum MHD_ValueKind kind,
                                     const char *key, size_t key_size,
                                     const char *value, size_t value_size)
{
    request *r = user;
    (void)kind;
    (void)key_size;
    (void)value_size;
    if (r->n_arguments == r->room_arguments) {
        const int64_t room = 2 * r->room_arguments + 8;
        url_argument *more = realloc(r->arguments, (size_t)room * sizeof *more);
        if (more == NULL)
            return MHD_NO;
        r->arguments = more;
        r->room_arguments = room;
    }
    url_argument *a = &r->arguments[r->n_arguments];
    a->key = strdup(key);
    a->value = strdup(value ? value : "");
    ++r->n_arguments;
    return a->key && a->value ? MHD_YES : MHD_NO;
}

static bool is_utf8(const char *text)
{
    json_t *s = json_string(text);
    json_decref(s);
    return s != NULL;
}

static bool has_right_arguments(request *r)
{
    const int n = MHD_get_connection_values_n(
        r->connection, MHD_GET_ARGUMENT_KIND, take_argument, r);
    if (n > ARGUMENTS_MOST)
        return refuse(r, 400, "there are too many arguments");
    if (n != r->n_arguments)
        return refuse(r, 503, "out of memory");
    for (int64_t i = 0; i < r->n_arguments; ++i)
        if (!is_utf8(r->arguments[i].value))
            return refuse(r, 400, "an argument is not valid UTF-8");
    for (int64_t i = 0; i < r->n_arguments && r->route != NULL; ++i)
        if (!argument_is_in(r->route->arguments, r->arguments[i].key)) {
            reply_error(r, 400, "unknown argument '%.60s' (expected: %s)",
                        r->arguments[i].key,
                        r->route->arguments[0] ? r->route->arguments : "none");
            r->answer.close = true;
            return false;
        }
    return true;
}

/* ---- all of it ---- */

/* A route of the interface, or a file of the page. */
static bool has_a_place(request *r, const char *method, const char *url)
{
    const char *allow = "";
    const bool reads = strcmp(method, "GET") == 0 ||
                       strcmp(method, "HEAD") == 0;
    if (r->hidden_slash)
        return refuse(r, 404, "there is nothing here");
    r->route = route_find(r, method, url, &allow);
    if (r->route != NULL || (reads && asset_find(url) != NULL))
        return true;
    if (allow[0] == '\0' && asset_find(url) == NULL)
        return refuse(r, 404, "there is nothing here");
    refuse(r, 405, "this method is not known here");
    r->answer.allow = allow[0] ? allow : "GET";
    return false;
}

bool guard_admit(request *r, const char *method, const char *url)
{
    headers h = {0};
    MHD_get_connection_values_n(r->connection, MHD_HEADER_KIND, take_header,
                                &h);
    snprintf(r->method, sizeof r->method, "%s", method);
    r->url = strdup(url);
    if (r->url == NULL)
        return refuse(r, 503, "out of memory");
    if (!is_unambiguous(r, &h) || !has_a_place(r, method, url) ||
        !is_from_here(r, &h) || !is_authorised(r, &h))
        return false;
    if (r->route && r->route->what == WRITES && r->s->o->read_only)
        return refuse(r, 403, "the server is read-only");
    return has_right_body(r, &h) && has_right_arguments(r);
}
