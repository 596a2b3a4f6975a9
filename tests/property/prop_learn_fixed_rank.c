/* The manifold of fixed rank against dense matrices, and QR in blocks. */
#include <math.h>
#include <string.h>

#include "context.h"
#include "matrices.h"

#include "la/dense.h"
#include "la/tall.h"

enum { SEEDS = 6, LARGEST = 4000 };

/* Shapes with 2k below, at and above a side. */
static const ak_fixed_rank shapes[] = {{9, 7, 3},  {12, 5, 2}, {6, 6, 6},
                                       {5, 40, 4}, {1, 1, 1},  {30, 20, 1}};

enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

static void start(ak_fixed_rank r, ak_rng *rng, ak_fixed_point *x, double **xi)
{
    assert_int_equal(ak_fixed_point_new(x, ctx, r), AKIN_OK);
    assert_int_equal(ak_fixed_point_random(*x, ctx, r, rng), AKIN_OK);
    for (int64_t c = 0; c < r.k; ++c)
        x->s[c] = 1.0 + 0.5 * (double)(r.k - c);
    assert_int_equal(AK_SCRATCH(ctx, ak_tangent_size(r), xi), AKIN_OK);
    assert_int_equal(ak_tangent_random(ctx, r, *x, rng, *xi), AKIN_OK);
}

static void points_are_orthonormal(void **state)
{
    (void)state;
    for (int i = 0; i < N_SHAPES; ++i) {
        const ak_fixed_rank r = shapes[i];
        ak_rng rng = ak_rng_new(3, AK_STREAM_START);
        ak_fixed_point x;
        double *xi = NULL;
        start(r, &rng, &x, &xi);
        assert_true(defect(r.m, r.k, x.U) < 1e-14 * 10);
        assert_true(defect(r.n, r.k, x.V) < 1e-14 * 10);
        double T[64];
        assert_int_equal(
            ak_tall_cross(ctx, r.m, r.k, x.U, r.k, xi + r.k * r.k, T), AKIN_OK);
        for (int64_t c = 0; c < r.k * r.k; ++c)
            assert_true(fabs(T[c]) < 1e-13);
    }
}

/* R(xi) is the truncated SVD of W + xi. */
static void retraction_is_the_best_approximation(void **state)
{
    (void)state;
    for (int i = 0; i < N_SHAPES; ++i) {
        const ak_fixed_rank r = shapes[i];
        const int64_t q = ak_min_i64(r.m, r.n);
        ak_rng rng = ak_rng_new(5, AK_STREAM_START);
        ak_fixed_point x, y;
        double *xi = NULL, Z[600], U[600], s[40], Vt[600], W[600], B[600];
        start(r, &rng, &x, &xi);
        assert_int_equal(ak_fixed_point_new(&y, ctx, r), AKIN_OK);
        assert_int_equal(ak_fixed_retract(ctx, r, x, xi, 0.0, y), AKIN_OK);
        assert_true(defect(r.m, r.k, y.U) < 1e-13);
        assert_true(defect(r.n, r.k, y.V) < 1e-13);
        dense_of(r, y, y.s, NULL, W);
        dense_of(r, x, x.s, xi, Z);
        assert_int_equal(ak_svd(ctx, r.m, r.n, Z, s, U, Vt), AKIN_OK);
        memset(B, 0, sizeof B);
        for (int64_t c = 0; c < r.k; ++c) {
            assert_true(fabs(s[c] - y.s[c]) < 1e-12);
            for (int64_t a = 0; a < r.m; ++a)
                for (int64_t b = 0; b < r.n; ++b)
                    B[a * r.n + b] += U[a * q + c] * s[c] * Vt[c * r.n + b];
        }
        assert_true(distance(r.m * r.n, W, B) < 1e-11);
    }
}

/* |R(h xi) - (W + h xi)| falls with h^2: a retraction; and what is left, of
 * second order, has no tangent part beyond h^3. */
static void retraction_is_of_second_order(void **state)
{
    const ak_fixed_rank r = {14, 11, 3};
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        ak_rng rng = ak_rng_new(seed, AK_STREAM_START);
        ak_fixed_point x, y;
        double *xi = NULL, *hxi = NULL, *eta = NULL, error[2], tangent[2];
        start(r, &rng, &x, &xi);
        assert_int_equal(ak_fixed_point_new(&y, ctx, r), AKIN_OK);
        assert_int_equal(AK_SCRATCH(ctx, ak_tangent_size(r), &hxi), AKIN_OK);
        assert_int_equal(AK_SCRATCH(ctx, ak_tangent_size(r), &eta), AKIN_OK);
        for (int i = 0; i < 2; ++i) {
            const double h = i == 0 ? 1e-2 : 1e-3;
            double W[154], Z[154], D[154];
            for (int64_t j = 0; j < ak_tangent_size(r); ++j)
                hxi[j] = h * xi[j];
            assert_int_equal(ak_fixed_retract(ctx, r, x, hxi, 0.0, y), AKIN_OK);
            dense_of(r, y, y.s, NULL, W);
            dense_of(r, x, x.s, hxi, Z);
            error[i] = distance(154, W, Z);
            for (int64_t j = 0; j < 154; ++j)
                D[j] = W[j] - Z[j];
            ak_gemm(ctx, false, false, r.m, r.k, r.n, 1.0, D, r.n, x.V, r.k,
                    0.0, ak_tangent_Up(r, eta), r.k);
            ak_gemm(ctx, true, false, r.n, r.k, r.m, 1.0, D, r.n, x.U, r.k, 0.0,
                    ak_tangent_Vp(r, eta), r.k);
            tangent[i] = sqrt(
                ak_dot((r.m + r.n) * r.k, eta + r.k * r.k, eta + r.k * r.k));
        }
        assert_true(fabs(log10(error[0] / error[1]) - 2.0) < 0.1);
        assert_true(log10(tangent[0] / tangent[1]) > 2.8);
    }
}

/* Transport is the projection of the dense vector. */
static void transport_projects(void **state)
{
    (void)state;
    for (int i = 0; i < N_SHAPES; ++i) {
        const ak_fixed_rank r = shapes[i];
        ak_rng rng = ak_rng_new(9, AK_STREAM_START);
        ak_fixed_point x, y;
        double *xi = NULL, *eta = NULL, *own = NULL, Z[600], P[600], Q[600];
        start(r, &rng, &x, &xi);
        start(r, &rng, &y, &own);
        assert_int_equal(AK_SCRATCH(ctx, ak_tangent_size(r), &eta), AKIN_OK);
        assert_int_equal(ak_fixed_transport(ctx, r, x, xi, y, eta), AKIN_OK);
        dense_of(r, x, NULL, xi, Z);
        ak_gemm(ctx, false, false, r.m, r.k, r.n, 1.0, Z, r.n, y.V, r.k, 0.0,
                ak_tangent_Up(r, own), r.k);
        ak_gemm(ctx, true, false, r.n, r.k, r.m, 1.0, Z, r.n, y.U, r.k, 0.0,
                ak_tangent_Vp(r, own), r.k);
        ak_tall_cross(ctx, r.m, r.k, y.U, r.k, ak_tangent_Up(r, own), own);
        assert_int_equal(ak_tangent_project(ctx, r, y, own), AKIN_OK);
        dense_of(r, y, NULL, own, P);
        dense_of(r, y, NULL, eta, Q);
        assert_true(distance(r.m * r.n, P, Q) < 1e-12);
        assert_int_equal(ak_fixed_transport(ctx, r, x, xi, x, eta), AKIN_OK);
        assert_true(distance(ak_tangent_size(r), xi, eta) < 1e-12);
    }
}

/* One level, several, and fewer rows than columns. */
static void qr_in_blocks(void **state)
{
    static const int64_t m[] = {3, 8, 1024, 3100, LARGEST};
    enum { COLUMNS = 5 };
    (void)state;
    for (int i = 0; i < 5; ++i) {
        ak_rng rng = ak_rng_new(11, AK_STREAM_START);
        const int64_t q = ak_min_i64(m[i], COLUMNS);
        static double A[LARGEST * COLUMNS], Q[LARGEST * COLUMNS];
        static double C[LARGEST * COLUMNS], B[LARGEST * COLUMNS];
        double R[COLUMNS * COLUMNS];
        for (int64_t j = 0; j < m[i] * COLUMNS; ++j)
            Q[j] = A[j] = ak_rng_normal(&rng);
        assert_int_equal(ak_tall_qr(ctx, m[i], COLUMNS, Q, R), AKIN_OK);
        assert_int_equal(
            ak_tall_multiply(ctx, m[i], q, 1.0, Q, COLUMNS, COLUMNS, R, 0.0, B),
            AKIN_OK);
        assert_true(distance(m[i] * COLUMNS, A, B) < 1e-11);
        for (int64_t j = 0; j < m[i]; ++j)
            memcpy(C + j * q, Q + j * COLUMNS, (size_t)q * sizeof *C);
        assert_true(defect(m[i], q, C) < 1e-13);
        for (int64_t a = 1; a < q; ++a)
            for (int64_t b = 0; b < a; ++b)
                assert_true(R[a * COLUMNS + b] == 0.0);
    }
}

/* Values that are not finite are refused, not looped over. */
static void nan_is_refused(void **state)
{
    double A[6] = {1.0, NAN, 2.0, 3.0, 4.0, 5.0}, R[4];
    (void)state;
    assert_int_equal(ak_tall_qr(ctx, 3, 2, A, R), AKIN_ENUMERIC);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        CONTEXT_CASE(points_are_orthonormal),
        CONTEXT_CASE(retraction_is_the_best_approximation),
        CONTEXT_CASE(retraction_is_of_second_order),
        CONTEXT_CASE(transport_projects),
        CONTEXT_CASE(qr_in_blocks),
        CONTEXT_CASE(nan_is_refused),
    };
    return cmocka_run_group_tests(cases, NULL, NULL);
}
