/* ITML: both solvers against the conditions of optimality. */
#include <math.h>

#include "support.h"

#include "la/dense.h"
#include "learn/metric/itml.h"

enum { N = 40, D = 6, PAIRS = 120, RUNS = 25 };

typedef struct instance {
    ak_itml p;
    double X[N * D], M[D * D], lambda[PAIRS], xi[PAIRS];
    int64_t ij[2 * PAIRS];
} instance;

/* Two groups of points in columns of different size; some pairs are of equal
 * points, some points lie on each other. */
static void draw(instance *a, uint64_t seed)
{
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    for (int64_t i = 0; i < N; ++i)
        for (int64_t j = 0; j < D; ++j)
            a->X[i * D + j] = i > 1 && i < 5
                                  ? a->X[j]
                                  : (i % 2 ? 0.5 : 0.0) +
                                        ak_rng_normal(&r) / (1.0 + (double)j);
    memset(a->M, 0, sizeof a->M);
    for (int64_t j = 0; j < D; ++j)
        a->M[j * D + j] = 1.0 + (double)(seed % 3) * (double)j;
    a->p = (ak_itml){.d = D,
                     .X = a->X,
                     .Y = a->X,
                     .count = PAIRS,
                     .similar = (int64_t)(20 + seed % 60),
                     .ij = a->ij,
                     .near = 0.3,
                     .far = 6.0,
                     .gamma = pow(10.0, (double)(seed % 4) - 2.0),
                     .M = a->M,
                     .lambda = a->lambda,
                     .xi = a->xi};
    for (int64_t c = 0; c < PAIRS; ++c)
        for (int side = 0; side < 2; ++side)
            a->ij[2 * c + side] = ak_rng_below(&r, N / 2) * 2 +
                                  (c >= a->p.similar ? side : (c % 2));
}

/* M^-1 = M0^-1 + sum s lambda v v', p = xi where lambda > 0, else on the right
 * side; and lambda = gamma s (1/xi0 - 1/xi). */
static void check_optimal(akin_ctx *ctx, instance *a, const double *M0,
                          double close)
{
    ak_itml *p = &a->p;
    double inverse[D * D], v[D];
    memcpy(inverse, p->M, sizeof inverse);
    assert_int_equal(ak_spd_inverse(ctx, D, inverse), AKIN_OK);
    for (int64_t j = 0; j < D; ++j)
        inverse[j * D + j] -= 1.0 / M0[j * D + j];
    for (int64_t c = 0; c < p->count; ++c) {
        const bool similar = c < p->similar;
        const double s = similar ? 1.0 : -1.0, to = similar ? p->near : p->far;
        const double *x = p->X + p->ij[2 * c] * p->d;
        const double *y = p->Y + p->ij[2 * c + 1] * p->d;
        double q = 0.0;
        for (int64_t j = 0; j < p->d; ++j)
            v[j] = x[j] - y[j];
        for (int64_t i = 0; i < D; ++i)
            for (int64_t j = 0; j < D; ++j) {
                q += v[i] * p->M[i * D + j] * v[j];
                inverse[i * D + j] -= s * p->lambda[c] * v[i] * v[j];
            }
        assert_true(p->lambda[c] >= 0.0 && p->xi[c] > 0.0);
        const double lambda = p->gamma * s * (1.0 / to - 1.0 / p->xi[c]);
        assert_true(fabs(p->lambda[c] - lambda) <= close * (1.0 + lambda));
        if (q < 1e-300)
            continue;
        if (p->lambda[c] > close)
            assert_true(fabs(q - p->xi[c]) <= close * (1.0 + q));
        else
            assert_true(s * (q - p->xi[c]) <= close * (1.0 + q));
    }
    for (int64_t k = 0; k < D * D; ++k)
        assert_true(fabs(inverse[k]) <= close * 100.0);
}

static void both_reach_the_optimum(void **state)
{
    akin_ctx *ctx = *state;
    for (uint64_t seed = 1; seed <= RUNS; ++seed) {
        instance a, b;
        double M0[D * D];
        draw(&a, seed);
        draw(&b, seed);
        memcpy(M0, a.M, sizeof M0);
        a.p.tol = 1e-9;
        a.p.max_iterations = 200;
        assert_int_equal(ak_itml_newton(&a.p, ctx), AKIN_OK);
        assert_true(a.p.converged);
        check_optimal(ctx, &a, M0, 1e-7);
        b.p.tol = 1e-13;
        b.p.max_iterations = 3000;
        assert_int_equal(ak_itml_cyclic(&b.p, ctx), AKIN_OK);
        if (b.p.converged) {
            check_optimal(ctx, &b, M0, 1e-6);
            assert_true(fabs(a.p.objective - b.p.objective) <=
                        1e-6 * (1.0 + a.p.objective));
            for (int64_t k = 0; k < D * D; ++k)
                assert_true(fabs(a.M[k] - b.M[k]) <=
                            1e-3 * (1.0 + fabs(a.M[k])));
        }
    }
}

/* One pair in one dimension, by hand: D(m, 1) + gamma f(m v^2 / xi0). */
static void one_pair_by_hand(void **state)
{
    const double X[2] = {0.0, 2.0};
    const int64_t ij[2] = {0, 1};
    double M[1] = {1.0}, lambda[1], xi[1];
    ak_itml p = {.d = 1,
                 .X = X,
                 .Y = X + 1,
                 .count = 1,
                 .similar = 1,
                 .ij = (const int64_t[]){0, 0},
                 .near = 1.0,
                 .far = 9.0,
                 .gamma = 3.0,
                 .tol = 1e-12,
                 .max_iterations = 100,
                 .M = M,
                 .lambda = lambda,
                 .xi = xi};
    /* 1 - 1/m + 3 (4 - 1/m) = 0 */
    assert_int_equal(ak_itml_newton(&p, *state), AKIN_OK);
    assert_true(fabs(M[0] - 4.0 / 13.0) < 1e-9);
    M[0] = 1.0;
    p.Y = X;
    p.ij = ij;
    assert_int_equal(ak_itml_cyclic(&p, *state), AKIN_OK);
    assert_true(fabs(M[0] - 4.0 / 13.0) < 1e-9);
    M[0] = 1.0;
    p.near = 5.0;  // nothing to do
    assert_int_equal(ak_itml_newton(&p, *state), AKIN_OK);
    assert_true(M[0] == 1.0 && lambda[0] == 0.0 && p.active == 0);
    assert_true(p.converged && p.objective == 0.0);
}

/* Few points, one set or two, in many columns: as if they were not few. */
static void few_points_in_many_columns(void **state)
{
    enum { WIDE = 24, FEW = 8 };
    ak_rng r = ak_rng_new(7, AK_STREAM_SYNTH);
    double X[FEW * WIDE], M[2][WIDE * WIDE], lambda[2][FEW], xi[2][FEW];
    const int64_t ij[2 * FEW] = {0, 1, 1, 2, 2, 3, 3, 0,
                                 0, 2, 1, 3, 1, 0, 3, 2};
    for (int64_t k = 0; k < FEW * WIDE; ++k)
        X[k] = ak_rng_normal(&r);
    for (int sets = 1; sets <= 2; ++sets) {
        ak_itml p[2];
        for (int i = 0; i < 2; ++i) {
            for (int64_t k = 0; k < WIDE * WIDE; ++k)
                M[i][k] = k % (WIDE + 1) == 0 ? 2.0 + 0.1 * (double)(k % 7)
                                              : 0.05;
            p[i] = (ak_itml){.d = WIDE,
                             .X = X,
                             .Y = sets == 1 ? X : X + 4 * WIDE,
                             .count = FEW,
                             .similar = 4,
                             .ij = ij,
                             .near = 20.0,
                             .far = 150.0,
                             .gamma = 1.0,
                             .tol = 1e-9,
                             .max_iterations = 100,
                             .M = M[i],
                             .lambda = lambda[i],
                             .xi = xi[i]};
        }
        assert_int_equal(ak_itml_newton(&p[0], *state), AKIN_OK);
        assert_int_equal(ak_itml_newton_full(&p[1], *state), AKIN_OK);
        assert_true(p[0].converged && p[0].active == p[1].active);
        assert_true(fabs(p[0].objective - p[1].objective) < 1e-9);
        for (int64_t k = 0; k < WIDE * WIDE; ++k)
            assert_true(fabs(M[0][k] - M[1][k]) < 1e-7);
        for (int64_t c = 0; c < FEW; ++c)
            assert_true(fabs(lambda[0][c] - lambda[1][c]) < 1e-7 &&
                        fabs(xi[0][c] - xi[1][c]) < 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pair_by_hand),
        cmocka_unit_test(both_reach_the_optimum),
        cmocka_unit_test(few_points_in_many_columns),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
