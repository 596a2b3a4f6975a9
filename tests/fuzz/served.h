/* A server in the process of a fuzzer, and in its thread: the functions that
 * libmicrohttpd calls, the workers, the writer and the jobs take turns, so that
 * a run is the same each time and an input that breaks something is known.
 * Clients come by socketpair(). The collections are two small ones, `vectors`
 * and `documents`. Requests may change them, so all is made anew after
 * SERVED_RUNS runs; an input that was found may need some of those before it.
 */
#ifndef AK_TESTS_FUZZ_SERVED_H
#define AK_TESTS_FUZZ_SERVED_H

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <akin/collection.h>
#include <akin/versions.h>

#include "fuzz.h"
#include "server/http.c"
#include "server/jobs.c"
#include "server/server.h"
#include "server/writer.c"

enum { SERVED_RUNS = 500, SERVED_ANSWERS = 4 << 20, SERVED_TURNS = 100000 };

static struct {
    char folder[64], paths[2][128];
    app a;
    serve_options options;
    server *s;
    worker worker;
    int64_t runs;
    bool names_folder;  // an input since the start does, and may be stored
    char *answers;      // what came back
    size_t n;
} here;

static inline void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n%.*s\n", what, (int)here.n,
            here.answers ? here.answers : "");
    abort();
}

static inline int remove_one(const char *path, const struct stat *x, int kind,
                             struct FTW *at)
{
    (void)x;
    (void)kind;
    (void)at;
    return remove(path);
}

static inline void remove_folder(void)
{
    nftw(here.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- collections ---- */

static inline void make_vectors(akin_ctx *ctx, const char *path)
{
    static const float values[] = {1, 0,    0,    0.9f, 0.1f, 0, 0,    1, 0,
                                   0, 0.8f, 0.2f, 0,    0,    1, 0.1f, 0, 0.9f};
    static const char *const names[] = {"a", "b", "c", "d", "e", "<f>"};
    akin_vectors_options o = AKIN_VECTORS_DEFAULTS;
    akin_rows *rows = NULL;
    o.name_list = names;
    must(akin_rows_new_dense(&rows, ctx, 6, 3, values) == AKIN_OK &&
             akin_vectors_make(ctx, path, rows, &o, NULL) == AKIN_OK,
         "the collection of vectors");
    akin_rows_free(rows);
}

static inline void make_documents(akin_ctx *ctx, const char *path)
{
    static const char *const texts[] = {"river water boat", "river fish water",
                                        "money loan bank", "bank money coin"};
    char folder[128], name[160];
    snprintf(folder, sizeof folder, "%s/texts", here.folder);
    mkdir(folder, 0700);
    for (int i = 0; i < 4; ++i) {
        snprintf(name, sizeof name, "%s/%d.txt", folder, i);
        FILE *f = fopen(name, "w");
        must(f != NULL && fputs(texts[i], f) >= 0 && fclose(f) == 0, name);
    }
    must(akin_documents_make(ctx, path, folder, NULL, NULL) == AKIN_OK,
         "the collection of documents");
}

/* ---- the server ---- */

/* As http_start(), without a socket to listen at and without a thread. */
static inline void start_daemon(server *s)
{
    s->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_SUSPEND_RESUME |
            MHD_USE_TURBO,
        0, NULL, NULL, on_request, s, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)MEMORY, MHD_OPTION_STRICT_FOR_CLIENT, 0,
        MHD_OPTION_URI_LOG_CALLBACK, on_uri, s, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, s, MHD_OPTION_NOTIFY_CONNECTION, on_connection, s,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    must(s->daemon != NULL, "libmicrohttpd does not start");
}

/* What peers_start() and others make before they start a thread. */
static inline void make_parts(server *s)
{
    pthread_mutex_init(&s->peers.lock, NULL);
    pthread_mutex_init(&s->jobs.lock, NULL);
    pthread_cond_init(&s->jobs.more, NULL);
    queue_init(&s->workers.quick);
    queue_init(&s->workers.slow);
    queue_init(&s->writer.queue);
    s->jobs.s = s;
    s->jobs.ctx = s->writer.ctx = here.worker.ctx = fuzz_ctx();
    here.worker.s = s;
    must(APP_NEW(s->a, s->n_collections, &s->writer.events) == AKIN_OK,
         "memory");
}

static inline void start_server(void)
{
    static const char *folders[2];
    static served collections[2];
    server *s = calloc(1, sizeof *s);
    must(s != NULL, "memory");
    snprintf(here.folder, sizeof here.folder, "%s/akin-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    must(mkdtemp(here.folder) != NULL, "a folder");
    for (int i = 0; i < 2; ++i) {
        snprintf(here.paths[i], sizeof here.paths[i], "%s/%s", here.folder,
                 i ? "documents" : "vectors");
        folders[i] = here.paths[i];
    }
    make_vectors(fuzz_ctx(), here.paths[0]);
    make_documents(fuzz_ctx(), here.paths[1]);
    here.a.ctx = fuzz_ctx();
    here.options = (serve_options){.collections = folders, .n_collections = 2};
    memset(collections, 0, sizeof collections);
    *s = (server){.a = &here.a,
                  .o = &here.options,
                  .listener = -1,
                  .collections = collections,
                  .n_collections = 2};
    must(log_open(s->a, &s->log, "/dev/null", true) == AKIN_OK &&
             served_open(s->a, &collections[0], folders[0]) == AKIN_OK &&
             served_open(s->a, &collections[1], folders[1]) == AKIN_OK,
         "the server does not start");
    here.names_folder = false;
    make_parts(s);
    start_daemon(s);
    here.s = s;
}

/* ---- turns ---- */

static inline bool answer_one_of(request_queue *q)
{
    if (q->n == 0)
        return false;
    request *r = queue_get(q);
    here.worker.passed_on = false;
    r->route->handler(r, &here.worker);
    if (!here.worker.passed_on)
        server_answer(r);
    return true;
}

static inline bool store_some(server *s)
{
    request *group[GROUP_MOST];
    if (s->writer.queue.n == 0)
        return false;
    request *first = queue_get(&s->writer.queue);
    const int64_t n = take_group(s, first, group);
    served *c = first->event->c;
    finish_group(s, c, group, n, store_group(s, group, n));
    return true;
}

/* The first job that waits; `due`: or one that learns if enough events are
 * there. */
static inline bool run_job(jobs *j, bool due)
{
    server_job *x = j->first;
    while (x != NULL && x->state != JOB_WAITS)
        x = x->next;
    if (x == NULL && due)
        x = next_job(j);
    if (x == NULL)
        return false;
    x->state = JOB_RUNS;
    x->begun = app_now();
    j->running = x;
    akin_ctx_set_progress(j->ctx, note_progress, j);
    do_job(j, x);
    akin_ctx_set_progress(j->ctx, NULL, NULL);
    j->running = NULL;
    if (x->hidden)
        forget(j, true);
    return true;
}

static inline bool take_turns(server *s)
{
    must(MHD_run(s->daemon) == MHD_YES, "libmicrohttpd does not go on");
    const bool quick = answer_one_of(&s->workers.quick);
    const bool slow = answer_one_of(&s->workers.slow);
    const bool stored = store_some(s);
    return run_job(&s->jobs, false) || quick || slow || stored;
}

static inline void stop_server(void)
{
    server *s = here.s;
    if (s == NULL)
        return;
    while (take_turns(s) || run_job(&s->jobs, true))
        continue;
    http_stop(s);
    while (s->jobs.first != NULL) {
        server_job *x = s->jobs.first;
        s->jobs.first = x->next;
        free_job(x);
    }
    for (int i = 0; i < 2; ++i) {
        akin_events_close(s->writer.events[i]);
        served_close(&s->collections[i]);
    }
    free(s->writer.events);
    log_close(&s->log);
    free(s);
    here.s = NULL;
    remove_folder();
}

/* ---- a client ---- */

#ifdef __clang__
/* Not a hint for the fuzzer how to write the path. */
__attribute__((no_sanitize("coverage")))
#endif
static inline bool
has(const char *text, size_t n, const char *part)
{
    const size_t length = strlen(part);
    for (size_t i = 0; i + length <= n; ++i) {
        size_t k = 0;
        while (k < length && text[i + k] == part[k])
            ++k;
        if (k == length)
            return true;
    }
    return false;
}

/* Sends all, closes its side, and takes what comes until the server closes the
 * connection too. */
static inline void converse(const uint8_t *data, size_t n)
{
    const struct sockaddr_un nobody = {.sun_family = AF_UNIX};
    int ends[2];
    size_t sent = 0;
    here.n = 0;
    here.names_folder |= has((const char *)data, n, "akin-fuzz-");
    must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0,
         "a pair of sockets");
    /* All of it fits, so that nobody waits for the other to read. */
    const int room = 1 << 20;
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    while (sent < n) {
        const ssize_t k =
            send(ends[0], data + sent, n - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (k <= 0)
            break;
        sent += (size_t)k;
    }
    shutdown(ends[0], SHUT_WR);
    must(MHD_add_connection(here.s->daemon, ends[1],
                            (const struct sockaddr *)&nobody,
                            sizeof nobody) == MHD_YES,
         "a connection is not taken");
    for (int turn = 0; here.n < SERVED_ANSWERS; ++turn) {
        must(turn < SERVED_TURNS, "the connection stays open");
        if (take_turns(here.s))
            turn = 0;
        const ssize_t k = recv(ends[0], here.answers + here.n,
                               SERVED_ANSWERS - here.n, MSG_DONTWAIT);
        if (k == 0 || (k < 0 && errno != EAGAIN))
            break;
        here.n += k > 0 ? (size_t)k : 0;
    }
    close(ends[0]);
}

/* ---- what holds of all answers ---- */

/* The value of a header of one answer, -1: it is not there. */
static inline long length_of(const char *head, size_t n)
{
    static const char name[] = "\r\nContent-Length: ";
    for (size_t i = 0; i + sizeof name < n; ++i)
        if (memcmp(head + i, name, sizeof name - 1) == 0)
            return strtol(head + i + sizeof name - 1, NULL, 10);
    return -1;
}

/* "HTTP/1.1 200 OK", with a status that this server may answer; returns it. */
static inline int check_status_line(const char *line, size_t n)
{
    int status = 0;
    must(n >= 14 && memcmp(line, "HTTP/1.", 7) == 0 && line[8] == ' ' &&
             (line[7] == '0' || line[7] == '1') && line[12] == ' ',
         "not the first line of an answer");
    for (int i = 9; i < 12; ++i)
        status = 10 * status + line[i] - '0';
    must(status >= 100 && (status < 500 || status == 501 || status == 503 ||
                           status == 505 || status == 507),
         "an answer that says that the server is at fault");
    return status;
}

/* Each answer has a status line, headers, and as many bytes as it says. An
 * answer to HEAD has no body: then the next line is that of the next one.
 * Returns the last status, 0: there is no answer. */
static inline int check_answers(void)
{
    const char *at = here.answers, *const end = at + here.n;
    int status = 0;
    must(here.names_folder || !has(here.answers, here.n, here.folder),
         "a path in an answer");
    must(!here.s->failed, "the server gave up");
    while (at < end) {
        const char *head = at;
        status = check_status_line(at, (size_t)(end - at));
        at = memmem(at, (size_t)(end - at), "\r\n\r\n", 4);
        must(at != NULL, "headers without an end");
        at += 4;
        const long length = length_of(head, (size_t)(at - head));
        if (end - at >= 7 && memcmp(at, "HTTP/1.", 7) == 0)
            continue;
        if (length < 0 && status >= 200)
            break;  // in pieces, or up to the end of the connection
        if (length > 0 && at < end) {
            must(length <= end - at, "an answer is shorter than it says");
            at += length;
        }
    }
    return status;
}

/* Before a run: a server that works. */
static inline void have_server(void)
{
    static const char health[] =
        "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    if (here.answers == NULL) {
        here.answers = malloc(SERVED_ANSWERS);
        must(here.answers != NULL, "memory");
        atexit(stop_server);
    }
    if (here.s != NULL && here.runs++ % SERVED_RUNS != 0)
        return;
    if (here.s != NULL) {
        converse((const uint8_t *)health, strlen(health));
        must(check_answers() == 200, "the server does not go on");
    }
    stop_server();
    start_server();
}

#endif
