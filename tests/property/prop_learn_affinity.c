/* Neighbours against all distances, the affinity against its definition with
 * n x n matrices, and T of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

#include "base/rng.h"
#include "la/dense.h"
#include "learn/sparse/affinity.h"
#include "learn/sparse/neighbours.h"

enum { N = 300, MANY = 1100, D = 7, K = 5, PAIRS = 40 };

static double X[MANY * D];

typedef enum {
    GAUSS,
    GRID,
    EQUAL,
    FAR_AWAY,
    HUGE_X,
    TINY_X,
    OUTLIER,
    KINDS
} kind;

static void draw(kind what, uint64_t seed, int64_t n, int64_t d)
{
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    for (int64_t k = 0; k < n * d; ++k) {
        const double x = ak_rng_normal(&r);
        X[k] = what == GRID       ? floor(x)
               : what == EQUAL    ? floor(0.3 * x)
               : what == FAR_AWAY ? 1e6 + x
               : what == HUGE_X   ? 1e19 * x
               : what == TINY_X   ? 1e-22 * x
                                  : x;
    }
    if (what == OUTLIER)
        X[0] = 1e12;
}

static double distance(int64_t d, int64_t i, int64_t j)
{
    double sum = 0.0;
    for (int64_t c = 0; c < d; ++c)
        sum += (X[i * d + c] - X[j * d + c]) * (X[i * d + c] - X[j * d + c]);
    return sum;
}

/* The nearest of those that are not taken, the lowest number first. */
static void check_row(int64_t n, int64_t d, int64_t i, int64_t k,
                      const int32_t *near)
{
    unsigned char taken[N] = {0};
    taken[i] = 1;
    for (int64_t c = 0; c < k; ++c) {
        int64_t best = -1;
        for (int64_t j = 0; j < n; ++j)
            if (!taken[j] &&
                (best < 0 || distance(d, i, j) < distance(d, i, best)))
                best = j;
        assert_int_equal(near[c], best);
        taken[best] = 1;
    }
}

static void neighbours_are_the_nearest(void **state)
{
    static int32_t near[N * (N - 1)];
    static const int64_t sizes[][2] = {
        {N, K}, {N, 1}, {2, 1}, {9, 8}, {70, 69}};
    (void)state;
    for (int what = 0; what < KINDS; ++what)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
            const int64_t n = sizes[s][0], k = sizes[s][1];
            const int64_t d = s % 2 ? 1 : D;
            draw((kind)what, 10 * s, n, d);
            assert_int_equal(ak_neighbours(ctx, n, d, X, k, near), AKIN_OK);
            for (int64_t i = 0; i < n; ++i)
                check_row(n, d, i, k, near + i * k);
        }
}

/* Pairs among the first rows, similar ones first. */
static ak_constraints draw_pairs(uint64_t seed, int64_t *ij)
{
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    ak_constraints p = {.ij = ij};
    for (int64_t i = 0; p.count < PAIRS; ++i)
        for (int64_t j = 0; j < i && p.count < PAIRS; ++j)
            if (ak_rng_unit(&r) < 0.3) {
                ij[2 * p.count] = i;
                ij[2 * p.count++ + 1] = j;
            }
    p.similar = PAIRS / 3;
    return p;
}

/* W* = (1 - alpha) (I - alpha P)^-1 W0, with all its entries. */
static void whole_affinity(const ak_propagation *a, const ak_constraints *pairs,
                           double far, double *W)
{
    static double A[MANY * MANY], W0[MANY * MANY];
    const int64_t n = a->n;
    memset(A, 0, sizeof A);
    memset(W0, 0, sizeof W0);
    for (int64_t at = 0; at < n; ++at) {
        const int64_t i = ak_propagation_point(a, at);
        A[i * n + i] = W0[i * n + i] = 1.0;
        for (int64_t c = 0; c < a->k; ++c)
            A[i * n + ak_propagation_point(a, a->near[at * a->k + c])] -=
                a->alpha / (double)a->k;
    }
    for (int64_t t = 0; t < pairs->count; ++t) {
        const int64_t i = pairs->ij[2 * t], j = pairs->ij[2 * t + 1];
        W0[i * n + j] = W0[j * n + i] = t < pairs->similar ? 1.0 : -far;
    }
    assert_int_equal(ak_inverse(ctx, n, A), AKIN_OK);
    ak_gemm(ctx, false, false, n, n, n, 1.0 - a->alpha, A, n, W0, n, 0.0, W, n);
}

/* T = sum_ij W_ij (x_i - x_j)(x_i - x_j)'/2. */
static void sum_differences(int64_t n, int64_t d, const double *W, double *T)
{
    memset(T, 0, (size_t)(d * d) * sizeof *T);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j)
            for (int64_t a = 0; W[i * n + j] != 0.0 && a < d; ++a)
                for (int64_t b = 0; b < d; ++b)
                    T[a * d + b] += 0.5 * W[i * n + j] *
                                    (X[i * d + a] - X[j * d + a]) *
                                    (X[i * d + b] - X[j * d + b]);
}

static void assert_near(int64_t n, const double *x, const double *y)
{
    double most = 0.0;
    for (int64_t k = 0; k < n; ++k)
        most = fmax(most, fabs(y[k]));
    for (int64_t k = 0; k < n; ++k)
        assert_true(fabs(x[k] - y[k]) <= 1e-10 * most);
}

static void affinity_is_its_definition(void **state)
{
    static double W[N * N], V[N * N], row[N];
    static const double thetas[] = {0.01, 0.05, 0.0};
    static const double alphas[] = {0.5, 0.0, 0.9};
    (void)state;
    for (int c = 0; c < 3; ++c) {
        int64_t ij[2 * PAIRS];
        double T[D * D], U[D * D];
        const ak_constraints pairs = draw_pairs(5, ij);
        ak_propagation a = {.k = K, .alpha = alphas[c], .theta = thetas[c]};
        draw(GAUSS, 3, N, D);
        assert_int_equal(ak_propagation_begin(&a, ctx, N, D, X, &pairs, 0.4),
                         AKIN_OK);
        whole_affinity(&a, &pairs, 0.4, V);
        for (int64_t i = 0; i < N; ++i)
            for (int64_t j = 0; j < N; ++j) {
                const double x = 0.5 * (V[i * N + j] + V[j * N + i]);
                W[i * N + j] = fabs(x) >= a.theta ? x : 0.0;
            }
        for (int64_t i = 0; thetas[c] > 0.0 && i < N; i += 7) {
            assert_int_equal(ak_propagation_row(&a, ctx, i, row), AKIN_OK);
            assert_near(N, row, W + i * N);
        }
        sum_differences(N, D, W, U);
        assert_int_equal(ak_propagation_T(&a, ctx, T), AKIN_OK);
        assert_near(D * D, T, U);
    }
}

/* Two classes of which all pairs are given, and pairs by themselves. */
static ak_constraints class_pairs(int64_t *ij)
{
    ak_constraints p = {.ij = ij};
    for (int unlike = 0; unlike < 2; ++unlike) {
        for (int64_t i = 0; i < 12; ++i)
            for (int64_t j = 0; j < i; ++j)
                if ((i % 2 != j % 2) == unlike) {
                    ij[2 * p.count] = 3 * i;
                    ij[2 * p.count++ + 1] = 3 * j;
                }
        for (int64_t i = 100 + 9 * unlike; i < 108 + 9 * unlike; ++i) {
            ij[2 * p.count] = i;
            ij[2 * p.count++ + 1] = i + 50;
        }
        if (!unlike)
            p.similar = p.count;
    }
    return p;
}

/* Beyond a thousand points rows of W are not taken to rounding. */
static void many_points_to_a_thousandth_of_theta(void **state)
{
    static double V[MANY * MANY], row[MANY];
    int64_t ij[2 * (66 + 16)];
    const ak_constraints pairs = class_pairs(ij);
    ak_propagation a = {.k = K, .alpha = 0.5, .theta = 0.01};
    (void)state;
    draw(GAUSS, 3, MANY, D);
    assert_int_equal(ak_propagation_begin(&a, ctx, MANY, D, X, &pairs, 0.4),
                     AKIN_OK);
    whole_affinity(&a, &pairs, 0.4, V);
    for (int64_t i = 0; i < MANY; i += i < 160 ? 1 : 31) {
        assert_int_equal(ak_propagation_row(&a, ctx, i, row), AKIN_OK);
        for (int64_t j = 0; j < MANY; ++j) {
            const double w = 0.5 * (V[i * MANY + j] + V[j * MANY + i]);
            if (row[j] != 0.0 && i != j)
                assert_true(fabs(row[j] - w) <= 1e-3 * a.theta);
            if (row[j] == 0.0)
                assert_true(fabs(w) < 1.001 * a.theta);
        }
    }
}

static void pairs_alone_are_W0(void **state)
{
    static double W[N * N];
    int64_t ij[2 * PAIRS];
    double T[D * D], U[D * D];
    const ak_constraints pairs = draw_pairs(6, ij);
    (void)state;
    draw(GAUSS, 4, N, D);
    for (int64_t t = 0; t < pairs.count; ++t)
        W[ij[2 * t] * N + ij[2 * t + 1]] = W[ij[2 * t + 1] * N + ij[2 * t]] =
            t < pairs.similar ? 1.0 : -0.7;
    sum_differences(N, D, W, U);
    assert_int_equal(ak_constraints_scatter(ctx, D, X, &pairs, 0.7, T),
                     AKIN_OK);
    assert_near(D * D, T, U);
}

static void threads_change_no_bit(void **state)
{
    static const double thetas[] = {0.01, 0.0};
    int64_t ij[2 * PAIRS];
    const ak_constraints pairs = draw_pairs(5, ij);
    (void)state;
    draw(GAUSS, 3, N, D);
    for (int c = 0; c < 2; ++c) {
        double T[2][D * D];
        for (int i = 0; i < 2; ++i) {
            ak_propagation a = {.k = K, .alpha = 0.5, .theta = thetas[c]};
            akin_ctx_set_threads(ctx, i == 0 ? 1 : 3);
            assert_int_equal(
                ak_propagation_begin(&a, ctx, N, D, X, &pairs, 1.0), AKIN_OK);
            assert_int_equal(ak_propagation_T(&a, ctx, T[i]), AKIN_OK);
        }
        assert_memory_equal(T[0], T[1], sizeof T[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(neighbours_are_the_nearest),
        CONTEXT_CASE(affinity_is_its_definition),
        CONTEXT_CASE(many_points_to_a_thousandth_of_theta),
        CONTEXT_CASE(pairs_alone_are_W0),
        CONTEXT_CASE(threads_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
