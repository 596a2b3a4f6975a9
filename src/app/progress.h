/* app/progress.h - how far a run is, on standard error: a bar on a terminal, a
 * line every few seconds elsewhere. Also how a signal reaches the library. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>

#include <akin/base.h>

typedef struct app_progress {
    bool quiet;
    bool terminal;
    bool drawn;     // a bar stands on the current line
    char what[32];  // the stage that runs
    int64_t from;   // done when it began
    double began, last;
} app_progress;

/* From here SIGINT and SIGTERM cancel. A run that does not notice within a
 * second, because it waits for input, is ended. */
void app_catch_signals(void);
bool app_interrupted(void);

/* An akin_progress_fn; `user` is the app_progress. */
int app_progress_show(void *user, const akin_progress *p);
/* Take the bar away before anything else is written. */
void app_progress_clear(app_progress *p);

#endif
