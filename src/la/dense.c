/* Dense algebra. LAPACK is called by its Fortran names, which OpenBLAS holds
 * itself: a row-major matrix is the transpose of what LAPACK sees, so lower
 * reads as upper and U as V, nothing is copied, and liblapacke is not loaded
 * (0.7 ms of every start of the program). */
#include "la/dense.h"

#include <cblas.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void use_one_thread(void)
{
    openblas_set_num_threads(1);
}

/* Before every call into BLAS: threads are ours, see base/parallel.h. */
static void begin(void)
{
    pthread_once(&once, use_one_thread);
}

akin_status ak_check_dims(akin_ctx *ctx, int64_t a, int64_t b, int64_t c)
{
    if (ctx != NULL)  // workers have none
        AK_CHECK(ak_ctx_poll(ctx));
    begin();
    if (a < 0 || b < 0 || c < 0 || a > INT_MAX || b > INT_MAX || c > INT_MAX)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "a matrix dimension does not fit BLAS (%" PRId64
                       ", %" PRId64 ", %" PRId64 ")",
                       a, b, c);
    return AKIN_OK;
}

bool ak_are_finite(int64_t count, const double *A)
{
    for (int64_t i = 0; i < count; ++i)
        if (!isfinite(A[i]))
            return false;
    return true;
}

akin_status ak_check_finite(akin_ctx *ctx, int64_t count, const double *A)
{
    if (ak_are_finite(count, A))
        return AKIN_OK;
    return ak_fail(ctx, AKIN_ENUMERIC,
                   "a matrix has an entry that is not finite");
}

/* An m x n matrix for LAPACK: it fits, and all entries are finite. */
static akin_status check_matrix(akin_ctx *ctx, int64_t m, int64_t n,
                                const double *A)
{
    AK_CHECK(ak_check_dims(ctx, m, n, 0));
    return ak_check_finite(ctx, m * n, A);
}

/* The size of workspace LAPACK asked for. */
static akin_status check_work(akin_ctx *ctx, double size, int *out)
{
    if (!(size <= (double)INT_MAX))
        return ak_fail(ctx, AKIN_ESHAPE, "a matrix is too large for LAPACK");
    *out = (int)size;
    return AKIN_OK;
}

double ak_dot(int64_t n, const double *x, const double *y)
{
    begin();
    double sum = 0.0;
    for (int64_t i = 0; i < n; i += INT_MAX)
        sum += cblas_ddot((int)ak_min_i64(n - i, INT_MAX), x + i, 1, y + i, 1);
    return sum;
}

void ak_axpy(int64_t n, double a, const double *x, double *y)
{
    begin();
    for (int64_t i = 0; i < n; i += INT_MAX)
        cblas_daxpy((int)ak_min_i64(n - i, INT_MAX), a, x + i, 1, y + i, 1);
}

akin_status ak_gemm(akin_ctx *ctx, bool trans_a, bool trans_b, int64_t m,
                    int64_t n, int64_t k, double alpha, const double *A,
                    int64_t lda, const double *B, int64_t ldb, double beta,
                    double *C, int64_t ldc)
{
    AK_CHECK(ak_check_dims(ctx, m, n, k));
    AK_CHECK(ak_check_dims(ctx, lda, ldb, ldc));
    if (m == 0 || n == 0)
        return AKIN_OK;
    cblas_dgemm(CblasRowMajor, trans_a ? CblasTrans : CblasNoTrans,
                trans_b ? CblasTrans : CblasNoTrans, (int)m, (int)n, (int)k,
                alpha, A, (int)ak_max_i64(lda, 1), B, (int)ak_max_i64(ldb, 1),
                beta, C, (int)ldc);
    return AKIN_OK;
}

akin_status ak_gemm_f32(akin_ctx *ctx, int64_t m, int64_t n, int64_t k,
                        const float *A, int64_t lda, const float *B,
                        int64_t ldb, float *C, int64_t ldc)
{
    AK_CHECK(ak_check_dims(ctx, m, n, k));
    AK_CHECK(ak_check_dims(ctx, lda, ldb, ldc));
    if (m == 0 || n == 0)
        return AKIN_OK;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)m, (int)n, (int)k,
                1.0F, A, (int)ak_max_i64(lda, 1), B, (int)ak_max_i64(ldb, 1),
                0.0F, C, (int)ldc);
    return AKIN_OK;
}

enum { TILE = 32 };

void ak_mirror(int64_t n, double *A)
{
    for (int64_t at = 0; at < n; at += TILE)  // rows that stay in the cache
        for (int64_t j = 0; j < ak_min_i64(at + TILE, n); ++j)
            for (int64_t i = ak_max_i64(at, j + 1);
                 i < ak_min_i64(at + TILE, n); ++i)
                A[j * n + i] = A[i * n + j];
}

static void transpose(int64_t n, double *A)
{
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < i; ++j) {
            const double a = A[i * n + j];
            A[i * n + j] = A[j * n + i];
            A[j * n + i] = a;
        }
}

void ak_transpose(int64_t n, int64_t m, const double *A, double *At)
{
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < m; ++j)
            At[j * n + i] = A[i * m + j];
}

void ak_symmetrize(int64_t n, double *A)
{
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < i; ++j)
            A[i * n + j] = A[j * n + i] = 0.5 * (A[i * n + j] + A[j * n + i]);
}

akin_status ak_gram_add(akin_ctx *ctx, bool trans, int64_t n, int64_t k,
                        double alpha, const double *A, int64_t lda, double *C)
{
    AK_CHECK(ak_check_dims(ctx, n, k, lda));
    if (n > 0)
        cblas_dsyrk(CblasRowMajor, CblasLower,
                    trans ? CblasTrans : CblasNoTrans, (int)n, (int)k, alpha, A,
                    (int)ak_max_i64(lda, 1), 1.0, C, (int)n);
    return AKIN_OK;
}

akin_status ak_gram(akin_ctx *ctx, bool trans, int64_t n, int64_t k,
                    const double *A, int64_t lda, double *C)
{
    AK_CHECK(ak_check_dims(ctx, n, k, lda));
    if (n > 0)
        memset(C, 0, (size_t)(n * n) * sizeof *C);
    AK_CHECK(ak_gram_add(ctx, trans, n, k, 1.0, A, lda, C));
    ak_mirror(n, C);
    return AKIN_OK;
}

/* The lower triangle of A becomes L; the upper one stays. */
static akin_status factor(akin_ctx *ctx, int64_t n, double *A)
{
    AK_CHECK(check_matrix(ctx, n, n, A));
    if (n == 0)
        return AKIN_OK;
    const int order = (int)n;
    int info = 0;
    LAPACK_dpotrf("U", &order, A, &order, &info);
    if (info != 0)
        return ak_fail(ctx, AKIN_ENUMERIC,
                       "a matrix is not positive definite (pivot %d of %d)",
                       info, order);
    return AKIN_OK;
}

akin_status ak_cholesky(akin_ctx *ctx, int64_t n, double *A)
{
    AK_CHECK(factor(ctx, n, A));
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = i + 1; j < n; ++j)
            A[i * n + j] = 0.0;
    return AKIN_OK;
}

akin_status ak_spd_inverse(akin_ctx *ctx, int64_t n, double *A)
{
    return ak_spd_inverse_logdet(ctx, n, A, NULL);
}

akin_status ak_spd_inverse_logdet(akin_ctx *ctx, int64_t n, double *A,
                                  double *logdet)
{
    double sum = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(factor(ctx, n, A));
    for (int64_t i = 0; logdet != NULL && i < n; ++i)
        sum += 2.0 * log(A[i * n + i]);
    if (logdet != NULL)
        *logdet = sum;
    if (n == 0)
        goto done;
    const int order = (int)n;
    int info = 0;
    LAPACK_dpotri("U", &order, A, &order, &info);
    if (info != 0)
        st = ak_fail(ctx, AKIN_ENUMERIC, "a matrix of order %d is singular",
                     order);
    ak_mirror(n, A);
done:
    return st;
}

/* The inverse of the transpose is the transpose of the inverse. */
akin_status ak_inverse(akin_ctx *ctx, int64_t n, double *A)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    AK_TRY(check_matrix(ctx, n, n, A));
    if (n == 0)
        goto done;
    const int order = (int)n;
    int lwork = 0, info = 0, *pivots = NULL;
    double *work = NULL;
    AK_TRY(check_work(ctx, 64.0 * (double)n, &lwork));
    AK_TRY(AK_SCRATCH(ctx, n, &pivots));
    AK_TRY(AK_SCRATCH(ctx, lwork, &work));
    LAPACK_dgetrf(&order, &order, A, &order, pivots, &info);
    if (info == 0)
        LAPACK_dgetri(&order, A, &order, pivots, work, &lwork, &info);
    if (info != 0)
        st = ak_fail(ctx, AKIN_ENUMERIC, "a matrix of order %d is singular",
                     order);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_qr(akin_ctx *ctx, int64_t m, int64_t n, double *A, double *R)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    AK_TRY(ak_check_dims(ctx, m, n, m - n));
    AK_TRY(check_matrix(ctx, m, n, A));
    if (n == 0)
        goto done;
    /* A' = R' Q': LAPACK sees an LQ factorisation. */
    const int rows = (int)n, cols = (int)m;
    int lwork = -1, info = 0;
    double size = 0.0, *tau = NULL, *work = NULL;
    AK_TRY(AK_SCRATCH(ctx, n, &tau));
    LAPACK_dgelqf(&rows, &cols, A, &rows, tau, &size, &lwork, &info);
    AK_TRY(check_work(ctx, size, &lwork));
    AK_TRY(AK_SCRATCH(ctx, lwork, &work));
    LAPACK_dgelqf(&rows, &cols, A, &rows, tau, work, &lwork, &info);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j)
            R[i * n + j] = j < i ? 0.0 : A[i * n + j];
    LAPACK_dorglq(&rows, &cols, &rows, A, &rows, tau, work, &lwork, &info);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_eigh(akin_ctx *ctx, int64_t n, double *A, double *values)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    AK_TRY(check_matrix(ctx, n, n, A));
    if (n == 0)
        goto done;
    const int order = (int)n;
    int lwork = 0, liwork = 3 + 5 * order, info = 0, *iwork;
    double *work;
    const double size = (double)n;
    AK_TRY(check_work(ctx, 1.0 + 6.0 * size + 2.0 * size * size, &lwork));
    AK_TRY(AK_SCRATCH(ctx, lwork, &work));
    AK_TRY(AK_SCRATCH(ctx, liwork, &iwork));
    LAPACK_dsyevd("V", "U", &order, A, &order, values, work, &lwork, iwork,
                  &liwork, &info);
    if (info != 0)
        st = ak_fail(ctx, AKIN_ENUMERIC,
                     "the eigenvalues of a matrix of order %d did not converge",
                     order);
    transpose(n, A);  // LAPACK's columns are our rows
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_svd(akin_ctx *ctx, int64_t m, int64_t n, double *A, double *s,
                   double *U, double *Vt)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    AK_TRY(check_matrix(ctx, m, n, A));
    if (m == 0 || n == 0)
        goto done;
    /* A' = V diag(s) U': LAPACK's left factor is ours on the right. */
    const int rows = (int)n, cols = (int)m, rank = (int)ak_min_i64(m, n);
    int lwork = -1, info = 0, *iwork;
    double size = 0.0, *work;
    AK_TRY(AK_SCRATCH(ctx, 8 * (int64_t)rank, &iwork));
    LAPACK_dgesdd("S", &rows, &cols, A, &rows, s, Vt, &rows, U, &rank, &size,
                  &lwork, iwork, &info);
    AK_TRY(check_work(ctx, size, &lwork));
    AK_TRY(AK_SCRATCH(ctx, lwork, &work));
    LAPACK_dgesdd("S", &rows, &cols, A, &rows, s, Vt, &rows, U, &rank, work,
                  &lwork, iwork, &info);
    if (info != 0)
        st = ak_fail(ctx, AKIN_ENUMERIC,
                     "the SVD of a %d x %d matrix did not converge", cols,
                     rows);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
