/* Sums over pairs whose rows are all their own: pair t is left sample t with
 * right sample t, and the rows are dense. All that belongs to a sample stands
 * in tiles as the rows do (rsl_dense.h), so that a strip of them is projected,
 * put together and gathered while it is in the cache:
 *
 *   X, Y  ->  C0, C1  ->  df  ->  P0, P1  ->  X'P0, Y'P1                 (1)
 *
 * with the letters of rsl_problem.c. Strips make up chunks, whose number does
 * not depend on the threads, and each chunk has its own sums. */
#include <string.h>

#include "base/parallel.h"
#include "la/tall.h"
#include "learn/cross/rsl.h"
#include "learn/cross/rsl_dense.h"

enum { LANES = AK_RSL_LANES, STRIP = 16 * LANES, CHUNKS = 8 };

bool ak_rsl_is_own(const ak_rsl *p)
{
    const ak_rsl_pairs *q = &p->pairs;
    bool own = q->grid == NULL && p->side[0].tiles != NULL &&
               p->side[1].tiles != NULL && p->side[0].N == q->count &&
               p->side[1].N == q->count;
    for (int64_t t = 0; own && t < q->count; ++t)
        own = q->left_at[t + 1] == t + 1 && q->right_of[t] == t;
    return own;
}

typedef struct own {
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
} own;

/* The projections of samples [begin, end) of a side, as tiles. */
static void project(const own *o, int side, int64_t begin, int64_t end,
                    double *A)
{
    const ak_rsl_side *s = &o->p->side[side];
    const int64_t k = o->p->shape.k;
    for (int64_t i = begin; i < end; i += LANES)
        ak_rsl_tile_project(s->n, s->tiles + i * s->n, k, o->U[side], s->scale,
                            o->shift[side], A + (i - begin) * k);
}

static akin_status set_shifts(own *o, akin_ctx *ctx, const double *U,
                              const double *V)
{
    const int64_t k = o->p->shape.k;
    akin_status st = AKIN_OK;
    o->U[0] = U;
    o->U[1] = V;
    for (int side = 0; side < 2; ++side) {
        const ak_rsl_side *s = &o->p->side[side];
        AK_TRY(AK_SCRATCH(ctx, k, &o->shift[side]));
        if (s->mean != NULL && o->U[side] != NULL)
            AK_TRY(ak_tall_cross(ctx, s->n, 1, s->mean, k, o->U[side],
                                 o->shift[side]));
    }
done:
    return st;
}

static akin_status place_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const own *o = arg;
    const int64_t k = o->p->shape.k;
    (void)worker;
    project(o, 0, begin, end, o->s->A + begin * k);
    project(o, 1, begin, end, o->s->B + begin * k);
    return AKIN_OK;
}

akin_status ak_rsl_own_place(akin_ctx *ctx, const ak_rsl *p, ak_rsl_state *s)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    own o = {.p = p, .s = s};
    akin_status st = AKIN_OK;
    AK_TRY(set_shifts(&o, ctx, s->x.U, s->x.V));
    AK_TRY(ak_parallel_for(ctx, p->pairs.count, STRIP, place_block, &o));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status value_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const own *o = arg;
    const ak_rsl *p = o->p;
    const ak_rsl_state *s = o->s;
    const double *w = p->pairs.w + begin;
    double f[STRIP];
    (void)worker;
    for (int64_t i = begin; i < end; i += LANES)
        ak_rsl_tile_score(p->shape.k, s->A + i * p->shape.k, s->x.s,
                          s->B + i * p->shape.k, f + i - begin);
    o->sums[begin / STRIP] = ak_rsl_losses(p->loss, end - begin, f, w);
    ak_rsl_slopes(p->loss, end - begin, f, w, s->c + begin, s->h + begin);
    return AKIN_OK;
}

akin_status ak_rsl_own_value(double *sum, akin_ctx *ctx, const ak_rsl *p,
                             ak_rsl_state *s)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t strips = p->pairs.count / STRIP + 1;
    own o = {.p = p, .s = s};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, strips, &o.sums));
    AK_TRY(ak_parallel_for(ctx, p->pairs.count, STRIP, value_block, &o));
    *sum = 0.0;
    for (int64_t i = 0; i < strips; ++i)
        *sum += o.sums[i];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Add X'P of samples [begin, end) to the sums of a chunk. */
static void gather(const own *o, int side, int64_t begin, int64_t end,
                   const double *P, double *sums)
{
    const ak_rsl_side *s = &o->p->side[side];
    const int64_t k = o->p->shape.k, tiles = ak_rsl_tiles(end - begin);
    double *G = sums + (side ? o->p->side[0].n * k : 0);
    double *one = sums + o->size - (2 - side) * k;
    ak_rsl_tiles_gather(tiles, s->n, s->tiles + begin * s->n, s->n, k, P, G);
    for (int64_t i = 0; s->mean != NULL && i < tiles * k * LANES; ++i)
        one[i / LANES % k] += P[i];
}

static akin_status first_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const own *o = arg;
    const int64_t k = o->p->shape.k;
    double *P0 = o->room + worker * 2 * STRIP * k, *P1 = P0 + STRIP * k;
    double *sums = o->sums + begin / o->chunk * o->size;
    for (int64_t i = begin; i < end; i += STRIP) {
        const int64_t to = ak_min_i64(i + STRIP, end);
        for (int64_t t = i; t < to; t += LANES) {
            ak_rsl_tile_scale(k, o->s->B + t * k, o->s->c + t,
                              P0 + (t - i) * k);
            ak_rsl_tile_scale(k, o->s->A + t * k, o->s->c + t,
                              P1 + (t - i) * k);
        }
        gather(o, 0, i, to, P0, sums);
        gather(o, 1, i, to, P1, sums);
    }
    return AKIN_OK;
}

static akin_status second_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const own *o = arg;
    const int64_t k = o->p->shape.k, room = 2 * STRIP * k + k * k * LANES;
    double *C0 = o->room + worker * room, *C1 = C0 + STRIP * k;
    double *AwB = C1 + STRIP * k;
    double *sums = o->sums + begin / o->chunk * o->size;
    double w[LANES];
    memset(AwB, 0, (size_t)(k * k * LANES) * sizeof *AwB);
    for (int64_t i = begin; i < end; i += STRIP) {
        const int64_t to = ak_min_i64(i + STRIP, end);
        project(o, 0, i, to, C0);
        project(o, 1, i, to, C1);
        for (int64_t t = i; t < to; t += LANES) {
            const double *A = o->s->A + t * k, *B = o->s->B + t * k;
            double *c0 = C0 + (t - i) * k, *c1 = C1 + (t - i) * k;
            ak_rsl_tile_change(k, A, B, c0, c1, o->M, o->s->h + t, w);
            ak_rsl_tile_second(k, A, B, w, o->s->c + t, o->s->x.s, c0, c1, AwB);
        }
        gather(o, 0, i, to, C0, sums);
        gather(o, 1, i, to, C1, sums);
    }
    for (int64_t i = 0; i < k * k * LANES; ++i)
        sums[o->size - (k + 2) * k + i / LANES] += AwB[i];
    return AKIN_OK;
}

static akin_status cross_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const own *o = arg;
    const int64_t k = o->p->shape.k;
    double *P = o->room + worker * 2 * STRIP * k, *Q = P + STRIP * k;
    double *sums = o->sums + begin / o->chunk * o->size;
    for (int64_t i = begin; i < end; i += STRIP) {
        const int64_t to = ak_min_i64(i + STRIP, end);
        project(o, 1 - o->side, i, to, P);
        for (int64_t t = 0; t < to - i; t += LANES)
            ak_rsl_tile_scale(k, P + t * k, o->s->c + i + t, Q + t * k);
        gather(o, o->side, i, to, Q, sums);
    }
    return AKIN_OK;
}

/* Run over all chunks, and add up; out is M, Up, Vp as in a tangent vector. */
static akin_status run(own *o, akin_ctx *ctx, int64_t room, ak_block_fn fn,
                       double *out)
{
    const ak_rsl *p = o->p;
    const int64_t N = p->pairs.count, k = p->shape.k;
    const int64_t m = p->side[0].n * k, n = p->side[1].n * k;
    akin_status st = AKIN_OK;
    o->chunk = (N / (CHUNKS * STRIP) + 1) * STRIP;
    o->size = m + n + (k + 2) * k;
    const int64_t chunks = N / o->chunk + 1;
    AK_TRY(AK_SCRATCH(ctx, chunks * o->size, &o->sums));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * room, &o->room));
    AK_TRY(ak_parallel_for(ctx, N, o->chunk, fn, o));
    for (int64_t c = 1; c < chunks; ++c)
        for (int64_t i = 0; i < o->size; ++i)
            o->sums[i] += o->sums[c * o->size + i];
    memcpy(out, o->sums + m + n, (size_t)(k * k) * sizeof *out);
    for (int64_t i = 0; i < m + n; ++i) {
        const ak_rsl_side *s = &p->side[i >= m];
        const double *one = o->sums + m + n + (k + (i >= m)) * k;
        const int64_t j = (i >= m ? i - m : i) / k;
        out[k * k + i] =
            s->scale * (o->sums[i] - (s->mean ? s->mean[j] * one[i % k] : 0.0));
    }
done:
    return st;
}

akin_status ak_rsl_own_first(akin_ctx *ctx, const ak_rsl *p,
                             const ak_rsl_state *s, double *g)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = p->shape.k;
    own o = {.p = p, .s = (ak_rsl_state *)s};
    akin_status st = AKIN_OK;
    AK_TRY(run(&o, ctx, 2 * STRIP * k, first_block, g));
    AK_TRY(ak_tall_cross(ctx, p->shape.m, k, s->x.U, k,
                         ak_tangent_Up(p->shape, g), g));  // U'X'C B
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rsl_own_second(akin_ctx *ctx, ak_rsl *p, const double *xi,
                              double *out)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = p->shape.k;
    own o = {.p = p, .s = &p->now, .M = xi};
    akin_status st = AKIN_OK;
    AK_TRY(set_shifts(&o, ctx, xi + k * k, xi + (k + p->shape.m) * k));
    AK_TRY(run(&o, ctx, 2 * STRIP * k + k * k * LANES, second_block, out));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rsl_own_cross(akin_ctx *ctx, ak_rsl *p, int side,
                             const double *V, double *G)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = p->shape.k, m = side ? p->shape.n : p->shape.m;
    own o = {.p = p, .s = &p->now, .side = side};
    double *all = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ak_tangent_size(p->shape), &all));
    AK_TRY(set_shifts(&o, ctx, side ? V : NULL, side ? NULL : V));
    AK_TRY(run(&o, ctx, 2 * STRIP * k, cross_block, all));
    memcpy(G,
           side ? ak_tangent_Vp(p->shape, all) : ak_tangent_Up(p->shape, all),
           (size_t)(m * k) * sizeof *G);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
