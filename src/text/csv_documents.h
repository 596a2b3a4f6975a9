/* text/csv_documents.h - the records of a csv file as documents. */
#ifndef AK_TEXT_CSV_DOCUMENTS_H
#define AK_TEXT_CSV_DOCUMENTS_H

#include <akin/text.h>

#include "text/csv_records.h"
#include "text/text.h"

/* All zero to begin with, but for `no_text`. */
typedef struct ak_csv_documents {
    bool no_text;  // records have a header, and no column of text
    const char *path;
    ak_csv_records records;
    ak_columns header;          // names of the columns, where it has them
    int64_t text, label, name;  // columns, -1: none
    int64_t n;                  // columns
    bool begun;                 // the first record was given
    char *where;                // FILE:LINE
} ak_csv_documents;

/* `source` and `path` are borrowed. */
akin_status ak_csv_documents_begin(ak_csv_documents *d, akin_ctx *ctx,
                                   ak_source *source, const char *path,
                                   char delimiter, const akin_text_options *o);
/* The next record; `*there` is false at the end. */
akin_status ak_csv_documents_next(ak_csv_documents *d, akin_ctx *ctx,
                                  ak_text *t, bool *there);
void ak_csv_documents_end(ak_csv_documents *d);

#endif
