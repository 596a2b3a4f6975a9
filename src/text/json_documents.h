/* text/json_documents.h - JSON lines as documents: an object in each line. */
#ifndef AK_TEXT_JSON_DOCUMENTS_H
#define AK_TEXT_JSON_DOCUMENTS_H

#include <akin/text.h>
#include <jansson.h>

#include "data/columns.h"
#include "data/io/source.h"
#include "text/text.h"

/* All zero to begin with. */
typedef struct ak_json_documents {
    const char *path;
    ak_source *source;
    const akin_text_options *options;
    json_t *object;  // of the line
    ak_columns keys;
    const json_t **values;  // one for each key
    int64_t room_values;
    int64_t text, label, name;  // keys of the line, -1: none
    bool label_met;             // in a line so far
    char *where;                // FILE:LINE
} ak_json_documents;

/* All pointers are borrowed. */
akin_status ak_json_documents_begin(ak_json_documents *d, akin_ctx *ctx,
                                    ak_source *source, const char *path,
                                    const akin_text_options *o);
/* The next line that is not empty; `*there` is false at the end. */
akin_status ak_json_documents_next(ak_json_documents *d, akin_ctx *ctx,
                                   ak_text *t, bool *there);
void ak_json_documents_end(ak_json_documents *d);

#endif
