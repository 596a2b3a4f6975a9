/* collection/pictures/geometry.h - features of two pictures that move together.
 */
#ifndef AK_COLLECTION_GEOMETRY_H
#define AK_COLLECTION_GEOMETRY_H

#include "vision/sift.h"

/* A feature of each picture that are the same word. */
typedef struct ak_frame_pair {
    int32_t left, right;  // numbers of the features
    double weight;        // what it counts, 0 or more
    bool agrees;
} ak_frame_pair;

/* The features of two pictures. */
typedef struct ak_two_frames {
    const ak_sift_frame *left, *right;
    int64_t n_left, n_right;
    double side;  // the longer side of the right picture
} ak_two_frames;

/* Find the motion, a shift with a rotation and a change of size, that pairs of
 * the largest weight follow from left to right, and mark these pairs, a feature
 * in one of them at most. `*agreeing` is how many agree: 0, or more than do so
 * by chance. */
akin_status ak_geometry_agree(int64_t *agreeing, akin_ctx *ctx,
                              const ak_two_frames *f, ak_frame_pair *pairs,
                              int64_t n);

#endif
