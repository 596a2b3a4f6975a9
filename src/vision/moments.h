/* vision/moments.h - colours of a picture, block by block. */
#ifndef AK_VISION_MOMENTS_H
#define AK_VISION_MOMENTS_H

#include "vision/image.h"

enum { AK_MOMENTS_DIM = 225 };

typedef enum { AK_SPACE_LUV, AK_SPACE_HSV } ak_colour_space;

/* 5 x 5 blocks, three colour channels, three moments of each: mean, deviation,
 * and the cube root of the third central moment, in that order, the moments
 * innermost. ESHAPE: a picture below 5 x 5 pixels. */
akin_status ak_colour_moments(akin_ctx *ctx, const ak_image *image,
                              ak_colour_space space, float *out);

#endif
