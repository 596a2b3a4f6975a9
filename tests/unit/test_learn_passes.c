/* Automatic passes: the rule by hand, and runs that are those of as many passes
 * that were asked for. */
#include "same_bytes.h"
#include "support.h"

#include <akin/learn.h>

#include "learn/passes.h"

enum { ROWS = 60, DIM = 40 };

static const char *const learners[] = {
    "solis-ada",  "solis-tg", "oasis-diag", "oasis",
    "loreta-1",   "loreta",   "loreta-psd", "loreta-mi",
    "perceptron", "lego",     "pa",         "group-perceptron"};

static void rule_compares_with_the_first_loss(void **state)
{
    ak_passes p = {.window = 1};
    (void)state;
    assert_true(ak_passes_go_on(&p, 1.0));
    assert_true(ak_passes_go_on(&p, 0.8));
    assert_true(ak_passes_go_on(&p, 0.69));   // by 0.11
    assert_false(ak_passes_go_on(&p, 0.60));  // by 0.09
    assert_int_equal(p.made, 4);
}

static void rule_looks_back_over_its_window(void **state)
{
    ak_passes p = {.window = 3};
    (void)state;
    assert_true(ak_passes_go_on(&p, 1.0));
    assert_true(ak_passes_go_on(&p, 1.2));
    assert_true(ak_passes_go_on(&p, 1.1));
    assert_true(ak_passes_go_on(&p, 0.85));  // from 1.0
    assert_true(ak_passes_go_on(&p, 0.85));  // from 1.2
    assert_true(ak_passes_go_on(&p, 0.85));  // from 1.1
    assert_false(ak_passes_go_on(&p, 0.85));
}

static void rule_ends(void **state)
{
    ak_passes p = {.window = 10}, none = {.window = 1}, all = {.window = 1};
    (void)state;
    for (int i = 0; i + 1 < AK_PASSES_MOST; ++i)
        assert_true(ak_passes_go_on(&p, 30.0 - (double)i));
    assert_false(ak_passes_go_on(&p, 1.0));
    assert_false(ak_passes_go_on(&none, 0.0));  // nothing to learn
    assert_true(ak_passes_go_on(&all, 1.0));
    assert_false(ak_passes_go_on(&all, 0.1));  // nearly all is learned
}

/* The model, and its passes. */
static akin_model *learn(akin_ctx *ctx, const char *learner,
                         akin_supervision *data, const akin_model *from,
                         int64_t *passes)
{
    akin_options *o = NULL;
    akin_learning *l = NULL;
    akin_model *m = NULL;
    akin_learn_info info;
    assert_int_equal(akin_options_new(&o, ctx, learner), AKIN_OK);
    assert_int_equal(akin_learning_begin(&l, ctx, o, data, from), AKIN_OK);
    assert_int_equal(akin_learning_observe_all(ctx, l), AKIN_OK);
    assert_int_equal(akin_learning_model(&m, ctx, l), AKIN_OK);
    akin_learning_info(&info, l);
    *passes = info.iterations;
    akin_learning_free(l);
    akin_options_free(o);
    return m;
}

static akin_supervision *known(akin_ctx *ctx, const akin_rows *rows)
{
    akin_supervision *data = NULL;
    assert_int_equal(akin_supervision_new(&data, ctx, rows, NULL, NULL),
                     AKIN_OK);
    return data;
}

static void they_are_passes_like_any_other(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 5, ROWS, DIM, 12, 3);
    int64_t several = 0;
    for (size_t i = 0; i < sizeof learners / sizeof learners[0]; ++i) {
        akin_supervision *data = known(ctx, rows);
        int64_t made = 0, asked = 0;
        akin_model *by_itself = learn(ctx, learners[i], data, NULL, &made);
        akin_supervision_sample(data, 0, made);
        akin_model *explicit = learn(ctx, learners[i], data, NULL, &asked);
        assert_int_equal(made, asked);
        assert_in_range(made, 2, AK_PASSES_MOST);
        several += made > 2;
        assert_same_bytes(ctx, by_itself, explicit);
        akin_model_free(by_itself);
        akin_model_free(explicit);
        akin_supervision_free(data);
    }
    assert_true(several > 0);
    akin_rows_free(rows);
}

static void given_examples_are_learned_once(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 5, ROWS, DIM, 12, 3);
    const int64_t triplets[] = {0, 3, 1, 1, 4, 2, 2, 5, 0};
    akin_supervision *drawn = known(ctx, rows), *given = known(ctx, rows),
                     *all = known(ctx, rows);
    int64_t made = 0;
    akin_supervision_sample(drawn, 500, 0);
    akin_model *a = learn(ctx, "solis-ada", drawn, NULL, &made);
    assert_int_equal(made, 1);
    assert_int_equal(
        akin_supervision_set(ctx, given, AKIN_TRIPLETS, triplets, 3), AKIN_OK);
    akin_model *b = learn(ctx, "solis-ada", given, NULL, &made);
    assert_int_equal(made, 1);
    akin_model *c = learn(ctx, "solis-ada", all, a, &made);  // resumes
    assert_int_equal(made, 1);
    akin_model_free(a);
    akin_model_free(b);
    akin_model_free(c);
    akin_supervision_free(drawn);
    akin_supervision_free(given);
    akin_supervision_free(all);
    akin_rows_free(rows);
}

static void a_mask_is_learned_once(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 5, ROWS, DIM, 12, 3);
    akin_supervision *data = known(ctx, rows);
    static const char *const starts[] = {"measure", "mask"};
    int64_t made[2];
    for (int i = 0; i < 2; ++i) {
        akin_options *o = NULL;
        akin_model *m = NULL;
        akin_learn_info info;
        assert_int_equal(akin_options_new(&o, ctx, "solis-ada"), AKIN_OK);
        assert_int_equal(akin_options_set(ctx, o, "start", starts[i]), AKIN_OK);
        assert_int_equal(akin_learn(&m, ctx, o, data, &info), AKIN_OK);
        made[i] = info.iterations;
        akin_model_free(m);
        akin_options_free(o);
    }
    assert_true(made[0] > 1);
    assert_int_equal(made[1], 1);
    akin_supervision_free(data);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_compares_with_the_first_loss),
        cmocka_unit_test(rule_looks_back_over_its_window),
        cmocka_unit_test(rule_ends),
        cmocka_unit_test(they_are_passes_like_any_other),
        cmocka_unit_test(given_examples_are_learned_once),
        cmocka_unit_test(a_mask_is_learned_once),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
