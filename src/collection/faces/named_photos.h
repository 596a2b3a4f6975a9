/* collection/faces/named_photos.h - photos as a file of captions or boxes names
 * them: by their paths below the folder, or by the last part of these. */
#ifndef AK_COLLECTION_FACES_NAMED_PHOTOS_H
#define AK_COLLECTION_FACES_NAMED_PHOTOS_H

#include "collection/catalog.h"
#include "data/names.h"

/* What is called by a name. */
typedef enum {
    AK_NAMED_NONE,
    AK_NAMED_BEFORE,  // a photo of the collection that is not at hand
    AK_NAMED_ONE,     // one by the last part of its path
    AK_NAMED_SEVERAL,
    AK_NAMED_EXACTLY,
} ak_named;

/* All zero to begin with. */
typedef struct ak_named_photos {
    ak_names names;
    ak_named *named;
    int64_t room;
} ak_named_photos;

akin_status ak_named_photos_add(ak_named_photos *p, akin_ctx *ctx,
                                const char *name, size_t n, int32_t *number);
/* A photo at hand. All of them are seen before one is looked for. */
void ak_named_photos_see(ak_named_photos *p, const char *photo);
/* The number of the name of a photo; -1: it has none, or one of several. */
int32_t ak_named_photos_find(const ak_named_photos *p, const char *photo);
/* Log how many names of the file are no photo, or several. */
akin_status ak_named_photos_report(ak_named_photos *p, akin_ctx *ctx,
                                   const ak_catalog *c, const char *file);
void ak_named_photos_free(ak_named_photos *p);

#endif
