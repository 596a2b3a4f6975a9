/* synth/canvas.h - shapes and textures painted on a canvas, for pictures of
 * known structure. */
#ifndef AK_SYNTH_CANVAS_H
#define AK_SYNTH_CANVAS_H

#include "base/ctx.h"
#include "base/rng.h"

enum { AK_CANVAS_LEVELS = 4 };

typedef struct ak_colour {
    float r, g, b;
} ak_colour;

typedef struct ak_canvas {
    int64_t w, h;
    float *px;  // h x w x 4: red, green, blue, opacity; 0 to 1
} ak_canvas;

akin_status ak_canvas_new(ak_canvas *c, akin_ctx *ctx, int64_t w, int64_t h);
void ak_canvas_free(ak_canvas *c);

/* Paint over the canvas; what lies outside is clipped. */
void ak_canvas_dot(ak_canvas *c, int64_t x, int64_t y, ak_colour k, float a);
void ak_canvas_rect(ak_canvas *c, double x0, double y0, double x1, double y1,
                    ak_colour k);
void ak_canvas_oval(ak_canvas *c, double x, double y, double rx, double ry,
                    ak_colour k);
/* A triangle with its apex on top. */
void ak_canvas_gable(ak_canvas *c, double x0, double x1, double top,
                     double bottom, ak_colour k);
void ak_canvas_line(ak_canvas *c, double x0, double y0, double x1, double y1,
                    double width, ak_colour k);

/* Smooth noise, 0 to 1, with details of several sizes up to 1. */
double ak_noise_rough(uint64_t seed, double x, double y);
/* Lighter and darker spots of this size over the whole canvas. */
void ak_canvas_weather(ak_canvas *c, uint64_t seed, double size, double depth);

double ak_between(ak_rng *r, double low, double high);
ak_colour ak_shade(ak_colour k, double factor);
/* By hue, saturation and value, 0 to 1. */
ak_colour ak_hsv(double h, double s, double v);

/* A canvas and smaller versions of it, for drawing at any size. */
typedef struct ak_sprite {
    ak_canvas level[AK_CANVAS_LEVELS];
} ak_sprite;

/* Takes ownership of the canvas. */
akin_status ak_sprite_new(ak_sprite *s, akin_ctx *ctx, ak_canvas *from);
void ak_sprite_free(ak_sprite *s);
/* Draw it into the quadrilateral with these corners: left top, right top, right
 * bottom, left bottom. */
void ak_sprite_draw(const ak_sprite *s, ak_canvas *to, const double corner[8],
                    double light);

#endif
