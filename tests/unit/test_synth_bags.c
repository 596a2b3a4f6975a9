/* Synthetic bags: same for any number of threads, of the asked structure. */
#include <akin/synth.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "data/rows.h"
#include "synth/alias.h"

static akin_rows *synth(akin_synth_bags_options o, const akin_rows *like)
{
    akin_rows *rows = NULL;
    if (akin_synth_bags(&rows, ctx, like, &o) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    for (int64_t i = 0; i < rows->n; ++i)
        for (int64_t k = rows->offsets[i]; k < rows->offsets[i + 1]; ++k) {
            assert_in_range(rows->cols[k], 0, rows->d - 1);
            assert_true(rows->vals[k] >= 1.0f);
            assert_true(k == rows->offsets[i] ||
                        rows->cols[k - 1] < rows->cols[k]);
        }
    return rows;
}

static void draws_follow_the_weights(void **state)
{
    (void)state;
    enum { N = 7, DRAWS = 700000 };
    const double weights[N] = {0.0, 1.0, 0.5, 3.0, 1e-3, 2.0, 0.0};
    double w[N];
    int64_t seen[N] = {0};
    ak_alias a;
    ak_rng r = ak_rng_new(1, AK_STREAM_SYNTH);
    memcpy(w, weights, sizeof w);
    assert_int_equal(ak_alias_new(&a, ctx, N, w), AKIN_OK);
    for (int i = 0; i < DRAWS; ++i)
        ++seen[ak_alias_draw(&a, &r)];
    for (int i = 0; i < N; ++i) {
        const double want = weights[i] / 6.501 * DRAWS;
        assert_true(fabs((double)seen[i] - want) <= 5.0 * sqrt(want));
    }
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    akin_rows *want = NULL;
    o.rows = 10000;
    o.words = 40;
    for (int64_t threads = 1; threads <= 4; ++threads) {
        akin_ctx_set_threads(ctx, threads);
        akin_rows *rows = synth(o, NULL);
        if (want != NULL) {
            const size_t n = (size_t)want->offsets[want->n];
            assert_memory_equal(rows->offsets, want->offsets,
                                (size_t)(want->n + 1) * sizeof *rows->offsets);
            assert_memory_equal(rows->cols, want->cols, n * sizeof(int32_t));
            assert_memory_equal(rows->vals, want->vals, n * sizeof(float));
        }
        akin_rows_free(threads == 1 ? NULL : rows);
        want = threads == 1 ? rows : want;
    }
    akin_ctx_set_seed(ctx, 2);
    akin_rows *other = synth(o, NULL);
    assert_true(other->offsets[other->n] != want->offsets[want->n]);
    akin_rows_free(other);
    akin_rows_free(want);
}

static double total(const akin_rows *r)
{
    double sum = 0.0;
    for (int64_t k = 0; k < r->offsets[r->n]; ++k)
        sum += (double)r->vals[k];
    return sum;
}

static int by_falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void frequencies_follow_the_power_law(void **state)
{
    (void)state;
    enum { D = 1000 };
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    double count[D] = {0}, norm = 0.0;
    o.rows = 4000;
    o.dim = D;
    o.classes = 0;
    o.exponent = 1.2;
    akin_rows *rows = synth(o, NULL);
    assert_int_equal(akin_rows_label_count(rows), 0);
    assert_true(fabs(total(rows) / 4000.0 - 300.0) < 6.0);
    for (int64_t k = 0; k < rows->offsets[rows->n]; ++k)
        count[rows->cols[k]] += (double)rows->vals[k];
    assert_true(count[0] < count[1] || count[1] < count[2] ||
                count[2] < count[3]);  // words are in no order of frequency
    qsort(count, D, sizeof *count, by_falling);
    for (int rank = 1; rank <= D; ++rank)
        norm += pow(rank + 10.0, -1.2);
    for (int rank = 1; rank <= D; rank *= 3) {
        const double want = total(rows) * pow(rank + 10.0, -1.2) / norm;
        assert_true(fabs(count[rank - 1] / want - 1.0) < 0.1);
    }
    akin_rows_free(rows);
}

static void classes_share_their_words(void **state)
{
    (void)state;
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    o.rows = 600;
    o.classes = 3;
    o.signal = 0.5;
    o.class_words = 50;
    akin_rows *rows = synth(o, NULL);
    assert_int_equal(akin_rows_label_count(rows), 3);
    assert_string_equal(akin_rows_label_name(rows, 2), "2");
    /* Common words of two bags of one class, and of two classes. */
    double same = 0.0, other = 0.0;
    for (int64_t i = 0; i + 3 < rows->n; ++i)
        for (int64_t j = i + 1; j <= i + 3; ++j) {
            double dot = 0.0;
            for (int64_t a = rows->offsets[i], b = rows->offsets[j];
                 a < rows->offsets[i + 1] && b < rows->offsets[j + 1];) {
                dot += rows->cols[a] == rows->cols[b];
                const bool low = rows->cols[a] <= rows->cols[b];
                b += rows->cols[a] >= rows->cols[b];
                a += low;
            }
            assert_int_equal(rows->labels[i] == rows->labels[j], j == i + 3);
            *(j == i + 3 ? &same : &other) += dot;
        }
    assert_true(same > 1.5 * other / 2.0);
    akin_rows_free(rows);
}

static void bursts_repeat_words(void **state)
{
    (void)state;
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    double repeats[2];
    for (int k = 0; k < 2; ++k) {
        o.burst = k ? 0.6 : 0.0;
        akin_rows *rows = synth(o, NULL);
        repeats[k] = total(rows) / (double)rows->offsets[rows->n];
        akin_rows_free(rows);
    }
    assert_true(repeats[1] > 1.8 * repeats[0]);
}

static void bags_are_like_others(void **state)
{
    (void)state;
    const int64_t offsets[] = {0, 2, 4};
    const int32_t cols[] = {1, 4, 4, 5};
    const float vals[] = {1, 9, 29, 1};
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    akin_rows *like = NULL;
    double count[6] = {0};
    akin_rows_new_sparse(&like, ctx, 2, 6, offsets, cols, vals);
    o.rows = 5000;
    o.classes = 0;
    akin_rows *rows = synth(o, like);
    assert_int_equal(rows->d, 6);
    for (int64_t i = 0; i < rows->n; ++i) {
        double size = 0.0;
        for (int64_t k = rows->offsets[i]; k < rows->offsets[i + 1]; ++k) {
            count[rows->cols[k]] += (double)rows->vals[k];
            size += (double)rows->vals[k];
        }
        assert_true(size == 10.0 || size == 30.0);
    }
    assert_true(count[0] == 0.0 && count[2] == 0.0 && count[3] == 0.0);
    assert_true(fabs(count[1] / total(rows) - 1.0 / 40.0) < 0.002);
    assert_true(fabs(count[4] / total(rows) - 38.0 / 40.0) < 0.002);
    akin_rows_free(rows);
    like->vals[0] = -1.0f;
    assert_int_equal(akin_synth_bags(&rows, ctx, like, &o), AKIN_EINVAL);
    akin_rows_free(like);
}

static void repeats_are_measured(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
        o.classes = 0;
        o.rows = 2000;
        o.dim = k < 2 ? 300 : 100000;
        o.burst = k % 2 ? 0.5 : 0.0;
        akin_rows *like = synth(o, NULL);
        akin_rows *rows = synth(o, like);
        const double ratio = (double)rows->offsets[2000] /
                             (double)like->offsets[2000];
        assert_true(fabs(total(rows) / total(like) - 1.0) < 0.03);
        if (fabs(ratio - 1.0) > 0.03)
            fail_msg("burst %g: %g times the different words", o.burst, ratio);
        akin_rows_free(rows);
        akin_rows_free(like);
    }
}

static void wrong_options_are_named(void **state)
{
    (void)state;
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    akin_rows *rows = NULL;
    o.burst = 1.0;
    assert_int_equal(akin_synth_bags(&rows, ctx, NULL, &o), AKIN_EINVAL);
    assert_string_equal(akin_ctx_message(ctx),
                        "`burst` is 1 (expected 0 to 0.99)");
    o.burst = NAN;
    assert_int_equal(akin_synth_bags(&rows, ctx, NULL, &o), AKIN_EINVAL);
    o.burst = 0.0;
    o.rows = 0;
    assert_int_equal(akin_synth_bags(&rows, ctx, NULL, &o), AKIN_EINVAL);
    o.rows = 1;
    o.classes = INT32_MAX;
    assert_int_equal(akin_synth_bags(&rows, ctx, NULL, &o), AKIN_EINVAL);
    assert_null(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(draws_follow_the_weights),
        CONTEXT_CASE(threads_do_not_matter),
        CONTEXT_CASE(frequencies_follow_the_power_law),
        CONTEXT_CASE(classes_share_their_words),
        CONTEXT_CASE(bursts_repeat_words),
        CONTEXT_CASE(bags_are_like_others),
        CONTEXT_CASE(repeats_are_measured),
        CONTEXT_CASE(wrong_options_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
