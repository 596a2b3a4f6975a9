/* vision/face_pixels.h - what the pixels of a face say: a descriptor of grey
 * patches, and how well the face can be seen. */
#ifndef AK_VISION_FACE_PIXELS_H
#define AK_VISION_FACE_PIXELS_H

#include "vision/image.h"

/* Landmarks: outer and inner corner of the eye on the right of the picture, the
 * same on the left, below the nose; x and y by turns, in pixels. */
enum { AK_FACE_POINTS = 5 };

typedef struct ak_face_quality {
    double size;       // the shorter side of the box, in pixels
    double sharpness;  // see face_pixels.c; 0: flat
    double roll;       // of the line through the eyes, in degrees
    double turn;       // to the side, in degrees; 0: looks into the camera
} ak_face_quality;

/* Of a box: x, y, width, height. */
ak_face_quality ak_face_quality_of(const ak_image *image, const double box[4],
                                   const double points[2 * AK_FACE_POINTS]);

enum {
    AK_PATCHES = 13,
    AK_PATCH_RADIUS = 7,
    AK_PATCH_SIZE = 149,  // pixels of a disc of that radius
    AK_PATCHES_DIM = AK_PATCHES * AK_PATCH_SIZE
};

/* Grey values of discs around thirteen points of the face, each disc with mean
 * 0 and length 1; one without contrast is zero. */
void ak_face_patches(const ak_image *image,
                     const double points[2 * AK_FACE_POINTS],
                     float out[AK_PATCHES_DIM]);

#endif
