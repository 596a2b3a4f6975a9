/* A pair of features says how one picture moves into the other: by the ratio of
 * their sizes, the difference of their angles, and then their places. Pairs are
 * tried, and the motion that pairs of the largest weight follow is taken. A
 * pair follows it if it changes size and angle nearly as much, and ends near
 * the place that the motion takes it to. */
#include "collection/pictures/geometry.h"

#include <math.h>

enum {
    TRIED = 300,  // pairs whose motion is tried, at most
    LEAST = 4     // pairs that agree; fewer do by chance
};

static const double NEAR = 0.1;      // of the longer side, for places
static const double RATIO = 0.6931;  // logarithm of 2, for sizes
static const double TURN = 0.5236;   // 30 degrees, for angles
static const double PI = 3.14159265358979;

/* How one feature becomes the other. */
typedef struct motion {
    double x, y, to_x, to_y;
    double size, angle;  // logarithm of the ratio; radians
    double c, s;         // of the rotation, times the ratio
} motion;

static motion motion_of(const ak_two_frames *f, const ak_frame_pair *p)
{
    const ak_sift_frame *a = &f->left[p->left], *b = &f->right[p->right];
    motion m = {.x = a->x, .y = a->y, .to_x = b->x, .to_y = b->y};
    const double ratio = (double)b->scale / (double)a->scale;
    m.size = log(ratio);
    m.angle = (double)b->angle - (double)a->angle;
    m.c = ratio * cos(m.angle);
    m.s = ratio * sin(m.angle);
    return m;
}

/* Does x move as `by` says? */
static bool follows(const motion *by, const motion *x, double near)
{
    const double u = x->x - by->x, v = x->y - by->y;
    const double dx = by->to_x + by->c * u - by->s * v - x->to_x;
    const double dy = by->to_y + by->s * u + by->c * v - x->to_y;
    if (dx * dx + dy * dy > near * near || fabs(by->size - x->size) > RATIO)
        return false;
    const double turn = fabs(remainder(by->angle - x->angle, 2.0 * PI));
    return turn <= TURN;
}

/* The pair whose motion pairs of the largest weight follow. */
static int64_t best_motion(const motion *m, const ak_frame_pair *pairs,
                           int64_t n, double near)
{
    const int64_t tried = ak_min_i64(n, TRIED);
    double most = -1.0;
    int64_t best = 0;
    for (int64_t t = 0; t < tried; ++t) {
        const int64_t k = t * n / tried;
        double sum = 0.0;
        for (int64_t i = 0; i < n; ++i)
            if (follows(&m[k], &m[i], near))
                sum += pairs[i].weight;
        if (sum > most) {
            most = sum;
            best = k;
        }
    }
    return best;
}

akin_status ak_geometry_agree(int64_t *agreeing, akin_ctx *ctx,
                              const ak_two_frames *f, ak_frame_pair *pairs,
                              int64_t n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    unsigned char *used_left, *used_right;
    motion *m;
    akin_status st = AKIN_OK;
    *agreeing = 0;
    AK_TRY(AK_SCRATCH(ctx, n, &m));
    AK_TRY(AK_SCRATCH(ctx, f->n_left, &used_left));
    AK_TRY(AK_SCRATCH(ctx, f->n_right, &used_right));
    for (int64_t i = 0; i < n; ++i) {
        pairs[i].agrees = false;
        m[i] = motion_of(f, &pairs[i]);
    }
    if (n < LEAST)
        goto done;
    const int64_t best = best_motion(m, pairs, n, NEAR * f->side);
    for (int64_t i = 0; i < n; ++i) {
        ak_frame_pair *p = &pairs[i];
        p->agrees = !used_left[p->left] && !used_right[p->right] &&
                    follows(&m[best], &m[i], NEAR * f->side);
        if (p->agrees)
            used_left[p->left] = used_right[p->right] = 1;
        *agreeing += p->agrees;
    }
    if (*agreeing >= LEAST)
        goto done;
    *agreeing = 0;
    for (int64_t i = 0; i < n; ++i)
        pairs[i].agrees = false;
done:
    ak_scratch_end(ctx, mark);
    return st;
}
