/* The rows of one side of rsl, and products with them:
 *
 *   A = scale (X - 1 m') U = scale (X U - 1 (m'U))                       (1)
 *   G = scale (X - 1 m')'C = scale (X'C - m (1'C))                       (2)
 *
 * (1) runs over rows and (2) over columns, in blocks that depend on the shape
 * only. So no two threads write to one place, and results do not depend on the
 * number of threads. Sparse rows are stored by column, too. */
#include <math.h>
#include <string.h>

#include "base/comm.h"
#include "la/clones.h"
#include "la/dense.h"
#include "la/tall.h"
#include "learn/cross/rsl.h"

enum {
    WIDE = 6,  // columns of U or C at once
    TALL = 4,  // columns of X at once
    LANES = AK_RSL_LANES,
    ROW_BLOCK = 128,
    COL_BLOCK = 256,
    STRIP = 64,
};

/* ---- tiles of dense rows ---------------------------------------------------
 *
 * The sums of several columns stay in registers during one pass over X. BLAS
 * treats a matrix of five columns as a general one and is three times slower.
 * Lanes are samples: no sum is across lanes before the end of a column, and
 * then always in the same order. */

/* CW columns of U. */
#define DEFINE_PROJECT(CW)                                                   \
    AK_CLONES static void project_##CW(int64_t n, const float *x, int64_t k, \
                                       const double *U, double scale,        \
                                       const double *shift, double *Y)       \
    {                                                                        \
        ak_rsl_v8 a[CW][2];                                                  \
        for (int c = 0; c < CW; ++c)                                         \
            a[c][0] = a[c][1] = (ak_rsl_v8){0};                              \
        for (int64_t j = 0; j < n; ++j) {                                    \
            const ak_rsl_v8 x0 = AK_RSL_LOAD(x + j * LANES);                 \
            const ak_rsl_v8 x1 = AK_RSL_LOAD(x + j * LANES + 8);             \
            for (int c = 0; c < CW; ++c) {                                   \
                a[c][0] += x0 * U[j * k + c];                                \
                a[c][1] += x1 * U[j * k + c];                                \
            }                                                                \
        }                                                                    \
        for (int c = 0; c < CW; ++c) {                                       \
            a[c][0] = scale * (a[c][0] - shift[c]);                          \
            a[c][1] = scale * (a[c][1] - shift[c]);                          \
            memcpy(Y + c * LANES, a[c], sizeof a[c]);                        \
        }                                                                    \
    }

/* TALL columns of X with CW of C. */
#define DEFINE_GATHER(CW)                                                      \
    AK_CLONES static void gather_##CW(int64_t tiles, int64_t n,                \
                                      const float *x, int64_t rows, int64_t k, \
                                      const double *C, double *Y)              \
    {                                                                          \
        ak_rsl_v8 a[TALL][CW];                                                 \
        int64_t at[TALL];                                                      \
        for (int r = 0; r < TALL; ++r)                                         \
            at[r] = (r < rows ? r : 0) * LANES;                                \
        for (int i = 0; i < TALL * CW; ++i)                                    \
            a[i / CW][i % CW] = (ak_rsl_v8){0};                                \
        for (int64_t i = 0; i < tiles * 2; ++i) {                              \
            const float *t = x + i / 2 * n * LANES + i % 2 * 8;                \
            const double *u = C + i / 2 * k * LANES + i % 2 * 8;               \
            ak_rsl_v8 b[CW];                                                   \
            for (int c = 0; c < CW; ++c)                                       \
                memcpy(&b[c], u + c * LANES, sizeof b[c]);                     \
            for (int r = 0; r < TALL; ++r) {                                   \
                const ak_rsl_v8 v = AK_RSL_LOAD(t + at[r]);                    \
                for (int c = 0; c < CW; ++c)                                   \
                    a[r][c] += v * b[c];                                       \
            }                                                                  \
        }                                                                      \
        for (int r = 0; r < TALL && r < rows; ++r)                             \
            for (int c = 0; c < CW; ++c) {                                     \
                const ak_rsl_v8 s = a[r][c];                                   \
                Y[r * k + c] += ((s[0] + s[4]) + (s[2] + s[6])) +              \
                                ((s[1] + s[5]) + (s[3] + s[7]));               \
            }                                                                  \
    }

#define DEFINE_BOTH(CW) DEFINE_PROJECT(CW) DEFINE_GATHER(CW)
DEFINE_BOTH(1)
DEFINE_BOTH(2)
DEFINE_BOTH(3)
DEFINE_BOTH(4)
DEFINE_BOTH(5)
DEFINE_BOTH(6)

typedef void (*project_fn)(int64_t n, const float *x, int64_t k,
                           const double *U, double scale, const double *shift,
                           double *Y);
typedef void (*gather_fn)(int64_t tiles, int64_t n, const float *x,
                          int64_t rows, int64_t k, const double *C, double *Y);

/* Columns at once, as evenly as possible. */
static int64_t width_of(int64_t k)
{
    const int64_t parts = (k + WIDE - 1) / WIDE;
    return (k + parts - 1) / parts;
}

void ak_rsl_tile_project(int64_t n, const float *x, int64_t k, const double *U,
                         double scale, const double *shift, double *Y)
{
    static const project_fn fns[WIDE] = {project_1, project_2, project_3,
                                         project_4, project_5, project_6};
    const int64_t wide = width_of(k);
    for (int64_t c = 0; c < k; c += wide) {
        const int64_t cw = k - c < wide ? k - c : wide;
        fns[cw - 1](n, x, k, U + c, scale, shift + c, Y + c * LANES);
    }
}

void ak_rsl_tiles_gather(int64_t tiles, int64_t n, const float *x, int64_t rows,
                         int64_t k, const double *C, double *Y)
{
    static const gather_fn fns[WIDE] = {gather_1, gather_2, gather_3,
                                        gather_4, gather_5, gather_6};
    const int64_t wide = width_of(k);
    for (int64_t j = 0; j < rows; j += TALL)
        for (int64_t c = 0; c < k; c += wide) {
            const int64_t cw = k - c < wide ? k - c : wide;
            fns[cw - 1](tiles, n, x + j * LANES, rows - j, k, C + c * LANES,
                        Y + j * k + c);
        }
}

/* ---- one side ------------------------------------------------------------ */

void ak_rsl_side_dense(ak_rsl_side *s, int64_t N, int64_t n, const double *X)
{
    *s = (ak_rsl_side){.N = N, .n = n, .X = X, .scale = 1.0};
}

static akin_status take_dense(ak_rsl_side *s, akin_ctx *ctx,
                              const akin_rows *rows, const int64_t *which)
{
    AK_CHECK(ak_scratch(ctx, ak_rsl_padded(s->N),
                        (size_t)s->n * sizeof *s->tiles, &s->tiles));
    for (int64_t i = 0; i < s->N; ++i) {
        const float *x = ak_rows_dense(rows, which[i]);
        float *tile = s->tiles + i / LANES * LANES * s->n + i % LANES;
        for (int64_t j = 0; j < s->n; ++j)
            tile[j * LANES] = x[j];
    }
    return AKIN_OK;
}

/* Sparse rows by column: counts, places, numbers. */
static akin_status by_column(ak_rsl_side *s, akin_ctx *ctx)
{
    int64_t total = 0, *at = NULL;
    AK_CHECK(AK_SCRATCH(ctx, s->n + 2, &s->offsets));
    at = s->offsets + 1;  // one place ahead while they are filled
    for (int64_t i = 0; i < s->N; ++i) {
        const ak_sparse x = ak_rows_sparse(s->rows, s->which[i]);
        for (int64_t k = 0; k < x.n; ++k)
            ++at[x.cols[k] + 1];
        total += x.n;
    }
    for (int64_t j = 0; j < s->n; ++j)
        at[j + 1] += at[j];
    AK_CHECK(AK_SCRATCH(ctx, total, &s->samples));
    AK_CHECK(AK_SCRATCH(ctx, total, &s->vals));
    for (int64_t i = 0; i < s->N; ++i) {
        const ak_sparse x = ak_rows_sparse(s->rows, s->which[i]);
        for (int64_t k = 0; k < x.n; ++k) {
            const int64_t to = at[x.cols[k]]++;
            s->samples[to] = (int32_t)i;
            s->vals[to] = x.vals[k];
        }
    }
    return AKIN_OK;
}

akin_status ak_rsl_side_rows(ak_rsl_side *s, akin_ctx *ctx,
                             const akin_rows *rows, const int64_t *which,
                             int64_t N)
{
    *s = (ak_rsl_side){.N = N, .n = rows->d, .scale = 1.0};
    if (N > INT32_MAX)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " rows are too many (at most %d)", N,
                       INT32_MAX);
    if (rows->offsets == NULL)
        return take_dense(s, ctx, rows, which);
    s->rows = rows;
    s->which = which;
    return by_column(s, ctx);
}

typedef struct product {
    const ak_rsl_side *s;
    int64_t k, block;
    const double *in;
    double *out;
    const double *shift;  // k, of (1) or (2)
    double *room;  // of dense rows: a tile for each worker, or `in` in tiles
} product;

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
static void project_dense(const product *b, int64_t begin, int64_t end,
                          int64_t worker)
{
    const ak_rsl_side *s = b->s;
    const int64_t k = b->k;
    double *t = b->room + worker * k * LANES;
    for (int64_t i = begin; i < end; ++i) {
        if (i % LANES == 0)
            ak_rsl_tile_project(s->n, s->tiles + i * s->n, k, b->in, s->scale,
                                b->shift, t);
        for (int64_t c = 0; c < k; ++c)
            b->out[i * k + c] = t[c * LANES + i % LANES];
    }
}

/* Rows [begin, end) of (1). */
static akin_status project_block(void *arg, int64_t begin, int64_t end,
                                 int64_t worker)
{
    const product *b = arg;
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
    product b = {s, k, 0, U, A, shift, NULL};
    if (s->tiles != NULL)
        AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * k * LANES, &b.room));
    AK_TRY(AK_COMM_MAP(ctx, s->N, ROW_BLOCK, project_block, &b,
                       {A, (size_t)k * sizeof *A}));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Columns [begin, end) of (2), dense, onto what is there. */
static void gather_dense(const product *b, int64_t begin, int64_t end)
{
    const ak_rsl_side *s = b->s;
    const int64_t k = b->k, tiles = ak_rsl_tiles(s->N);
    for (int64_t t = 0; t < tiles; t += STRIP)
        ak_rsl_tiles_gather(ak_min_i64(STRIP, tiles - t), s->n,
                            s->tiles + (t * s->n + begin) * LANES, end - begin,
                            k, b->room + t * k * LANES, b->out + begin * k);
    for (int64_t i = begin * k; i < end * k; ++i)
        b->out[i] *= s->scale;
}

/* Columns [begin, end) of (2). */
static akin_status gather_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const product *b = arg;
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
    product b = {s, k, COL_BLOCK, C, G, sums, NULL};
    if (s->tiles != NULL) {
        AK_TRY(AK_SCRATCH(ctx, ak_rsl_padded(s->N) * k, &b.room));
        for (int64_t i = 0; i < s->N; ++i)
            for (int64_t c = 0; c < k; ++c)
                b.room[(i / LANES * k + c) * LANES + i % LANES] = C[i * k + c];
    }
    /* Dense columns are few; smaller blocks give every thread some, and depend
     * on the shape only. */
    if (s->tiles != NULL || s->X != NULL)
        b.block = ak_max_i64(16, ak_min_i64(COL_BLOCK, s->n / 128 * 8));
    AK_TRY(AK_COMM_MAP(ctx, s->n, b.block, gather_block, &b,
                       {G, (size_t)k * sizeof *G}));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static double weight_of(const ak_rsl_side *s, int64_t i)
{
    return s->weights != NULL ? s->weights[i] : 1.0;
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
        weights[i] = weight_of(s, i) / (double)s->N;
    AK_TRY(ak_rsl_gather(ctx, s, 1, weights, mean));
    for (int64_t j = 0; j < s->n; ++j)
        mean[j] /= s->scale;
    s->mean = mean;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* |x|^2 of a row before centring and scaling. */
static double square_of(const ak_rsl_side *s, int64_t i)
{
    double sum = 0.0;
    if (s->X != NULL)
        return ak_dot(s->n, s->X + i * s->n, s->X + i * s->n);
    if (s->tiles != NULL) {
        const float *x = s->tiles + i / LANES * LANES * s->n + i % LANES;
        for (int64_t j = 0; j < s->n; ++j)
            sum += (double)x[j * LANES] * (double)x[j * LANES];
        return sum;
    }
    const ak_sparse x = ak_rows_sparse(s->rows, s->which[i]);
    for (int64_t k = 0; k < x.n; ++k)
        sum += (double)x.vals[k] * (double)x.vals[k];
    return sum;
}

/* Its mean, by the weights of the rows. */
static double mean_square(const ak_rsl_side *s)
{
    double sum = 0.0;
    for (int64_t i = 0; i < s->N; ++i)
        sum += weight_of(s, i) * square_of(s, i);
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
