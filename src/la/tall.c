/* Tall matrices and long vectors. A sum over rows is taken per block and then
 * over the blocks in order. QR (Demmel, Grigori, Hoemmen, Langou, SIAM J. Sci.
 * Comput. 34, 2012): each block on its own, A_b = Q_b R_b, then the R_b, one
 * below the other, = Q R, and Q_b times its part of Q. */
#include "la/tall.h"

#include <cblas.h>
#include <lapacke.h>
#include <limits.h>
#include <string.h>

#include "base/parallel.h"
#include "la/clones.h"
#include "la/dense.h"
#include "la/sparse.h"

enum { ROWS = 1024, NUMBERS = 8192 };  // of a block

typedef struct tall {
    int64_t m, a, lda, b;
    const double *A, *B;
    double alpha, beta;
    double *out;  // of `cross`: a x b for each block
} tall;

static akin_status cross_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const tall *t = arg;
    (void)worker;
    return ak_gemm(NULL, true, false, t->a, t->b, end - begin, 1.0,
                   t->A + begin * t->a, t->a, t->B + begin * t->b, t->b, 0.0,
                   t->out + begin / ROWS * t->a * t->b, t->b);
}

static akin_status check_columns(akin_ctx *ctx, int64_t a, int64_t b)
{
    return a <= INT_MAX && b <= INT_MAX
               ? AKIN_OK
               : ak_fail(ctx, AKIN_ESHAPE, "a matrix has too many columns");
}

akin_status ak_tall_cross(akin_ctx *ctx, int64_t m, int64_t a, const double *A,
                          int64_t b, const double *B, double *C)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t blocks = m / ROWS + (m % ROWS != 0);
    tall t = {.m = m, .a = a, .b = b, .A = A, .B = B};
    akin_status st = AKIN_OK;
    AK_TRY(check_columns(ctx, a, b));
    AK_TRY(AK_SCRATCH(ctx, blocks * a * b, &t.out));
    AK_TRY(ak_parallel_for(ctx, m, ROWS, cross_block, &t));
    memset(C, 0, (size_t)(a * b) * sizeof *C);
    for (int64_t i = 0; i < blocks; ++i)
        for (int64_t j = 0; j < a * b; ++j)
            C[j] += t.out[i * a * b + j];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status multiply_block(void *arg, int64_t begin, int64_t end,
                                  int64_t worker)
{
    const tall *t = arg;
    (void)worker;
    return ak_gemm(NULL, false, false, end - begin, t->b, t->a, t->alpha,
                   t->A + begin * t->lda, t->lda, t->B, t->b, t->beta,
                   t->out + begin * t->b, t->b);
}

akin_status ak_tall_multiply(akin_ctx *ctx, int64_t m, int64_t a, double alpha,
                             const double *A, int64_t lda, int64_t b,
                             const double *C, double beta, double *Y)
{
    tall t = {m, a, lda, b, A, C, alpha, beta, Y};
    const akin_status st = check_columns(ctx, ak_max_i64(a, lda), b);
    return st != AKIN_OK ? st
                         : ak_parallel_for(ctx, m, ROWS, multiply_block, &t);
}

typedef struct qr_blocks {
    int64_t m, n, rows, count;
    double *A, *R;  // R: n x n of each block
    double *work;   // of each worker
    int64_t work_size, lwork;
} qr_blocks;

/* Block b has `rows` rows; the last one also has the rest. */
static int64_t rows_of(const qr_blocks *k, int64_t b)
{
    return b + 1 < k->count ? k->rows : k->m - b * k->rows;
}

/* A' = R' Q': LAPACK sees an LQ factorisation. */
static akin_status factor_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const qr_blocks *k = arg;
    const int n = (int)k->n, cols = (int)rows_of(k, begin);
    const int q = n < cols ? n : cols, lwork = (int)k->lwork;
    double *A = k->A + begin * k->rows * k->n, *R = k->R + begin * k->n * k->n;
    double *tau = k->work + worker * k->work_size, *work = tau + k->n;
    int info = 0;
    (void)end;
    LAPACK_dgelqf(&n, &cols, A, &n, tau, work, &lwork, &info);
    for (int64_t i = 0; i < q; ++i)
        for (int64_t j = 0; j < n; ++j)
            R[i * n + j] = j < i ? 0.0 : A[i * n + j];
    LAPACK_dorglq(&q, &cols, &q, A, &n, tau, work, &lwork, &info);
    return AKIN_OK;
}

/* Q_b times its n rows of Q, in place, using a copy. */
static akin_status combine_block(void *arg, int64_t begin, int64_t end,
                                 int64_t worker)
{
    const qr_blocks *k = arg;
    const int64_t n = k->n, rows = rows_of(k, begin);
    double *A = k->A + begin * k->rows * n;
    double *copy = k->work + worker * k->work_size;
    akin_status st = AKIN_OK;
    (void)end;
    for (int64_t i = 0; i < rows && st == AKIN_OK; i += 64) {
        const int64_t some = ak_min_i64(64, rows - i);
        memcpy(copy, A + i * n, (size_t)(some * n) * sizeof *copy);
        st = ak_gemm(NULL, false, false, some, n, n, 1.0, copy, n,
                     k->R + begin * n * n, n, 0.0, A + i * n, n);
    }
    return st;
}

akin_status ak_tall_qr(akin_ctx *ctx, int64_t m, int64_t n, double *A,
                       double *R)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t rows = ak_max_i64(ROWS, 4 * n);
    qr_blocks k = {.m = m, .n = n, .rows = rows, .A = A, .R = R};
    akin_status st = AKIN_OK;
    AK_TRY(check_columns(ctx, 64 * n, rows));
    AK_TRY(ak_check_finite(ctx, m * n, A));
    k.count = ak_max_i64(1, m / rows);
    k.lwork = 64 * n;
    k.work_size = 65 * n;
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * k.work_size, &k.work));
    ak_dot(0, A, A);  // BLAS by one thread, before the workers call it
    if (k.count > 1)
        AK_TRY(AK_SCRATCH(ctx, k.count * n * n, &k.R));
    AK_TRY(ak_parallel_for(ctx, k.count, 1, factor_block, &k));
    if (k.count > 1) {
        AK_TRY(ak_tall_qr(ctx, k.count * n, n, k.R, R));
        AK_TRY(ak_parallel_for(ctx, k.count, 1, combine_block, &k));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

typedef struct vectors {
    double a, b;
    const double *x;
    double *y;
    double *sums;  // one a block
} vectors;

static akin_status dot_block(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    const vectors *v = arg;
    (void)worker;
    v->sums[begin / NUMBERS] = ak_dot8(end - begin, v->x + begin, v->y + begin);
    return AKIN_OK;
}

akin_status ak_vector_dot(akin_ctx *ctx, int64_t n, const double *x,
                          const double *y, double *sum)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n_blocks = n / NUMBERS + (n % NUMBERS != 0);
    vectors v = {.x = x, .y = (double *)y};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n_blocks, &v.sums));
    AK_TRY(ak_parallel_for(ctx, n, NUMBERS, dot_block, &v));
    *sum = 0.0;
    for (int64_t i = 0; i < n_blocks; ++i)
        *sum += v.sums[i];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

AK_CLONES static void add(int64_t n, double a, const double *restrict x,
                          double b, double *restrict y)
{
    if (b == 0.0)
        for (int64_t i = 0; i < n; ++i)
            y[i] = a * x[i];
    else
        for (int64_t i = 0; i < n; ++i)
            y[i] = a * x[i] + b * y[i];
}

static akin_status add_block(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    const vectors *v = arg;
    (void)worker;
    add(end - begin, v->a, v->x + begin, v->b, v->y + begin);
    return AKIN_OK;
}

akin_status ak_vector_add(akin_ctx *ctx, int64_t n, double a, const double *x,
                          double b, double *y)
{
    vectors v = {a, b, x, y, NULL};
    return ak_parallel_for(ctx, n, NUMBERS, add_block, &v);
}
