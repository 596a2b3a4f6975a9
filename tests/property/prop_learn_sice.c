/* Sparse inverse covariance on random problems: the gap is a bound, solvers
 * agree, and what has no minimiser is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "faulty.h"

#include "context.h"

#include "base/rng.h"
#include "la/dense.h"
#include "learn/sparse/sice.h"

enum { MOST = 40, PROBLEMS = 24 };

static double Sigma[MOST * MOST], M[MOST * MOST], N[MOST * MOST];

/* The covariance of `n` rows of m, some of which hang together; columns in
 * units `units` times apart. */
static void covariance(uint64_t seed, int64_t m, int64_t n, double units)
{
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    double X[4 * MOST * MOST];
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < m; ++j) {
            X[i * m + j] = ak_rng_normal(&r);
            if (j > 0)
                X[i * m + j] += 0.7 * X[i * m + j - 1];
        }
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < m; ++j)
            X[i * m + j] *= pow(units, (double)j / (double)m) / sqrt((double)n);
    assert_int_equal(ak_gram(ctx, true, m, n, X, m, Sigma), AKIN_OK);
}

static ak_sice_result solve(const ak_sice *p, ak_sice_solver solver, double tol,
                            bool polish, double *out)
{
    const ak_sice_options o = {
        solver, .tol = tol, .polish = polish, .sigma = 1e-2,
        .max_iterations = solver == AK_SICE_ALM && !polish ? 200 : 0};
    ak_sice_result r;
    assert_int_equal(ak_sice_solve(ctx, p, &o, out, &r), AKIN_OK);
    return r;
}

static double apart(int64_t n, const double *x, const double *y)
{
    double most = 0.0, scale = 0.0;
    for (int64_t k = 0; k < n; ++k) {
        most = fmax(most, fabs(x[k] - y[k]));
        scale = fmax(scale, fabs(y[k]));
    }
    return most / scale;
}

static ak_sice draw(uint64_t seed)
{
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    const int64_t m = 2 + ak_rng_below(&r, MOST - 2);
    const double rho = 0.02 + 0.3 * ak_rng_unit(&r);
    covariance(seed + 1000, m, m + ak_rng_below(&r, 2 * m),
               seed % 3 == 0 ? 100.0 : 1.0);
    return (ak_sice){m, Sigma, rho, seed % 2 ? rho : 0.0};
}

/* Far from the end, the value is not further above the minimum than said. */
static void gap_is_a_bound(void **state)
{
    static const ak_sice_solver solvers[] = {AK_SICE_ALM, AK_SICE_QUIC};
    (void)state;
    for (uint64_t seed = 0; seed < PROBLEMS; ++seed) {
        const ak_sice p = draw(seed);
        const double best = solve(&p, AK_SICE_AUTO, 1e-9, true, N).objective;
        for (int k = 0; k < 2; ++k)
            for (double tol = 1.0; tol > 1e-7; tol *= 0.01) {
                const ak_sice_result r = solve(&p, solvers[k], tol, false, M);
                const double above = r.objective - best;
                const bool done = r.outcome == AK_SICE_CONVERGED;
                if (done != (r.gap <= tol) || (k == 1 && !done) ||
                    above > r.gap + 1e-9 || above < -1e-9)
                    fail_msg("seed %d solver %d tol %g: gap %g, above %g",
                             (int)seed, (int)solvers[k], tol, r.gap, above);
            }
    }
}

/* The default reaches 1e-6, polished to rounding, and the conditions of
 * optimality hold: M^-1 is within the box, at its end where M is not 0. */
static void optimum_meets_its_conditions(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < PROBLEMS; ++seed) {
        const ak_sice p = draw(seed);
        const int64_t m = p.m;
        double F;
        const ak_sice_result r = solve(&p, AK_SICE_AUTO, 1e-6, true, M);
        assert_int_equal(r.outcome, AK_SICE_CONVERGED);
        assert_int_equal(ak_sice_invert(ctx, &p, M, N, &F), AKIN_OK);
        assert_true(fabs(F - r.objective) < 1e-9 * fmax(1.0, fabs(F)));
        for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < m; ++j) {
                const double R = i == j ? p.rho_diag : p.rho;
                const double u = N[i * m + j] - Sigma[i * m + j];
                const double x = M[i * m + j];
                const double scale = 1e-8 * (1.0 + fabs(N[i * m + j]));
                if (fabs(u) > R + scale ||
                    (x != 0.0 && fabs(u - copysign(R, x)) > scale) ||
                    x != M[j * m + i])
                    fail_msg("seed %d entry %d %d: M %g, M^-1 - Sigma %g, "
                             "penalty %g",
                             (int)seed, (int)i, (int)j, x, u, R);
            }
    }
}

static void solvers_agree(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < PROBLEMS; seed += 3) {  // of one scale
        const ak_sice p = draw(seed);
        solve(&p, AK_SICE_QUIC, 1e-8, true, M);
        solve(&p, AK_SICE_ALM, 1e-8, true, N);
        assert_true(apart(p.m * p.m, M, N) < 1e-6);
    }
}

/* As printed, without exact zeros, but near. */
static void printed_algorithm_comes_near(void **state)
{
    (void)state;
    covariance(7, 5, 20, 1.0);
    const ak_sice p = {5, Sigma, 0.1, 0.1};
    const ak_sice_result r = solve(&p, AK_SICE_PAPER, 1e-3, false, M);
    solve(&p, AK_SICE_AUTO, 1e-6, true, N);
    assert_int_equal(r.outcome, AK_SICE_CONVERGED);
    assert_true(apart(25, M, N) < 0.05);
}

static void parts_are_solved_apart(void **state)
{
    double whole;
    (void)state;
    covariance(3, 12, 40, 1.0);
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j)
            if ((i < 5) != (j < 5))
                Sigma[i * 12 + j] = 0.04;
    const ak_sice p = {12, Sigma, 0.05, 0.05};
    const ak_sice_result r = solve(&p, AK_SICE_AUTO, 1e-9, true, M);
    assert_true(r.parts >= 2);
    assert_true(M[5] == 0.0 && M[11 * 12] == 0.0);
    whole = ak_sice_value(ctx, &p, M, N);
    assert_true(fabs(whole - r.objective) < 1e-10);
}

static void no_minimiser_is_proved(void **state)
{
    static const double bad[][9] = {
        {1.0, 0.0, 0.0, 0.0, -0.5, 0.0, 0.0, 0.0, 2.0},
        {1.0, 3.0, 0.0, 3.0, 1.0, 0.0, 0.0, 0.0, 1.0},
        {1.0, 0.9, -0.9, 0.9, 1.0, 0.9, -0.9, 0.9, 1.0},
    };
    static const ak_sice_solver solvers[] = {AK_SICE_AUTO, AK_SICE_ALM,
                                             AK_SICE_QUIC, AK_SICE_PAPER};
    (void)state;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 4; ++k) {
            const ak_sice p = {3, bad[i], 0.05, 0.05};
            assert_int_equal(solve(&p, solvers[k], 1e-6, true, M).outcome,
                             AK_SICE_UNBOUNDED);
        }
}

/* Indefinite, but there is a positive definite matrix within rho. */
static void indefinite_may_have_a_minimiser(void **state)
{
    static const double S[] = {1.02, 0.02, 0.02, 0.02, 2.02,
                               0.02, 0.02, 0.02, -0.03};
    const ak_sice p = {3, S, 0.2, 0.2};
    (void)state;
    const ak_sice_result r = solve(&p, AK_SICE_AUTO, 1e-6, true, M);
    assert_int_equal(r.outcome, AK_SICE_CONVERGED);
    assert_true(r.gap <= 1e-9);
    assert_true(fabs(ak_sice_linear(&p, M) - 3.0) < 1e-8);
}

static void symmetric(uint64_t seed, int64_t m)
{
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j <= i; ++j)
            Sigma[i * m + j] = Sigma[j * m + i] = ak_rng_normal(&r) +
                                                  (i == j ? 2.0 : 0.0);
}

/* A little above it the gap is a certificate that there is a minimum. */
static void least_rho_is_the_smallest(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 24; ++seed) {
        const int64_t m = 2 + (int64_t)seed % 9;
        const bool diag = seed % 2 == 0;
        const ak_sice p = {m, Sigma, 0.0, 0.0};
        ak_sice_edge e = {.diag = diag, .tol = 5e-3};
        symmetric(seed, m);
        for (int64_t i = 0; !diag && i < m; ++i)
            Sigma[i * (m + 1)] = fabs(Sigma[i * (m + 1)]);
        assert_int_equal(ak_sice_least_rho(ctx, &p, &e), AKIN_OK);
        if (e.below == 0.0)  // Sigma > 0
            continue;
        assert_true(e.above <= 1.0051 * e.below);
        for (int k = 0; k < 2; ++k) {
            const double rho = k == 0 ? 0.999 * e.below : 1.002 * e.above;
            const ak_sice at = {m, Sigma, rho, diag ? rho : 0.0};
            const ak_sice_result r = solve(&at, AK_SICE_AUTO, 1.0, false, M);
            if ((r.outcome == AK_SICE_UNBOUNDED) != (k == 0) ||
                (k == 1 && !isfinite(r.gap)))
                fail_msg("seed %d: rho %g, least from %g to %g, gap %g",
                         (int)seed, rho, e.below, e.above, r.gap);
        }
    }
}

static void singular_needs_almost_no_rho(void **state)
{
    static const double S[] = {1.0, 1.0, 0.5, 1.0, 1.0, 0.5, 0.5, 0.5, 1.0};
    const ak_sice p = {3, S, 0.0, 0.0};
    (void)state;
    assert_int_equal(solve(&p, AK_SICE_AUTO, 1e-6, true, M).outcome,
                     AK_SICE_UNBOUNDED);
    for (int diag = 0; diag < 2; ++diag) {
        ak_sice_edge e = {.diag = diag, .tol = 5e-3};
        assert_int_equal(ak_sice_least_rho(ctx, &p, &e), AKIN_OK);
        assert_true(e.above > 0.0 && e.above < 1e-8);
    }
}

static void no_rho_helps_a_free_diagonal(void **state)
{
    static const double S[] = {1.0, 0.1, 0.1, -0.1};
    const ak_sice p = {2, S, 0.0, 0.0};
    ak_sice_edge e = {.tol = 5e-3};
    (void)state;
    assert_int_equal(ak_sice_least_rho(ctx, &p, &e), AKIN_OK);
    assert_true(e.above == INFINITY);
}

/* All of them together, polishing too. */
static void iterations_have_a_limit(void **state)
{
    (void)state;
    covariance(3, 30, 40, 100.0);
    const ak_sice p = {30, Sigma, 0.01, 0.01};
    for (int64_t most = 1; most < 6; ++most) {
        const ak_sice_options o = {
            .tol = 1e-9, .max_iterations = most, .polish = true};
        ak_sice_result r;
        assert_int_equal(ak_sice_solve(ctx, &p, &o, M, &r), AKIN_OK);
        assert_true(r.iterations <= most * r.parts);
    }
}

static akin_status solve_once(akin_ctx *own, void *arg)
{
    const ak_sice_options o = AK_SICE_DEFAULTS;
    ak_sice_result r;
    return ak_sice_solve(own, arg, &o, M, &r);
}

static void allocations_may_fail(void **state)
{
    (void)state;
    covariance(5, 8, 20, 1.0);
    ak_sice p = {8, Sigma, 0.05, 0.05};
    assert_true(faulty_run(solve_once, &p) > 0);
    symmetric(5, 8);
    assert_true(faulty_run(solve_once, &p) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(gap_is_a_bound),
        CONTEXT_CASE(optimum_meets_its_conditions),
        CONTEXT_CASE(solvers_agree),
        CONTEXT_CASE(printed_algorithm_comes_near),
        CONTEXT_CASE(parts_are_solved_apart),
        CONTEXT_CASE(no_minimiser_is_proved),
        CONTEXT_CASE(indefinite_may_have_a_minimiser),
        CONTEXT_CASE(least_rho_is_the_smallest),
        CONTEXT_CASE(singular_needs_almost_no_rho),
        CONTEXT_CASE(no_rho_helps_a_free_diagonal),
        CONTEXT_CASE(iterations_have_a_limit),
        CONTEXT_CASE(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
