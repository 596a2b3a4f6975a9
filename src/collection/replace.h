/* collection/replace.h - a collection in the place of another one. */
#ifndef AK_COLLECTION_REPLACE_H
#define AK_COLLECTION_REPLACE_H

#include "collection/catalog.h"

/* A collection that is being made, in the place of another one or not. */
typedef struct ak_replacement {
    char path[PATH_MAX];  // where to make it
    char old[PATH_MAX];   // what it replaces; "": nothing
    int lock;             // on the old one
} ak_replacement;

/* With `force`, a collection at the path is replaced: the new one is made
 * beside it, at PATH.new. `end` exchanges both when `st` is AKIN_OK; otherwise
 * the old one stays as it was. It returns the status of all. */
akin_status ak_replace_begin(ak_replacement *r, akin_ctx *ctx, const char *path,
                             bool force);
akin_status ak_replace_end(ak_replacement *r, akin_ctx *ctx, akin_status st);

#endif
