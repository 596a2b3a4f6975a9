/* vision/image.h - a picture: three bytes a pixel, row by row. */
#ifndef AK_VISION_IMAGE_H
#define AK_VISION_IMAGE_H

#include "base/ctx.h"

typedef struct ak_image {
    int64_t width, height;
    uint8_t *rgb;  // height x width x 3, from the context
} ak_image;

static inline void ak_image_free(ak_image *image)
{
    akin_free(image->rgb);
    *image = (ak_image){0, 0, NULL};
}

#endif
