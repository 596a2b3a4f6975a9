/* Low-rank representations: forms that must agree, and what lambda does. */
#include <math.h>
#include <string.h>

#include "context.h"
#include "photos.h"

#include "learn/captions/rlrr.h"

/* W, n x n. */
static double *full(const ak_representation *w)
{
    double *rows = NULL;
    assert_int_equal(AK_SCRATCH(ctx, w->n * w->n, &rows), AKIN_OK);
    assert_int_equal(ak_representation_rows(w, ctx, 0, w->n, rows), AKIN_OK);
    return rows;
}

static double furthest(int64_t n, const double *x, const double *y)
{
    double most = 0.0;
    for (int64_t i = 0; i < n; ++i)
        most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

static const ak_rlrr_params growing = {
    .lambda = 0.3,
    .gamma = 0.05,
    .rho = 0.3,
    .delta_rho = 0.2,
    .rho_max = 1e6,
    .eps = 1e-10,
    .most = 25,
};

static void both_forms_of_rlrr_agree(void **state)
{
    (void)state;
    static const ak_penalise whats[] = {
        AK_PENALISE_BOTH, AK_PENALISE_IRRELEVANT, AK_PENALISE_SELF};
    static const double gammas[] = {0.05, 5.0};
    for (int k = 0; k < 6; ++k) {
        photos x;
        ak_rlrr_result a, b;
        ak_rlrr_dense more;
        ak_rlrr_params p = growing;
        p.penalise = whats[k % 3];
        p.gamma = gammas[k / 3];
        photos_make(&x, ctx, 3 + (uint64_t)k, 30, 6, 12);
        ak_faces_svd svd;
        assert_int_equal(ak_faces_svd_of(&svd, ctx, x.n, x.d, x.X), AKIN_OK);
        assert_int_equal(
            ak_rlrr_solve_dense(&a, &more, ctx, &svd, &x.peers, &p), AKIN_OK);
        assert_int_equal(ak_rlrr_solve(&b, ctx, &svd, &x.peers, &p), AKIN_OK);
        const double gap = furthest(x.n * x.n, full(&a.W), full(&b.W));
        if (gap > 1e-7)
            fail_msg("case %d: %g apart", k, gap);
        assert_true(fabs(a.value - b.value) < 1e-6 * a.value);
        assert_true(fabs(a.bound - b.bound) < 1e-6 * a.value);
    }
}

/* The partial decomposition is as exact as the residuals that end a run: at
 * the tolerance of everyday use both forms end together, that far apart. */
static void both_forms_end_together(void **state)
{
    (void)state;
    for (uint64_t seed = 40; seed < 44; ++seed) {
        photos x;
        ak_rlrr_result a, b;
        ak_rlrr_dense more;
        ak_rlrr_params p = growing;
        ak_faces_svd svd;
        p.eps = 1e-4;
        p.most = 200;
        photos_make(&x, ctx, seed, 30, 6, 12);
        assert_int_equal(ak_faces_svd_of(&svd, ctx, x.n, x.d, x.X), AKIN_OK);
        assert_int_equal(
            ak_rlrr_solve_dense(&a, &more, ctx, &svd, &x.peers, &p), AKIN_OK);
        assert_int_equal(ak_rlrr_solve(&b, ctx, &svd, &x.peers, &p), AKIN_OK);
        assert_true(a.converged && b.converged);
        assert_int_equal(a.iterations, b.iterations);
        assert_true(furthest(x.n * x.n, full(&a.W), full(&b.W)) < 2e-3);
        assert_true(fabs(a.value - b.value) < 1e-4 * a.value);
        assert_true(fabs(a.bound - b.bound) < 1e-3 * a.value);
    }
}

/* At a rho that does not grow, LRR in r x n form and rLRR with gamma = 0 find
 * the same W. */
static void lrr_is_rlrr_without_gamma(void **state)
{
    (void)state;
    photos x;
    ak_rlrr_result a, b;
    ak_rlrr_dense more;
    ak_rlrr_params p = growing;
    p.gamma = p.delta_rho = 0.0;
    p.rho = 1.0;
    p.eps = 1e-8;
    p.most = 4000;
    photos_make(&x, ctx, 9, 20, 5, 8);
    ak_faces_svd svd;
    assert_int_equal(ak_faces_svd_of(&svd, ctx, x.n, x.d, x.X), AKIN_OK);
    assert_int_equal(ak_rlrr_solve_dense(&a, &more, ctx, &svd, &x.peers, &p),
                     AKIN_OK);
    assert_int_equal(ak_lrr_solve(&b, ctx, &svd, &p), AKIN_OK);
    assert_true(b.converged);
    double objective[2];
    assert_int_equal(
        ak_rlrr_objective(&objective[0], ctx, &svd, &x.peers, &p, full(&a.W)),
        AKIN_OK);
    assert_int_equal(
        ak_rlrr_objective(&objective[1], ctx, &svd, &x.peers, &p, full(&b.W)),
        AKIN_OK);
    assert_true(fabs(objective[0] - objective[1]) < 1e-5 * objective[0]);
}

/* The bound lies below every value, both forms find the same, and it closes
 * the gap at a rho that does not grow. */
static void gap_is_certified(void **state)
{
    (void)state;
    static const ak_penalise whats[] = {
        AK_PENALISE_BOTH, AK_PENALISE_IRRELEVANT, AK_PENALISE_SELF};
    for (int k = 0; k < 3; ++k) {
        photos x;
        ak_rlrr_result a, b, early, lrr;
        ak_rlrr_dense more;
        ak_faces_svd svd;
        ak_rlrr_params p = growing;
        p.penalise = whats[k];
        p.delta_rho = 0.0;
        p.rho = 1.0;
        p.eps = 1e-7;
        p.most = 3000;
        photos_make(&x, ctx, 20 + (uint64_t)k, 20, 5, 8);
        assert_int_equal(ak_faces_svd_of(&svd, ctx, x.n, x.d, x.X), AKIN_OK);
        assert_int_equal(
            ak_rlrr_solve_dense(&a, &more, ctx, &svd, &x.peers, &p), AKIN_OK);
        assert_int_equal(ak_rlrr_solve(&b, ctx, &svd, &x.peers, &p), AKIN_OK);
        p.gap = 0.01;
        assert_int_equal(ak_rlrr_solve(&early, ctx, &svd, &x.peers, &p),
                         AKIN_OK);
        assert_int_equal(ak_lrr_solve(&lrr, ctx, &svd, &p), AKIN_OK);
        const ak_rlrr_result *all[] = {&a, &b, &early, &lrr};
        for (int t = 0; t < 4; ++t) {
            const double gap = (all[t]->value - all[t]->bound) / all[t]->value;
            if (!(gap > -1e-9 && gap < (t < 2 ? 1e-4 : 0.0100001)))
                fail_msg("case %d, solver %d: a gap of %g", k, t, gap);
        }
        assert_true(fabs(a.value - b.value) < 1e-5 * a.value);
        assert_true(early.converged && early.iterations < b.iterations);
        assert_true(early.bound <= a.value && early.value >= a.bound);
    }
}

static void lambda_below_its_range_gives_zero(void **state)
{
    (void)state;
    photos x;
    ak_lambda_range range;
    ak_faces_svd svd;
    photos_make(&x, ctx, 10, 20, 5, 8);
    assert_int_equal(ak_faces_svd_of(&svd, ctx, x.n, x.d, x.X), AKIN_OK);
    assert_int_equal(ak_lambda_of(&range, ctx, &svd, 0.85), AKIN_OK);
    assert_true(range.zero < range.standard && range.standard < range.full);
    for (int k = 0; k < 2; ++k) {
        ak_rlrr_result r;
        ak_rlrr_params p = growing;
        p.lambda = range.zero * (k ? 1.05 : 0.99);
        p.delta_rho = 0.0;
        p.rho = 1.0;
        p.eps = 1e-7;
        p.most = 20000;
        assert_int_equal(ak_lrr_solve(&r, ctx, &svd, &p), AKIN_OK);
        double most = 0.0;
        const double *W = full(&r.W);
        for (int64_t i = 0; i < x.n * x.n; ++i)
            most = fmax(most, fabs(W[i]));
        assert_true(k ? most > 1e-4 : most < 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(both_forms_of_rlrr_agree),
        CONTEXT_CASE(both_forms_end_together),
        CONTEXT_CASE(lrr_is_rlrr_without_gamma),
        CONTEXT_CASE(gap_is_certified),
        CONTEXT_CASE(lambda_below_its_range_gives_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
