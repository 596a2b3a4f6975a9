/* Tuning: the same for any number of threads, never worse than the default,
 * and silent about what was set aside. */
#include <math.h>

#include "faulty.h"
#include "support.h"

#include <akin/tune.h>

enum { ROWS = 60, DIM = 90, WORDS = 12, CLASSES = 3 };

typedef struct result {
    akin_tuning *tuning;
    akin_model *model;
} result;

static akin_status tune_some(result *r, akin_ctx *ctx, const char *learner,
                             const char *const *fixed, int64_t trials)
{
    akin_tune_options o = AKIN_TUNE_DEFAULTS;
    akin_rows *rows = class_rows(ctx, 5, ROWS, DIM, WORDS, CLASSES);
    akin_supervision *data = NULL;
    akin_options *base = NULL;
    akin_status st = rows ? AKIN_OK : AKIN_ENOMEM;
    o.trials = trials;
    if (st == AKIN_OK)
        st = akin_supervision_new(&data, ctx, rows, NULL, NULL);
    if (st == AKIN_OK)
        st = akin_options_new(&base, ctx, learner);
    if (st == AKIN_OK) {
        akin_supervision_sample(data, 2000, 1);
        st = akin_tune(&r->tuning, &r->model, ctx, base, fixed, data, &o, NULL);
    }
    akin_options_free(base);
    akin_supervision_free(data);
    akin_rows_free(rows);
    return st;
}

static akin_status tune(result *r, akin_ctx *ctx, const char *learner,
                        const char *const *fixed)
{
    return tune_some(r, ctx, learner, fixed, 6);
}

static void result_free(result *r)
{
    akin_tuning_free(r->tuning);
    akin_model_free(r->model);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    result r[3] = {{0}};
    akin_ctx_new(&ctx, NULL);
    for (int i = 0; i < 3; ++i) {
        akin_ctx_set_threads(ctx, 1 << i);
        assert_int_equal(tune(&r[i], ctx, "solis-ada", NULL), AKIN_OK);
    }
    for (int i = 1; i < 3; ++i) {
        assert_int_equal(akin_tuning_best(r[i].tuning),
                         akin_tuning_best(r[0].tuning));
        for (int64_t t = 0; t < akin_tuning_count(r[0].tuning); ++t)
            assert_true(akin_tuning_trial(r[i].tuning, t).score ==
                        akin_tuning_trial(r[0].tuning, t).score);
    }
    for (int i = 0; i < 3; ++i)
        result_free(&r[i]);
    akin_ctx_free(ctx);
}

static void the_best_beats_the_default_at_its_rung(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    result r = {0};
    akin_ctx_new(&ctx, NULL);
    assert_int_equal(tune(&r, ctx, "oasis-diag", NULL), AKIN_OK);
    const int64_t best = akin_tuning_best(r.tuning);
    const akin_trial top = akin_tuning_trial(r.tuning, best);
    assert_true(akin_tuning_count(r.tuning) >= 4);
    for (int64_t t = 0; t < akin_tuning_count(r.tuning); ++t) {
        const akin_trial x = akin_tuning_trial(r.tuning, t);
        assert_true(x.rung < top.rung || x.score <= top.score);
    }
    assert_string_equal(akin_tuning_measure(r.tuning), "map");
    result_free(&r);
    akin_ctx_free(ctx);
}

static void fixed_options_stay(void **state)
{
    (void)state;
    static const char *const fixed[] = {"eta", "lambda", NULL};
    akin_ctx *ctx = NULL;
    result r = {0};
    char text[32];
    akin_ctx_new(&ctx, NULL);
    assert_int_equal(tune(&r, ctx, "solis-afb", fixed), AKIN_OK);
    for (int64_t t = 0; t < akin_tuning_count(r.tuning); ++t) {
        const akin_options *o = akin_tuning_trial(r.tuning, t).options;
        akin_options_get(text, ctx, o, "eta", sizeof text);
        assert_string_equal(text, "0.2");
    }
    result_free(&r);
    akin_ctx_free(ctx);
}

static int stop_at_once(void *user, const akin_progress *p)
{
    (void)user, (void)p;
    return 1;
}

static void a_search_can_be_cancelled(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    result r = {0};
    akin_ctx_new(&ctx, NULL);
    akin_ctx_set_progress(ctx, stop_at_once, NULL);
    assert_int_equal(tune(&r, ctx, "solis-tg", NULL), AKIN_ECANCELLED);
    assert_null(r.tuning);
    assert_null(r.model);
    akin_ctx_free(ctx);
}

static akin_status whole_job(akin_ctx *ctx, void *arg)
{
    result r = {0};
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    const akin_status st = tune_some(&r, ctx, "oasis-diag", NULL, 2);
    result_free(&r);
    return st;
}

/* A trial that runs out of memory counts as failed, and others may still win;
 * so success is fine too: only leaks and crashes are not. */
static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int64_t n = 0;; n += 1 + n / 16) {
        faulty f = {n, 0};
        const akin_status st = faulty_once(&f, whole_job, NULL);
        assert_int_equal(f.alive, 0);
        assert_true(st == AKIN_OK || st == AKIN_ENOMEM);
        if (f.left >= 0)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(the_best_beats_the_default_at_its_rung),
        cmocka_unit_test(fixed_options_stay),
        cmocka_unit_test(a_search_can_be_cancelled),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
