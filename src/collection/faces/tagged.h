/* collection/faces/tagged.h - what is written in a photo, or in an XMP file
 * beside it, about the persons in it. */
#ifndef AK_COLLECTION_FACES_TAGGED_H
#define AK_COLLECTION_FACES_TAGGED_H

#include "collection/faces/boxes.h"
#include "collection/faces/captions/caption_file.h"
#include "vision/decode.h"

/* All zero to begin with. */
typedef struct ak_tags {
    ak_caption caption;  // its text, and its persons as names
    bool has_regions;    // faces are given, perhaps none
    ak_boxes boxes;      // in pixels of a photo of this width and height
    int64_t n_unusable;  // regions of faces that have no valid place
    char *remark;        // what could not be read; NULL: nothing
} ak_tags;

/* Of the files PHOTO.jpg.xmp and PHOTO.xmp, or else of what the photo itself
 * has. What cannot be parsed is a remark. */
akin_status ak_tags_read(ak_tags *out, akin_ctx *ctx, ak_decoder *decoder,
                         const char *path, int64_t width, int64_t height);
void ak_tags_free(ak_tags *t);

#endif
