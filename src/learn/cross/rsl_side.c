/* The rows of one side of rsl, and products with them:
 *
 *   A = scale (X - 1 m') U = scale (X U - 1 (m'U))                       (1)
 *   G = scale (X - 1 m')'C = scale (X'C - m (1'C))                       (2)
 *
 * (1) goes over rows and (2) over columns, each in blocks that only depend on
 * the shape, so that no two threads write to one place and results do not
 * depend on their number. Sparse rows are kept by column too. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/clones.h"
#include "la/dense.h"
#include "la/tall.h"
#include "learn/cross/rsl.h"
#include "learn/cross/rsl_dense.h"

enum { ROW_BLOCK = 128, COL_BLOCK = 256, STRIP = 64 };

void ak_rsl_side_dense(ak_rsl_side *s, int64_t N, int64_t n, const double *X)
{
    *s = (ak_rsl_side){.N = N, .n = n, .X = X, .scale = 1.0};
}

static akin_status take_dense(ak_rsl_side *s, akin_ctx *ctx,
                              const akin_rows *rows, const int64_t *which)
{
    const int64_t lanes = AK_RSL_LANES;
    akin_status st = AKIN_OK;
    AK_TRY(ak_scratch(ctx, ak_rsl_padded(s->N), (size_t)s->n * sizeof *s->tiles,
                      &s->tiles));
    for (int64_t i = 0; i < s->N; ++i) {
        const float *x = ak_rows_dense(rows, which[i]);
        float *tile = s->tiles + i / lanes * lanes * s->n + i % lanes;
        for (int64_t j = 0; j < s->n; ++j)
            tile[j * lanes] = x[j];
    }
done:
    return st;
}

/* Sparse rows by column: counts, places, numbers. */
static akin_status by_column(ak_rsl_side *s, akin_ctx *ctx)
{
    int64_t total = 0, *at = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->n + 2, &s->offsets));
    at = s->offsets + 1;  // one place ahead while they are filled
    for (int64_t i = 0; i < s->N; ++i) {
        const ak_sparse x = ak_rows_sparse(s->rows, s->which[i]);
        for (int64_t k = 0; k < x.n; ++k)
            ++at[x.cols[k] + 1];
        total += x.n;
    }
    for (int64_t j = 0; j < s->n; ++j)
        at[j + 1] += at[j];
    AK_TRY(AK_SCRATCH(ctx, total, &s->samples));
    AK_TRY(AK_SCRATCH(ctx, total, &s->vals));
    for (int64_t i = 0; i < s->N; ++i) {
        const ak_sparse x = ak_rows_sparse(s->rows, s->which[i]);
        for (int64_t k = 0; k < x.n; ++k) {
            const int64_t to = at[x.cols[k]]++;
            s->samples[to] = (int32_t)i;
            s->vals[to] = x.vals[k];
        }
    }
done:
    return st;
}

akin_status ak_rsl_side_rows(ak_rsl_side *s, akin_ctx *ctx,
                             const akin_rows *rows, const int64_t *which,
                             int64_t N)
{
    *s = (ak_rsl_side){.N = N, .n = rows->d, .scale = 1.0};
    if (N > INT32_MAX)
        return ak_fail(ctx, AKIN_ESHAPE, "%" PRId64 " rows are too many", N);
    if (rows->offsets == NULL)
        return take_dense(s, ctx, rows, which);
    s->rows = rows;
    s->which = which;
    return by_column(s, ctx);
}

typedef struct job {
    const ak_rsl_side *s;
    int64_t k, block;
    const double *in;
    double *out;
    const double *shift;  // k, of (1) or (2)
    double *room;  // of dense rows: a tile for each worker, or `in` in tiles
} job;

/* out += sum_i v_i M[at_i, :]. */
AK_CLONES static void add_rows(int64_t n, const int32_t *at, const float *v,
                               int64_t k, const double *M, double *restrict out)
{
    for (int64_t i = 0; i < n; ++i) {
        const double x = (double)v[i];
        const double *m = M + (int64_t)at[i] * k;
        for (int64_t c = 0; c < k; ++c)
            out[c] += x * m[c];
    }
}

/* Rows [begin, end) of (1), dense; `begin` is that of a tile. */
static void project_dense(const job *b, int64_t begin, int64_t end,
                          int64_t worker)
{
    const ak_rsl_side *s = b->s;
    const int64_t k = b->k, lanes = AK_RSL_LANES;
    double *t = b->room + worker * k * lanes;
    for (int64_t i = begin; i < end; ++i) {
        if (i % lanes == 0)
            ak_rsl_tile_project(s->n, s->tiles + i * s->n, k, b->in, s->scale,
                                b->shift, t);
        for (int64_t c = 0; c < k; ++c)
            b->out[i * k + c] = t[c * lanes + i % lanes];
    }
}

/* Rows [begin, end) of (1). */
static akin_status project_block(void *arg, int64_t begin, int64_t end,
                                 int64_t worker)
{
    const job *b = arg;
    const ak_rsl_side *s = b->s;
    const int64_t k = b->k;
    double *A = b->out + begin * k;
    if (s->tiles != NULL) {
        project_dense(b, begin, end, worker);
        return AKIN_OK;
    }
    for (int64_t i = 0; i < end - begin; ++i)
        for (int64_t c = 0; c < k; ++c)
            A[i * k + c] = -b->shift[c];
    if (s->X != NULL)
        return ak_gemm(NULL, false, false, end - begin, k, s->n, s->scale,
                       s->X + begin * s->n, s->n, b->in, k, s->scale, A, k);
    for (int64_t i = begin; i < end; ++i) {
        const ak_sparse x = ak_rows_sparse(s->rows, s->which[i]);
        double *a = b->out + i * k;
        add_rows(x.n, x.cols, x.vals, k, b->in, a);
        for (int64_t c = 0; c < k; ++c)
            a[c] *= s->scale;
    }
    return AKIN_OK;
}

akin_status ak_rsl_project(akin_ctx *ctx, const ak_rsl_side *s, int64_t k,
                           const double *U, double *A)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *shift = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, k, &shift));
    if (s->mean != NULL)
        AK_TRY(ak_tall_cross(ctx, s->n, 1, s->mean, k, U, shift));
    job b = {s, k, 0, U, A, shift, NULL};
    if (s->tiles != NULL)
        AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * k * AK_RSL_LANES, &b.room));
    AK_TRY(ak_parallel_for(ctx, s->N, ROW_BLOCK, project_block, &b));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Columns [begin, end) of (2), dense, onto what is there. */
static void gather_dense(const job *b, int64_t begin, int64_t end)
{
    const ak_rsl_side *s = b->s;
    const int64_t k = b->k, tiles = ak_rsl_tiles(s->N);
    for (int64_t t = 0; t < tiles; t += STRIP)
        ak_rsl_tiles_gather(ak_min_i64(STRIP, tiles - t), s->n,
                            s->tiles + (t * s->n + begin) * AK_RSL_LANES,
                            end - begin, k, b->room + t * k * AK_RSL_LANES,
                            b->out + begin * k);
    for (int64_t i = begin * k; i < end * k; ++i)
        b->out[i] *= s->scale;
}

/* Columns [begin, end) of (2). */
static akin_status gather_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const job *b = arg;
    const ak_rsl_side *s = b->s;
    const int64_t k = b->k;
    (void)worker;
    for (int64_t j = begin; j < end; ++j)
        for (int64_t c = 0; c < k; ++c)
            b->out[j * k + c] = s->mean ? -s->mean[j] * b->shift[c] : 0.0;
    if (s->X != NULL)
        return ak_gemm(NULL, true, false, end - begin, k, s->N, s->scale,
                       s->X + begin, s->n, b->in, k, s->scale,
                       b->out + begin * k, k);
    if (s->tiles != NULL) {
        gather_dense(b, begin, end);
        return AKIN_OK;
    }
    for (int64_t j = begin; j < end; ++j) {
        const int64_t at = s->offsets[j];
        double *g = b->out + j * k;
        add_rows(s->offsets[j + 1] - at, s->samples + at, s->vals + at, k,
                 b->in, g);
        for (int64_t c = 0; c < k; ++c)
            g[c] *= s->scale;
    }
    return AKIN_OK;
}

akin_status ak_rsl_gather(akin_ctx *ctx, const ak_rsl_side *s, int64_t k,
                          const double *C, double *G)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *sums = NULL;
    akin_status st = AKIN_OK;
    if (s->mean != NULL) {
        double *ones = NULL;
        AK_TRY(AK_SCRATCH(ctx, k, &sums));
        AK_TRY(AK_SCRATCH(ctx, s->N, &ones));
        for (int64_t i = 0; i < s->N; ++i)
            ones[i] = 1.0;
        AK_TRY(ak_tall_cross(ctx, s->N, 1, ones, k, C, sums));
    }
    job b = {s, k, COL_BLOCK, C, G, sums, NULL};
    if (s->tiles != NULL) {
        const int64_t lanes = AK_RSL_LANES;
        AK_TRY(AK_SCRATCH(ctx, ak_rsl_padded(s->N) * k, &b.room));
        for (int64_t i = 0; i < s->N; ++i)
            for (int64_t c = 0; c < k; ++c)
                b.room[(i / lanes * k + c) * lanes + i % lanes] = C[i * k + c];
    }
    /* Dense columns are few; some blocks even so, whatever the threads. */
    if (s->tiles != NULL || s->X != NULL)
        b.block = ak_max_i64(16, ak_min_i64(COL_BLOCK, s->n / 128 * 8));
    AK_TRY(ak_parallel_for(ctx, s->n, b.block, gather_block, &b));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rsl_side_center(ak_rsl_side *s, akin_ctx *ctx)
{
    double *mean = NULL, *weights = NULL;
    akin_status st = AK_SCRATCH(ctx, s->n, &mean);
    const ak_mark mark = ak_scratch_begin(ctx);
    if (st != AKIN_OK)
        return st;
    AK_TRY(AK_SCRATCH(ctx, s->N, &weights));
    for (int64_t i = 0; i < s->N; ++i)
        weights[i] = 1.0 / (double)s->N;
    AK_TRY(ak_rsl_gather(ctx, s, 1, weights, mean));
    for (int64_t j = 0; j < s->n; ++j)
        mean[j] /= s->scale;
    s->mean = mean;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Mean of |x|^2 without the mean taken off, before scaling. */
static double mean_square(const ak_rsl_side *s)
{
    double sum = 0.0;
    for (int64_t i = 0; i < s->N; ++i) {
        if (s->X != NULL) {
            sum += ak_dot(s->n, s->X + i * s->n, s->X + i * s->n);
            continue;
        }
        if (s->tiles != NULL) {
            const float *x = s->tiles + i / AK_RSL_LANES * AK_RSL_LANES * s->n +
                             i % AK_RSL_LANES;
            for (int64_t j = 0; j < s->n; ++j)
                sum += (double)x[j * AK_RSL_LANES] *
                       (double)x[j * AK_RSL_LANES];
            continue;
        }
        const ak_sparse x = ak_rows_sparse(s->rows, s->which[i]);
        for (int64_t k = 0; k < x.n; ++k)
            sum += (double)x.vals[k] * (double)x.vals[k];
    }
    return s->N > 0 ? sum / (double)s->N : 0.0;
}

bool ak_rsl_side_scale(ak_rsl_side *s)
{
    const double all = mean_square(s);
    const double own = s->mean ? all - ak_dot(s->n, s->mean, s->mean) : all;
    const bool vary = own > 1e-12 * all;
    s->scale = vary ? 1.0 / sqrt(own) : 1.0;
    return vary;
}

akin_status ak_rsl_side_bias(double *bias, akin_ctx *ctx, const ak_rsl_side *s)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_rsl_side own = *s;
    const double all = mean_square(s);
    akin_status st = AKIN_OK;
    own.mean = NULL;
    AK_TRY(ak_rsl_side_center(&own, ctx));
    *bias = all > 0.0 ? ak_dot(s->n, own.mean, own.mean) / all : 0.0;
done:
    ak_scratch_end(ctx, mark);
    return st;
}
