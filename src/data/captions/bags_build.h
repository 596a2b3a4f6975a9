/* data/captions/bags_build.h - captions, photo by photo, with every rule
 * checked. */
#ifndef AK_DATA_CAPTIONS_BAGS_BUILD_H
#define AK_DATA_CAPTIONS_BAGS_BUILD_H

#include "data/captions/bags.h"
#include "data/names.h"

/* Numbers, one after the other. */
typedef struct ak_growing {
    int64_t *x;
    int64_t n, room;
} ak_growing;

/* Begin with source, n_rows and photo_of (n_rows zeros); the rest is zero. */
typedef struct ak_bags_build {
    ak_source *source;
    int64_t n_rows;
    int32_t *photo_of;  // number + 1 of the photo a row was seen in
    ak_names photos, names;
    ak_growing items, item_ends, tags, tag_ends;  // tags: numbers of names
    ak_growing seen;  // of each name: how many photos there were then
} ak_bags_build;

/* A photo, then its faces and names, then its end. */
akin_status ak_bags_photo(ak_bags_build *b, akin_ctx *ctx, const char *text,
                          size_t n);
akin_status ak_bags_face(ak_bags_build *b, akin_ctx *ctx, int64_t row);
akin_status ak_bags_name(ak_bags_build *b, akin_ctx *ctx, const char *text,
                         size_t n);
akin_status ak_bags_end(ak_bags_build *b, akin_ctx *ctx);

akin_status ak_bags_finish(ak_bags_build *b, akin_ctx *ctx, ak_bags **out);
void ak_bags_abandon(ak_bags_build *b);

/* "FILE:LINE: what "text"", as EFORMAT; text may be NULL. */
akin_status ak_bags_wrong(const ak_bags_build *b, akin_ctx *ctx,
                          const char *what, const char *text, size_t n);

#endif
