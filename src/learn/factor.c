#include "learn/factor.h"

#include <math.h>
#include <string.h>

#include "la/clones.h"
#include "la/dense.h"

enum {
    REBASE_LEAST = 10000,
    CHECK_EVERY = 64,  // updates between looks at the drift
};

static const double DRIFT_MOST = 1e-8;
static const double RANK_LEAST = 1e-12;

/* ---- small kernels; sums in a fixed order ---------------------------------
 */

double ak_small_dot(int64_t k, const double *x, const double *y)
{
    double s[4] = {0.0, 0.0, 0.0, 0.0};
    int64_t i = 0;
    for (; i + 4 <= k; i += 4)
        for (int l = 0; l < 4; ++l)
            s[l] += x[i + l] * y[i + l];
    for (; i < k; ++i)
        s[0] += x[i] * y[i];
    return (s[0] + s[2]) + (s[1] + s[3]);
}

AK_CLONES
static void times(int64_t k, const double *M, const double *x, double *y)
{
    for (int64_t j = 0; j < k; ++j)
        y[j] = 0.0;
    for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < k; ++j)
            y[j] += x[i] * M[i * k + j];
}

void ak_small_times(int64_t k, const double *M, const double *x, double *y)
{
    times(k, M, x, y);
}

AK_CLONES
static void add_outer(int64_t k, const double *x, const double *y, double *M)
{
    for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < k; ++j)
            M[i * k + j] += x[i] * y[j];
}

void ak_small_add_outer(int64_t k, const double *x, const double *y, double *M)
{
    add_outer(k, x, y, M);
}

/* y = sum_i vals[i] H[cols[i]] */
AK_CLONES
static void gather_rows(int64_t k, const double *H, ak_spvec p, double *y)
{
    for (int64_t j = 0; j < k; ++j)
        y[j] = 0.0;
    for (int64_t i = 0; i < p.n; ++i) {
        const double *row = H + p.cols[i] * k, v = p.vals[i];
        for (int64_t j = 0; j < k; ++j)
            y[j] += v * row[j];
    }
}

void ak_spvec_gather(int64_t k, const double *M, ak_spvec p, double *y)
{
    gather_rows(k, M, p, y);
}

/* H[cols[i]] += y vals[i] r */
AK_CLONES
static void scatter_rows(int64_t k, double *H, ak_spvec p, double y,
                         const double *r)
{
    for (int64_t i = 0; i < p.n; ++i) {
        double *row = H + p.cols[i] * k;
        const double v = y * p.vals[i];
        for (int64_t j = 0; j < k; ++j)
            row[j] += v * r[j];
    }
}

double ak_spvec_dot(ak_spvec p, ak_spvec q)
{
    double sum = 0.0;
    for (int64_t i = 0, j = 0; i < p.n && j < q.n;) {
        if (p.cols[i] == q.cols[j])
            sum += p.vals[i] * q.vals[j];
        const int32_t c = p.cols[i], d = q.cols[j];
        i += c <= d;
        j += d <= c;
    }
    return sum;
}

void ak_rows_project(int64_t k, const double *H, ak_spvec p, double *out)
{
    gather_rows(k, H, p, out);
}

void ak_rows_add(int64_t k, double *H, ak_spvec p, double y, const double *r)
{
    scatter_rows(k, H, p, y, r);
}

/* ---- the factor -------------------------------------------------------------
 */

static void set_identity(int64_t k, double *M)
{
    memset(M, 0, (size_t)(k * k) * sizeof *M);
    for (int64_t i = 0; i < k; ++i)
        M[i * k + i] = 1.0;
}

static akin_status fresh_gram(ak_factor *f, akin_ctx *ctx)
{
    const int64_t k = f->k;
    akin_status st = ak_gram(ctx, true, k, f->n, f->H, k, f->K);
    memcpy(f->Kinv, f->K, (size_t)(k * k) * sizeof *f->K);
    if (st == AKIN_OK)
        st = ak_spd_inverse(ctx, k, f->Kinv);
    return st == AKIN_ENUMERIC
               ? ak_fail(ctx, st,
                         "the columns of a factor of rank %" PRId64
                         " are not independent",
                         k)
               : st;
}

akin_status ak_factor_new(ak_factor *f, akin_ctx *ctx, int64_t n, int64_t k,
                          const double *A)
{
    akin_status st = AKIN_OK;
    *f = (ak_factor){.n = n, .k = k};
    f->every = ak_max_i64(REBASE_LEAST, n / 4);
    AK_TRY(ak_alloc(ctx, n, (size_t)k * sizeof *f->H, &f->H));
    AK_TRY(AK_NEW(ctx, k * k, &f->R));
    AK_TRY(AK_NEW(ctx, k * k, &f->Rinv));
    AK_TRY(AK_NEW(ctx, k * k, &f->K));
    AK_TRY(AK_NEW(ctx, k * k, &f->Kinv));
    AK_TRY(AK_NEW(ctx, 8 * k, &f->scratch));
    set_identity(k, f->R);
    set_identity(k, f->Rinv);
    if (A == NULL) {
        set_identity(k, f->H);
        set_identity(k, f->K);
        set_identity(k, f->Kinv);
    } else {
        memcpy(f->H, A, (size_t)(n * k) * sizeof *A);
        AK_TRY(fresh_gram(f, ctx));
    }
done:
    return st;
}

void ak_factor_free(ak_factor *f, akin_ctx *ctx)
{
    ak_release(ctx, f->H);
    ak_release(ctx, f->R);
    ak_release(ctx, f->Rinv);
    ak_release(ctx, f->K);
    ak_release(ctx, f->Kinv);
    ak_release(ctx, f->scratch);
}

void ak_factor_project(const ak_factor *f, ak_spvec p, double *Atp)
{
    double *Htp = f->scratch;
    gather_rows(f->k, f->H, p, Htp);
    times(f->k, f->R, Htp, Atp);  // R'(H'p)
}

void ak_factor_solve(const ak_factor *f, const double *Atp, double *a)
{
    times(f->k, f->Kinv, Atp, a);  // symmetric
}

bool ak_factor_gram_update(ak_factor *f, const double *g, double c2,
                           const double *d)
{
    const int64_t k = f->k;
    double *v = f->scratch, *u = v + k, *left = u + k, *right = left + k;
    times(k, f->Kinv, g, v);
    times(k, f->Kinv, d, u);
    const double om = fmax(c2 - ak_small_dot(k, g, v), 0.0);
    const double nu = ak_small_dot(k, d, u);
    const double beta = 1.0 + ak_small_dot(k, d, v);
    const double D = beta * beta + om * nu;
    const double size = 1.0 +
                        sqrt(ak_small_dot(k, d, d) * ak_small_dot(k, v, v));
    if (!(D > RANK_LEAST * size * size))
        return false;
    for (int64_t i = 0; i < k; ++i) {  // (6) as v left' + u right'
        left[i] = (nu * v[i] - beta * u[i]) / D;
        right[i] = (-om * u[i] - beta * v[i]) / D;
    }
    add_outer(k, v, left, f->Kinv);
    add_outer(k, u, right, f->Kinv);
    for (int64_t i = 0; i < k; ++i)
        left[i] = g[i] + c2 * d[i];
    add_outer(k, left, d, f->K);  // (5), c2 d d' with g d'
    add_outer(k, d, g, f->K);
    return true;
}

void ak_factor_add_rows(ak_factor *f, ak_spvec p, double y, const double *r)
{
    scatter_rows(f->k, f->H, p, y, r);
}

bool ak_factor_apply(ak_factor *f, ak_spvec p, const double *Atp,
                     const double *a, const double *d, double x, double y,
                     double p2)
{
    const int64_t k = f->k;
    double *g = f->scratch + 4 * k, *Ra = g + k, *dR = Ra + k;
    const double t = ak_small_dot(k, a, Atp), ad = ak_small_dot(k, a, d);
    const double c2 = (x * x + 2.0 * x * y) * t + y * y * p2;
    for (int64_t i = 0; i < k; ++i)
        g[i] = (x + y) * Atp[i];
    if (!ak_factor_gram_update(f, g, c2, d))
        return false;
    for (int64_t i = 0; i < k; ++i)
        Ra[i] = x * ak_small_dot(k, f->R + i * k, a);
    add_outer(k, Ra, d, f->R);  // (2)
    times(k, f->Rinv, d, dR);
    for (int64_t i = 0; i < k; ++i)
        Ra[i] = -x / (1.0 + x * ad) * a[i];
    add_outer(k, Ra, dR, f->Rinv);  // (3)
    times(k, f->Rinv, d, dR);
    scatter_rows(k, f->H, p, y, dR);  // (4)
    ++f->updates;
    return true;
}

/* |K a - A'p| / |A'p|: 0 but for rounding while K^-1 is the inverse of K. */
static double drift(const ak_factor *f, const double *Atp, const double *a)
{
    double *Ka = f->scratch, off = 0.0, size = 0.0;
    times(f->k, f->K, a, Ka);
    for (int64_t i = 0; i < f->k; ++i) {
        off += (Ka[i] - Atp[i]) * (Ka[i] - Atp[i]);
        size += Atp[i] * Atp[i];
    }
    return size > 0.0 ? sqrt(off / size) : 0.0;
}

akin_status ak_factor_begin(ak_factor *f, akin_ctx *ctx, ak_spvec p,
                            double *Atp, double *a)
{
    const bool look = f->updates % CHECK_EVERY == CHECK_EVERY - 1;
    ak_factor_solve(f, Atp, a);
    if (f->updates < f->every && !(look && drift(f, Atp, a) > DRIFT_MOST))
        return AKIN_OK;
    const akin_status st = ak_factor_rebase(f, ctx);
    ak_factor_project(f, p, Atp);
    ak_factor_solve(f, Atp, a);
    return st;
}

void ak_factor_row(const ak_factor *f, int64_t i, double *out)
{
    times(f->k, f->R, f->H + i * f->k, out);
}

akin_status ak_factor_rebase(ak_factor *f, akin_ctx *ctx)
{
    const int64_t k = f->k;
    double *row = f->scratch;
    for (int64_t i = 0; i < f->n; ++i) {
        ak_factor_row(f, i, row);
        memcpy(f->H + i * k, row, (size_t)k * sizeof *row);
    }
    set_identity(k, f->R);
    set_identity(k, f->Rinv);
    f->updates = 0;
    return fresh_gram(f, ctx);
}
