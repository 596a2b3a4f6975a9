/* A factor in use: projections, the drift, and steps by its form. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/lowrank/factor_parts.h"

static const double DRIFT_MOST = 1e-8;
static const double RANK_LEAST = 1e-12;
static const double SHRUNK = 0.5;
static const double COND_GROWTH = 100.0;  // errors grow by about its square
static const double DET_LEAST = 1e-8;     // below it all is made afresh

void ak_factor_fetch(const ak_factor *f, int64_t n, const int32_t *cols)
{
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < f->ld; j += AK_PAD)  // a cache line
            __builtin_prefetch(f->H + cols[i] * f->ld + j, 1);
}

AK_CLONES
void ak_factor_project(const ak_factor *f, ak_spvec p, double *Atp)
{
    double *Hp = ak_vec(f, AK_VEC_HP), *out = ak_vec(f, AK_VEC_OUT);
    ak_sum_rows(p.n, f->ld, f->H, p.cols, p.vals, Hp);
    if (f->form == AK_FACTOR_SPARSE)
        ak_sum_rows(f->k, f->ld, f->R, NULL, Hp, out);  // R'(H'p)
    memcpy(Atp, f->form == AK_FACTOR_SPARSE ? out : Hp,
           (size_t)f->k * sizeof *Atp);
}

void ak_factor_lift(const ak_factor *f, const double *h, double *v)
{
    if (f->form == AK_FACTOR_DENSE)
        memcpy(v, h, (size_t)f->k * sizeof *v);
    for (int64_t i = 0; f->form == AK_FACTOR_SPARSE && i < f->k; ++i)
        v[i] = ak_small_dot(f->k, f->R + i * f->ld, h);  // H (R h)
}

double ak_factor_lifted(const ak_factor *f, int64_t i, const double *v)
{
    return ak_small_dot(f->k, f->H + i * f->ld, v);
}

AK_CLONES
static void solve(const ak_factor *f, const double *Atp, double *a)
{
    double *out = ak_vec(f, AK_VEC_OUT);
    ak_sum_rows(f->k, f->ld, f->Kinv, NULL, Atp, out);  // symmetric
    memcpy(a, out, (size_t)f->k * sizeof *a);
}

void ak_factor_solve(const ak_factor *f, ak_spvec p, const double *Atp,
                     double *a)
{
    if (f->form == AK_FACTOR_DENSE)
        ak_factor_dense_solve(f, p, a);
    else
        solve(f, Atp, a);
}

AK_CLONES
static void gram_times(const ak_factor *f, const double *a, double *out)
{
    ak_sum_rows(f->k, f->ld, f->K, NULL, a, out);
}

/* |K a - A'p| / |A'p|: 0 but for rounding while the inverses are what they
 * should be. */
static double drift(const ak_factor *f, const double *Atp, const double *a)
{
    double *Ka = ak_vec(f, AK_VEC_OUT), off = 0.0, size = 0.0;
    if (f->form == AK_FACTOR_DENSE)
        ak_factor_dense_gram_times(f, a, Ka);
    else
        gram_times(f, a, Ka);
    for (int64_t i = 0; i < f->k; ++i) {
        off += (Ka[i] - Atp[i]) * (Ka[i] - Atp[i]);
        size += Atp[i] * Atp[i];
    }
    return size > 0.0 ? sqrt(off / size) : 0.0;
}

double ak_factor_condition(const ak_factor *f)
{
    double most = 0.0, most_inverse = 0.0;
    for (int64_t i = 0; i < f->k; ++i) {
        double K = 0.0, Kinv = 0.0;
        for (int64_t j = 0; f->form == AK_FACTOR_DENSE && j < f->n; ++j) {
            K += f->H[j * f->ld + i] * f->H[j * f->ld + i];
            Kinv += f->P[j * f->ld + i] * f->P[j * f->ld + i];
        }
        if (f->form == AK_FACTOR_SPARSE) {
            K = f->K[i * f->ld + i];
            Kinv = f->Kinv[i * f->ld + i];
        }
        most = fmax(most, K);
        most_inverse = fmax(most_inverse, Kinv);
    }
    return most * most_inverse;
}

/* Whether the inverses are to be made afresh; looked at now and then, and when
 * A has shrunk. The drift shows what errors there are where A is large, the
 * condition what they may be where it is small. */
static bool is_due(ak_factor *f, const double *Atp, const double *a)
{
    if (f->updates >= f->every)
        return true;
    if (f->updates / AK_FACTOR_LOOK <= f->looks && f->shrunk > SHRUNK)
        return false;
    f->looks = f->updates / AK_FACTOR_LOOK;
    f->shrunk = 1.0;
    return drift(f, Atp, a) > DRIFT_MOST ||
           ak_factor_condition(f) > fmin(COND_GROWTH * f->cond, AK_FACTOR_COND);
}

akin_status ak_factor_begin(ak_factor *f, akin_ctx *ctx, ak_spvec p,
                            double *Atp, double *a)
{
    ak_factor_solve(f, p, Atp, a);
    if (!is_due(f, Atp, a))
        return AKIN_OK;
    const akin_status st = ak_factor_rebase(f, ctx);
    ak_factor_project(f, p, Atp);
    ak_factor_solve(f, p, Atp, a);
    return st;
}

bool ak_factor_keeps_rank(ak_factor *f, double d2, double v2)
{
    const double size = 1.0 + sqrt(d2 * v2);
    if (f->D < DET_LEAST)
        f->updates = f->every;
    return f->D > RANK_LEAST * size * size;
}

bool ak_factor_fits(ak_factor *f, ak_spvec p, const double *Atp,
                    const double *a, const double *d, double x, double y,
                    double p2)
{
    return f->form == AK_FACTOR_DENSE
               ? ak_factor_dense_fits(f, p, a, d, x, y)
               : ak_factor_sparse_fits(f, Atp, a, d, x, y, p2);
}

void ak_factor_commit(ak_factor *f, ak_spvec p, const double *Atp,
                      const double *a, double x, double y, double p2)
{
    if (f->form == AK_FACTOR_DENSE)
        ak_factor_dense_commit(f);
    else
        ak_factor_sparse_commit(f, p, Atp, a, x, y, p2);
}

bool ak_factor_apply(ak_factor *f, ak_spvec p, const double *Atp,
                     const double *a, const double *d, double x, double y,
                     double p2)
{
    const bool fits = ak_factor_fits(f, p, Atp, a, d, x, y, p2);
    if (fits)
        ak_factor_commit(f, p, Atp, a, x, y, p2);
    return fits;
}

akin_status ak_factor_try(ak_factor *f, akin_ctx *ctx, ak_factor_step *step,
                          bool *fits)
{
    return f->form == AK_FACTOR_DENSE
               ? ak_factor_dense_try(f, ctx, step, fits)
               : ak_factor_sparse_try(f, ctx, step, fits);
}

void ak_factor_commit_step(ak_factor *f, const ak_factor_step *step)
{
    if (f->form == AK_FACTOR_SPARSE)
        ak_factor_sparse_commit_step(f, step);
}

akin_status ak_factor_cancel(ak_factor *f, akin_ctx *ctx,
                             const ak_factor_step *step)
{
    return f->form == AK_FACTOR_DENSE ? ak_factor_dense_cancel(f, ctx, step)
                                      : ak_factor_rebase(f, ctx);
}

AK_CLONES
void ak_factor_row(const ak_factor *f, int64_t i, double *out)
{
    double *row = ak_vec(f, AK_VEC_OUT);
    if (f->form == AK_FACTOR_DENSE)
        row = f->H + i * f->ld;
    else
        ak_sum_rows(f->k, f->ld, f->R, NULL, f->H + i * f->ld, row);
    memcpy(out, row, (size_t)f->k * sizeof *out);
}

akin_status ak_factor_error(const ak_factor *f, akin_ctx *ctx, double *error)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = f->k;
    double *A = NULL, *K = NULL, *I = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, f->n * k, &A));
    AK_TRY(AK_SCRATCH(ctx, k * k, &K));
    AK_TRY(AK_SCRATCH(ctx, k * k, &I));
    for (int64_t i = 0; i < f->n; ++i)
        ak_factor_row(f, i, A + i * k);
    AK_TRY(ak_gram(ctx, true, k, f->n, A, k, K));
    if (f->form == AK_FACTOR_DENSE)
        AK_TRY(ak_gemm(ctx, true, false, k, k, f->n, 1.0, f->P, f->ld, A, k,
                       0.0, I, k));
    else
        AK_TRY(ak_gemm(ctx, false, false, k, k, k, 1.0, f->Kinv, f->ld, K, k,
                       0.0, I, k));
    *error = 0.0;
    for (int64_t i = 0; i < k * k; ++i) {
        const double off = fabs(I[i] - (i / k == i % k));
        *error = off <= *error ? *error : off;  // and NaN stays
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}
