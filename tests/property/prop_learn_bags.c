/* What is learned from candidate names: values against their definitions,
 * slopes against differences. */
#include <math.h>
#include <string.h>

#include "context.h"
#include "photos.h"

#include "la/dense.h"
#include "learn/captions/mildml.h"
#include "learn/captions/mms.h"

static double *draw(ak_rng *rng, int64_t n)
{
    double *x = NULL;
    assert_int_equal(AK_SCRATCH(ctx, n, &x), AKIN_OK);
    for (int64_t k = 0; k < n; ++k)
        x[k] = ak_rng_normal(rng);
    return x;
}

/* The slope along `step`, which is small, against the difference of values. */
static void assert_slope(double before, double after, double along)
{
    const double gap = fabs(after - before - along);
    if (gap > 1e-5 * (1e-3 + fabs(along)))
        fail_msg("a difference of %g, by the slope %g", after - before, along);
}

static void slope_of_mms_is_that_of_its_value(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
        photos x;
        ak_mms s;
        double value[3], *G = NULL;
        photos_make(&x, ctx, seed, 30, 5, 4);
        const int64_t size = x.peers.n_names * x.d;
        double *W = draw(&rng, size), *step = draw(&rng, size);
        assert_int_equal(AK_SCRATCH(ctx, size, &G), AKIN_OK);
        assert_int_equal(ak_mms_begin(&s, ctx, &x.peers, x.d, x.X, 0.3),
                         AKIN_OK);
        assert_int_equal(ak_mms_objective(&value[0], &s, ctx, W), AKIN_OK);
        assert_int_equal(ak_mms_slope(&value[1], G, &s, ctx, W), AKIN_OK);
        assert_true(fabs(value[0] - value[1]) < 1e-12);
        const double along = 1e-7 * ak_dot(size, G, step);
        ak_axpy(size, 1e-7, step, W);
        assert_int_equal(ak_mms_slope(&value[2], G, &s, ctx, W), AKIN_OK);
        assert_slope(value[1], value[2], along);
    }
}

/* Steps lower the value, and labels that fit are found in the end. */
static void mms_learns_who_is_who(void **state)
{
    (void)state;
    const ak_cccp_params p = {5, 10, 5, 1e-9};
    ak_cccp_result r;
    photos x;
    ak_mms s;
    double *W = NULL, start;
    photos_make(&x, ctx, 4, 80, 12, 4);
    assert_int_equal(AK_SCRATCH(ctx, x.peers.n_names * x.d, &W), AKIN_OK);
    assert_int_equal(ak_mms_begin(&s, ctx, &x.peers, x.d, x.X, 0.01), AKIN_OK);
    ak_mms_start(&s, W);
    assert_int_equal(ak_mms_objective(&start, &s, ctx, W), AKIN_OK);
    const ak_cccp rounds = ak_mms_cccp(&s);
    assert_int_equal(ak_cccp_run(&r, W, &rounds, ctx, &p), AKIN_OK);
    assert_true(r.objective < start);
}

/* (3) by its definition. */
static double plain_mildml(const photos *x, int64_t k, const double *Lb)
{
    const int64_t *at = x->bags.item_offsets;
    double sum = 0.0, pairs = 0.0;
    for (int64_t i = 0; i < x->bags.n_photos; ++i)
        for (int64_t j = 0; j < i; ++j) {
            double least = INFINITY;
            bool shared = false;
            for (int64_t f = at[i]; f < at[i + 1]; ++f)
                for (int64_t g = at[j]; g < at[j + 1]; ++g) {
                    double d = 0.0;
                    for (int64_t c = 0; c < k; ++c) {
                        double y = 0.0;
                        for (int64_t a = 0; a < x->d; ++a)
                            y += Lb[a * k + c] *
                                 (x->X[f * x->d + a] - x->X[g * x->d + a]);
                        d += y * y;
                    }
                    least = fmin(least, d);
                    for (int64_t q = 0; q < x->peers.n_names; ++q)
                        shared = shared ||
                                 (ak_shared_names_has(&x->peers, f, q) &&
                                  ak_shared_names_has(&x->peers, g, q));
                }
            const double p = 1.0 / (1.0 + exp(least - Lb[x->d * k]));
            sum -= shared ? log(p) : log(1.0 - p);
            pairs += 1.0;
        }
    return sum / pairs;
}

static void mildml_is_as_defined(void **state)
{
    (void)state;
    enum { RANK = 2 };
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
        photos x;
        ak_mildml s;
        double value[2], *G = NULL;
        photos_make(&x, ctx, seed, 12, 5, 4);
        const int64_t size = x.d * RANK + 1;
        double *Lb = draw(&rng, size), *step = draw(&rng, size);
        assert_int_equal(AK_SCRATCH(ctx, size, &G), AKIN_OK);
        assert_int_equal(ak_mildml_begin(&s, ctx, &x.peers, x.d, x.X, RANK),
                         AKIN_OK);
        assert_int_equal(ak_mildml_value(&s, ctx, Lb, &value[0], G), AKIN_OK);
        assert_true(fabs(value[0] - plain_mildml(&x, RANK, Lb)) < 1e-10);
        const double along = 1e-7 * ak_dot(size, G, step);
        ak_axpy(size, 1e-7, step, Lb);
        assert_int_equal(ak_mildml_value(&s, ctx, Lb, &value[1], G), AKIN_OK);
        assert_slope(value[0], value[1], along);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(slope_of_mms_is_that_of_its_value),
        CONTEXT_CASE(mms_learns_who_is_who),
        CONTEXT_CASE(mildml_is_as_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
