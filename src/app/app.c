/* Start and end of a program, its messages and its standard output. */
#include "app/app.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "app/json.h"
#include "app/ranks.h"
#include "app/text.h"

static const app_option common_options[] = {
    {"seed", "N", APP_FIELD(app_common, seed),
     .help = "seed of the random numbers; the same seed gives the same bytes",
     .max = 9007199254740992.0},
    {"threads", "N", APP_FIELD(app_common, threads),
     .help = "cores to use; results do not depend on it", .max = 4096,
     .zero = "all"},
    {"quiet", NULL, APP_FIELD(app_common, quiet),
     .help = "print results only: no progress, no notes, no lines about files "
             "that were written; warnings and errors remain"},
    {"json", NULL, APP_FIELD(app_common, json),
     .help = "print one JSON object and nothing else on standard output; a "
             "failure prints {\"error\": ..., \"exit\": ...}"},
};

const app_group app_common_group = APP_GROUP("Options of every command",
                                             common_options,
                                             (&(const app_common){.seed = 1}));

static const app_option exact_options[] = {
    {"exact", NULL, APP_FIELD(app_exact, exact),
     .help = "print scores with 17 significant digits, not 6; JSON has 17"},
};

const app_group app_exact_group =
    APP_GROUP("Output", exact_options, (&(const app_exact){0}));

double app_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double app_peak_rss_mib(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss / 1024.0;
}

void app_log(void *user, akin_log_level level, const char *line)
{
    app *a = user;
    if (level == AKIN_LOG_WARNING)
        app_warn(a, "%s", line);
    else
        app_remark(a, "%s", line);
}

/* A file that we open must not become standard output because that was
 * closed; writing to its stand-in fails as it should. */
static void keep_standard_streams(void)
{
    int fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO)
        fd = dup(fd);
    close(fd);
}

akin_status app_start(app *a)
{
    keep_standard_streams();
    const akin_status st = akin_ctx_new(&a->ctx, NULL);
    if (st != AKIN_OK)
        return app_fail(a, st, "out of memory");
    app_catch_signals();
    a->progress.terminal = isatty(STDERR_FILENO);
    akin_ctx_set_progress(a->ctx, app_progress_show, &a->progress);
    akin_ctx_set_log(a->ctx, app_log, a);
    return AKIN_OK;
}

void app_look_for_json(app *a, int n, char **words)
{
    for (int i = 0; i < n && strcmp(words[i], "--") != 0; ++i)
        a->wants_json = a->wants_json || strcmp(words[i], "--json") == 0;
    app_interrupt_as_json(a->wants_json);
}

void app_apply_common(app *a)
{
    akin_ctx_set_seed(a->ctx, (uint64_t)a->common.seed);
    akin_ctx_set_threads(a->ctx, a->common.threads == 0 && a->ranks > 1
                                     ? app_ranks_cores(a)
                                     : a->common.threads);
    a->progress.quiet = a->common.quiet;
}

static akin_status stdout_failed(app *a)
{
    a->pipe_closed = errno == EPIPE;
    return app_fail(a, AKIN_EIO, "standard output: %s", strerror(errno));
}

const char *app_error_text(app *a, akin_status st)
{
    if (a->message[0] != '\0')
        return a->message;
    snprintf(a->why, sizeof a->why, "%s",
             a->ctx != NULL ? akin_ctx_message(a->ctx) : "");
    app_options_to_flags(a->why);
    return a->why[0] != '\0' ? a->why : akin_status_meaning(st);
}

/* With --json a failure is an object too, unless one is there already. */
static void print_error_json(app *a, akin_status st)
{
    if (!a->wants_json || a->json_printed || a->result_on_stdout)
        return;
    app_json_print(a,
                   APP_OBJECT(APP_KEY("error", app_error_text(a, st)),
                              APP_KEY("exit", (int64_t)akin_status_exit(st))));
    fflush(stdout);
}

int app_finish(app *a, akin_status st)
{
    alarm(0);
    app_progress_clear(&a->progress);
    if (!a->pipe_closed && fflush(stdout) != 0 && st == AKIN_OK)
        st = stdout_failed(a);
    if (a->pipe_closed)
        st = AKIN_OK;  // whoever read it has had enough
    const bool json_on_stderr = a->common.json && a->result_on_stdout;
    if (st == AKIN_OK && !a->common.quiet && !json_on_stderr)
        fputs(a->remarks, stderr);
    if (st != AKIN_OK) {
        const char *text = app_error_text(a, st);
        /* mpirun interrupts the ranks when one has died, and says which. */
        if (a->ranks == 1 || st != AKIN_ECANCELLED)
            fprintf(stderr, "akin: %s\n", text);
        print_error_json(a, st);
    }
    akin_ctx_free(a->ctx);
    return akin_status_exit(st);
}

/* Store a message as one line: control characters become '?'. */
static void store_line(app *a, const char *format, va_list args)
{
    vsnprintf(a->message, sizeof a->message, format, args);
    for (char *s = a->message; *s; ++s)
        if ((unsigned char)*s < 0x20 || *s == 0x7f)
            *s = '?';
    app_options_to_flags(a->message);
}

akin_status app_fail(app *a, akin_status st, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    store_line(a, format, args);
    va_end(args);
    return st;
}

static void say(app *a, const char *before, const char *format, va_list args)
{
    char line[APP_MESSAGE_SIZE];
    vsnprintf(line, sizeof line, format, args);
    app_options_to_flags(line);
    app_progress_clear(&a->progress);
    fprintf(stderr, "%s%s\n", before, line);
}

void app_warn(app *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(a, "akin: warning: ", format, args);
    va_end(args);
}

void app_remark(app *a, const char *format, ...)
{
    va_list args;
    char line[APP_MESSAGE_SIZE];
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    app_options_to_flags(line);
    const size_t room = sizeof a->remarks - a->n_remarks;
    const int n = snprintf(a->remarks + a->n_remarks, room, "akin: %s\n", line);
    if (n > 0 && (size_t)n < room)  // those that do not fit are left out
        a->n_remarks += (size_t)n;
    a->remarks[a->n_remarks] = '\0';
}

static akin_status print(app *a, const char *format, va_list args)
{
    const int n = vfprintf(a->result_on_stdout ? stderr : stdout, format, args);
    return n < 0 && !a->result_on_stdout ? stdout_failed(a) : AKIN_OK;
}

akin_status app_print(app *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const akin_status st = print(a, format, args);
    va_end(args);
    return st;
}

akin_status app_report(app *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const akin_status st = a->common.quiet ? AKIN_OK : print(a, format, args);
    va_end(args);
    return st;
}

app_text app_score(const app *a, double x)
{
    return app_was_given(a, "exact") ? app_real(x) : app_digits(x, 6);
}

akin_status app_alloc(app *a, int64_t count, size_t size, void *out)
{
    void *p = NULL;
    if (count >= 0)
        p = calloc(count ? (size_t)count : 1, size);
    memcpy(out, &p, sizeof p);
    if (p == NULL)
        return app_fail(a, AKIN_ENOMEM, "out of memory");
    return AKIN_OK;
}
