/* Steps of a factor in dense form; learn/lowrank/factor.h has (1), (7) and (8).
 */
#include <string.h>

#include "la/dense.h"
#include "learn/lowrank/factor_parts.h"

AK_CLONES
void ak_factor_dense_solve(const ak_factor *f, ak_spvec p, double *a)
{
    double *out = ak_vec(f, AK_VEC_OUT);
    ak_sum_rows(p.n, f->ld, f->P, p.cols, p.vals, out);
    memcpy(a, out, (size_t)f->k * sizeof *a);
}

AK_CLONES
void ak_factor_dense_gram_times(const ak_factor *f, const double *a,
                                double *out)
{
    const int64_t ld = f->ld;
    const double *A = ak_vec_set(f, AK_VEC_A, 1.0, a);
    for (int64_t i = 0; i < f->n; ++i)
        f->m[i] = ak_lanes_dot(ld, f->H + i * ld, A);
    ak_sum_rows(f->n, ld, f->H, NULL, f->m, out);
}

/* x.x of n numbers, in a fixed order of summation. */
AK_INLINE double squared(int64_t n, const double *x)
{
    return ak_small_dot(n, x, x);
}

/* m and D of (7), given c, w and v. */
AK_CLONES
static bool look(ak_factor *f, const double *d, const double *v)
{
    const int64_t n = f->n, ld = f->ld;
    double *Pm = ak_vec(f, AK_VEC_U);
    for (int64_t i = 0; i < n; ++i)
        f->m[i] = ak_lanes_dot(ld, f->P + i * ld, d);
    ak_sum_rows(n, ld, f->P, NULL, f->m, Pm);
    f->om = squared(n, f->w);
    f->nu = squared(n, f->m);
    f->beta = 1.0 + ak_lanes_dot(ld, d, v);
    f->D = f->beta * f->beta + f->om * f->nu;
    return ak_factor_keeps_rank(f, ak_lanes_dot(ld, d, d),
                                ak_lanes_dot(ld, v, v));
}

/* v and w come for free: v = (x + y) a, w = y (p - A a). */
AK_CLONES
bool ak_factor_dense_fits(ak_factor *f, ak_spvec p, const double *a,
                          const double *d, double x, double y)
{
    const int64_t ld = f->ld;
    const double *A = ak_vec_set(f, AK_VEC_A, 1.0, a);
    for (int64_t i = 0; i < f->n; ++i) {
        const double Aa = ak_lanes_dot(ld, f->H + i * ld, A);
        f->c[i] = x * Aa;
        f->w[i] = -y * Aa;
    }
    for (int64_t i = 0; i < p.n; ++i) {
        f->c[p.cols[i]] += y * p.vals[i];
        f->w[p.cols[i]] += y * p.vals[i];
    }
    return look(f, ak_vec_set(f, AK_VEC_D, 1.0, d),
                ak_vec_set(f, AK_VEC_V, x + y, a));
}

AK_CLONES
void ak_factor_dense_commit(ak_factor *f)
{
    const int64_t ld = f->ld;
    const double *d = ak_vec(f, AK_VEC_D), *v = ak_vec(f, AK_VEC_V);
    const double *Pm = ak_vec(f, AK_VEC_U);
    const double nu = f->nu / f->D, om = f->om / f->D, beta = f->beta / f->D;
    for (int64_t i = 0; i < f->n; ++i) {
        const double right = beta * f->w[i] - om * f->m[i];
        const double left = -nu * f->w[i] - beta * f->m[i];
        double *H = f->H + i * ld, *P = f->P + i * ld;
        for (int64_t j = 0; j < ld; j += AK_LANES) {
            AK_V4(H + j) += f->c[i] * AK_CV4(d + j);
            AK_V4(P + j) += right * AK_CV4(Pm + j) + left * AK_CV4(v + j);
        }
    }
    ak_factor_count(f);
}

AK_CLONES
static bool add(ak_factor *f, const double *c, const double *d)
{
    const int64_t n = f->n, ld = f->ld;
    double *v = ak_vec(f, AK_VEC_V);
    memcpy(f->c, c, (size_t)n * sizeof *c);
    ak_sum_rows(n, ld, f->P, NULL, c, v);
    for (int64_t i = 0; i < n; ++i)
        f->w[i] = c[i] - ak_lanes_dot(ld, f->H + i * ld, v);
    if (!look(f, ak_vec_set(f, AK_VEC_D, 1.0, d), v))
        return false;
    ak_factor_dense_commit(f);
    return true;
}

bool ak_factor_add(ak_factor *f, const double *c, const double *d)
{
    return add(f, c, d);
}

/* ---- several columns ------------------------------------------------------
 */

/* C, r x n: (8) without the d. */
AK_CLONES
static void make_columns(const ak_factor *f, const ak_factor_step *s)
{
    const int64_t r = s->r, k = f->k, ld = f->ld, n = f->n;
    double *e = ak_vec(f, AK_VEC_A);
    for (int64_t i = 0; i < r; ++i) {
        double *c = s->C + i * n;
        memset(e, 0, (size_t)ld * sizeof *e);
        for (int64_t j = 0; j < r; ++j)
            for (int64_t l = 0; l < k; ++l)
                e[l] += s->X[i * r + j] * s->a[j * k + l];
        for (int64_t l = 0; l < n; ++l)
            c[l] = ak_lanes_dot(ld, f->H + l * ld, e);
        for (int64_t j = 0; j < r; ++j)
            for (int64_t l = 0; l < s->G[j].n; ++l)
                c[s->G[j].cols[l]] += s->F[i * r + j] * s->G[j].vals[l];
    }
}

/* A <- A + sign times the first `count` columns of the step. */
static akin_status add_columns(ak_factor *f, akin_ctx *ctx,
                               const ak_factor_step *s, int64_t count,
                               double sign)
{
    return ak_gemm(ctx, true, false, f->n, f->k, count, sign, s->C, f->n, s->d,
                   f->k, 1.0, f->H, f->ld);
}

/* Undo the first `count` columns. */
static akin_status undo(ak_factor *f, akin_ctx *ctx, const ak_factor_step *s,
                        int64_t count)
{
    const akin_status st = add_columns(f, ctx, s, count, -1.0);
    return st == AKIN_OK ? ak_factor_rebase(f, ctx) : st;
}

/* One column after the other, or, when they are many, all at once and A^+
 * afresh, which then costs less. */
akin_status ak_factor_dense_try(ak_factor *f, akin_ctx *ctx, ak_factor_step *s,
                                bool *fits)
{
    akin_status st = AKIN_OK;
    int64_t done = 0;
    *fits = true;
    AK_TRY(ak_scratch(ctx, s->r, (size_t)f->n * sizeof *s->C, &s->C));
    make_columns(f, s);
    if (3 * s->r > f->k && s->r > 2) {
        AK_TRY(add_columns(f, ctx, s, s->r, 1.0));
        done = s->r;
        st = ak_factor_rebase(f, ctx);
        *fits = st == AKIN_OK;
        st = st == AKIN_ENUMERIC ? AKIN_OK : st;
    }
    for (; st == AKIN_OK && *fits && done < s->r; done += *fits)
        *fits = add(f, s->C + done * f->n, s->d + done * f->k);
    if (st == AKIN_OK && !*fits && done > 0)
        st = undo(f, ctx, s, done);
done:
    return st;
}

akin_status ak_factor_dense_cancel(ak_factor *f, akin_ctx *ctx,
                                   const ak_factor_step *s)
{
    return undo(f, ctx, s, s->r);
}
