/* collection/dismissed.h - what people removed stays out: its file or record
 * may still be where it was, or have moved, and is not added again. Another
 * content is another item. */
#ifndef AK_COLLECTION_DISMISSED_H
#define AK_COLLECTION_DISMISSED_H

#include "collection/items.h"

/* Remember the item, which is about to be removed. Rows that were given have no
 * file, and are not remembered. */
akin_status ak_dismiss(const ak_catalog *c, akin_ctx *ctx, int64_t id);

typedef struct ak_dismissed {
    int64_t id;    // 0: nobody removed it
    int64_t item;  // the number that it had; -1: it is not known
    bool is_here;  // from this very place; else from one that is gone
} ak_dismissed;

/* Was a file of this content removed, or a record of the source? `name` NULL:
 * the record is called by its number. */
akin_status ak_dismissed_file(const ak_catalog *c, akin_ctx *ctx, ak_blob hash,
                              const char *path, ak_dismissed *out);
akin_status ak_dismissed_record(const ak_catalog *c, akin_ctx *ctx,
                                ak_blob hash, const ak_blob *name,
                                int64_t source, ak_dismissed *out);

/* It is here now (`path` NULL: a record); or it is no longer remembered. */
akin_status ak_dismissed_move(const ak_catalog *c, akin_ctx *ctx,
                              const ak_dismissed *d, const char *path,
                              int64_t source);
akin_status ak_dismissed_forget(const ak_catalog *c, akin_ctx *ctx,
                                const ak_dismissed *d);

#endif
