/* vision/sift.h - local descriptors of a picture, by VLFeat. */
#ifndef AK_VISION_SIFT_H
#define AK_VISION_SIFT_H

#include "vision/image.h"

enum { AK_SIFT_DIM = 128 };

/* Where a descriptor was taken. */
typedef struct ak_sift_frame {
    float x, y, scale, angle;  // pixels from the left and the top, radians
} ak_sift_frame;

typedef struct ak_sift {
    int64_t n;
    ak_sift_frame *frames;
    uint8_t *descriptors;  // n x 128
} ak_sift;

typedef struct ak_sift_options {
    int64_t first_octave;  // -1: the picture at twice its size first
    int64_t levels;        // an octave
    double peak, edge;     // weaker peaks, and edges, are dropped
    bool root;             // square roots: distances are then Hellinger's
} ak_sift_options;

#define AK_SIFT_DEFAULTS      \
    {                         \
        0, 3, 0.0, 10.0, true \
    }

/* In the order VLFeat finds them, but for those without a gradient around them,
 * which nothing can be said of. A descriptor v, which is not negative, is
 * stored as bytes: 512 v / |v|, or for `root` 512 sqrt(v / sum v), at most 255.
 * EABSENT: this build leaves pictures out. */
akin_status ak_sift_of(ak_sift *out, akin_ctx *ctx, const ak_image *image,
                       const ak_sift_options *options);
void ak_sift_free(ak_sift *s);

#endif
