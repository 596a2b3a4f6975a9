/* lmnn and nca: values and gradients by definition, and lmnn's optimum against
 * projected steps on M; nca loses no column of rows close together. */
#include <math.h>

#include "support.h"

#include <akin/learn.h>

#include "la/dense.h"
#include "learn/metric/lmnn.h"
#include "learn/metric/nca.h"

enum { N = 36, D = 5, K = 2, CLASSES = 3 };

typedef struct points {
    double X[N * D];
    int64_t offsets[N + 1], targets[N * K];
} points;

static bool same(const void *arg, int64_t i, int64_t j)
{
    (void)arg;
    return i % CLASSES == j % CLASSES;
}

static bool differ(const void *arg, int64_t i, int64_t j)
{
    return !same(arg, i, j);
}

/* Classes apart in one column and noise in others; two points are equal. */
static void draw(points *a, uint64_t seed)
{
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    for (int64_t i = 0; i < N; ++i)
        for (int64_t j = 0; j < D; ++j)
            a->X[i * D + j] = ak_rng_normal(&r) * (j == 3 ? 3.0 : 0.6) +
                              (j == 0 ? (double)(i % CLASSES) : 0.0);
    memcpy(a->X + 7 * D, a->X + 4 * D, D * sizeof *a->X);
    a->offsets[0] = 0;
    for (int64_t i = 0; i < N; ++i) {
        a->offsets[i + 1] = a->offsets[i] + (i == 5 ? 0 : K);
        for (int64_t k = 0; k < a->offsets[i + 1] - a->offsets[i]; ++k)
            a->targets[a->offsets[i] + k] = (i + CLASSES * (1 + k)) % N;
    }
}

static double distance(const points *a, const double *M, int64_t i, int64_t j)
{
    double sum = 0.0;
    for (int64_t p = 0; p < D; ++p)
        for (int64_t q = 0; q < D; ++q)
            sum += (a->X[i * D + p] - a->X[j * D + p]) * M[p * D + q] *
                   (a->X[i * D + q] - a->X[j * D + q]);
    return sum;
}

/* w (x_i - x_j)(x_i - x_j)' to G. */
static void add(const points *a, double w, int64_t i, int64_t j, double *G)
{
    for (int64_t p = 0; p < D && G != NULL; ++p)
        for (int64_t q = 0; q < D; ++q)
            G[p * D + q] += w * (a->X[i * D + p] - a->X[j * D + p]) *
                            (a->X[i * D + q] - a->X[j * D + q]);
}

/* The objective of lmnn at M, over all triplets, and its gradient. */
static double lmnn_value(const points *a, double mu, const double *M, double *G,
                         int64_t *active)
{
    double sum = 0.0;
    *active = 0;
    for (int64_t i = 0; i < N; ++i)
        for (int64_t t = a->offsets[i]; t < a->offsets[i + 1]; ++t) {
            const int64_t j = a->targets[t];
            const double near = distance(a, M, i, j);
            sum += (1.0 - mu) * near;
            add(a, 1.0 - mu, i, j, G);
            for (int64_t l = 0; l < N; ++l) {
                const double over = 1.0 + near - distance(a, M, i, l);
                if (same(NULL, i, l) || over <= 0.0)
                    continue;
                sum += mu * over;
                add(a, mu, i, j, G);
                add(a, -mu, i, l, G);
                ++*active;
            }
        }
    return sum;
}

static void square(const double *B, int64_t rank, double *M)
{
    for (int64_t p = 0; p < D; ++p)
        for (int64_t q = 0; q < D; ++q) {
            M[p * D + q] = 0.0;
            for (int64_t k = 0; k < rank; ++k)
                M[p * D + q] += B[p * rank + k] * B[q * rank + k];
        }
}

/* Steps along the gradient, projected; longer after success, halved else. */
static double projected(akin_ctx *ctx, const points *a, double mu, int steps)
{
    double M[D * D] = {0}, next[D * D], V[D * D], lambda[D], step = 1e-3;
    int64_t active;
    for (int64_t j = 0; j < D; ++j)
        M[j * D + j] = 1.0;
    double best = lmnn_value(a, mu, M, NULL, &active);
    for (int s = 0; s < steps; ++s) {
        double G[D * D] = {0};
        lmnn_value(a, mu, M, G, &active);
        for (int64_t k = 0; k < D * D; ++k)
            V[k] = M[k] - step * G[k];
        assert_int_equal(ak_eigh(ctx, D, V, lambda), AKIN_OK);
        memset(next, 0, sizeof next);
        for (int64_t p = 0; p < D; ++p)
            for (int64_t q = 0; q < D; ++q)
                for (int64_t k = 0; k < D; ++k)
                    next[p * D + q] += fmax(0.0, lambda[k]) * V[p * D + k] *
                                       V[q * D + k];
        const double now = lmnn_value(a, mu, next, NULL, &active);
        if (now < best) {
            best = now;
            memcpy(M, next, sizeof M);
            step *= 1.01;
        } else {
            step *= 0.5;
        }
    }
    return best;
}

static ak_lmnn problem(const points *a, double *B, int64_t rank, double mu)
{
    memset(B, 0, (size_t)(D * rank) * sizeof *B);
    for (int64_t j = 0; j < rank; ++j)
        B[j * rank + j] = 1.0;
    return (ak_lmnn){.n = N,
                     .d = D,
                     .rank = rank,
                     .X = a->X,
                     .offsets = a->offsets,
                     .targets = a->targets,
                     .differ = differ,
                     .mu = mu,
                     .tol = 1e-8,
                     .max_iterations = 2000,
                     .B = B};
}

static void lmnn_finds_the_least_value(void **state)
{
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        const double mu = 0.3 + 0.05 * (double)seed;
        points a;
        double B[D * D], M[D * D];
        int64_t active;
        draw(&a, seed);
        ak_lmnn p = problem(&a, B, D, mu);
        assert_int_equal(ak_lmnn_run(&p, *state), AKIN_OK);
        square(B, D, M);
        const double value = lmnn_value(&a, mu, M, NULL, &active);
        assert_true(fabs(value - p.objective) <= 1e-9 * value);
        assert_true(llabs(active - p.active) <= 2);  // at the edge, rounding
        assert_true(value <= p.first);
        assert_true(value <= 1.001 * projected(*state, &a, mu, 3000));
    }
}

/* The same triplets, listed. */
static void lmnn_takes_a_list(void **state)
{
    points a;
    int64_t far_offsets[N * K + 1] = {0}, n = 0, active;
    static int64_t far[N * K * N];
    double B[D * 2], C[D * 2], M[D * D];
    draw(&a, 3);
    for (int64_t i = 0; i < N; ++i)
        for (int64_t t = a.offsets[i]; t < a.offsets[i + 1]; ++t) {
            for (int64_t l = 0; l < N; ++l)
                if (!same(NULL, i, l))
                    far[n++] = l;
            far_offsets[t + 1] = n;
        }
    ak_lmnn p = problem(&a, B, 2, 0.5), q = problem(&a, C, 2, 0.5);
    q.differ = NULL;
    q.far_offsets = far_offsets;
    q.far = far;
    p.max_iterations = q.max_iterations = 5;
    assert_int_equal(ak_lmnn_run(&p, *state), AKIN_OK);
    assert_int_equal(ak_lmnn_run(&q, *state), AKIN_OK);
    assert_true(fabs(p.objective - q.objective) <= 1e-6 * p.objective);
    square(C, 2, M);
    assert_true(fabs(lmnn_value(&a, 0.5, M, NULL, &active) - q.objective) <=
                1e-9 * q.objective);
}

/* (4) of learn/metric/nca.c. */
static double nca_value(const points *a, const double *M, double lambda,
                        int64_t rank, const double *B)
{
    double sum = 0.0, size = 0.0;
    for (int64_t i = 0; i < N; ++i) {
        double all = 0.0, good = 0.0;
        for (int64_t j = 0; j < N; ++j) {
            const double e = j == i ? 0.0 : exp(-distance(a, M, i, j));
            all += e;
            good += same(NULL, i, j) ? e : 0.0;
        }
        sum += good / all;
    }
    for (int64_t k = 0; k < D * rank; ++k)
        size += B[k] * B[k];
    return -sum / N + 0.5 * lambda / D * size;
}

static void nca_and_its_gradient(void **state)
{
    const ak_mark mark = ak_scratch_begin(*state);
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        enum { RANK = 3 };
        ak_rng r = ak_rng_new(seed, AK_STREAM_START);
        double B[D * RANK], M[D * D], G[D * RANK], H[D * RANK], F, left, right;
        points a;
        draw(&a, seed);
        for (int64_t k = 0; k < D * RANK; ++k)
            B[k] = 0.5 * ak_rng_normal(&r);
        ak_nca p = {.n = N,
                    .d = D,
                    .rank = RANK,
                    .X = a.X,
                    .same = same,
                    .lambda = 0.1 * (double)seed};
        assert_int_equal(ak_nca_begin(&p, *state), AKIN_OK);
        assert_int_equal(ak_nca_value(&p, *state, B, &F, G), AKIN_OK);
        square(B, RANK, M);
        assert_true(fabs(F - nca_value(&a, M, p.lambda, RANK, B)) < 1e-12);
        for (int64_t k = 0; k < D * RANK; ++k) {
            const double at = B[k], h = 1e-5;
            B[k] = at + h;
            ak_nca_value(&p, *state, B, &right, H);
            B[k] = at - h;
            ak_nca_value(&p, *state, B, &left, H);
            B[k] = at;
            assert_true(fabs((right - left) / (2.0 * h) - G[k]) < 1e-8);
        }
    }
    ak_scratch_end(*state, mark);
}

enum { MOON_ROWS = 120 };

/* Two half circles that interlock, with noise, one unit or less apart. */
static akin_rows *draw_moons(akin_ctx *ctx, uint64_t seed)
{
    static const char *const names[] = {"a", "b"};
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    const double noise = 0.25, scale = 0.25;
    float values[2 * MOON_ROWS];
    int32_t labels[MOON_ROWS];
    akin_rows *rows = NULL;
    for (int64_t i = 0; i < MOON_ROWS; ++i) {
        const double t = 3.14159 * ak_rng_unit(&r);
        const bool low = i % 2 == 1;
        const double x = low ? 1.0 - cos(t) : cos(t);
        const double y = low ? 0.5 - sin(t) : sin(t);
        labels[i] = low;
        values[2 * i] = (float)(scale * (x + noise * ak_rng_normal(&r)));
        values[2 * i + 1] = (float)(scale * (y + noise * ak_rng_normal(&r)));
    }
    assert_int_equal(akin_rows_new_dense(&rows, ctx, MOON_ROWS, 2, values),
                     AKIN_OK);
    assert_int_equal(akin_rows_set_labels(ctx, rows, labels, names, 2),
                     AKIN_OK);
    return rows;
}

/* The distance along the worst direction over that along the best one. */
static double shape_of(akin_ctx *ctx, const akin_rows *rows)
{
    enum { DIRECTIONS = 180 };
    float ends[2 * (DIRECTIONS + 1)] = {0};
    double least = INFINITY, most = 0.0;
    akin_supervision *data = NULL;
    akin_options *options = NULL;
    akin_rows *circle = NULL;
    akin_model *m = NULL;
    for (int i = 1; i <= DIRECTIONS; ++i) {
        ends[2 * i] = (float)cos(3.14159 * i / DIRECTIONS);
        ends[2 * i + 1] = (float)sin(3.14159 * i / DIRECTIONS);
    }
    assert_int_equal(akin_supervision_new(&data, ctx, rows, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(akin_options_new(&options, ctx, "nca"), AKIN_OK);
    assert_int_equal(akin_learn(&m, ctx, options, data, NULL), AKIN_OK);
    assert_int_equal(akin_rows_new_dense(&circle, ctx, DIRECTIONS + 1, 2, ends),
                     AKIN_OK);
    for (int64_t i = 1; i <= DIRECTIONS; ++i) {
        const int64_t ij[2] = {0, i};
        double score = 0.0;
        assert_int_equal(akin_model_score(&score, ctx, m, circle, circle, ij, 1,
                                          AKIN_BY_DEFAULT),
                         AKIN_OK);
        least = fmin(least, -score);
        most = fmax(most, -score);
    }
    akin_rows_free(circle);
    akin_model_free(m);
    akin_options_free(options);
    akin_supervision_free(data);
    return least / most;
}

static void nca_keeps_both_columns(void **state)
{
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        akin_rows *rows = draw_moons(*state, seed);
        const double shape = shape_of(*state, rows);
        if (shape < 1e-3)
            fail_msg("seed %d: one direction is %g of the other", (int)seed,
                     shape);
        akin_rows_free(rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lmnn_finds_the_least_value),
        cmocka_unit_test(lmnn_takes_a_list),
        cmocka_unit_test(nca_and_its_gradient),
        cmocka_unit_test(nca_keeps_both_columns),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
