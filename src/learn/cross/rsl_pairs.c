/* Sums over the pairs of rsl: losses, and their derivatives times matrices.
 * Pairs come in three forms. The letters are those of rsl.c.
 *
 *   a list      pairs that are given one by one
 *   a grid      every left sample with every right one, matching by label
 *   aligned     a list in which pair t is left sample t with right sample t */
#include <math.h>
#include <string.h>

#include "base/comm.h"
#include "la/clones.h"
#include "la/dense.h"
#include "la/tall.h"
#include "learn/cross/rsl.h"

enum {
    TERMS = 128,
    LIST_BLOCK = 64,
    TILE = 64,   // of a grid: left samples,
    WIDE = 128,  // right samples
    CELLS = TILE * WIDE,
    LANES = AK_RSL_LANES,
    STRIP = 16 * LANES,
    CHUNKS = 8,
};

/* ---- losses ----------------------------------------------------------------
 *
 * and their derivatives, z = y f:
 *
 *   log      log(1 + e^-z)        -y p          p (1 - p),  p = 1 / (1 + e^z)
 *   hinge2   max(0, 1 - z)^2      -2 y (1 - z)  2, both where z < 1
 *   ridge    (f - y)^2            2 (f - y)     2
 *
 * Every product with the Hessian of a grid computes derivatives, so the
 * exponential and the logarithm are written such that the compiler vectorises
 * them. */

/* e^x for x <= 0, to 2 units in the last place: x = n log 2 + r with
 * |r| <= log(2) / 2, the Taylor series of e^r, and n put into the exponent. */
static inline double exp_negative(double x)
{
    const double magic = 6755399441055744.0 + 1023.0;  // 1.5 2^52, and the bias
    const double clipped = x < -700.0 ? -700.0 : x;
    const double shifted = clipped * 1.44269504088896340736 + magic;
    const double n = shifted - magic;
    const double r = (clipped - n * 6.93147180369123816490e-01) -
                     n * 1.90821492927058770002e-10;
    double sum = 1.0 / 6227020800.0, power;
    uint64_t bits;
    sum = sum * r + 1.0 / 479001600.0;
    sum = sum * r + 1.0 / 39916800.0;
    sum = sum * r + 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    memcpy(&bits, &shifted, sizeof bits);
    bits <<= 52;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

/* log(1 + e) for 0 <= e <= 1, to 3 units in the last place: 2 artanh(t) with
 * t = e / (2 + e), whose series is in t^2 <= 1/9. */
static inline double log_one_plus(double e)
{
    const double t = e / (2.0 + e), u = t * t;
    double sum = 1.0 / 33.0;
    sum = sum * u + 1.0 / 31.0;
    sum = sum * u + 1.0 / 29.0;
    sum = sum * u + 1.0 / 27.0;
    sum = sum * u + 1.0 / 25.0;
    sum = sum * u + 1.0 / 23.0;
    sum = sum * u + 1.0 / 21.0;
    sum = sum * u + 1.0 / 19.0;
    sum = sum * u + 1.0 / 17.0;
    sum = sum * u + 1.0 / 15.0;
    sum = sum * u + 1.0 / 13.0;
    sum = sum * u + 1.0 / 11.0;
    sum = sum * u + 1.0 / 9.0;
    sum = sum * u + 1.0 / 7.0;
    sum = sum * u + 1.0 / 5.0;
    sum = sum * u + 1.0 / 3.0;
    return 2.0 * (t + t * u * sum);
}

AK_CLONES static void log_terms(int64_t n, const double *restrict f,
                                const double *restrict w, double *restrict out)
{
    for (int64_t i = 0; i < n; ++i) {
        const double z = w[i] < 0.0 ? -f[i] : f[i];
        const double e = exp_negative(-fabs(z));
        out[i] = fabs(w[i]) * (log_one_plus(e) + (z < 0.0 ? -z : 0.0));
    }
}

static double log_losses(int64_t n, const double *f, const double *w)
{
    double sum = 0.0, terms[TERMS];
    for (int64_t at = 0; at < n; at += TERMS) {
        const int64_t some = ak_min_i64(TERMS, n - at);
        log_terms(some, f + at, w + at, terms);
        for (int64_t i = 0; i < some; ++i)
            sum += terms[i];
    }
    return sum;
}

double ak_rsl_losses(ak_rsl_loss loss, int64_t n, const double *f,
                     const double *w)
{
    double sum = 0.0;
    if (loss == AK_RSL_LOG)
        return log_losses(n, f, w);
    for (int64_t i = 0; i < n; ++i) {
        const double room = 1.0 - (w[i] < 0.0 ? -f[i] : f[i]);
        if (loss == AK_RSL_RIDGE || room > 0.0)
            sum += fabs(w[i]) * room * room;
    }
    return sum;
}

AK_CLONES static void log_slopes(int64_t n, const double *restrict f,
                                 const double *restrict w, double *restrict c,
                                 double *restrict h)
{
    for (int64_t i = 0; i < n; ++i) {
        const double z = w[i] < 0.0 ? -f[i] : f[i];
        const double e = exp_negative(-fabs(z)), q = 1.0 / (1.0 + e);
        const double p = z < 0.0 ? q : e * q;
        c[i] = -w[i] * p;
        h[i] = fabs(w[i]) * e * q * q;
    }
}

AK_CLONES static void square_slopes(double ends, int64_t n,
                                    const double *restrict f,
                                    const double *restrict w,
                                    double *restrict c, double *restrict h)
{
    for (int64_t i = 0; i < n; ++i) {
        const double z = w[i] < 0.0 ? -f[i] : f[i];
        const double on = z < ends ? 2.0 : 0.0;
        c[i] = -w[i] * on * (1.0 - z);
        h[i] = fabs(w[i]) * on;
    }
}

void ak_rsl_slopes(ak_rsl_loss loss, int64_t n, const double *f,
                   const double *w, double *c, double *h)
{
    if (loss == AK_RSL_LOG)
        log_slopes(n, f, w, c, h);
    else
        square_slopes(loss == AK_RSL_HINGE2 ? 1.0 : INFINITY, n, f, w, c, h);
}

/* ---- a list ----------------------------------------------------------------
 *
 * Sums for a left sample go over the pairs in order of left samples, sums for a
 * right one in order of right samples. Blocks of samples are independent. */

akin_status ak_rsl_list_room(ak_rsl_pairs *out, akin_ctx *ctx, int64_t n_left,
                             int64_t n_right, int64_t count)
{
    *out = (ak_rsl_pairs){.count = count};
    AK_CHECK(AK_SCRATCH(ctx, n_left + 2, &out->left_at));
    AK_CHECK(AK_SCRATCH(ctx, n_right + 2, &out->right_at));
    AK_CHECK(AK_SCRATCH(ctx, count, &out->right_of));
    AK_CHECK(AK_SCRATCH(ctx, count, &out->left_of));
    AK_CHECK(AK_SCRATCH(ctx, count, &out->pair_of));
    return AK_SCRATCH(ctx, count, &out->w);
}

/* at[v + 2] is how often key v occurs, and becomes where key v + 1 begins, one
 * place ahead while the places are filled. */
static void add_up(int64_t n, int64_t *at)
{
    for (int64_t v = 0; v < n; ++v)
        at[v + 2] += at[v + 1];
}

void ak_rsl_list_by_right(ak_rsl_pairs *q, int64_t n_left, int64_t n_right)
{
    for (int64_t t = 0; t < q->count; ++t)
        ++q->right_at[q->right_of[t] + 2];
    add_up(n_right, q->right_at);
    for (int64_t i = 0; i < n_left; ++i)
        for (int64_t t = q->left_at[i]; t < q->left_at[i + 1]; ++t) {
            const int64_t at = q->right_at[q->right_of[t] + 1]++;
            q->pair_of[at] = t;
            q->left_of[at] = (int32_t)i;
        }
}

akin_status ak_rsl_list(ak_rsl_pairs *out, akin_ctx *ctx, int64_t n_left,
                        int64_t n_right, const int64_t *numbers, int64_t count,
                        const double *weight)
{
    AK_CHECK(ak_rsl_list_room(out, ctx, n_left, n_right, count));
    for (int64_t t = 0; t < count; ++t)
        ++out->left_at[numbers[3 * t] + 2];
    add_up(n_left, out->left_at);
    for (int64_t t = 0; t < count; ++t) {
        const int64_t to = out->left_at[numbers[3 * t] + 1]++;
        out->right_of[to] = (int32_t)numbers[3 * t + 1];
        out->w[to] = numbers[3 * t + 2] > 0 ? weight[1] : -weight[0];
    }
    ak_rsl_list_by_right(out, n_left, n_right);
    return AKIN_OK;
}

/* What is summed for one sample of a side. */
typedef void (*list_fn)(const ak_rsl *p, const ak_rsl_state *s, int64_t i);

typedef struct list_job {
    const ak_rsl *p;
    const ak_rsl_state *s;
    list_fn fn;
    double *sums;  // of the value: one a block
} list_job;

static akin_status list_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const list_job *b = arg;
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
        b->fn(b->p, b->s, i);
    return AKIN_OK;
}

/* P of the side becomes known to all ranks. */
static akin_status for_each_sample(akin_ctx *ctx, const ak_rsl *p,
                                   const ak_rsl_state *s, int side, list_fn fn)
{
    list_job b = {p, s, fn, NULL};
    return AK_COMM_MAP(ctx, p->side[side].N, LIST_BLOCK, list_block, &b,
                       {p->P[side], (size_t)p->shape.k * sizeof(double)});
}

/* Numbers of pairs, computed by the ranks of their left samples: all get all.
 */
static akin_status list_gather(akin_ctx *ctx, const ak_rsl *p, double *x)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t ranks = akin_ctx_ranks(ctx), N = p->side[0].N;
    size_t *offsets;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ranks + 1, &offsets));
    for (int64_t r = 0; r < ranks; ++r) {
        const int64_t end = ak_comm_range(ctx, N, LIST_BLOCK, r).end;
        offsets[r + 1] = (size_t)p->pairs.left_at[end] * sizeof *x;
    }
    AK_TRY(ak_comm_gather_bytes(ctx, x, offsets));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* f of the pairs of one left sample. */
static inline void list_scores(const ak_rsl_pairs *q, const ak_rsl_state *s,
                               int64_t k, int64_t i, double *f)
{
    const double *a = s->A + i * k;
    for (int64_t t = q->left_at[i]; t < q->left_at[i + 1]; ++t) {
        const double *b = s->B + (int64_t)q->right_of[t] * k;
        double sum = 0.0;
        for (int64_t c = 0; c < k; ++c)
            sum += a[c] * s->x.s[c] * b[c];
        f[t] = sum;
    }
}

static akin_status list_value_block(void *arg, int64_t begin, int64_t end,
                                    int64_t worker)
{
    const list_job *b = arg;
    const ak_rsl_pairs *q = &b->p->pairs;
    const int64_t from = q->left_at[begin], n = q->left_at[end] - from;
    double *f = b->p->w;
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
        list_scores(q, b->s, b->p->shape.k, i, f);
    b->sums[begin / LIST_BLOCK] =
        ak_rsl_losses(b->p->loss, n, f + from, q->w + from);
    ak_rsl_slopes(b->p->loss, n, f + from, q->w + from, b->s->c + from,
                  b->s->h + from);
    return AKIN_OK;
}

static akin_status list_value(double *sum, akin_ctx *ctx, const ak_rsl *p,
                              ak_rsl_state *s)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t blocks = p->side[0].N / LIST_BLOCK + 1;
    list_job b = {p, s, NULL, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, blocks, &b.sums));
    AK_TRY(ak_comm_for(ctx, p->side[0].N, LIST_BLOCK, list_value_block, &b));
    AK_TRY(ak_comm_sum(ctx, p->side[0].N, LIST_BLOCK, 1, b.sums));
    AK_TRY(list_gather(ctx, p, s->c));
    *sum = b.sums[0];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static inline void add(int64_t k, double a, const double *x, double *restrict y)
{
    for (int64_t c = 0; c < k; ++c)
        y[c] += a * x[c];
}

AK_CLONES static void list_first_left(const ak_rsl *p, const ak_rsl_state *s,
                                      int64_t i)
{
    const ak_rsl_pairs *q = &p->pairs;
    const int64_t k = p->shape.k;
    double *out = p->P[0] + i * k;
    memset(out, 0, (size_t)k * sizeof *out);
    for (int64_t t = q->left_at[i]; t < q->left_at[i + 1]; ++t)
        add(k, s->c[t], s->B + (int64_t)q->right_of[t] * k, out);
}

AK_CLONES static void list_first_right(const ak_rsl *p, const ak_rsl_state *s,
                                       int64_t j)
{
    const ak_rsl_pairs *q = &p->pairs;
    const int64_t k = p->shape.k;
    double *out = p->P[1] + j * k;
    memset(out, 0, (size_t)k * sizeof *out);
    for (int64_t t = q->right_at[j]; t < q->right_at[j + 1]; ++t)
        add(k, s->c[q->pair_of[t]], s->A + (int64_t)q->left_of[t] * k, out);
}

static akin_status list_first(akin_ctx *ctx, ak_rsl *p, const ak_rsl_state *s)
{
    AK_CHECK(for_each_sample(ctx, p, s, 0, list_first_left));
    return for_each_sample(ctx, p, s, 1, list_first_right);
}

/* w = h df of the pairs of a left sample, their sum over B, and that of c
 * over D[1] on top. */
AK_CLONES static void list_second_left(const ak_rsl *p, const ak_rsl_state *s,
                                       int64_t i)
{
    const ak_rsl_pairs *q = &p->pairs;
    const int64_t k = p->shape.k;
    const double *e = p->E + i * k, *a = s->A + i * k;
    double *sum = p->Q + i * k, *out = p->P[0] + i * k;
    memset(sum, 0, (size_t)k * sizeof *sum);
    memset(out, 0, (size_t)k * sizeof *out);
    for (int64_t t = q->left_at[i]; t < q->left_at[i + 1]; ++t) {
        const int64_t j = (int64_t)q->right_of[t] * k;
        const double *b = s->B + j, *c2 = p->C[1] + j;
        double df = 0.0;
        for (int64_t c = 0; c < k; ++c)
            df += e[c] * b[c] + a[c] * c2[c];
        p->w[t] = s->h[t] * df;
        add(k, p->w[t], b, sum);
        add(k, s->c[t], p->D[1] + j, out);
    }
    for (int64_t c = 0; c < k; ++c)
        out[c] += sum[c];
}

AK_CLONES static void list_second_right(const ak_rsl *p, const ak_rsl_state *s,
                                        int64_t j)
{
    const ak_rsl_pairs *q = &p->pairs;
    const int64_t k = p->shape.k;
    double *out = p->P[1] + j * k;
    memset(out, 0, (size_t)k * sizeof *out);
    for (int64_t t = q->right_at[j]; t < q->right_at[j + 1]; ++t) {
        const int64_t pair = q->pair_of[t], i = (int64_t)q->left_of[t] * k;
        add(k, p->w[pair], s->A + i, out);
        add(k, s->c[pair], p->D[0] + i, out);
    }
}

static akin_status list_second(akin_ctx *ctx, ak_rsl *p)
{
    const ak_comm_array Q = {p->Q, (size_t)p->shape.k * sizeof *p->Q};
    AK_CHECK(for_each_sample(ctx, p, &p->now, 0, list_second_left));
    AK_CHECK(ak_comm_gather(ctx, p->side[0].N, LIST_BLOCK, &Q, 1));
    AK_CHECK(list_gather(ctx, p, p->w));
    return for_each_sample(ctx, p, &p->now, 1, list_second_right);
}

/* ---- a grid ----------------------------------------------------------------
 *
 *   F = A diag(s) B',  C = slopes of F,  P0 = C B,  P1 = C'A             (1)
 *
 * in tiles of F that fit the cache; memory is that of the samples. A chunk of
 * left samples is one block of work with its own sum for P1. */

typedef struct grid grid;

/* One tile of a pass: left samples from i, right ones from j. */
typedef void (*tile_fn)(const grid *g, double *tiles, int64_t i, int64_t rows,
                        int64_t j, int64_t cols, double *sum, double *right);

struct grid {
    const ak_rsl *p;
    const ak_rsl_state *s;
    tile_fn fn;
    int64_t chunk;  // left samples
    double *AS;     // A diag(s)
    double *right;  // N x k for each chunk: parts of P1
    double *tiles;  // 5 tiles for each worker
    double *sums;   // one a chunk
};

/* The weights of a tile: left samples from i, right ones from j. */
static void grid_weights(const ak_rsl_pairs *q, int64_t i, int64_t rows,
                         int64_t j, int64_t cols, double *w)
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

/* F and the weights of a tile, in the first two of the worker's. */
static void grid_scores(const grid *g, double *tiles, int64_t i, int64_t rows,
                        int64_t j, int64_t cols)
{
    const int64_t k = g->p->shape.k;
    outer(rows, cols, k, g->AS + i * k, g->s->B + j * k, 0.0, tiles);
    grid_weights(&g->p->pairs, i, rows, j, cols, tiles + CELLS);
}

static void grid_value_tile(const grid *g, double *tiles, int64_t i,
                            int64_t rows, int64_t j, int64_t cols, double *sum,
                            double *right)
{
    (void)right;
    grid_scores(g, tiles, i, rows, j, cols);
    *sum += ak_rsl_losses(g->p->loss, rows * cols, tiles, tiles + CELLS);
}

static void grid_first_tile(const grid *g, double *tiles, int64_t i,
                            int64_t rows, int64_t j, int64_t cols, double *sum,
                            double *right)
{
    const int64_t k = g->p->shape.k;
    double *c = tiles + 2 * CELLS, *h = tiles + 3 * CELLS;
    (void)sum;
    grid_scores(g, tiles, i, rows, j, cols);
    ak_rsl_slopes(g->p->loss, rows * cols, tiles, tiles + CELLS, c, h);
    inner(rows, cols, k, c, g->s->B + j * k, g->p->P[0] + i * k,
          g->s->A + i * k, right + j * k);
}

static void grid_second_tile(const grid *g, double *tiles, int64_t i,
                             int64_t rows, int64_t j, int64_t cols, double *sum,
                             double *right)
{
    const ak_rsl *p = g->p;
    const int64_t k = p->shape.k;
    double *c = tiles + 2 * CELLS, *h = tiles + 3 * CELLS;
    double *df = tiles + 4 * CELLS;
    const double *A = g->s->A + i * k, *B = g->s->B + j * k;
    (void)sum;
    grid_scores(g, tiles, i, rows, j, cols);
    ak_rsl_slopes(p->loss, rows * cols, tiles, tiles + CELLS, c, h);
    outer(rows, cols, k, p->E + i * k, B, 0.0, df);
    outer(rows, cols, k, A, p->C[1] + j * k, 1.0, df);
    for (int64_t t = 0; t < rows * cols; ++t)
        h[t] *= df[t];
    inner(rows, cols, k, h, B, p->Q + i * k, A, right + j * k);
    inner(rows, cols, k, c, p->D[1] + j * k, p->P[0] + i * k, p->D[0] + i * k,
          right + j * k);
}

/* All tiles of a chunk. */
static akin_status grid_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const grid *g = arg;
    const int64_t N = g->p->side[1].N, k = g->p->shape.k;
    const int64_t number = begin / g->chunk;
    double *right = g->right ? g->right + number * N * k : NULL;
    double *tiles = g->tiles + worker * 5 * CELLS;
    for (int64_t i = begin; i < end; i += TILE)
        for (int64_t j = 0; j < N; j += WIDE)
            g->fn(g, tiles, i, ak_min_i64(TILE, end - i), j,
                  ak_min_i64(WIDE, N - j), g->sums + number, right);
    return AKIN_OK;
}

/* Chunks are whole tiles, at most CHUNKS of them. */
static akin_status grid_begin(grid *g, akin_ctx *ctx, bool right)
{
    const ak_rsl *p = g->p;
    const int64_t N = p->side[0].N, k = p->shape.k;
    const int64_t tiles = N / TILE + 1;
    g->chunk = (tiles / CHUNKS + 1) * TILE;
    const int64_t chunks = N / g->chunk + 1;
    AK_CHECK(AK_SCRATCH(ctx, N * k, &g->AS));
    AK_CHECK(AK_SCRATCH(ctx, ak_workers(ctx) * 5 * CELLS, &g->tiles));
    AK_CHECK(AK_SCRATCH(ctx, chunks, &g->sums));
    if (right)
        AK_CHECK(AK_SCRATCH(ctx, chunks * p->side[1].N * k, &g->right));
    for (int64_t i = 0; i < N * k; ++i)
        g->AS[i] = g->s->A[i] * g->s->x.s[i % k];
    return AKIN_OK;
}

/* All chunks, and what they have of P[0] and Q; P[1] = the sum of its parts, in
 * their order. */
static akin_status grid_run(grid *g, akin_ctx *ctx, bool second)
{
    const ak_rsl *p = g->p;
    const int64_t N = p->side[0].N, k = p->shape.k, size = p->side[1].N * k;
    const size_t row = (size_t)k * sizeof(double);
    const ak_comm_array left[] = {{p->P[0], row}, {p->Q, row}};
    AK_CHECK(
        ak_comm_map(ctx, N, g->chunk, grid_block, g, left, second ? 2 : 1));
    AK_CHECK(ak_comm_sum(ctx, N, g->chunk, size, g->right));
    memcpy(p->P[1], g->right, (size_t)size * sizeof *g->right);
    return AKIN_OK;
}

static akin_status grid_value(double *sum, akin_ctx *ctx, const ak_rsl *p,
                              ak_rsl_state *s)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    grid g = {.p = p, .s = s, .fn = grid_value_tile};
    akin_status st = AKIN_OK;
    AK_TRY(grid_begin(&g, ctx, false));
    AK_TRY(ak_comm_for(ctx, p->side[0].N, g.chunk, grid_block, &g));
    AK_TRY(ak_comm_sum(ctx, p->side[0].N, g.chunk, 1, g.sums));
    *sum = g.sums[0];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status grid_first(akin_ctx *ctx, ak_rsl *p, const ak_rsl_state *s)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const size_t size = (size_t)(p->side[0].N * p->shape.k) * sizeof(double);
    grid g = {.p = p, .s = s, .fn = grid_first_tile};
    akin_status st = AKIN_OK;
    AK_TRY(grid_begin(&g, ctx, true));
    memset(p->P[0], 0, size);
    AK_TRY(grid_run(&g, ctx, false));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status grid_second(akin_ctx *ctx, ak_rsl *p)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t size = p->side[0].N * p->shape.k;
    grid g = {.p = p, .s = &p->now, .fn = grid_second_tile};
    akin_status st = AKIN_OK;
    AK_TRY(grid_begin(&g, ctx, true));
    memset(p->P[0], 0, (size_t)size * sizeof *p->P[0]);
    memset(p->Q, 0, (size_t)size * sizeof *p->Q);
    AK_TRY(grid_run(&g, ctx, true));
    for (int64_t i = 0; i < size; ++i)
        p->P[0][i] += p->Q[i];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- aligned pairs of dense rows -------------------------------------------
 *
 * The numbers of a sample are in tiles, as the rows are (rsl.h), so that a
 * strip of samples is projected, combined and gathered while it is in the
 * cache:
 *
 *   X, Y  ->  C0, C1  ->  df  ->  P0, P1  ->  X'P0, Y'P1                 (2)
 *
 * Strips make up chunks, whose number does not depend on the threads, and each
 * chunk has its own sums. */

bool ak_rsl_is_aligned(const ak_rsl *p)
{
    const ak_rsl_pairs *q = &p->pairs;
    bool aligned = q->grid == NULL && p->side[0].tiles != NULL &&
                   p->side[1].tiles != NULL && p->side[0].N == q->count &&
                   p->side[1].N == q->count;
    for (int64_t t = 0; aligned && t < q->count; ++t)
        aligned = q->left_at[t + 1] == t + 1 && q->right_of[t] == t;
    return aligned;
}

/* f of a tile. */
AK_CLONES static void tile_score(int64_t k, const double *restrict A,
                                 const double *restrict s,
                                 const double *restrict B, double *restrict f)
{
    for (int l = 0; l < LANES; ++l)
        f[l] = 0.0;
    for (int64_t c = 0; c < k; ++c)
        for (int l = 0; l < LANES; ++l)
            f[l] += A[c * LANES + l] * s[c] * B[c * LANES + l];
}

/* P = c A of a tile. */
AK_CLONES static void tile_scale(int64_t k, const double *restrict A,
                                 const double *restrict c, double *restrict P)
{
    for (int64_t i = 0; i < k * LANES; i += LANES)
        for (int l = 0; l < LANES; ++l)
            P[i + l] = c[l] * A[i + l];
}

/* w = h df of a tile, with df = <C0 + A M, B> + <A, C1>. */
AK_CLONES static void tile_change(int64_t k, const double *restrict A,
                                  const double *restrict B,
                                  const double *restrict C0,
                                  const double *restrict C1,
                                  const double *restrict M,
                                  const double *restrict h, double *restrict w)
{
    for (int at = 0; at < LANES; at += 8) {
        ak_rsl_v8 df = {0};
        for (int64_t c = 0; c < k; ++c) {
            ak_rsl_v8 e = AK_RSL_LOAD(C0 + c * LANES + at);
            for (int64_t b = 0; b < k; ++b)
                e += AK_RSL_LOAD(A + b * LANES + at) * M[b * k + c];
            df += e * AK_RSL_LOAD(B + c * LANES + at) +
                  AK_RSL_LOAD(A + c * LANES + at) *
                      AK_RSL_LOAD(C1 + c * LANES + at);
        }
        df *= AK_RSL_LOAD(h + at);
        memcpy(w + at, &df, sizeof df);
    }
}

/* C0 <- w B + c C1 / s and C1 <- w A + c C0 / s, both of what they were, and
 * AwB += A'wB, lane by lane. */
AK_CLONES static void tile_second(int64_t k, const double *restrict A,
                                  const double *restrict B,
                                  const double *restrict w,
                                  const double *restrict c,
                                  const double *restrict s, double *restrict C0,
                                  double *restrict C1, double *restrict AwB)
{
    double wB[LANES];
    for (int64_t b = 0; b < k; ++b) {
        const double over = 1.0 / s[b];
        for (int l = 0; l < LANES; ++l) {
            const int64_t i = b * LANES + l;
            const double x = C0[i];
            wB[l] = w[l] * B[i];
            C0[i] = wB[l] + c[l] * C1[i] * over;
            C1[i] = w[l] * A[i] + c[l] * x * over;
        }
        for (int64_t a = 0; a < k; ++a)
            for (int l = 0; l < LANES; ++l)
                AwB[(a * k + b) * LANES + l] += A[a * LANES + l] * wB[l];
    }
}

typedef struct aligned {
    const ak_rsl *p;
    int side;  // that `cross` gathers
    ak_rsl_state *s;
    const double *U[2];  // what rows are projected on,
    double *shift[2];    // and the means
    const double *M;     // of the tangent vector
    int64_t chunk;       // samples
    int64_t size;        // of the sums of a chunk
    double *sums;        // k (n of the left + n of the right + k + 2) of each
    double *room;        // of each worker
} aligned;

/* The projections of samples [begin, end) of a side, as tiles. */
static void aligned_project(const aligned *o, int side, int64_t begin,
                            int64_t end, double *A)
{
    const ak_rsl_side *s = &o->p->side[side];
    const int64_t k = o->p->shape.k;
    for (int64_t i = begin; i < end; i += LANES)
        ak_rsl_tile_project(s->n, s->tiles + i * s->n, k, o->U[side], s->scale,
                            o->shift[side], A + (i - begin) * k);
}

/* Samples of a chunk. */
static int64_t aligned_chunk(const ak_rsl *p)
{
    return (p->pairs.count / (CHUNKS * STRIP) + 1) * STRIP;
}

/* In strips, over the chunks of this rank: no other needs what they store. */
static akin_status aligned_strips(const aligned *o, akin_ctx *ctx,
                                  ak_block_fn fn)
{
    const ak_rank_range own =
        ak_comm_own(ctx, o->p->pairs.count, aligned_chunk(o->p));
    return ak_comm_run(ctx, own, STRIP, fn, (void *)o);
}

static akin_status aligned_set_shifts(aligned *o, akin_ctx *ctx,
                                      const double *U, const double *V)
{
    const int64_t k = o->p->shape.k;
    o->U[0] = U;
    o->U[1] = V;
    for (int side = 0; side < 2; ++side) {
        const ak_rsl_side *s = &o->p->side[side];
        AK_CHECK(AK_SCRATCH(ctx, k, &o->shift[side]));
        if (s->mean != NULL && o->U[side] != NULL)
            AK_CHECK(ak_tall_cross(ctx, s->n, 1, s->mean, k, o->U[side],
                                   o->shift[side]));
    }
    return AKIN_OK;
}

static akin_status aligned_place_block(void *arg, int64_t begin, int64_t end,
                                       int64_t worker)
{
    const aligned *o = arg;
    const int64_t k = o->p->shape.k;
    (void)worker;
    aligned_project(o, 0, begin, end, o->s->A + begin * k);
    aligned_project(o, 1, begin, end, o->s->B + begin * k);
    return AKIN_OK;
}

akin_status ak_rsl_aligned_place(akin_ctx *ctx, const ak_rsl *p,
                                 ak_rsl_state *s)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    aligned o = {.p = p, .s = s};
    akin_status st = AKIN_OK;
    AK_TRY(aligned_set_shifts(&o, ctx, s->x.U, s->x.V));
    AK_TRY(aligned_strips(&o, ctx, aligned_place_block));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status aligned_value_block(void *arg, int64_t begin, int64_t end,
                                       int64_t worker)
{
    const aligned *o = arg;
    const ak_rsl *p = o->p;
    const ak_rsl_state *s = o->s;
    const double *w = p->pairs.w + begin;
    double f[STRIP];
    (void)worker;
    for (int64_t i = begin; i < end; i += LANES)
        tile_score(p->shape.k, s->A + i * p->shape.k, s->x.s,
                   s->B + i * p->shape.k, f + i - begin);
    o->sums[begin / STRIP] = ak_rsl_losses(p->loss, end - begin, f, w);
    ak_rsl_slopes(p->loss, end - begin, f, w, s->c + begin, s->h + begin);
    return AKIN_OK;
}

static akin_status aligned_value(double *sum, akin_ctx *ctx, const ak_rsl *p,
                                 ak_rsl_state *s)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t N = p->pairs.count, chunk = aligned_chunk(p);
    aligned o = {.p = p, .s = s};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, N / STRIP + 1, &o.sums));
    AK_TRY(aligned_strips(&o, ctx, aligned_value_block));
    AK_TRY(ak_comm_gather(ctx, (N + STRIP - 1) / STRIP, chunk / STRIP,
                          &(ak_comm_array){o.sums, sizeof *o.sums}, 1));
    *sum = 0.0;
    for (int64_t i = 0; i <= N / STRIP; ++i)
        *sum += o.sums[i];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Add X'P of samples [begin, end) to the sums of a chunk. */
static void aligned_gather(const aligned *o, int side, int64_t begin,
                           int64_t end, const double *P, double *sums)
{
    const ak_rsl_side *s = &o->p->side[side];
    const int64_t k = o->p->shape.k, tiles = ak_rsl_tiles(end - begin);
    double *G = sums + (side ? o->p->side[0].n * k : 0);
    double *one = sums + o->size - (2 - side) * k;
    ak_rsl_tiles_gather(tiles, s->n, s->tiles + begin * s->n, s->n, k, P, G);
    for (int64_t i = 0; s->mean != NULL && i < tiles * k * LANES; ++i)
        one[i / LANES % k] += P[i];
}

static akin_status aligned_first_block(void *arg, int64_t begin, int64_t end,
                                       int64_t worker)
{
    const aligned *o = arg;
    const int64_t k = o->p->shape.k;
    double *P0 = o->room + worker * 2 * STRIP * k, *P1 = P0 + STRIP * k;
    double *sums = o->sums + begin / o->chunk * o->size;
    for (int64_t i = begin; i < end; i += STRIP) {
        const int64_t to = ak_min_i64(i + STRIP, end);
        for (int64_t t = i; t < to; t += LANES) {
            tile_scale(k, o->s->B + t * k, o->s->c + t, P0 + (t - i) * k);
            tile_scale(k, o->s->A + t * k, o->s->c + t, P1 + (t - i) * k);
        }
        aligned_gather(o, 0, i, to, P0, sums);
        aligned_gather(o, 1, i, to, P1, sums);
    }
    return AKIN_OK;
}

static akin_status aligned_second_block(void *arg, int64_t begin, int64_t end,
                                        int64_t worker)
{
    const aligned *o = arg;
    const int64_t k = o->p->shape.k, room = 2 * STRIP * k + k * k * LANES;
    double *C0 = o->room + worker * room, *C1 = C0 + STRIP * k;
    double *AwB = C1 + STRIP * k;
    double *sums = o->sums + begin / o->chunk * o->size;
    double w[LANES];
    memset(AwB, 0, (size_t)(k * k * LANES) * sizeof *AwB);
    for (int64_t i = begin; i < end; i += STRIP) {
        const int64_t to = ak_min_i64(i + STRIP, end);
        aligned_project(o, 0, i, to, C0);
        aligned_project(o, 1, i, to, C1);
        for (int64_t t = i; t < to; t += LANES) {
            const double *A = o->s->A + t * k, *B = o->s->B + t * k;
            double *c0 = C0 + (t - i) * k, *c1 = C1 + (t - i) * k;
            tile_change(k, A, B, c0, c1, o->M, o->s->h + t, w);
            tile_second(k, A, B, w, o->s->c + t, o->s->x.s, c0, c1, AwB);
        }
        aligned_gather(o, 0, i, to, C0, sums);
        aligned_gather(o, 1, i, to, C1, sums);
    }
    for (int64_t i = 0; i < k * k * LANES; ++i)
        sums[o->size - (k + 2) * k + i / LANES] += AwB[i];
    return AKIN_OK;
}

static akin_status aligned_cross_block(void *arg, int64_t begin, int64_t end,
                                       int64_t worker)
{
    const aligned *o = arg;
    const int64_t k = o->p->shape.k;
    double *P = o->room + worker * 2 * STRIP * k, *Q = P + STRIP * k;
    double *sums = o->sums + begin / o->chunk * o->size;
    for (int64_t i = begin; i < end; i += STRIP) {
        const int64_t to = ak_min_i64(i + STRIP, end);
        aligned_project(o, 1 - o->side, i, to, P);
        for (int64_t t = 0; t < to - i; t += LANES)
            tile_scale(k, P + t * k, o->s->c + i + t, Q + t * k);
        aligned_gather(o, o->side, i, to, Q, sums);
    }
    return AKIN_OK;
}

/* Run over all chunks, and add up; out is M, Up, Vp as in a tangent vector. */
static akin_status aligned_run(aligned *o, akin_ctx *ctx, int64_t room,
                               ak_block_fn fn, double *out)
{
    const ak_rsl *p = o->p;
    const int64_t N = p->pairs.count, k = p->shape.k;
    const int64_t m = p->side[0].n * k, n = p->side[1].n * k;
    o->chunk = aligned_chunk(p);
    o->size = m + n + (k + 2) * k;
    const int64_t chunks = N / o->chunk + 1;
    AK_CHECK(AK_SCRATCH(ctx, chunks * o->size, &o->sums));
    AK_CHECK(AK_SCRATCH(ctx, ak_workers(ctx) * room, &o->room));
    AK_CHECK(ak_comm_for(ctx, N, o->chunk, fn, o));
    AK_CHECK(ak_comm_sum(ctx, N, o->chunk, o->size, o->sums));
    memcpy(out, o->sums + m + n, (size_t)(k * k) * sizeof *out);
    for (int64_t i = 0; i < m + n; ++i) {
        const ak_rsl_side *s = &p->side[i >= m];
        const double *one = o->sums + m + n + (k + (i >= m)) * k;
        const int64_t j = (i >= m ? i - m : i) / k;
        out[k * k + i] =
            s->scale * (o->sums[i] - (s->mean ? s->mean[j] * one[i % k] : 0.0));
    }
    return AKIN_OK;
}

akin_status ak_rsl_aligned_first(akin_ctx *ctx, const ak_rsl *p,
                                 const ak_rsl_state *s, double *g)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = p->shape.k;
    aligned o = {.p = p, .s = (ak_rsl_state *)s};
    akin_status st = AKIN_OK;
    AK_TRY(aligned_run(&o, ctx, 2 * STRIP * k, aligned_first_block, g));
    AK_TRY(ak_tall_cross(ctx, p->shape.m, k, s->x.U, k,
                         ak_tangent_Up(p->shape, g), g));  // U'X'C B
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rsl_aligned_second(akin_ctx *ctx, ak_rsl *p, const double *xi,
                                  double *out)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = p->shape.k;
    aligned o = {.p = p, .s = &p->now, .M = xi};
    akin_status st = AKIN_OK;
    AK_TRY(aligned_set_shifts(&o, ctx, xi + k * k, xi + (k + p->shape.m) * k));
    AK_TRY(aligned_run(&o, ctx, 2 * STRIP * k + k * k * LANES,
                       aligned_second_block, out));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rsl_aligned_cross(akin_ctx *ctx, ak_rsl *p, int side,
                                 const double *V, double *G)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = p->shape.k, m = side ? p->shape.n : p->shape.m;
    aligned o = {.p = p, .s = &p->now, .side = side};
    double *all = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ak_tangent_size(p->shape), &all));
    AK_TRY(aligned_set_shifts(&o, ctx, side ? V : NULL, side ? NULL : V));
    AK_TRY(aligned_run(&o, ctx, 2 * STRIP * k, aligned_cross_block, all));
    memcpy(G,
           side ? ak_tangent_Vp(p->shape, all) : ak_tangent_Up(p->shape, all),
           (size_t)(m * k) * sizeof *G);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- any of them --------------------------------------------------------- */

akin_status ak_rsl_value(double *sum, akin_ctx *ctx, const ak_rsl *p,
                         ak_rsl_state *s)
{
    return p->pairs.grid ? grid_value(sum, ctx, p, s)
           : p->aligned  ? aligned_value(sum, ctx, p, s)
                         : list_value(sum, ctx, p, s);
}

akin_status ak_rsl_first(akin_ctx *ctx, ak_rsl *p, const ak_rsl_state *s)
{
    return p->pairs.grid ? grid_first(ctx, p, s) : list_first(ctx, p, s);
}

akin_status ak_rsl_second(akin_ctx *ctx, ak_rsl *p)
{
    return p->pairs.grid ? grid_second(ctx, p) : list_second(ctx, p);
}
