/* collection/where.h - which items a condition on their fields lets through. */
#ifndef AK_COLLECTION_WHERE_H
#define AK_COLLECTION_WHERE_H

#include "collection/catalog.h"

/* One byte for each id below *n, 1: the item passes; from scratch. The
 * condition is parsed here, and SQLite gets its values as parameters: no text
 * of the caller becomes SQL. EINVAL: it is no condition, or a field does not
 * exist. */
akin_status ak_where(unsigned char **pass, int64_t *n, akin_ctx *ctx,
                     const ak_catalog *c, const char *text);

#endif
