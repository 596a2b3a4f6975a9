/* cli/collection/report.h - what a run that made or added items has done. */
#ifndef CLI_COLLECTION_REPORT_H
#define CLI_COLLECTION_REPORT_H

#include <akin/collection.h>

#include "app/app.h"

/* How items of a kind are spoken of. */
typedef struct report_words {
    const char *item;     // "picture"
    const char *feature;  // "descriptor"; NULL: items have none
    const char *column;   // "word"
    bool files;           // they come from files, which move and go
} report_words;

/* What a run that looked at its sources did: always the first time, later on
 * where anything is new. `strict`: EFORMAT where items were skipped. */
akin_status report_look(app *a, const report_words *w, const akin_items_info *i,
                        const char *path, double seconds, bool first,
                        bool strict);
akin_status report_items(app *a, const report_words *w,
                         const akin_items_info *i, const char *path,
                         double seconds);

#endif
