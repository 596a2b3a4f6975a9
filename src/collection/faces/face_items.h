/* collection/faces/face_items.h - faces as items of the catalogue: put, found
 * again at their place, lost, restored. All need a transaction that writes. */
#ifndef AK_COLLECTION_FACES_FACE_ITEMS_H
#define AK_COLLECTION_FACES_FACE_ITEMS_H

#include "collection/faces/boxes.h"
#include "collection/faces/photos.h"
#include "vision/faces.h"

/* A face that is found again where one was keeps its item. */
typedef struct ak_face_changes {
    int64_t added, changed, removed;
} ak_face_changes;

/* The faces of a photo, in place of those that it had. `names` are those of
 * the persons, as labels: "" or NULL where nobody is known; `names` may be
 * NULL. `drawn` are those at the places of ak_drawn_read: of two faces at one
 * place, the drawn one is kept. One whose score is not 0 is not taken where
 * somebody said that there is none. */
akin_status ak_photo_put_faces(const ak_catalog *c, akin_ctx *ctx,
                               const ak_catalog_photo *p,
                               const ak_face_set *faces,
                               const char *const *names,
                               const ak_face_set *drawn,
                               ak_face_changes *changes);
/* One face without a box, of a photo that may have others; none where a
 * removed person had this vector. */
akin_status ak_photo_add_row(const ak_catalog *c, akin_ctx *ctx,
                             const ak_catalog_photo *p, int64_t number,
                             const float *row, int64_t dim);
/* The face at a place of the photo, or that was there; -1: none. */
akin_status ak_photo_face_at(const ak_catalog *c, akin_ctx *ctx, int64_t photo,
                             const double box[4], int64_t *item);
/* The first of `faces` for *item, which is there or was; -1: a new one. */
akin_status ak_photo_draw_face(const ak_catalog *c, akin_ctx *ctx,
                               const ak_catalog_photo *p,
                               const ak_face_set *faces, int64_t *item);

/* ---- places that people gave ---- */

/* Those of a photo (id -1: by its name, or by its hash where it has moved), in
 * pixels of a photo of this width and height; 0: unknown. */
typedef struct ak_drawn {
    ak_boxes boxes;
    int64_t width, height;
} ak_drawn;

akin_status ak_drawn_read(ak_drawn *out, akin_ctx *ctx, const ak_catalog *c,
                          const ak_catalog_photo *p);

/* Faces that a collection before this one had in the new photo p, and what of
 * removed persons is not to come back. */
akin_status ak_lost_claim(const ak_catalog *c, akin_ctx *ctx,
                          const ak_catalog_photo *p);
/* The photo has another size now, p's: places stay where they are in it. */
akin_status ak_photo_scale(const ak_catalog *c, akin_ctx *ctx,
                           const ak_catalog_photo *p);

/* ---- a face as it is now ---- */

/* All that is known of the place of an item and its vector, as bytes; n 0: it
 * is not there. Free with akin_free. */
akin_status ak_face_pack(const ak_catalog *c, akin_ctx *ctx, int64_t item,
                         char **bytes, size_t *n);
/* The item as it was; NULL, or of another descriptor: it is not there. */
akin_status ak_face_restore(const ak_catalog *c, akin_ctx *ctx, int64_t item,
                            ak_blob before);
/* It leaves, as somebody said that it is none. */
akin_status ak_face_refuse(const ak_catalog *c, akin_ctx *ctx, int64_t item);

/* The item, or one that is lost, is of a person who is removed: it leaves for
 * good. What is found at its place in the photo, or in a copy of its file, is
 * not added again; a box that is drawn there is. */
akin_status ak_face_forget(const ak_catalog *c, akin_ctx *ctx, int64_t item);

#endif
