#include "synth/paint.h"

#include <math.h>

typedef enum { SQUARE, ARCHED, ROUND, STYLES } style;

typedef struct plan {
    ak_rng *r;
    ak_canvas c;
    ak_colour wall, trim, glass, roof;
    double left, right, top, bottom;
} plan;

/* ---- parts -------------------------------------------------------------- */

/* Courses of bricks, each of a slightly different shade. */
static void lay_bricks(plan *p, double x0, double y0, double x1, double y1,
                       double size)
{
    const double high = size * 0.5;
    int64_t course = 0;
    ak_canvas_rect(&p->c, x0, y0, x1, y1, ak_shade(p->wall, 0.75));
    for (double y = y0; y < y1; y += high, ++course)
        for (double x = x0 - (course % 2 ? 0.5 * size : 0.0); x < x1; x += size)
            ak_canvas_rect(&p->c, fmax(x0, x), y, fmin(x1, x + size - 1.0),
                           fmin(y1, y + high - 1.0),
                           ak_shade(p->wall, ak_between(p->r, 0.88, 1.12)));
}

static void set_window(plan *p, double x, double y, double w, double h, style s,
                       int64_t bars)
{
    const double rim = fmax(2.0, 0.12 * w);
    const double head = s == SQUARE ? 0.0 : 0.5 * w;
    if (s == ROUND)
        h = w;
    ak_canvas_rect(&p->c, x - rim, y - rim + head, x + w + rim, y + h + rim,
                   p->trim);
    if (s != SQUARE)
        ak_canvas_oval(&p->c, x + 0.5 * w, y + head, 0.5 * w + rim,
                       0.5 * w + rim, p->trim);
    ak_canvas_rect(&p->c, x, y + head, x + w, y + h, p->glass);
    if (s != SQUARE)
        ak_canvas_oval(&p->c, x + 0.5 * w, y + head, 0.5 * w, 0.5 * w,
                       p->glass);
    for (int64_t k = 1; k <= bars; ++k) {
        const double t = (double)k / (double)(bars + 1);
        ak_canvas_rect(&p->c, x + t * w - 1, y + head, x + t * w + 1, y + h,
                       p->trim);
        ak_canvas_rect(&p->c, x, y + t * h - 1, x + w, y + t * h + 1, p->trim);
    }
    ak_canvas_rect(&p->c, x - 1.5 * rim, y + h + rim, x + w + 1.5 * rim,
                   y + h + 1.8 * rim, ak_shade(p->trim, 0.8));
}

static void set_row(plan *p, double y, double h, int64_t n, style s,
                    int64_t bars)
{
    const double step = (p->right - p->left) / (double)n;
    const double w = step * 0.45;
    for (int64_t k = 0; k < n; ++k)
        set_window(p, p->left + ((double)k + 0.5) * step - 0.5 * w, y, w, h, s,
                   bars);
}

/* A cornice with dentils. */
static void set_ledge(plan *p, double y, double tooth)
{
    ak_canvas_rect(&p->c, p->left - 4, y, p->right + 4, y + 5, p->trim);
    for (double x = p->left; x < p->right; x += 2.0 * tooth)
        ak_canvas_rect(&p->c, x, y + 5, x + tooth, y + 5 + tooth,
                       ak_shade(p->trim, 0.85));
}

/* A rose window: rings and spokes. */
static void set_rose(plan *p, double x, double y, double radius)
{
    const int64_t spokes = 5 + ak_rng_below(p->r, 11);
    const int64_t rings = 1 + ak_rng_below(p->r, 3);
    ak_canvas_oval(&p->c, x, y, radius, radius, p->trim);
    ak_canvas_oval(&p->c, x, y, 0.86 * radius, 0.86 * radius,
                   ak_hsv(ak_rng_unit(p->r), 0.6, 0.55));
    for (int64_t k = 0; k < spokes; ++k) {
        const double t = 6.2831853 * (double)k / (double)spokes;
        ak_canvas_line(&p->c, x, y, x + 0.86 * radius * cos(t),
                       y + 0.86 * radius * sin(t), 3.0, p->trim);
        ak_canvas_oval(&p->c, x + 0.62 * radius * cos(t + 0.2),
                       y + 0.62 * radius * sin(t + 0.2), 0.11 * radius,
                       0.11 * radius, ak_hsv(ak_rng_unit(p->r), 0.7, 0.9));
    }
    for (int64_t k = 1; k <= rings; ++k) {
        const double f = 0.8 * (double)k / (double)(rings + 1);
        ak_canvas_oval(&p->c, x, y, f * radius, f * radius, p->trim);
        ak_canvas_oval(&p->c, x, y, f * radius - 3, f * radius - 3,
                       ak_hsv(ak_rng_unit(p->r), 0.5, 0.6));
    }
}

/* A random mosaic, which makes the building unique. */
static void set_mosaic(plan *p, double x, double y, double w, double h)
{
    const double hue = ak_rng_unit(p->r);
    const double cell = ak_between(p->r, 6.0, 10.0);
    ak_canvas_rect(&p->c, x - 3, y - 3, x + w + 3, y + h + 3, p->trim);
    for (double v = y; v < y + h; v += cell)
        for (double u = x; u < x + w; u += cell) {
            const double dark = ak_rng_unit(p->r) < 0.45 ? 0.25 : 0.85;
            const ak_colour k = ak_hsv(
                fmod(hue + 0.15 * ak_rng_unit(p->r), 1.0),
                ak_between(p->r, 0.2, 0.8), dark * ak_between(p->r, 0.8, 1.0));
            if (ak_rng_unit(p->r) < 0.3)
                ak_canvas_oval(&p->c, u + 0.5 * cell, v + 0.5 * cell,
                               0.45 * cell, 0.45 * cell, k);
            else
                ak_canvas_rect(&p->c, u, v, fmin(x + w, u + cell),
                               fmin(y + h, v + cell), k);
        }
}

static void set_portal(plan *p, double x, double w)
{
    const double h = w * ak_between(p->r, 1.0, 1.5);
    for (int64_t ring = 0; ring < 4; ++ring) {
        const double half = 0.5 * w * (1.0 - 0.15 * (double)ring);
        const ak_colour k = ring == 3 ? ak_hsv(ak_rng_unit(p->r), 0.5, 0.3)
                                      : ak_shade(p->trim, ring % 2 ? 0.7 : 1.0);
        ak_canvas_rect(&p->c, x - half, p->bottom - h + half, x + half,
                       p->bottom, k);
        ak_canvas_oval(&p->c, x, p->bottom - h + half, half, half, k);
    }
}

static void set_tower(plan *p, double x, double w, double top, bool dome)
{
    const style s = (style)ak_rng_below(p->r, STYLES);
    const double old_left = p->left, old_right = p->right;
    lay_bricks(p, x, top, x + w, p->bottom, ak_between(p->r, 14.0, 22.0));
    if (dome)
        ak_canvas_oval(&p->c, x + 0.5 * w, top, 0.55 * w, 0.5 * w, p->roof);
    else
        ak_canvas_gable(&p->c, x - 5, x + w + 5, top - 0.9 * w, top, p->roof);
    p->left = x;
    p->right = x + w;
    for (double y = top + 12; y < p->bottom - 60; y += 62)
        set_row(p, y, 30, 2, s, 1);
    set_ledge(p, top, 5);
    p->left = old_left;
    p->right = old_right;
}

/* ---- buildings ---------------------------------------------------------- */

static void choose_colours(plan *p)
{
    p->wall = ak_hsv(ak_between(p->r, 0.02, 0.16), ak_between(p->r, 0.1, 0.5),
                     ak_between(p->r, 0.55, 0.9));
    p->trim = ak_shade(p->wall, ak_rng_unit(p->r) < 0.5 ? 1.35 : 0.6);
    p->glass = ak_hsv(0.58, 0.4, ak_between(p->r, 0.15, 0.35));
    p->roof = ak_hsv(ak_rng_unit(p->r) < 0.5 ? 0.03 : 0.4,
                     ak_between(p->r, 0.3, 0.6), ak_between(p->r, 0.3, 0.6));
}

static void build_storeys(plan *p, double below)
{
    const int64_t storeys = 2 + ak_rng_below(p->r, 3);
    const double high = (below - p->top) / (double)storeys;
    for (int64_t k = 0; k < storeys; ++k) {
        const double y = p->top + (double)k * high;
        set_ledge(p, y, ak_between(p->r, 3.0, 7.0));
        set_row(p, y + 0.28 * high, 0.55 * high, 3 + ak_rng_below(p->r, 6),
                (style)ak_rng_below(p->r, STYLES), ak_rng_below(p->r, 3));
    }
}

static void build_landmark(plan *p)
{
    const bool dome = ak_rng_unit(p->r) < 0.5;
    const int64_t towers = ak_rng_below(p->r, 3);
    const double middle = 0.5 * AK_FACADE_SIDE;
    const double wide = ak_between(p->r, 55.0, 85.0);
    lay_bricks(p, p->left, p->top, p->right, p->bottom,
               ak_between(p->r, 12.0, 30.0));
    if (ak_rng_unit(p->r) < 0.6)
        ak_canvas_gable(&p->c, p->left - 8, p->right + 8,
                        p->top - ak_between(p->r, 50.0, 110.0), p->top,
                        p->roof);
    build_storeys(p, p->bottom - 120);
    for (int64_t k = 0; k < towers; ++k)
        set_tower(p, k == 0 ? p->left - 10 : p->right + 10 - wide, wide,
                  p->top - ak_between(p->r, 40.0, 100.0), dome);
    set_rose(p, middle, p->top + ak_between(p->r, 30.0, 80.0),
             ak_between(p->r, 32.0, 58.0));
    set_portal(p, middle, ak_between(p->r, 70.0, 110.0));
    for (int64_t k = 0; k < 4; ++k)
        set_mosaic(p, k % 2 ? p->right - 105 : p->left + 30,
                   p->bottom - (k < 2 ? 100 : 230), ak_between(p->r, 45, 75),
                   ak_between(p->r, 35, 75));
}

akin_status ak_paint_landmark(ak_sprite *out, akin_ctx *ctx, ak_rng r)
{
    plan p = {.r = &r,
              .left = ak_between(&r, 30.0, 110.0),
              .top = ak_between(&r, 140.0, 220.0),
              .bottom = AK_FACADE_SIDE};
    akin_status st = AKIN_OK;
    p.right = AK_FACADE_SIDE - p.left;
    AK_TRY(ak_canvas_new(&p.c, ctx, AK_FACADE_SIDE, AK_FACADE_SIDE));
    choose_colours(&p);
    build_landmark(&p);
    ak_canvas_weather(&p.c, ak_rng_next(&r), 60.0, 0.45);
    ak_canvas_weather(&p.c, ak_rng_next(&r), 3.0, 0.25);
    AK_TRY(ak_sprite_new(out, ctx, &p.c));
done:
    ak_canvas_free(&p.c);
    return st;
}

akin_status ak_paint_house(ak_sprite *out, akin_ctx *ctx, ak_rng r)
{
    const int64_t storeys = 4 + ak_rng_below(&r, 3);
    plan p = {.r = &r, .right = 320, .top = 40, .bottom = 400};
    akin_status st = AKIN_OK;
    AK_TRY(ak_canvas_new(&p.c, ctx, 320, 400));
    choose_colours(&p);
    p.trim = (ak_colour){0.85F, 0.83F, 0.8F};
    lay_bricks(&p, 0, p.top, p.right, p.bottom, 16.0);
    ak_canvas_rect(&p.c, 0, 25, p.right, p.top, p.roof);
    for (int64_t k = 0; k < storeys; ++k) {
        const double high = 350.0 / (double)storeys;
        set_row(&p, p.top + ((double)k + 0.2) * high, 0.6 * high, 5, SQUARE, 1);
    }
    ak_canvas_weather(&p.c, ak_rng_next(&r), 3.0, 0.2);
    AK_TRY(ak_sprite_new(out, ctx, &p.c));
done:
    ak_canvas_free(&p.c);
    return st;
}

/* ---- trees, cars, people ----------------------------------------------- */

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
    ak_canvas_free(&c);
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
