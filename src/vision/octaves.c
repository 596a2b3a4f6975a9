/* Pictures made smoother step by step.
 *
 *   level s = level s - 1 convolved with a Gaussian of deviation
 *             dsigma0 sigmak^s                                          (1)
 *
 * Both directions one after the other, the border carried on. Each pixel is a
 * sum over the filter in its order, many pixels at a time. */
#include "vision/octaves.h"

#include <math.h>
#include <string.h>
#include <vl/sift.h>

#include "la/clones.h"

enum {
    REACH = 64,   // of a filter, to either side, at most
    PIECE = 1024  // pixels of a row at a time
};

typedef struct filter {
    int reach;
    float g[2 * REACH + 1];
} filter;

static void open_filter(filter *f, double sigma)
{
    float sum = 0.0F;
    f->reach = (int)fmin(REACH, fmax(1.0, ceil(4.0 * sigma)));
    for (int i = 0; i <= 2 * f->reach; ++i) {
        const float t = (float)(i - f->reach) / (float)sigma;
        f->g[i] = (float)exp(-0.5 * (double)(t * t));
        sum += f->g[i];
    }
    for (int i = 0; i <= 2 * f->reach; ++i)
        f->g[i] /= sum;
}

/* out[x] = sum of g[i] rows[i][x], in the order of i, for x in [0, n). */
AK_CLONES static void weigh(int n, int taps, const float *g,
                            const float *const *rows, float *restrict out)
{
    int i = 0;
    memset(out, 0, (size_t)n * sizeof *out);
    for (; i + 4 <= taps; i += 4) {
        const float *r0 = rows[i], *r1 = rows[i + 1];
        const float *r2 = rows[i + 2], *r3 = rows[i + 3];
        const float g0 = g[i], g1 = g[i + 1], g2 = g[i + 2], g3 = g[i + 3];
        for (int x = 0; x < n; ++x)
            out[x] = out[x] + r0[x] * g0 + r1[x] * g1 + r2[x] * g2 + r3[x] * g3;
    }
    for (; i < taps; ++i) {
        const float *row = rows[i], gi = g[i];
        for (int x = 0; x < n; ++x)
            out[x] += row[x] * gi;
    }
}

static int inside(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

static void smooth_columns(const filter *f, int w, int h, const float *in,
                           float *out)
{
    const float *rows[2 * REACH + 1];
    for (int y = 0; y < h; ++y) {
        for (int i = 0; i <= 2 * f->reach; ++i)
            rows[i] = in + (size_t)inside(y - f->reach + i, h) * (size_t)w;
        weigh(w, 2 * f->reach + 1, f->g, rows, out + (size_t)y * (size_t)w);
    }
}

static void smooth_row(const filter *f, int w, const float *in, float *out)
{
    float wide[PIECE + 2 * REACH];
    const float *rows[2 * REACH + 1];
    for (int i = 0; i <= 2 * f->reach; ++i)
        rows[i] = wide + i;
    for (int x = 0; x < w; x += PIECE) {
        const int n = w - x < PIECE ? w - x : PIECE;
        for (int i = 0; i < n + 2 * f->reach; ++i)
            wide[i] = in[inside(x - f->reach + i, w)];
        weigh(n, 2 * f->reach + 1, f->g, rows, out + x);
    }
}

/* `in` may be `out`. */
static void smooth(VlSiftFilt *f, double sigma, const float *in, float *out)
{
    const int w = f->octave_width, h = f->octave_height;
    filter g;
    open_filter(&g, sigma);
    smooth_columns(&g, w, h, in, f->temp);
    for (int y = 0; y < h; ++y) {
        const size_t at = (size_t)y * (size_t)w;
        smooth_row(&g, w, f->temp + at, out + at);
    }
}

/* (1) above the lowest level. */
static void fill_octave(VlSiftFilt *f)
{
    for (int s = f->s_min + 1; s <= f->s_max; ++s)
        smooth(f, f->dsigma0 * pow(f->sigmak, s), vl_sift_get_octave(f, s - 1),
               vl_sift_get_octave(f, s));
}

static void set_octave(VlSiftFilt *f, int o)
{
    f->o_cur = o;
    f->nkeys = 0;
    f->octave_width = o < 0 ? f->width << -o : f->width >> o;
    f->octave_height = o < 0 ? f->height << -o : f->height >> o;
}

/* Every step-th pixel of every step-th row. */
static void take_some(const float *in, int w, int h, int step, float *out)
{
    for (int y = 0; y + step <= h; y += step)
        for (int x = 0; x + step <= w; x += step)
            *out++ = in[(size_t)y * (size_t)w + (size_t)x];
}

/* n numbers `step` apart, and one between each two; the last one twice. */
static void double_line(int n, const float *in, size_t step, float *out,
                        size_t out_step)
{
    for (int i = 0; i < n; ++i) {
        const float a = in[(size_t)i * step];
        const float b = in[(size_t)inside(i + 1, n) * step];
        out[(size_t)(2 * i) * out_step] = a;
        out[(size_t)(2 * i + 1) * out_step] = i + 1 < n ? 0.5F * (a + b) : a;
    }
}

/* A picture at twice its size; `room` is as large as `out`. */
static void double_picture(const float *in, int w, int h, float *room,
                           float *out)
{
    const size_t wide = 2 * (size_t)w;
    for (int y = 0; y < h; ++y)
        double_line(w, in + (size_t)y * (size_t)w, 1, room + (size_t)y * wide,
                    1);
    for (size_t x = 0; x < wide; ++x)
        double_line(h, room + x, wide, out + x, wide);
}

void ak_octave_first(VlSiftFilt *f, const float *grey)
{
    float *base = vl_sift_get_octave(f, f->s_min);
    set_octave(f, f->o_min);
    if (f->o_min < 0)  // -1: no other is below it
        double_picture(grey, f->width, f->height, f->temp, base);
    else
        take_some(grey, f->width, f->height, 1 << f->o_min, base);
    const double wanted = f->sigma0 * pow(f->sigmak, f->s_min);
    const double has = f->sigman * pow(2.0, -f->o_min);
    if (wanted > has)
        smooth(f, sqrt(wanted * wanted - has * has), base, base);
    fill_octave(f);
}

bool ak_octave_next(VlSiftFilt *f)
{
    if (f->o_cur == f->o_min + f->O - 1)
        return false;
    /* The level that is as smooth, at half the size, as the lowest one is. */
    const float *from = vl_sift_get_octave(f, f->s_min + f->S);
    take_some(from, f->octave_width, f->octave_height, 2,
              vl_sift_get_octave(f, f->s_min));
    set_octave(f, f->o_cur + 1);
    fill_octave(f);
    return true;
}
