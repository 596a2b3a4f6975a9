/* Models against the definitions written out over dense vectors. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/rng.h"
#include "model/diagonal.h"
#include "model/factored.h"
#include "model/metric.h"

enum { N = 12, D = 9 };

static char folder[] = "akin-test-XXXXXX";
static float X[N][D];      // the same rows ...
static akin_rows *sparse;  // ... without the zeros
static akin_rows *dense;   // ... and with them
static double w[D];        // weights of both signs, some zero
static double M[D * D];    // positive definite

static void make_rows(akin_ctx *ctx)
{
    int64_t offsets[N + 1] = {0}, n = 0;
    int32_t cols[N * D];
    float vals[N * D];
    ak_rng r = ak_rng_new(1, 99);
    for (int i = 0; i < N; ++i) {
        for (int32_t j = 0; j < D; ++j) {
            if (i > 0 && ak_rng_unit(&r) < 0.5) {  // row 0 is empty
                X[i][j] = (float)ak_rng_normal(&r);
                cols[n] = j;
                vals[n++] = X[i][j];
            }
        }
        offsets[i + 1] = n;
    }
    assert_int_equal(akin_rows_new_dense(&dense, ctx, N, D, X[0]), AKIN_OK);
    assert_int_equal(
        akin_rows_new_sparse(&sparse, ctx, N, D, offsets, cols, vals), AKIN_OK);
}

static int enter(void **state)
{
    ak_rng r = ak_rng_new(2, 99);
    double B[D][D];
    if (akin_ctx_new((akin_ctx **)state, NULL) != AKIN_OK)
        return 1;
    akin_ctx_set_threads(*state, 2);
    make_rows(*state);
    for (int j = 0; j < D; ++j) {
        w[j] = j % 3 == 0 ? 0.0 : ak_rng_normal(&r);
        for (int k = 0; k < D; ++k)
            B[j][k] = ak_rng_normal(&r);
    }
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            for (int k = 0; k < D; ++k)
                M[i * D + j] += B[i][k] * B[j][k];
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int leave(void **state)
{
    akin_rows_free(sparse);
    akin_rows_free(dense);
    akin_ctx_free(*state);
    return chdir("..") != 0 || rmdir(folder) != 0;
}

/* u' A v, the slow and obvious way. */
static double form(const double *A, const double *u, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            sum += u[i] * A[i * D + j] * v[j];
    return sum;
}

/* The score by definition; A as in the dot product, |A| as in the norms. */
static double expected(const double *A, const double *absolute, int i, int j,
                       akin_compare by)
{
    double x[D], y[D], u[D];
    for (int k = 0; k < D; ++k) {
        x[k] = X[i][k];
        y[k] = X[j][k];
        u[k] = x[k] - y[k];
    }
    if (by == AKIN_BY_DISTANCE)
        return -form(A, u, u);
    const double dot = form(A, x, y);
    const double norm = sqrt(form(absolute, x, x) * form(absolute, y, y));
    if (by == AKIN_BY_DOT)
        return dot;
    return norm > 0.0 ? dot / norm : 0.0;
}

static void close_to(double a, double b)
{
    assert_true(fabs(a - b) <= 1e-12 * (1.0 + fabs(b)));
}

/* Scores of all pairs under one comparison, and their reasons. */
static void check_scores(akin_ctx *ctx, const akin_model *m, const double *A,
                         const double *absolute, const akin_rows *left,
                         const akin_rows *right, akin_compare by)
{
    int64_t ij[2 * N * N], count;
    double scores[N * N];
    akin_reason reasons[D + 1];
    for (int t = 0; t < N * N; ++t) {
        ij[2 * t] = t / N;
        ij[2 * t + 1] = t % N;
    }
    assert_int_equal(
        akin_model_score(scores, ctx, m, left, right, ij, N * N, by), AKIN_OK);
    for (int t = 0; t < N * N; ++t) {
        const int i = t / N, j = t % N;
        close_to(scores[t], expected(A, absolute, i, j, by));
        for (int64_t top = 0; top <= D; top += 3) {
            double sum = 0.0;
            assert_int_equal(akin_model_explain(reasons, &count, ctx, m, left,
                                                i, right, j, top, by),
                             AKIN_OK);
            assert_true(count <= top + 1);
            for (int64_t k = 0; k < count; ++k) {
                sum += reasons[k].contribution;
                if (k > 0 && reasons[k].feature >= 0)
                    assert_true(fabs(reasons[k].contribution) <=
                                fabs(reasons[k - 1].contribution));
            }
            close_to(sum, scores[t]);
        }
    }
}

static void check_model(akin_ctx *ctx, const akin_model *m, const double *A,
                        const double *absolute)
{
    for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by) {
        check_scores(ctx, m, A, absolute, sparse, sparse, by);
        check_scores(ctx, m, A, absolute, sparse, dense, by);
        check_scores(ctx, m, A, absolute, dense, sparse, by);
        check_scores(ctx, m, A, absolute, dense, dense, by);
    }
}

static void diagonal_of(const double *v, double *A, double *absolute)
{
    memset(A, 0, D * D * sizeof *A);
    memset(absolute, 0, D * D * sizeof *A);
    for (int j = 0; j < D; ++j) {
        A[j * D + j] = v ? v[j] : 1.0;
        absolute[j * D + j] = fabs(A[j * D + j]);
    }
}

static void diagonal_scores_by_definition(void **state)
{
    double A[D * D], absolute[D * D];
    akin_model *m = NULL;
    diagonal_of(w, A, absolute);
    assert_int_equal(ak_diagonal_new(&m, *state, D, w, AKIN_BY_DOT), AKIN_OK);
    assert_int_equal(akin_model_nonzeros(m), 6);
    assert_int_equal(akin_model_parameters(m), D);
    check_model(*state, m, A, absolute);
    akin_model_free(m);
    diagonal_of(NULL, A, absolute);
    assert_int_equal(ak_diagonal_new(&m, *state, D, NULL, AKIN_BY_DOT),
                     AKIN_OK);
    assert_int_equal(akin_model_nonzeros(m), D);
    check_model(*state, m, A, absolute);
    akin_model_free(m);
}

static void metric_scores_by_definition(void **state)
{
    akin_model *m = NULL;
    assert_int_equal(ak_metric_new(&m, *state, D, M, AKIN_BY_DISTANCE),
                     AKIN_OK);
    assert_int_equal(akin_model_rank(m), 0);
    check_model(*state, m, M, M);
    akin_model_free(m);
}

/* B B' of more columns than are taken at a time. */
static void a_factor_is_a_metric(void **state)
{
    enum { K = 40 };
    double B[D * K], BB[D * D] = {0};
    akin_model *m = NULL;
    for (int i = 0; i < D * K; ++i)
        B[i] = 0.01 * (double)((i * 37) % 101 - 50);
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            for (int k = 0; k < K; ++k)
                BB[i * D + j] += B[i * K + k] * B[j * K + k];
    assert_int_equal(
        ak_metric_new_factor(&m, *state, D, K, B, AKIN_BY_DISTANCE), AKIN_OK);
    check_model(*state, m, BB, BB);
    akin_model_free(m);
}

/* Plain dot products of embedded rows are the scores, to single precision. */
static void check_embedding(akin_ctx *ctx, const akin_model *m,
                            const akin_rows *rows, bool distances)
{
    akin_rows *left = NULL, *right = NULL;
    akin_model *plain = NULL;
    int64_t ij[2 * N * N];
    double want[N * N], got[N * N];
    for (int t = 0; t < N * N; ++t) {
        ij[2 * t] = t / N;
        ij[2 * t + 1] = t % N;
    }
    assert_int_equal(akin_model_embed(&left, ctx, m, rows, AKIN_LEFT), AKIN_OK);
    assert_int_equal(akin_model_embed(&right, ctx, m, rows, AKIN_RIGHT),
                     AKIN_OK);
    ak_diagonal_new(&plain, ctx, left->d, NULL, AKIN_BY_DOT);
    for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by) {
        if (by != AKIN_BY_DOT && !distances)
            continue;
        akin_model_score(want, ctx, m, rows, rows, ij, N * N, by);
        akin_model_score(got, ctx, plain, left, right, ij, N * N, by);
        for (int t = 0; t < N * N; ++t)
            assert_true(fabs(want[t] - got[t]) < 2e-5);
    }
    akin_model_free(plain);
    akin_rows_free(left);
    akin_rows_free(right);
}

static void embedded_rows_score_plainly(void **state)
{
    akin_model *m = NULL;
    double positive[D], singular[D * D] = {0};
    for (int j = 0; j < D; ++j)
        positive[j] = fabs(w[j]);
    ak_diagonal_new(&m, *state, D, w, AKIN_BY_DOT);
    check_embedding(*state, m, sparse, false);
    check_embedding(*state, m, dense, false);
    akin_model_free(m);
    ak_diagonal_new(&m, *state, D, positive, AKIN_BY_DOT);
    check_embedding(*state, m, sparse, true);
    check_embedding(*state, m, dense, true);
    akin_model_free(m);
    ak_metric_new(&m, *state, D, M, AKIN_BY_DISTANCE);
    check_embedding(*state, m, sparse, true);
    check_embedding(*state, m, dense, true);
    akin_model_free(m);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            singular[i * D + j] = w[i] * w[j] + (i == j && i > 1);
    ak_metric_new_factor(&m, *state, D, 1, w, AKIN_BY_DISTANCE);
    check_embedding(*state, m, dense, true);
    akin_model_free(m);
    ak_metric_new(&m, *state, D, singular, AKIN_BY_DISTANCE);
    assert_int_equal(akin_model_rank(m), 3);
    check_embedding(*state, m, sparse, true);
    akin_model_free(m);
}

static void sizes_are_checked(void **state)
{
    const int64_t ij[2] = {0, N};
    double score;
    akin_model *m = NULL;
    akin_rows *out = NULL;
    akin_reason reasons[2];
    int64_t count;
    ak_diagonal_new(&m, *state, D - 1, w, AKIN_BY_DOT);
    assert_int_equal(akin_model_prepare(&out, *state, m, sparse, AKIN_LEFT),
                     AKIN_ESHAPE);
    assert_string_equal(akin_ctx_message(*state),
                        "the rows have 9 columns (the model has 8)");
    akin_model_free(m);
    ak_diagonal_new(&m, *state, D + 1, NULL, AKIN_BY_DOT);
    assert_int_equal(akin_model_prepare(&out, *state, m, dense, AKIN_LEFT),
                     AKIN_ESHAPE);
    assert_int_equal(akin_model_prepare(&out, *state, m, sparse, AKIN_LEFT),
                     AKIN_OK);
    assert_int_equal(
        akin_model_score(&score, *state, m, out, out, ij, 1, AKIN_BY_DEFAULT),
        AKIN_ESHAPE);
    assert_string_equal(akin_ctx_message(*state),
                        "row 12 does not exist (there are 12 rows)");
    assert_int_equal(akin_model_explain(reasons, &count, *state, m, out, 0, out,
                                        0, -1, AKIN_BY_DEFAULT),
                     AKIN_EINVAL);
    akin_rows_free(out);
    akin_model_free(m);
}

/* The right side has more features than the left one: none of them is looked
 * for on the left. */
static void sides_may_differ(void **state)
{
    enum { LEFT = 2, RIGHT = 5, K = 2 };
    const double A[LEFT * K] = {1, 2, -1, 0.5};
    const double B[RIGHT * K] = {1, 0, 0, 1, 2, -1, 0.5, 3, -2, 1};
    const float x[LEFT] = {1, 2}, y[RIGHT] = {1, -1, 0, 2, 3};
    const int64_t ij[2] = {0, 0};
    akin_rows *left = NULL, *right = NULL;
    akin_reason reasons[RIGHT + 1];
    akin_model *m = NULL;
    int64_t count;
    double score;
    assert_int_equal(akin_rows_new_dense(&left, *state, 1, LEFT, x), AKIN_OK);
    assert_int_equal(akin_rows_new_dense(&right, *state, 1, RIGHT, y), AKIN_OK);
    assert_int_equal(
        ak_factored_new(&m, *state, LEFT, RIGHT, K, A, B, AKIN_BY_DOT),
        AKIN_OK);
    for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by) {
        double sum = 0.0;
        assert_int_equal(
            akin_model_score(&score, *state, m, left, right, ij, 1, by),
            AKIN_OK);
        assert_int_equal(akin_model_explain(reasons, &count, *state, m, left, 0,
                                            right, 0, RIGHT, by),
                         AKIN_OK);
        for (int64_t k = 0; k < count; ++k)
            sum += reasons[k].contribution;
        close_to(sum, score);
    }
    akin_model_free(m);
    akin_rows_free(left);
    akin_rows_free(right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diagonal_scores_by_definition),
        cmocka_unit_test(metric_scores_by_definition),
        cmocka_unit_test(a_factor_is_a_metric),
        cmocka_unit_test(embedded_rows_score_plainly),
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(sides_may_differ),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
