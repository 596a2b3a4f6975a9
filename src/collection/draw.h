/* collection/draw.h - two pictures and their matches; for draw.c and its parts
 * alone. */
#ifndef AK_COLLECTION_DRAW_H
#define AK_COLLECTION_DRAW_H

#include "collection/body.h"
#include "vision/decode.h"

/* The pictures beside each other. */
typedef struct ak_picture_pair {
    ak_decoder *decoder;
    int64_t row[2], width[2], height[2];
    double x[2];  // where each begins
} ak_picture_pair;

/* How a match is drawn: strong where much is added, green where the motion
 * agrees. */
typedef struct ak_stroke {
    uint8_t rgb[3];
    double width, opaque;
} ak_stroke;
ak_stroke ak_stroke_of(const akin_match *m, double largest);

akin_status ak_draw_png(akin_ctx *ctx, akin_collection *c,
                        const ak_picture_pair *pair, const akin_match *matches,
                        int64_t n, const char *path);
akin_status ak_draw_write(akin_ctx *ctx, const char *path, const void *bytes,
                          int64_t n);

#endif
