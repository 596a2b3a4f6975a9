/* Measures without learning. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/diagonal.h"
#include "model/metric.h"

static int enter(void **state)
{
    return akin_ctx_new((akin_ctx **)state, NULL) != AKIN_OK;
}

static int leave(void **state)
{
    akin_ctx_free(*state);
    return 0;
}

/* Columns 0 and 1 vary independently, 2 is their sum, 3 never changes. */
static const float X[5][4] = {
    {1, 2, 3, 7}, {2, 1, 3, 7}, {-1, 0, -1, 7}, {0, 1, 1, 7}, {3, -4, -1, 7}};

static akin_rows *dense(akin_ctx *ctx, int64_t n, int64_t d, const float *x)
{
    akin_rows *rows = NULL;
    assert_int_equal(akin_rows_new_dense(&rows, ctx, n, d, x), AKIN_OK);
    return rows;
}

static double score(akin_ctx *ctx, const char *name, const akin_rows *rows,
                    int64_t i, int64_t j)
{
    const int64_t ij[2] = {i, j};
    akin_model *m = NULL;
    akin_rows *ready = NULL;
    double s = NAN;
    assert_true(akin_model_is_builtin(name));
    assert_int_equal(akin_model_builtin(&m, ctx, name, rows), AKIN_OK);
    assert_string_equal(akin_model_learner(m), name);
    assert_int_equal(akin_model_prepare(&ready, ctx, m, rows, AKIN_LEFT),
                     AKIN_OK);
    assert_int_equal(
        akin_model_score(&s, ctx, m, ready, ready, ij, 1, AKIN_BY_DEFAULT),
        AKIN_OK);
    akin_rows_free(ready);
    akin_model_free(m);
    return s;
}

static void plain_measures(void **state)
{
    akin_rows *rows = dense(*state, 5, 4, X[0]);
    assert_true(score(*state, "euclidean", rows, 0, 1) == -2.0);
    assert_true(fabs(score(*state, "cosine", rows, 0, 1) - 62.0 / 63.0) <
                1e-15);
    akin_rows_free(rows);
}

/* tf * ln(N / df), normalised; the last word is in every row. */
static void tfidf_weights_rare_words(void **state)
{
    static const float counts[3][3] = {{2, 0, 2}, {1, 1, 1}, {0, 3, 3}};
    akin_rows *rows = dense(*state, 3, 3, counts[0]);
    assert_true(fabs(score(*state, "tfidf", rows, 0, 1) - sqrt(0.5)) < 1e-7);
    assert_true(score(*state, "tfidf", rows, 0, 2) == 0.0);
    akin_rows_free(rows);
}

static void fetch_double(const void *arg, int64_t i, double *row)
{
    memcpy(row, (const double *)arg + 2 * i, 2 * sizeof *row);
}

/* By hand: the covariance of these four is diag(4/3, 16/3). */
static void mahalanobis_divides_by_n_minus_1(void **state)
{
    static const double Y[8] = {1, 2, -1, 2, 1, -2, -1, -2};
    double M[4];
    assert_int_equal(ak_mahalanobis(*state, 4, 2, fetch_double, Y, M), AKIN_OK);
    assert_true(fabs(M[0] - 0.75) < 1e-15 && fabs(M[3] - 0.1875) < 1e-15);
    assert_true(fabs(M[1]) < 1e-15 && M[1] == M[2]);
    assert_int_equal(ak_mahalanobis(*state, 1, 2, fetch_double, Y, M),
                     AKIN_EINVAL);
}

static void remember(void *user, akin_log_level level, const char *line)
{
    char *text = user;
    assert_int_equal(level, AKIN_LOG_WARNING);
    strncpy(text, line, 199);
}

/* A column more that says nothing new changes no distance. */
static void singular_covariance_is_said(void **state)
{
    char text[200] = "";
    float two[5][2];
    for (int i = 0; i < 5; ++i)
        memcpy(two[i], X[i], sizeof two[i]);
    akin_rows *rows = dense(*state, 5, 4, X[0]);
    akin_rows *part = dense(*state, 5, 2, two[0]);
    akin_ctx_set_log(*state, remember, text);
    for (int64_t j = 1; j < 5; ++j) {
        const double a = score(*state, "mahalanobis", rows, 0, j);
        assert_string_equal(text,
                            "the covariance is singular (rank 2 of 4): "
                            "directions in which the rows do not vary are "
                            "ignored");
        text[0] = '\0';
        const double b = score(*state, "mahalanobis", part, 0, j);
        assert_string_equal(text, "");
        assert_true(fabs(a - b) < 1e-12 * fabs(b));
    }
    akin_ctx_set_log(*state, NULL, NULL);
    akin_rows_free(part);
    akin_rows_free(rows);
}

static void what_cannot_be_is_said(void **state)
{
    const int64_t offsets[3] = {0, 0, 0};
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    assert_int_equal(
        akin_rows_new_sparse(&rows, *state, 2, 20001, offsets, NULL, NULL),
        AKIN_OK);
    assert_int_equal(akin_model_builtin(&m, *state, "mahalanobis", rows),
                     AKIN_EINVAL);
    assert_string_equal(akin_ctx_message(*state),
                        "mahalanobis allows at most 20000 columns (there are "
                        "20001)");
    assert_int_equal(akin_model_builtin(&m, *state, "manhattan", rows),
                     AKIN_EINVAL);
    assert_false(akin_model_is_builtin("manhattan"));
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_measures),
        cmocka_unit_test(tfidf_weights_rare_words),
        cmocka_unit_test(mahalanobis_divides_by_n_minus_1),
        cmocka_unit_test(singular_covariance_is_said),
        cmocka_unit_test(what_cannot_be_is_said),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
