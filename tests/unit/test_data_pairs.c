/* Pairs: given or a grid of two sides, matched by name, and their weights. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "data/supervision/pairs.h"

static akin_ctx *ctx;
static akin_rows *left, *right;

static akin_rows *labelled(int64_t n, const int32_t *labels,
                           const char *const *names, int64_t n_names)
{
    static const float zeros[8];
    akin_rows *rows = NULL;
    akin_rows_new_dense(&rows, ctx, n, 1, zeros);
    akin_rows_set_labels(ctx, rows, labels, names, n_names);
    return rows;
}

static int begin(void **state)
{
    const char *const cat_dog[] = {"cat", "dog"};
    const char *const dog_owl_cat[] = {"dog", "owl", "cat"};
    (void)state;
    akin_ctx_new(&ctx, NULL);
    left = labelled(4, (const int32_t[]){0, 1, -1, 0}, cat_dog, 2);
    right = labelled(3, (const int32_t[]){1, 2, 0}, dog_owl_cat, 3);
    return 0;
}

static int end(void **state)
{
    (void)state;
    akin_rows_free(left);
    akin_rows_free(right);
    akin_ctx_free(ctx);
    return 0;
}

static akin_status pairs_of(ak_pairs *p, const akin_rows *r,
                            akin_pair_weights weights, const int64_t *numbers,
                            int64_t count)
{
    akin_supervision *s = NULL;
    akin_supervision_new(&s, ctx, left, r, NULL);
    akin_supervision_pair_weights(s, weights);
    if (numbers != NULL)
        akin_supervision_set(ctx, s, AKIN_PAIRS, numbers, count);
    const akin_status st = ak_pairs_of(p, ctx, s);
    akin_supervision_free(s);
    return st;
}

static void labels_match_by_name(void **state)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_pairs p;
    (void)state;
    assert_int_equal(pairs_of(&p, right, AKIN_BALANCED, NULL, 0), AKIN_OK);
    assert_true(p.is_grid);
    assert_int_equal(p.n_labels, 3);
    assert_int_equal(p.side[0].n, 3);  // row 2 has no label
    assert_int_equal(p.side[0].rows[2], 3);
    assert_int_equal(p.side[1].n, 3);
    assert_int_equal(p.count, 9);
    assert_int_equal(p.n_match, 3);
    assert_non_null(p.side[0].classes);
    const bool want[3][3] = {{false, true, false},   // cat: owl cat dog
                             {false, false, true},   // dog
                             {false, true, false}};  // cat
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            assert_int_equal(ak_pairs_match(&p, a, b), want[a][b]);
    ak_scratch_end(ctx, mark);
}

static void both_kinds_weigh_the_same_when_balanced(void **state)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_pairs p;
    (void)state;
    assert_int_equal(pairs_of(&p, right, AKIN_BALANCED, NULL, 0), AKIN_OK);
    assert_float_equal(p.weight[1] * 3, 4.5, 1e-12);
    assert_float_equal(p.weight[0] * 6, 4.5, 1e-12);
    assert_int_equal(pairs_of(&p, right, AKIN_PRINTED, NULL, 0), AKIN_OK);
    assert_float_equal(p.weight[0], 1.0, 1e-12);
    assert_float_equal(p.weight[1], 1.0, 1e-12);
    ak_scratch_end(ctx, mark);
}

static void rows_may_have_several_labels(void **state)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const char *const names[] = {"dog", "cat"};
    const int64_t offsets[] = {0, 2, 2, 3};
    const int32_t labels[] = {0, 1, 0};
    ak_pairs p;
    (void)state;
    akin_rows_set_label_lists(ctx, right, offsets, labels, names, 2);
    assert_int_equal(pairs_of(&p, right, AKIN_BALANCED, NULL, 0), AKIN_OK);
    assert_null(p.side[1].classes);
    assert_int_equal(p.side[1].n, 2);
    assert_int_equal(p.side[1].labels[0], 0);  // rising in the left's numbers
    assert_int_equal(p.side[1].labels[1], 1);
    assert_int_equal(p.count, 6);
    assert_int_equal(p.n_match, 4);
    ak_scratch_end(ctx, mark);
}

static void one_side_is_paired_with_itself(void **state)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_pairs p;
    (void)state;
    assert_int_equal(pairs_of(&p, NULL, AKIN_BALANCED, NULL, 0), AKIN_OK);
    assert_ptr_equal(p.left, p.right);
    assert_int_equal(p.count, 9);
    assert_int_equal(p.n_match, 5);
    ak_scratch_end(ctx, mark);
}

static void given_pairs_are_taken_as_they_are(void **state)
{
    const int64_t numbers[] = {0, 2, 1, 3, 0, -1, 2, 1, -1};
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_supervision *s = NULL;
    ak_pairs p;
    (void)state;
    akin_supervision_new(&s, ctx, left, right, NULL);
    assert_int_equal(akin_supervision_set(ctx, s, AKIN_PAIRS, numbers, 3),
                     AKIN_OK);
    assert_int_equal(ak_pairs_of(&p, ctx, s), AKIN_OK);
    assert_false(p.is_grid);
    assert_int_equal(p.count, 3);
    assert_int_equal(p.n_match, 1);
    assert_memory_equal(p.numbers, numbers, sizeof numbers);
    assert_float_equal(p.weight[1], 1.5, 1e-12);
    akin_supervision_free(s);
    ak_scratch_end(ctx, mark);
}

static void assert_refused(const char *message, akin_status st)
{
    assert_int_equal(st, AKIN_EINVAL);
    assert_string_equal(akin_ctx_message(ctx), message);
}

static void what_cannot_teach_is_refused(void **state)
{
    const char *const owl[] = {"owl"}, *const cat[] = {"cat"};
    const int64_t same[] = {0, 0, 1, 1, 1, 1}, other[] = {0, 0, -1};
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_pairs p;
    (void)state;
    assert_refused("every pair matches (at least one must not)",
                   pairs_of(&p, right, AKIN_BALANCED, same, 2));
    assert_refused("no pair matches (at least one must)",
                   pairs_of(&p, right, AKIN_BALANCED, other, 1));
    assert_refused("there are no pairs to learn from",
                   pairs_of(&p, right, AKIN_BALANCED, same, 0));
    akin_rows_free(right);
    right = labelled(2, (const int32_t[]){0, 0}, owl, 1);
    assert_refused("the two sides share no label (the left has \"cat\", the "
                   "right \"owl\")",
                   pairs_of(&p, right, AKIN_BALANCED, NULL, 0));
    akin_rows_free(right);
    right = labelled(2, (const int32_t[]){-1, -1}, cat, 1);
    assert_refused("the right rows have no labels",
                   pairs_of(&p, right, AKIN_BALANCED, NULL, 0));
    akin_rows_free(right);
    right = labelled(2, (const int32_t[]){0, 0}, cat, 1);
    assert_int_equal(pairs_of(&p, right, AKIN_BALANCED, NULL, 0), AKIN_OK);
    assert_refused("all right rows are of one class (expected two or more)",
                   ak_pairs_differ(&p, ctx));
    ak_scratch_end(ctx, mark);
}

static void all_pairs_need_labels_on_both_sides(void **state)
{
    const int64_t numbers[] = {0, 2, 1};
    akin_supervision *s = NULL;
    (void)state;
    akin_supervision_new(&s, ctx, left, right, NULL);
    akin_supervision_set(ctx, s, AKIN_PAIRS, numbers, 1);
    assert_int_equal(akin_supervision_all_pairs(ctx, s), AKIN_OK);
    assert_int_equal(akin_supervision_kind(s), AKIN_LABELS);
    akin_rows_set_labels(ctx, right, (const int32_t[]){-1, -1, -1}, NULL, 0);
    assert_refused("the right rows have no labels",
                   akin_supervision_all_pairs(ctx, s));
    akin_rows_set_labels(ctx, left, (const int32_t[]){-1, -1, -1, -1}, NULL, 0);
    assert_refused("the left rows have no labels",
                   akin_supervision_all_pairs(ctx, s));
    akin_supervision_free(s);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(labels_match_by_name),
        CASE(both_kinds_weigh_the_same_when_balanced),
        CASE(rows_may_have_several_labels),
        CASE(one_side_is_paired_with_itself),
        CASE(given_pairs_are_taken_as_they_are),
        CASE(what_cannot_teach_is_refused),
        CASE(all_pairs_need_labels_on_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
