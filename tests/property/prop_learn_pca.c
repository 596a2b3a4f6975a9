/* Lanczos steps against matrices of known eigenvalues, and the principal axes
 * of sparse rows against those of the same rows, dense. */
#include <math.h>

#include "support.h"

#include "la/dense.h"
#include "la/lanczos.h"
#include "learn/metric/constraints.h"
#include "learn/metric/principal.h"

/* A diagonal matrix. */
static akin_status scale_rows(const void *arg, akin_ctx *c, int64_t b,
                              const double *X, double *Y)
{
    const ak_lanczos *p = ((const void *const *)arg)[0];
    const double *diagonal = ((const void *const *)arg)[1];
    (void)c;
    for (int64_t i = 0; i < p->m * b; ++i)
        Y[i] = diagonal[i / b] * X[i];
    return AKIN_OK;
}

static int falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The k largest of a diagonal, each as often as it occurs. */
static void check_diagonal(akin_ctx *ctx, int64_t m, int64_t k, int64_t most,
                           double *diagonal)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_lanczos p = {.m = m, .k = k, .tol = 1e-6, .most = most};
    const void *arg[] = {&p, diagonal};
    double *G;
    assert_int_equal(ak_lanczos_run(&p, ctx, scale_rows, arg), AKIN_OK);
    assert_true(p.converged);
    assert_int_equal(AK_SCRATCH(ctx, k * k, &G), AKIN_OK);
    assert_int_equal(ak_gram(ctx, true, k, m, p.U, k, G), AKIN_OK);
    for (int64_t c = 0; c < k * k; ++c)
        assert_true(fabs(G[c] - (c % k == c / k)) < 1e-12);
    qsort(diagonal, (size_t)m, sizeof *diagonal, falling);
    for (int64_t c = 0; c < k; ++c)
        assert_true(fabs(p.values[c] - diagonal[c]) <= 1e-9 * diagonal[0]);
    ak_scratch_end(ctx, mark);
}

static void eigenvalues_are_found_as_often_as_they_occur(void **state)
{
    static double diagonal[700];
    akin_ctx *ctx = *state;
    for (int kind = 0; kind < 5; ++kind)
        for (int64_t m = 1; m <= 700; m = 3 * m + 1) {
            ak_rng rng = ak_rng_new((uint64_t)m, AK_STREAM_SYNTH);
            for (int64_t i = 0; i < m; ++i)
                diagonal[i] = kind == 0   ? 1.0
                              : kind == 1 ? 0.0
                              : kind == 2 ? (double)(i % 7 == 0)
                              : kind == 3 ? exp(-0.1 * (double)i)
                                          : ak_rng_unit(&rng);
            check_diagonal(ctx, m, (m + 5) / 6, m, diagonal);
            check_diagonal(ctx, m, m, m, diagonal);
        }
    for (int64_t i = 0; i < 700; ++i)
        diagonal[i] = exp(-0.1 * (double)(i / 3));
    check_diagonal(ctx, 700, 50, 300, diagonal);
}

/* The same span, |V'V~|^2 = k, and the same sums of squares. */
static void check_axes(akin_ctx *ctx, const akin_rows *rows, int64_t k,
                       double tol)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = rows->n, d = rows->d;
    double *X, *mean, common = 0.0;
    ak_axes dense, sparse;
    assert_int_equal(ak_rows_matrix(&X, ctx, rows, NULL, n), AKIN_OK);
    assert_int_equal(AK_SCRATCH(ctx, d, &mean), AKIN_OK);
    ak_center_rows(n, d, X, mean);
    assert_int_equal(ak_axes_of(&dense, ctx, n, d, X), AKIN_OK);
    assert_int_equal(ak_axes_of_sparse(&sparse, ctx, rows, k), AKIN_OK);
    assert_true(sparse.converged);
    assert_int_equal(sparse.k, ak_min_i64(k, dense.k));
    assert_true(fabs(sparse.all - dense.all) < 1e-6 * dense.all);
    for (int64_t c = 0; c < sparse.k; ++c) {
        assert_true(fabs(sparse.spread[c] - dense.spread[c]) <
                    tol * dense.spread[c]);
        for (int64_t e = 0; e < sparse.k; ++e) {
            double sum = 0.0;
            for (int64_t j = 0; j < d; ++j)
                sum += dense.V[j * dense.k + c] * sparse.V[j * sparse.k + e];
            common += sum * sum;
        }
    }
    assert_true(fabs(common - (double)sparse.k) < tol * (double)sparse.k);
    ak_scratch_end(ctx, mark);
}

static void sparse_axes_are_those_of_dense_rows(void **state)
{
    static const int64_t sizes[][2] = {{400, 60},  {60, 400},  {900, 700},
                                       {700, 900}, {30, 1000}, {9, 5}};
    akin_ctx *ctx = *state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        akin_rows *rows = class_rows(ctx, i, sizes[i][0], sizes[i][1], 8, 4);
        assert_non_null(rows);
        check_axes(ctx, rows, 3, 1e-4);  // classes lie apart: 3 large axes
        akin_rows_free(rows);
    }
    akin_rows *rows = class_rows(ctx, 7, 80, 50, 8, 4);
    check_axes(ctx, rows, 80, 1e-6);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvalues_are_found_as_often_as_they_occur),
        cmocka_unit_test(sparse_axes_are_those_of_dense_rows),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
