/* collection/pictures/thumbnail.h - files with small copies of pictures. */
#ifndef AK_COLLECTION_PICTURES_THUMBNAIL_H
#define AK_COLLECTION_PICTURES_THUMBNAIL_H

#include "collection/catalog.h"

/* The picture is removed: no copy of it stays. */
void ak_thumbnail_forget(const ak_catalog *c, int64_t id);

#endif
