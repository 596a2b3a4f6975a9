/* Dense algebra against its definition on small matrices; refusals. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "faulty.h"
#include "la/dense.h"

enum { N = 7, M = 12 };

static akin_ctx *ctx;

static int setup(void **state)
{
    (void)state;
    return akin_ctx_new(&ctx, NULL) == AKIN_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    akin_ctx_free(ctx);
    return 0;
}

static void fill(int64_t n, double *a)
{
    ak_rng r = ak_rng_new(7, AK_STREAM_VALIDATE);
    for (int64_t i = 0; i < n; ++i)
        a[i] = ak_rng_normal(&r);
}

static void assert_near(double a, double b)
{
    assert_true(fabs(a - b) <= 1e-11 * (1.0 + fabs(b)));
}

static void gemm_is_the_definition(void **state)
{
    (void)state;
    double A[M * N], B[N * 3], C[M * 3];
    fill(M * N, A);
    fill(N * 3, B);
    for (int ta = 0; ta < 2; ++ta)
        for (int tb = 0; tb < 2; ++tb) {
            fill(M * 3, C);
            const double before = C[5 * 3 + 1];
            assert_int_equal(ak_gemm(ctx, ta, tb, M, 3, N, 2.0, A, ta ? M : N,
                                     B, tb ? N : 3, 0.5, C, 3),
                             AKIN_OK);
            double sum = 0.5 * before;
            for (int k = 0; k < N; ++k)
                sum += 2.0 * (ta ? A[k * M + 5] : A[5 * N + k]) *
                       (tb ? B[1 * N + k] : B[k * 3 + 1]);
            assert_near(C[5 * 3 + 1], sum);
        }
}

static void gemm_f32_is_the_definition(void **state)
{
    (void)state;
    enum { K = 9, LD = 31 };
    float A[M * LD], B[N * LD], C[M * LD];
    ak_rng rng = ak_rng_new(3, AK_STREAM_SYNTH);
    for (int i = 0; i < M * LD; ++i)
        A[i] = (float)ak_rng_normal(&rng);
    for (int i = 0; i < N * LD; ++i)
        B[i] = (float)ak_rng_normal(&rng);
    assert_int_equal(ak_gemm_f32(ctx, M, N, K, A, LD, B, LD, C, LD), AKIN_OK);
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
            double sum = 0.0;
            for (int k = 0; k < K; ++k)
                sum += (double)A[i * LD + k] * (double)B[j * LD + k];
            assert_true(fabs((double)C[i * LD + j] - sum) < 1e-5);
        }
    assert_int_equal(ak_gemm_f32(ctx, -1, N, K, A, LD, B, LD, C, LD),
                     AKIN_ESHAPE);
}

static void gram_fills_both_triangles(void **state)
{
    (void)state;
    double A[M * N], C[M * M], D[N * N];
    fill(M * N, A);
    assert_int_equal(ak_gram(ctx, false, M, N, A, N, C), AKIN_OK);
    assert_int_equal(ak_gram(ctx, true, N, M, A, N, D), AKIN_OK);
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < M; ++j)
            assert_near(C[i * M + j], ak_dot(N, A + i * N, A + j * N));
    double sum = 0.0;
    for (int k = 0; k < M; ++k)
        sum += A[k * N + 2] * A[k * N + 4];
    assert_near(D[2 * N + 4], sum);
    assert_near(D[4 * N + 2], sum);
}

/* A positive definite matrix. */
static void fill_spd(double *S)
{
    double A[M * N];
    fill(M * N, A);
    assert_int_equal(ak_gram(ctx, true, N, M, A, N, S), AKIN_OK);
}

static void cholesky_factors(void **state)
{
    (void)state;
    double S[N * N], L[N * N];
    fill_spd(S);
    fill_spd(L);
    assert_int_equal(ak_cholesky(ctx, N, L), AKIN_OK);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            assert_near(ak_dot(N, L + i * N, L + j * N), S[i * N + j]);
            assert_true(j <= i || L[i * N + j] == 0.0);
        }
}

static void spd_inverse_inverts(void **state)
{
    (void)state;
    double S[N * N], I[N * N];
    fill_spd(S);
    fill_spd(I);
    assert_int_equal(ak_spd_inverse(ctx, N, I), AKIN_OK);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            assert_near(ak_dot(N, S + i * N, I + j * N), i == j);
}

static void eigh_decomposes(void **state)
{
    (void)state;
    double S[N * N], Q[N * N], values[N];
    fill_spd(S);
    fill_spd(Q);
    assert_int_equal(ak_eigh(ctx, N, Q, values), AKIN_OK);
    for (int k = 0; k < N; ++k) {
        assert_true(k == 0 || values[k - 1] <= values[k]);
        for (int i = 0; i < N; ++i) {
            double Sq = 0.0;
            for (int j = 0; j < N; ++j)
                Sq += S[i * N + j] * Q[j * N + k];
            assert_near(Sq, values[k] * Q[i * N + k]);
        }
    }
}

static void check_svd(int64_t m, int64_t n)
{
    double A[M * N], copy[M * N], s[N], U[M * N], Vt[M * N];
    const int64_t r = ak_min_i64(m, n);
    fill(m * n, A);
    fill(m * n, copy);
    assert_int_equal(ak_svd(ctx, m, n, A, s, U, Vt), AKIN_OK);
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
            double sum = 0.0;
            for (int64_t k = 0; k < r; ++k)
                sum += U[i * r + k] * s[k] * Vt[k * n + j];
            assert_near(sum, copy[i * n + j]);
        }
    for (int64_t k = 1; k < r; ++k)
        assert_true(s[k - 1] >= s[k] && s[k] >= 0.0);
}

static void svd_decomposes(void **state)
{
    (void)state;
    check_svd(M, N);
    check_svd(N, M);
    check_svd(N, N);
    check_svd(1, N);
    check_svd(N, 1);
}

static void check_qr(int64_t m, int64_t n)
{
    double A[M * N], copy[M * N], R[N * N];
    fill(m * n, A);
    fill(m * n, copy);
    assert_int_equal(ak_qr(ctx, m, n, A, R), AKIN_OK);
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
            double sum = 0.0;
            for (int64_t k = 0; k <= j; ++k)
                sum += A[i * n + k] * R[k * n + j];
            assert_near(sum, copy[i * n + j]);
        }
    for (int64_t a = 0; a < n; ++a)
        for (int64_t b = 0; b < n; ++b) {
            double sum = 0.0;
            for (int64_t i = 0; i < m; ++i)
                sum += A[i * n + a] * A[i * n + b];
            assert_near(sum, a == b ? 1.0 : 0.0);
            assert_true(b >= a || R[a * n + b] == 0.0);
        }
}

static void qr_decomposes(void **state)
{
    (void)state;
    check_qr(M, N);
    check_qr(N, N);
    check_qr(N, 1);
    double A[2] = {1, 2}, R[4];
    assert_int_equal(ak_qr(ctx, 1, 2, A, R), AKIN_ESHAPE);
}

static void inverse_inverts(void **state)
{
    (void)state;
    double A[N * N], copy[N * N];
    fill(N * N, A);
    fill(N * N, copy);
    assert_int_equal(ak_inverse(ctx, N, A), AKIN_OK);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            double sum = 0.0;
            for (int k = 0; k < N; ++k)
                sum += copy[i * N + k] * A[k * N + j];
            assert_near(sum, i == j ? 1.0 : 0.0);
        }
    double bad[4] = {1, 2, 2, 4};
    assert_int_equal(ak_inverse(ctx, 2, bad), AKIN_ENUMERIC);
    assert_int_equal(ak_inverse(ctx, 0, NULL), AKIN_OK);
}

static void vectors_of_any_length(void **state)
{
    (void)state;
    double x[3] = {1, 2, 3}, y[3] = {4, 5, 6};
    assert_true(ak_dot(3, x, y) == 32.0);
    assert_true(ak_dot(0, x, y) == 0.0);
    ak_axpy(3, 2.0, x, y);
    assert_true(y[0] == 6.0 && y[1] == 9.0 && y[2] == 12.0);
}

static void singular_and_nan_matrices_are_refused(void **state)
{
    (void)state;
    double bad[4] = {1, 2, 2, 1}, nan[4] = {1, NAN, NAN, 1}, v[4], w[4], u[4];
    assert_int_equal(ak_cholesky(ctx, 2, bad), AKIN_ENUMERIC);
    assert_string_equal(akin_ctx_message(ctx),
                        "a matrix is not positive definite (pivot 2 of 2)");
    assert_int_equal(ak_spd_inverse(ctx, 2, nan), AKIN_ENUMERIC);
    assert_int_equal(ak_eigh(ctx, 2, nan, v), AKIN_ENUMERIC);
    assert_int_equal(ak_svd(ctx, 2, 2, nan, v, u, w), AKIN_ENUMERIC);
    assert_int_equal(ak_cholesky(ctx, (int64_t)INT_MAX + 1, bad), AKIN_ESHAPE);
    assert_int_equal(
        ak_gemm(ctx, false, false, -1, 1, 1, 1, bad, 1, bad, 1, 0, v, 1),
        AKIN_ESHAPE);
}

static void empty_matrices_are_fine(void **state)
{
    (void)state;
    assert_int_equal(ak_cholesky(ctx, 0, NULL), AKIN_OK);
    assert_int_equal(ak_spd_inverse(ctx, 0, NULL), AKIN_OK);
    assert_int_equal(ak_eigh(ctx, 0, NULL, NULL), AKIN_OK);
    assert_int_equal(ak_svd(ctx, 0, 3, NULL, NULL, NULL, NULL), AKIN_OK);
    assert_int_equal(ak_gram(ctx, false, 0, 3, NULL, 3, NULL), AKIN_OK);
    double C[2] = {1.0, 2.0};
    assert_int_equal(
        ak_gemm(ctx, false, false, 1, 2, 0, 1.0, NULL, 0, NULL, 2, 0.0, C, 2),
        AKIN_OK);
    assert_true(C[0] == 0.0 && C[1] == 0.0);
}

static akin_status decompose(akin_ctx *c, void *arg)
{
    double A[M * N], B[N * N], s[N], U[M * N], Vt[N * N];
    akin_status st = AKIN_OK;
    (void)arg;
    fill(M * N, A);
    fill(N * N, B);
    AK_TRY(ak_svd(c, M, N, A, s, U, Vt));
    AK_TRY(ak_eigh(c, N, B, s));
done:
    return st;
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    assert_in_range(faulty_run(decompose, NULL), 2, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm_is_the_definition),
        cmocka_unit_test(gemm_f32_is_the_definition),
        cmocka_unit_test(gram_fills_both_triangles),
        cmocka_unit_test(cholesky_factors),
        cmocka_unit_test(spd_inverse_inverts),
        cmocka_unit_test(eigh_decomposes),
        cmocka_unit_test(svd_decomposes),
        cmocka_unit_test(qr_decomposes),
        cmocka_unit_test(inverse_inverts),
        cmocka_unit_test(vectors_of_any_length),
        cmocka_unit_test(singular_and_nan_matrices_are_refused),
        cmocka_unit_test(empty_matrices_are_fine),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
