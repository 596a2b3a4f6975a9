/* Start, signals and the end of the server. */
#include "server/serve.h"

#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "app/json.h"
#include "server/server.h"

enum { DRAIN_SECONDS = 30, SIGN_OF_LIFE = 15 };

/* A collection by its name; NULL: there is none. */
static served *find_collection(server *s, const char *name)
{
    for (int64_t i = 0; i < s->n_collections; ++i)
        if (strcmp(s->collections[i].name, name) == 0)
            return &s->collections[i];
    return NULL;
}

/* ---- signals ---- */

static sem_t signalled;
static atomic_int stops, reopens;

static void ask_to_stop(void)
{
    ++stops;
    sem_post(&signalled);
}

/* Any thread may be the one that it interrupts. */
static void on_signal(int number)
{
    if (number == SIGHUP)
        reopens = 1;
    else
        ++stops;
    sem_post(&signalled);
}

static void catch_signals(void)
{
    struct sigaction a;
    memset(&a, 0, sizeof a);
    a.sa_handler = on_signal;
    a.sa_flags = SA_RESTART;
    sem_init(&signalled, 0, 0);
    sigaction(SIGTERM, &a, NULL);
    sigaction(SIGINT, &a, NULL);
    sigaction(SIGHUP, &a, NULL);
}

/* ---- what other parts call ---- */

served *request_collection(request *r)
{
    served *c = find_collection(r->s, r->collection);
    if (c == NULL)
        reply_error(r, 404, "there is no collection '%.60s'", r->collection);
    return c;
}

/* Of other absolute paths, which begin a message or a word of it, the last part
 * is left. */
static void hide_folders(char *text)
{
    for (char *at = text; (at = strchr(at, '/')) != NULL;) {
        char *end = at + strcspn(at, " :'\"");
        char *last = at;
        if (at > text && at[-1] != ' ' && at[-1] != '\'' && at[-1] != '"') {
            ++at;
            continue;
        }
        for (char *p = at; p < end; ++p)
            if (*p == '/')
                last = p;
        memmove(at, last + 1, strlen(last + 1) + 1);
    }
}

void server_hide_paths(const server *s, char *text)
{
    for (int64_t i = 0; i < s->n_collections; ++i) {
        const served *c = &s->collections[i];
        const size_t n = strlen(c->path), length = strlen(c->name);
        for (char *at = text; (at = strstr(at, c->path)) != NULL;
             at += length) {
            memmove(at + length, at + n, strlen(at + n) + 1);
            memcpy(at, c->name, length);
        }
    }
    hide_folders(text);
}

void server_fail(server *s, const char *why)
{
    if (atomic_exchange(&s->failed, true))
        return;
    log_event(&s->log, "error", why);
    app_fail(s->a, AKIN_EIO, "%s", why);
    ask_to_stop();
}

/* ---- start ---- */

/* "https://photos.example.org" has the host photos.example.org. */
static akin_status take_origin(server *s)
{
    const char *origin = s->o->origin;
    if (origin == NULL)
        return AKIN_OK;
    const char *host = strstr(origin, "://");
    const bool known = strncmp(origin, "http://", 7) == 0 ||
                       strncmp(origin, "https://", 8) == 0;
    const size_t n = host ? strcspn(host + 3, ":/") : 0;
    if (!known || n == 0 || n >= sizeof s->origin_host ||
        strchr(host + 3, '/') != NULL)
        return app_fail(s->a, AKIN_EINVAL,
                        "--origin %s is not an origin (expected "
                        "https://HOST or http://HOST:PORT)",
                        origin);
    snprintf(s->origin_host, sizeof s->origin_host, "%.*s", (int)n, host + 3);
    return AKIN_OK;
}

static akin_status open_collections(server *s)
{
    const serve_options *o = s->o;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(s->a, o->n_collections, &s->collections));
    for (int64_t i = 0; i < o->n_collections; ++i) {
        served *c = &s->collections[i];
        ++s->n_collections;
        APP_TRY(served_open(s->a, c, o->collections[i]));
        if (find_collection(s, c->name) != c)
            APP_TRY(app_fail(s->a, AKIN_EINVAL, "two collections are called %s",
                             c->name));
    }
done:
    return st;
}

/* As many files as connections, where the system allows it. */
static void raise_limits(void)
{
    struct rlimit l;
    if (getrlimit(RLIMIT_NOFILE, &l) == 0 && l.rlim_cur < l.rlim_max) {
        l.rlim_cur = l.rlim_max < 65536 ? l.rlim_max : 65536;
        setrlimit(RLIMIT_NOFILE, &l);
    }
}

/* ---- the run ---- */

static void wait_for_end(server *s)
{
    for (int64_t t = 1; stops == 0; ++t) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        ++until.tv_sec;
        sem_timedwait(&signalled, &until);
        if (reopens) {
            reopens = 0;
            log_reopen(&s->log);
        }
        if (t % SIGN_OF_LIFE == 0)
            jobs_wake_streams(&s->jobs);
    }
}

/* No more connections; requests that are here get their answers, unless a
 * second signal says that they need not. */
static void drain(server *s)
{
    const struct timespec slice = {0, 20000000};
    const double end = app_now() + DRAIN_SECONDS;
    s->draining = true;
    const int listener = MHD_quiesce_daemon(s->daemon);
    if (listener >= 0)
        close(listener);
    while (s->active > 0 && app_now() < end && stops < 2) {
        jobs_wake_streams(&s->jobs);
        nanosleep(&slice, NULL);
    }
}

/* Parts that run, in the order in which they began. */
typedef enum { NOTHING, PEERS, JOBS, WRITER, WORKERS, HTTP } part;

static akin_status start_parts(server *s, part *last)
{
    akin_status st = AKIN_OK;
    if (!peers_start(&s->peers))
        return app_fail(s->a, AKIN_EIO, "cannot start a thread");
    *last = PEERS;
    APP_TRY(jobs_start(s));
    *last = JOBS;
    APP_TRY(writer_start(s));
    *last = WRITER;
    st = workers_start(s, akin_ctx_threads(s->a->ctx));
    *last = WORKERS;
    if (st == AKIN_OK)
        st = http_start(s);
    if (st == AKIN_OK)
        *last = HTTP;
done:
    return st;
}

/* Requests that are still with a worker come back before libmicrohttpd stops:
 * it must have none that is suspended. */
static void stop_parts(server *s, part last)
{
    if (last == HTTP)
        drain(s);
    if (last >= WORKERS)
        workers_stop(&s->workers);
    if (last >= WRITER)
        writer_stop(s);
    if (last == HTTP) {
        jobs_wake_streams(&s->jobs);
        http_stop(s);
    } else if (s->listener >= 0)
        close(s->listener);
    if (last >= JOBS)
        jobs_stop(&s->jobs);
    if (last >= PEERS)
        peers_stop(&s->peers);
}

akin_status serve_run(app *a, const serve_options *o)
{
    server *s = NULL;
    part last = NOTHING;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, 1, &s));
    s->a = a;
    s->o = o;
    s->listener = -1;
    APP_TRY(log_open(a, &s->log, o->log_file, o->json_log));
    if (o->token != NULL)
        APP_TRY(token_read(a, o->token, s->token, sizeof s->token));
    APP_TRY(take_origin(s));
    APP_TRY(open_collections(s));
    raise_limits();
    catch_signals();
    st = start_parts(s, &last);
    if (st == AKIN_OK) {
        const char *url = s->url;
        st = a->common.json ? app_json_print(a, APP_OBJECT(APP_KEY("url", url)))
                            : app_print(a, "listening on %s\n", url);
        fflush(stdout);
        wait_for_end(s);
    }
    stop_parts(s, last);
    if (st == AKIN_OK && s->failed)
        st = AKIN_EIO;
done:
    if (s != NULL) {
        for (int64_t i = 0; i < s->n_collections; ++i)
            served_close(&s->collections[i]);
        free(s->collections);
        log_close(&s->log);
    }
    free(s);
    return st;
}
