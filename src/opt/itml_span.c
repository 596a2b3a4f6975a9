/* Information-theoretic metric learning where points are few beside columns.
 * With M0 = L L' and the points (less one of them) times L in the columns of
 * P = Q R, no pair sees anything outside the span of Q, and there M stays M0:
 *
 *   M = M0 + (L Q) (A - I) (L Q)'                                        (1)
 *
 * where A is learned from the columns of R and the identity. Its objective is
 * that of M. */
#include "la/dense.h"
#include "opt/itml.h"

/* Points named by the pairs: the first of the two, or the second. */
static int64_t points_of(const ak_itml *p, int side)
{
    int64_t most = 0;
    for (int64_t c = 0; c < p->count; ++c)
        most = ak_max_i64(most, p->ij[2 * c + side] + 1);
    return most;
}

typedef struct span {
    int64_t nx, n;          // points of X, and all
    double *L, *P, *R, *C;  // d x d, d x n, n x n, R'
    double *B, *BA;         // d x n: L Q; times A - I
} span;

/* P, from the points of X and, where Y is another set, of Y. */
static akin_status take_points(const ak_itml *p, akin_ctx *ctx, span *s)
{
    const int64_t d = p->d, n = s->n;
    double *shifted;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * d, &shifted));
    for (int64_t i = 0; i < n; ++i) {
        const double *x = i < s->nx ? p->X + i * d : p->Y + (i - s->nx) * d;
        for (int64_t j = 0; j < d; ++j)
            shifted[i * d + j] = x[j] - p->X[j];
    }
    AK_TRY(ak_gemm(ctx, true, true, d, n, d, 1.0, s->L, d, shifted, d, 0.0,
                   s->P, n));
done:
    return st;
}

/* (1) of A, which is changed. */
static akin_status lift(ak_itml *p, akin_ctx *ctx, span *s, double *A)
{
    const int64_t d = p->d, n = s->n;
    akin_status st = AKIN_OK;
    for (int64_t j = 0; j < n; ++j)
        A[j * (n + 1)] -= 1.0;
    AK_TRY(ak_gemm(ctx, false, false, d, n, d, 1.0, s->L, d, s->P, n, 0.0, s->B,
                   n));
    AK_TRY(
        ak_gemm(ctx, false, false, d, n, n, 1.0, s->B, n, A, n, 0.0, s->BA, n));
    AK_TRY(ak_gemm(ctx, false, true, d, d, n, 1.0, s->BA, n, s->B, n, 1.0, p->M,
                   d));
    for (int64_t i = 0; i < d; ++i)
        for (int64_t j = 0; j < i; ++j)
            p->M[j * d + i] = p->M[i * d + j];
done:
    return st;
}

static akin_status make_room(const ak_itml *p, akin_ctx *ctx, span *s)
{
    const int64_t d = p->d, n = s->n;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d * d, &s->L));
    AK_TRY(AK_SCRATCH(ctx, d * n, &s->P));
    AK_TRY(AK_SCRATCH(ctx, d * n, &s->B));
    AK_TRY(AK_SCRATCH(ctx, d * n, &s->BA));
    AK_TRY(AK_SCRATCH(ctx, n * n, &s->R));
    AK_TRY(AK_SCRATCH(ctx, n * n, &s->C));
done:
    return st;
}

static akin_status in_span(ak_itml *p, akin_ctx *ctx, span *s)
{
    const int64_t d = p->d, n = s->n;
    ak_itml q = *p;
    akin_status st = AKIN_OK;
    AK_TRY(make_room(p, ctx, s));
    for (int64_t k = 0; k < d * d; ++k)
        s->L[k] = p->M[k];
    AK_TRY(ak_cholesky(ctx, d, s->L));
    AK_TRY(take_points(p, ctx, s));
    AK_TRY(ak_qr(ctx, d, n, s->P, s->R));
    for (int64_t k = 0; k < n * n; ++k)
        s->C[k] = s->R[k % n * n + k / n];
    q.d = n;
    q.X = s->C;
    q.Y = p->Y == p->X ? s->C : s->C + s->nx * n;
    AK_TRY(AK_SCRATCH(ctx, n * n, &q.M));
    for (int64_t j = 0; j < n; ++j)
        q.M[j * (n + 1)] = 1.0;
    AK_TRY(ak_itml_newton_full(&q, ctx));
    AK_TRY(lift(p, ctx, s, q.M));
    p->iterations = q.iterations;
    p->converged = q.converged;
    p->objective = q.objective;
    p->active = q.active;
done:
    return st;
}

akin_status ak_itml_newton(ak_itml *p, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    span s = {.nx = points_of(p, 0)};
    akin_status st = AKIN_OK;
    if (p->Y == p->X)
        s.n = s.nx = ak_max_i64(s.nx, points_of(p, 1));
    else
        s.n = s.nx + points_of(p, 1);
    st = 4 * s.n > 3 * p->d ? ak_itml_newton_full(p, ctx) : in_span(p, ctx, &s);
    ak_scratch_end(ctx, mark);
    return st;
}
