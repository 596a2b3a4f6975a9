/* Machines of several labels, by their optimality conditions; and with a shared
 * transform: the objective falls, the dual bounds it, and where the minimum is
 * known it is found. */
#include <math.h>
#include <string.h>

#include "support.h"

#include "la/dense.h"
#include "learn/cross/hfa.h"

enum { SEEDS = 6, NS = 24, NT = 12, DS = 7, DT = 5, N = NS + NT, D = DS + DT };

static void be_within(double a, double b, double tol)
{
    if (!(fabs(a - b) <= tol * (1.0 + fabs(b))))
        fail_msg("%.15g is not %.15g", a, b);
}

/* Two kinds of points around the means of their labels, as (x, 0) and (0, y).
 */
static void draw(uint64_t seed, int64_t labels, double *Z, int64_t *label)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    double mean[8 * D];
    for (int64_t k = 0; k < labels * D; ++k)
        mean[k] = ak_rng_normal(&rng);
    memset(Z, 0, N * D * sizeof *Z);
    for (int64_t i = 0; i < N; ++i) {
        label[i] = i % labels;
        for (int64_t j = i < NS ? 0 : DS; j < (i < NS ? DS : D); ++j)
            Z[i * D + j] = mean[label[i] * D + j] + ak_rng_normal(&rng);
    }
}

static ak_hfa problem(akin_ctx *ctx, uint64_t seed, int64_t labels, double *Z,
                      bool squared)
{
    int64_t label[N];
    ak_hfa p = {.Z = Z,
                .lambda = 10.0,
                .tol = 1e-6,
                .max_iterations = 2000,
                .set = {.n = N,
                        .d = D,
                        .labels = labels,
                        .C = 0.5,
                        .squared = squared,
                        .tol = 1e-9,
                        .max_sweeps = 20000,
                        .rng = ak_rng_new(seed, AK_STREAM_ORDER)}};
    draw(seed, labels, Z, label);
    assert_int_equal(ak_hfa_room(&p, ctx), AKIN_OK);
    for (int64_t i = 0; i < N; ++i)
        p.set.y[label[i] * N + i] = 1.0;
    return p;
}

/* Margins are 1 where alpha is between its ends, above where it is 0, below
 * where it is C; for squares alpha is 2 C times what is missing. */
static void machines_are_optimal(void **state)
{
    akin_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < 2 * SEEDS; ++seed) {
        const ak_mark mark = ak_scratch_begin(ctx);
        double Z[N * D];
        ak_hfa p = problem(ctx, seed, 3, Z, seed % 2);
        ak_svm_set *s = &p.set;
        s->X = Z;
        assert_int_equal(ak_svm_set_solve(s, ctx), AKIN_OK);
        for (int64_t k = 0; k < 3 * N; ++k) {
            const double z = s->y[k] *
                             ak_dot(D, s->w + k / N * D, Z + k % N * D);
            const double a = s->alpha[k];
            assert_true(a >= 0.0 && (s->squared || a <= s->C));
            if (s->squared)
                assert_true(fabs(a - 2 * s->C * fmax(0.0, 1 - z)) < 1e-6);
            else
                assert_true((a <= 0.0 || z <= 1 + 1e-7) &&
                            (a >= s->C || z >= 1 - 1e-7));
        }
        for (int64_t c = 0; c < 3; ++c)
            be_within(s->primal[c], s->dual[c], 1e-6);
        ak_scratch_end(ctx, mark);
    }
}

static void the_objective_falls_to_the_dual(void **state)
{
    akin_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        double last = INFINITY, highest = -INFINITY;
        for (int64_t most = 1; most <= 2000; most *= 2) {
            const ak_mark mark = ak_scratch_begin(ctx);
            double Z[N * D], trace = 0.0;
            ak_hfa p = problem(ctx, seed, 4, Z, seed % 2);
            p.max_iterations = most;
            assert_int_equal(ak_hfa_solve(&p, ctx), AKIN_OK);
            assert_true(p.objective <= last * (1 + 1e-9));
            last = p.objective;
            highest = fmax(highest, p.dual);
            for (int64_t k = 0; k < p.q; ++k) {
                assert_true(p.h[k] >= 0.0);
                trace += p.h[k];
            }
            be_within(trace, p.lambda, 1e-12);
            if (most == 1024)
                assert_true(p.converged);
            ak_scratch_end(ctx, mark);
        }
        assert_true(highest <= last * (1 + 1e-9));
        assert_true(last - highest <= 1e-6 * last);
    }
}

/* J at G, with the H that is best for it. */
static double value_at(const ak_hfa *p, akin_ctx *ctx, const double *G)
{
    double A[8 * D], U[8 * D], Vt[64], s[8], h[8], sum = 0.0;
    const int64_t L = p->set.labels;
    memcpy(A, G, (size_t)(D * L) * sizeof *A);
    assert_int_equal(ak_svd(ctx, D, L, A, s, U, Vt), AKIN_OK);
    ak_hfa_fill(p->q, s, p->lambda, h);
    for (int64_t k = 0; k < p->q; ++k)
        sum += 0.5 * s[k] * s[k] / (1 + h[k]);
    for (int64_t k = 0; k < L * N; ++k) {
        double z = 0.0;
        for (int64_t j = 0; j < D; ++j)
            z += G[j * L + k / N] * p->Z[k % N * D + j];
        const double miss = fmax(0.0, 1 - p->set.y[k] * z);
        sum += p->set.C * (p->set.squared ? miss * miss : miss);
    }
    return sum;
}

static void nearby_points_are_not_lower(void **state)
{
    akin_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        const ak_mark mark = ak_scratch_begin(ctx);
        double Z[N * D], G[4 * D];
        ak_rng rng = ak_rng_new(seed, AK_STREAM_START);
        ak_hfa p = problem(ctx, seed, 4, Z, seed % 2);
        assert_int_equal(ak_hfa_solve(&p, ctx), AKIN_OK);
        be_within(value_at(&p, ctx, p.G), p.objective, 1e-9);
        for (int t = 0; t < 40; ++t) {
            const double step = pow(10.0, -(double)(t % 5));
            for (int64_t k = 0; k < 4 * D; ++k)
                G[k] = p.G[k] + step * ak_rng_normal(&rng);
            assert_true(value_at(&p, ctx, G) >= p.dual);
        }
        ak_scratch_end(ctx, mark);
    }
}

/* With two labels there is one direction, and the minimum is that of each side
 * alone with C (1 + lambda). */
static void two_labels_give_machines_of_each_side(void **state)
{
    akin_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        const ak_mark mark = ak_scratch_begin(ctx);
        double Z[N * D], C[N], alpha[N] = {0}, w[D];
        int64_t order[N];
        ak_rng rng = ak_rng_new(seed, AK_STREAM_ORDER);
        ak_hfa p = problem(ctx, seed, 2, Z, true);
        p.tol = 1e-9;
        for (int64_t i = 0; i < N; ++i)
            C[i] = p.set.C * (1 + p.lambda);
        assert_int_equal(ak_hfa_solve(&p, ctx), AKIN_OK);
        ak_svm alone = {.n = NT,
                        .d = D,
                        .X = Z + NS * D,
                        .y = p.set.y + NS,
                        .C = C,
                        .squared = true,
                        .tol = 1e-10,
                        .max_sweeps = 100000,
                        .w = w,
                        .alpha = alpha,
                        .order = order};
        ak_svm_solve(&alone, &rng);
        for (int64_t j = DS; j < D; ++j) {
            be_within(p.G[2 * j], w[j], 1e-4);
            be_within(p.G[2 * j + 1], -w[j], 1e-4);
        }
        ak_scratch_end(ctx, mark);
    }
}

static void zero_lambda_gives_plain_machines(void **state)
{
    akin_ctx *ctx = *state;
    const ak_mark mark = ak_scratch_begin(ctx);
    double Z[N * D], G[4 * D];
    ak_hfa p = problem(ctx, 1, 4, Z, false);
    p.lambda = 0.0;
    assert_int_equal(ak_hfa_solve(&p, ctx), AKIN_OK);
    assert_int_equal(p.iterations, 1);
    memcpy(G, p.G, sizeof G);
    p.set.X = Z;
    assert_int_equal(ak_svm_set_solve(&p.set, ctx), AKIN_OK);
    for (int64_t k = 0; k < 4 * D; ++k)
        be_within(G[k], p.set.w[k % 4 * D + k / 4], 1e-6);
    ak_scratch_end(ctx, mark);
}

static void trace_is_filled_optimally(void **state)
{
    (void)state;
    ak_rng rng = ak_rng_new(9, AK_STREAM_SYNTH);
    for (int t = 0; t < 200; ++t) {
        enum { Q = 6 };
        double s[Q], h[Q], other[Q], sum = 0.0, best = 0.0, rest = 0.0;
        const double lambda = 20.0 * ak_rng_unit(&rng);
        s[0] = 5.0;
        for (int k = 1; k < Q; ++k)
            s[k] = s[k - 1] * (t % 3 ? ak_rng_unit(&rng) : 1.0);
        ak_hfa_fill(Q, s, lambda, h);
        for (int k = 0; k < Q; ++k) {
            sum += h[k];
            best += s[k] * s[k] / (1 + h[k]);
            rest += other[k] = ak_rng_unit(&rng);
        }
        be_within(sum, lambda, 1e-12);
        for (int k = 0; k < Q; ++k)
            best -= s[k] * s[k] / (1 + lambda * other[k] / rest);
        assert_true(best <= 1e-12);
    }
    double h[2];
    ak_hfa_fill(2, (const double[2]){0, 0}, 3.0, h);
    assert_true(h[0] == 0.0 && h[1] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_are_optimal),
        cmocka_unit_test(the_objective_falls_to_the_dual),
        cmocka_unit_test(nearby_points_are_not_lower),
        cmocka_unit_test(two_labels_give_machines_of_each_side),
        cmocka_unit_test(zero_lambda_gives_plain_machines),
        cmocka_unit_test(trace_is_filled_optimally),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
