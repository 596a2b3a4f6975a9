/* collection/faces/places.h - how likely the faces of a photo are at the places
 * that its caption gives. */
#ifndef AK_COLLECTION_FACES_PLACES_H
#define AK_COLLECTION_FACES_PLACES_H

#include <akin/persons.h>

typedef struct ak_placed_face {
    double x, y;  // centre, in pixels
    double size;  // height
} ak_placed_face;

/* weights[k * m + i]: of face i for the person at position k, 1 on average over
 * the faces; all 1 where the position says nothing. Uses scratch memory. */
akin_status ak_place_weights(double *weights, akin_ctx *ctx,
                             const akin_position *positions, int64_t n,
                             const ak_placed_face *faces, int64_t m);

#endif
