/* data/io/build.h - rows that grow as a reader finds them.
 *
 * A row is ak_build_room, then its values and labels, then ak_build_row. */
#ifndef AK_DATA_IO_BUILD_H
#define AK_DATA_IO_BUILD_H

#include "data/names.h"
#include "data/rows.h"

typedef struct ak_build {
    akin_rows *rows;  // n rows are whole; label names are still in `names`
    bool sparse;
    int64_t n_vals;  // used of vals (and cols), the row being made included
    int64_t n_labels;
    int64_t row_labels;  // where the labels of the row being made begin
    int64_t room_rows, room_vals, room_labels;
    ak_names names;
    bool any_group;
    bool utf8_labels;  // to be set by the reader: others are wrong
} ak_build;

akin_status ak_build_begin(ak_build *b, akin_ctx *ctx, bool sparse);
/* Room for a row and for `values` entries behind n_vals; written through
 * rows->cols and rows->vals by the caller, who moves n_vals. */
akin_status ak_build_room(ak_build *b, akin_ctx *ctx, int64_t values);
/* The labels of the row being made, separated by `delimiter`. What is wrong
 * with them is told in *why (NULL: nothing) and *where. */
akin_status ak_build_labels(ak_build *b, akin_ctx *ctx, const char *text,
                            size_t len, char delimiter, const char **where,
                            const char **why);
/* The row is whole. `group` -1: none. */
void ak_build_row(ak_build *b, int64_t group);
/* Hand the rows over; the caller sets d and index_base. */
akin_status ak_build_end(ak_build *b, akin_ctx *ctx, akin_rows **out);
/* Forget them; harmless after `end` and before `begin` when all is zero. */
void ak_build_drop(ak_build *b);

#endif
