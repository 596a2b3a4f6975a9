#include "synth/canvas.h"

#include <math.h>
#include <string.h>

akin_status ak_canvas_new(ak_canvas *c, akin_ctx *ctx, int64_t w, int64_t h)
{
    *c = (ak_canvas){w, h, NULL};
    return AK_NEW(ctx, 4 * w * h, &c->px);
}

void ak_canvas_free(ak_canvas *c, akin_ctx *ctx)
{
    ak_release(ctx, c->px);
    *c = (ak_canvas){0, 0, NULL};
}

/* ---- shapes -----------------------------------------------------------------
 */

void ak_canvas_dot(ak_canvas *c, int64_t x, int64_t y, ak_colour k, float a)
{
    if (x < 0 || y < 0 || x >= c->w || y >= c->h)
        return;
    float *p = c->px + 4 * (y * c->w + x);
    p[0] += a * (k.r - p[0]);
    p[1] += a * (k.g - p[1]);
    p[2] += a * (k.b - p[2]);
    p[3] += a * (1.0F - p[3]);
}

static int64_t clip(double x, int64_t most)
{
    return x < 0.0 ? 0 : ak_min_i64((int64_t)x, most);
}

void ak_canvas_rect(ak_canvas *c, double x0, double y0, double x1, double y1,
                    ak_colour k)
{
    for (int64_t y = clip(y0, c->h); y < clip(y1, c->h); ++y)
        for (int64_t x = clip(x0, c->w); x < clip(x1, c->w); ++x)
            ak_canvas_dot(c, x, y, k, 1.0F);
}

void ak_canvas_oval(ak_canvas *c, double cx, double cy, double rx, double ry,
                    ak_colour k)
{
    for (int64_t y = clip(cy - ry, c->h); y < clip(cy + ry + 1, c->h); ++y)
        for (int64_t x = clip(cx - rx, c->w); x < clip(cx + rx + 1, c->w);
             ++x) {
            const double u = ((double)x - cx) / rx, v = ((double)y - cy) / ry;
            const double edge = (1.0 - sqrt(u * u + v * v)) * fmin(rx, ry);
            if (edge > -0.5)
                ak_canvas_dot(c, x, y, k, (float)fmin(1.0, edge + 0.5));
        }
}

void ak_canvas_gable(ak_canvas *c, double x0, double x1, double top,
                     double bottom, ak_colour k)
{
    const double middle = 0.5 * (x0 + x1);
    for (int64_t y = clip(top, c->h); y < clip(bottom, c->h); ++y) {
        const double t = ((double)y - top) / (bottom - top);
        ak_canvas_rect(c, middle + t * (x0 - middle), (double)y,
                       middle + t * (x1 - middle), (double)y + 1, k);
    }
}

void ak_canvas_line(ak_canvas *c, double x0, double y0, double x1, double y1,
                    double width, ak_colour k)
{
    const int64_t n = 1 + (int64_t)(2.0 * hypot(x1 - x0, y1 - y0));
    for (int64_t i = 0; i <= n; ++i) {
        const double t = (double)i / (double)n;
        ak_canvas_oval(c, x0 + t * (x1 - x0), y0 + t * (y1 - y0), 0.5 * width,
                       0.5 * width, k);
    }
}

/* ---- noise and colours ------------------------------------------------------
 */

static double at_corner(uint64_t seed, int64_t x, int64_t y)
{
    const uint64_t key = seed + (uint64_t)x * UINT64_C(0x9e3779b97f4a7c15) +
                         (uint64_t)y * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (double)(ak_mix64(key) >> 11) * 0x1p-53;
}

static double ease(double t)
{
    return t * t * (3.0 - 2.0 * t);
}

double ak_noise(uint64_t seed, double x, double y)
{
    const double fx = floor(x), fy = floor(y);
    const int64_t i = (int64_t)fx, j = (int64_t)fy;
    const double u = ease(x - fx), v = ease(y - fy);
    const double top = (1 - u) * at_corner(seed, i, j) +
                       u * at_corner(seed, i + 1, j);
    const double below = (1 - u) * at_corner(seed, i, j + 1) +
                         u * at_corner(seed, i + 1, j + 1);
    return (1 - v) * top + v * below;
}

double ak_noise_rough(uint64_t seed, double x, double y)
{
    double sum = 0.0, weight = 0.5;
    for (uint64_t k = 0; k < 4; ++k, weight *= 0.5) {
        sum += weight * ak_noise(seed + k, x, y);
        x *= 2.0;
        y *= 2.0;
    }
    return sum / 0.9375;
}

void ak_canvas_weather(ak_canvas *c, uint64_t seed, double size, double depth)
{
    for (int64_t i = 0; i < c->w * c->h; ++i) {
        const double x = (double)(i % c->w) / size;
        const double y = (double)(i / c->w) / size;
        const double f = 1.0 + depth * (ak_noise_rough(seed, x, y) - 0.5);
        for (int b = 0; b < 3; ++b)
            c->px[4 * i + b] *= (float)f;
    }
}

double ak_between(ak_rng *r, double low, double high)
{
    return low + (high - low) * ak_rng_unit(r);
}

ak_colour ak_shade(ak_colour k, double factor)
{
    const float f = (float)factor;
    return (ak_colour){fminf(1.0F, f * k.r), fminf(1.0F, f * k.g),
                       fminf(1.0F, f * k.b)};
}

static double hue_part(double h, double s, double v, double n)
{
    const double k = fmod(n + 6.0 * h, 6.0);
    return v - v * s * fmax(0.0, fmin(1.0, fmin(k, 4.0 - k)));
}

ak_colour ak_hsv(double h, double s, double v)
{
    return (ak_colour){(float)hue_part(h, s, v, 5.0),
                       (float)hue_part(h, s, v, 3.0),
                       (float)hue_part(h, s, v, 1.0)};
}
