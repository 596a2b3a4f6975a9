/* Nearest rows, votes, triplets and pairs against slow counting. */
#include "exact.h"

#include <akin/eval.h>

#include "faulty.h"
#include "model/diagonal.h"

enum { N = 130, NQ = 35, D = 25, CLASSES = 4 };

/* Rows that stand before row i for query t. */
static int64_t rank_of(const akin_rows *queries, int64_t t,
                       const akin_rows *rows, int64_t i, akin_compare by,
                       bool same)
{
    const double mine = exact_score(queries, t, rows, i, NULL, by);
    int64_t before = 0;
    for (int64_t k = 0; k < rows->n; ++k) {
        const double s = exact_score(queries, t, rows, k, NULL, by);
        if (same && k == t)
            continue;
        before += s > mine || (s == mine && k < i);
    }
    return before;
}

static void check_nearest(akin_ctx *ctx, const akin_rows *queries,
                          const akin_rows *rows, int64_t top, akin_compare by)
{
    const bool same = queries == rows;
    const int64_t there = ak_min_i64(top, rows->n - same);
    int64_t *nearest = NULL;
    double *scores = NULL;
    akin_model *m = NULL;
    ak_diagonal_new(&m, ctx, D, NULL, by);
    assert_int_equal(akin_nearest(&nearest, &scores, ctx, m, queries, rows, top,
                                  AKIN_BY_DEFAULT, same),
                     AKIN_OK);
    for (int64_t t = 0; t < queries->n; t += 5)
        for (int64_t k = 0; k < top; k += 1 + k / 4) {
            const int64_t i = nearest[t * top + k];
            if (k >= there) {
                assert_int_equal(i, -1);
                assert_true(isnan(scores[t * top + k]));
                continue;
            }
            assert_true(i != t || !same);
            assert_int_equal(rank_of(queries, t, rows, i, by, same), k);
            assert_true(scores[t * top + k] ==
                        exact_score(queries, t, rows, i, NULL, by));
        }
    akin_free(nearest);
    akin_free(scores);
    akin_model_free(m);
}

static void nearest_rows_in_order(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = exact_rows(ctx, 1, N, D, true, 0);
    akin_rows *queries = exact_rows(ctx, 2, NQ, D, true, 0);
    const int64_t tops[] = {1, 4, 33, N - 1, N, N + 3};
    for (int k = 0; k < 6; ++k) {
        check_nearest(ctx, queries, rows, tops[k],
                      (akin_compare)(AKIN_BY_DOT + k % 3));
        check_nearest(ctx, rows, rows, tops[k],
                      (akin_compare)(AKIN_BY_DOT + k % 3));
    }
    akin_rows_free(rows);
    akin_rows_free(queries);
}

static void fewer_than_one_is_refused(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = exact_rows(ctx, 1, N, D, true, 0);
    akin_model *m = NULL;
    int64_t *nearest;
    int32_t labels[N];
    double *scores, shares[N];
    ak_diagonal_new(&m, ctx, D, NULL, AKIN_BY_DOT);
    assert_int_equal(
        akin_nearest(&nearest, &scores, ctx, m, rows, rows, 0, AKIN_BY_DOT, 1),
        AKIN_EINVAL);
    assert_int_equal(akin_nearest(&nearest, &scores, ctx, m, rows, rows,
                                  INT64_MAX, AKIN_BY_DOT, 1),
                     AKIN_EINVAL);
    assert_int_equal(
        akin_predict(labels, shares, ctx, m, rows, rows, 1, 1, AKIN_BY_DOT),
        AKIN_EINVAL);  // no labels
    akin_model_free(m);
    akin_rows_free(rows);
}

/* Points on a line; the query is at 0. */
static void check_vote(akin_ctx *ctx, const float *at, const int32_t *labels,
                       int64_t n, int64_t k, const int32_t want[3],
                       const double shares[3])
{
    const char *names[] = {"a", "b", "c"};
    const float zero = 0.0f;
    akin_rows *train = NULL, *query = NULL;
    akin_model *m = NULL;
    int32_t got[3];
    double scores[3];
    akin_rows_new_dense(&train, ctx, n, 1, at);
    akin_rows_new_dense(&query, ctx, 1, 1, &zero);
    akin_rows_set_labels(ctx, train, labels, names, 3);
    ak_diagonal_new(&m, ctx, 1, NULL, AKIN_BY_DISTANCE);
    assert_int_equal(
        akin_predict(got, scores, ctx, m, query, train, k, 3, AKIN_BY_DEFAULT),
        AKIN_OK);
    for (int l = 0; l < 3; ++l) {
        assert_int_equal(got[l], want[l]);
        assert_true(fabs(scores[l] - shares[l]) < 1e-15);
    }
    akin_model_free(m);
    akin_rows_free(train);
    akin_rows_free(query);
}

static void the_majority_wins_then_the_nearest(void **state)
{
    akin_ctx *ctx = *state;
    const float at[] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 0.5f};
    const int32_t labels[] = {2, 1, 1, 2, 0, -1};
    check_vote(ctx, at, labels, 6, 1, (int32_t[]){2, -1, -1},
               (double[]){1.0, 0.0, 0.0});
    check_vote(ctx, at, labels, 6, 3, (int32_t[]){1, 2, -1},
               (double[]){2.0 / 3.0, 1.0 / 3.0, 0.0});
    check_vote(ctx, at, labels, 6, 4, (int32_t[]){2, 1, -1},
               (double[]){0.5, 0.5, 0.0});
    check_vote(ctx, at, labels, 6, 100, (int32_t[]){2, 1, 0},
               (double[]){0.4, 0.4, 0.2});
    /* Equal distances: the lower row is nearer. */
    const float same[] = {1.0f, -1.0f, 1.0f};
    const int32_t three[] = {1, 0, 2};
    check_vote(ctx, same, three, 3, 2, (int32_t[]){1, 0, -1},
               (double[]){0.5, 0.5, 0.0});
}

static void triplets_in_the_wrong_order_are_counted(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = exact_rows(ctx, 1, N, D, true, 0);
    ak_rng rng = ak_rng_new(8, AK_STREAM_TRIPLETS);
    const int64_t count = 70000;
    int64_t *triplets = calloc(3 * (size_t)count, sizeof *triplets);
    akin_model *m = NULL;
    double error, wrong = 0.0;
    ak_diagonal_new(&m, ctx, D, NULL, AKIN_BY_DOT);
    static double s[N][N];
    for (int64_t i = 0; i < N; ++i)
        for (int64_t j = 0; j < N; ++j)
            s[i][j] = exact_score(rows, i, rows, j, NULL, AKIN_BY_DOT);
    for (int64_t t = 0; t < count; ++t) {
        int64_t *x = triplets + 3 * t;
        for (int k = 0; k < 3; ++k)
            x[k] = ak_rng_below(&rng, N);
        const double p = s[x[0]][x[1]], n = s[x[0]][x[2]];
        wrong += p > n ? 0.0 : p == n ? 0.5 : 1.0;
    }
    assert_int_equal(akin_eval_triplets(&error, ctx, m, rows, triplets, count,
                                        AKIN_BY_DEFAULT),
                     AKIN_OK);
    assert_true(fabs(error - wrong / (double)count) < 1e-15);
    assert_int_equal(
        akin_eval_triplets(&error, ctx, m, rows, triplets, 0, AKIN_BY_DEFAULT),
        AKIN_EINVAL);
    triplets[4] = N;
    assert_int_equal(
        akin_eval_triplets(&error, ctx, m, rows, triplets, 3, AKIN_BY_DEFAULT),
        AKIN_ESHAPE);
    free(triplets);
    akin_model_free(m);
    akin_rows_free(rows);
}

/* All pairs of pairs, all thresholds. */
static void slow_pairs(const double *s, const int64_t *pairs, int64_t n,
                       double *auc, double *accuracy)
{
    double won = 0.0, all = 0.0;
    *accuracy = 0.0;
    for (int64_t a = 0; a < n; ++a)
        for (int64_t b = 0; b < n; ++b)
            if (pairs[3 * a + 2] > 0 && pairs[3 * b + 2] < 0) {
                won += s[a] > s[b] ? 1.0 : s[a] == s[b] ? 0.5 : 0.0;
                all += 1.0;
            }
    *auc = won / all;
    for (int64_t a = 0; a <= n; ++a) {
        const double threshold = a < n ? s[a] : INFINITY;
        double right = 0.0;
        for (int64_t b = 0; b < n; ++b)
            right += (s[b] >= threshold) == (pairs[3 * b + 2] > 0);
        *accuracy = fmax(*accuracy, right / (double)n);
    }
}

static void pairs_are_told_apart(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *left = exact_rows(ctx, 1, N, D, true, 0);
    akin_rows *right = exact_rows(ctx, 2, NQ, D, false, 0);
    ak_rng rng = ak_rng_new(8, AK_STREAM_PAIRS);
    akin_model *m = NULL;
    ak_diagonal_new(&m, ctx, D, NULL, AKIN_BY_DISTANCE);
    for (int64_t n = 2; n < 80; n += 11) {
        int64_t pairs[240];
        double s[80], auc, accuracy, slow_auc, slow_accuracy;
        for (int64_t t = 0; t < n; ++t) {
            pairs[3 * t] = ak_rng_below(&rng, N);
            pairs[3 * t + 1] = ak_rng_below(&rng, NQ);
            pairs[3 * t + 2] = t == 0 || ak_rng_below(&rng, 3) == 0 ? 1 : -1;
            if (t == 1)
                pairs[3 * t + 2] = -1;
            s[t] = exact_score(left, pairs[3 * t], right, pairs[3 * t + 1],
                               NULL, AKIN_BY_DISTANCE);
        }
        assert_int_equal(akin_eval_pairs(&auc, &accuracy, ctx, m, left, right,
                                         pairs, n, AKIN_BY_DEFAULT),
                         AKIN_OK);
        slow_pairs(s, pairs, n, &slow_auc, &slow_accuracy);
        assert_true(fabs(auc - slow_auc) < 1e-14);
        assert_true(fabs(accuracy - slow_accuracy) < 1e-14);
        assert_int_equal(akin_eval_pairs(&auc, &accuracy, ctx, m, left, right,
                                         pairs, 1, AKIN_BY_DEFAULT),
                         AKIN_EINVAL);  // one kind alone
    }
    akin_model_free(m);
    akin_rows_free(left);
    akin_rows_free(right);
}

static akin_status all_measures(akin_ctx *ctx, void *arg)
{
    const akin_rows *rows = arg;
    const int64_t examples[] = {1, 2, 1, 3, 4, -1};
    int64_t *nearest = NULL;
    int32_t labels[2 * N];
    double *scores = NULL, shares[2 * N], error, auc;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(ak_diagonal_new(&m, ctx, D, NULL, AKIN_BY_DISTANCE));
    AK_TRY(akin_nearest(&nearest, &scores, ctx, m, rows, rows, 7,
                        AKIN_BY_DEFAULT, 1));
    AK_TRY(akin_predict(labels, shares, ctx, m, rows, rows, 5, 2,
                        AKIN_BY_DEFAULT));
    AK_TRY(
        akin_eval_triplets(&error, ctx, m, rows, examples, 1, AKIN_BY_DEFAULT));
    AK_TRY(akin_eval_pairs(&auc, &error, ctx, m, rows, rows, examples, 2,
                           AKIN_BY_DEFAULT));
done:
    akin_free(nearest);
    akin_free(scores);
    akin_model_free(m);
    return st;
}

static void every_failed_allocation_is_survived(void **state)
{
    akin_rows *rows = exact_rows(*state, 1, N, D, true, CLASSES);
    assert_in_range(faulty_run(all_measures, rows), 10, 200);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_rows_in_order),
        cmocka_unit_test(fewer_than_one_is_refused),
        cmocka_unit_test(the_majority_wins_then_the_nearest),
        cmocka_unit_test(triplets_in_the_wrong_order_are_counted),
        cmocka_unit_test(pairs_are_told_apart),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
