/* Exact nearest neighbours, all with all.
 *
 * With the points moved to their mean, in float,
 *
 *   |x - y|^2 - |x|^2 >= (1 - e) |y|^2 - 2 x.y - e |x|^2                 (1)
 *
 * where e covers the rounding of the points, the product and the sums. For
 * each x the CANDIDATES smallest of (1) are kept, their distances taken in
 * double; when the k-th of these is below (1) of all others, none is missing.
 * If not, as among many equal points, all distances are taken in double. */
#include "learn/neighbours.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "la/clones.h"
#include "la/dense.h"

enum { SPARE = 16, QUERIES = 256, BASE = 1024, STRIDE = 64, ROUND = 4096 };

typedef struct candidate {
    double distance;
    int32_t row;
} candidate;

/* What a worker keeps for the queries of a block. */
typedef struct desk {
    float *products;   // QUERIES x BASE
    float *bounds;     // QUERIES x width, heaps, the largest first
    int32_t *rows;     // the points of the bounds
    candidate *found;  // n
} desk;

typedef struct search {
    akin_ctx *ctx;
    int64_t n, d, k, width;
    const double *X;
    float *F;     // the points less their mean
    float *low;   // (1 - e) |y|^2
    double e;     // of (1)
    desk *desks;  // of each worker
    int32_t *out;
    int64_t from;  // the first query of this round
} search;

/* Is one of n numbers base[j] - 2 product[j] below `most`? */
AK_CLONES
static int any_below(int64_t n, const float *base, const float *product,
                     float most)
{
    int any = 0;
    for (int64_t j = 0; j < n; ++j)
        any |= base[j] - 2.0F * product[j] < most;
    return any;
}

/* Put x in the place of the largest of a heap of n. */
static void replace_largest(int64_t n, float *bounds, int32_t *rows, float x,
                            int32_t row)
{
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
    rows[at] = row;
}

/* The products of one query with the points from `begin` on. */
static void take_products(const search *s, int64_t query, int64_t begin,
                          int64_t count, const float *products, float *bounds,
                          int32_t *rows)
{
    const float *low = s->low + begin;
    for (int64_t a = 0; a < count; a += STRIDE) {
        const int64_t b = ak_min_i64(count, a + STRIDE);
        if (!any_below(b - a, low + a, products + a, bounds[0]))
            continue;
        for (int64_t j = a; j < b; ++j) {
            const float x = low[j] - 2.0F * products[j];
            if (x < bounds[0] && begin + j != query)
                replace_largest(s->width, bounds, rows, x,
                                (int32_t)(begin + j));
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

static int64_t take_all(const search *s, int64_t query, candidate *found)
{
    int64_t n = 0;
    for (int64_t j = 0; j < s->n; ++j)
        if (j != query)
            found[n++] = (candidate){distance(s, query, j), (int32_t)j};
    return n;
}

/* Out of the candidates, or out of all where these may not be enough. */
static void decide(const search *s, int64_t query, const float *bounds,
                   const int32_t *rows, candidate *found)
{
    const float *x = s->F + query * s->d;
    double norm = 0.0;
    int64_t n = 0;
    for (int64_t c = 0; c < s->d; ++c)
        norm += (double)x[c] * (double)x[c];
    for (int64_t c = 0; c < s->width; ++c)
        if (rows[c] >= 0)
            found[n++] = (candidate){distance(s, query, rows[c]), rows[c]};
    qsort(found, (size_t)n, sizeof *found, by_distance);
    const double others = (double)bounds[0] + (1.0 - s->e) * norm;
    if (n < s->n - 1 && !(n >= s->k && found[s->k - 1].distance < others)) {
        n = take_all(s, query, found);
        qsort(found, (size_t)n, sizeof *found, by_distance);
    }
    for (int64_t c = 0; c < s->k; ++c)
        s->out[query * s->k + c] = found[c].row;
}

static akin_status search_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const search *s = arg;
    const desk *w = &s->desks[worker];
    const int64_t d = s->d;
    akin_status st = AKIN_OK;
    begin += s->from;
    end += s->from;
    for (int64_t c = 0; c < (end - begin) * s->width; ++c) {
        w->bounds[c] = INFINITY;
        w->rows[c] = -1;
    }
    for (int64_t base = 0; base < s->n; base += BASE) {
        const int64_t count = ak_min_i64(BASE, s->n - base);
        AK_TRY(ak_gemm_f32(s->ctx, end - begin, count, d, s->F + begin * d, d,
                           s->F + base * d, d, w->products, BASE));
        for (int64_t q = begin; q < end; ++q)
            take_products(s, q, base, count, w->products + (q - begin) * BASE,
                          w->bounds + (q - begin) * s->width,
                          w->rows + (q - begin) * s->width);
    }
    for (int64_t q = begin; q < end; ++q)
        decide(s, q, w->bounds + (q - begin) * s->width,
               w->rows + (q - begin) * s->width, w->found);
done:
    return st;
}

/* F and low, from the mean. */
static akin_status move(search *s, akin_ctx *ctx)
{
    const int64_t n = s->n, d = s->d;
    double *mean;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d, &mean));
    AK_TRY(AK_SCRATCH(ctx, n * d, &s->F));
    AK_TRY(AK_SCRATCH(ctx, n, &s->low));
    for (int64_t i = 0; i < n; ++i)
        ak_axpy(d, 1.0 / (double)n, s->X + i * d, mean);
    for (int64_t i = 0; i < n; ++i) {
        double norm = 0.0;
        for (int64_t c = 0; c < d; ++c) {
            const float x = (float)(s->X[i * d + c] - mean[c]);
            s->F[i * d + c] = x;
            norm += (double)x * (double)x;
        }
        s->low[i] = (float)((1.0 - s->e) * norm);
    }
done:
    return st;
}

akin_status ak_neighbours(akin_ctx *ctx, int64_t n, int64_t d, const double *X,
                          int64_t k, int32_t *out)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t workers = ak_workers(ctx);
    search s = {.ctx = ctx, .n = n, .d = d, .k = k, .X = X, .out = out};
    akin_status st = AKIN_OK;
    s.width = ak_min_i64(k + SPARE, n - 1);
    s.e = 2.0 * (double)(d + 8) * FLT_EPSILON;
    AK_TRY(move(&s, ctx));
    AK_TRY(AK_SCRATCH(ctx, workers, &s.desks));
    for (int64_t w = 0; w < workers; ++w) {
        AK_TRY(AK_SCRATCH(ctx, QUERIES * BASE, &s.desks[w].products));
        AK_TRY(AK_SCRATCH(ctx, QUERIES * s.width, &s.desks[w].bounds));
        AK_TRY(AK_SCRATCH(ctx, QUERIES * s.width, &s.desks[w].rows));
        AK_TRY(AK_SCRATCH(ctx, n, &s.desks[w].found));
    }
    /* In rounds, so that the call can be interrupted. */
    for (; s.from < n; s.from += ROUND) {
        const int64_t count = ak_min_i64(ROUND, n - s.from);
        AK_TRY(ak_parallel_for(ctx, count, QUERIES, search_block, &s));
        AK_TRY(ak_ctx_tick(ctx, "neighbours", s.from + count, n, NAN));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}
