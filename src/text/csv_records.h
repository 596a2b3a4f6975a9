/* text/csv_records.h - records of csv as RFC 4180 has them: a quoted cell may
 * hold delimiters, doubled quotes and line ends. */
#ifndef AK_TEXT_CSV_RECORDS_H
#define AK_TEXT_CSV_RECORDS_H

#include "data/columns.h"
#include "data/io/source.h"

typedef struct ak_csv_records {
    ak_source *source;
    char delimiter;
    int64_t line;  // the record begins in, from 1

    char *text;  // of the cells, one behind the other, each with a zero byte
    int64_t n_text, text_room;
    int64_t *begin;  // n_cells + 1
    int64_t n_cells, cells_room;

    char *piece;  // bytes from the source
    size_t at, end;
    int64_t next_line;
} ak_csv_records;

akin_status ak_csv_records_begin(ak_csv_records *r, akin_ctx *ctx,
                                 ak_source *source, char delimiter);
/* Before the first record: take the delimiter from its line, as
 * ak_header_delimiter does. */
akin_status ak_csv_records_find_delimiter(ak_csv_records *r, akin_ctx *ctx);
/* The next record that is not an empty line; no cells at the end. EFORMAT with
 * file and line. */
akin_status ak_csv_records_next(ak_csv_records *r, akin_ctx *ctx);
void ak_csv_records_end(ak_csv_records *r);

/* A table: the header, then each record, with as many cells as it. */
typedef struct ak_csv_table {
    akin_status (*header)(void *out, akin_ctx *ctx, const ak_csv_records *r);
    akin_status (*record)(void *out, akin_ctx *ctx, const ak_csv_records *r);
    const char *hint;  // where a record has other cells; ""
} ak_csv_table;
/* Passes `out` on to both. EFORMAT with file and line. */
akin_status ak_csv_table_read(void *out, akin_ctx *ctx, ak_source *source,
                              const ak_csv_table *table);

/* Cell k, with a zero byte behind its `*n` bytes. */
const char *ak_csv_records_cell(const ak_csv_records *r, int64_t k, size_t *n);
/* The cells as names of columns, added to `names`. */
akin_status ak_csv_records_names(const ak_csv_records *r, akin_ctx *ctx,
                                 ak_columns *names);

#endif
