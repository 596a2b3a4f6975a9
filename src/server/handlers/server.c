/* Routes that are of the server itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/json.h"
#include "server/handlers/handlers.h"
#include "server/openapi.h"
#include "server/server.h"

void handle_health(request *r, worker *w)
{
    const server *s = r->s;
    const char *status = s->failed ? "failed" : s->draining ? "draining" : "ok";
    (void)w;
    reply_json(r, s->failed ? 503 : 200,
               APP_OBJECT(APP_KEY("status", status),
                          APP_KEY("version", akin_version()),
                          APP_KEY("read_only", (bool)s->o->read_only),
                          APP_KEY("token", (bool)(s->token[0] != '\0'))));
}

void handle_metrics(request *r, worker *w)
{
    char *text = metrics_text(r->s);
    (void)w;
    if (text == NULL)
        reply_error(r, 503, "out of memory");
    else
        reply_bytes(r, "text/plain; version=0.0.4", text, strlen(text));
}

void handle_openapi(request *r, worker *w)
{
    (void)w;
    reply_json(r, 200, openapi_json());
}

/* ---- sessions ---- */

static void put_cookie(request *r, const char *id, const char *age)
{
    const char *origin = r->s->o->origin;
    const bool secure = origin != NULL && strncmp(origin, "https:", 6) == 0;
    snprintf(r->answer.cookie, sizeof r->answer.cookie,
             "akin_session=%s; HttpOnly; SameSite=Strict; Path=/%s%s", id,
             secure ? "; Secure" : "", age);
}

void handle_session_new(request *r, worker *w)
{
    server *s = r->s;
    json_t *body = request_json(r);
    const char *token = json_string_value(json_object_get(body, "token"));
    const bool known = s->token[0] == '\0' ||
                       (token != NULL && token_is(s->token, token));
    (void)w;
    if (body == NULL)
        return;
    json_decref(body);
    if (!known) {
        reply_error(r, 401, "this is not the token of the server");
        return;
    }
    const char *id = session_new(&s->sessions);
    if (id == NULL) {
        reply_error(r, 503, "there are no random numbers");
        return;
    }
    reply_json(r, 200, APP_OBJECT(APP_KEY("session", (bool)true)));
    put_cookie(r, id, "");
}

void handle_session_end(request *r, worker *w)
{
    (void)w;
    session_end(r->session);
    reply_json(r, 200, APP_OBJECT(APP_KEY("session", (bool)false)));
    put_cookie(r, "", "; Max-Age=0");
}

/* ---- jobs ---- */

void handle_jobs(request *r, worker *w)
{
    (void)w;
    reply_json(r, 200, APP_OBJECT(APP_KEY("jobs", jobs_all(&r->s->jobs))));
}

static void reply_job(request *r, json_t *found)
{
    if (found == NULL)
        reply_error(r, 404, "there is no such job");
    else
        reply_json(r, 200, found);
}

void handle_job(request *r, worker *w)
{
    (void)w;
    reply_job(r, jobs_one(&r->s->jobs, r->id));
}

void handle_job_cancel(request *r, worker *w)
{
    (void)w;
    jobs_cancel(&r->s->jobs, r->id);
    reply_job(r, jobs_one(&r->s->jobs, r->id));
}

void handle_job_events(request *r, worker *w)
{
    (void)w;
    r->answer.stream = jobs_stream(&r->s->jobs, r, r->id);
    if (r->answer.stream == NULL) {
        reply_error(r, 404, "there is no such job");
        return;
    }
    r->answer.status = 200;
    r->answer.type = "text/event-stream";
}
