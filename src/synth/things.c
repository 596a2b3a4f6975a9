/* What stands around buildings: trees, cars, people. */
#include <math.h>

#include "synth/facade.h"

static void paint_tree(ak_canvas *c, ak_rng *r)
{
    const double hue = ak_between(r, 0.2, 0.36), side = AK_THING_SIDE;
    ak_canvas_rect(c, 0.46 * side, 0.5 * side, 0.54 * side, side,
                   ak_hsv(0.07, 0.5, 0.28));
    for (int64_t k = 0; k < 900; ++k) {
        const double t = 6.2831853 * ak_rng_unit(r);
        const double far = 0.4 * side * sqrt(ak_rng_unit(r));
        const double light = 0.25 + 0.5 * (double)k / 900.0;
        ak_canvas_oval(c, 0.5 * side + far * cos(t),
                       0.4 * side + 0.9 * far * sin(t), ak_between(r, 2, 5),
                       ak_between(r, 2, 4),
                       ak_hsv(hue + ak_between(r, -0.03, 0.03), 0.6,
                              light * ak_between(r, 0.7, 1.2)));
    }
}

static void paint_car(ak_canvas *c, ak_rng *r)
{
    const ak_colour body = ak_hsv(ak_rng_unit(r), 0.7, 0.6);
    const ak_colour dark = {0.08F, 0.08F, 0.09F}, rim = {0.7F, 0.7F, 0.72F};
    ak_canvas_oval(c, 95, 88, 52, 34, body);
    ak_canvas_oval(c, 95, 88, 44, 26, ak_hsv(0.58, 0.3, 0.3));
    ak_canvas_rect(c, 91, 58, 98, 90, body);
    ak_canvas_rect(c, 8, 88, 184, 126, body);
    ak_canvas_rect(c, 8, 100, 184, 104, ak_shade(body, 0.6));
    for (int k = 0; k < 2; ++k) {
        ak_canvas_oval(c, 45 + 100 * k, 126, 20, 20, dark);
        ak_canvas_oval(c, 45 + 100 * k, 126, 11, 11, rim);
        ak_canvas_oval(c, 45 + 100 * k, 126, 4, 4, dark);
    }
    ak_canvas_rect(c, 10, 92, 22, 99, (ak_colour){1.0F, 0.95F, 0.7F});
    ak_canvas_rect(c, 172, 92, 184, 99, (ak_colour){0.8F, 0.1F, 0.1F});
}

static void paint_person(ak_canvas *c, ak_rng *r)
{
    const ak_colour coat = ak_hsv(ak_rng_unit(r), ak_between(r, 0.3, 0.8), 0.5);
    const ak_colour legs = ak_hsv(ak_rng_unit(r), 0.3, 0.2);
    const ak_colour skin = ak_hsv(0.07, 0.4, ak_between(r, 0.4, 0.9));
    ak_canvas_rect(c, 80, 110, 94, 190, legs);
    ak_canvas_rect(c, 98, 110, 112, 190, legs);
    ak_canvas_oval(c, 96, 85, 26, 42, coat);
    ak_canvas_line(c, 74, 70, 66, 112, 10, coat);
    ak_canvas_line(c, 118, 70, 126, 112, 10, coat);
    ak_canvas_oval(c, 96, 28, 14, 17, skin);
    ak_canvas_oval(c, 96, 20, 15, 10, legs);
}

static akin_status paint(ak_sprite *out, akin_ctx *ctx, ak_rng r,
                         void (*thing)(ak_canvas *c, ak_rng *r))
{
    ak_canvas c;
    akin_status st = AKIN_OK;
    AK_TRY(ak_canvas_new(&c, ctx, AK_THING_SIDE, AK_THING_SIDE));
    thing(&c, &r);
    AK_TRY(ak_sprite_new(out, ctx, &c));
done:
    ak_canvas_free(&c, ctx);
    return st;
}

akin_status ak_paint_tree(ak_sprite *out, akin_ctx *ctx, ak_rng r)
{
    return paint(out, ctx, r, paint_tree);
}

akin_status ak_paint_car(ak_sprite *out, akin_ctx *ctx, ak_rng r)
{
    return paint(out, ctx, r, paint_car);
}

akin_status ak_paint_person(ak_sprite *out, akin_ctx *ctx, ak_rng r)
{
    return paint(out, ctx, r, paint_person);
}
