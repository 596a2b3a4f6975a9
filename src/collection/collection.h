/* collection/collection.h - an open collection. */
#ifndef AK_COLLECTION_COLLECTION_H
#define AK_COLLECTION_COLLECTION_H

#include <akin/collection.h>

#include "collection/catalog.h"
#include "collection/extractor.h"

struct akin_collection {
    ak_catalog catalog;
    ak_codebook *codebook;
    ak_extractor *extractor;  // NULL until it is needed
    bool is_open;
    sqlite3_stmt *picture;  // the one asked for last
    char path[PATH_MAX];
};

#endif
