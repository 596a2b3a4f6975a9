/* vision/faces.h - faces in pictures, found by the program akin-face.
 *
 * As with vision/decode.h: a process that works on one picture after another,
 * and is replaced where it dies or takes too long. */
#ifndef AK_VISION_FACES_H
#define AK_VISION_FACES_H

#include "vision/face_pixels.h"

typedef struct ak_face_reader ak_face_reader;

typedef enum { AK_DETECTOR_HOG, AK_DETECTOR_MMOD } ak_face_detector;
typedef enum { AK_FACE_RESNET, AK_FACE_PATCHES } ak_face_descriptor;

typedef struct ak_face_options {
    ak_face_detector detector;
    ak_face_descriptor descriptor;
    int64_t upsample;  // how often pictures are doubled, 0 to 3
    double seconds;    // for one picture
} ak_face_options;

enum { AK_RESNET_DIM = 128 };

typedef struct ak_face {
    double box[4];  // x y width height, pixels of the picture
    double score;   // of the detector; 0: the box was given
    double points[2 * AK_FACE_POINTS];
    ak_face_quality quality;
} ak_face;

/* The faces of a picture, from left to right; boxes that were given keep their
 * order. */
typedef struct ak_face_set {
    int64_t n, dim;
    ak_face *faces;
    float *descriptors;  // n x dim
    double seconds[3];   // detection, landmarks, descriptor and quality
} ak_face_set;

/* EABSENT: akin-face or the weights are not there, with what to run. */
akin_status ak_face_reader_open(ak_face_reader **out, akin_ctx *ctx,
                                const ak_face_options *options);
/* `boxes` NULL: look for faces; else 4 numbers for each of n_boxes. EFORMAT:
 * too much for its limits, the message begins with `name`. */
akin_status ak_face_reader_read(ak_face_reader *r, akin_ctx *ctx,
                                const char *name, const ak_image *image,
                                const double *boxes, int64_t n_boxes,
                                ak_face_set *out);
void ak_face_reader_close(ak_face_reader *r);
void ak_face_set_free(ak_face_set *f);

int64_t ak_face_dim(ak_face_descriptor descriptor);

#endif
