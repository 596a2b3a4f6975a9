#include "synth/canvas.h"

#include <math.h>
#include <string.h>

akin_status ak_canvas_new(ak_canvas *c, akin_ctx *ctx, int64_t w, int64_t h)
{
    *c = (ak_canvas){w, h, NULL};
    return AK_NEW(ctx, 4 * w * h, &c->px);
}

void ak_canvas_free(ak_canvas *c)
{
    akin_free(c->px);
    *c = (ak_canvas){0, 0, NULL};
}

/* ---- shapes ------------------------------------------------------------- */

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

/* ---- noise and colours -------------------------------------------------- */

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

/* Smooth noise, 0 to 1, of features of size 1. */
static double noise(uint64_t seed, double x, double y)
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
        sum += weight * noise(seed + k, x, y);
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

/* ---- sprites: canvases drawn in perspective -------------------------------
 *
 *   Heckbert. Fundamentals of texture mapping and image warping. Master's
 *   thesis, Berkeley, 1989.  (from a square to a quadrangle) */

static akin_status halve(ak_canvas *out, akin_ctx *ctx, const ak_canvas *c)
{
    const akin_status st = ak_canvas_new(out, ctx, ak_max_i64(1, c->w / 2),
                                         ak_max_i64(1, c->h / 2));
    for (int64_t i = 0; st == AKIN_OK && i < out->w * out->h; ++i) {
        const int64_t x = 2 * (i % out->w), y = 2 * (i / out->w);
        float *to = out->px + 4 * i;
        for (int k = 0; k < 4; ++k) {
            const int64_t u = ak_min_i64(x + (k & 1), c->w - 1);
            const int64_t v = ak_min_i64(y + (k >> 1), c->h - 1);
            const float *p = c->px + 4 * (v * c->w + u);
            for (int b = 0; b < 3; ++b)  // transparent pixels do not count
                to[b] += p[b] * p[3];
            to[3] += p[3];
        }
        for (int b = 0; b < 3 && to[3] > 0.0F; ++b)
            to[b] /= to[3];
        to[3] *= 0.25F;
    }
    return st;
}

akin_status ak_sprite_new(ak_sprite *s, akin_ctx *ctx, ak_canvas *from)
{
    akin_status st = AKIN_OK;
    s->level[0] = *from;
    *from = (ak_canvas){0, 0, NULL};
    for (int k = 1; k < AK_CANVAS_LEVELS; ++k)
        AK_TRY(halve(&s->level[k], ctx, &s->level[k - 1]));
done:
    return st;
}

void ak_sprite_free(ak_sprite *s)
{
    for (int k = 0; k < AK_CANVAS_LEVELS; ++k)
        ak_canvas_free(&s->level[k]);
}

/* ---- perspective -------------------------------------------------------- */

/* The matrix that takes the unit square to the quadrangle. */
static void from_square(const double q[8], double m[9])
{
    const double dx = q[0] - q[2] + q[4] - q[6];
    const double dy = q[1] - q[3] + q[5] - q[7];
    const double ax = q[2] - q[4], ay = q[3] - q[5];
    const double bx = q[6] - q[4], by = q[7] - q[5];
    const double det = ax * by - bx * ay;
    const double g = (dx * by - bx * dy) / det;
    const double h = (ax * dy - dx * ay) / det;
    const double all[9] = {q[2] - q[0] + g * q[2],
                           q[6] - q[0] + h * q[6],
                           q[0],
                           q[3] - q[1] + g * q[3],
                           q[7] - q[1] + h * q[7],
                           q[1],
                           g,
                           h,
                           1.0};
    memcpy(m, all, sizeof all);
}

/* The inverse, up to a factor. */
static void invert(const double m[9], double out[9])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const int a = (i + 1) % 3, b = (i + 2) % 3;
            const int c = (j + 1) % 3, d = (j + 2) % 3;
            out[3 * j + i] = m[3 * a + c] * m[3 * b + d] -
                             m[3 * a + d] * m[3 * b + c];
        }
}

/* Colour and opacity at a point, bilinear. */
static void sample(const ak_canvas *c, double x, double y, float out[4])
{
    const double fx = floor(x - 0.5), fy = floor(y - 0.5);
    const float u = (float)(x - 0.5 - fx), v = (float)(y - 0.5 - fy);
    float sum[4] = {0.0F, 0.0F, 0.0F, 0.0F};
    for (int k = 0; k < 4; ++k) {
        const int64_t i = (int64_t)fx + (k & 1), j = (int64_t)fy + (k >> 1);
        if (i < 0 || j < 0 || i >= c->w || j >= c->h)
            continue;
        const float *p = c->px + 4 * (j * c->w + i);
        const float w = (k & 1 ? u : 1.0F - u) * (k >> 1 ? v : 1.0F - v) * p[3];
        for (int b = 0; b < 3; ++b)
            sum[b] += w * p[b];
        sum[3] += w;
    }
    for (int b = 0; b < 3; ++b)
        out[b] = sum[3] > 0.0F ? sum[b] / sum[3] : 0.0F;
    out[3] = sum[3];
}

/* The level whose pixels are about as large as those of the picture. */
static int level_for(const ak_sprite *s, const double q[8])
{
    double area = 0.0;
    for (int k = 0; k < 4; ++k) {
        const int l = (k + 1) % 4;
        area += 0.5 * (q[2 * k] * q[2 * l + 1] - q[2 * l] * q[2 * k + 1]);
    }
    const double all = (double)(s->level[0].w * s->level[0].h);
    const double times = sqrt(all / fmax(1.0, fabs(area)));
    const int level = (int)floor(log2(fmax(1.0, times)) + 0.3);
    return level < AK_CANVAS_LEVELS ? level : AK_CANVAS_LEVELS - 1;
}

typedef struct frame {
    int64_t x0, y0, x1, y1;
} frame;

static frame around(const double q[8], const ak_canvas *to)
{
    double x0 = q[0], x1 = q[0], y0 = q[1], y1 = q[1];
    for (int k = 1; k < 4; ++k) {
        x0 = fmin(x0, q[2 * k]);
        x1 = fmax(x1, q[2 * k]);
        y0 = fmin(y0, q[2 * k + 1]);
        y1 = fmax(y1, q[2 * k + 1]);
    }
    return (frame){ak_max_i64(0, (int64_t)floor(x0)),
                   ak_max_i64(0, (int64_t)floor(y0)),
                   ak_min_i64(to->w, (int64_t)ceil(x1)),
                   ak_min_i64(to->h, (int64_t)ceil(y1))};
}

void ak_sprite_draw(const ak_sprite *s, ak_canvas *to, const double corner[8],
                    double light)
{
    const ak_canvas *c = &s->level[level_for(s, corner)];
    const frame f = around(corner, to);
    const float l = (float)light;
    double m[9], back[9];
    from_square(corner, m);
    invert(m, back);
    for (int64_t y = f.y0; y < f.y1; ++y)
        for (int64_t x = f.x0; x < f.x1; ++x) {
            const double px = (double)x + 0.5, py = (double)y + 0.5;
            const double w = back[6] * px + back[7] * py + back[8];
            const double u = (back[0] * px + back[1] * py + back[2]) / w;
            const double v = (back[3] * px + back[4] * py + back[5]) / w;
            float p[4];
            if (!(u >= 0.0 && u <= 1.0 && v >= 0.0 && v <= 1.0))
                continue;
            sample(c, u * (double)c->w, v * (double)c->h, p);
            if (p[3] > 0.0F)
                ak_canvas_dot(to, x, y,
                              (ak_colour){l * p[0], l * p[1], l * p[2]}, p[3]);
        }
}
