/* app/app.h - what every program has: a context, messages, standard output. */
#ifndef APP_APP_H
#define APP_APP_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <akin/comm.h>

#include "app/option.h"
#include "app/progress.h"
#include "app/text.h"

/* The flags that all commands share. */
typedef struct app_common {
    int64_t seed;
    int64_t threads;
    bool quiet;
    bool json;
} app_common;

extern const app_group app_common_group;

enum { APP_MESSAGE_SIZE = 1024, APP_REMARKS_SIZE = 4096, APP_MOST_WORDS = 128 };

typedef struct app {
    akin_ctx *ctx;
    app_common common;
    int64_t rank, ranks;         // 0 of 1, unless mpirun started it
    const app_command *command;  // the one that runs
    app_progress progress;
    char message[APP_MESSAGE_SIZE];  // "": the context has it
    char why[APP_MESSAGE_SIZE];      // what the context has, with flags
    char remarks[APP_REMARKS_SIZE];  // lines, until all is done
    size_t n_remarks;                // bytes of them
    bool pipe_closed;                // nobody reads standard output any more
    bool result_on_stdout;           // what else is said goes to stderr
    bool help_all;                   // akin help COMMAND --all
    bool wants_json;                 // --json is among the words
    bool json_printed;               // the object, or one that says why not
    const char *given[APP_MOST_WORDS];
    const char *values[APP_MOST_WORDS];  // of those that may come many times
    int64_t n_given;
    app_other others[APP_MOST_WORDS];
    int64_t n_others;
} app;

#define APP_TRY(call)      \
    do {                   \
        st = (call);       \
        if (st != AKIN_OK) \
            goto done;     \
    } while (0)

/* A context, and signals that cancel instead of kill. */
akin_status app_start(app *a);
/* Look for --json among the words: it holds also where they are wrong. */
void app_look_for_json(app *a, int n, char **words);
/* Apply the common flags, once they are known. */
void app_apply_common(app *a);
/* Say what went wrong, if anything: a line on standard error, and with --json
 * also {"error": ..., "exit": ...}. Returns the exit code. */
int app_finish(app *a, akin_status st);

/* Store one line and return `st`. */
akin_status app_fail(app *a, akin_status st, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The line that a failed call left. */
const char *app_error_text(app *a, akin_status st);
/* "akin: warning: ..." on standard error. */
void app_warn(app *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "akin: ..." on standard error at the end, unless --quiet; not when there is
 * an error, which is one line alone. */
void app_remark(app *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The library's warnings and remarks; `user` is the app. */
void app_log(void *user, akin_log_level level, const char *line);
/* To standard output, or to standard error where the first is taken by the
 * result itself; EIO when it cannot be written. */
akin_status app_print(app *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same, of what was done: nothing with --quiet. */
akin_status app_report(app *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* --exact, for commands that print scores; JSON always has all digits. */
typedef struct app_exact {
    bool exact;
} app_exact;
extern const app_group app_exact_group;
/* A score with 6 digits, or with --exact as many as read back the same. */
app_text app_score(const app *a, double x);

/* `count` zero-filled elements, to be freed with free(). */
akin_status app_alloc(app *a, int64_t count, size_t size, void *out);
#define APP_NEW(a, count, out) app_alloc((a), (count), sizeof **(out), (out))

/* FOLDER/NAME; EIO where that is too long. */
akin_status app_path_in(app *a, char path[PATH_MAX], const char *folder,
                        const char *name);
/* A path as it is named in a line: "-" is standard output. */
const char *app_shown(const char *path);

double app_now(void);  // seconds, monotonic
double app_peak_rss_mib(void);

#endif
