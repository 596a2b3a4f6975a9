/* Triplets: each one is right, all are equally likely, none depends on how
 * many are drawn at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "data/supervision/supervision.h"

enum { MAX_ROWS = 12 };

typedef struct instance {
    akin_rows rows;
    int64_t offsets[MAX_ROWS + 1];
    int32_t labels[4 * MAX_ROWS];
} instance;

/* Random rows with up to `most` of `n_labels` labels each. */
static void fill(instance *x, ak_rng *r, int64_t n, int n_labels, int most)
{
    int64_t at = 0;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t end = at + ak_rng_below(r, most + 1);
        for (int k = 0; k < n_labels && at < end; ++k)
            if (ak_rng_below(r, n_labels - k) < end - at)
                x->labels[at++] = k;
        x->offsets[i + 1] = at;
    }
    x->rows = (akin_rows){.n = n,
                          .label_offsets = x->offsets,
                          .labels = x->labels,
                          .n_label_names = n_labels};
}

static int64_t shared(const akin_rows *r, int64_t i, int64_t j)
{
    int64_t n = 0;
    for (int64_t a = r->label_offsets[i]; a < r->label_offsets[i + 1]; ++a)
        for (int64_t b = r->label_offsets[j]; b < r->label_offsets[j + 1]; ++b)
            n += r->labels[a] == r->labels[b];
    return n;
}

static bool is_labelled(const akin_rows *r, int64_t i)
{
    return r->label_offsets[i + 1] > r->label_offsets[i];
}

static bool valid(const akin_rows *r, const int64_t *x)
{
    return x[0] != x[1] && shared(r, x[0], x[1]) > 0 && is_labelled(r, x[2]) &&
           shared(r, x[0], x[2]) == 0;
}

/* P(q, p, n) as the definition says, by counting. */
static double chance(const akin_rows *r, const int64_t *x)
{
    int64_t anchors = 0, negatives = 0, usable = 0;
    double partner = 0.0;
    if (!valid(r, x))
        return 0.0;
    for (int64_t q = 0; q < r->n; ++q) {
        bool with = false, without = false;
        for (int64_t i = 0; i < r->n; ++i) {
            with = with || (i != q && shared(r, q, i) > 0);
            without = without || (is_labelled(r, i) && !shared(r, q, i));
        }
        anchors += with && without;
        negatives += is_labelled(r, q) && shared(r, x[0], q) == 0;
    }
    for (int64_t a = r->label_offsets[x[0]]; a < r->label_offsets[x[0] + 1];
         ++a) {
        int64_t others = 0;
        bool has_p = false;
        for (int64_t i = 0; i < r->n; ++i)
            for (int64_t b = r->label_offsets[i]; b < r->label_offsets[i + 1];
                 ++b)
                if (i != x[0] && r->labels[b] == r->labels[a]) {
                    ++others;
                    has_p = has_p || i == x[1];
                }
        usable += others > 0;
        partner += has_p ? 1.0 / (double)others : 0.0;
    }
    return partner / (double)(usable * anchors * negatives);
}

/* chi^2 over all (q, p, n), against its mean plus six deviations. */
static void assert_fair(const akin_rows *r, const ak_sampler *s, uint64_t seed)
{
    enum { N = 100000 };
    static int64_t triplets[3 * N];
    static int64_t seen[MAX_ROWS * MAX_ROWS * MAX_ROWS];
    memset(seen, 0, sizeof seen);
    ak_sampler_draw(s, 0, N, triplets);
    for (int64_t t = 0; t < N; ++t) {
        const int64_t *x = triplets + 3 * t;
        if (!valid(r, x))
            fail_msg("seed %d: wrong triplet %d %d %d", (int)seed, (int)x[0],
                     (int)x[1], (int)x[2]);
        ++seen[(x[0] * r->n + x[1]) * r->n + x[2]];
    }
    double chi2 = 0.0, cells = -1.0;
    for (int64_t c = 0; c < r->n * r->n * r->n; ++c) {
        const int64_t x[3] = {c / r->n / r->n, c / r->n % r->n, c % r->n};
        const double want = N * chance(r, x), miss = (double)seen[c] - want;
        if (want == 0.0)
            continue;
        chi2 += miss * miss / want;
        ++cells;
    }
    if (chi2 > cells + 6.0 * sqrt(2.0 * cells + 1.0))
        fail_msg("seed %d: chi2 %g for %g cells", (int)seed, chi2, cells);
}

static void assert_positives(const akin_rows *r, const ak_sampler *s)
{
    unsigned char flags[MAX_ROWS], want[MAX_ROWS] = {0};
    ak_sampler_positives(s, flags);
    for (int64_t c = 0; c < r->n * r->n * r->n; ++c) {
        const int64_t x[3] = {c / r->n / r->n, c / r->n % r->n, c % r->n};
        if (chance(r, x) > 0.0)
            want[x[0]] = want[x[1]] = 1;
    }
    assert_memory_equal(flags, want, (size_t)r->n);
}

static void triplets_of_labels(int most)
{
    int drawn = 0;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        static instance x;
        ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
        akin_ctx *ctx = NULL;
        akin_supervision *s = NULL;
        ak_sampler *sampler = NULL;
        fill(&x, &r, 1 + ak_rng_below(&r, MAX_ROWS), 4, most);
        akin_ctx_new(&ctx, NULL);
        akin_ctx_set_seed(ctx, seed);
        akin_supervision_new(&s, ctx, &x.rows, NULL, NULL);
        const akin_status st = ak_sampler_new(&sampler, ctx, s);
        double total = 0.0;
        for (int64_t c = 0; c < x.rows.n * x.rows.n * x.rows.n; ++c)
            total += chance(&x.rows,
                            (int64_t[]){c / x.rows.n / x.rows.n,
                                        c / x.rows.n % x.rows.n, c % x.rows.n});
        assert_int_equal(st, total > 0.0 ? AKIN_OK : AKIN_EINVAL);
        if (st == AKIN_OK) {
            assert_true(fabs(total - 1.0) < 1e-9);
            assert_fair(&x.rows, sampler, seed);
            assert_positives(&x.rows, sampler);
            ++drawn;
        }
        ak_sampler_free(sampler);
        akin_supervision_free(s);
        akin_ctx_free(ctx);
    }
    assert_true(drawn >= 10);
}

static void single_labels_are_drawn_fairly(void **state)
{
    (void)state;
    triplets_of_labels(1);
}

static void several_labels_are_drawn_fairly(void **state)
{
    (void)state;
    triplets_of_labels(3);
}

/* One row among many shares nothing with the rest: the scan must find it. */
static void rare_negatives_are_found(void **state)
{
    (void)state;
    enum { N = 3000 };
    static int64_t offsets[N + 1];
    static int32_t labels[2 * N];
    for (int64_t i = 0; i < N; ++i) {
        labels[offsets[i]] = i == 17 ? 1 : 0;
        labels[offsets[i] + 1] = 2;
        offsets[i + 1] = offsets[i] + (i == 18 ? 2 : 1);
    }
    const akin_rows rows = {
        .n = N, .label_offsets = offsets, .labels = labels, .n_label_names = 3};
    akin_ctx *ctx = NULL;
    akin_supervision *s = NULL;
    ak_sampler *sampler = NULL;
    int64_t triplets[300];
    akin_ctx_new(&ctx, NULL);
    akin_supervision_new(&s, ctx, &rows, NULL, NULL);
    assert_int_equal(ak_sampler_new(&sampler, ctx, s), AKIN_OK);
    ak_sampler_draw(sampler, 0, 100, triplets);
    for (int t = 0; t < 100; ++t)
        assert_int_equal(triplets[3 * t + 2], 17);
    ak_sampler_free(sampler);
    akin_supervision_free(s);
    akin_ctx_free(ctx);
}

static void numbers_alone_decide(void **state)
{
    (void)state;
    static instance x;
    ak_rng r = ak_rng_new(5, AK_STREAM_SYNTH);
    akin_ctx *ctx = NULL;
    akin_supervision *s = NULL;
    ak_sampler *a = NULL, *b = NULL;
    int64_t whole[3000], parts[3000];
    fill(&x, &r, MAX_ROWS, 3, 1);
    akin_ctx_new(&ctx, NULL);
    akin_supervision_new(&s, ctx, &x.rows, NULL, NULL);
    assert_int_equal(ak_sampler_new(&a, ctx, s), AKIN_OK);
    assert_int_equal(ak_sampler_pass(a), 10000);
    ak_sampler_draw(a, 0, 1000, whole);
    for (int64_t t = 999; t >= 0; --t)
        ak_sampler_draw(a, t, 1, parts + 3 * t);
    assert_memory_equal(whole, parts, sizeof whole);
    akin_ctx_set_seed(ctx, 2);
    akin_supervision_sample(s, 77, 0);
    assert_int_equal(ak_sampler_new(&b, ctx, s), AKIN_OK);
    assert_int_equal(ak_sampler_pass(b), 77);
    ak_sampler_draw(b, 0, 1000, parts);
    assert_memory_not_equal(whole, parts, sizeof whole);
    ak_sampler_free(a);
    ak_sampler_free(b);
    akin_supervision_free(s);
    akin_ctx_free(ctx);
}

static void given_examples_become_triplets(void **state)
{
    (void)state;
    const akin_rows rows = {.n = 5};
    const int64_t triplets[] = {0, 1, 2, 3, 2, 1};
    const int64_t quadruplets[] = {0, 1, 0, 2, 3, 2, 3, 1, 0, 1, 2, 3};
    akin_ctx *ctx = NULL;
    akin_supervision *s = NULL;
    ak_sampler *a = NULL;
    int64_t x[12];
    unsigned char flags[5];
    akin_ctx_new(&ctx, NULL);
    akin_supervision_new(&s, ctx, &rows, NULL, NULL);
    assert_int_equal(ak_sampler_new(&a, ctx, s), AKIN_EINVAL);
    for (int round = 0; round < 2; ++round) {
        akin_supervision_set(ctx, s, round ? AKIN_QUADRUPLETS : AKIN_TRIPLETS,
                             round ? quadruplets : triplets, 2);
        assert_int_equal(ak_sampler_new(&a, ctx, s), AKIN_OK);
        assert_int_equal(ak_sampler_pass(a), 2);
        ak_sampler_draw(a, 1, 4, x);
        assert_memory_equal(x, triplets + 3, 3 * sizeof *x);
        assert_memory_equal(x + 3, triplets, sizeof triplets);
        ak_sampler_positives(a, flags);
        assert_memory_equal(flags, "\1\1\1\1\0", 5);
        ak_sampler_free(a);
    }
    akin_supervision_set(ctx, s, AKIN_QUADRUPLETS, quadruplets, 3);
    assert_int_equal(ak_sampler_new(&a, ctx, s), AKIN_EINVAL);
    akin_supervision_set(ctx, s, AKIN_TRIPLETS, NULL, 0);
    assert_int_equal(ak_sampler_new(&a, ctx, s), AKIN_EINVAL);
    akin_supervision_free(s);
    akin_ctx_free(ctx);
}

static void pairs_become_triplets(void **state)
{
    (void)state;
    const akin_rows rows = {.n = 5}, right = {.n = 5};
    const int64_t pairs[] = {0, 1, 1, 2, 1, -1, 0, 3, 1, 4, 0, -1, 0, 2, -1};
    akin_ctx *ctx = NULL;
    akin_supervision *s = NULL;
    ak_sampler *a = NULL;
    static int64_t x[3 * 5000];
    for (int two = 0; two < 2; ++two) {
        int64_t seen[5][5][5] = {0};
        akin_ctx_new(&ctx, NULL);
        akin_supervision_new(&s, ctx, &rows, two ? &right : NULL, NULL);
        akin_supervision_set(ctx, s, AKIN_PAIRS, pairs, 5);
        assert_int_equal(ak_sampler_new(&a, ctx, s), AKIN_OK);
        ak_sampler_draw(a, 0, 5000, x);
        for (int t = 0; t < 5000; ++t)
            ++seen[x[3 * t]][x[3 * t + 1]][x[3 * t + 2]];
        /* With one file (1, 0) is a positive pair with the negative (1, 2),
         * and row 0 has the negatives 2 and 4. */
        const int64_t one = seen[1][0][2], zero = seen[0][1][2] +
                                                  seen[0][1][4] +
                                                  seen[0][3][2] + seen[0][3][4];
        assert_int_equal(one + zero, 5000);
        assert_true(two ? one == 0 : one > 1500 && one < 1850);
        ak_sampler_free(a);
        akin_supervision_set(ctx, s, AKIN_PAIRS, pairs, 1);
        assert_int_equal(ak_sampler_new(&a, ctx, s), AKIN_EINVAL);
        akin_supervision_free(s);
        akin_ctx_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_labels_are_drawn_fairly),
        cmocka_unit_test(several_labels_are_drawn_fairly),
        cmocka_unit_test(rare_negatives_are_found),
        cmocka_unit_test(numbers_alone_decide),
        cmocka_unit_test(given_examples_become_triplets),
        cmocka_unit_test(pairs_become_triplets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
