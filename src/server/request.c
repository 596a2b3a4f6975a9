/* What handlers ask of a request, and how they answer. */
#include "server/request.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/json.h"
#include "server/server.h"

/* ---- answers ---- */

static void drop_answer(reply *a)
{
    free(a->body);
    if (a->fd >= 0)
        close(a->fd);
    a->body = NULL;
    a->fixed = NULL;
    a->fd = -1;
}

void reply_json(request *r, unsigned status, json_t *json)
{
    static const char no_memory[] =
        "{\"error\":\"out of memory\",\"status\":503}";
    reply *a = &r->answer;
    drop_answer(a);
    a->body = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(12))
                   : NULL;
    json_decref(json);
    a->type = "application/json";
    a->status = a->body ? status : 503;
    a->fixed = a->body ? NULL : no_memory;
    a->size = strlen(a->body ? a->body : no_memory);
}

void reply_error(request *r, unsigned status, const char *format, ...)
{
    char text[APP_MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    reply_json(r, status,
               APP_OBJECT(APP_KEY("error", app_json_string(text)),
                          APP_KEY("status", (int64_t)status)));
}

unsigned reply_status_of(akin_status st)
{
    switch (st) {
    case AKIN_OK:
        return 200;
    case AKIN_EINVAL:
    case AKIN_EFORMAT:
    case AKIN_ESHAPE:
        return 400;
    case AKIN_ENOENT:
        return 404;
    case AKIN_EABSENT:
        return 501;
    case AKIN_ENOMEM:
    case AKIN_EBUSY:
    case AKIN_ECANCELLED:
        return 503;
    case AKIN_ENOSPC:
        return 507;
    default:
        return 500;
    }
}

void reply_failure(request *r, akin_ctx *ctx, akin_status st)
{
    char why[APP_MESSAGE_SIZE];
    snprintf(why, sizeof why, "%s", akin_ctx_message(ctx));
    server_hide_paths(r->s, why);
    reply_error(r, reply_status_of(st), "%s",
                why[0] ? why : akin_status_meaning(st));
}

void reply_bytes(request *r, const char *type, char *bytes, size_t size)
{
    drop_answer(&r->answer);
    r->answer.status = 200;
    r->answer.type = type;
    r->answer.body = bytes;
    r->answer.size = size;
}

/* ---- questions ---- */

const char *request_argument(const request *r, const char *key, int64_t k)
{
    for (int64_t i = 0; i < r->n_arguments; ++i)
        if (strcmp(r->arguments[i].key, key) == 0 && k-- == 0)
            return r->arguments[i].value;
    return NULL;
}

bool request_parse_number(const char *text, int64_t *out)
{
    const size_t n = strlen(text);
    if (n == 0 || n > 15 || strspn(text, "0123456789") != n)
        return false;
    *out = strtoll(text, NULL, 10);
    return true;
}

bool request_number(request *r, const char *key, int64_t min, int64_t max,
                    int64_t standard, int64_t *out)
{
    const char *text = request_argument(r, key, 0);
    *out = standard;
    if (text == NULL)
        return true;
    if (request_argument(r, key, 1) == NULL &&
        request_parse_number(text, out) && *out >= min && *out <= max)
        return true;
    reply_error(r, 400,
                "%s: expected one whole number from %" PRId64 " to %" PRId64,
                key, min, max);
    return false;
}

/* The deepest nesting of brackets outside of texts. */
static int depth_of(const char *text, size_t n)
{
    int depth = 0, most = 0;
    bool quoted = false;
    for (size_t i = 0; i < n; ++i) {
        if (quoted && text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && (text[i] == '{' || text[i] == '['))
            most = ++depth > most ? depth : most;
        else if (!quoted && (text[i] == '}' || text[i] == ']'))
            --depth;
    }
    return most;
}

json_t *request_json(request *r)
{
    json_error_t why;
    if (depth_of(r->body ? r->body : "", r->n_body) > DEPTH_MOST) {
        reply_error(r, 400, "the JSON is nested more than %d deep", DEPTH_MOST);
        return NULL;
    }
    json_t *json = json_loadb(r->body ? r->body : "", r->n_body,
                              JSON_REJECT_DUPLICATES, &why);
    if (json_is_object(json))
        return json;
    if (json == NULL)
        reply_error(r, 400, "not JSON: %s", why.text);
    else
        reply_error(r, 400, "expected an object {...}");
    json_decref(json);
    return NULL;
}

void request_free(request *r)
{
    if (r == NULL)
        return;
    for (int64_t i = 0; i < r->n_arguments; ++i) {
        free(r->arguments[i].key);
        free(r->arguments[i].value);
    }
    drop_answer(&r->answer);
    free(r->arguments);
    free(r->url);
    free(r->body);
    free(r);
}
