/* collection/faces/photos.h - the photos of a collection of faces: where they
 * are, what their captions say, and which items are their faces. */
#ifndef AK_COLLECTION_FACES_PHOTOS_H
#define AK_COLLECTION_FACES_PHOTOS_H

#include <akin/faces.h>
#include <akin/persons.h>

#include "collection/faces/captions/caption_file.h"
#include "collection/files.h"

typedef struct ak_catalog_photo {
    int64_t id;  // -1: not there
    const char *name;
    const char *path;  // NULL: it has no file
    int64_t folder;    // that the file was found in; 0: none
    ak_stamp stamp;
    ak_blob hash;           // of the file; NULL: unknown
    int64_t width, height;  // as it is seen; 0: unknown
} ak_catalog_photo;

/* id -1: there is none. */
akin_status ak_photo_by_path(const ak_catalog *c, akin_ctx *ctx,
                             const char *path, ak_known *out);
akin_status ak_photo_by_name(const ak_catalog *c, akin_ctx *ctx,
                             const char *name, int64_t *id);
/* One of this content whose file is no longer where it was. */
akin_status ak_photo_moved(const ak_catalog *c, akin_ctx *ctx, ak_blob hash,
                           int64_t *id);

/* These need a transaction that writes. `put` adds it (id -1, which is set) or
 * changes all that is known of its file. */
akin_status ak_photo_put(const ak_catalog *c, akin_ctx *ctx,
                         ak_catalog_photo *p);
/* What is NULL in the caption stays as it is. Where only its text is given, the
 * names are those that the tagger finds in it. A caption that a person was
 * removed from stays so when it is given again as it was. */
akin_status ak_photo_put_caption(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                                 const ak_caption *caption,
                                 const akin_tagger *tagger);

/* Hashes of a caption and of its names, a line each; NULL counts as "". */
typedef struct ak_caption_hash {
    unsigned char text[AK_HASH_SIZE], names[AK_HASH_SIZE];
} ak_caption_hash;
void ak_caption_hash_of(ak_caption_hash *out, const char *text,
                        const char *names);

/* It leaves, with its faces, its caption and the corrections of that. What
 * people said of its faces is kept for a photo of this content or name. */
akin_status ak_photo_remove(const ak_catalog *c, akin_ctx *ctx, int64_t id);

/* What is in the catalogue; the rest of `info` stays as it is. */
akin_status ak_faces_counts(const ak_catalog *c, akin_ctx *ctx,
                            akin_faces_info *info);

#endif
