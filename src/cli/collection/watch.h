/* cli/collection/watch.h - a folder that is looked at again and again. */
#ifndef CLI_COLLECTION_WATCH_H
#define CLI_COLLECTION_WATCH_H

#include "app/app.h"

/* Adds once; `first`: always reports, else only where something was new. */
typedef akin_status (*watch_fn)(app *a, const void *flags, bool first);

/* Once, or with `again` until the program is interrupted: after two seconds, or
 * four times as long as the last look has taken. */
akin_status watch(app *a, watch_fn add, const void *flags, bool again);

#endif
