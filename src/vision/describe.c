/* The descriptor of a keypoint: gradients around it, by place and direction.
 *   Lowe. Distinctive image features from scale-invariant keypoints. IJCV
 *       60:91-110, 2004, section 6.
 *
 * Places are 4 x 4 squares of 3 sigma a side, turned by the angle, directions
 * are eighths of a turn. A gradient is shared out among the two squares in each
 * direction, and the two eighths, that it lies between. What lies outside goes
 * to squares around these, which are thrown away.
 *
 * Row by row: where each gradient goes, many at a time; then they go there. */
#include <float.h>
#include <math.h>
#include <string.h>
#include <vl/sift.h>

#include "la/clones.h"
#include "vision/octaves.h"

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

bool ak_keypoint_describe(const VlSiftFilt *f, const ak_keypoint *k, float *v)
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
