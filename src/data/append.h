/* data/append.h - rows of several parts, one after another.
 *
 * The result is as if the parts had been one file: labels get their numbers in
 * order of first appearance, and sparse rows as many columns as the widest part
 * has. */
#ifndef AK_DATA_APPEND_H
#define AK_DATA_APPEND_H

#include "data/names.h"
#include "data/rows.h"

/* All zero to begin with. */
typedef struct ak_appender {
    akin_rows *rows;  // so far; NULL: none. Label names are in `names`
    ak_names names;
    int64_t values, n_labels;  // in use
    int64_t room_rows, room_values, room_cols, room_labels;
    int64_t room_label_offsets, room_groups;
} ak_appender;

/* Frees the part in any case. ESHAPE: it is dense and the others are sparse, or
 * the reverse, or its columns are others; `path` and `first` are for the
 * message. */
akin_status ak_append_rows(ak_appender *a, akin_ctx *ctx, akin_rows *part,
                           const char *path, const char *first);
/* All of them; nothing remains to be dropped. */
akin_status ak_append_end(ak_appender *a, akin_ctx *ctx, akin_rows **out);
void ak_append_drop(ak_appender *a);

#endif
