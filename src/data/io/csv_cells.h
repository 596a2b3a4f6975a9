/* data/io/csv_cells.h - the cells of a line of csv or tsv. */
#ifndef AK_DATA_IO_CSV_CELLS_H
#define AK_DATA_IO_CSV_CELLS_H

#include "data/io/number.h"
#include "data/io/row_builder.h"
#include "data/io/source.h"

/* A cell without blanks around it; with `quoted`, what is between the quotes,
 * doubled quotes not yet made single. A byte that stands in no number follows
 * it. */
typedef struct ak_cell {
    char *text;
    size_t n;
    bool quoted;
} ak_cell;

/* Walks over a line, whose last byte is followed by '\n'. */
typedef struct ak_cells {
    ak_source *source;
    char delimiter;
    char *line;  // NULL: there are no more lines
    char *end;
    char *at;  // NULL behind the last cell
} ak_cells;

/* The next line that is not empty. */
akin_status ak_cells_line(ak_cells *c, akin_ctx *ctx);
/* The next cell of the line; `at` is not NULL. EFORMAT for a stray quote, with
 * `at` at the text that follows it. */
akin_status ak_cells_next(ak_cells *c, akin_ctx *ctx, ak_cell *cell);
void ak_cells_rewind(ak_cells *c);
/* `FILE:LINE:COLUMN: what` for a place in the line. */
akin_status ak_cells_bad(const ak_cells *c, akin_ctx *ctx, const char *at,
                         const char *what);

ak_number ak_cell_number(const ak_cell *cell, float *value);
/* Make doubled quotes single, in place. */
void ak_cell_unquote(ak_cell *cell);
bool ak_cell_is(const ak_cell *cell, const char *text);

/* The labels of a cell, separated by ';', to the row being built; nothing or
 * "?" is none. */
akin_status ak_cells_labels(const ak_cells *c, akin_ctx *ctx, ak_row_builder *b,
                            ak_cell *cell);

/* The cells of the line as names of columns, added to `names`; control
 * characters become blanks. The line is left rewound. */
akin_status ak_cells_names(ak_cells *c, akin_ctx *ctx, ak_columns *names);

#endif
