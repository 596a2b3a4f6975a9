/* Exact nearest neighbours, all with all.
 *
 * With the points moved to their mean and scaled to lengths of about 1, in
 * float,
 *
 *   |x - y|^2 - |x|^2 >= (1 - e) |y|^2 - 2 x.y - e |x|^2 - TINY          (1)
 *
 * where e covers the rounding of the points, the product and the sums, and TINY
 * what is too small for a float. For each x, somewhat more than k points with
 * the smallest bounds (1) are kept, and their distances computed in double.
 * When the k-th of these is below (1) of all others, none is missing.
 * Otherwise, as among many equal points, all distances are computed in double.
 *
 * A product serves x and y. Points are cut into blocks, and any two blocks meet
 * once, in rounds in which no block has two others: the heaps of a block are
 * then touched by one thread at a time. Which of equal bounds are kept depends
 * on the order, the result does not. */
#include "learn/sparse/neighbours.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/comm.h"
#include "la/clones.h"
#include "la/dense.h"

#define TINY 1e-30

enum { SPARE = 16, STRIP = 256, STRIDE = 64, MOST_SIDE = 1024 };

typedef struct candidate {
    double distance;
    int32_t row;
} candidate;

/* Memory of one worker. */
typedef struct worker_room {
    float *products;   // STRIP x side
    candidate *found;  // width
} worker_room;

typedef struct search {
    akin_ctx *ctx;
    int64_t n, d, k, width;
    const double *X;
    double scale;   // of F, a power of two
    float *F;       // the points less their mean
    float *low;     // (1 - e) |y|^2
    double e;       // of (1)
    float *bounds;  // n x width, heaps, the largest first
    int32_t *rows;  // the points of the bounds, -1: none
    float *limit;   // of each heap: another rank has enough below it
    float *most;    // the smaller of that and of the largest bound
    int64_t side;   // points of a block
    int64_t blocks, round;
    int64_t first;      // of the pairs of this rank in a round
    worker_room *work;  // of each worker
    int32_t *out;
} search;

/* Is one of n products of a point with `base` small enough for the point, or
 * for the other? */
AK_CLONES
static int any_below(int64_t n, const float *base, const float *most,
                     const float *product, float low, float at_most)
{
    int any = 0;
    for (int64_t j = 0; j < n; ++j) {
        const float twice = 2.0F * product[j];
        any |= (base[j] - twice < at_most) | (low - twice < most[j]);
    }
    return any;
}

/* Put x in the place of the largest of the heap of a point. */
static void replace_largest(const search *s, int64_t point, float x, int64_t of)
{
    const int64_t n = s->width;
    float *bounds = s->bounds + point * n;
    int32_t *rows = s->rows + point * n;
    int64_t at = 0;
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= n)
            break;
        if (child + 1 < n && bounds[child + 1] > bounds[child])
            ++child;
        if (!(bounds[child] > x))
            break;
        bounds[at] = bounds[child];
        rows[at] = rows[child];
        at = child;
    }
    bounds[at] = x;
    rows[at] = (int32_t)of;
    s->most[point] = fminf(bounds[0], s->limit[point]);
}

/* The products of point i with those from `begin` on, each pair of points once.
 */
static void take_products(const search *s, int64_t i, int64_t begin,
                          int64_t count, const float *products)
{
    for (int64_t a = 0; a < count; a += STRIDE) {
        const int64_t from = begin + a, n = ak_min_i64(STRIDE, count - a);
        if (!any_below(n, s->low + from, s->most + from, products + a,
                       s->low[i], s->most[i]))
            continue;
        for (int64_t j = from; j < from + n; ++j) {
            const float twice = 2.0F * products[j - begin];
            if (s->low[j] - twice < s->most[i])
                replace_largest(s, i, s->low[j] - twice, j);
            if (s->low[i] - twice < s->most[j])
                replace_largest(s, j, s->low[i] - twice, i);
        }
    }
}

static double distance(const search *s, int64_t i, int64_t j)
{
    const double *x = s->X + i * s->d, *y = s->X + j * s->d;
    double sum = 0.0;
    for (int64_t c = 0; c < s->d; ++c)
        sum += (x[c] - y[c]) * (x[c] - y[c]);
    return sum;
}

static int by_distance(const void *x, const void *y)
{
    const candidate *a = x, *b = y;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* The k nearest of all. Points come in order, so that of two as far the first
 * stays first. */
static void take_all(const search *s, int64_t i, candidate *found)
{
    int64_t n = 0;
    for (int64_t j = 0; j < s->n; ++j) {
        if (j == i)
            continue;
        const candidate c = {distance(s, i, j), (int32_t)j};
        if (n == s->k && !(c.distance < found[n - 1].distance))
            continue;
        int64_t at = n < s->k ? n++ : n - 1;
        for (; at > 0 && found[at - 1].distance > c.distance; --at)
            found[at] = found[at - 1];
        found[at] = c;
    }
}

/* Out of the candidates, or out of all where these may not be enough. */
static void decide(const search *s, int64_t i, candidate *found)
{
    const float *x = s->F + i * s->d;
    const int32_t *rows = s->rows + i * s->width;
    double norm = 0.0;
    int64_t n = 0;
    for (int64_t c = 0; c < s->d; ++c)
        norm += (double)x[c] * (double)x[c];
    for (int64_t c = 0; c < s->width; ++c)
        if (rows[c] >= 0)
            found[n++] = (candidate){distance(s, i, rows[c]), rows[c]};
    qsort(found, (size_t)n, sizeof *found, by_distance);
    const double others = (double)s->most[i] + (1.0 - s->e) * norm - TINY;
    const double own = n < s->k ? INFINITY : found[s->k - 1].distance;
    if (n < s->n - 1 && !(own * s->scale * s->scale < others))
        take_all(s, i, found);
    for (int64_t c = 0; c < s->k; ++c)
        s->out[i * s->k + c] = found[c].row;
}

static akin_status decide_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const search *s = arg;
    for (int64_t i = begin; i < end; ++i)
        decide(s, i, s->work[worker].found);
    return AKIN_OK;
}

/* The points of block a with those of block b, which may be the same. */
static akin_status meet(const search *s, float *products, int64_t a, int64_t b)
{
    const int64_t d = s->d, n = s->n, side = s->side;
    const int64_t last = ak_min_i64(n, (a + 1) * side);
    const int64_t begin = b * side, end = ak_min_i64(n, begin + side);
    for (int64_t from = a * side; from < last; from += STRIP) {
        const int64_t to = ak_min_i64(last, from + STRIP);
        AK_CHECK(ak_gemm_f32(s->ctx, to - from, end - begin, d, s->F + from * d,
                             d, s->F + begin * d, d, products, side));
        for (int64_t i = from; i < to; ++i) {
            const int64_t first = a == b ? i + 1 : begin;
            take_products(s, i, first, end - first,
                          products + (i - from) * side + first - begin);
        }
    }
    return AKIN_OK;
}

/* Like a round-robin tournament: one block stays, the others rotate. In the
 * last round each block meets itself. */
static akin_status meet_block(void *arg, int64_t at, int64_t end,
                              int64_t worker)
{
    const search *s = arg;
    const int64_t m = s->blocks + s->blocks % 2 - 1, r = s->round;
    for (; at < end; ++at) {
        const int64_t p = s->first + at;
        const int64_t a = r == m ? p : p == 0 ? m : (r + p) % m;
        const int64_t b = r == m ? p : (r - p + m) % m;
        if (a < s->blocks && b < s->blocks)
            AK_CHECK(meet(s, s->work[worker].products, a, b));
    }
    return AKIN_OK;
}

/* A power of two by which the longest point is about as long as 1. */
static double choose_scale(const search *s, const double *mean)
{
    double most = 0.0;
    for (int64_t i = 0; i < s->n; ++i)
        for (int64_t c = 0; c < s->d; ++c)
            most = fmax(most, fabs(s->X[i * s->d + c] - mean[c]));
    most *= sqrt((double)s->d);
    return most > 0.0 ? ldexp(1.0, -ilogb(most)) : 1.0;
}

/* F and low, from the mean. */
static akin_status move(search *s, akin_ctx *ctx)
{
    const int64_t n = s->n, d = s->d;
    double *mean;
    AK_CHECK(AK_SCRATCH(ctx, d, &mean));
    AK_CHECK(AK_SCRATCH(ctx, n * d, &s->F));
    AK_CHECK(AK_SCRATCH(ctx, n, &s->low));
    for (int64_t i = 0; i < n; ++i)
        ak_axpy(d, 1.0 / (double)n, s->X + i * d, mean);
    s->scale = choose_scale(s, mean);
    for (int64_t i = 0; i < n; ++i) {
        double norm = 0.0;
        for (int64_t c = 0; c < d; ++c) {
            const float x = (float)(s->scale * (s->X[i * d + c] - mean[c]));
            s->F[i * d + c] = x;
            norm += (double)x * (double)x;
        }
        s->low[i] = (float)((1.0 - s->e) * norm);
    }
    return AKIN_OK;
}

static akin_status make_room(search *s, akin_ctx *ctx)
{
    const int64_t workers = ak_workers(ctx);
    AK_CHECK(AK_SCRATCH(ctx, s->n * s->width, &s->bounds));
    AK_CHECK(AK_SCRATCH(ctx, s->n * s->width, &s->rows));
    AK_CHECK(AK_SCRATCH(ctx, s->n, &s->most));
    AK_CHECK(AK_SCRATCH(ctx, s->n, &s->limit));
    for (int64_t c = 0; c < s->n * s->width; ++c) {
        s->bounds[c] = INFINITY;
        s->most[c / s->width] = s->limit[c / s->width] = INFINITY;
        s->rows[c] = -1;
    }
    AK_CHECK(AK_SCRATCH(ctx, workers, &s->work));
    for (int64_t w = 0; w < workers; ++w) {
        AK_CHECK(AK_SCRATCH(ctx, STRIP * s->side, &s->work[w].products));
        AK_CHECK(AK_SCRATCH(ctx, s->width, &s->work[w].found));
    }
    return AKIN_OK;
}

/* What is above the smallest limit of all ranks need not be kept by any. */
static akin_status share_limits(const search *s, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    unsigned char *all;
    const size_t *at;
    akin_status st = AKIN_OK;
    AK_TRY(ak_comm_collect(ctx, s->most, (size_t)s->n * sizeof *s->most, &all,
                           &at));
    for (int64_t r = 0; r < akin_ctx_ranks(ctx); ++r)
        for (int64_t i = 0; i < s->n; ++i) {
            float other;
            memcpy(&other, all + at[r] + (size_t)i * sizeof other,
                   sizeof other);
            s->limit[i] = fminf(s->limit[i], other);
            s->most[i] = fminf(s->most[i], other);
        }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* The pairs of blocks of this rank, in one round. */
static akin_status meet_round(search *s, akin_ctx *ctx, int64_t rounds)
{
    const int64_t pairs = s->round + 1 < rounds ? rounds / 2 : s->blocks;
    const ak_rank_range own = ak_comm_own(ctx, pairs, 1);
    s->first = own.begin;
    AK_CHECK(ak_parallel_for(ctx, own.end - own.begin, 1, meet_block, s));
    return ak_ctx_tick(ctx, "neighbours", s->round + 1, rounds, NAN);
}

/* All rounds. After 1, 2, 4, ... of them ranks share their limits. */
static akin_status meet_all(search *s, akin_ctx *ctx)
{
    const int64_t rounds = s->blocks + s->blocks % 2;
    akin_status st = ak_ctx_tick(ctx, "neighbours", 0, rounds, NAN);
    for (; s->round < rounds; ++s->round) {
        if (st == AKIN_OK)
            st = meet_round(s, ctx, rounds);
        if ((s->round & (s->round + 1)) != 0 || akin_ctx_ranks(ctx) == 1)
            continue;
        AK_CHECK(ak_comm_agree(ctx, st));
        AK_CHECK(share_limits(s, ctx));
    }
    return ak_comm_agree(ctx, st);
}

/* A rank has met some pairs of blocks: candidates of the others come in. Those
 * that are kept may depend on the rank, what `decide` makes of them does not.
 */
static akin_status merge_ranks(const search *s, akin_ctx *ctx)
{
    const int64_t n = s->n * s->width;
    const size_t size = (size_t)n * sizeof *s->bounds;
    unsigned char *bounds, *rows;
    const size_t *at;
    if (akin_ctx_ranks(ctx) == 1)
        return AKIN_OK;
    AK_CHECK(ak_comm_collect(ctx, s->bounds, size, &bounds, &at));
    AK_CHECK(ak_comm_collect(ctx, s->rows, size, &rows, &at));
    for (int64_t r = 0; r < akin_ctx_ranks(ctx); ++r)
        for (int64_t c = 0; r != akin_ctx_rank(ctx) && c < n; ++c) {
            const int64_t i = c / s->width;
            const size_t byte = at[r] + (size_t)c * sizeof(float);
            float bound;
            int32_t row;
            memcpy(&bound, bounds + byte, sizeof bound);
            memcpy(&row, rows + byte, sizeof row);
            if (row >= 0 && bound < s->bounds[i * s->width])
                replace_largest(s, i, bound, row);
        }
    return AKIN_OK;
}

akin_status ak_neighbours(akin_ctx *ctx, int64_t n, int64_t d, const double *X,
                          int64_t k, int32_t *out)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    search s = {.ctx = ctx, .n = n, .d = d, .k = k, .X = X, .out = out};
    akin_status st = AKIN_OK;
    s.width = ak_min_i64(k + SPARE, n - 1);
    s.e = 2.0 * (double)(d + 8) * FLT_EPSILON;
    s.side = n / 64 < STRIP ? STRIP : ak_min_i64(n / 64, MOST_SIDE);
    s.blocks = (n + s.side - 1) / s.side;
    AK_TRY(move(&s, ctx));
    AK_TRY(make_room(&s, ctx));
    AK_TRY(meet_all(&s, ctx));
    AK_TRY(merge_ranks(&s, ctx));
    AK_TRY(AK_COMM_MAP(ctx, n, STRIP, decide_block, &s,
                       {out, (size_t)k * sizeof *out}));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
