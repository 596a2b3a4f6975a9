/* app/progress.h - how far a run is, on standard error: a bar on a terminal, a
 * line every few seconds elsewhere. Also how a signal reaches the library. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>

#include <akin/base.h>

/* How fast units of work get done. Only finished units count, and of them those
 * of the last 5 seconds to twice as long, because iterations become slower
 * or faster while a solver runs. */
typedef struct app_pace {
    struct app_pace_mark {
        double at;  // seconds
        int64_t done;
    } first, next, last;  // where the window begins, where the following one
                          // will, and the last unit that was finished
} app_pace;

void app_pace_start(app_pace *p, double at, int64_t done);
/* At `at` seconds `done` units are finished; neither may decrease. */
void app_pace_note(app_pace *p, double at, int64_t done);
/* Units per second; 0 until one is finished. */
double app_pace_rate(const app_pace *p);
/* Seconds from `at` until `total` units are finished at that rate; NAN until it
 * is known. */
double app_pace_left(const app_pace *p, double at, int64_t total);

typedef struct app_progress {
    bool quiet;
    bool terminal;
    bool drawn;      // a bar is on the current line
    char what[32];   // the stage that runs
    app_pace pace;   // of this stage
    double started;  // when the first stage did; 0: none so far
    double last;     // when the last bar or line was written
} app_progress;

/* From here on SIGINT and SIGTERM cancel. A run that does not notice within two
 * seconds, because it waits for a file, is ended. */
void app_catch_signals(void);
/* While on, a run that is ended so also writes {"error": ...} to standard
 * output. */
void app_interrupt_as_json(bool on);
/* Has a signal asked to stop? */
bool app_interrupted(void);
/* While on, an interrupted run may take the time its step needs, and a second
 * signal ends it at once. After three seconds the user is told so. */
void app_let_step_finish(bool on);

/* Sleep; false: a signal has asked to stop. */
bool app_wait(double seconds);

/* An akin_progress_fn; `user` is the app_progress. */
int app_progress_show(void *user, const akin_progress *p);
/* Take the bar away before anything else is written. */
void app_progress_clear(app_progress *p);

#endif
