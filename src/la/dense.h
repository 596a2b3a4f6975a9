/* la/dense.h - dense algebra on OpenBLAS and LAPACKE, row-major, one thread.
 *
 * Dimensions are checked once, here, to fit BLAS's int; a positive LAPACK info
 * becomes AKIN_ENUMERIC. */
#ifndef AK_LA_DENSE_H
#define AK_LA_DENSE_H

#include "base/ctx.h"

/* ESHAPE: a dimension does not fit BLAS. Also hears whether the run is to stop;
 * workers have no context. */
akin_status ak_check_dims(akin_ctx *ctx, int64_t a, int64_t b, int64_t c);
bool ak_are_finite(int64_t count, const double *A);
/* ENUMERIC unless all are finite: LAPACK may loop for ever over a NaN. */
akin_status ak_check_finite(akin_ctx *ctx, int64_t count, const double *A);
double ak_dot(int64_t n, const double *x, const double *y);
void ak_axpy(int64_t n, double a, const double *x, double *y);
/* C = alpha op(A) op(B) + beta C; C is m x n, op(A) m x k. */
akin_status ak_gemm(akin_ctx *ctx, bool trans_a, bool trans_b, int64_t m,
                    int64_t n, int64_t k, double alpha, const double *A,
                    int64_t lda, const double *B, int64_t ldb, double beta,
                    double *C, int64_t ldc);
/* C = A B' in float; C is m x n, A m x k. */
akin_status ak_gemm_f32(akin_ctx *ctx, int64_t m, int64_t n, int64_t k,
                        const float *A, int64_t lda, const float *B,
                        int64_t ldb, float *C, int64_t ldc);
/* At (m x n) = A' of an n x m matrix. */
void ak_transpose(int64_t n, int64_t m, const double *A, double *At);
/* A = (A + A') / 2. */
void ak_symmetrize(int64_t n, double *A);
/* Copies the lower triangle to the upper one. */
void ak_mirror(int64_t n, double *A);
/* The lower triangle of C (n x n) += alpha A A', or A'A as below. */
akin_status ak_gram_add(akin_ctx *ctx, bool trans, int64_t n, int64_t k,
                        double alpha, const double *A, int64_t lda, double *C);
/* C = A A' (n x n, both triangles) of an n x k matrix, or A'A of a k x n one
 * with `trans`. */
akin_status ak_gram(akin_ctx *ctx, bool trans, int64_t n, int64_t k,
                    const double *A, int64_t lda, double *C);
/* A = L L', the lower triangle of A overwritten by L, the upper zeroed.
 * ENUMERIC: not positive definite. */
akin_status ak_cholesky(akin_ctx *ctx, int64_t n, double *A);
/* Inverse of a symmetric positive definite matrix, in place. */
akin_status ak_spd_inverse(akin_ctx *ctx, int64_t n, double *A);
/* The same, and the logarithm of the determinant of what A was. */
akin_status ak_spd_inverse_logdet(akin_ctx *ctx, int64_t n, double *A,
                                  double *logdet);
/* Inverse of a square matrix, in place. ENUMERIC: it is singular. */
akin_status ak_inverse(akin_ctx *ctx, int64_t n, double *A);
/* Thin QR of m x n, m >= n: A becomes Q, its columns orthonormal, and R is
 * n x n, upper, the lower triangle zeroed. */
akin_status ak_qr(akin_ctx *ctx, int64_t m, int64_t n, double *A, double *R);
/* Eigenvalues (rising) and eigenvectors (columns of A afterwards). */
akin_status ak_eigh(akin_ctx *ctx, int64_t n, double *A, double *values);
/* Thin SVD of m x n: A = U diag(s) Vt, U m x r, Vt r x n, r = min(m, n); A is
 * destroyed. */
akin_status ak_svd(akin_ctx *ctx, int64_t m, int64_t n, double *A, double *s,
                   double *U, double *Vt);

#endif
