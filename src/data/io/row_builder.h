/* data/io/row_builder.h - builds rows one after another for a reader.
 *
 * For each row: ak_row_builder_room, its values and labels, then
 * ak_row_builder_row. */
#ifndef AK_DATA_IO_ROW_BUILDER_H
#define AK_DATA_IO_ROW_BUILDER_H

#include "data/names.h"
#include "data/rows.h"

typedef struct ak_row_builder {
    akin_rows *rows;  // n are complete; label names are still in `names`
    bool sparse;
    int64_t n_vals;  // used of vals (and cols), with the current row
    int64_t n_labels;
    int64_t row_labels;  // where the labels of the current row begin
    int64_t room_rows, room_vals, room_labels;
    ak_names names;
    bool any_group;
    bool utf8_labels;  // set by the reader: refuse other labels
} ak_row_builder;

akin_status ak_row_builder_begin(ak_row_builder *b, akin_ctx *ctx, bool sparse);
/* Room for a row and for `values` entries after n_vals. The caller writes them
 * to rows->cols and rows->vals and advances n_vals. */
akin_status ak_row_builder_room(ak_row_builder *b, akin_ctx *ctx,
                                int64_t values);
/* Add labels, separated by `delimiter`, to the current row. *why says what is
 * wrong with them (NULL: nothing), *where points to it. */
akin_status ak_row_builder_labels(ak_row_builder *b, akin_ctx *ctx,
                                  const char *text, size_t len, char delimiter,
                                  const char **where, const char **why);
/* Finish the row. `group` -1: none. */
void ak_row_builder_row(ak_row_builder *b, int64_t group);
/* Take the rows; the caller sets d and index_base. */
akin_status ak_row_builder_end(ak_row_builder *b, akin_ctx *ctx,
                               akin_rows **out);
/* Discard the rows; does nothing after `end` or to a zero struct. */
void ak_row_builder_drop(ak_row_builder *b);

#endif
