/* The certified gap of rLRR without full matrices; learn/captions/rlrr_gap.h.
 */
#include "learn/captions/rlrr_gap.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "la/sparse.h"
#include "learn/captions/svt.h"

enum { BLOCK = 64, PASSES = 60 };

typedef struct gap_work {
    const ak_rlrr_point *at;
    bool self;              // only a face itself is penalised
    double *XU;             // n x r: s U, so that X'U = V XU'
    double *XJ;             // n x r: s V'J
    double *D;              // what repairs the multiplier of W = J, of peers
    double *low_A, *low_B;  // n x (r + m): X'U less it, but for S
    double *sums;           // 2 a block
} gap_work;

/* Is the entry of a face and its peer penalised? */
static bool is_held(const gap_work *w, int64_t i, int64_t j)
{
    if (w->self)
        return i == j;
    return i == j && w->at->p->penalise == AK_PENALISE_BOTH;
}

static double dot_J(const ak_rlrr_point *x, int64_t i, int64_t j)
{
    const double *P = x->P + i * x->width, *R = x->R + j * x->width;
    double sum = 0.0;
    for (int64_t c = 0; c < x->k; ++c)
        sum += P[c] * R[c] * (x->sigma[c] - x->less);
    return sum;
}

/* D of a block of columns; squares of it and of J where it is not 0: the
 * entries that are penalised (self), or else those that are not. */
static akin_status peers_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const gap_work *w = arg;
    const ak_rlrr_point *x = w->at;
    const int64_t k = x->x->r + x->m;
    double *sums = w->sums + 2 * (begin / BLOCK);
    (void)worker;
    memset(sums, 0, 2 * sizeof *sums);
    for (int64_t j = begin; j < end; ++j) {
        const int32_t *peers;
        const int64_t n = ak_peers_get(x->peers, j, &peers);
        for (int64_t e = 0; e < n; ++e) {
            const int64_t i = peers[e], at = x->peers->start[j] + e;
            const double low = ak_dot8(k, w->low_A + i * k, w->low_B + j * k);
            w->D[at] = 0.0;
            if (is_held(w, i, j) != w->self)
                continue;
            w->D[at] = w->self ? x->S[at] - low : low;
            const double J = dot_J(x, i, j);
            sums[0] += w->D[at] * w->D[at];
            sums[1] += J * J;
        }
    }
    return AKIN_OK;
}

/* The sum of lambda |x_j - X J_j|; <U, X>, and the largest |u_j|. */
static double face_terms(const gap_work *w, double *inner, double *longest)
{
    const ak_faces_svd *x = w->at->x;
    const int64_t r = x->r;
    double value = 0.0;
    *inner = *longest = 0.0;
    for (int64_t j = 0; j < x->n; ++j) {
        const double *U = w->at->U + j * r;
        double norm = 0.0;
        for (int64_t c = 0; c < r; ++c) {
            const double B = x->s[c] * x->V[j * r + c];
            const double E = B - w->XJ[j * r + c];
            norm += E * E;
            *inner += U[c] * B;
        }
        value += w->at->p->lambda * sqrt(norm);
        *longest = fmax(*longest, sqrt(ak_dot(r, U, U)));
    }
    return value;
}

/* s V'J, a row a face: R diag(sigma - less) (V'P)' s. */
static akin_status represent(gap_work *w, akin_ctx *ctx)
{
    const ak_rlrr_point *x = w->at;
    const int64_t n = x->x->n, r = x->x->r, k = x->k;
    const ak_mark mark = ak_scratch_begin(ctx);
    double *VP;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r * k, &VP));
    if (k == 0)
        goto done;
    AK_TRY(ak_gemm(ctx, true, false, r, k, n, 1.0, x->x->V, r, x->P, x->width,
                   0.0, VP, k));
    for (int64_t t = 0; t < r * k; ++t)
        VP[t] *= x->x->s[t / k] * (x->sigma[t % k] - x->less);
    AK_TRY(ak_gemm(ctx, false, true, n, r, k, 1.0, x->R, x->width, VP, k, 0.0,
                   w->XJ, r));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status open_gap(gap_work *w, akin_ctx *ctx)
{
    const ak_rlrr_point *x = w->at;
    const int64_t n = x->x->n, r = x->x->r, m = x->m, k = r + m;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * r, &w->XU));
    AK_TRY(AK_SCRATCH(ctx, n * r, &w->XJ));
    AK_TRY(AK_SCRATCH(ctx, x->peers->start[n], &w->D));
    AK_TRY(AK_SCRATCH(ctx, n * k, &w->low_A));
    AK_TRY(AK_SCRATCH(ctx, n * k, &w->low_B));
    AK_TRY(AK_SCRATCH(ctx, 2 * (n / BLOCK + 1), &w->sums));
    for (int64_t t = 0; t < n * r; ++t)
        w->XU[t] = x->x->s[t % r] * x->U[t];
    for (int64_t i = 0; i < n; ++i) {
        double *A = w->low_A + i * k, *B = w->low_B + i * k;
        memcpy(A, x->x->V + i * r, (size_t)r * sizeof *A);
        for (int64_t c = 0; c < r; ++c)
            B[c] = w->XU[i * r + c] - x->Phi[i * r + c];
        for (int64_t c = 0; c < m; ++c) {
            A[r + c] = -x->by * x->A[i * m + c];
            B[r + c] = x->B[i * m + c];
        }
    }
    AK_TRY(represent(w, ctx));
done:
    return st;
}

/* The multiplier of W = J as repaired, times a block: D and what is of low
 * rank. */
static akin_status repaired(void *arg, akin_ctx *ctx, bool transposed,
                            int64_t b, const double *Y, double *out)
{
    const gap_work *w = arg;
    const ak_rlrr_point *x = w->at;
    const int64_t n = x->x->n, r = x->x->r;
    akin_status st = AKIN_OK;
    AK_TRY(ak_peers_product(ctx, x->peers, transposed ? NULL : x->mirror, w->D,
                            b, Y, out));
    if (!w->self)
        AK_TRY(ak_pair_product(ctx, n, x->m, x->by, x->A, x->B, transposed, b,
                               Y, out));
    AK_TRY(ak_pair_product(ctx, n, r, 1.0, x->x->V, w->self ? w->XU : x->Phi,
                           transposed, b, Y, out));
done:
    return st;
}

static akin_status norm_of(double *out, gap_work *w, akin_ctx *ctx)
{
    ak_svt top = {.n = w->at->x->n};
    const akin_status st =
        ak_svt_find(&top, ctx, repaired, w, INFINITY, 1e-7, PASSES);
    *out = st == AKIN_OK ? top.sigma[0] : 0.0;
    ak_svt_free(&top);
    return st;
}

akin_status ak_rlrr_gap(double *value, double *bound, akin_ctx *ctx,
                        const ak_rlrr_point *x)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = x->x->n, k = x->x->r + x->m;
    gap_work w = {.at = x, .self = x->p->penalise == AK_PENALISE_SELF};
    double D2 = 0.0, J2 = 0.0, peers[2] = {0.0, 0.0}, norm, inner, longest;
    akin_status st = AKIN_OK;
    AK_TRY(open_gap(&w, ctx));
    AK_TRY(ak_parallel_for(ctx, n, BLOCK, peers_block, &w));
    for (int64_t b = 0; b * BLOCK < n; ++b)
        for (int t = 0; t < 2; ++t)
            peers[t] += w.sums[2 * b + t];
    *value = face_terms(&w, &inner, &longest);
    for (int64_t c = 0; c < x->k; ++c) {
        const double sigma = x->sigma[c] - x->less;
        *value += sigma;
        J2 += sigma * sigma;
    }
    if (!w.self)
        AK_TRY(ak_pair_norm(&D2, ctx, n, k, w.low_A, w.low_B));
    AK_TRY(norm_of(&norm, &w, ctx));
    const double held_D = w.self ? peers[0] : fmax(0.0, D2 - peers[0]);
    const double held_J = w.self ? peers[1] : fmax(0.0, J2 - peers[1]);
    const double by = fmax(1.0, fmax(norm, longest / x->p->lambda));
    *value += 0.5 * x->p->gamma * held_J;
    *bound = inner / by - held_D / (by * by) / (2.0 * x->p->gamma);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
