/* A million updates: the recursive inverses stay what they should be. Triplets
 * are reversed at random, so that updates never stop. */
#include <math.h>

#include "context.h"

#include "base/rng.h"
#include "learn/lowrank/retract.h"

enum { N = 200, K = 10, NNZ = 12, POOL = 500 };

typedef struct pool {
    int32_t cols[POOL][NNZ];
    double vals[POOL][NNZ];
} pool;

static void pool_make(pool *x, ak_rng *r)
{
    for (int i = 0; i < POOL; ++i) {
        int at = 0;
        for (int j = 0; j < N && at < NNZ; ++j)
            if (ak_rng_below(r, N - j) < NNZ - at) {
                x->cols[i][at] = (int32_t)j;
                x->vals[i][at++] = ak_rng_unit(r) * 0.5;
            }
    }
}

static ak_spvec draw(const pool *x, ak_rng *r)
{
    const int64_t i = ak_rng_below(r, POOL);
    return (ak_spvec){NNZ, x->cols[i], x->vals[i]};
}

/* The largest error at any of 100 looks. */
static double run(ak_factor_form form, bool psd, double eta, int64_t updates)
{
    static pool x;
    ak_rng r = ak_rng_new(11, 5);
    ak_factor A = {0}, B = {0};
    ak_factor *right = psd ? &A : &B;
    double work[6 * K], worst = 0.0, off = 0.0, vals[NNZ];
    pool_make(&x, &r);
    assert_int_equal(ak_factor_new(&A, ctx, form, N, K, NULL), AKIN_OK);
    assert_int_equal(ak_factor_new(&B, ctx, form, N, K, NULL), AKIN_OK);
    for (int64_t done = 0; done < updates;) {
        const ak_spvec p = draw(&x, &r);
        ak_spvec q = draw(&x, &r);
        const double sign = ak_rng_unit(&r) < 0.5 ? -1.0 : 1.0;
        for (int i = 0; i < NNZ; ++i)
            vals[i] = sign * q.vals[i];
        q.vals = vals;
        const ak_retract_input s = {eta, 1.0, ak_spvec_dot(p, p),
                                    ak_spvec_dot(q, q), work};
        ak_factor_project(&A, p, work);
        ak_factor_project(right, q, work + K);
        if (ak_small_dot(K, work, work + K) >= 1.0)
            continue;
        assert_int_equal(psd ? ak_retract_psd(&A, ctx, p, q, &s)
                             : ak_retract(&A, &B, ctx, p, q, &s),
                         AKIN_OK);
        if (++done % (updates / 100) == 0) {
            assert_int_equal(ak_factor_error(&A, ctx, &off), AKIN_OK);
            worst = off <= worst ? worst : off;
            assert_int_equal(ak_factor_error(right, ctx, &off), AKIN_OK);
            worst = off <= worst ? worst : off;
        }
    }
    ak_factor_free(&A);
    ak_factor_free(&B);
    return worst;
}

static void check(ak_factor_form form, bool psd, int64_t updates)
{
    static const double etas[] = {0.1, 1.0, 5.0};
    for (int i = 0; i < 3; ++i) {
        const double worst = run(form, psd, etas[i], updates / (i ? 5 : 1));
        if (!(worst < 1e-9))
            fail_msg("eta %g: the inverses are off by %g", etas[i], worst);
    }
}

static void sparse_form_does_not_drift(void **state)
{
    (void)state;
    check(AK_FACTOR_SPARSE, false, 1000000);
}

static void sparse_psd_does_not_drift(void **state)
{
    (void)state;
    check(AK_FACTOR_SPARSE, true, 200000);
}

static void dense_form_does_not_drift(void **state)
{
    (void)state;
    check(AK_FACTOR_DENSE, false, 200000);
    check(AK_FACTOR_DENSE, true, 50000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(sparse_form_does_not_drift),
        CONTEXT_CASE(sparse_psd_does_not_drift),
        CONTEXT_CASE(dense_form_does_not_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
