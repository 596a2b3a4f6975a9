/* Codebooks: the nearest word is the nearest, iterations do not make it worse,
 * and no word stays without a point while points lie away from words. */
#include "support.h"

#include <math.h>

#include "base/ctx.h"
#include "cluster/kmeans.h"
#include "faulty.h"

enum { N = 900, D = 10, K = 40 };

/* Points around 30 places. */
static float *heaps(uint64_t seed, int64_t n)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    float places[30][D];
    float *x = calloc((size_t)(n * D), sizeof *x);
    for (int i = 0; i < 30 * D; ++i)
        places[i / D][i % D] = (float)(20.0 * ak_rng_normal(&rng));
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < D; ++j)
            x[i * D + j] = places[i % 30][j] +
                           (float)(3.0 * ak_rng_normal(&rng));
    return x;
}

static ak_points points_of(const float *x, int64_t n)
{
    return (ak_points){.n = n, .d = D, .f32 = x};
}

static double distance(const float *x, const float *w)
{
    double sum = 0.0;
    for (int j = 0; j < D; ++j)
        sum += ((double)x[j] - (double)w[j]) * ((double)x[j] - (double)w[j]);
    return sum;
}

static double nearest(const ak_codebook *c, const float *x)
{
    double best = INFINITY;
    for (int64_t w = 0; w < c->k; ++w)
        best = fmin(best, distance(x, c->at + w * D));
    return best;
}

/* Mean of (distance to the word) and of (distance to the nearest one). */
static void compare(akin_ctx *ctx, const ak_codebook *c, const float *x,
                    int64_t n, double *got, double *least)
{
    const ak_points p = points_of(x, n);
    int32_t *word = calloc((size_t)n, sizeof *word);
    float *far = calloc((size_t)n, sizeof *far);
    assert_int_equal(ak_codebook_assign(c, ctx, &p, word, far), AKIN_OK);
    *got = *least = 0.0;
    for (int64_t i = 0; i < n; ++i) {
        const double is = distance(x + i * D, c->at + word[i] * D);
        assert_true(fabs(is - (double)far[i]) <= 1e-5 * (1.0 + is));
        *got += is / (double)n;
        *least += nearest(c, x + i * D) / (double)n;
    }
    free(word);
    free(far);
}

static ak_codebook *cluster(akin_ctx *ctx, const float *x, int64_t n,
                            ak_kmeans_options o, ak_kmeans_info *info)
{
    const ak_points p = points_of(x, n);
    ak_codebook *c = NULL;
    assert_int_equal(ak_kmeans(&c, ctx, &p, &o, info), AKIN_OK);
    return c;
}

static void nearest_word_is_the_nearest(void **state)
{
    float *x = heaps(1, N);
    ak_kmeans_info info;
    double got, least;
    ak_codebook *c = cluster(
        *state, x, N, (ak_kmeans_options){.k = K, .iterations = 3}, &info);
    compare(*state, c, x, N, &got, &least);
    assert_true(got - least <= 1e-6 * least);
    ak_codebook_free(c);
    free(x);
}

static void all_cells_are_exact_and_few_are_close(void **state)
{
    enum { MANY = 20000 };
    float *x = heaps(2, MANY);
    ak_kmeans_info info;
    double got, least;
    for (int64_t probe = 2; probe <= 128; probe *= 8) {
        const ak_kmeans_options o = {.k = 600, .iterations = 2, .probe = probe};
        ak_codebook *c = cluster(*state, x, MANY, o, &info);
        compare(*state, c, x, 3000, &got, &least);
        assert_true(got <= (probe == 2    ? 1.3
                            : probe == 16 ? 1.01
                                          : 1.000001) *
                               least);
        for (int64_t i = 0; i < c->cells->k; ++i)
            assert_true(c->cell_offsets[i] <= c->cell_offsets[i + 1]);
        assert_int_equal(c->cell_offsets[c->cells->k], 600);
        ak_codebook_free(c);
    }
    free(x);
}

static void inertia_falls_until_nothing_moves(void **state)
{
    float *x = heaps(3, N);
    const ak_points p = points_of(x, N);
    const ak_kmeans_options one = {.iterations = 1};
    double before = INFINITY;
    ak_kmeans_info info;
    ak_codebook *c = cluster(
        *state, x, N,
        (ak_kmeans_options){.k = K, .iterations = 1, .start = AK_START_PLUS},
        &info);
    for (int t = 0; t < 30; ++t) {
        assert_int_equal(ak_kmeans_improve(c, *state, &p, &one, &info),
                         AKIN_OK);
        assert_true(info.inertia <= before * (1.0 + 1e-6));
        before = info.inertia;
    }
    const ak_kmeans_options more = {.iterations = 100, .tolerance = 1e-9};
    assert_int_equal(ak_kmeans_improve(c, *state, &p, &more, &info), AKIN_OK);
    assert_true(info.converged);
    assert_true(info.inertia < 1.2 * D * 9.0);  // the heaps' own
    ak_codebook_free(c);
    free(x);
}

static void words_without_points_find_some(void **state)
{
    enum { PLACES = 25 };
    float x[PLACES * 8 * D];
    ak_rng rng = ak_rng_new(4, AK_STREAM_SYNTH);
    for (int i = 0; i < PLACES * 8; ++i)  // each place eight times
        for (int j = 0; j < D; ++j)
            x[i * D + j] = i < PLACES ? (float)ak_rng_normal(&rng)
                                      : x[i % PLACES * D + j];
    ak_kmeans_info info;
    ak_codebook *c = cluster(*state, x, PLACES * 8,
                             (ak_kmeans_options){.k = PLACES, .iterations = 40},
                             &info);
    assert_true(info.inertia < 1e-9);  // a word for each place
    assert_true(info.repaired > 0);
    ak_codebook_free(c);
    c = cluster(*state, x, PLACES * 8,
                (ak_kmeans_options){.k = PLACES * 8, .iterations = 5}, &info);
    assert_true(info.inertia < 1e-9);
    ak_codebook_free(c);
}

static void batches_come_close(void **state)
{
    enum { MANY = 20000 };
    float *x = heaps(5, MANY);
    ak_kmeans_info info;
    double full, least, some;
    const ak_kmeans_options all = {
        .k = 30, .iterations = 20, .start = AK_START_PLUS};
    ak_kmeans_options batch = all;
    batch.batch = 2000;
    batch.iterations = 31;  // three times all of them
    for (batch.probe = 0; batch.probe <= 6; batch.probe += 6) {
        ak_codebook *a = cluster(*state, x, MANY, all, &info);
        ak_codebook *b = cluster(*state, x, MANY, batch, &info);
        compare(*state, a, x, MANY, &full, &least);
        compare(*state, b, x, MANY, &some, &least);
        assert_true(some < 1.01 * full);
        ak_codebook_free(a);
        ak_codebook_free(b);
    }
    free(x);
}

static void bytes_are_numbers(void **state)
{
    uint8_t bytes[N * D];
    float *x = heaps(6, N);
    ak_kmeans_info info[2];
    ak_codebook *c[2] = {NULL, NULL};
    for (int i = 0; i < N * D; ++i) {
        bytes[i] = (uint8_t)fmaxf(0.0F, fminf(255.0F, x[i] + 100.0F));
        x[i] = (float)bytes[i];
    }
    const ak_points p[2] = {points_of(x, N), {.n = N, .d = D, .u8 = bytes}};
    for (int i = 0; i < 2; ++i)
        assert_int_equal(
            ak_kmeans(&c[i], *state, &p[i],
                      &(ak_kmeans_options){.k = K, .iterations = 5}, &info[i]),
            AKIN_OK);
    assert_memory_equal(c[0]->at, c[1]->at, K * D * sizeof(float));
    ak_codebook_free(c[0]);
    ak_codebook_free(c[1]);
    free(x);
}

static ak_codebook *cluster_on(int64_t threads, const float *x, int64_t n,
                               ak_kmeans_options o)
{
    akin_ctx *ctx = NULL;
    ak_kmeans_info info;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    akin_ctx_set_threads(ctx, threads);
    ak_codebook *c = cluster(ctx, x, n, o, &info);
    akin_ctx_free(ctx);
    return c;
}

static void threads_do_not_matter(void **state)
{
    enum { MANY = 20000, WORDS = 300 };
    float *x = heaps(7, MANY);
    ak_kmeans_options o = {.k = WORDS, .iterations = 3, .probe = 4};
    for (; o.batch <= 9000; o.batch += 9000) {
        ak_codebook *one = cluster_on(1, x, MANY, o);
        ak_codebook *three = cluster_on(3, x, MANY, o);
        assert_memory_equal(one->at, three->at, WORDS * D * sizeof(float));
        ak_codebook_free(one);
        ak_codebook_free(three);
    }
    free(x);
    (void)state;
}

static void file_brings_the_same_words(void **state)
{
    float *x = heaps(8, N);
    ak_kmeans_info info;
    ak_tensors *t = NULL;
    ak_codebook *again = NULL;
    ak_codebook *c = cluster(
        *state, x, N, (ak_kmeans_options){.k = K, .iterations = 2, .probe = 3},
        &info);
    assert_int_equal(ak_tensors_new(&t, *state), AKIN_OK);
    assert_int_equal(ak_codebook_put(c, *state, t), AKIN_OK);
    assert_int_equal(ak_codebook_take(&again, *state, t), AKIN_OK);
    assert_int_equal(again->probe, 3);
    assert_memory_equal(again->at, c->at, K * D * sizeof(float));
    assert_memory_equal(again->half, c->half, K * sizeof(float));
    ak_codebook_free(again);
    again = NULL;
    c->cell_offsets[1] = K + 1;
    assert_int_equal(ak_codebook_take(&again, *state, t), AKIN_EFORMAT);
    c->at[3] = NAN;
    assert_int_equal(ak_codebook_take(&again, *state, t), AKIN_EFORMAT);
    assert_null(again);
    ak_tensors_free(t);
    ak_codebook_free(c);
    free(x);
}

static void more_words_than_points_are_refused(void **state)
{
    float *x = heaps(9, N);
    const ak_points p = points_of(x, N);
    ak_kmeans_info info;
    ak_codebook *c = NULL;
    for (int64_t k = 0; k <= N + 1; k += N + 1)
        assert_int_equal(
            ak_kmeans(&c, *state, &p,
                      &(ak_kmeans_options){.k = k, .iterations = 1}, &info),
            AKIN_EINVAL);
    assert_null(c);
    free(x);
}

static akin_status cluster_and_keep(akin_ctx *ctx, void *arg)
{
    const ak_points p = points_of(arg, N);
    const ak_kmeans_options o = {
        .k = 20, .iterations = 2, .probe = 2, .batch = 500};
    ak_codebook *c = NULL;
    ak_kmeans_info info;
    const akin_status st = ak_kmeans(&c, ctx, &p, &o, &info);
    ak_codebook_free(c);
    return st;
}

static void every_failed_allocation_is_survived(void **state)
{
    float *x = heaps(10, N);
    assert_in_range(faulty_run(cluster_and_keep, x), 5, 200);
    free(x);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_word_is_the_nearest),
        cmocka_unit_test(all_cells_are_exact_and_few_are_close),
        cmocka_unit_test(inertia_falls_until_nothing_moves),
        cmocka_unit_test(words_without_points_find_some),
        cmocka_unit_test(batches_come_close),
        cmocka_unit_test(bytes_are_numbers),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(file_brings_the_same_words),
        cmocka_unit_test(more_words_than_points_are_refused),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
