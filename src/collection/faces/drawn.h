/* collection/faces/drawn.h - a box that a person drew. */
#ifndef AK_COLLECTION_FACES_DRAWN_H
#define AK_COLLECTION_FACES_DRAWN_H

#include <akin/review.h>

#include "collection/faces/face_items.h"

/* The first of `faces`, which was found at the box that `o` has, and the answer
 * that tells of it and of the face before. Needs a transaction that writes. */
akin_status ak_drawing_put(int64_t *face, int64_t *number, akin_ctx *ctx,
                           const ak_catalog *c, const ak_catalog_photo *p,
                           const akin_drawing *o, const ak_face_set *faces);

#endif
