/* Matrices of rank k.
 *   [1] Vandereycken. Low-rank matrix completion by Riemannian optimization.
 *       SIAM J. Optim. 23(2):1214-1236, 2013.
 *
 *   W + xi = [U Up] [S + M, I; I, 0] [V Vp]'                            (1)
 *          = Q1 (R1 [S + M, I; I, 0] R2') Q2'                           (2)
 *
 * with the thin QR of both outer factors. The matrix in the middle of (2) has
 * at most 2k rows; its SVD is that of W + xi. */
#include "learn/cross/fixed_rank.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "la/tall.h"

akin_status ak_fixed_point_new(ak_fixed_point *x, akin_ctx *ctx,
                               ak_fixed_rank r)
{
    AK_CHECK(AK_SCRATCH(ctx, r.m * r.k, &x->U));
    AK_CHECK(AK_SCRATCH(ctx, r.k, &x->s));
    return AK_SCRATCH(ctx, r.n * r.k, &x->V);
}

void ak_fixed_point_copy(ak_fixed_rank r, ak_fixed_point from,
                         ak_fixed_point to)
{
    memcpy(to.U, from.U, (size_t)(r.m * r.k) * sizeof *to.U);
    memcpy(to.s, from.s, (size_t)r.k * sizeof *to.s);
    memcpy(to.V, from.V, (size_t)(r.n * r.k) * sizeof *to.V);
}

static void fill(ak_rng *rng, int64_t n, double *x)
{
    for (int64_t i = 0; i < n; ++i)
        x[i] = ak_rng_normal(rng);
}

akin_status ak_fixed_point_random(ak_fixed_point x, akin_ctx *ctx,
                                  ak_fixed_rank r, ak_rng *rng)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *R = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r.k * r.k, &R));
    fill(rng, r.m * r.k, x.U);
    fill(rng, r.n * r.k, x.V);
    AK_TRY(ak_tall_qr(ctx, r.m, r.k, x.U, R));
    AK_TRY(ak_tall_qr(ctx, r.n, r.k, x.V, R));
    for (int64_t c = 0; c < r.k; ++c)
        x.s[c] = 1.0;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

double ak_fixed_point_norm(ak_fixed_rank r, ak_fixed_point x)
{
    return sqrt(ak_dot(r.k, x.s, x.s));
}

/* P <- (I - QQ') P, twice; T has k x k. */
static akin_status complement(akin_ctx *ctx, int64_t m, int64_t k,
                              const double *Q, double *P, double *T)
{
    for (int i = 0; i < 2; ++i) {
        AK_CHECK(ak_tall_cross(ctx, m, k, Q, k, P, T));
        AK_CHECK(ak_tall_multiply(ctx, m, k, -1.0, Q, k, k, T, 1.0, P));
    }
    return AKIN_OK;
}

akin_status ak_tangent_project(akin_ctx *ctx, ak_fixed_rank r, ak_fixed_point x,
                               double *xi)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *T = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r.k * r.k, &T));
    AK_TRY(complement(ctx, r.m, r.k, x.U, ak_tangent_Up(r, xi), T));
    AK_TRY(complement(ctx, r.n, r.k, x.V, ak_tangent_Vp(r, xi), T));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_tangent_random(akin_ctx *ctx, ak_fixed_rank r, ak_fixed_point x,
                              ak_rng *rng, double *xi)
{
    fill(rng, ak_tangent_size(r), xi);
    return ak_tangent_project(ctx, r, x, xi);
}

/* One outer factor of (1), [P Pp] of m rows, and its QR. */
typedef struct outer {
    int64_t m, q;
    double *Q, *R;  // m x 2k, of which q columns; q x 2k
} outer;

static akin_status outer_new(outer *o, akin_ctx *ctx, int64_t m, int64_t k,
                             const double *P, const double *Pp)
{
    o->m = m;
    o->q = ak_min_i64(m, 2 * k);
    AK_CHECK(AK_SCRATCH(ctx, m * 2 * k, &o->Q));
    AK_CHECK(AK_SCRATCH(ctx, o->q * 2 * k, &o->R));
    for (int64_t i = 0; i < m; ++i) {
        memcpy(o->Q + i * 2 * k, P + i * k, (size_t)k * sizeof *P);
        memcpy(o->Q + (2 * i + 1) * k, Pp + i * k, (size_t)k * sizeof *P);
    }
    return ak_tall_qr(ctx, m, 2 * k, o->Q, o->R);
}

/* The middle of (2), q1 x q2. R1 times the 2k x 2k matrix is
 * [Ra (S + M) + Rb, Ra] where R1 = [Ra Rb]. */
static akin_status middle(double **out, akin_ctx *ctx, int64_t k,
                          const double *s, const double *M, const outer *left,
                          const outer *right)
{
    double *SM = NULL, *T = NULL;
    AK_CHECK(AK_SCRATCH(ctx, k * k, &SM));
    AK_CHECK(AK_SCRATCH(ctx, left->q * 2 * k, &T));
    AK_CHECK(AK_SCRATCH(ctx, left->q * right->q, out));
    memcpy(SM, M, (size_t)(k * k) * sizeof *M);
    for (int64_t c = 0; c < k; ++c)
        SM[c * k + c] += s[c];
    for (int64_t i = 0; i < left->q; ++i)
        for (int64_t c = 0; c < k; ++c) {
            T[i * 2 * k + c] = left->R[i * 2 * k + k + c];
            T[i * 2 * k + k + c] = left->R[i * 2 * k + c];
        }
    AK_CHECK(ak_gemm(ctx, false, false, left->q, k, k, 1.0, left->R, 2 * k, SM,
                     k, 1.0, T, 2 * k));
    return ak_gemm(ctx, false, true, left->q, right->q, 2 * k, 1.0, T, 2 * k,
                   right->R, 2 * k, 0.0, *out, right->q);
}

akin_status ak_fixed_retract(akin_ctx *ctx, ak_fixed_rank r, ak_fixed_point x,
                             const double *xi, double least, ak_fixed_point y)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = r.k;
    outer left = {0}, right = {0};
    double *K = NULL, *u = NULL, *s = NULL, *vt = NULL, *c = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(outer_new(&left, ctx, r.m, k, x.U, xi + k * k));
    AK_TRY(outer_new(&right, ctx, r.n, k, x.V, xi + (k + r.m) * k));
    AK_TRY(middle(&K, ctx, k, x.s, xi, &left, &right));
    const int64_t q = ak_min_i64(left.q, right.q);
    AK_TRY(AK_SCRATCH(ctx, left.q * q, &u));
    AK_TRY(AK_SCRATCH(ctx, q, &s));
    AK_TRY(AK_SCRATCH(ctx, q * right.q, &vt));
    AK_TRY(AK_SCRATCH(ctx, 2 * k * k, &c));
    AK_TRY(ak_svd(ctx, left.q, right.q, K, s, u, vt));
    for (int64_t i = 0; i < left.q; ++i)
        memcpy(c + i * k, u + i * q, (size_t)k * sizeof *c);
    AK_TRY(
        ak_tall_multiply(ctx, r.m, left.q, 1.0, left.Q, 2 * k, k, c, 0.0, y.U));
    for (int64_t i = 0; i < right.q; ++i)
        for (int64_t j = 0; j < k; ++j)
            c[i * k + j] = vt[j * right.q + i];
    AK_TRY(ak_tall_multiply(ctx, r.n, right.q, 1.0, right.Q, 2 * k, k, c, 0.0,
                            y.V));
    for (int64_t j = 0; j < k; ++j)
        y.s[j] = fmax(s[j], least);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ZV = Us (M VV' + VpV') + Up VV' of one side: with E = M VV' + VpV', the
 * product of xi with the new basis on the other side. `VVt` is VV', k x k. */
static akin_status carry(akin_ctx *ctx, int64_t m, int64_t k, const double *Us,
                         const double *Up, const double *E, const double *VVt,
                         double *out)
{
    AK_CHECK(ak_tall_multiply(ctx, m, k, 1.0, Us, k, k, E, 0.0, out));
    return ak_tall_multiply(ctx, m, k, 1.0, Up, k, k, VVt, 1.0, out);
}

akin_status ak_fixed_transport(akin_ctx *ctx, ak_fixed_rank r, ak_fixed_point x,
                               const double *xi, ak_fixed_point y, double *eta)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = r.k;
    const double *M = xi, *Up = xi + k * k, *Vp = Up + r.m * k;
    double *VV = NULL, *UU = NULL, *E = NULL, *F = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH_EACH(ctx, k * k, &UU, &VV, &E, &F));
    AK_TRY(ak_tall_cross(ctx, r.m, k, x.U, k, y.U, UU));  // Us'U
    AK_TRY(ak_tall_cross(ctx, r.n, k, x.V, k, y.V, VV));  // Vs'V
    AK_TRY(ak_tall_cross(ctx, r.n, k, Vp, k, y.V, E));    // Vp'V
    AK_TRY(ak_tall_cross(ctx, r.m, k, Up, k, y.U, F));    // Up'U
    AK_TRY(ak_gemm(ctx, false, false, k, k, k, 1.0, M, k, VV, k, 1.0, E, k));
    AK_TRY(ak_gemm(ctx, true, false, k, k, k, 1.0, M, k, UU, k, 1.0, F, k));
    AK_TRY(carry(ctx, r.m, k, x.U, Up, E, VV, ak_tangent_Up(r, eta)));
    AK_TRY(carry(ctx, r.n, k, x.V, Vp, F, UU, ak_tangent_Vp(r, eta)));
    AK_TRY(ak_tall_cross(ctx, r.m, k, y.U, k, ak_tangent_Up(r, eta), eta));
    AK_TRY(ak_tangent_project(ctx, r, y, eta));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
