/* Colour moments of the blocks of a grid.
 *   Stricker, Orengo. Similarity of color images. SPIE 2420:381-392, 1995.
 *
 *   mean m,  deviation (E (x - m)^2)^(1/2),  skewness (E (x - m)^3)^(1/3)
 *
 * L*u*v* is that of the CIE 1976 with white D65 for sRGB; H, S and V are in
 * [0, 1]. */
#include "vision/moments.h"

#include <math.h>

enum { GRID = 5, CHANNELS = 3, MOMENTS = 3, BYTES = 256 };

typedef struct space {
    ak_colour_space is;
    double linear[BYTES];  // light behind a byte of sRGB
} space;

static void open_space(space *s, ak_colour_space is)
{
    s->is = is;
    for (int i = 0; i < BYTES; ++i) {
        const double x = i / 255.0;
        s->linear[i] = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
    }
}

static void to_luv(const space *s, const uint8_t *rgb, double *out)
{
    const double r = s->linear[rgb[0]], g = s->linear[rgb[1]];
    const double b = s->linear[rgb[2]];
    const double X = 0.4124564 * r + 0.3575761 * g + 0.1804375 * b;
    const double Y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b;
    const double Z = 0.0193339 * r + 0.1191920 * g + 0.9503041 * b;
    const double white = 0.9504700 + 15.0 + 3.0 * 1.0888300;
    const double sum = X + 15.0 * Y + 3.0 * Z;
    out[0] = Y > 216.0 / 24389.0 ? 116.0 * cbrt(Y) - 16.0 : 24389.0 / 27.0 * Y;
    out[1] = out[2] = 0.0;
    if (sum > 0.0) {
        out[1] = 13.0 * out[0] * (4.0 * X / sum - 4.0 * 0.9504700 / white);
        out[2] = 13.0 * out[0] * (9.0 * Y / sum - 9.0 / white);
    }
}

static void to_hsv(const uint8_t *rgb, double *out)
{
    const double r = rgb[0] / 255.0, g = rgb[1] / 255.0, b = rgb[2] / 255.0;
    const double most = fmax(r, fmax(g, b)), least = fmin(r, fmin(g, b));
    const double range = most - least;
    double h = 0.0;
    if (range > 0.0 && most == r)
        h = (g - b) / range;
    else if (range > 0.0)
        h = most == g ? 2.0 + (b - r) / range : 4.0 + (r - g) / range;
    out[0] = (h < 0.0 ? h + 6.0 : h) / 6.0;
    out[1] = most > 0.0 ? range / most : 0.0;
    out[2] = most;
}

static void to_space(const space *s, const uint8_t *rgb, double *out)
{
    if (s->is == AK_SPACE_LUV)
        to_luv(s, rgb, out);
    else
        to_hsv(rgb, out);
}

/* From E t, E t^2, E t^3, where t = x - first: small numbers where the colours
 * of a block are alike. */
static void store(double first, const double *t, float *out)
{
    const double m2 = t[1] - t[0] * t[0];
    const double m3 = t[2] - 3.0 * t[0] * t[1] + 2.0 * t[0] * t[0] * t[0];
    out[0] = (float)(first + t[0]);
    out[1] = (float)sqrt(fmax(0.0, m2));
    out[2] = (float)cbrt(m3);
}

static void moments_of(const ak_image *image, const space *s, int64_t column,
                       int64_t row, float *out)
{
    const int64_t x0 = column * image->width / GRID;
    const int64_t x1 = (column + 1) * image->width / GRID;
    const int64_t y0 = row * image->height / GRID;
    const int64_t y1 = (row + 1) * image->height / GRID;
    const double n = (double)((x1 - x0) * (y1 - y0));
    double first[CHANNELS], v[CHANNELS], sums[CHANNELS][MOMENTS] = {{0}};
    to_space(s, image->rgb + 3 * (y0 * image->width + x0), first);
    for (int64_t y = y0; y < y1; ++y)
        for (int64_t x = x0; x < x1; ++x) {
            to_space(s, image->rgb + 3 * (y * image->width + x), v);
            for (int c = 0; c < CHANNELS; ++c) {
                const double t = v[c] - first[c];
                sums[c][0] += t;
                sums[c][1] += t * t;
                sums[c][2] += t * t * t;
            }
        }
    for (int c = 0; c < CHANNELS; ++c) {
        for (int k = 0; k < MOMENTS; ++k)
            sums[c][k] /= n;
        store(first[c], sums[c], out + c * MOMENTS);
    }
}

akin_status ak_colour_moments(akin_ctx *ctx, const ak_image *image,
                              ak_colour_space is, float *out)
{
    space s;
    if (image->width < GRID || image->height < GRID)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "a picture of %" PRId64 " x %" PRId64
                       " pixels (expected 5 x 5 at least)",
                       image->width, image->height);
    open_space(&s, is);
    for (int64_t row = 0; row < GRID; ++row)
        for (int64_t column = 0; column < GRID; ++column)
            moments_of(image, &s, column, row,
                       out + (row * GRID + column) * CHANNELS * MOMENTS);
    return AKIN_OK;
}
