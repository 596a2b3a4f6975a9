/* Steps of a factor in sparse form; learn/lowrank/factor.h has (1) to (8). */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/lowrank/factor_parts.h"

AK_CLONES
bool ak_factor_sparse_fits(ak_factor *f, const double *Atp, const double *a,
                           const double *d, double x, double y, double p2)
{
    const double t = ak_small_dot(f->k, a, Atp), z = x + y;
    double *D = ak_vec_set(f, AK_VEC_D, 1.0, d), *u = ak_vec(f, AK_VEC_U);
    ak_sum_rows(f->k, f->ld, f->Kinv, NULL, D, u);
    f->om = y * y * fmax(p2 - t, 0.0);
    f->nu = ak_lanes_dot(f->ld, D, u);
    f->beta = 1.0 + z * ak_small_dot(f->k, a, d);
    f->D = f->beta * f->beta + f->om * f->nu;
    return ak_factor_keeps_rank(f, ak_lanes_dot(f->ld, D, D),
                                z * z * ak_small_dot(f->k, a, a));
}

/* (5) and (6), given v, u and D; d and g are padded. */
AK_INLINE void update_gram(ak_factor *f, const double *v, const double *u,
                           const double *g, double c2, const double *d)
{
    const int64_t k = f->k, ld = f->ld;
    double *left = ak_vec(f, AK_VEC_LEFT), *right = ak_vec(f, AK_VEC_RIGHT);
    const double nu = f->nu / f->D, om = f->om / f->D, beta = f->beta / f->D;
    for (int64_t j = 0; j < ld; j += AK_LANES) {  // (6) as v left' + u right'
        AK_V4(left + j) = nu * AK_CV4(v + j) - beta * AK_CV4(u + j);
        AK_V4(right + j) = -om * AK_CV4(u + j) - beta * AK_CV4(v + j);
    }
    ak_add_two_to_rows(k, ld, f->Kinv, v, left, u, right);
    for (int64_t j = 0; j < ld; j += AK_LANES)
        AK_V4(left + j) = AK_CV4(g + j) + c2 * AK_CV4(d + j);
    ak_add_two_to_rows(k, ld, f->K, left, d, d, g);  // (5), c2 d d' with g d'
}

AK_CLONES
void ak_factor_sparse_commit(ak_factor *f, ak_spvec p, const double *Atp,
                             const double *a, double x, double y, double p2)
{
    const int64_t k = f->k, ld = f->ld;
    const double t = ak_small_dot(k, a, Atp), z = x + y;
    const double c2 = (x * x + 2.0 * x * y) * t + y * y * p2;
    const double *d = ak_vec(f, AK_VEC_D), *u = ak_vec(f, AK_VEC_U);
    double *xa = ak_vec_set(f, AK_VEC_A, x, a), *row = ak_vec(f, AK_VEC_ROW);
    double *out = ak_vec(f, AK_VEC_OUT);
    update_gram(f, ak_vec_set(f, AK_VEC_V, z, a), u,
                ak_vec_set(f, AK_VEC_G, z, Atp), c2, d);
    for (int64_t i = 0; i < k; ++i)
        out[i] = ak_lanes_dot(ld, f->R + i * ld, xa);
    ak_add_to_rows(k, ld, f->R, NULL, out, d);  // (2)
    /* d'R^-1 after the step is d'R^-1 before, divided by 1 + x a.d. */
    const double shrink = 1.0 / (1.0 + ak_lanes_dot(ld, xa, d));
    ak_sum_rows(k, ld, f->Rinv, NULL, d, row);
    for (int64_t j = 0; j < ld; j += AK_LANES) {
        AK_V4(row + j) *= shrink;
        AK_V4(out + j) = -AK_CV4(xa + j);
    }
    ak_add_to_rows(k, ld, f->Rinv, NULL, out, row);  // (3)
    for (int64_t j = 0; j < ld; j += AK_LANES)
        AK_V4(row + j) *= y;
    ak_add_to_rows(p.n, ld, f->H, p.cols, p.vals, row);  // (4)
    ak_factor_count(f);
}

/* ---- several columns ------------------------------------------------------
 */

/* A step of rank one of the Gram matrix, A + c d', from g = A'c, c2 = |c|^2. */
AK_CLONES
static bool gram_step(ak_factor *f, const double *g, double c2, const double *d)
{
    const int64_t k = f->k, ld = f->ld;
    double *v = ak_vec(f, AK_VEC_V), *u = ak_vec(f, AK_VEC_U);
    ak_sum_rows(k, ld, f->Kinv, NULL, g, v);
    ak_sum_rows(k, ld, f->Kinv, NULL, d, u);
    f->om = fmax(c2 - ak_lanes_dot(ld, g, v), 0.0);
    f->nu = ak_lanes_dot(ld, d, u);
    f->beta = 1.0 + ak_lanes_dot(ld, d, v);
    f->D = f->beta * f->beta + f->om * f->nu;
    if (!ak_factor_keeps_rank(f, ak_lanes_dot(ld, d, d),
                              ak_lanes_dot(ld, v, v)))
        return false;
    update_gram(f, v, u, g, c2, d);
    ak_factor_count(f);
    return true;
}

/* out (r x ld) = M B, M r x r, B r x k, M and N added if there is an N. */
static void mix(const ak_factor *f, int64_t r, const double *M, const double *N,
                const double *B, double *out)
{
    for (int64_t i = 0; i < r; ++i)
        for (int64_t j = 0; j < r; ++j) {
            const double m = M[i * r + j] + (N ? N[i * r + j] : 0.0);
            for (int64_t l = 0; l < f->k; ++l)
                out[i * f->ld + l] += m * B[j * f->k + l];
        }
}

/* C'C = (X + F) T (X + F)' + F (G'G - T) F' with T = a'A'G; into CC. */
static akin_status inner_products(const ak_factor *f, akin_ctx *ctx,
                                  const ak_factor_step *s, double *CC)
{
    const int64_t r = s->r;
    double *T = NULL, *Z = NULL, *M = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r * r, &T));
    AK_TRY(AK_SCRATCH(ctx, r * r, &Z));
    AK_TRY(AK_SCRATCH(ctx, r * r, &M));
    for (int64_t i = 0; i < r * r; ++i) {
        T[i] = ak_small_dot(f->k, s->a + i / r * f->k, s->AtG + i % r * f->k);
        Z[i] = s->X[i] + s->F[i];
    }
    AK_TRY(ak_gemm(ctx, false, false, r, r, r, 1.0, Z, r, T, r, 0.0, M, r));
    AK_TRY(ak_gemm(ctx, false, true, r, r, r, 1.0, M, r, Z, r, 0.0, CC, r));
    for (int64_t i = 0; i < r * r; ++i)
        T[i] = s->GtG[i] - T[i];
    AK_TRY(ak_gemm(ctx, false, false, r, r, r, 1.0, s->F, r, T, r, 0.0, M, r));
    AK_TRY(ak_gemm(ctx, false, true, r, r, r, 1.0, M, r, s->F, r, 1.0, CC, r));
done:
    return st;
}

/* E = X a and S = (I + d'E)^-1; *fits: whether there is one. */
static akin_status plan(const ak_factor *f, akin_ctx *ctx, ak_factor_step *s,
                        bool *fits)
{
    const int64_t r = s->r;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r * f->ld, &s->E));
    AK_TRY(AK_SCRATCH(ctx, r * r, &s->S));
    AK_TRY(AK_SCRATCH(ctx, 3 * r * f->ld, &s->C));
    mix(f, r, s->X, NULL, s->a, s->E);
    for (int64_t i = 0; i < r * r; ++i)
        s->S[i] = (i / r == i % r) +
                  ak_small_dot(f->k, s->d + i / r * f->k, s->E + i % r * f->ld);
    st = ak_inverse(ctx, r, s->S);
    *fits = st == AKIN_OK;
    st = st == AKIN_ENUMERIC ? AKIN_OK : st;
done:
    return st;
}

akin_status ak_factor_sparse_try(ak_factor *f, akin_ctx *ctx, ak_factor_step *s,
                                 bool *fits)
{
    const int64_t r = s->r, k = f->k, ld = f->ld;
    double *CC = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(plan(f, ctx, s, fits));
    AK_TRY(AK_SCRATCH(ctx, r * r, &CC));
    AK_TRY(inner_products(f, ctx, s, CC));
    double *d = s->C, *g = s->C + r * ld;
    mix(f, r, s->X, s->F, s->AtG, g);  // A'C
    for (int64_t i = 0; *fits && i < r; ++i) {
        memcpy(d + i * ld, s->d + i * k, (size_t)k * sizeof *d);
        for (int64_t j = 0; j < i; ++j)  // c_j d_j' is there already
            ak_lanes_add(ld, CC[i * r + j], d + j * ld, g + i * ld);
        *fits = gram_step(f, g + i * ld, CC[i * r + i], d + i * ld);
        if (!*fits && i > 0)
            AK_TRY(ak_factor_rebase(f, ctx));
    }
done:
    return st;
}

AK_CLONES
void ak_factor_sparse_commit_step(ak_factor *f, const ak_factor_step *s)
{
    const int64_t r = s->r, k = f->k, ld = f->ld;
    double *d = s->C, *dR = s->C + r * ld, *rows = dR + r * ld;
    double *row = ak_vec(f, AK_VEC_ROW), *out = ak_vec(f, AK_VEC_OUT);
    for (int64_t i = 0; i < k; ++i) {  // R <- R (I + E d')
        memcpy(row, f->R + i * ld, (size_t)ld * sizeof *row);
        for (int64_t j = 0; j < r; ++j)
            ak_lanes_add(ld, ak_lanes_dot(ld, row, s->E + j * ld), d + j * ld,
                         f->R + i * ld);
    }
    for (int64_t j = 0; j < r; ++j)
        ak_sum_rows(k, ld, f->Rinv, NULL, d + j * ld, dR + j * ld);
    for (int64_t i = 0; i < r; ++i) {  // d'R^-1 after the step is S d'R^-1
        ak_sum_rows(r, ld, dR, NULL, s->S + i * r, rows + i * ld);
        for (int64_t j = 0; j < ld; j += AK_LANES)
            AK_V4(out + j) = -AK_CV4(s->E + i * ld + j);
        ak_add_to_rows(k, ld, f->Rinv, NULL, out, rows + i * ld);
    }
    for (int64_t j = 0; j < r; ++j) {
        memset(out, 0, (size_t)ld * sizeof *out);
        for (int64_t i = 0; i < r; ++i)
            ak_lanes_add(ld, s->F[i * r + j], rows + i * ld, out);
        ak_add_to_rows(s->G[j].n, ld, f->H, s->G[j].cols, s->G[j].vals, out);
    }
}
