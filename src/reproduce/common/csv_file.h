/* reproduce/common/csv_file.h - reads small CSV tables, line by line. */
#ifndef REPRODUCE_COMMON_CSV_FILE_H
#define REPRODUCE_COMMON_CSV_FILE_H

#include "reproduce/common/reproduce.h"

enum { CSV_MOST_FIELDS = 32 };

typedef struct csv_file {
    app *a;
    char path[REPRODUCE_PATH];
    const char *separators;
    char *text, *at;  // the whole file, and where the next line starts
    int64_t line;     // the current one, from 1
    char *fields[CSV_MOST_FIELDS];
    int64_t n_fields;
    int64_t columns[CSV_MOST_FIELDS];  // field of each wanted column
} csv_file;

/* Call `take` for each line of FOLDER/NAME that is not empty. The header must
 * name all of `wanted`, separated by commas; it may have other columns, in any
 * order. "" for a file without a header, whose fields are separated by blanks.
 * Without a folder, NAME is the path. */
typedef akin_status (*csv_take)(void *arg, const csv_file *c);
akin_status csv_each(app *a, const char *folder, const char *name,
                     const char *wanted, csv_take take, void *arg);

/* The wanted column k of the current line, and the same as a whole number
 * from 0 to below `end`. */
const char *csv_text(const csv_file *c, int64_t k);
akin_status csv_number(const csv_file *c, int64_t k, int64_t end,
                       int64_t *value);
/* "FILE:LINE: ..." */
akin_status csv_fail(const csv_file *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
