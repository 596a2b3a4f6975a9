/* The start from zero: a full matrix kept as lists, and its best factors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "faulty.h"

#include "context.h"

#include "base/rng.h"
#include "la/dense.h"
#include "learn/lowrank/start.h"

enum { N = 13, M = 9, K = 3, PAIRS = 6, NNZ = 4 };

typedef struct pair {
    int32_t cols[2][NNZ];
    double vals[2][NNZ];
    ak_spvec u, p;
} pair;

/* Rising columns, NNZ of n. */
static void draw(ak_rng *r, int32_t n, int32_t *cols, double *vals)
{
    int32_t at = 0;
    for (int32_t j = 0; j < n && at < NNZ; ++j)
        if (ak_rng_below(r, n - j) < NNZ - at) {
            vals[at] = ak_rng_normal(r);
            cols[at++] = j;
        }
}

static void draw_pair(ak_rng *r, int32_t n, int32_t m, pair *x)
{
    draw(r, n, x->cols[0], x->vals[0]);
    draw(r, m, x->cols[1], x->vals[1]);
    x->u = (ak_spvec){NNZ, x->cols[0], x->vals[0]};
    x->p = (ak_spvec){NNZ, x->cols[1], x->vals[1]};
}

/* Pairs into z and, if asked, into a full matrix. */
static akin_status fill(akin_ctx *c, ak_zero *z, uint64_t seed, int pairs,
                        double *W)
{
    ak_rng r = ak_rng_new(seed, 5);
    akin_status st = AKIN_OK;
    pair x;
    for (int i = 0; st == AKIN_OK && i < pairs; ++i) {
        draw_pair(&r, (int32_t)z->n, (int32_t)z->m, &x);
        st = ak_zero_add(z, c, 0.5, x.u, x.p);
        for (int a = 0; W != NULL && a < NNZ; ++a)
            for (int b = 0; b < NNZ; ++b)
                W[x.cols[0][a] * z->m + x.cols[1][b]] += 0.5 * x.vals[0][a] *
                                                         x.vals[1][b];
    }
    return st;
}

static double off(int64_t n, int64_t m, const double *A, const double *B,
                  const double *W)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < m; ++j) {
            double e = W[i * m + j];
            for (int64_t c = 0; c < K; ++c)
                e -= A[i * K + c] * B[j * K + c];
            sum += e * e;
        }
    return sum;
}

static void scores_are_those_of_the_matrix(void **state)
{
    (void)state;
    double W[N * M] = {0}, Wp[N];
    ak_zero z;
    pair x;
    ak_zero_init(&z, N, M, K, false);
    assert_int_equal(fill(ctx, &z, 1, PAIRS, W), AKIN_OK);
    ak_rng r = ak_rng_new(9, 5);
    draw_pair(&r, N, M, &x);
    ak_zero_times(&z, x.p, Wp);
    double uWp = 0.0;
    for (int i = 0; i < N; ++i) {
        double sum = 0.0;
        for (int b = 0; b < NNZ; ++b)
            sum += W[i * M + x.cols[1][b]] * x.vals[1][b];
        assert_true(fabs(sum - Wp[i]) < 1e-13);
        for (int a = 0; a < NNZ; ++a)
            uWp += x.cols[0][a] == i ? x.vals[0][a] * sum : 0.0;
    }
    assert_true(fabs(uWp - ak_zero_score(&z, x.u, x.p)) < 1e-13);
    ak_zero_free(&z);
}

/* What is left out is what the singular values past k say. */
static void factors_are_the_best(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        double W[N * M] = {0}, copy[N * M], A[N * K], B[M * K];
        double s[M], U[N * M], Vt[M * M], left = 0.0;
        int64_t rank = 0;
        ak_zero z;
        ak_zero_init(&z, N, M, K, false);
        assert_int_equal(fill(ctx, &z, seed, PAIRS, W), AKIN_OK);
        assert_true(ak_zero_due(&z));
        assert_int_equal(ak_zero_factors(&z, ctx, A, B, &rank), AKIN_OK);
        assert_int_equal(rank, K);
        memcpy(copy, W, sizeof W);
        assert_int_equal(ak_svd(ctx, N, M, copy, s, U, Vt), AKIN_OK);
        for (int i = K; i < M; ++i)
            left += s[i] * s[i];
        assert_true(fabs(off(N, M, A, B, W) - left) < 1e-12);
        ak_zero_free(&z);
    }
}

static void symmetric_factors_are_the_best(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        double W[N * N] = {0}, S[N * N], Y[N * K], s[N], left = 0.0;
        int64_t rank = 0;
        ak_zero z;
        ak_zero_init(&z, N, N, K, true);
        assert_int_equal(fill(ctx, &z, seed, PAIRS, W), AKIN_OK);
        assert_int_equal(ak_zero_factors(&z, ctx, Y, NULL, &rank), AKIN_OK);
        assert_int_equal(rank, K);
        for (int i = 0; i < N * N; ++i)
            S[i] = 0.5 * (W[i] + W[i % N * N + i / N]);
        memcpy(W, S, sizeof W);
        assert_int_equal(ak_eigh(ctx, N, S, s), AKIN_OK);
        for (int i = 0; i < N - K; ++i)
            left += s[i] * s[i];
        assert_true(fabs(off(N, N, Y, Y, W) - left) < 1e-12);
        ak_zero_free(&z);
    }
}

static void too_little_rank_goes_on_then_fails(void **state)
{
    (void)state;
    double A[N * K], B[M * K];
    int64_t rank = 0, looks = 0;
    ak_zero z;
    pair x;
    akin_status st = AKIN_OK;
    ak_zero_init(&z, N, M, K, false);
    ak_rng r = ak_rng_new(2, 5);
    draw_pair(&r, N, M, &x);
    while ((st = ak_zero_add(&z, ctx, 1.0, x.u, x.p)) == AKIN_OK)
        if (ak_zero_due(&z)) {
            assert_int_equal(ak_zero_factors(&z, ctx, A, B, &rank), AKIN_OK);
            assert_int_equal(rank, 1);
            ++looks;
        }
    assert_int_equal(st, AKIN_EINVAL);
    assert_true(looks > 8 && looks < 40);
    ak_zero_free(&z);
}

static void empty_vectors_have_rank_0(void **state)
{
    (void)state;
    double A[N * K], B[M * K];
    int64_t rank = 7;
    ak_zero z;
    ak_zero_init(&z, N, M, K, false);
    assert_int_equal(ak_zero_factors(&z, ctx, A, B, &rank), AKIN_OK);
    assert_int_equal(rank, 0);
    assert_int_equal(ak_zero_add(&z, ctx, 1.0, (ak_spvec){0}, (ak_spvec){0}),
                     AKIN_OK);
    assert_int_equal(ak_zero_factors(&z, ctx, A, B, &rank), AKIN_OK);
    assert_int_equal(rank, 0);
    ak_zero_free(&z);
}

static void goes_through_a_file(void **state)
{
    (void)state;
    for (int pairs = 0; pairs <= PAIRS; pairs += PAIRS) {
        ak_tensors *t = NULL;
        ak_zero z, back;
        double A[2][N * K], B[2][M * K];
        int64_t rank[2];
        ak_zero_init(&z, N, M, K, false);
        ak_zero_init(&back, N, M, K, false);
        assert_int_equal(fill(ctx, &z, 4, pairs, NULL), AKIN_OK);
        assert_int_equal(ak_tensors_new(&t, ctx), AKIN_OK);
        assert_false(ak_zero_is_saved(t));
        assert_int_equal(ak_zero_save(&z, ctx, t), AKIN_OK);
        assert_true(ak_zero_is_saved(t));
        assert_int_equal(ak_zero_load(&back, ctx, t), AKIN_OK);
        ak_zero_factors(&z, ctx, A[0], B[0], &rank[0]);
        ak_zero_factors(&back, ctx, A[1], B[1], &rank[1]);
        assert_int_equal(rank[0], rank[1]);
        assert_memory_equal(A[0], A[1], sizeof A[0]);
        ak_zero_free(&back);
        ak_zero_init(&back, N, 2, K, false);  // too narrow
        if (pairs > 0)
            assert_int_equal(ak_zero_load(&back, ctx, t), AKIN_EFORMAT);
        ak_tensors_free(t);
        ak_zero_free(&back);
        ak_zero_free(&z);
    }
}

static akin_status work(akin_ctx *c, void *unused)
{
    double A[N * K], B[M * K];
    int64_t rank = 0;
    ak_tensors *t = NULL;
    ak_zero z, back;
    akin_status st = AKIN_OK;
    (void)unused;
    ak_zero_init(&z, N, M, K, false);
    ak_zero_init(&back, N, M, K, false);
    AK_TRY(fill(c, &z, 1, PAIRS, NULL));
    AK_TRY(ak_zero_factors(&z, c, A, B, &rank));
    AK_TRY(ak_tensors_new(&t, c));
    AK_TRY(ak_zero_save(&z, c, t));
    AK_TRY(ak_zero_load(&back, c, t));
done:
    ak_tensors_free(t);
    ak_zero_free(&z);
    ak_zero_free(&back);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(faulty_run(work, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(scores_are_those_of_the_matrix),
        CONTEXT_CASE(factors_are_the_best),
        CONTEXT_CASE(symmetric_factors_are_the_best),
        CONTEXT_CASE(too_little_rank_goes_on_then_fails),
        CONTEXT_CASE(empty_vectors_have_rank_0),
        CONTEXT_CASE(goes_through_a_file),
        CONTEXT_CASE(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
