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

akin_status report_items(app *a, const report_words *w,
                         const akin_items_info *i, const char *path,
                         double seconds);

#endif
