/* Stopping early: the model that did best on what was set aside, as it was. */
#include "faulty.h"
#include "support.h"

#include <akin/tune.h>

enum { ROWS = 60, DIM = 90, SAMPLE = 3000 };

typedef struct outcome {
    akin_model *model;
    akin_validation validation;
    akin_learn_info info;
} outcome;

static akin_supervision *known(akin_ctx *ctx, const akin_rows *rows,
                               int64_t sample)
{
    akin_supervision *data = NULL;
    if (akin_supervision_new(&data, ctx, rows, NULL, NULL) == AKIN_OK)
        akin_supervision_sample(data, sample, 1);
    return data;
}

static akin_status run(outcome *o, akin_ctx *ctx, const char *learner,
                       const akin_validate_options *v)
{
    akin_rows *rows = class_rows(ctx, 5, ROWS, DIM, 12, 3);
    akin_supervision *data = rows ? known(ctx, rows, SAMPLE) : NULL;
    akin_options *options = NULL;
    akin_status st = data ? AKIN_OK : AKIN_ENOMEM;
    if (st == AKIN_OK)
        st = akin_options_new(&options, ctx, learner);
    if (st == AKIN_OK)
        st = akin_learn_validated(&o->model, &o->validation, ctx, options, data,
                                  NULL, v, &o->info);
    akin_options_free(options);
    akin_supervision_free(data);
    akin_rows_free(rows);
    return st;
}

static const akin_validate_options standard = AKIN_VALIDATE_DEFAULTS;

static void threads_do_not_matter(void **state)
{
    akin_ctx *ctx = *state;
    outcome o[2] = {{0}};
    for (int i = 0; i < 2; ++i) {
        akin_ctx_set_threads(ctx, 1 + 3 * i);
        assert_int_equal(run(&o[i], ctx, "loreta-psd", &standard), AKIN_OK);
        akin_model_free(o[i].model);
    }
    assert_true(o[0].validation.score == o[1].validation.score);
    assert_int_equal(o[0].validation.examples, o[1].validation.examples);
    assert_int_equal(o[0].validation.checks, o[1].validation.checks);
    assert_string_equal(o[0].validation.measure, "map");
}

static void patience_ends_the_run(void **state)
{
    akin_ctx *ctx = *state;
    akin_validate_options v = standard;
    outcome o = {0};
    v.every = 100;
    v.patience = 2;
    assert_int_equal(run(&o, ctx, "oasis-diag", &v), AKIN_OK);
    assert_int_equal(o.validation.stopped, 1);
    assert_true(o.info.examples < SAMPLE);
    assert_int_equal(o.info.examples, 100 * o.validation.checks);
    assert_int_equal(o.validation.examples, o.info.examples - 200);
    akin_model_free(o.model);
}

/* The model is the one that learning from the same part gives, had it stopped
 * there; and it can go on. */
static void the_best_model_is_kept(void **state)
{
    akin_ctx *ctx = *state;
    outcome o = {0};
    akin_supervision *rest = NULL, *held = NULL;
    akin_options *options = NULL;
    akin_model *m = NULL;
    const int64_t ij[4] = {0, 3, 7, 11};
    double a[2], b[2];
    assert_int_equal(run(&o, ctx, "gd", &standard), AKIN_OK);
    akin_rows *rows = class_rows(ctx, 5, ROWS, DIM, 12, 3);
    akin_supervision *all = known(ctx, rows, o.validation.examples);
    assert_int_equal(
        akin_supervision_hold_out(&rest, &held, ctx, all, standard.fraction),
        AKIN_OK);
    assert_int_equal(akin_options_new(&options, ctx, "gd"), AKIN_OK);
    assert_int_equal(akin_learn(&m, ctx, options, rest, NULL), AKIN_OK);
    akin_model_score(a, ctx, o.model, rows, rows, ij, 2, AKIN_BY_DOT);
    akin_model_score(b, ctx, m, rows, rows, ij, 2, AKIN_BY_DOT);
    assert_memory_equal(a, b, sizeof a);
    assert_true(akin_model_can_resume(o.model));
    akin_model_free(m);
    akin_model_free(o.model);
    akin_options_free(options);
    akin_supervision_free(rest);
    akin_supervision_free(held);
    akin_supervision_free(all);
    akin_rows_free(rows);
}

static void batch_learners_are_refused(void **state)
{
    outcome o = {0};
    assert_int_equal(run(&o, *state, "qpao", &standard), AKIN_EINVAL);
    assert_null(o.model);
}

static akin_status whole_job(akin_ctx *ctx, void *arg)
{
    akin_validate_options v = standard;
    outcome o = {0};
    (void)arg;
    v.every = SAMPLE / 3;
    akin_ctx_set_threads(ctx, 1);
    const akin_status st = run(&o, ctx, "psd-gd", &v);
    akin_model_free(o.model);
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
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(patience_ends_the_run),
        cmocka_unit_test(the_best_model_is_kept),
        cmocka_unit_test(batch_learners_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
