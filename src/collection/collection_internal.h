/* collection/collection_internal.h - what an open collection is; for its parts
 * alone. */
#ifndef AK_COLLECTION_COLLECTION_INTERNAL_H
#define AK_COLLECTION_COLLECTION_INTERNAL_H

#include <akin/collection.h>

#include "collection/catalog.h"
#include "collection/extractor.h"

struct akin_collection {
    ak_catalog catalog;
    ak_codebook *codebook;
    ak_extractor *extractor;  // opened when they are needed
    bool is_open;
    sqlite3_stmt *picture;  // the one asked for last
    char path[PATH_MAX];
};

#endif
