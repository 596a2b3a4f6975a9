/* collection/collection.h - an open collection. */
#ifndef AK_COLLECTION_COLLECTION_H
#define AK_COLLECTION_COLLECTION_H

#include <akin/collection.h>

#include "collection/pictures/extractor.h"
#include "collection/segments.h"
#include "vision/decode.h"

/* Everything is read in one transaction, so that it is of one moment. */
struct akin_collection {
    ak_catalog catalog;
    char kind[16];            // images, documents, vectors or faces
    int64_t n_items, dim;     // of rows of this kind
    ak_codebook *codebook;    // of images; NULL until it is needed
    ak_extractor *extractor;  // NULL until it is needed
    bool is_open;             // a run was interrupted
    int64_t data_version;     // of SQLite, when the snapshot was taken
    ak_version version;
    akin_model *model;  // NULL: version 0
    bool turned;        // version and model: queries of the right
    int64_t *removed;   // ids, increasing
    int64_t n_removed;
    ak_segment *segments;  // NULL until they are needed
    int64_t n_segments;
    int64_t of_user;     // version of the user that the segments are for; 0:
                         // they are for all
    bool has_weights;    // they have the weights of this version
    akin_model *shared;  // the shared model meanwhile; NULL: `of_user` was 0
    ak_segment *old;     // of the moment before, to be used again
    int64_t n_old;
    akin_rows *background;  // a sample of the items; NULL until it is needed
    ak_decoder *decoder;    // for thumbnails; NULL until it is needed
    int64_t decoder_side;
    sqlite3_stmt *item;   // the one asked for last
    sqlite3_stmt *face;   // the same of a face
    sqlite3_stmt *photo;  // the photo asked for last
    char path[PATH_MAX], name[PATH_MAX];
};

/* Open the segments, unless they are; under the shared model. */
akin_status ak_collection_segments(akin_collection *c, akin_ctx *ctx);
/* The same under the model of a user; NULL: the shared one. */
akin_status ak_collection_segments_of(akin_collection *c, akin_ctx *ctx,
                                      const char *user);
/* Make it ready to extract features, unless it is. */
akin_status ak_collection_extractor(akin_collection *c, akin_ctx *ctx);
/* Queries are of the kind of this item. */
akin_status ak_collection_ask_like(akin_collection *c, akin_ctx *ctx,
                                   int64_t id);
/* The row of an item that is there, and the item of a row. */
int64_t ak_collection_row(const akin_collection *c, int64_t id);
int64_t ak_collection_id(const akin_collection *c, int64_t row);

#endif
