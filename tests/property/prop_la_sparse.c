/* Every form of the sparse kernels equals the definition, bit for bit, on
 * random vectors. Each array ends where its heap block ends, so that reading
 * or writing too far is an error under AddressSanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/size.h"
#include "la/sparse.h"

enum { SLACK = 16, SEEDS = 1500 };

static uint64_t seed = SEEDS;  // of the round that runs

typedef struct vec {
    int64_t n;
    int32_t *cols;
    float *vals;
    void *blocks[2];
} vec;

/* `count` elements up to the end of a block, `off` elements into it. */
static void *at_end(void **block, int64_t count, size_t size, int64_t off)
{
    *block = malloc((size_t)(count + off) * size);
    assert_true(*block || count + off == 0);
    return (char *)*block + (size_t)off * size;
}

static float draw_value(ak_rng *r)
{
    static const float few[] = {-2.0f, -1.0f, -0.5f, 0.5f, 1.0f, 3.0f, 0.0f};
    const int64_t k = ak_rng_below(r, 14);  // half of few, half of any
    return k < 7 ? few[k] : (float)ak_rng_normal(r);
}

static int64_t draw_size(ak_rng *r)
{
    static const int64_t sizes[] = {0,  1,  2,   7,   8,   9,   15,  16,
                                    17, 31, 32,  33,  64,  100, 300, 300,
                                    40, 80, 511, 512, 513, 900, 1500};
    if (ak_rng_below(r, 40) == 0)
        return 20000;
    return sizes[ak_rng_below(r, (int64_t)(sizeof sizes / sizeof *sizes))];
}

static vec draw_vec(ak_rng *r, int64_t range)
{
    const int64_t n = draw_size(r);
    vec v = {.n = n};
    v.cols = at_end(&v.blocks[0], n, sizeof *v.cols, ak_rng_below(r, 17));
    v.vals = at_end(&v.blocks[1], n, sizeof *v.vals, ak_rng_below(r, 17));
    const int64_t gap = n > 0 ? ak_max_i64(range / n, 1) : 1;
    int64_t c = ak_rng_below(r, 3);
    for (int64_t i = 0; i < n; ++i) {
        v.cols[i] = (int32_t)c;
        v.vals[i] = draw_value(r);
        c += 1 + ak_rng_below(r, 2 * gap - 1);
    }
    if (n > 0 && ak_rng_below(r, 4) == 0)
        v.cols[n - 1] = INT32_MAX;
    return v;
}

static void free_vec(vec v)
{
    free(v.blocks[0]);
    free(v.blocks[1]);
}

static int by_column(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Position of column c, -1 when absent. */
static int64_t find(vec v, int32_t c)
{
    if (v.n == 0)
        return -1;
    const int32_t *at =
        bsearch(&c, v.cols, (size_t)v.n, sizeof *v.cols, by_column);
    return at ? at - v.cols : -1;
}

static double value_at(vec v, int32_t c)
{
    const int64_t i = find(v, c);
    return i < 0 ? 0.0 : (double)v.vals[i];
}

static void assert_same_bits(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static double sum8(const double *s)
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

static void check_hadamard(ak_rng *r, vec x, vec p, vec n)
{
    void *blocks[2];
    int32_t *cols =
        at_end(&blocks[0], x.n + SLACK, sizeof *cols, ak_rng_below(r, 16));
    double *vals =
        at_end(&blocks[1], x.n + SLACK, sizeof *vals, ak_rng_below(r, 8));
    const int64_t count = ak_hadamard(x.n, x.cols, x.vals, p.n, p.cols, p.vals,
                                      n.n, n.cols, n.vals, cols, vals);
    int64_t k = 0;
    for (int64_t i = 0; i < x.n; ++i) {
        const int32_t c = x.cols[i];
        const double v = (double)x.vals[i] * (value_at(p, c) - value_at(n, c));
        if (v == 0.0)
            continue;
        assert_true(k < count);
        assert_int_equal(cols[k], c);
        assert_same_bits(vals[k], v);
        ++k;
    }
    assert_int_equal(k, count);
    free(blocks[0]);
    free(blocks[1]);
}

/* Weights up to the last column that both have, at most a few thousand. */
static void check_sparse_dot(ak_rng *r, vec a, vec b, bool weighted)
{
    const int64_t d = 4096;
    void *block = NULL;
    double *w = weighted ? at_end(&block, d, sizeof *w, 1) : NULL;
    for (int64_t j = 0; weighted && j < d; ++j)
        w[j] = ak_rng_normal(r);
    while (weighted && a.n > 0 && a.cols[a.n - 1] >= d)
        --a.n;
    double s[8] = {0};
    int64_t k = 0;
    for (int64_t i = 0; i < a.n; ++i) {
        const int64_t j = find(b, a.cols[i]);
        if (j < 0)
            continue;
        const double ab = (double)a.vals[i] * (double)b.vals[j];
        s[k++ % 8] += weighted ? w[a.cols[i]] * ab : ab;
    }
    assert_same_bits(ak_sparse_dot(a.n, a.cols, a.vals, b.n, b.cols, b.vals, w),
                     sum8(s));
    free(block);
}

static void check_dots(ak_rng *r, int64_t n)
{
    void *blocks[3];
    double *a = at_end(&blocks[0], n, sizeof *a, ak_rng_below(r, 8));
    double *b = at_end(&blocks[1], n, sizeof *b, ak_rng_below(r, 8));
    int32_t *cols = at_end(&blocks[2], n, sizeof *cols, ak_rng_below(r, 16));
    double s[8] = {0}, g[8] = {0};
    for (int64_t k = 0; k < n; ++k) {
        a[k] = ak_rng_normal(r);
        b[k] = ak_rng_normal(r);
        cols[k] = (int32_t)ak_rng_below(r, n);
    }
    for (int64_t k = 0; k < n; ++k) {
        s[k % 8] += a[k] * b[k];
        g[k % 8] += b[cols[k]] * a[k];
    }
    assert_same_bits(ak_dot8(n, a, b), sum8(s));
    assert_same_bits(ak_gather_dot(n, cols, a, b), sum8(g));
    for (int i = 0; i < 3; ++i)
        free(blocks[i]);
}

static void check_seed(void)
{
    ak_rng r = ak_rng_new(seed, AK_STREAM_VALIDATE);
    const int64_t range = (int64_t)40 << ak_rng_below(&r, 16);
    const vec x = draw_vec(&r, range), n = draw_vec(&r, range);
    vec p = draw_vec(&r, range);
    if (ak_rng_below(&r, 4) == 0) {  // many exact cancellations
        free_vec(p);
        p = draw_vec(&r, range);
        for (int64_t i = 0; i < ak_min_i64(p.n, n.n); ++i)
            p.cols[i] = n.cols[i];
        p.n = ak_min_i64(p.n, n.n);
    }
    check_hadamard(&r, x, p, n);
    check_sparse_dot(&r, x, p, false);
    check_sparse_dot(&r, x, p, true);
    check_dots(&r, draw_size(&r));
    free_vec(x);
    free_vec(p);
    free_vec(n);
}

static int print_seed(void **state)
{
    (void)state;
    if (seed < SEEDS)
        print_error("seed %d\n", (int)seed);
    seed = SEEDS;
    return 0;
}

static void check_level(ak_la_level level)
{
    if (ak_la_best() < level)
        skip();
    ak_la_use(level);
    assert_int_equal(ak_la_level_now(), level);
    for (seed = 0; seed < SEEDS; ++seed)
        check_seed();
    ak_la_use(ak_la_best());
}

static void portable_is_the_definition(void **state)
{
    (void)state;
    check_level(AK_LA_PORTABLE);
}

static void avx2_is_the_definition(void **state)
{
    (void)state;
    check_level(AK_LA_AVX2);
}

static void avx512_is_the_definition(void **state)
{
    (void)state;
    check_level(AK_LA_AVX512);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(portable_is_the_definition, print_seed),
        cmocka_unit_test_teardown(avx2_is_the_definition, print_seed),
        cmocka_unit_test_teardown(avx512_is_the_definition, print_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
