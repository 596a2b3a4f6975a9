/* Kernels between rows against the formulas, and what is refused. */
#include <math.h>
#include <string.h>

#include "context.h"

#include "data/kernel.h"

enum { N = 5, D = 11 };

static float numbers[N * D];

/* The same rows dense and sparse, no number below 0, many of them 0. */
static void make(akin_rows **dense, akin_rows **sparse)
{
    int64_t offsets[N + 1] = {0};
    int32_t cols[N * D];
    float vals[N * D];
    int64_t at = 0;
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < D; ++j) {
            const int v = (i * 7 + j * 5 + i * j) % 6;
            numbers[i * D + j] = v > 2 ? (float)v / 4.0f : 0.0f;
            if (numbers[i * D + j] == 0.0f)
                continue;
            cols[at] = j;
            vals[at++] = numbers[i * D + j];
        }
        offsets[i + 1] = at;
    }
    assert_int_equal(akin_rows_new_dense(dense, ctx, N, D, numbers), AKIN_OK);
    assert_int_equal(
        akin_rows_new_sparse(sparse, ctx, N, D, offsets, cols, vals), AKIN_OK);
}

static double formula(const ak_kernel *k, int i, int j)
{
    double dot = 0.0, dist = 0.0, chi = 0.0, least = 0.0;
    for (int c = 0; c < D; ++c) {
        const double x = (double)numbers[i * D + c];
        const double y = (double)numbers[j * D + c];
        dot += x * y;
        dist += (x - y) * (x - y);
        chi += x + y > 0.0 ? (x - y) * (x - y) / (x + y) : 0.0;
        least += fmin(x, y);
    }
    const double all[] = {dot,
                          exp(-k->gamma * dist),
                          pow(k->gamma * dot + k->coef, (double)k->degree),
                          exp(-k->gamma * chi),
                          least,
                          exp(-k->gamma * sqrt(dist))};
    return all[k->kind];
}

static void kernels_are_their_formulas(void **state)
{
    akin_rows *dense = NULL, *sparse = NULL;
    double K[N * N], S[N * N], B[N * N];
    (void)state;
    make(&dense, &sparse);
    for (int kind = 0; kind < AK_KERNEL_COUNT; ++kind) {
        const ak_kernel k = {(ak_kernel_kind)kind, 0.7, 0.5, 3};
        assert_int_equal(ak_kernel_find(ak_kernel_words[kind]), kind);
        ak_kernel_matrix(K, ctx, &k, dense, NULL);
        ak_kernel_matrix(S, ctx, &k, sparse, NULL);
        ak_kernel_matrix(B, ctx, &k, dense, sparse);
        for (int i = 0; i < N * N; ++i) {
            const double want = formula(&k, i / N, i % N);
            assert_true(fabs(K[i] - want) < 1e-12);
            assert_true(fabs(S[i] - want) < 1e-12);
            assert_true(fabs(B[i] - want) < 1e-12);
            assert_true(K[i] == K[i % N * N + i / N]);
        }
    }
    assert_int_equal(ak_kernel_find("cubic"), AK_KERNEL_COUNT);
    akin_rows_free(dense);
    akin_rows_free(sparse);
}

/* With gamma one over the median, half of the pairs are below exp(-1). */
static void gamma_is_one_over_the_median(void **state)
{
    akin_rows *dense = NULL, *sparse = NULL;
    ak_kernel k = {.kind = AK_KERNEL_RBF};
    int64_t below = 0;
    (void)state;
    make(&dense, &sparse);
    assert_int_equal(ak_kernel_fit(&k, ctx, dense), AKIN_OK);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            below += i != j && formula(&k, i, j) < exp(-1.0) + 1e-12;
    assert_true(below >= 6 && below <= 16);
    k = (ak_kernel){.kind = AK_KERNEL_RBF, .gamma = 2.0};
    assert_int_equal(ak_kernel_fit(&k, ctx, sparse), AKIN_OK);
    assert_true(k.gamma == 2.0);
    akin_rows_free(dense);
    akin_rows_free(sparse);
}

static void numbers_below_zero_are_refused(void **state)
{
    const float below[4] = {1.0f, 2.0f, -0.5f, 3.0f};
    ak_kernel k = {.kind = AK_KERNEL_CHI2};
    akin_rows *rows = NULL;
    (void)state;
    assert_int_equal(akin_rows_new_dense(&rows, ctx, 2, 2, below), AKIN_OK);
    assert_int_equal(ak_kernel_fit(&k, ctx, rows), AKIN_EINVAL);
    assert_non_null(strstr(akin_ctx_message(ctx), "row 1 has -0.5"));
    k.kind = AK_KERNEL_LINEAR;
    assert_int_equal(ak_kernel_fit(&k, ctx, rows), AKIN_OK);
    akin_rows_free(rows);
}

static akin_status given(int64_t n, int64_t d, const float *values)
{
    akin_rows *rows = NULL;
    double K[9];
    akin_status st = akin_rows_new_dense(&rows, ctx, n, d, values);
    assert_int_equal(st, AKIN_OK);
    st = ak_kernel_given(K, ctx, rows);
    akin_rows_free(rows);
    return st;
}

static void a_given_matrix_is_checked(void **state)
{
    const float good[] = {2, 1, 1, 3}, skew[] = {2, 1, 0.5f, 3};
    (void)state;
    assert_int_equal(given(2, 2, good), AKIN_OK);
    assert_int_equal(given(2, 2, skew), AKIN_EINVAL);
    assert_non_null(strstr(akin_ctx_message(ctx), "not symmetric"));
    assert_int_equal(given(1, 2, good), AKIN_ESHAPE);
    assert_int_equal(given(2, 1, good), AKIN_ESHAPE);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        CONTEXT_CASE(kernels_are_their_formulas),
        CONTEXT_CASE(gamma_is_one_over_the_median),
        CONTEXT_CASE(numbers_below_zero_are_refused),
        CONTEXT_CASE(a_given_matrix_is_checked),
    };
    return cmocka_run_group_tests(cases, NULL, NULL);
}
