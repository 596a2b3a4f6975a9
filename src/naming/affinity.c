/* How alike faces are, for faces that share a name; naming/affinity.h. */
#include "naming/affinity.h"

#include <math.h>

#include "base/parallel.h"
#include "la/dense.h"

enum { BLOCK = 64 };

akin_status ak_affinity_new(ak_affinity *out, akin_ctx *ctx,
                            const ak_peers *peers)
{
    out->peers = peers;
    return AK_SCRATCH(ctx, peers->start[peers->n], &out->values);
}

/* ---- from a representation ---------------------------------------------- */

typedef struct spread {
    akin_ctx *ctx;
    const ak_representation *W;
    ak_affinity_mode mode;
    double *rows, *columns;  // BLOCK x n, for each worker
    double *low, *high;      // one a block
    double *values;          // of the affinity
    const ak_peers *peers;
} spread;

/* A = (W + W') / 2 of a block of faces: its extremes, and the peers' values. */
static akin_status spread_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const spread *s = arg;
    const int64_t n = s->W->n;
    double *rows = s->rows + worker * BLOCK * n;
    double *columns = s->columns + worker * BLOCK * n;
    double low = INFINITY, high = -INFINITY;
    akin_status st = AKIN_OK;
    AK_TRY(ak_representation_rows(s->W, s->ctx, begin, end, rows));
    AK_TRY(ak_representation_columns(s->W, s->ctx, begin, end, columns));
    for (int64_t k = 0; k < (end - begin) * n; ++k) {
        const double x = rows[k], y = columns[k];
        rows[k] = s->mode == AK_AFFINITY_ABS ? (fabs(x) + fabs(y)) / 2.0
                                             : (x + y) / 2.0;
        low = fmin(low, rows[k]);
        high = fmax(high, rows[k]);
    }
    s->low[begin / BLOCK] = low;
    s->high[begin / BLOCK] = high;
    for (int64_t i = begin; i < end; ++i) {
        const int32_t *peers;
        const int64_t m = ak_peers_get(s->peers, i, &peers);
        for (int64_t k = 0; k < m; ++k)
            s->values[s->peers->start[i] + k] =
                rows[(i - begin) * n + peers[k]];
    }
done:
    return st;
}

/* Into [0, 1]. */
static void stretch(const ak_affinity *a, ak_affinity_mode mode, double low,
                    double high)
{
    const int64_t n = a->peers->start[a->peers->n];
    if (mode != AK_AFFINITY_MINMAX)
        low = 0.0;
    const double by = high > low ? 1.0 / (high - low) : 0.0;
    for (int64_t k = 0; k < n; ++k)
        a->values[k] = fmax(0.0, (a->values[k] - low) * by);
}

akin_status ak_affinity_of(ak_affinity *a, akin_ctx *ctx,
                           const ak_representation *W, ak_affinity_mode mode)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = W->n, blocks = (n + BLOCK - 1) / BLOCK;
    spread s = {ctx, W, mode, .values = a->values, .peers = a->peers};
    double low = INFINITY, high = -INFINITY;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * BLOCK * n, &s.rows));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * BLOCK * n, &s.columns));
    AK_TRY(AK_SCRATCH(ctx, blocks, &s.low));
    AK_TRY(AK_SCRATCH(ctx, blocks, &s.high));
    AK_TRY(ak_parallel_for(ctx, n, BLOCK, spread_block, &s));
    for (int64_t b = 0; b < blocks; ++b) {
        low = fmin(low, s.low[b]);
        high = fmax(high, s.high[b]);
    }
    if (!isfinite(low) || !isfinite(high))
        AK_TRY(ak_fail(ctx, AKIN_ENUMERIC, "an affinity is not finite"));
    stretch(a, mode, low, high);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- from a metric ------------------------------------------------------ */

typedef struct kernel {
    const ak_affinity *a;
    const double *points;
    int64_t d;
    double beta;
} kernel;

static akin_status kernel_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const kernel *s = arg;
    const int64_t d = s->d;
    (void)worker;
    for (int64_t i = begin; i < end; ++i) {
        const int32_t *peers;
        const double *x = s->points + i * d;
        const int64_t m = ak_peers_get(s->a->peers, i, &peers);
        double *out = s->a->values + s->a->peers->start[i];
        for (int64_t k = 0; k < m; ++k) {
            const double *y = s->points + peers[k] * d;
            double sum = 0.0;
            for (int64_t c = 0; c < d; ++c)
                sum += (x[c] - y[c]) * (x[c] - y[c]);
            out[k] = s->beta > 0.0 ? exp(-sqrt(sum / s->beta)) : 1.0;
        }
    }
    return AKIN_OK;
}

akin_status ak_affinity_kernel(ak_affinity *a, akin_ctx *ctx, int64_t d,
                               const double *points)
{
    const int64_t n = a->peers->n;
    kernel s = {a, points, d, 0.0};
    /* The mean over all pairs of |x - y|^2 is twice the variance. */
    for (int64_t c = 0; c < d; ++c) {
        double mean = 0.0, sum = 0.0;
        for (int64_t i = 0; i < n; ++i)
            mean += points[i * d + c];
        mean /= (double)n;
        for (int64_t i = 0; i < n; ++i) {
            const double gap = points[i * d + c] - mean;
            sum += gap * gap;
        }
        s.beta += 2.0 * sum / (double)n;
    }
    return ak_parallel_for(ctx, n, BLOCK, kernel_block, &s);
}

void ak_affinity_fuse(ak_affinity *a, const ak_affinity *b, double alpha)
{
    const int64_t n = a->peers->start[a->peers->n];
    for (int64_t k = 0; k < n; ++k)
        a->values[k] = (1.0 - alpha) * a->values[k] + alpha * b->values[k];
}
