#include "server/jobs.h"

#include <akin/mentions.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/json.h"
#include "server/handlers/answers.h"
#include "server/server.h"

/* ---- streams ---- */

/* Progress that somebody reads. */
typedef struct job_stream {
    jobs *j;
    struct MHD_Connection *connection;
    int64_t number, seen;  // the job, and its changes that were sent
    char *text;            // being sent
    size_t n, sent;
    bool waits, ends;
    bool sign;  // of life, to send
    struct job_stream *next;
} job_stream;

static void wake_stream(job_stream *x)
{
    if (x->waits) {
        x->waits = false;
        MHD_resume_connection(x->connection);
    }
}

static void wake_streams_of(jobs *j, int64_t number)
{
    for (job_stream *x = j->streams; x != NULL; x = x->next)
        if (x->number == number)
            wake_stream(x);
}

void jobs_wake_streams(jobs *j)
{
    pthread_mutex_lock(&j->lock);
    for (job_stream *x = j->streams; x != NULL; x = x->next) {
        x->sign = true;
        wake_stream(x);
    }
    pthread_mutex_unlock(&j->lock);
}

/* ---- jobs as JSON ---- */

static const char *const kind_names[] = {"learn",  "learn", "add",     "add",
                                         "remove", "names", "captions"};
static const char *const state_names[] = {"waiting", "running", "done",
                                          "failed", "cancelled"};

static bool has_ended(const server_job *x)
{
    return x->state >= JOB_DONE;
}

static json_t *json_of(const server_job *x)
{
    const double until = has_ended(x) ? x->ended : app_now();
    json_t *o = APP_OBJECT(APP_KEY("job", x->number),
                           APP_KEY("kind", kind_names[x->kind]),
                           APP_KEY("collection", app_json_string(x->c->name)),
                           APP_KEY("state", state_names[x->state]));
    if (x->what[0] != '\0' && x->state == JOB_RUNS) {
        json_object_set_new(o, "what", json_string(x->what));
        json_object_set_new(o, "done", json_integer(x->done));
        json_object_set_new(o, "total", json_integer(x->total));
    }
    if (x->begun > 0.0)
        json_object_set_new(o, "seconds", json_real(until - x->begun));
    if (x->error[0] != '\0')
        json_object_set_new(o, "error", app_json_string(x->error));
    if (x->result != NULL)
        json_object_set_new(o, "result", json_deep_copy(x->result));
    return o;
}

static server_job *find(jobs *j, int64_t number)
{
    for (server_job *x = j->first; x != NULL; x = x->next)
        if (x->number == number)
            return x;
    return NULL;
}

json_t *jobs_one(jobs *j, int64_t number)
{
    pthread_mutex_lock(&j->lock);
    const server_job *x = find(j, number);
    json_t *o = x ? json_of(x) : NULL;
    pthread_mutex_unlock(&j->lock);
    return o;
}

json_t *jobs_all(jobs *j)
{
    json_t *all = json_array();
    pthread_mutex_lock(&j->lock);
    for (const server_job *x = j->first; x != NULL; x = x->next)
        if (!x->hidden)
            json_array_append_new(all, json_of(x));
    pthread_mutex_unlock(&j->lock);
    return all;
}

json_t *jobs_learning(jobs *j, const served *c)
{
    const server_job *found = NULL;
    pthread_mutex_lock(&j->lock);
    for (const server_job *x = j->first; x != NULL; x = x->next)
        if (!x->hidden && x->c == c && x->kind <= JOB_LEARN_IF_DUE)
            found = x;
    json_t *o = found ? json_of(found) : NULL;
    pthread_mutex_unlock(&j->lock);
    return o;
}

/* ---- a job is done ---- */

static void changed(jobs *j, server_job *x)
{
    ++x->changes;
    wake_streams_of(j, x->number);
}

static int note_progress(void *user, const akin_progress *p)
{
    jobs *j = user;
    server_job *x = j->running;
    const double now = app_now();
    if (p->what != NULL && now - x->told > 0.1) {
        pthread_mutex_lock(&j->lock);
        x->told = now;
        x->hidden = false;
        snprintf(x->what, sizeof x->what, "%s", p->what);
        x->done = p->done;
        x->total = p->total;
        changed(j, x);
        pthread_mutex_unlock(&j->lock);
    }
    return x->cancel;
}

static akin_status do_learn(jobs *j, server_job *x, json_t **result)
{
    akin_version_info v;
    const akin_status st =
        x->kind == JOB_LEARN
            ? akin_collection_learn(&v, j->ctx, x->c->path, x->argument)
            : akin_collection_learn_due(&v, j->ctx, x->c->path);
    if (st == AKIN_OK && v.version >= 0)
        *result = answer_version(&v);
    return st;
}

static json_t *changes_json(const akin_items_info *info)
{
    return APP_OBJECT(
        APP_KEY("items", info->items), APP_KEY("added", info->added),
        APP_KEY("changed", info->changed), APP_KEY("left_out", info->left_out));
}

static akin_status do_add_files(jobs *j, server_job *x, json_t **result)
{
    const served *c = x->c;
    akin_items_info info;
    const akin_status st =
        strcmp(c->kind, "images") == 0
            ? akin_images_add(j->ctx, c->path, c->uploads, NULL, &info)
            : akin_documents_add(j->ctx, c->path, c->uploads, NULL, &info);
    if (st == AKIN_OK && !(x->hidden && info.added + info.changed == 0))
        *result = changes_json(&info);
    return st;
}

static void forget_files(server_job *x)
{
    for (int64_t i = 0; i < x->n_files; ++i)
        free(x->files[i]);
    free(x->files);
    x->files = NULL;
    x->n_files = 0;
}

/* A job that failed or was cancelled leaves no files that a later one would
 * add: the client is told that they are not there. */
static void discard_files(server_job *x)
{
    akin_ctx *ctx = NULL;
    akin_collection *c = NULL;
    if (x->n_files > 0 && akin_ctx_new(&ctx, NULL) == AKIN_OK &&
        akin_collection_open(&c, ctx, x->c->path) == AKIN_OK)
        for (int64_t i = 0; i < x->n_files; ++i)
            if (!served_is_item(ctx, c, x->files[i]))
                unlink(x->files[i]);
    akin_collection_close(c);
    akin_ctx_free(ctx);
    forget_files(x);
}

/* Cancelled before it began: its files go as soon as no job reads them. */
static bool has_files_left(const server_job *x)
{
    return x->state == JOB_CANCELLED && x->n_files > 0;
}

static akin_status do_add_vector(jobs *j, server_job *x, json_t **result)
{
    const char *name = x->argument;
    akin_vectors_options o = AKIN_VECTORS_DEFAULTS;
    akin_items_info info;
    o.name_list = &name;
    const akin_status st =
        akin_vectors_add(j->ctx, x->c->path, x->row, &o, &info);
    if (st == AKIN_OK)
        *result = changes_json(&info);
    return st;
}

static akin_status do_remove(jobs *j, server_job *x, json_t **result)
{
    char where[JOB_ARGUMENT + 16];
    int64_t removed = 0;
    snprintf(where, sizeof where, "id = %s", x->argument);
    const akin_status st =
        akin_collection_remove(&removed, j->ctx, x->c->path, NULL, 0, where);
    if (st == AKIN_OK)
        *result = APP_OBJECT(APP_KEY("removed", removed));
    return st;
}

/* Names of faces; requests meanwhile are told to wait. */
static akin_status do_review(jobs *j, server_job *x, json_t **result)
{
    served *c = x->c;
    akin_review *made = NULL;
    const akin_status st = akin_review_open(&made, j->ctx, c->path);
    if (st != AKIN_OK)
        return st;
    *result = APP_OBJECT(APP_KEY("faces", akin_review_count(made)));
    pthread_mutex_lock(&c->review_lock);
    akin_review_close(c->review);
    c->review = made;
    pthread_mutex_unlock(&c->review_lock);
    return AKIN_OK;
}

/* Names in captions, by what people corrected in them. */
static akin_status do_tagger(jobs *j, server_job *x, json_t **result)
{
    akin_tagger_info info;
    const akin_status st = akin_faces_learn_due(&info, j->ctx, x->c->path);
    if (st == AKIN_OK)
        *result = APP_OBJECT(APP_KEY("captions", info.captions),
                             APP_KEY("errors", info.errors),
                             APP_KEY("errors_before", info.errors_before));
    return st;
}

typedef akin_status job_function(jobs *j, server_job *x, json_t **result);

static job_function *const job_functions[] = {
    [JOB_LEARN] = do_learn,         [JOB_LEARN_IF_DUE] = do_learn,
    [JOB_ADD_FILES] = do_add_files, [JOB_ADD_VECTOR] = do_add_vector,
    [JOB_REMOVE] = do_remove,       [JOB_REVIEW] = do_review,
    [JOB_TAGGER] = do_tagger,
};

static void do_job(jobs *j, server_job *x)
{
    json_t *result = NULL;
    const akin_status st = job_functions[x->kind](j, x, &result);
    if (st != AKIN_OK)
        discard_files(x);
    pthread_mutex_lock(&j->lock);
    x->state = st == AKIN_OK           ? JOB_DONE
               : st == AKIN_ECANCELLED ? JOB_CANCELLED
                                       : JOB_FAILED;
    x->result = result;
    x->ended = app_now();
    if (x->state == JOB_FAILED) {
        const char *why = akin_ctx_message(j->ctx);
        snprintf(x->error, sizeof x->error, "%s",
                 why[0] ? why : akin_status_meaning(st));
        server_hide_paths(j->s, x->error);
    }
    if (result != NULL || st != AKIN_OK)
        x->hidden = false;
    changed(j, x);
    pthread_mutex_unlock(&j->lock);
}

/* ---- the list ---- */

static void free_job(server_job *x)
{
    forget_files(x);
    json_decref(x->result);
    akin_rows_free(x->row);
    free(x);
}

/* Forget the first that has ended: a hidden one, or the oldest of too many. Not
 * the one that runs: its thread still looks at it. */
static void forget(jobs *j, bool hidden)
{
    server_job *before = NULL;
    for (server_job *x = j->first; x != NULL; before = x, x = x->next) {
        if (!has_ended(x) || x == j->running || has_files_left(x) ||
            (hidden && !x->hidden))
            continue;
        if (before != NULL)
            before->next = x->next;
        else
            j->first = x->next;
        if (j->last == x)
            j->last = before;
        --j->n;
        free_job(x);
        return;
    }
}

static server_job *append(jobs *j, job_kind kind, served *c,
                          const char *argument)
{
    if (j->n >= JOBS_KEPT)
        forget(j, false);
    server_job *x = j->n < JOBS_KEPT ? calloc(1, sizeof *x) : NULL;
    if (x == NULL)
        return NULL;
    x->number = ++j->last_number;
    x->kind = kind;
    x->c = c;
    snprintf(x->argument, sizeof x->argument, "%s", argument);
    if (j->last != NULL)
        j->last->next = x;
    else
        j->first = x;
    j->last = x;
    ++j->n;
    return x;
}

/* A job that does what is wanted: one that adds files or learns captions and
 * has not begun, or one that learns names and has not ended. */
static server_job *find_same(const jobs *j, const served *c, job_kind kind)
{
    const job_state last = kind == JOB_REVIEW ? JOB_RUNS : JOB_WAITS;
    if (kind != JOB_ADD_FILES && kind != JOB_REVIEW && kind != JOB_TAGGER)
        return NULL;
    for (server_job *x = j->first; x != NULL; x = x->next)
        if (x->kind == kind && x->c == c && x->state <= last)
            return x;
    return NULL;
}

/* Without memory for its name, the file stays where it is in any case. */
static void take_file(server_job *x, const char *path)
{
    char **more = realloc(x->files, ((size_t)x->n_files + 1) * sizeof *more);
    if (more == NULL)
        return;
    x->files = more;
    more[x->n_files] = strdup(path);
    x->n_files += more[x->n_files] != NULL;
}

int64_t jobs_add(jobs *j, job_kind kind, served *c, const char *argument,
                 akin_rows *row)
{
    const bool adds_files = kind == JOB_ADD_FILES;
    pthread_mutex_lock(&j->lock);
    server_job *x = find_same(j, c, kind);
    if (x == NULL) {
        x = append(j, kind, c, adds_files ? "" : argument);
        if (x != NULL) {
            x->row = row;
            row = NULL;
        }
    }
    if (x != NULL && adds_files) {
        x->hidden = false;
        if (argument[0] != '\0')
            take_file(x, argument);
    }
    const int64_t number = x ? x->number : 0;
    pthread_cond_signal(&j->more);
    pthread_mutex_unlock(&j->lock);
    akin_rows_free(row);
    return number;
}

/* What was sent before the server ended, and not added. */
static void add_what_is_left(jobs *j)
{
    const server *s = j->s;
    for (int64_t i = 0; i < s->n_collections && !s->o->read_only; ++i) {
        served *c = &s->collections[i];
        server_job *x = access(c->uploads, F_OK) == 0
                            ? append(j, JOB_ADD_FILES, c, "")
                            : NULL;
        if (x != NULL)
            x->hidden = true;
    }
}

void jobs_learn_if_due(jobs *j, served *c)
{
    pthread_mutex_lock(&j->lock);
    c->has_news = true;
    pthread_mutex_unlock(&j->lock);
}

bool jobs_cancel(jobs *j, int64_t number)
{
    pthread_mutex_lock(&j->lock);
    server_job *x = find(j, number);
    if (x != NULL && x->state == JOB_WAITS) {
        x->state = JOB_CANCELLED;
        x->ended = app_now();
        changed(j, x);
    }
    if (x != NULL)
        x->cancel = true;
    pthread_cond_signal(&j->more);
    pthread_mutex_unlock(&j->lock);
    return x != NULL;
}

/* Those of jobs that were cancelled. */
static void discard_all_files(jobs *j)
{
    for (server_job *x = j->first; x != NULL; x = x->next)
        if (has_files_left(x))
            discard_files(x);
}

/* The first job that waits, or else one to see whether to learn. */
static server_job *next_job(jobs *j)
{
    for (server_job *x = j->first; x != NULL; x = x->next)
        if (x->state == JOB_WAITS)
            return x;
    for (int64_t i = 0; i < j->s->n_collections; ++i) {
        served *c = &j->s->collections[i];
        server_job *x = c->has_news ? append(j, JOB_LEARN_IF_DUE, c, "") : NULL;
        if (x != NULL) {
            c->has_news = false;
            x->hidden = true;
            return x;
        }
    }
    return NULL;
}

/* New events are looked at once a second. */
static void wait_for_more(jobs *j)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    ++until.tv_sec;
    pthread_cond_timedwait(&j->more, &j->lock, &until);
}

static void *do_all(void *user)
{
    jobs *j = user;
    pthread_mutex_lock(&j->lock);
    while (!j->stop) {
        discard_all_files(j);
        server_job *x = next_job(j);
        if (x == NULL) {
            wait_for_more(j);
            continue;
        }
        x->state = JOB_RUNS;
        x->begun = app_now();
        j->running = x;
        changed(j, x);
        pthread_mutex_unlock(&j->lock);
        do_job(j, x);
        pthread_mutex_lock(&j->lock);
        j->running = NULL;
        if (x->hidden)
            forget(j, true);
    }
    pthread_mutex_unlock(&j->lock);
    return NULL;
}

akin_status jobs_start(server *s)
{
    jobs *j = &s->jobs;
    j->s = s;
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->more, NULL);
    akin_status st = akin_ctx_new(&j->ctx, NULL);
    if (st != AKIN_OK)
        return st;
    akin_ctx_set_progress(j->ctx, note_progress, j);
    akin_ctx_set_threads(j->ctx, 1);
    add_what_is_left(j);
    if (pthread_create(&j->thread, NULL, do_all, j) != 0)
        return app_fail(s->a, AKIN_EIO, "cannot start a thread");
    return AKIN_OK;
}

void jobs_stop(jobs *j)
{
    pthread_mutex_lock(&j->lock);
    j->stop = true;
    if (j->running != NULL)
        j->running->cancel = true;
    pthread_cond_signal(&j->more);
    pthread_mutex_unlock(&j->lock);
    pthread_join(j->thread, NULL);
    discard_all_files(j);
    while (j->first != NULL) {
        server_job *x = j->first;
        j->first = x->next;
        free_job(x);
    }
    akin_ctx_free(j->ctx);
    pthread_cond_destroy(&j->more);
    pthread_mutex_destroy(&j->lock);
}

/* ---- server-sent events ---- */

/* The next event of the stream; false: there is none yet. */
static bool next_event(job_stream *x, const server_job *of)
{
    free(x->text);
    x->text = NULL;
    x->n = x->sent = 0;
    if (of == NULL || of->changes != x->seen) {
        json_t *o = of ? json_of(of) : NULL;
        char *data = o ? json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(12))
                       : NULL;
        json_decref(o);
        x->ends = of == NULL || has_ended(of);
        x->seen = of ? of->changes : 0;
        const int n = asprintf(&x->text, "event: %s\ndata: %s\n\n",
                               x->ends ? "end" : "progress",
                               data ? data : "{}");
        free(data);
        if (n < 0)
            x->text = NULL;
        x->n = n < 0 ? 0 : (size_t)n;
    } else if (x->sign) {
        x->text = strdup(":\n\n");
        x->n = x->text ? 3 : 0;
    }
    x->sign = false;
    return x->n > 0;
}

static ssize_t read_stream(void *user, uint64_t at, char *to, size_t most)
{
    job_stream *x = user;
    jobs *j = x->j;
    ssize_t n = 0;
    (void)at;
    pthread_mutex_lock(&j->lock);
    if (x->sent == x->n && (x->ends || j->s->draining))
        n = MHD_CONTENT_READER_END_OF_STREAM;
    else if (x->sent < x->n || next_event(x, find(j, x->number))) {
        const size_t left = x->n - x->sent;
        n = (ssize_t)(left < most ? left : most);
        memcpy(to, x->text + x->sent, (size_t)n);
        x->sent += (size_t)n;
    } else {
        x->waits = true;
        MHD_suspend_connection(x->connection);
    }
    pthread_mutex_unlock(&j->lock);
    return n;
}

static void free_stream(void *user)
{
    job_stream *x = user;
    jobs *j = x->j;
    pthread_mutex_lock(&j->lock);
    job_stream **at = &j->streams;
    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    pthread_mutex_unlock(&j->lock);
    free(x->text);
    free(x);
}

struct MHD_Response *jobs_stream(jobs *j, request *r, int64_t number)
{
    pthread_mutex_lock(&j->lock);
    job_stream *x = find(j, number) ? calloc(1, sizeof *x) : NULL;
    if (x != NULL) {
        *x = (job_stream){.j = j,
                          .connection = r->connection,
                          .number = number,
                          .seen = -1,
                          .next = j->streams};
        j->streams = x;
    }
    pthread_mutex_unlock(&j->lock);
    if (x == NULL)
        return NULL;
    struct MHD_Response *made = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, 4096, read_stream, x, free_stream);
    if (made == NULL)
        free_stream(x);
    return made;
}
