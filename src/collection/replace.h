/* collection/replace.h - a collection in the place of another one. */
#ifndef AK_COLLECTION_REPLACE_H
#define AK_COLLECTION_REPLACE_H

#include "collection/catalog.h"

/* Makes a collection at a path where there is none. */
typedef akin_status (*ak_make_fn)(akin_ctx *ctx, const char *path, void *arg);

/* Make it beside the old one, at PATH.new, and exchange both when it is
 * complete: until then, and where making fails, the old one stays as it is. */
akin_status ak_replace(akin_ctx *ctx, const char *path, ak_make_fn make,
                       void *arg);

#endif
