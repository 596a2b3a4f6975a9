/* Descriptors and quality of faces, from their pixels.
 *   [1] Everingham, Sivic, Zisserman. Hello! My name is... Buffy: automatic
 *       naming of characters in TV video. BMVC 2006.
 *
 * The patches of [1] are discs around thirteen points: the corners and the
 * centres of the eyes, the point between them, nostrils and the tip of the
 * nose, the corners and the centre of the mouth. There are five landmarks here,
 * so the points have fixed places in a face of unit size, which a similarity
 * brings to the picture:
 *
 *   z -> a z + b,  a = sum conj(c_i - c) (p_i - p) / sum |c_i - c|^2    (1)
 *
 * where p_i are the landmarks, c_i their places in the unit face (as complex
 * numbers), and p, c their means: the least squares. The unit face is UNIT
 * pixels wide when patches are taken from it.
 *
 * Sharpness is the variance of the Laplacian over that of the grey values, of
 * the box at GRID x GRID pixels: contrast cancels, and a small face, which has
 * to be enlarged, is not sharp. */
#include "vision/face_pixels.h"

#include <complex.h>
#include <math.h>

enum { UNIT = 32, GRID = 64, MOST_SAMPLES = 8 };

typedef struct place {
    double x, y;
} place;

static double complex complex_of(double x, double y)
{
    return x + y * I;
}

/* Where the landmarks are in the unit face. */
static const place landmark_places[AK_FACE_POINTS] = {
    {0.86, 0.21}, {0.65, 0.23}, {0.12, 0.21}, {0.33, 0.23}, {0.49, 0.63}};

static const place patch_places[AK_PATCHES] = {
    {0.86, 0.21},  {0.65, 0.23}, {0.12, 0.21}, {0.33, 0.23}, {0.755, 0.21},
    {0.225, 0.21}, {0.49, 0.22}, {0.38, 0.57}, {0.60, 0.57}, {0.49, 0.50},
    {0.26, 0.86},  {0.72, 0.86}, {0.49, 0.87}};

/* ---- grey values at any place ---- */

static double grey_pixel(const ak_image *image, int64_t x, int64_t y)
{
    const int64_t w = image->width, h = image->height;
    x = x < 0 ? 0 : x >= w ? w - 1 : x;
    y = y < 0 ? 0 : y >= h ? h - 1 : y;
    const uint8_t *p = image->rgb + 3 * (y * w + x);
    return 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
}

/* Between pixels: bilinear. Beyond the edge: as at the edge. */
static double grey_at(const ak_image *image, double x, double y)
{
    x = fmin(fmax(x, -1.0), (double)image->width);
    y = fmin(fmax(y, -1.0), (double)image->height);
    const double left = floor(x), top = floor(y);
    const double fx = x - left, fy = y - top;
    const int64_t i = (int64_t)left, j = (int64_t)top;
    return (1.0 - fy) * ((1.0 - fx) * grey_pixel(image, i, j) +
                         fx * grey_pixel(image, i + 1, j)) +
           fy * ((1.0 - fx) * grey_pixel(image, i, j + 1) +
                 fx * grey_pixel(image, i + 1, j + 1));
}

/* The mean over a square of this side, turned as `step` is. */
static double grey_around(const ak_image *image, double complex at,
                          double complex step)
{
    const int n = (int)fmin(fmax(ceil(cabs(step)), 1.0), (double)MOST_SAMPLES);
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const double u = (i + 0.5) / n - 0.5, v = (j + 0.5) / n - 0.5;
            const double complex z = at + complex_of(u, v) * step;
            sum += grey_at(image, creal(z), cimag(z));
        }
    return sum / (n * n);
}

/* ---- the descriptor ---- */

static double complex point_of(const double *points, int i)
{
    return complex_of(points[2 * i], points[2 * i + 1]);
}

static double complex place_of(place p)
{
    return complex_of(p.x, p.y);
}

/* (1) */
static void fit(const double *points, double complex *a, double complex *b)
{
    double complex p = 0.0, c = 0.0, up = 0.0;
    double down = 0.0;
    for (int i = 0; i < AK_FACE_POINTS; ++i) {
        p += point_of(points, i) / AK_FACE_POINTS;
        c += place_of(landmark_places[i]) / AK_FACE_POINTS;
    }
    for (int i = 0; i < AK_FACE_POINTS; ++i) {
        const double complex from = place_of(landmark_places[i]) - c;
        up += conj(from) * (point_of(points, i) - p);
        down += creal(from * conj(from));
    }
    *a = up / down;
    *b = p - *a * c;
}

/* Mean 0, length 1. */
static void normalise(float *x, int n)
{
    double mean = 0.0, length = 0.0;
    for (int i = 0; i < n; ++i)
        mean += (double)x[i] / n;
    for (int i = 0; i < n; ++i)
        length += ((double)x[i] - mean) * ((double)x[i] - mean);
    length = sqrt(length);
    for (int i = 0; i < n; ++i)
        x[i] = length > 1e-6 ? (float)(((double)x[i] - mean) / length) : 0.0F;
}

void ak_face_patches(const ak_image *image,
                     const double points[2 * AK_FACE_POINTS],
                     float out[AK_PATCHES_DIM])
{
    const int r = AK_PATCH_RADIUS;
    double complex a, b;
    fit(points, &a, &b);
    for (int k = 0; k < AK_PATCHES; ++k) {
        float *patch = out + (ptrdiff_t)k * AK_PATCH_SIZE;
        int n = 0;
        for (int y = -r; y <= r; ++y)
            for (int x = -r; x <= r; ++x)
                if (x * x + y * y <= r * r) {
                    const double complex z = place_of(patch_places[k]) +
                                             complex_of(x, y) / UNIT;
                    patch[n++] = (float)grey_around(image, a * z + b, a / UNIT);
                }
        normalise(patch, n);
    }
}

/* ---- quality ---- */

static double sharpness_of(const ak_image *image, const double box[4])
{
    const double sx = box[2] / GRID, sy = box[3] / GRID;
    const double step = sqrt(sx * sy), n = (GRID - 2.0) * (GRID - 2.0);
    double g[GRID][GRID], sum = 0.0, sum2 = 0.0, edges = 0.0, edges2 = 0.0;
    for (int y = 0; y < GRID; ++y)
        for (int x = 0; x < GRID; ++x)
            g[y][x] = grey_around(image,
                                  complex_of(box[0] + (x + 0.5) * sx - 0.5,
                                             box[1] + (y + 0.5) * sy - 0.5),
                                  step);
    for (int y = 1; y < GRID - 1; ++y)
        for (int x = 1; x < GRID - 1; ++x) {
            const double v = g[y][x];
            const double e = g[y - 1][x] + g[y + 1][x] + g[y][x - 1] +
                             g[y][x + 1] - 4.0 * v;
            sum += v;
            sum2 += v * v;
            edges += e;
            edges2 += e * e;
        }
    const double grey = sum2 / n - sum / n * (sum / n);
    const double edge = edges2 / n - edges / n * (edges / n);
    return grey > 1e-3 ? fmax(edge, 0.0) / grey : 0.0;
}

ak_face_quality ak_face_quality_of(const ak_image *image, const double box[4],
                                   const double points[2 * AK_FACE_POINTS])
{
    const double degrees = 180.0 / acos(-1.0);
    const double complex right = (point_of(points, 0) + point_of(points, 1)) /
                                 2;
    const double complex left = (point_of(points, 2) + point_of(points, 3)) / 2;
    const double complex line = right - left;
    const double complex nose = point_of(points, 4) - (left + right) / 2;
    ak_face_quality q = {.size = fmin(box[2], box[3]),
                         .sharpness = sharpness_of(image, box)};
    if (cabs(line) > 0.0) {
        /* How far the nose is from the middle, of half the distance of the
         * eyes: the sine of the angle for a nose as long as that. */
        const double aside = 2.0 * creal(nose * conj(line)) /
                             (cabs(line) * cabs(line));
        q.roll = degrees * carg(line);
        q.turn = degrees * asin(fmin(fmax(aside, -1.0), 1.0));
    }
    return q;
}
