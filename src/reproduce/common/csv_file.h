/* reproduce/common/csv_file.h - small tables of text with a header line, as the
 * folders of `reproduce` hold them. */
#ifndef REPRODUCE_COMMON_CSV_FILE_H
#define REPRODUCE_COMMON_CSV_FILE_H

#include "app/app.h"

enum { CSV_MOST_FIELDS = 32 };

typedef struct csv_file {
    app *a;
    char path[4096];
    const char *separators;
    char *text, *at;  // all of it, zero-ended, and where the next line starts
    int64_t line;     // the current one, from 1
    char *fields[CSV_MOST_FIELDS];
    int64_t n_fields;
    int64_t columns[CSV_MOST_FIELDS];  // field of each wanted column
} csv_file;

/* Open folder/name, whose header must name all of `wanted`, separated by
 * commas, in any order and among others. "" wants no header at all; fields
 * are then separated by blanks. */
akin_status csv_open(csv_file *c, app *a, const char *folder, const char *name,
                     const char *wanted);
void csv_close(csv_file *c);

/* The next line that is not empty; `*there` is false behind the last. */
akin_status csv_next(csv_file *c, bool *there);
/* The wanted column k of the current line, and the same as a whole number
 * from 0 to below `end`. */
const char *csv_text(const csv_file *c, int64_t k);
akin_status csv_number(const csv_file *c, int64_t k, int64_t end,
                       int64_t *value);
/* "FILE:LINE: ..." */
akin_status csv_fail(const csv_file *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* folder/name. */
akin_status cli_join(app *a, char *path, size_t size, const char *folder,
                     const char *name);

#endif
