/* The mean of the factors over a run: by its definition, and in pieces. */
#include <math.h>

#include "faulty.h"
#include "same_bytes.h"
#include "support.h"

#include <akin/learn.h>

#include "model/factored.h"

enum { ROWS = 60, DIM = 90, EVERY = 1024, TIMES = 4 };

static const char *const learners[] = {"loreta-1", "loreta-psd", "gd", "psd-gd",
                                       "pa"};

static akin_status learn(akin_model **m, akin_ctx *ctx, const char *learner,
                         const char *average, int64_t sample,
                         const akin_model *from)
{
    akin_rows *rows = class_rows(ctx, 5, ROWS, DIM, 12, 3);
    akin_supervision *data = NULL;
    akin_options *o = NULL;
    akin_learning *l = NULL;
    akin_status st = rows ? AKIN_OK : AKIN_ENOMEM;
    if (st == AKIN_OK)
        st = akin_supervision_new(&data, ctx, rows, NULL, NULL);
    if (st == AKIN_OK)
        st = akin_options_new(&o, ctx, learner);
    if (st == AKIN_OK)
        st = akin_options_set(ctx, o, "average", average);
    if (st == AKIN_OK) {
        akin_supervision_sample(data, sample, 1);
        st = akin_learning_begin(&l, ctx, o, data, from);
    }
    if (st == AKIN_OK)
        st = akin_learning_observe_all(ctx, l);
    if (st == AKIN_OK)
        st = akin_learning_model(m, ctx, l);
    akin_learning_free(l);
    akin_options_free(o);
    akin_supervision_free(data);
    akin_rows_free(rows);
    return st;
}

/* Number c of the states, EVERY examples apart, weighs c^3. */
static void means_are_the_definition(void **state)
{
    akin_ctx *ctx = *state;
    for (size_t which = 0; which < 5; ++which) {
        akin_model *mean = NULL;
        double *want = calloc((size_t)DIM * 30, sizeof *want), total = 0.0;
        for (int64_t c = 1; c <= TIMES; ++c) {
            akin_model *m = NULL;
            assert_int_equal(
                learn(&m, ctx, learners[which], "none", c * EVERY, NULL), 0);
            const int64_t n = DIM * ak_factored_rank(m);
            for (int64_t i = 0; i < n; ++i)
                want[i] += (double)(c * c * c) * ak_factored_B(m)[i];
            total += (double)(c * c * c);
            akin_model_free(m);
        }
        assert_int_equal(learn(&mean, ctx, learners[which], "tail",
                               TIMES * EVERY + 100, NULL),
                         AKIN_OK);
        for (int64_t i = 0; i < DIM * ak_factored_rank(mean); ++i) {
            const double b = ak_factored_B(mean)[i], w = want[i] / total;
            if (!(fabs(b - w) <= 1e-12 * (1.0 + fabs(w))))
                fail_msg("%s: %g, not %g", learners[which], b, w);
        }
        akin_model_free(mean);
        free(want);
    }
}

static void before_the_first_it_is_the_last(void **state)
{
    akin_ctx *ctx = *state;
    akin_model *a = NULL, *b = NULL;
    assert_int_equal(learn(&a, ctx, "gd", "none", EVERY - 1, NULL), AKIN_OK);
    assert_int_equal(learn(&b, ctx, "gd", "tail", EVERY - 1, NULL), AKIN_OK);
    assert_memory_equal(ak_factored_A(a), ak_factored_A(b),
                        (size_t)(DIM * 30) * sizeof(double));
    akin_model_free(a);
    akin_model_free(b);
}

static void a_then_b_is_a_and_b(void **state)
{
    akin_ctx *ctx = *state;
    for (size_t which = 0; which < 5; ++which) {
        akin_model *a = NULL, *ab = NULL, *whole = NULL;
        assert_int_equal(learn(&a, ctx, learners[which], "tail", 1500, NULL),
                         AKIN_OK);
        akin_model *back = through_a_file(ctx, a);
        assert_int_equal(learn(&ab, ctx, learners[which], "tail", 2000, back),
                         AKIN_OK);
        assert_int_equal(
            learn(&whole, ctx, learners[which], "tail", 3500, NULL), AKIN_OK);
        assert_same_bytes(ctx, ab, whole);
        akin_model_free(a);
        akin_model_free(back);
        akin_model_free(ab);
        akin_model_free(whole);
    }
}

static akin_status whole_job(akin_ctx *ctx, void *arg)
{
    akin_model *m = NULL, *then = NULL;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    akin_status st = learn(&m, ctx, "loreta-1", "tail", EVERY, NULL);
    if (st == AKIN_OK)
        st = learn(&then, ctx, "loreta-1", "tail", EVERY, m);
    if (st == AKIN_OK)
        st = akin_model_save(ctx, then, "/dev/null");
    akin_model_free(m);
    akin_model_free(then);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(faulty_run(whole_job, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_the_definition),
        cmocka_unit_test(before_the_first_it_is_the_last),
        cmocka_unit_test(a_then_b_is_a_and_b),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
