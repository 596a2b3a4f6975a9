#include "learn/lowrank/factor.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/lowrank/factor_parts.h"

enum {
    REBASE_SPARSE = 10000,
    REBASE_DENSE = 100000,
    ALIGN = 64,
};

static const double COND_MOST = 1e7;  // of K; above it, by QR
static const double COLUMNS_LEAST = 1e-10;
static const double LIFT_TO = 1e-2;  // of the largest singular value of A

/* ---- life -----------------------------------------------------------------
 */

/* `count` numbers on a cache line, zero. */
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

/* Everything but H, P and the numbers in them. */
static akin_status set_up(ak_factor *f, akin_ctx *ctx)
{
    const bool dense = f->form == AK_FACTOR_DENSE;
    const int64_t square = f->k * f->ld, long_ = dense ? f->n : 0;
    double *at = NULL;
    akin_status st = AKIN_OK;
    f->every = dense ? REBASE_DENSE : ak_max_i64(REBASE_SPARSE, f->n / 2);
    AK_TRY(aligned(ctx, (dense ? 2 : 1) * f->n, f->ld, &f->memory[0], &f->H));
    f->P = dense ? f->H + f->n * f->ld : NULL;
    AK_TRY(aligned(ctx, 4 * square + AK_VECS * f->ld + 3 * long_, 1,
                   &f->memory[1], &at));
    double **const parts[] = {&f->R, &f->Rinv, &f->K, &f->Kinv};
    for (int i = 0; i < 4; ++i, at += square)
        *parts[i] = at;
    f->vecs = at;
    f->c = f->vecs + AK_VECS * f->ld;
    f->w = f->c + long_;
    f->m = f->w + long_;
done:
    return st;
}

static void set_identity(const ak_factor *f, double *M)
{
    memset(M, 0, (size_t)(f->k * f->ld) * sizeof *M);
    for (int64_t i = 0; i < f->k; ++i)
        M[i * f->ld + i] = 1.0;
}

static akin_status refresh(ak_factor *f, akin_ctx *ctx, bool is_start);

akin_status ak_factor_new_form(ak_factor *f, akin_ctx *ctx, ak_factor_form form,
                               int64_t n, int64_t k, const double *A)
{
    akin_status st = AKIN_OK;
    *f = (ak_factor){.form = form, .n = n, .k = k, .shrunk = 1.0, .cond = 1.0};
    f->ld = (k + AK_LANES - 1) / AK_LANES * AK_LANES;
    AK_TRY(set_up(f, ctx));
    set_identity(f, f->R);
    set_identity(f, f->Rinv);
    if (A == NULL) {
        set_identity(f, f->H);
        set_identity(f, f->K);
        set_identity(f, f->Kinv);
        if (f->P != NULL)
            set_identity(f, f->P);
    } else {
        for (int64_t i = 0; i < n; ++i)
            memcpy(f->H + i * f->ld, A + i * k, (size_t)k * sizeof *A);
        AK_TRY(refresh(f, ctx, true));
    }
done:
    return st;
}

akin_status ak_factor_new(ak_factor *f, akin_ctx *ctx, int64_t n, int64_t k,
                          const double *A)
{
    return ak_factor_new_form(f, ctx, AK_FACTOR_SPARSE, n, k, A);
}

akin_status ak_factor_clone(ak_factor *f, akin_ctx *ctx, const ak_factor *of)
{
    const int64_t rows = (of->P ? 2 : 1) * of->n;
    akin_status st = AKIN_OK;
    *f = (ak_factor){.form = of->form, .n = of->n, .k = of->k, .ld = of->ld};
    AK_TRY(set_up(f, ctx));
    f->updates = of->updates;
    f->shrunk = of->shrunk;
    f->cond = of->cond;
    f->looks = of->looks;
    memcpy(f->H, of->H, (size_t)(rows * of->ld) * sizeof *f->H);
    memcpy(f->R, of->R, (size_t)(4 * of->k * of->ld) * sizeof *f->R);
done:
    return st;
}

void ak_factor_free(ak_factor *f, akin_ctx *ctx)
{
    ak_release(ctx, f->memory[0]);
    ak_release(ctx, f->memory[1]);
    *f = (ak_factor){0};
}

/* ---- afresh ---------------------------------------------------------------
 */

static void pad(const ak_factor *f, const double *from, double *to)
{
    for (int64_t i = 0; i < f->k; ++i)
        memcpy(to + i * f->ld, from + i * f->k, (size_t)f->k * sizeof *from);
}

/* The largest sum of a row's absolute values. */
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

/* K^-1 by A = Q R and the SVD of R, for columns that are nearly dependent.
 * Where the steps have made them so, the small singular values are lifted: W
 * changes by 1e-5 of its size, and A is again one that can be inverted. A start
 * is taken as it is or not at all. */
static akin_status inverse_by_qr(ak_factor *f, akin_ctx *ctx, bool lift,
                                 double *Kinv)
{
    const int64_t k = f->k;
    double *Q = NULL, *R = NULL, *U = NULL, *Vt = NULL, *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, f->n * k, &Q));
    AK_TRY(AK_SCRATCH(ctx, k * k, &R));
    AK_TRY(AK_SCRATCH(ctx, k * k, &U));
    AK_TRY(AK_SCRATCH(ctx, k * k, &Vt));
    AK_TRY(AK_SCRATCH(ctx, k, &s));
    for (int64_t i = 0; i < f->n; ++i)
        memcpy(Q + i * k, f->H + i * f->ld, (size_t)k * sizeof *Q);
    AK_TRY(ak_qr(ctx, f->n, k, Q, R));
    AK_TRY(ak_svd(ctx, k, k, R, s, U, Vt));
    const double least = (lift ? LIFT_TO : COLUMNS_LEAST) * s[0];
    if (!(s[0] > 0.0) || (!lift && !(s[k - 1] > least)))
        AK_TRY(AKIN_ENUMERIC);
    for (int64_t i = 0; i < k * k; ++i)
        U[i] *= fmax(least - s[i % k], 0.0);
    if (lift) {  // A + Q U (s_new - s) V'
        AK_TRY(
            ak_gemm(ctx, false, false, k, k, k, 1.0, U, k, Vt, k, 0.0, R, k));
        AK_TRY(ak_gemm(ctx, false, false, f->n, k, k, 1.0, Q, k, R, k, 1.0,
                       f->H, f->ld));
    }
    for (int64_t i = 0; i < k * k; ++i)
        Vt[i] /= fmax(s[i / k], least);
    AK_TRY(ak_gram(ctx, true, k, k, Vt, k, Kinv));
done:
    return st;
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
    const bool lift = !is_start && !(cond < AK_FACTOR_COND);
    if (st != AKIN_ENUMERIC)
        AK_TRY(st);
    if (lift || !(cond < COND_MOST))
        AK_TRY(inverse_by_qr(f, ctx, lift, Kinv));
    if (lift)
        AK_TRY(ak_gram(ctx, true, k, f->n, f->H, f->ld, K));
    st = AKIN_OK;
done:
    return st;
}

/* K, K^-1 and (A^+)' = A K^-1 from H alone, R = I. */
static akin_status refresh(ak_factor *f, akin_ctx *ctx, bool is_start)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = f->k;
    double *K = NULL, *Kinv = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, k * k, &K));
    AK_TRY(AK_SCRATCH(ctx, k * k, &Kinv));
    AK_TRY(invert(f, ctx, is_start, K, Kinv));
    pad(f, K, f->K);
    pad(f, Kinv, f->Kinv);
    if (f->P != NULL)
        AK_TRY(ak_gemm(ctx, false, false, f->n, k, k, 1.0, f->H, f->ld, Kinv, k,
                       0.0, f->P, f->ld));
    f->updates = f->looks = 0;
    f->shrunk = 1.0;
    f->cond = ak_factor_condition(f);
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

/* H <- H M; rows of zeros, most of them where few words occur, stay. */
AK_CLONES
static void times_square(const ak_factor *f, const double *M, double *rows)
{
    double *out = ak_vec(f, AK_VEC_OUT);
    for (int64_t i = 0; i < f->n; ++i) {
        double *row = rows + i * f->ld;
        if (is_zero(f->k, row))
            continue;
        ak_sum_rows(f->k, f->ld, M, NULL, row, out);
        memcpy(row, out, (size_t)f->ld * sizeof *row);
    }
}

akin_status ak_factor_rebase(ak_factor *f, akin_ctx *ctx)
{
    if (f->form == AK_FACTOR_SPARSE) {
        times_square(f, f->R, f->H);
        set_identity(f, f->R);
        set_identity(f, f->Rinv);
    }
    return refresh(f, ctx, false);
}

/* M (k rows, padded) <- op(M) N and back, op: itself or its transpose. */
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
    pad(f, out, M);
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
        pad(f, T, M);
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
