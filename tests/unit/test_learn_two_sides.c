/* What every learner that takes two kinds of rows must do, and the refusal of
 * those that do not. */
#include "faulty.h"
#include "same_bytes.h"
#include "support.h"

#include <akin/eval.h>
#include <akin/learn.h>

#include "data/supervision/supervision.h"

enum { LEFT = 30, RIGHT = 24, CLASSES = 3 };

typedef struct sides {
    akin_rows *raw[2], *rows[2];
    akin_recipe *recipe[2];
    akin_supervision *data;
} sides;

/* `alike`: both sides have the same columns. */
static akin_status sides_make(sides *s, akin_ctx *ctx, bool alike)
{
    const akin_recipe_options o = {sizeof o, "none", "none", "global", 1};
    akin_status st = AKIN_OK;
    s->raw[0] = class_rows(ctx, 5, LEFT, 20, 8, CLASSES);
    s->raw[1] = class_rows(ctx, 6, RIGHT, alike ? 20 : 14, 6, CLASSES);
    for (int i = 0; i < 2; ++i) {
        if (s->raw[i] == NULL)
            return AKIN_ENOMEM;
        AK_TRY(akin_recipe_fit(&s->recipe[i], ctx, s->raw[i], &o));
        AK_TRY(akin_recipe_apply(&s->rows[i], ctx, s->recipe[i], s->raw[i]));
    }
    AK_TRY(akin_supervision_new(&s->data, ctx, s->rows[0], s->rows[1],
                                s->recipe[0]));
    akin_supervision_right_recipe(s->data, s->recipe[1]);
done:
    return st;
}

static void sides_free(sides *s)
{
    akin_supervision_free(s->data);
    for (int i = 0; i < 2; ++i) {
        akin_recipe_free(s->recipe[i]);
        akin_rows_free(s->rows[i]);
        akin_rows_free(s->raw[i]);
    }
}

#define FOR_EACH_LEARNER(info)                                    \
    for (int64_t i_ = 0; akin_learner_at(i_) != NULL; ++i_)       \
        for (const akin_learner_info *info = akin_learner_at(i_); \
             info != NULL && info->names_faces < 2; info = NULL)

static void one_sided_learners_refuse_two_sides(void **state)
{
    sides s = {0};
    assert_int_equal(sides_make(&s, *state, false), AKIN_OK);
    FOR_EACH_LEARNER(info)
    {
        akin_model *m = NULL;
        char want[128];
        if (info->takes_right)
            continue;
        snprintf(want, sizeof want,
                 "%s learns within one set of rows (leave out `right`)",
                 info->name);
        assert_int_equal(akin_learn(&m, *state, info->defaults, s.data, NULL),
                         AKIN_EINVAL);
        assert_string_equal(akin_ctx_message(*state), want);
    }
    sides_free(&s);
}

/* Labels or pairs: every left row with some right ones. */
static void set_pairs(sides *s, akin_ctx *ctx)
{
    int64_t numbers[3 * LEFT * 4];
    for (int64_t i = 0; i < LEFT; ++i)
        for (int64_t k = 0; k < 4; ++k) {
            int64_t *p = numbers + 3 * (4 * i + k);
            p[0] = i;
            p[1] = (i + k) % RIGHT;
            p[2] = i % CLASSES == p[1] % CLASSES ? 1 : -1;
        }
    assert_int_equal(
        akin_supervision_set(ctx, s->data, AKIN_PAIRS, numbers, LEFT * 4),
        AKIN_OK);
}

/* With its defaults, or with a kernel of either side; NULL: it has none. */
static akin_options *options_of(akin_ctx *ctx, const akin_learner_info *info,
                                bool kernel)
{
    akin_options *o = NULL;
    assert_int_equal(akin_options_new(&o, ctx, info->name), AKIN_OK);
    if (!kernel)
        return o;
    if (akin_options_set(ctx, o, "kernel", "rbf") == AKIN_OK &&
        akin_options_set(ctx, o, "kernel_right", "poly") == AKIN_OK)
        return o;
    akin_options_free(o);
    return NULL;
}

static bool is_alike(const akin_learner_info *info)
{
    return strcmp(info->name, "symm") == 0;
}

static void learn_by_threads(akin_ctx *ctx, const akin_learner_info *info,
                             bool pairs, bool kernel)
{
    akin_model *m[2] = {NULL, NULL};
    sides s = {0};
    akin_options *o = options_of(ctx, info, kernel);
    if (o == NULL)
        return;
    assert_int_equal(sides_make(&s, ctx, is_alike(info)), AKIN_OK);
    if (pairs)
        set_pairs(&s, ctx);
    for (int i = 0; i < 2; ++i) {
        akin_ctx_set_threads(ctx, 1 + 2 * i);
        assert_int_equal(akin_learn(&m[i], ctx, o, s.data, NULL), AKIN_OK);
    }
    assert_same_bytes(ctx, m[0], m[1]);
    akin_model_free(m[0]);
    akin_model_free(m[1]);
    akin_options_free(o);
    sides_free(&s);
}

static void any_threads_give_the_same_bytes(void **state)
{
    for (int kernel = 0; kernel < 2; ++kernel)
        FOR_EACH_LEARNER(info)
        {
            if (info->takes_right && info->takes & AKIN_LABELS)
                learn_by_threads(*state, info, false, kernel);
            if (info->takes_right && info->takes & AKIN_PAIRS)
                learn_by_threads(*state, info, true, kernel);
        }
}

/* Three scores: of pairs of rows, or of the best labels of right rows. */
static void some_scores(akin_ctx *ctx, const akin_model *m, akin_rows *rows[2],
                        double out[3])
{
    const int64_t ij[6] = {0, 0, 1, 7, LEFT - 1, RIGHT - 1};
    int32_t labels[RIGHT];
    double all[RIGHT];
    if (akin_model_compares(m)) {
        assert_int_equal(akin_model_score(out, ctx, m, rows[0], rows[1], ij, 3,
                                          AKIN_BY_DEFAULT),
                         AKIN_OK);
        return;
    }
    assert_int_equal(akin_rank_labels(labels, all, ctx, m, rows[1], 1),
                     AKIN_OK);
    for (int64_t k = 0; k < 3; ++k)
        out[k] = all[ij[2 * k + 1]];
}

static void keep_recipes(akin_ctx *ctx, const akin_learner_info *info,
                         bool kernel)
{
    sides s = {0};
    akin_model *m = NULL;
    akin_rows *ready[2] = {NULL, NULL};
    double before[3], after[3];
    akin_options *o = options_of(ctx, info, kernel);
    if (o == NULL)
        return;
    assert_int_equal(sides_make(&s, ctx, is_alike(info)), AKIN_OK);
    assert_int_equal(akin_learn(&m, ctx, o, s.data, NULL), AKIN_OK);
    akin_model *back = through_a_file(ctx, m);
    for (int i = !akin_model_compares(m); i < 2; ++i)
        assert_int_equal(akin_model_prepare(&ready[i], ctx, back, s.raw[i],
                                            i ? AKIN_RIGHT : AKIN_LEFT),
                         AKIN_OK);
    some_scores(ctx, m, s.rows, before);
    some_scores(ctx, back, ready, after);
    assert_memory_equal(before, after, sizeof before);
    for (int i = 0; i < 2; ++i)
        akin_rows_free(ready[i]);
    akin_model_free(m);
    akin_model_free(back);
    akin_options_free(o);
    sides_free(&s);
}

static void a_saved_model_keeps_both_recipes(void **state)
{
    for (int kernel = 0; kernel < 2; ++kernel)
        FOR_EACH_LEARNER(info)
        {
            if (info->takes_right)
                keep_recipes(*state, info, kernel);
        }
}

static akin_status whole_job(akin_ctx *ctx, void *arg)
{
    const akin_learner_info *info = arg;
    sides s = {0};
    akin_model *m = NULL;
    akin_ctx_set_threads(ctx, 1);
    akin_status st = sides_make(&s, ctx, is_alike(info));
    if (st == AKIN_OK)
        st = akin_learn(&m, ctx, info->defaults, s.data, NULL);
    akin_model_free(m);
    sides_free(&s);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    FOR_EACH_LEARNER(info)
    {
        if (!info->takes_right)
            continue;
        akin_learner_info copy = *info;
        const int64_t n = faulty_run(whole_job, &copy);
        if (n < 0)
            fail_msg("%s: allocation %d", info->name, (int)(-1 - n));
    }
}

static int64_t count_common(const int64_t *a, int64_t n, const int64_t *b,
                            int64_t m)
{
    int64_t common = 0;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < m; ++j)
            common += a[i] == b[j];
    return common;
}

static void rows_of_either_side_are_held_out(void **state)
{
    akin_supervision *rest, *held;
    sides s = {0};
    assert_int_equal(sides_make(&s, *state, false), AKIN_OK);
    assert_int_equal(
        ak_supervision_hold_out(&rest, &held, *state, s.data, 0.3, AKIN_LEFT),
        AKIN_OK);
    assert_null(rest->right_known);
    assert_true(held->n_held_out > 0);
    assert_int_equal(held->n_held_out + rest->n_known, LEFT);
    assert_int_equal(count_common(held->held_out, held->n_held_out, rest->known,
                                  rest->n_known),
                     0);
    akin_supervision_free(rest);
    akin_supervision_free(held);
    assert_int_equal(
        ak_supervision_hold_out(&rest, &held, *state, s.data, 0.3, AKIN_RIGHT),
        AKIN_OK);
    assert_null(rest->known);
    assert_true(held->n_held_out > 0);
    assert_int_equal(held->n_held_out + rest->n_right_known, RIGHT);
    assert_int_equal(count_common(held->held_out, held->n_held_out,
                                  rest->right_known, rest->n_right_known),
                     0);
    akin_supervision_free(rest);
    akin_supervision_free(held);
    sides_free(&s);
}

/* A turned model scores (y, x) as the model scored (x, y). */
static void sides_can_be_swapped(void **state)
{
    static const int64_t ij[] = {3, 5}, ji[] = {5, 3};
    static const char *const learners[] = {"cca", "hfa"};
    for (int i = 0; i < 2; ++i) {
        sides s = {0};
        akin_options *o = NULL;
        akin_model *m = NULL, *turned = NULL;
        double before = 0.0, after = 1.0, again = 1.0;
        assert_int_equal(sides_make(&s, *state, false), AKIN_OK);
        assert_int_equal(akin_options_new(&o, *state, learners[i]), AKIN_OK);
        assert_int_equal(akin_learn(&m, *state, o, s.data, NULL), AKIN_OK);
        if (!akin_model_compares(m)) {
            assert_int_equal(akin_model_turn(&turned, *state, m), AKIN_EINVAL);
        } else {
            akin_model_score(&before, *state, m, s.rows[0], s.rows[1], ij, 1,
                             AKIN_BY_DEFAULT);
            assert_int_equal(akin_model_turn(&turned, *state, m), AKIN_OK);
            akin_model_score(&after, *state, turned, s.rows[1], s.rows[0], ji,
                             1, AKIN_BY_DEFAULT);
            akin_model_score(&again, *state, m, s.rows[0], s.rows[1], ij, 1,
                             AKIN_BY_DEFAULT);
            assert_true(before == after);
            assert_true(before == again);  // the model is as it was
            assert_int_equal(akin_model_dim(turned, AKIN_LEFT),
                             akin_rows_dim(s.rows[1]));
        }
        akin_model_free(turned);
        akin_model_free(m);
        akin_options_free(o);
        sides_free(&s);
    }
}

/* Rows of one kind match both ways: whichever way their pairs are written, the
 * model is the same, and symmetric. */
static void pairs_of_one_kind_go_both_ways(void **state)
{
    enum { PAIRS = LEFT - CLASSES };
    int64_t numbers[3 * PAIRS];
    akin_model *m[2] = {NULL, NULL};
    akin_rows *rows = class_rows(*state, 5, LEFT, 20, 8, CLASSES);
    for (int way = 0; way < 2; ++way) {
        akin_supervision *data = NULL;
        akin_options *o = NULL;
        for (int64_t i = 0; i < PAIRS; ++i) {
            numbers[3 * i + way] = i;
            numbers[3 * i + 1 - way] = i + CLASSES;
            numbers[3 * i + 2] = 1;
        }
        assert_int_equal(akin_supervision_new(&data, *state, rows, NULL, NULL),
                         AKIN_OK);
        assert_int_equal(
            akin_supervision_set(*state, data, AKIN_PAIRS, numbers, PAIRS),
            AKIN_OK);
        assert_int_equal(akin_options_new(&o, *state, "cca"), AKIN_OK);
        assert_int_equal(akin_learn(&m[way], *state, o, data, NULL), AKIN_OK);
        assert_true(akin_model_is_symmetric(m[way]));
        akin_options_free(o);
        akin_supervision_free(data);
    }
    assert_same_bytes(*state, m[0], m[1]);
    for (int way = 0; way < 2; ++way)
        akin_model_free(m[way]);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sided_learners_refuse_two_sides),
        cmocka_unit_test(any_threads_give_the_same_bytes),
        cmocka_unit_test(a_saved_model_keeps_both_recipes),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(rows_of_either_side_are_held_out),
        cmocka_unit_test(sides_can_be_swapped),
        cmocka_unit_test(pairs_of_one_kind_go_both_ways),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
