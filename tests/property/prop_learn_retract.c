/* Steps on the manifold of rank k: both forms of a factor, one column or
 * several, against the definition with W alone (Theorem 3 of the paper, and
 * its Theorem 6 with the transpose that is missing in print):
 *
 *   R = V1 W^+ V2,  V1 = W + X/2 + L - X W^+ X / 8 - L W^+ X / 2,
 *                   V2 = W + X/2 + T - X W^+ X / 8 - X W^+ T / 2
 *
 * with X, T, L the parts of the step in the tangent space. */
#include <math.h>
#include <string.h>

#include "context.h"

#include "base/rng.h"
#include "la/dense.h"
#include "learn/lowrank/retract.h"

enum { N = 12, M = 9, K = 3, R = 4 };

static void fill(ak_rng *r, int64_t n, double *x)
{
    for (int64_t i = 0; i < n; ++i)
        x[i] = ak_rng_normal(r);
}

/* C = A B, or A B' with `trans`. */
static void times(int64_t m, int64_t n, int64_t k, const double *A,
                  const double *B, bool trans, double *C)
{
    assert_int_equal(ak_gemm(ctx, false, trans, m, n, k, 1.0, A, k, B,
                             trans ? k : n, 0.0, C, n),
                     AKIN_OK);
}

static double distance(int64_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; ++i)
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}

/* W^+ (m x n) and the projections on the column and row spaces of W. */
static void decompose(int64_t n, int64_t m, const double *W, double *Wp,
                      double *PA, double *PB)
{
    double copy[N * N], s[N], U[N * N], Vt[N * N], A[N * K], B[N * K];
    double Bs[N * K];
    const int64_t r = ak_min_i64(n, m);
    memcpy(copy, W, (size_t)(n * m) * sizeof *W);
    assert_int_equal(ak_svd(ctx, n, m, copy, s, U, Vt), AKIN_OK);
    for (int64_t c = 0; c < K; ++c) {
        for (int64_t i = 0; i < n; ++i)
            A[i * K + c] = U[i * r + c];
        for (int64_t i = 0; i < m; ++i) {
            B[i * K + c] = Vt[c * m + i];
            Bs[i * K + c] = B[i * K + c] / s[c];
        }
    }
    times(m, n, K, Bs, A, true, Wp);
    times(n, n, K, A, A, true, PA);
    times(m, m, K, B, B, true, PB);
}

/* The three parts of Z in the tangent space at W. */
static void project(int64_t n, int64_t m, const double *PA, const double *PB,
                    const double *Z, double *X, double *T, double *L)
{
    times(n, m, n, PA, Z, false, T);
    times(n, m, m, Z, PB, false, L);
    times(n, m, m, T, PB, false, X);
    for (int64_t i = 0; i < n * m; ++i) {
        T[i] -= X[i];  // PA Z (I - PB)
        L[i] -= X[i];  // (I - PA) Z PB
    }
}

static void definition(int64_t n, int64_t m, const double *W, const double *Z,
                       double *out)
{
    double Wp[N * N], PA[N * N], PB[N * N], X[N * N], T[N * N], L[N * N];
    double WX[N * N], WT[N * N], XX[N * N], LX[N * N], XT[N * N];
    double V1[N * N], V2[N * N];
    decompose(n, m, W, Wp, PA, PB);
    project(n, m, PA, PB, Z, X, T, L);
    times(m, m, n, Wp, X, false, WX);
    times(m, m, n, Wp, T, false, WT);
    times(n, m, m, X, WX, false, XX);
    times(n, m, m, L, WX, false, LX);
    times(n, m, m, X, WT, false, XT);
    for (int64_t i = 0; i < n * m; ++i) {
        const double common = W[i] + X[i] / 2.0 - XX[i] / 8.0;
        V1[i] = common + L[i] - LX[i] / 2.0;
        V2[i] = common + T[i] - XT[i] / 2.0;
    }
    times(m, m, n, Wp, V2, false, WX);
    times(n, m, m, V1, WX, false, out);
}

/* ---- what is tested ------------------------------------------------------ */

typedef struct problem {
    double A[N * K], B[M * K], P[R][N], Q[R][M];
    ak_splist p, q;
} problem;

static void problem_make(problem *x, uint64_t seed, double size)
{
    static int32_t cols[N];
    ak_rng r = ak_rng_new(seed, 5);
    *x = (problem){0};
    fill(&r, N * K, x->A);
    fill(&r, M * K, x->B);
    for (int i = 0; i < N; ++i)
        cols[i] = (int32_t)i;
    for (int j = 0; j < R; ++j) {
        fill(&r, N, x->P[j]);
        fill(&r, M, x->Q[j]);
        for (int i = 0; i < N; ++i)
            x->P[j][i] *= size;
        assert_int_equal(
            ak_splist_put(&x->p, ctx, j, 1.0, (ak_spvec){N, cols, x->P[j]}),
            AKIN_OK);
        assert_int_equal(
            ak_splist_put(&x->q, ctx, j, 1.0, (ak_spvec){M, cols, x->Q[j]}),
            AKIN_OK);
    }
}

static void problem_end(problem *x)
{
    ak_splist_free(&x->p);
    ak_splist_free(&x->q);
}

/* W = A B' of a pair of factors. */
static void product(const ak_factor *A, const ak_factor *B, double *W)
{
    double rows[N * K], cols[N * K];
    for (int64_t i = 0; i < A->n; ++i)
        ak_factor_row(A, i, rows + i * K);
    for (int64_t i = 0; i < B->n; ++i)
        ak_factor_row(B, i, cols + i * K);
    times(A->n, B->n, K, rows, cols, true, W);
}

/* W after a step with the first r columns; r = 0: by ak_retract. Times of
 * several steps when `turns` is more than 1. */
static void step(const problem *x, ak_factor_form form, int64_t r, int turns,
                 double *W)
{
    ak_factor A = {0}, B = {0};
    double work[6 * K], off = 1.0;
    const ak_spvec p = ak_splist_at(&x->p, 0), q = ak_splist_at(&x->q, 0);
    const ak_retract_input s = {1.0, 0.0, ak_spvec_dot(p, p),
                                ak_spvec_dot(q, q), work};
    assert_int_equal(ak_factor_new(&A, ctx, form, N, K, x->A), AKIN_OK);
    assert_int_equal(ak_factor_new(&B, ctx, form, M, K, x->B), AKIN_OK);
    for (int t = 0; t < turns; ++t) {
        ak_factor_project(&A, p, work);
        ak_factor_project(&B, q, work + K);
        assert_int_equal(
            r == 0 ? ak_retract(&A, &B, ctx, p, q, &s)
                   : ak_retract_many(&A, &B, ctx, r, &x->p, &x->q, 1.0, 0.0),
            AKIN_OK);
    }
    product(&A, &B, W);
    assert_int_equal(ak_factor_error(&A, ctx, &off), AKIN_OK);
    assert_true(off < 1e-10);
    assert_int_equal(ak_factor_error(&B, ctx, &off), AKIN_OK);
    assert_true(off < 1e-10);
    ak_factor_free(&A);
    ak_factor_free(&B);
}

/* sum_j p_j q_j' */
static void gradient(const problem *x, int64_t r, double *Z)
{
    memset(Z, 0, N * M * sizeof *Z);
    for (int64_t j = 0; j < r; ++j)
        for (int i = 0; i < N * M; ++i)
            Z[i] += x->P[j][i / M] * x->Q[j][i % M];
}

static void all_forms_are_the_definition(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        problem x;
        double W[N * M], Z[N * M], want[N * M], got[N * M];
        problem_make(&x, seed, 0.1);
        times(N, M, K, x.A, x.B, true, W);
        for (int64_t r = 0; r <= R; ++r) {
            gradient(&x, ak_max_i64(r, 1), Z);
            definition(N, M, W, Z, want);
            for (int form = 0; form < 2; ++form) {
                step(&x, (ak_factor_form)form, r, 1, got);
                const double off = distance(N * M, want, got);
                if (!(off < 1e-10))
                    fail_msg("seed %d, rank %d, form %d: off by %g", (int)seed,
                             (int)r, form, off);
            }
        }
        problem_end(&x);
    }
}

/* The result depends on W alone: A T and B T^-T give the same. */
static void factorisation_does_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        problem x;
        double T[K * K], A[N * K], B[M * K], one[N * M], two[N * M];
        ak_rng r = ak_rng_new(seed, 6);
        problem_make(&x, seed, 0.1);
        step(&x, AK_FACTOR_SPARSE, 0, 5, one);
        fill(&r, K * K, T);
        for (int i = 0; i < K; ++i)
            T[i * K + i] += 4.0;
        times(N, K, K, x.A, T, false, A);
        assert_int_equal(ak_inverse(ctx, K, T), AKIN_OK);
        times(M, K, K, x.B, T, true, B);
        memcpy(x.A, A, sizeof A);
        memcpy(x.B, B, sizeof B);
        for (int form = 0; form < 2; ++form) {
            step(&x, (ak_factor_form)form, 0, 5, two);
            assert_true(distance(N * M, one, two) < 1e-9);
        }
        problem_end(&x);
    }
}

/* |P(R(t xi) - W - t xi)| falls as t^3, |R(t xi) - W - t xi| as t^2. */
static void retraction_is_of_second_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        double off[2][4];
        for (int turn = 0; turn < 4; ++turn) {
            problem x;
            double W[N * M], Z[N * M], got[N * M], Wp[N * N], PA[N * N];
            double PB[N * N], X[N * M], T[N * M], L[N * M], E[N * M];
            problem_make(&x, seed, 0.04 / (double)(1 << turn));
            times(N, M, K, x.A, x.B, true, W);
            gradient(&x, 1, Z);
            decompose(N, M, W, Wp, PA, PB);
            project(N, M, PA, PB, Z, X, T, L);
            step(&x, AK_FACTOR_SPARSE, 0, 1, got);
            for (int i = 0; i < N * M; ++i)
                E[i] = got[i] - W[i] - X[i] - T[i] - L[i];
            off[0][turn] = sqrt(ak_dot(N * M, E, E));
            project(N, M, PA, PB, E, X, T, L);
            for (int i = 0; i < N * M; ++i)
                E[i] = X[i] + T[i] + L[i];
            off[1][turn] = sqrt(ak_dot(N * M, E, E));
            problem_end(&x);
        }
        const double second = log2(off[0][2] / off[0][3]);
        const double third = log2(off[1][2] / off[1][3]);
        if (!(second > 1.8 && second < 2.2 && third > 2.8))
            fail_msg("seed %d: orders %g and %g", (int)seed, second, third);
    }
}

/* Theorem 6 is Theorem 3 with the gradient made symmetric. */
static void psd_is_the_definition(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        double Y[N * K], p[N], q[N], W[N * N], Z[N * N], want[N * N];
        double got[N * N], work[6 * K];
        int32_t cols[N];
        ak_rng r = ak_rng_new(seed, 7);
        fill(&r, N * K, Y);
        fill(&r, N, p);
        fill(&r, N, q);
        for (int i = 0; i < N; ++i) {
            cols[i] = (int32_t)i;
            p[i] *= 0.1;
        }
        times(N, N, K, Y, Y, true, W);
        for (int i = 0; i < N * N; ++i)
            Z[i] = 0.5 * (p[i / N] * q[i % N] + q[i / N] * p[i % N]);
        definition(N, N, W, Z, want);
        for (int form = 0; form < 2; ++form) {
            ak_factor f = {0};
            const ak_spvec P = {N, cols, p}, Q = {N, cols, q};
            const ak_retract_input s = {1.0, 0.0, ak_dot(N, p, p),
                                        ak_dot(N, q, q), work};
            assert_int_equal(
                ak_factor_new(&f, ctx, (ak_factor_form)form, N, K, Y), AKIN_OK);
            ak_factor_project(&f, P, work);
            ak_factor_project(&f, Q, work + K);
            assert_int_equal(ak_retract_psd(&f, ctx, P, Q, &s), AKIN_OK);
            product(&f, &f, got);
            assert_true(distance(N * N, want, got) < 1e-10);
            ak_factor_free(&f);
        }
    }
}

/* A step against W itself, p q' = -W: A would be 0 along it. */
static void steps_that_cost_rank_are_shortened(void **state)
{
    (void)state;
    for (int form = 0; form < 2; ++form)
        for (int turn = 0; turn < 200; ++turn) {
            double A[2] = {1.0, 0.0}, p[2] = {-0.1 * turn, 0.0}, one[2] = {1.0};
            double work[6], off = 1.0;
            const int32_t cols[2] = {0, 1};
            ak_factor a = {0}, b = {0};
            const ak_spvec P = {2, cols, p}, Q = {2, cols, one};
            const ak_retract_input s = {1.0, 0.0, p[0] * p[0], 1.0, work};
            ak_factor_new(&a, ctx, (ak_factor_form)form, 2, 1, A);
            ak_factor_new(&b, ctx, (ak_factor_form)form, 2, 1, A);
            ak_factor_project(&a, P, work);
            ak_factor_project(&b, Q, work + 1);
            assert_int_equal(ak_retract(&a, &b, ctx, P, Q, &s), AKIN_OK);
            assert_int_equal(ak_factor_error(&a, ctx, &off), AKIN_OK);
            assert_true(off < 1e-9);
            ak_factor_free(&a);
            ak_factor_free(&b);
        }
}

/* Noise at full rank draws W across the singular matrices, which the manifold
 * leaves out: factors come near to losing rank all the time. */
static void noise_at_full_rank_is_survived(void **state)
{
    (void)state;
    enum { FULL = 6, ROUNDS = 20000 };
    static const double etas[] = {0.01, 1.0, 10.0};
    int32_t cols[FULL];
    for (int i = 0; i < FULL; ++i)
        cols[i] = (int32_t)i;
    for (int turn = 0; turn < 12; ++turn) {
        const bool psd = turn % 2;
        ak_factor A = {0}, B = {0}, *right = psd ? &A : &B;
        double p[FULL], q[FULL], work[6 * FULL], off = 1.0, sum = 0.0;
        const ak_spvec P = {FULL, cols, p}, Q = {FULL, cols, q};
        ak_rng r = ak_rng_new(9, 9);
        const ak_factor_form form = (ak_factor_form)(turn / 2 % 2);
        ak_factor_new(&A, ctx, form, FULL, FULL, NULL);
        ak_factor_new(&B, ctx, form, FULL, FULL, NULL);
        for (int t = 0; t < ROUNDS; ++t) {
            fill(&r, FULL, p);
            fill(&r, FULL, q);
            const ak_retract_input s = {etas[turn / 4], 1.0, ak_dot(FULL, p, p),
                                        ak_dot(FULL, q, q), work};
            ak_factor_project(&A, P, work);
            ak_factor_project(right, Q, work + FULL);
            if (ak_small_dot(FULL, work, work + FULL) >= 1.0)
                continue;
            assert_int_equal(psd ? ak_retract_psd(&A, ctx, P, Q, &s)
                                 : ak_retract(&A, &B, ctx, P, Q, &s),
                             AKIN_OK);
            assert_int_equal(ak_factor_error(&A, ctx, &off), AKIN_OK);
            sum += off / ROUNDS;
        }
        if (!(sum < 1e-4))
            fail_msg("turn %d: the inverses are off by %g on average", turn,
                     sum);
        ak_factor_free(&A);
        ak_factor_free(&B);
    }
}

static void dependent_columns_are_refused(void **state)
{
    (void)state;
    double A[N * K];
    ak_rng r = ak_rng_new(3, 8);
    for (int form = 0; form < 2; ++form)
        for (int turn = 0; turn < 3; ++turn) {
            ak_factor f = {0};
            fill(&r, N * K, A);
            for (int i = 0; i < N; ++i)  // twice, nearly twice, none
                A[i * K + 1] = turn == 2 ? 0.0
                                         : A[i * K] * (1.0 + turn * 1e-13 * i);
            assert_int_equal(
                ak_factor_new(&f, ctx, (ak_factor_form)form, N, K, A),
                AKIN_ENUMERIC);
            ak_factor_free(&f);
        }
}

/* Nearly dependent columns: the inverse by QR is as good as they allow. */
static void nearly_dependent_columns_are_inverted(void **state)
{
    (void)state;
    double A[N * K], off = 1.0;
    ak_rng r = ak_rng_new(4, 8);
    for (int form = 0; form < 2; ++form) {
        ak_factor f = {0};
        fill(&r, N * K, A);
        for (int i = 0; i < N; ++i)
            A[i * K + 1] = A[i * K] + 1e-5 * ak_rng_normal(&r);
        assert_int_equal(ak_factor_new(&f, ctx, (ak_factor_form)form, N, K, A),
                         AKIN_OK);
        assert_int_equal(ak_factor_error(&f, ctx, &off), AKIN_OK);
        assert_true(off < 1e-4);
        ak_factor_free(&f);
    }
}

static void transform_keeps_the_inverses(void **state)
{
    (void)state;
    double A[N * K], T[K * K], Tinv[K * K], want[N * K], row[K], off = 1.0;
    ak_rng r = ak_rng_new(5, 8);
    for (int form = 0; form < 2; ++form) {
        ak_factor f = {0}, g = {0};
        fill(&r, N * K, A);
        fill(&r, K * K, T);
        memcpy(Tinv, T, sizeof T);
        assert_int_equal(ak_inverse(ctx, K, Tinv), AKIN_OK);
        ak_factor_new(&f, ctx, (ak_factor_form)form, N, K, A);
        assert_int_equal(ak_factor_transform(&f, ctx, T, Tinv), AKIN_OK);
        assert_int_equal(ak_factor_clone(&g, ctx, &f), AKIN_OK);
        times(N, K, K, A, T, false, want);
        for (int64_t i = 0; i < N; ++i) {
            ak_factor_row(&g, i, row);
            assert_true(distance(K, row, want + i * K) < 1e-12);
        }
        assert_int_equal(ak_factor_error(&g, ctx, &off), AKIN_OK);
        assert_true(off < 1e-8);
        ak_factor_free(&f);
        ak_factor_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(all_forms_are_the_definition),
        CONTEXT_CASE(factorisation_does_not_matter),
        CONTEXT_CASE(retraction_is_of_second_order),
        CONTEXT_CASE(psd_is_the_definition),
        CONTEXT_CASE(steps_that_cost_rank_are_shortened),
        CONTEXT_CASE(noise_at_full_rank_is_survived),
        CONTEXT_CASE(dependent_columns_are_refused),
        CONTEXT_CASE(nearly_dependent_columns_are_inverted),
        CONTEXT_CASE(transform_keeps_the_inverses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
