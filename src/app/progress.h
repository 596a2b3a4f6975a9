/* app/progress.h - how far a run is, on standard error: a bar on a terminal, a
 * line every few seconds elsewhere. Also how a signal reaches the library. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>

#include <akin/base.h>

typedef struct app_progress {
    bool quiet;
    bool terminal;
    bool drawn;          // a bar is on the current line
    char what[32];       // the stage that runs
    int64_t from;        // done when it began
    double started;      // the first stage; 0: none so far
    double began, last;  // the stage, and the last bar or line
} app_progress;

/* From here on SIGINT and SIGTERM cancel. A run that does not notice within two
 * seconds, because it waits for a file, is ended. */
void app_catch_signals(void);
bool app_interrupted(void);
/* While on, an interrupted run may take the time its step needs, and a second
 * signal ends it at once. */
void app_be_patient(bool on);

/* An akin_progress_fn; `user` is the app_progress. */
int app_progress_show(void *user, const akin_progress *p);
/* Take the bar away before anything else is written. */
void app_progress_clear(app_progress *p);

#endif
