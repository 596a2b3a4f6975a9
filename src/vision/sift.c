/* SIFT by VLFeat, RootSIFT in bytes.
 *   [1] Lowe. Distinctive image features from scale-invariant keypoints. IJCV
 *       60:91-110, 2004.
 *   [2] Arandjelovic, Zisserman. Three things everyone should know to improve
 *       object retrieval. CVPR 2012.  (square roots)
 *
 * VLFeat finds the keypoints. The parts that take most of the time are done
 * here: smoothing, with the same bits, and descriptors, the same but for
 * rounding. */
#include "vision/sift.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <vl/sift.h>

#include "la/clones.h"

/* ---- octaves: the picture made smoother step by step -----------------------
 *
 *   level s = level s - 1 convolved with a Gaussian of deviation
 *             dsigma0 sigmak^s                                          (1)
 *
 * Both directions one after the other, the border carried on. Each pixel is a
 * sum over the filter in its order, many pixels at a time. */

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

/* The levels of the first octave of a picture of the filter's size, in place of
 * vl_sift_process_first_octave. */
static void octave_first(VlSiftFilt *f, const float *grey)
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

/* The next octave; false: there is none. */
static bool octave_next(VlSiftFilt *f)
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

/* ---- the descriptor: gradients around a keypoint, by place and direction ---
 *
 * [1] section 6. Places are 4 x 4 squares of 3 sigma a side, turned by the
 * angle, directions are eighths of a turn. A gradient is shared out among the
 * two squares in each direction, and the two eighths, that it lies between.
 * What lies outside goes to squares around these, which are thrown away.
 *
 * Row by row: where each gradient goes, many at a time; then they go there. */

/* A keypoint of the current octave, in pixels of that octave. */
typedef struct keypoint {
    double x, y, scale, angle;
    int level;
} keypoint;

enum {
    SQUARES = 4,         // a side
    EIGHTHS = 8,         // of a turn
    GRID = SQUARES + 4,  // squares a side, those around them included
    TURN = EIGHTHS + 2,  // the first two again behind the last
    ROW = 256,           // gradients of a row at most
    STEPS = 256,
    STEEP = 25  // of a table of exp(-x), 0 to STEEP
};

#define TWO_PI 6.283185307179586
static const double reach = 0.5 * (SQUARES + 1);  // squares from the middle

/* Where the gradients of a row go. */
typedef struct shares {
    int32_t to[ROW];                          // bin
    float x[ROW], y[ROW], t[ROW], size[ROW];  // shares of the bins behind it
} shares;

typedef struct window {
    float cos, sin;  // of the angle, in squares
    float turn;      // the angle
    float table[STEPS / 8 + 2];
    float bins[GRID * GRID * TURN];
} window;

static void open_window(window *w, double square, double angle)
{
    memset(w, 0, sizeof *w);
    w->cos = (float)(cos(angle) / square);
    w->sin = (float)(sin(angle) / square);
    w->turn = (float)angle;
    for (int i = 0; i < STEPS / 8 + 2; ++i)
        w->table[i] = (float)exp(-(double)i * STEEP / STEPS);
}

/* n gradients (size and direction) from (x, y) on, to the right. */
AK_CLONES static void share_out(const window *w, int n, const float *gradient,
                                float x, float y, shares *s)
{
    const float half = 0.5F * GRID - 0.5F;
    const float steps = (float)STEPS / STEEP / 8.0F;
    AK_DISTINCT
    for (int i = 0; i < n; ++i) {
        const float dx = x + (float)i;
        const float nx = w->cos * dx + w->sin * y;
        const float ny = w->cos * y - w->sin * dx;
        const float e = (nx * nx + ny * ny) * steps;
        const float turn = gradient[2 * i + 1] - w->turn;
        const float nt = (turn < 0.0F ? turn + (float)TWO_PI : turn) *
                         (float)(EIGHTHS / TWO_PI);
        const int32_t ie = (int32_t)e, it = (int32_t)nt;
        const int32_t ix = (int32_t)(nx + half), iy = (int32_t)(ny + half);
        const float a = w->table[ie], b = w->table[ie + 1];
        s->size[i] = (a + (e - (float)ie) * (b - a)) * gradient[2 * i];
        s->x[i] = nx + half - (float)ix;
        s->y[i] = ny + half - (float)iy;
        s->t[i] = nt - (float)it;
        s->to[i] = (iy * GRID + ix) * TURN + it;
    }
}

static void collect(const shares *s, int n, float *bins)
{
    for (int i = 0; i < n; ++i) {
        float *b = bins + s->to[i];
        const float below = s->size[i] * s->y[i], above = s->size[i] - below;
        const float x1 = above * s->x[i], x0 = above - x1;
        const float y1 = below * s->x[i], y0 = below - y1;
        const float t = s->t[i];
        b[0] += x0 - x0 * t;
        b[1] += x0 * t;
        b[TURN] += x1 - x1 * t;
        b[TURN + 1] += x1 * t;
        b[GRID * TURN] += y0 - y0 * t;
        b[GRID * TURN + 1] += y0 * t;
        b[GRID * TURN + TURN] += y1 - y1 * t;
        b[GRID * TURN + TURN + 1] += y1 * t;
    }
}

/* Narrow [low, high] to where |a x + b| < reach. */
static void narrow(double a, double b, double *low, double *high)
{
    if (fabs(a) < 1e-9) {
        if (fabs(b) >= reach)
            *high = *low - 1.0;
        return;
    }
    const double p = (-reach - b) / a, q = (reach - b) / a;
    *low = fmax(*low, fmin(p, q));
    *high = fmin(*high, fmax(p, q));
}

/* Sum up a row of gradients that lies dy below the keypoint. */
static void add_row(window *w, const float *row, int width, double x, double dy)
{
    double low = 1.0 - x, high = (double)(width - 2) - x;
    shares s;
    narrow((double)w->cos, (double)w->sin * dy, &low, &high);
    narrow(-(double)w->sin, (double)w->cos * dy, &low, &high);
    const int begin = (int)ceil(x + low), end = (int)floor(x + high) + 1;
    const int n = end - begin < ROW ? end - begin : ROW;
    if (n <= 0)
        return;
    share_out(w, n, row + 2 * begin, (float)(begin - x), (float)dy, &s);
    collect(&s, n, w->bins);
}

/* The bins that are kept, the turn closed. */
static void take_bins(const window *w, float *v)
{
    for (int i = 0; i < SQUARES * SQUARES; ++i) {
        const int at = (i / SQUARES + 2) * GRID + i % SQUARES + 2;
        const float *b = w->bins + at * TURN;
        for (int t = 0; t < EIGHTHS; ++t)
            *v++ = b[t] + (t < 2 ? b[EIGHTHS + t] : 0.0F);
    }
}

static void normalise(float *v)
{
    double sum = 0.0;
    for (int j = 0; j < AK_SIFT_DIM; ++j)
        sum += (double)v[j] * (double)v[j];
    const float length = (float)sqrt(sum) + FLT_EPSILON;
    for (int j = 0; j < AK_SIFT_DIM; ++j)
        v[j] /= length;
}

/* In place of vl_sift_calc_keypoint_descriptor after a call for the angles.
 * False: it cannot be described. */
static bool describe(const VlSiftFilt *f, const keypoint *k, float *v)
{
    const int width = f->octave_width, height = f->octave_height;
    const int yi = (int)(k->y + 0.5), xi = (int)(k->x + 0.5);
    const double square = f->magnif * k->scale + DBL_EPSILON;
    const int far = (int)(sqrt(2.0) * square * reach + 0.5);
    const float *level = f->grad + 2 * (size_t)width * (size_t)height *
                                       (size_t)(k->level - f->s_min - 1);
    window w;
    if (xi < 0 || xi >= width || yi < 0 || yi >= height - 1 ||
        k->level <= f->s_min || k->level > f->s_max - 2)
        return false;
    open_window(&w, square, k->angle);
    for (int y = yi - far > 1 ? yi - far : 1; y <= yi + far && y <= height - 2;
         ++y)
        add_row(&w, level + 2 * (size_t)width * (size_t)y, width, k->x,
                (double)y - k->y);
    take_bins(&w, v);
    normalise(v);
    for (int j = 0; j < AK_SIFT_DIM; ++j)
        v[j] = fminf(v[j], 0.2F);
    normalise(v);
    return true;
}

/* ---- all descriptors of a picture ---- */

void ak_sift_free(ak_sift *s)
{
    akin_free(s->frames);
    akin_free(s->descriptors);
    *s = (ak_sift){0, NULL, NULL};
}

enum { SMALLEST = 16, ANGLES = 4, ROOM = 256 };

/* VLFeat fills a table of its own when the first filter is made: once, before
 * threads make others. */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void warm_up(void)
{
    vl_sift_delete(vl_sift_new(SMALLEST, SMALLEST, 1, 1, 0));
}

/* Whole numbers until the end: of a grey picture each pixel is itself. */
static float *grey_of(akin_ctx *ctx, const ak_image *image)
{
    const int64_t n = image->width * image->height;
    float *grey = NULL;
    if (ak_alloc(ctx, n, sizeof *grey, &grey) != AKIN_OK)
        return NULL;
    for (int64_t i = 0; i < n; ++i) {
        const uint8_t *p = image->rgb + 3 * i;
        grey[i] = (float)(299 * p[0] + 587 * p[1] + 114 * p[2]) / 1000.0F;
    }
    return grey;
}

static akin_status make_room(ak_sift *s, akin_ctx *ctx, int64_t *room)
{
    int64_t same = *room;
    AK_CHECK(ak_grow(ctx, s->n + 1, &same, sizeof *s->frames, &s->frames));
    return ak_grow(ctx, s->n + 1, room, AK_SIFT_DIM, &s->descriptors);
}

/* False: there is nothing in it. VLFeat does not describe a keypoint in the
 * last row of pixels, though it gives it angles. */
static bool to_bytes(const float *v, bool root, uint8_t *out)
{
    double sum = 0.0;
    for (int j = 0; j < AK_SIFT_DIM; ++j)
        sum += root ? (double)v[j] : (double)v[j] * (double)v[j];
    const double scale = sum > 0.0 ? 1.0 / (root ? sum : sqrt(sum)) : 0.0;
    for (int j = 0; j < AK_SIFT_DIM; ++j) {
        const double share = scale * (double)v[j];
        const double x = 512.0 * (root ? sqrt(share) : share);
        out[j] = (uint8_t)fmin(255.0, x + 0.5);
    }
    return sum > 0.0;
}

/* All keypoints of the octave at hand, once for each of their angles. */
static akin_status take_octave(ak_sift *s, akin_ctx *ctx, VlSiftFilt *f,
                               int64_t *room, bool root)
{
    const VlSiftKeypoint *keys = vl_sift_get_keypoints(f);
    const int n = vl_sift_get_nkeypoints(f);
    const double size = pow(2.0, -f->o_cur);
    for (int i = 0; i < n; ++i) {
        double angles[ANGLES];
        const int count =
            vl_sift_calc_keypoint_orientations(f, angles, keys + i);
        for (int a = 0; a < count; ++a) {
            const keypoint k = {keys[i].x * size, keys[i].y * size,
                                keys[i].sigma * size, angles[a], keys[i].is};
            float v[AK_SIFT_DIM];
            AK_CHECK(make_room(s, ctx, room));
            if (!describe(f, &k, v) ||
                !to_bytes(v, root, s->descriptors + s->n * AK_SIFT_DIM))
                continue;
            s->frames[s->n++] = (ak_sift_frame){
                keys[i].x, keys[i].y, keys[i].sigma, (float)angles[a]};
        }
    }
    return AKIN_OK;
}

akin_status ak_sift_of(ak_sift *out, akin_ctx *ctx, const ak_image *image,
                       const ak_sift_options *o)
{
    VlSiftFilt *f = NULL;
    float *grey = NULL;
    int64_t room = 0;
    ak_sift s = {0, NULL, NULL};
    akin_status st = AKIN_OK;
    *out = s;
    if (image->width < SMALLEST || image->height < SMALLEST)
        goto done;  // nothing to see
    pthread_once(&once, warm_up);
    grey = grey_of(ctx, image);
    f = grey ? vl_sift_new((int)image->width, (int)image->height, -1,
                           (int)o->levels, (int)o->first_octave)
             : NULL;
    if (f == NULL)
        AK_TRY(ak_nomem(ctx,
                        sizeof *grey * (size_t)(image->width * image->height)));
    vl_sift_set_peak_thresh(f, o->peak);
    vl_sift_set_edge_thresh(f, o->edge);
    octave_first(f, grey);
    do {
        vl_sift_detect(f);
        AK_TRY(take_octave(&s, ctx, f, &room, o->root));
    } while (octave_next(f));
    *out = s;
    s = (ak_sift){0, NULL, NULL};
done:
    ak_sift_free(&s);
    akin_free(grey);
    if (f)
        vl_sift_delete(f);
    return st;
}
