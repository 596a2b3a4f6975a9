/* Folds, and scores with their standard errors, against plain counting. */
#include "support.h"

#include <math.h>

#include "tune/score.h"

enum { ROWS = 90, DIM = 60, FOLDS = 5, PAIRS = 400 };

static void assert_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("got %.17g, expected %.17g", got, expected);
}

static akin_model *measure(akin_ctx *ctx, const char *name,
                           const akin_rows *rows)
{
    akin_model *m = NULL;
    assert_int_equal(akin_model_builtin(&m, ctx, name, rows), AKIN_OK);
    return m;
}

/* Every row is held out once, and its class stays in the rest. */
static void folds_share_out_the_rows(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 1, ROWS, DIM, 12, 4);
    akin_supervision *all = NULL, *rest, *held;
    int64_t times[ROWS] = {0};
    assert_int_equal(akin_supervision_new(&all, ctx, rows, NULL, NULL),
                     AKIN_OK);
    for (int64_t f = 0; f < FOLDS; ++f) {
        int64_t left[4] = {0};
        assert_int_equal(
            ak_supervision_fold(&rest, &held, ctx, all, f, FOLDS, AKIN_LEFT),
            AKIN_OK);
        assert_int_equal(rest->n_known + held->n_held_out, ROWS);
        for (int64_t i = 0; i < held->n_held_out; ++i)
            ++times[held->held_out[i]];
        for (int64_t i = 0; i < rest->n_known; ++i)
            ++left[rows->labels[rest->known[i]]];
        for (int c = 0; c < 4; ++c)
            assert_true(left[c] >= ROWS / 4 - ROWS / 4 / FOLDS - 1);
        akin_supervision_free(rest);
        akin_supervision_free(held);
    }
    for (int64_t i = 0; i < ROWS; ++i)
        assert_int_equal(times[i], 1);
    akin_supervision_free(all);
    akin_rows_free(rows);
}

/* The class of the queries does not follow from their place in a fold: rows
 * sorted by class give other classes in other folds. */
static void folds_draw_queries_of_their_own(void **state)
{
    enum { FEW = 4, CLASSES = 9 };
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 3, ROWS, DIM, 12, CLASSES);
    akin_supervision *all = NULL, *rest, *held;
    bool seen[CLASSES] = {false};
    int64_t classes = 0;
    for (int64_t i = 0; i < ROWS; ++i)
        rows->labels[i] = (int32_t)(i * CLASSES / ROWS);
    assert_int_equal(akin_supervision_new(&all, ctx, rows, NULL, NULL),
                     AKIN_OK);
    for (int64_t f = 0; f < 10; ++f) {
        ak_tune_held h;
        assert_int_equal(
            ak_supervision_fold(&rest, &held, ctx, all, f, 10, AKIN_LEFT),
            AKIN_OK);
        assert_int_equal(held->n_held_out, CLASSES);
        assert_int_equal(
            ak_tune_held_beside(&h, ctx, held, rest, "accuracy", false, FEW),
            AKIN_OK);
        assert_int_equal(h.n_queries, FEW);
        for (int64_t i = 0; i < FEW; ++i)
            seen[rows->labels[h.queries[i]]] = true;
        akin_supervision_free(rest);
        akin_supervision_free(held);
    }
    for (int c = 0; c < CLASSES; ++c)
        classes += seen[c];
    assert_true(classes > 2 * FEW - 1);
    akin_supervision_free(all);
    akin_rows_free(rows);
}

/* Each held-out example has a row that no other example has. */
static void held_out_examples_name_new_rows(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 2, ROWS, DIM, 12, 4);
    akin_supervision *all = NULL, *rest, *held;
    int64_t triplets[3 * PAIRS];
    ak_rng rng = ak_rng_new(7, AK_STREAM_TRIPLETS);
    for (int64_t i = 0; i < 3 * PAIRS; ++i)
        triplets[i] = ak_rng_below(&rng, ROWS);
    assert_int_equal(akin_supervision_new(&all, ctx, rows, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(
        akin_supervision_set(ctx, all, AKIN_TRIPLETS, triplets, PAIRS),
        AKIN_OK);
    assert_int_equal(
        ak_supervision_fold(&rest, &held, ctx, all, 0, 4, AKIN_LEFT), AKIN_OK);
    assert_int_equal(rest->count + held->count, PAIRS);
    assert_true(held->count > PAIRS / 12 && held->count < PAIRS / 2);
    unsigned char seen[ROWS] = {0};
    for (int64_t i = 0; i < 3 * rest->count; ++i)
        seen[rest->numbers[i]] = 1;
    for (int64_t t = 0; t < held->count; ++t)
        assert_true(!seen[held->numbers[3 * t]] ||
                    !seen[held->numbers[3 * t + 1]] ||
                    !seen[held->numbers[3 * t + 2]]);
    akin_supervision_free(rest);
    akin_supervision_free(held);
    akin_supervision_free(all);
    akin_rows_free(rows);
}

/* The share of held-out rows whose nearest row of the rest has their label. */
static double slow_accuracy(akin_ctx *ctx, const akin_model *m,
                            const akin_rows *rows, const akin_supervision *rest,
                            const akin_supervision *held)
{
    int64_t right = 0;
    for (int64_t i = 0; i < held->n_held_out; ++i) {
        double best = -INFINITY;
        int64_t nearest = -1;
        for (int64_t j = 0; j < rest->n_known; ++j) {
            const int64_t pair[2] = {held->held_out[i], rest->known[j]};
            double score = 0.0;
            assert_int_equal(akin_model_score(&score, ctx, m, rows, rows, pair,
                                              1, AKIN_BY_DEFAULT),
                             AKIN_OK);
            if (score > best) {
                best = score;
                nearest = rest->known[j];
            }
        }
        right += rows->labels[nearest] == rows->labels[held->held_out[i]];
    }
    return (double)right / (double)held->n_held_out;
}

static void accuracy_is_that_of_the_nearest_learned_row(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 3, ROWS, DIM, 9, 4);
    akin_model *m = measure(ctx, "cosine", rows);
    akin_supervision *all = NULL, *rest = NULL, *held = NULL;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_tune_held h;
    ak_scores s = {0};
    ak_estimate e;
    assert_int_equal(akin_supervision_new(&all, ctx, rows, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(
        ak_supervision_fold(&rest, &held, ctx, all, 1, 3, AKIN_LEFT), AKIN_OK);
    assert_int_equal(
        ak_tune_held_beside(&h, ctx, held, rest, "accuracy", false, 1000),
        AKIN_OK);
    assert_int_equal(ak_scores_of(&s, ctx, m, &h, AKIN_BY_DEFAULT), AKIN_OK);
    assert_int_equal(ak_scores_mean(&e, ctx, &s, false), AKIN_OK);
    const double p = slow_accuracy(ctx, m, rows, rest, held);
    assert_near(e.value, p, 1e-12);
    assert_near(e.se, sqrt(p * (1.0 - p) / (double)(e.n - 1)), 1e-12);
    assert_string_equal(s.second_measure, "map");
    ak_scores_free(&s);
    ak_scratch_end(ctx, mark);
    akin_supervision_free(rest);
    akin_supervision_free(held);
    akin_supervision_free(all);
    akin_model_free(m);
    akin_rows_free(rows);
}

/* Pairs that share no row: the error is that of DeLong. */
static double slow_error(const ak_scores *s)
{
    double sum[2] = {0}, squares[2] = {0};
    int64_t n[2] = {0};
    for (int64_t t = 0; t < s->n; ++t) {
        sum[s->match[t]] += s->each[t];
        ++n[s->match[t]];
    }
    for (int64_t t = 0; t < s->n; ++t) {
        const int k = s->match[t];
        const double gap = s->each[t] - sum[k] / (double)n[k];
        squares[k] += gap * gap;
    }
    return sqrt(squares[0] / (double)(n[0] * n[0]) +
                squares[1] / (double)(n[1] * n[1]));
}

static void the_shares_of_pairs_add_up_to_the_area(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 4, ROWS, DIM, 8, 3);
    akin_model *m = measure(ctx, "cosine", rows);
    akin_supervision *all = NULL;
    int64_t pairs[3 * (ROWS / 2)];
    double auc = 0.0, accuracy = 0.0;
    const ak_mark mark = ak_scratch_begin(ctx);
    for (int64_t t = 0; t < ROWS / 2; ++t) {
        pairs[3 * t] = 2 * t;
        pairs[3 * t + 1] = 2 * t + 1;
        pairs[3 * t + 2] = t % 3 ? 1 : -1;
    }
    assert_int_equal(akin_supervision_new(&all, ctx, rows, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(
        akin_supervision_set(ctx, all, AKIN_PAIRS, pairs, ROWS / 2), AKIN_OK);
    assert_int_equal(akin_eval_pairs(&auc, &accuracy, ctx, m, rows, NULL, pairs,
                                     ROWS / 2, AKIN_BY_DEFAULT),
                     AKIN_OK);
    for (int i = 0; i < 2; ++i) {
        ak_tune_held h;
        ak_scores s = {0};
        ak_estimate e;
        assert_int_equal(ak_tune_held_new(&h, ctx, all, i ? "accuracy" : "auc"),
                         AKIN_OK);
        assert_int_equal(ak_scores_of(&s, ctx, m, &h, AKIN_BY_DEFAULT),
                         AKIN_OK);
        assert_int_equal(ak_scores_mean(&e, ctx, &s, false), AKIN_OK);
        assert_near(e.value, i ? accuracy : auc, 1e-12);
        if (i == 0)
            assert_near(e.se, slow_error(&s) * sqrt(ROWS / (ROWS - 1.0)),
                        1e-12);
        ak_scores_free(&s);
    }
    ak_scratch_end(ctx, mark);
    akin_supervision_free(all);
    akin_model_free(m);
    akin_rows_free(rows);
}

/* Labels by auc: each pair has a held-out row, matches where the labels are the
 * same, and all of them give the auc of akin_eval_pairs. */
static void labels_make_pairs(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 7, ROWS, DIM, 8, 3);
    akin_model *m = measure(ctx, "cosine", rows);
    akin_supervision *all = NULL, *rest = NULL, *held = NULL;
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t matching = 0;
    double auc = 0.0, accuracy = 0.0;
    ak_tune_held h;
    ak_scores s = {0};
    ak_estimate e;
    assert_int_equal(akin_supervision_new(&all, ctx, rows, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(
        ak_supervision_fold(&rest, &held, ctx, all, 1, FOLDS, AKIN_LEFT),
        AKIN_OK);
    assert_int_equal(
        ak_tune_held_beside(&h, ctx, held, rest, "auc", false, ROWS), AKIN_OK);
    for (int64_t t = 0; t < h.n_pairs; ++t) {
        const int64_t *pair = h.pairs + 3 * t;
        int64_t found = 0;
        for (int64_t k = 0; k < held->n_held_out; ++k)
            found += held->held_out[k] == pair[0];
        assert_int_equal(found, 1);
        assert_int_not_equal(pair[0], pair[1]);
        assert_int_equal(pair[2] > 0,
                         rows->labels[pair[0]] == rows->labels[pair[1]]);
        matching += pair[2] > 0;
    }
    assert_int_equal(2 * matching, h.n_pairs);
    assert_int_equal(akin_eval_pairs(&auc, &accuracy, ctx, m, rows, NULL,
                                     h.pairs, h.n_pairs, AKIN_BY_DEFAULT),
                     AKIN_OK);
    assert_int_equal(ak_scores_of(&s, ctx, m, &h, AKIN_BY_DEFAULT), AKIN_OK);
    assert_int_equal(ak_scores_mean(&e, ctx, &s, false), AKIN_OK);
    assert_near(e.value, auc, 1e-12);
    ak_scores_free(&s);
    ak_scratch_end(ctx, mark);
    akin_supervision_free(rest);
    akin_supervision_free(held);
    akin_supervision_free(all);
    akin_model_free(m);
    akin_rows_free(rows);
}

/* A model does not differ from itself; and the error of a difference is that
 * of the differences. */
static void differences_are_paired(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 5, ROWS, DIM, 8, 3);
    const char *names[2] = {"cosine", "euclidean"};
    akin_supervision *all = NULL;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_scores s[2] = {{0}}, twice = {0};
    ak_estimate a, b, d, joined;
    ak_tune_held h;
    assert_int_equal(akin_supervision_new(&all, ctx, rows, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(ak_tune_held_new(&h, ctx, all, "map"), AKIN_OK);
    for (int i = 0; i < 2; ++i) {
        akin_model *m = measure(ctx, names[i], rows);
        assert_int_equal(ak_scores_of(&s[i], ctx, m, &h, AKIN_BY_DEFAULT),
                         AKIN_OK);
        akin_model_free(m);
    }
    assert_int_equal(ak_scores_mean(&a, ctx, &s[0], false), AKIN_OK);
    assert_int_equal(ak_scores_mean(&b, ctx, &s[1], false), AKIN_OK);
    assert_int_equal(ak_scores_difference(&d, ctx, &s[0], &s[1], false),
                     AKIN_OK);
    assert_near(d.value, a.value - b.value, 1e-12);
    assert_true(d.se > 0.0 && d.se < a.se + b.se);
    assert_int_equal(ak_scores_difference(&d, ctx, &s[0], &s[0], true),
                     AKIN_OK);
    assert_true(d.value == 0.0 && d.se == 0.0);
    assert_int_equal(ak_scores_add(&twice, ctx, &s[0]), AKIN_OK);
    assert_int_equal(ak_scores_add(&twice, ctx, &s[0]), AKIN_OK);
    assert_int_equal(ak_scores_mean(&joined, ctx, &twice, false), AKIN_OK);
    assert_near(joined.value, a.value, 1e-12);
    assert_near(joined.se * sqrt(2.0), a.se, 0.01 * a.se);
    ak_scores_free(&twice);
    ak_scores_free(&s[0]);
    ak_scores_free(&s[1]);
    ak_scratch_end(ctx, mark);
    akin_supervision_free(all);
    akin_rows_free(rows);
}

static void purposes_follow_from_the_supervision(void **state)
{
    akin_ctx *ctx = *state;
    const float values[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    const int32_t labels[2] = {0, 1};
    const char *names[2] = {"a", "b"};
    const int64_t pair[3] = {0, 1, 1};
    akin_rows *sparse = class_rows(ctx, 6, ROWS, DIM, 8, 3), *dense = NULL;
    akin_supervision *words = NULL, *table = NULL;
    assert_int_equal(akin_rows_new_dense(&dense, ctx, 2, 2, values), AKIN_OK);
    assert_int_equal(akin_rows_set_labels(ctx, dense, labels, names, 2),
                     AKIN_OK);
    assert_int_equal(akin_supervision_new(&words, ctx, sparse, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(akin_supervision_new(&table, ctx, dense, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(ak_default_purpose(words, false), AKIN_FOR_SEARCH);
    assert_int_equal(ak_default_purpose(words, true), AKIN_FOR_RANK);
    assert_int_equal(ak_default_purpose(table, false), AKIN_FOR_CLASSIFY);
    assert_int_equal(akin_supervision_set(ctx, table, AKIN_PAIRS, pair, 1),
                     AKIN_OK);
    assert_int_equal(ak_default_purpose(table, false), AKIN_FOR_VERIFY);
    assert_string_equal(ak_purpose_measure(AKIN_FOR_SEARCH, AKIN_LABELS),
                        "map");
    assert_string_equal(ak_purpose_measure(AKIN_FOR_CLASSIFY, AKIN_LABELS),
                        "accuracy");
    assert_string_equal(ak_purpose_measure(AKIN_FOR_VERIFY, AKIN_PAIRS), "auc");
    assert_string_equal(ak_purpose_measure(AKIN_FOR_SEARCH, AKIN_TRIPLETS),
                        "accuracy");
    akin_supervision_free(words);
    akin_supervision_free(table);
    akin_rows_free(sparse);
    akin_rows_free(dense);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_share_out_the_rows),
        cmocka_unit_test(folds_draw_queries_of_their_own),
        cmocka_unit_test(held_out_examples_name_new_rows),
        cmocka_unit_test(accuracy_is_that_of_the_nearest_learned_row),
        cmocka_unit_test(the_shares_of_pairs_add_up_to_the_area),
        cmocka_unit_test(labels_make_pairs),
        cmocka_unit_test(differences_are_paired),
        cmocka_unit_test(purposes_follow_from_the_supervision),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
