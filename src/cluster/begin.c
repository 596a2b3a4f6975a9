/* Where k-means begins: points drawn at random, or far from each other.
 *   Arthur, Vassilvitskii. k-means++: the advantages of careful seeding. SODA
 *       2007. */
#include "cluster/begin.h"

#include <math.h>

#include "base/parallel.h"

enum { PLUS_POINTS = 16 };  // points a word, at most, that k-means++ sees

void ak_draw_rows(ak_rng *rng, const ak_points *points, int64_t count,
                  int64_t *which)
{
    for (int64_t i = 0; i < count; ++i) {
        const int64_t begin =
            (int64_t)((ak_u128)i * (uint64_t)points->n / (uint64_t)count);
        const int64_t end =
            (int64_t)((ak_u128)(i + 1) * (uint64_t)points->n / (uint64_t)count);
        which[i] =
            ak_points_row(points, begin + ak_rng_below(rng, end - begin));
    }
}

static double distance2(int64_t d, const float *x, const float *y)
{
    double sum = 0.0;
    for (int64_t j = 0; j < d; ++j) {
        const double t = (double)x[j] - (double)y[j];
        sum += t * t;
    }
    return sum;
}

/* The first i with near[0] + .. + near[i] above `share` of the sum. */
static int64_t pick(int64_t n, const double *near, double share)
{
    double sum = 0.0, so_far = 0.0;
    int64_t last = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += near[i];
    for (int64_t i = 0; i < n; ++i) {
        if (near[i] <= 0.0)
            continue;
        last = i;
        so_far += near[i];
        if (so_far > share * sum)
            break;
    }
    return last;
}

/* k-means++: each next one with a chance that grows with the squared distance
 * to those before it. x: n points of the rows `from`. */
static void choose_plus(ak_rng *rng, int64_t n, int64_t d, const float *x,
                        const int64_t *from, double *near, int64_t k,
                        int64_t *which)
{
    int64_t at = ak_rng_below(rng, n);
    for (int64_t i = 0; i < n; ++i)
        near[i] = INFINITY;
    for (int64_t w = 0; w < k; ++w) {
        which[w] = from[at];
        for (int64_t i = 0; i < n; ++i)
            near[i] = fmin(near[i], distance2(d, x + i * d, x + at * d));
        at = pick(n, near, ak_rng_unit(rng));
    }
}

static akin_status start_plus(akin_ctx *ctx, ak_rng *rng,
                              const ak_points *points, int64_t k,
                              int64_t *which)
{
    const int64_t n = ak_min_i64(points->n, PLUS_POINTS * k), d = points->d;
    int64_t *from = NULL;
    double *near = NULL;
    float *x = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &from));
    AK_TRY(AK_SCRATCH(ctx, n, &near));
    AK_TRY(AK_SCRATCH(ctx, n * d, &x));
    ak_draw_rows(rng, points, n, from);
    const ak_points some = {n, d, points->f32, points->u8, from};
    for (int64_t i = 0; i < n; ++i)
        ak_points_load(&some, i, x + i * d);
    choose_plus(rng, n, d, x, from, near, k, which);
done:
    return st;
}

akin_status ak_kmeans_begin(ak_codebook **out, akin_ctx *ctx,
                            const ak_points *points, const ak_kmeans_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_CLUSTER);
    int64_t *which = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, o->k, &which));
    if (o->start == AK_START_PLUS)
        AK_TRY(start_plus(ctx, &rng, points, o->k, which));
    else
        ak_draw_rows(&rng, points, o->k, which);
    const ak_points at = {o->k, points->d, points->f32, points->u8, which};
    AK_TRY(ak_codebook_new(out, ctx, &at));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
