/* Sums over every left sample with every right one, without a list:
 *
 *   F = A diag(s) B',  C = slopes of F,  P0 = C B,  P1 = C'A             (1)
 *
 * in tiles of F that live in the cache, so that memory is that of the samples.
 * A chunk of left samples is one block of work with its own sum for P1. */
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "learn/cross/rsl.h"

enum { TILE = 64, WIDE = 128, CELLS = TILE * WIDE, CHUNKS = 8 };

typedef struct grid {
    const ak_rsl *p;
    const ak_rsl_state *s;
    int64_t chunk;  // left samples
    double *AS;     // A diag(s)
    double *right;  // N x k for each chunk: parts of P1
    double *tiles;  // 5 tiles for each worker
    double *sums;   // one a chunk
} grid;

/* The weights of a tile: left samples from i, right ones from j. */
static void weights(const ak_rsl_pairs *q, int64_t i, int64_t rows, int64_t j,
                    int64_t cols, double *w)
{
    const int32_t *x = q->grid->side[0].classes, *y = q->grid->side[1].classes;
    for (int64_t a = 0; a < rows; ++a)
        for (int64_t b = 0; b < cols; ++b) {
            const bool match = x && y ? x[i + a] == y[j + b]
                                      : ak_pairs_match(q->grid, i + a, j + b);
            w[a * cols + b] = match ? q->weight[1] : -q->weight[0];
        }
}

/* C = A B' of k columns each, rows x cols, added to what is there. */
static void outer(int64_t rows, int64_t cols, int64_t k, const double *A,
                  const double *B, double beta, double *C)
{
    ak_gemm(NULL, false, true, rows, cols, k, 1.0, A, k, B, k, beta, C, cols);
}

/* Y (rows x k) += C B, and Z (cols x k) += C'A. */
static void inner(int64_t rows, int64_t cols, int64_t k, const double *C,
                  const double *B, double *Y, const double *A, double *Z)
{
    ak_gemm(NULL, false, false, rows, k, cols, 1.0, C, cols, B, k, 1.0, Y, k);
    ak_gemm(NULL, true, false, cols, k, rows, 1.0, C, cols, A, k, 1.0, Z, k);
}

/* One tile of a pass. */
typedef void (*tile_fn)(const grid *g, double *tiles, int64_t i, int64_t rows,
                        int64_t j, int64_t cols, double *sum, double *right);

static void walk(const grid *g, int64_t begin, int64_t end, int64_t worker,
                 tile_fn fn)
{
    const int64_t N = g->p->side[1].N, k = g->p->shape.k;
    const int64_t number = begin / g->chunk;
    double *right = g->right ? g->right + number * N * k : NULL;
    double *tiles = g->tiles + worker * 5 * CELLS;
    for (int64_t i = begin; i < end; i += TILE)
        for (int64_t j = 0; j < N; j += WIDE)
            fn(g, tiles, i, ak_min_i64(TILE, end - i), j,
               ak_min_i64(WIDE, N - j), g->sums + number, right);
}

/* F and the weights of a tile, in the first two of the worker's. */
static void scores(const grid *g, double *tiles, int64_t i, int64_t rows,
                   int64_t j, int64_t cols)
{
    const int64_t k = g->p->shape.k;
    outer(rows, cols, k, g->AS + i * k, g->s->B + j * k, 0.0, tiles);
    weights(&g->p->pairs, i, rows, j, cols, tiles + CELLS);
}

static void value_tile(const grid *g, double *tiles, int64_t i, int64_t rows,
                       int64_t j, int64_t cols, double *sum, double *right)
{
    (void)right;
    scores(g, tiles, i, rows, j, cols);
    *sum += ak_rsl_losses(g->p->loss, rows * cols, tiles, tiles + CELLS);
}

static void first_tile(const grid *g, double *tiles, int64_t i, int64_t rows,
                       int64_t j, int64_t cols, double *sum, double *right)
{
    const int64_t k = g->p->shape.k;
    double *c = tiles + 2 * CELLS, *h = tiles + 3 * CELLS;
    (void)sum;
    scores(g, tiles, i, rows, j, cols);
    ak_rsl_slopes(g->p->loss, rows * cols, tiles, tiles + CELLS, c, h);
    inner(rows, cols, k, c, g->s->B + j * k, g->p->P[0] + i * k,
          g->s->A + i * k, right + j * k);
}

static void second_tile(const grid *g, double *tiles, int64_t i, int64_t rows,
                        int64_t j, int64_t cols, double *sum, double *right)
{
    const ak_rsl *p = g->p;
    const int64_t k = p->shape.k;
    double *c = tiles + 2 * CELLS, *h = tiles + 3 * CELLS;
    double *df = tiles + 4 * CELLS;
    const double *A = g->s->A + i * k, *B = g->s->B + j * k;
    (void)sum;
    scores(g, tiles, i, rows, j, cols);
    ak_rsl_slopes(p->loss, rows * cols, tiles, tiles + CELLS, c, h);
    outer(rows, cols, k, p->E + i * k, B, 0.0, df);
    outer(rows, cols, k, A, p->C[1] + j * k, 1.0, df);
    for (int64_t t = 0; t < rows * cols; ++t)
        h[t] *= df[t];
    inner(rows, cols, k, h, B, p->Q + i * k, A, right + j * k);
    inner(rows, cols, k, c, p->D[1] + j * k, p->P[0] + i * k, p->D[0] + i * k,
          right + j * k);
}

static akin_status value_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    walk(arg, begin, end, worker, value_tile);
    return AKIN_OK;
}

static akin_status first_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    walk(arg, begin, end, worker, first_tile);
    return AKIN_OK;
}

static akin_status second_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    walk(arg, begin, end, worker, second_tile);
    return AKIN_OK;
}

/* Chunks are whole tiles, at most CHUNKS of them. */
static akin_status begin_grid(grid *g, akin_ctx *ctx, bool right)
{
    const ak_rsl *p = g->p;
    const int64_t N = p->side[0].N, k = p->shape.k;
    const int64_t tiles = N / TILE + 1;
    akin_status st = AKIN_OK;
    g->chunk = (tiles / CHUNKS + 1) * TILE;
    const int64_t chunks = N / g->chunk + 1;
    AK_TRY(AK_SCRATCH(ctx, N * k, &g->AS));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * 5 * CELLS, &g->tiles));
    AK_TRY(AK_SCRATCH(ctx, chunks, &g->sums));
    if (right)
        AK_TRY(AK_SCRATCH(ctx, chunks * p->side[1].N * k, &g->right));
    for (int64_t i = 0; i < N * k; ++i)
        g->AS[i] = g->s->A[i] * g->s->x.s[i % k];
done:
    return st;
}

/* P[1] = the sum of its parts, in their order. */
static void add_up(const grid *g)
{
    const int64_t size = g->p->side[1].N * g->p->shape.k;
    memcpy(g->p->P[1], g->right, (size_t)size * sizeof *g->right);
    for (int64_t c = 1; c < g->p->side[0].N / g->chunk + 1; ++c)
        for (int64_t i = 0; i < size; ++i)
            g->p->P[1][i] += g->right[c * size + i];
}

akin_status ak_rsl_grid_value(double *sum, akin_ctx *ctx, const ak_rsl *p,
                              ak_rsl_state *s)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    grid g = {.p = p, .s = s};
    akin_status st = AKIN_OK;
    AK_TRY(begin_grid(&g, ctx, false));
    AK_TRY(ak_parallel_for(ctx, p->side[0].N, g.chunk, value_block, &g));
    *sum = 0.0;
    for (int64_t c = 0; c < p->side[0].N / g.chunk + 1; ++c)
        *sum += g.sums[c];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rsl_grid_first(akin_ctx *ctx, ak_rsl *p, const ak_rsl_state *s)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const size_t size = (size_t)(p->side[0].N * p->shape.k) * sizeof(double);
    grid g = {.p = p, .s = s};
    akin_status st = AKIN_OK;
    AK_TRY(begin_grid(&g, ctx, true));
    memset(p->P[0], 0, size);
    AK_TRY(ak_parallel_for(ctx, p->side[0].N, g.chunk, first_block, &g));
    add_up(&g);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rsl_grid_second(akin_ctx *ctx, ak_rsl *p)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t size = p->side[0].N * p->shape.k;
    grid g = {.p = p, .s = &p->now};
    akin_status st = AKIN_OK;
    AK_TRY(begin_grid(&g, ctx, true));
    memset(p->P[0], 0, (size_t)size * sizeof *p->P[0]);
    memset(p->Q, 0, (size_t)size * sizeof *p->Q);
    AK_TRY(ak_parallel_for(ctx, p->side[0].N, g.chunk, second_block, &g));
    add_up(&g);
    for (int64_t i = 0; i < size; ++i)
        p->P[0][i] += p->Q[i];
done:
    ak_scratch_end(ctx, mark);
    return st;
}
