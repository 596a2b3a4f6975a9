/* cli/export/source.h - what is exported, or compared with an export: an index,
 * a model with rows, or a collection. */
#ifndef CLI_EXPORT_SOURCE_H
#define CLI_EXPORT_SOURCE_H

#include <akin/index.h>

#include "app/app.h"
#include "cli/flags.h"

typedef struct export_source {
    akin_index *index;
    int64_t *ids;     // of the items of a collection; NULL: row numbers
    int64_t version;  // of a collection's model; -1: none is known
} export_source;

/* `data` NULL: the path is of an index or a collection. */
akin_status export_source_open(app *a, export_source *s, const char *path,
                               const char *data, const reading_flags *reading);
void export_source_close(export_source *s);

#endif
