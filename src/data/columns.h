/* data/columns.h - names of columns: the words of a header, a vocabulary. */
#ifndef AK_DATA_COLUMNS_H
#define AK_DATA_COLUMNS_H

#include "base/ctx.h"
#include "tensors/tensors.h"

/* All zero: no names. */
typedef struct ak_columns {
    int64_t n;       // columns from the first on; those behind have no name
    int64_t *begin;  // n + 1, where each name begins in `text`
    char *text;      // n names, each closed by a zero byte
    int64_t room, text_room;
} ak_columns;

/* The name of the next column, `len` bytes without a zero byte; none: no
 * name. */
akin_status ak_columns_add(ak_columns *c, akin_ctx *ctx, const char *text,
                           size_t len);
/* NULL where column j has no name. */
const char *ak_columns_name(const ak_columns *c, int64_t j);
/* `to` has nothing yet. */
akin_status ak_columns_copy(ak_columns *to, akin_ctx *ctx,
                            const ak_columns *from);
void ak_columns_free(ak_columns *c);

/* The text as a tensor of bytes; nothing when there are no names. `take`
 * leaves `c` empty when there is no such tensor; EFORMAT: it does not name at
 * most d columns. */
akin_status ak_columns_put(const ak_columns *c, akin_ctx *ctx, ak_tensors *t,
                           const char *name);
akin_status ak_columns_take(ak_columns *c, akin_ctx *ctx, const ak_tensors *t,
                            const char *name, int64_t d);

#endif
