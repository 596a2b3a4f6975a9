/* collection/pictures/thumbnail.h - files with small copies of pictures. */
#ifndef AK_COLLECTION_PICTURES_THUMBNAIL_H
#define AK_COLLECTION_PICTURES_THUMBNAIL_H

#include "collection/catalog.h"
#include "vision/image.h"

struct akin_collection;

/* The picture is removed: no copy of it stays. */
void ak_thumbnail_forget(const ak_catalog *c, int64_t id);

/* A picture of a file, made smaller where its longest side is longer; and a
 * picture as bytes of a JPEG, after one was read. */
akin_status ak_thumbnail_read(struct akin_collection *c, akin_ctx *ctx,
                              const char *path, int64_t side, ak_image *out);
akin_status ak_thumbnail_write(const struct akin_collection *c, akin_ctx *ctx,
                               const ak_image *image, uint8_t **jpeg,
                               int64_t *n);

#endif
