/* synth/scene.h - photographs of a town that does not exist. */
#ifndef AK_SYNTH_SCENE_H
#define AK_SYNTH_SCENE_H

#include "synth/facade.h"
#include "vision/image.h"

enum { AK_HOUSES = 5, AK_TREES = 4, AK_CARS = 3, AK_PERSONS = 4 };

/* What can stand in a picture; all zero to begin with. */
typedef struct ak_town {
    int64_t n_landmarks;
    ak_sprite *landmarks;
    ak_sprite houses[AK_HOUSES], trees[AK_TREES], cars[AK_CARS],
        persons[AK_PERSONS];
} ak_town;

akin_status ak_town_build(ak_town *t, akin_ctx *ctx, int64_t n_landmarks,
                          ak_rng root);
void ak_town_free(ak_town *t, akin_ctx *ctx);

/* A view of a landmark (-1: of a street without one) at some time of some day,
 * with what stands around; `image` has its size and its pixels. */
akin_status ak_town_photograph(const ak_town *t, akin_ctx *ctx, ak_rng r,
                               int64_t landmark, ak_image *image);

#endif
