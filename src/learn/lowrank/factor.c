#include "learn/lowrank/factor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "la/dense.h"
#include "learn/learner.h"
#include "learn/lowrank/padded_rows.h"
#include "model/sparse_rows.h"

enum {
    REBASE_SPARSE = 10000,
    REBASE_DENSE = 100000,
    CHECK_EVERY = 64,  // updates between checks of the drift
    ALIGN = 64,
};

/* The largest condition of K that updates may lead to: 1000 times what learning
 * from documents leads to, and small enough for errors to stay small until the
 * next check. */
static const double COND_MOST = 1e6;
static const double CHOLESKY_COND_MOST = 1e7;  // of K; above it, by QR
static const double COND_GROWTH = 100.0;  // errors grow by about its square
static const double COLUMNS_LEAST = 1e-10;
static const double RAISE_TO = 1e-2;  // of the largest singular value of A
static const double DRIFT_MOST = 1e-8;
static const double RANK_LEAST = 1e-12;
static const double SHRUNK = 0.5;
static const double DET_LEAST = 1e-8;  // below it everything is recomputed

/* The scratch vectors of a factor, ld numbers each. */
enum {
    VEC_HP,  // H'p
    VEC_OUT,
    VEC_A,
    VEC_D,
    VEC_U,
    VEC_V,
    VEC_G,
    VEC_LEFT,
    VEC_RIGHT,
    VEC_ROW,
    N_VECS
};

AK_INLINE double *vec(const ak_factor *f, int i)
{
    return f->vecs + i * f->ld;
}

/* s x, k numbers, into a padded vector of the factor. */
AK_INLINE double *vec_set(const ak_factor *f, int i, double s, const double *x)
{
    double *v = vec(f, i);
    for (int64_t j = 0; j < f->k; ++j)
        v[j] = s * x[j];
    return v;
}

/* ---- memory ------------------------------------------------------------- */

/* `count` times `width` zeros, aligned to a cache line. */
static akin_status aligned(akin_ctx *ctx, int64_t count, int64_t width,
                           void **memory, double **out)
{
    const size_t size = (size_t)width * sizeof **out;
    const int64_t more = (int64_t)(ALIGN / size) + 1;
    const akin_status st = ak_alloc(ctx, count + more, size, memory);
    const uintptr_t at = (uintptr_t)*memory;
    *out = (double *)((at + ALIGN - 1) / ALIGN * ALIGN);
    return st;
}

/* Memory and limits for f->form, n, k and ld. */
static akin_status allocate(ak_factor *f, akin_ctx *ctx)
{
    const bool dense = f->form == AK_FACTOR_DENSE;
    const int64_t square = f->k * f->ld, long_ = dense ? f->n : 0;
    double *at = NULL;
    f->every = dense ? REBASE_DENSE : ak_max_i64(REBASE_SPARSE, f->n / 2);
    AK_CHECK(aligned(ctx, (dense ? 2 : 1) * f->n, f->ld, &f->memory[0], &f->H));
    f->P = dense ? f->H + f->n * f->ld : NULL;
    AK_CHECK(aligned(ctx, 4 * square + N_VECS * f->ld + 3 * long_, 1,
                     &f->memory[1], &at));
    double **const parts[] = {&f->R, &f->Rinv, &f->K, &f->Kinv};
    for (int i = 0; i < 4; ++i, at += square)
        *parts[i] = at;
    f->vecs = at;
    f->c = f->vecs + N_VECS * f->ld;
    f->w = f->c + long_;
    f->m = f->w + long_;
    return AKIN_OK;
}

void ak_factor_free(ak_factor *f)
{
    akin_free(f->memory[0]);
    akin_free(f->memory[1]);
    ak_merge_end(&f->merge);
    *f = (ak_factor){0};
}

static void set_identity(const ak_factor *f, double *M)
{
    memset(M, 0, (size_t)(f->k * f->ld) * sizeof *M);
    for (int64_t i = 0; i < f->k; ++i)
        M[i * f->ld + i] = 1.0;
}

/* Rows of ld numbers to rows of k, and back. */
static void pack(const ak_factor *f, int64_t n, const double *from, double *to)
{
    for (int64_t i = 0; i < n; ++i)
        memcpy(to + i * f->k, from + i * f->ld, (size_t)f->k * sizeof *to);
}

static void unpack(const ak_factor *f, int64_t n, const double *from,
                   double *to)
{
    for (int64_t i = 0; i < n; ++i)
        memcpy(to + i * f->ld, from + i * f->k, (size_t)f->k * sizeof *to);
}

/* ---- the inverses ------------------------------------------------------- */

/* The largest row sum of absolute values. */
static double norm(int64_t k, const double *M)
{
    double most = 0.0;
    for (int64_t i = 0; i < k; ++i) {
        double sum = 0.0;
        for (int64_t j = 0; j < k; ++j)
            sum += fabs(M[i * k + j]);
        most = fmax(most, sum);
    }
    return most;
}

/* An estimate of the condition of K: at most it, and at least its k^2-th part.
 */
static double condition(const ak_factor *f)
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

/* K^-1 by A = Q R and the SVD of R, for columns that are nearly dependent.
 * Where updates have made them so, the small singular values are raised: W
 * changes by 1e-5 of its size, and A can be inverted again. A start is taken as
 * it is or refused. */
static akin_status inverse_by_qr(ak_factor *f, akin_ctx *ctx, bool raise_small,
                                 double *Kinv)
{
    const int64_t k = f->k;
    double *Q = NULL, *R = NULL, *U = NULL, *Vt = NULL, *s = NULL;
    AK_CHECK(AK_SCRATCH(ctx, f->n * k, &Q));
    AK_CHECK(AK_SCRATCH_EACH(ctx, k * k, &R, &U, &Vt));
    AK_CHECK(AK_SCRATCH(ctx, k, &s));
    pack(f, f->n, f->H, Q);
    AK_CHECK(ak_qr(ctx, f->n, k, Q, R));
    AK_CHECK(ak_svd(ctx, k, k, R, s, U, Vt));
    const double least = (raise_small ? RAISE_TO : COLUMNS_LEAST) * s[0];
    if (!(s[0] > 0.0) || (!raise_small && !(s[k - 1] > least)))
        return AKIN_ENUMERIC;
    for (int64_t i = 0; i < k * k; ++i)
        U[i] *= fmax(least - s[i % k], 0.0);
    if (raise_small) {  // A + Q U (s_new - s) V'
        AK_CHECK(
            ak_gemm(ctx, false, false, k, k, k, 1.0, U, k, Vt, k, 0.0, R, k));
        AK_CHECK(ak_gemm(ctx, false, false, f->n, k, k, 1.0, Q, k, R, k, 1.0,
                         f->H, f->ld));
    }
    for (int64_t i = 0; i < k * k; ++i)
        Vt[i] /= fmax(s[i / k], least);
    return ak_gram(ctx, true, k, k, Vt, k, Kinv);
}

/* K and K^-1 of A = H; the inverse by Cholesky where that is good enough. */
static akin_status invert(ak_factor *f, akin_ctx *ctx, bool is_start, double *K,
                          double *Kinv)
{
    const int64_t k = f->k;
    akin_status st = AKIN_OK;
    AK_TRY(ak_gram(ctx, true, k, f->n, f->H, f->ld, K));
    memcpy(Kinv, K, (size_t)(k * k) * sizeof *K);
    st = ak_spd_inverse(ctx, k, Kinv);
    const double cond = st == AKIN_OK ? norm(k, K) * norm(k, Kinv) : INFINITY;
    const bool raise_small = !is_start && !(cond < COND_MOST);
    if (st != AKIN_ENUMERIC)
        AK_TRY(st);
    if (raise_small || !(cond < CHOLESKY_COND_MOST))
        AK_TRY(inverse_by_qr(f, ctx, raise_small, Kinv));
    if (raise_small)
        AK_TRY(ak_gram(ctx, true, k, f->n, f->H, f->ld, K));
    st = AKIN_OK;
done:
    return st;
}

/* Recompute K, K^-1 and (A^+)' = A K^-1 from H, where R = I. */
static akin_status refresh(ak_factor *f, akin_ctx *ctx, bool is_start)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = f->k;
    double *K = NULL, *Kinv = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH_EACH(ctx, k * k, &K, &Kinv));
    AK_TRY(invert(f, ctx, is_start, K, Kinv));
    unpack(f, f->k, K, f->K);
    unpack(f, f->k, Kinv, f->Kinv);
    if (f->P != NULL)
        AK_TRY(ak_gemm(ctx, false, false, f->n, k, k, 1.0, f->H, f->ld, Kinv, k,
                       0.0, f->P, f->ld));
    f->updates = f->checks = 0;
    f->shrunk = 1.0;
    f->cond = condition(f);
done:
    ak_scratch_end(ctx, mark);
    return st == AKIN_ENUMERIC
               ? ak_fail(ctx, st,
                         "the columns of a factor of rank %" PRId64
                         " are not independent",
                         k)
               : st;
}

static bool is_zero(int64_t k, const double *row)
{
    for (int64_t j = 0; j < k; ++j)
        if (row[j] != 0.0)
            return false;
    return true;
}

/* rows <- rows M; rows of zeros, the most where few words occur, are skipped.
 */
AK_CLONES
static void times_square(const ak_factor *f, const double *M, double *rows)
{
    double *out = vec(f, VEC_OUT);
    for (int64_t i = 0; i < f->n; ++i) {
        double *row = rows + i * f->ld;
        if (is_zero(f->k, row))
            continue;
        ak_sum_rows(f->k, f->ld, M, NULL, row, out);
        memcpy(row, out, (size_t)f->ld * sizeof *row);
    }
}

void ak_factor_fold(ak_factor *f)
{
    if (f->form == AK_FACTOR_DENSE)
        return;
    times_square(f, f->R, f->H);
    set_identity(f, f->R);
    set_identity(f, f->Rinv);
}

akin_status ak_factor_refresh(ak_factor *f, akin_ctx *ctx)
{
    return refresh(f, ctx, false);
}

static akin_status rebase(ak_factor *f, akin_ctx *ctx)
{
    ak_factor_fold(f);
    return refresh(f, ctx, false);
}

/* ---- begin, copy, transform --------------------------------------------- */

/* With dense rows, a step in sparse form costs 4 n k and 20 k^2, in dense form
 * 10 n k. Measured, they are equal at n = 1.5 k or somewhat above. */
ak_factor_form ak_factor_choose_form(const char *form, const akin_rows *rows,
                                     int64_t k)
{
    if (strcmp(form, "auto") != 0)
        return strcmp(form, "dense") == 0 ? AK_FACTOR_DENSE : AK_FACTOR_SPARSE;
    return !akin_rows_is_sparse(rows) && 2 * akin_rows_dim(rows) <= 3 * k
               ? AK_FACTOR_DENSE
               : AK_FACTOR_SPARSE;
}

akin_status ak_factor_new(ak_factor *f, akin_ctx *ctx, ak_factor_form form,
                          int64_t n, int64_t k, const double *A)
{
    *f = (ak_factor){.form = form, .n = n, .k = k, .shrunk = 1.0, .cond = 1.0};
    f->ld = (k + AK_LANES - 1) / AK_LANES * AK_LANES;
    AK_CHECK(allocate(f, ctx));
    set_identity(f, f->R);
    set_identity(f, f->Rinv);
    if (A == NULL) {
        set_identity(f, f->H);
        set_identity(f, f->K);
        set_identity(f, f->Kinv);
        if (f->P != NULL)
            set_identity(f, f->P);
    } else {
        unpack(f, n, A, f->H);
        AK_CHECK(refresh(f, ctx, true));
    }
    return AKIN_OK;
}

akin_status ak_factor_clone(ak_factor *f, akin_ctx *ctx, const ak_factor *of)
{
    const int64_t rows = (of->P ? 2 : 1) * of->n;
    *f = (ak_factor){.form = of->form, .n = of->n, .k = of->k, .ld = of->ld};
    AK_CHECK(allocate(f, ctx));
    f->updates = of->updates;
    f->shrunk = of->shrunk;
    f->cond = of->cond;
    f->checks = of->checks;
    memcpy(f->H, of->H, (size_t)(rows * of->ld) * sizeof *f->H);
    memcpy(f->R, of->R, (size_t)(4 * of->k * of->ld) * sizeof *f->R);
    return AKIN_OK;
}

/* M (k rows, padded) <- op(A) op(B), op: itself or its transpose. */
static akin_status small_gemm(const ak_factor *f, akin_ctx *ctx, bool trans_a,
                              bool trans_b, const double *A, int64_t lda,
                              const double *B, int64_t ldb, double *M)
{
    const int64_t k = f->k;
    const ak_mark mark = ak_scratch_begin(ctx);
    double *out = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, k * k, &out));
    AK_TRY(ak_gemm(ctx, trans_a, trans_b, k, k, k, 1.0, A, lda, B, ldb, 0.0,
                   out, k));
    unpack(f, f->k, out, M);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* R T, T^-1 R^-1, T'K T, T^-1 K^-1 T^-T; A T, (A^+)' T^-T. */
akin_status ak_factor_transform(ak_factor *f, akin_ctx *ctx, const double *T,
                                const double *Tinv)
{
    const int64_t k = f->k, ld = f->ld;
    const ak_mark mark = ak_scratch_begin(ctx);
    double *M = NULL;
    akin_status st = AKIN_OK;
    if (f->form == AK_FACTOR_DENSE) {
        AK_TRY(AK_SCRATCH(ctx, k * ld, &M));
        unpack(f, f->k, T, M);
        times_square(f, M, f->H);
        for (int64_t i = 0; i < k * k; ++i)
            M[i / k * ld + i % k] = Tinv[i % k * k + i / k];
        times_square(f, M, f->P);
        goto done;
    }
    AK_TRY(small_gemm(f, ctx, false, false, f->R, ld, T, k, f->R));
    AK_TRY(small_gemm(f, ctx, false, false, Tinv, k, f->Rinv, ld, f->Rinv));
    AK_TRY(small_gemm(f, ctx, true, false, T, k, f->K, ld, f->K));
    AK_TRY(small_gemm(f, ctx, false, false, f->K, ld, T, k, f->K));
    AK_TRY(small_gemm(f, ctx, false, false, Tinv, k, f->Kinv, ld, f->Kinv));
    AK_TRY(small_gemm(f, ctx, false, true, f->Kinv, ld, Tinv, k, f->Kinv));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- products ----------------------------------------------------------- */

void ak_factor_fetch(const ak_factor *f, int64_t n, const int32_t *cols)
{
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < f->ld; j += AK_LINE)  // a cache line
            __builtin_prefetch(f->H + cols[i] * f->ld + j, 1);
}

AK_CLONES
void ak_factor_project(const ak_factor *f, ak_spvec p, double *Atp)
{
    double *Hp = vec(f, VEC_HP), *out = vec(f, VEC_OUT);
    ak_sum_rows(p.n, f->ld, f->H, p.cols, p.vals, Hp);
    if (f->form == AK_FACTOR_SPARSE)
        ak_sum_rows(f->k, f->ld, f->R, NULL, Hp, out);  // R'(H'p)
    memcpy(Atp, f->form == AK_FACTOR_SPARSE ? out : Hp,
           (size_t)f->k * sizeof *Atp);
}

AK_CLONES
void ak_factor_row(const ak_factor *f, int64_t i, double *out)
{
    double *row = vec(f, VEC_OUT);
    if (f->form == AK_FACTOR_DENSE)
        row = f->H + i * f->ld;
    else
        ak_sum_rows(f->k, f->ld, f->R, NULL, f->H + i * f->ld, row);
    memcpy(out, row, (size_t)f->k * sizeof *out);
}

void ak_factor_row_dots_begin(const ak_factor *f, const double *h, double *v)
{
    if (f->form == AK_FACTOR_DENSE)
        memcpy(v, h, (size_t)f->k * sizeof *v);
    for (int64_t i = 0; f->form == AK_FACTOR_SPARSE && i < f->k; ++i)
        v[i] = ak_small_dot(f->k, f->R + i * f->ld, h);  // H (R h)
}

double ak_factor_row_dot(const ak_factor *f, int64_t i, const double *v)
{
    return ak_small_dot(f->k, f->H + i * f->ld, v);
}

AK_CLONES
void ak_factor_solve(const ak_factor *f, ak_spvec p, const double *Atp,
                     double *a)
{
    double *out = vec(f, VEC_OUT);
    if (f->form == AK_FACTOR_DENSE)
        ak_sum_rows(p.n, f->ld, f->P, p.cols, p.vals, out);
    else
        ak_sum_rows(f->k, f->ld, f->Kinv, NULL, Atp, out);  // symmetric
    memcpy(a, out, (size_t)f->k * sizeof *a);
}

/* ---- drift -------------------------------------------------------------- */

/* K a = A'(A a), ld numbers. */
AK_CLONES
static void gram_times(const ak_factor *f, const double *a, double *out)
{
    const int64_t ld = f->ld;
    if (f->form == AK_FACTOR_SPARSE) {
        ak_sum_rows(f->k, ld, f->K, NULL, a, out);
        return;
    }
    const double *A = vec_set(f, VEC_A, 1.0, a);
    for (int64_t i = 0; i < f->n; ++i)
        f->m[i] = ak_lanes_dot(ld, f->H + i * ld, A);
    ak_sum_rows(f->n, ld, f->H, NULL, f->m, out);
}

/* |K a - A'p| / |A'p|: 0 up to rounding while the inverses are exact. */
static double drift(const ak_factor *f, const double *Atp, const double *a)
{
    double *Ka = vec(f, VEC_OUT), off = 0.0, size = 0.0;
    gram_times(f, a, Ka);
    for (int64_t i = 0; i < f->k; ++i) {
        off += (Ka[i] - Atp[i]) * (Ka[i] - Atp[i]);
        size += Atp[i] * Atp[i];
    }
    return size > 0.0 ? sqrt(off / size) : 0.0;
}

/* Whether a rebase is due; checked every so many updates, and when A has
 * shrunk. The drift measures errors where A is large, the condition bounds them
 * where it is small. */
static bool is_due(ak_factor *f, const double *Atp, const double *a)
{
    if (f->updates >= f->every)
        return true;
    if (f->updates / CHECK_EVERY <= f->checks && f->shrunk > SHRUNK)
        return false;
    f->checks = f->updates / CHECK_EVERY;
    f->shrunk = 1.0;
    return drift(f, Atp, a) > DRIFT_MOST ||
           condition(f) > fmin(COND_GROWTH * f->cond, COND_MOST);
}

akin_status ak_factor_begin(ak_factor *f, akin_ctx *ctx, ak_spvec p,
                            double *Atp, double *a)
{
    ak_factor_solve(f, p, Atp, a);
    if (!is_due(f, Atp, a))
        return AKIN_OK;
    const akin_status st = rebase(f, ctx);
    ak_factor_project(f, p, Atp);
    ak_factor_solve(f, p, Atp, a);
    return st;
}

akin_status ak_factor_error(const ak_factor *f, akin_ctx *ctx, double *error)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = f->k;
    double *A = NULL, *K = NULL, *I = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, f->n * k, &A));
    AK_TRY(AK_SCRATCH_EACH(ctx, k * k, &K, &I));
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
        *error = off <= *error ? *error : off;  // keeps a NaN
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- a step of one column ----------------------------------------------- */

/* Whether D leaves A its rank; a small one makes a rebase due. */
static bool keeps_rank(ak_factor *f, double d2, double v2)
{
    const double size = 1.0 + sqrt(d2 * v2);
    if (f->D < DET_LEAST)
        f->updates = f->every;
    return f->D > RANK_LEAST * size * size;
}

/* After an update. */
static void count_update(ak_factor *f)
{
    f->shrunk *= f->D < 1.0 ? f->D : 1.0;
    ++f->updates;
}

AK_CLONES
static bool sparse_fits(ak_factor *f, const double *Atp, const double *a,
                        const double *d, double x, double y, double p2)
{
    const double t = ak_small_dot(f->k, a, Atp), z = x + y;
    double *D = vec_set(f, VEC_D, 1.0, d), *u = vec(f, VEC_U);
    ak_sum_rows(f->k, f->ld, f->Kinv, NULL, D, u);
    f->om = y * y * fmax(p2 - t, 0.0);
    f->nu = ak_lanes_dot(f->ld, D, u);
    f->beta = 1.0 + z * ak_small_dot(f->k, a, d);
    f->D = f->beta * f->beta + f->om * f->nu;
    return keeps_rank(f, ak_lanes_dot(f->ld, D, D),
                      z * z * ak_small_dot(f->k, a, a));
}

/* (5) and (6), given v, u and D; d and g are padded. */
AK_INLINE void update_gram(ak_factor *f, const double *v, const double *u,
                           const double *g, double c2, const double *d)
{
    const int64_t k = f->k, ld = f->ld;
    double *left = vec(f, VEC_LEFT), *right = vec(f, VEC_RIGHT);
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
static void sparse_commit(ak_factor *f, ak_spvec p, const double *Atp,
                          const double *a, double x, double y, double p2)
{
    const int64_t k = f->k, ld = f->ld;
    const double t = ak_small_dot(k, a, Atp), z = x + y;
    const double c2 = (x * x + 2.0 * x * y) * t + y * y * p2;
    const double *d = vec(f, VEC_D), *u = vec(f, VEC_U);
    double *xa = vec_set(f, VEC_A, x, a), *row = vec(f, VEC_ROW);
    double *out = vec(f, VEC_OUT);
    update_gram(f, vec_set(f, VEC_V, z, a), u, vec_set(f, VEC_G, z, Atp), c2,
                d);
    for (int64_t i = 0; i < k; ++i)
        out[i] = ak_lanes_dot(ld, f->R + i * ld, xa);
    ak_add_to_rows(k, ld, f->R, NULL, out, d);  // (2)
    /* After the step, d'R^-1 is divided by 1 + x a.d. */
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
    count_update(f);
}

/* m and D of (7), given c, w and v. */
AK_CLONES
static bool dense_keeps_rank(ak_factor *f, const double *d, const double *v)
{
    const int64_t n = f->n, ld = f->ld;
    double *Pm = vec(f, VEC_U);
    for (int64_t i = 0; i < n; ++i)
        f->m[i] = ak_lanes_dot(ld, f->P + i * ld, d);
    ak_sum_rows(n, ld, f->P, NULL, f->m, Pm);
    f->om = ak_small_dot(n, f->w, f->w);
    f->nu = ak_small_dot(n, f->m, f->m);
    f->beta = 1.0 + ak_lanes_dot(ld, d, v);
    f->D = f->beta * f->beta + f->om * f->nu;
    return keeps_rank(f, ak_lanes_dot(ld, d, d), ak_lanes_dot(ld, v, v));
}

/* Here v = (x + y) a and w = y (p - A a). */
AK_CLONES
static bool dense_fits(ak_factor *f, ak_spvec p, const double *a,
                       const double *d, double x, double y)
{
    const int64_t ld = f->ld;
    const double *A = vec_set(f, VEC_A, 1.0, a);
    for (int64_t i = 0; i < f->n; ++i) {
        const double Aa = ak_lanes_dot(ld, f->H + i * ld, A);
        f->c[i] = x * Aa;
        f->w[i] = -y * Aa;
    }
    for (int64_t i = 0; i < p.n; ++i) {
        f->c[p.cols[i]] += y * p.vals[i];
        f->w[p.cols[i]] += y * p.vals[i];
    }
    return dense_keeps_rank(f, vec_set(f, VEC_D, 1.0, d),
                            vec_set(f, VEC_V, x + y, a));
}

AK_CLONES
static void dense_commit(ak_factor *f)
{
    const int64_t ld = f->ld;
    const double *d = vec(f, VEC_D), *v = vec(f, VEC_V);
    const double *Pm = vec(f, VEC_U);
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
    count_update(f);
}

bool ak_factor_fits(ak_factor *f, ak_spvec p, const double *Atp,
                    const double *a, const double *d, double x, double y,
                    double p2)
{
    return f->form == AK_FACTOR_DENSE ? dense_fits(f, p, a, d, x, y)
                                      : sparse_fits(f, Atp, a, d, x, y, p2);
}

void ak_factor_commit(ak_factor *f, ak_spvec p, const double *Atp,
                      const double *a, double x, double y, double p2)
{
    if (f->form == AK_FACTOR_DENSE)
        dense_commit(f);
    else
        sparse_commit(f, p, Atp, a, x, y, p2);
}

AK_CLONES
bool ak_factor_add(ak_factor *f, const double *c, const double *d)
{
    const int64_t n = f->n, ld = f->ld;
    double *v = vec(f, VEC_V);
    memcpy(f->c, c, (size_t)n * sizeof *c);
    ak_sum_rows(n, ld, f->P, NULL, c, v);
    for (int64_t i = 0; i < n; ++i)
        f->w[i] = c[i] - ak_lanes_dot(ld, f->H + i * ld, v);
    if (!dense_keeps_rank(f, vec_set(f, VEC_D, 1.0, d), v))
        return false;
    dense_commit(f);
    return true;
}

/* ---- a step of several columns ------------------------------------------ */

/* A step of rank one of the Gram matrix, A + c d', from g = A'c, c2 = |c|^2. */
AK_CLONES
static bool gram_step(ak_factor *f, const double *g, double c2, const double *d)
{
    const int64_t k = f->k, ld = f->ld;
    double *v = vec(f, VEC_V), *u = vec(f, VEC_U);
    ak_sum_rows(k, ld, f->Kinv, NULL, g, v);
    ak_sum_rows(k, ld, f->Kinv, NULL, d, u);
    f->om = fmax(c2 - ak_lanes_dot(ld, g, v), 0.0);
    f->nu = ak_lanes_dot(ld, d, u);
    f->beta = 1.0 + ak_lanes_dot(ld, d, v);
    f->D = f->beta * f->beta + f->om * f->nu;
    if (!keeps_rank(f, ak_lanes_dot(ld, d, d), ak_lanes_dot(ld, v, v)))
        return false;
    update_gram(f, v, u, g, c2, d);
    count_update(f);
    return true;
}

/* out (r x ld) = (M + N) B, M and N r x r, B r x k; N NULL: zero. */
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
    AK_CHECK(AK_SCRATCH_EACH(ctx, r * r, &T, &Z, &M));
    for (int64_t i = 0; i < r * r; ++i) {
        T[i] = ak_small_dot(f->k, s->a + i / r * f->k, s->AtG + i % r * f->k);
        Z[i] = s->X[i] + s->F[i];
    }
    AK_CHECK(ak_gemm(ctx, false, false, r, r, r, 1.0, Z, r, T, r, 0.0, M, r));
    AK_CHECK(ak_gemm(ctx, false, true, r, r, r, 1.0, M, r, Z, r, 0.0, CC, r));
    for (int64_t i = 0; i < r * r; ++i)
        T[i] = s->GtG[i] - T[i];
    AK_CHECK(
        ak_gemm(ctx, false, false, r, r, r, 1.0, s->F, r, T, r, 0.0, M, r));
    return ak_gemm(ctx, false, true, r, r, r, 1.0, M, r, s->F, r, 1.0, CC, r);
}

/* E = X a and S = (I + d'E)^-1; *fits: whether the inverse exists. */
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

static akin_status sparse_try(ak_factor *f, akin_ctx *ctx, ak_factor_step *s,
                              bool *fits)
{
    const int64_t r = s->r, k = f->k, ld = f->ld;
    double *CC = NULL;
    AK_CHECK(plan(f, ctx, s, fits));
    AK_CHECK(AK_SCRATCH(ctx, r * r, &CC));
    AK_CHECK(inner_products(f, ctx, s, CC));
    double *d = s->C, *g = s->C + r * ld;
    mix(f, r, s->X, s->F, s->AtG, g);  // A'C
    for (int64_t i = 0; *fits && i < r; ++i) {
        memcpy(d + i * ld, s->d + i * k, (size_t)k * sizeof *d);
        for (int64_t j = 0; j < i; ++j)  // c_j d_j' has been added
            ak_lanes_add(ld, CC[i * r + j], d + j * ld, g + i * ld);
        *fits = gram_step(f, g + i * ld, CC[i * r + i], d + i * ld);
        if (!*fits && i > 0)
            AK_CHECK(rebase(f, ctx));
    }
    return AKIN_OK;
}

AK_CLONES
void ak_factor_commit_step(ak_factor *f, const ak_factor_step *s)
{
    const int64_t r = s->r, k = f->k, ld = f->ld;
    if (f->form == AK_FACTOR_DENSE)
        return;  // ak_factor_try has done it
    double *d = s->C, *dR = s->C + r * ld, *rows = dR + r * ld;
    double *row = vec(f, VEC_ROW), *out = vec(f, VEC_OUT);
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

/* C, r x n: (8) without the d. */
AK_CLONES
static void compute_columns(const ak_factor *f, const ak_factor_step *s)
{
    const int64_t r = s->r, k = f->k, ld = f->ld, n = f->n;
    double *e = vec(f, VEC_A);
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
    AK_CHECK(add_columns(f, ctx, s, count, -1.0));
    return rebase(f, ctx);
}

/* One column after the other, or, when there are many, all at once and then a
 * rebase, which costs less. */
static akin_status dense_try(ak_factor *f, akin_ctx *ctx, ak_factor_step *s,
                             bool *fits)
{
    akin_status st = AKIN_OK;
    int64_t done = 0;
    *fits = true;
    AK_TRY(ak_scratch(ctx, s->r, (size_t)f->n * sizeof *s->C, &s->C));
    compute_columns(f, s);
    if (3 * s->r > f->k && s->r > 2) {
        AK_TRY(add_columns(f, ctx, s, s->r, 1.0));
        done = s->r;
        st = rebase(f, ctx);
        *fits = st == AKIN_OK;
        st = st == AKIN_ENUMERIC ? AKIN_OK : st;
    }
    for (; st == AKIN_OK && *fits && done < s->r; done += *fits)
        *fits = ak_factor_add(f, s->C + done * f->n, s->d + done * f->k);
    if (st == AKIN_OK && !*fits && done > 0)
        st = undo(f, ctx, s, done);
done:
    return st;
}

akin_status ak_factor_try(ak_factor *f, akin_ctx *ctx, ak_factor_step *step,
                          bool *fits)
{
    return f->form == AK_FACTOR_DENSE ? dense_try(f, ctx, step, fits)
                                      : sparse_try(f, ctx, step, fits);
}

akin_status ak_factor_cancel(ak_factor *f, akin_ctx *ctx,
                             const ak_factor_step *step)
{
    return f->form == AK_FACTOR_DENSE ? undo(f, ctx, step, step->r)
                                      : rebase(f, ctx);
}

/* ---- in a file ---------------------------------------------------------- */

enum { NAME_SIZE = 48, N_SQUARES = 4 };

static const char *const endings[N_SQUARES] = {".R", ".Rinv", ".K", ".Kinv"};

static akin_status save_rows(const ak_factor *f, akin_ctx *ctx, ak_tensors *t,
                             const char *name, const double *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_scratch(ctx, f->n, (size_t)f->k * sizeof *A, &A));
    pack(f, f->n, rows, A);
    AK_TRY(ak_sparse_rows_put(t, ctx, name, f->n, f->k, 0.0, A));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status load_rows(const ak_factor *f, akin_ctx *ctx,
                             const ak_tensors *t, const char *name,
                             double *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_scratch(ctx, f->n, (size_t)f->k * sizeof *A, &A));
    AK_TRY(ak_sparse_rows_take(t, ctx, name, f->n, f->k, A));
    unpack(f, f->n, A, rows);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status save_squares(const ak_factor *f, akin_ctx *ctx,
                                ak_tensors *t, const char *name)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    char text[NAME_SIZE];
    double *M = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, f->k * f->k, &M));
    for (int i = 0; i < N_SQUARES; ++i) {
        snprintf(text, sizeof text, "%s%s", name, endings[i]);
        pack(f, f->k, f->R + i * f->k * f->ld, M);
        AK_TRY(ak_tensors_put_copy(
            t, ctx, (ak_tensor){text, AK_DTYPE_F64, 2, {f->k, f->k}, M}));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status load_squares(const ak_factor *f, akin_ctx *ctx,
                                const ak_tensors *t, const char *name)
{
    char text[NAME_SIZE];
    const ak_tensor *x = NULL;
    for (int i = 0; i < N_SQUARES; ++i) {
        snprintf(text, sizeof text, "%s%s", name, endings[i]);
        AK_CHECK(ak_tensors_need(t, ctx, text, AK_DTYPE_F64, 2, &x));
        if (x->shape[0] != f->k || x->shape[1] != f->k)
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s: tensor '%s' does not fit rank %" PRId64,
                           ak_tensors_path(t), text, f->k);
        unpack(f, f->k, x->data, f->R + i * f->k * f->ld);
    }
    return AKIN_OK;
}

akin_status ak_factor_save(const ak_factor *f, akin_ctx *ctx, ak_tensors *t,
                           const char *name)
{
    char text[NAME_SIZE];
    AK_CHECK(save_rows(f, ctx, t, name, f->H));
    snprintf(text, sizeof text, "%s.pinv", name);
    AK_CHECK(f->form == AK_FACTOR_DENSE ? save_rows(f, ctx, t, text, f->P)
                                        : save_squares(f, ctx, t, name));
    snprintf(text, sizeof text, "%s.updates", name);
    AK_CHECK(ak_tensors_note_i64(t, ctx, text, f->updates));
    snprintf(text, sizeof text, "%s.shrunk", name);
    AK_CHECK(ak_tensors_note_f64(t, ctx, text, f->shrunk));
    snprintf(text, sizeof text, "%s.cond", name);
    return ak_tensors_note_f64(t, ctx, text, f->cond);
}

ak_factor_form ak_factor_saved_form(const ak_tensors *t, const char *name)
{
    char text[NAME_SIZE];
    snprintf(text, sizeof text, "%s.pinv", name);
    return ak_tensors_find(t, text) ? AK_FACTOR_DENSE : AK_FACTOR_SPARSE;
}

akin_status ak_factor_load(ak_factor *f, akin_ctx *ctx, const ak_tensors *t,
                           const char *name)
{
    char text[NAME_SIZE];
    AK_CHECK(load_rows(f, ctx, t, name, f->H));
    snprintf(text, sizeof text, "%s.pinv", name);
    AK_CHECK(f->form == AK_FACTOR_DENSE ? load_rows(f, ctx, t, text, f->P)
                                        : load_squares(f, ctx, t, name));
    snprintf(text, sizeof text, "%s.updates", name);
    AK_CHECK(ak_state_count(t, ctx, text, &f->updates));
    snprintf(text, sizeof text, "%s.shrunk", name);
    AK_CHECK(ak_tensors_need_f64(t, ctx, text, &f->shrunk));
    snprintf(text, sizeof text, "%s.cond", name);
    AK_CHECK(ak_tensors_need_f64(t, ctx, text, &f->cond));
    f->checks = ak_max_i64(f->updates - 1, 0) / CHECK_EVERY;
    return AKIN_OK;
}
