/* synth/paint.h - paints buildings, trees, cars and people. */
#ifndef AK_SYNTH_PAINT_H
#define AK_SYNTH_PAINT_H

#include "synth/canvas.h"

enum { AK_FACADE_SIDE = 512, AK_THING_SIDE = 192 };

/* A unique building: towers, windows, a portal, a rose window, mosaics. */
akin_status ak_paint_landmark(ak_sprite *out, akin_ctx *ctx, ak_rng r);
/* An ordinary building: rows of equal windows. */
akin_status ak_paint_house(ak_sprite *out, akin_ctx *ctx, ak_rng r);
akin_status ak_paint_tree(ak_sprite *out, akin_ctx *ctx, ak_rng r);
akin_status ak_paint_car(ak_sprite *out, akin_ctx *ctx, ak_rng r);
akin_status ak_paint_person(ak_sprite *out, akin_ctx *ctx, ak_rng r);

#endif
