/* Verification of pairs against slow counting, over scores with many ties. */
#include "support.h"

#include <akin/eval.h>
#include <math.h>

#include "base/rng.h"

enum { MOST = 60, RUNS = 200 };

typedef struct instance {
    int64_t n, pairs[3 * MOST];
    double s[MOST];
} instance;

static instance draw(uint64_t seed)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_PAIRS);
    instance x = {.n = 8 + ak_rng_below(&rng, MOST - 8)};
    for (int64_t t = 0; t < x.n; ++t) {
        x.pairs[3 * t + 2] = t % 2 == 0 ? 1 : -1;
        x.s[t] = (double)ak_rng_below(&rng, 12) + (t % 2 == 0 ? 3.0 : 0.0);
    }
    return x;
}

static bool matches(const instance *x, int64_t t)
{
    return x->pairs[3 * t + 2] > 0;
}

/* Pairs of fold f (or of all others) told right; f is -1 for none. */
static int64_t right_at(const instance *x, double threshold, int64_t folds,
                        int64_t f, bool inside)
{
    int64_t right = 0;
    for (int64_t t = 0; t < x->n; ++t)
        if ((t * folds / x->n == f) == inside)
            right += (x->s[t] >= threshold) == matches(x, t);
    return right;
}

/* The next lower score outside the fold, halfway, or minus infinity. */
static double between(const instance *x, double above, int64_t folds, int64_t f)
{
    double next = -INFINITY;
    for (int64_t t = 0; t < x->n; ++t)
        if (t * folds / x->n != f && x->s[t] < above)
            next = fmax(next, x->s[t]);
    return 0.5 * above + 0.5 * next;
}

/* The highest of the best thresholds, by trying all. */
static double slow_threshold(const instance *x, int64_t folds, int64_t f)
{
    double best = INFINITY;
    int64_t most = right_at(x, best, folds, f, false);
    for (double s = 20.0; s >= 0.0; s -= 1.0) {
        bool there = false;
        for (int64_t t = 0; t < x->n; ++t)
            there |= x->s[t] == s && t * folds / x->n != f;
        const int64_t right = right_at(x, s, folds, f, false);
        if (there && right > most) {
            most = right;
            best = between(x, s, folds, f);
        }
    }
    return best;
}

static void folds_are_judged_by_the_others(void **state)
{
    for (uint64_t seed = 0; seed < RUNS; ++seed) {
        const instance x = draw(seed);
        const int64_t folds = 2 + (int64_t)(seed % 3);
        double a[5], mean = 0.0, variance = 0.0;
        akin_verification v;
        for (int64_t f = 0; f < folds; ++f) {
            int64_t n = 0;
            for (int64_t t = 0; t < x.n; ++t)
                n += t * folds / x.n == f;
            const double threshold = slow_threshold(&x, folds, f);
            a[f] = (double)right_at(&x, threshold, folds, f, true) / (double)n;
            mean += a[f] / (double)folds;
        }
        for (int64_t f = 0; f < folds; ++f)
            variance += (a[f] - mean) * (a[f] - mean) / (double)(folds - 1);
        assert_int_equal(akin_eval_verify(&v, *state, x.s, x.pairs, x.n, folds),
                         AKIN_OK);
        if (fabs(v.accuracy - mean) > 1e-12)
            fail_msg("seed %d: %g, not %g", (int)seed, v.accuracy, mean);
        assert_true(fabs(v.accuracy_se - sqrt(variance / (double)folds)) <
                    1e-7);
    }
}

/* Shares of others and of matches that a threshold lets pass. */
static void rates(const instance *x, double threshold, double *other,
                  double *match)
{
    double n[2] = {0.0, 0.0}, passed[2] = {0.0, 0.0};
    for (int64_t t = 0; t < x->n; ++t) {
        n[matches(x, t)] += 1.0;
        passed[matches(x, t)] += x->s[t] >= threshold;
    }
    *other = passed[0] / n[0];
    *match = passed[1] / n[1];
}

/* Threshold and rates by counting: of all pairs, and over the folds. */
static void rates_are_those_of_the_threshold(void **state)
{
    for (uint64_t seed = 0; seed < RUNS; ++seed) {
        const instance x = draw(seed);
        const int64_t folds = 2 + (int64_t)(seed % 3);
        double other, match, n_match = 0.0, n_other = 0.0;
        double missed = 0.0, same = 0.0;
        akin_verification v, given;
        assert_int_equal(akin_eval_verify(&v, *state, x.s, x.pairs, x.n, 0),
                         AKIN_OK);
        rates(&x, v.threshold, &other, &match);
        assert_true(isfinite(v.threshold));
        assert_true(v.false_match_rate == other);
        assert_true(fabs(v.miss_rate - (1.0 - match)) < 1e-12);
        assert_true(fabs((double)right_at(&x, v.threshold, 1, -1, false) -
                         v.accuracy * (double)x.n) < 1e-9);
        assert_int_equal(
            akin_eval_threshold(&given, *state, x.s, x.pairs, x.n, v.threshold),
            AKIN_OK);
        assert_true(given.accuracy == v.accuracy && given.auc == v.auc &&
                    given.miss_rate == v.miss_rate &&
                    given.false_match_rate == v.false_match_rate);
        for (int64_t t = 0; t < x.n; ++t) {
            const double s = slow_threshold(&x, folds, t * folds / x.n);
            n_match += matches(&x, t);
            n_other += !matches(&x, t);
            missed += matches(&x, t) && x.s[t] < s;
            same += !matches(&x, t) && x.s[t] >= s;
        }
        assert_int_equal(akin_eval_verify(&v, *state, x.s, x.pairs, x.n, folds),
                         AKIN_OK);
        assert_true(fabs(v.miss_rate - missed / n_match) < 1e-12);
        assert_true(fabs(v.false_match_rate - same / n_other) < 1e-12);
    }
}

/* Where it is best to call all pairs alike, the threshold is a number. */
static void a_threshold_is_finite(void **state)
{
    static const int64_t pairs[] = {0, 0, 1, 0, 0, -1, 0, 0, -1};
    static const double up[] = {3.0, 1.0, 2.0}, down[] = {1.0, 2.0, 3.0};
    static const int64_t most[] = {0, 0, 1, 0, 0, 1, 0, 0, -1};
    akin_verification v;
    assert_int_equal(akin_eval_verify(&v, *state, up, pairs, 3, 0), AKIN_OK);
    assert_true(v.accuracy == 1.0 && v.threshold == 2.5);
    assert_int_equal(akin_eval_verify(&v, *state, down, pairs, 3, 0), AKIN_OK);
    assert_true(v.threshold > 3.0 && isfinite(v.threshold));
    assert_true(v.miss_rate == 1.0 && v.false_match_rate == 0.0);
    assert_int_equal(akin_eval_verify(&v, *state, down, most, 3, 0), AKIN_OK);
    assert_true(v.threshold == 1.0);
    assert_true(v.miss_rate == 0.0 && v.false_match_rate == 1.0);
}

static void the_curve_holds_every_threshold(void **state)
{
    for (uint64_t seed = 0; seed < RUNS; ++seed) {
        const instance x = draw(seed);
        double f[MOST + 2], t[MOST + 2], other, match;
        double under = 0.0, over = 1.0;
        int64_t n;
        akin_verification v;
        assert_int_equal(akin_eval_verify(&v, *state, x.s, x.pairs, x.n, 0),
                         AKIN_OK);
        /* Room for more points than there are scores: none is left out. */
        assert_int_equal(
            akin_eval_roc(f, t, &n, *state, x.s, x.pairs, x.n, 1 << 20),
            AKIN_OK);
        for (int64_t s = 20; s >= 0; --s) {
            bool there = false;
            rates(&x, (double)s, &other, &match);
            for (int64_t k = 0; k < n; ++k)
                there |= f[k] == other && t[k] == match;
            assert_true(there);
            if (other <= 1.0 - match)
                under = fmax(under, other);
            if (other >= 1.0 - match)
                over = fmin(over, other);
        }
        assert_true(v.eer >= under - 1e-12 && v.eer <= over + 1e-12);
    }
}

static void the_curve_is_thinned(void **state)
{
    for (uint64_t seed = 0; seed < RUNS; ++seed) {
        const instance x = draw(seed);
        double f[6], t[6];
        int64_t n;
        assert_int_equal(akin_eval_roc(f, t, &n, *state, x.s, x.pairs, x.n, 6),
                         AKIN_OK);
        assert_in_range(n, 2, 6);
        assert_true(f[0] == 0.0 && t[0] == 0.0);
        assert_true(f[n - 1] == 1.0 && t[n - 1] == 1.0);
        for (int64_t k = 1; k < n; ++k)
            assert_true(f[k] >= f[k - 1] && t[k] >= t[k - 1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_are_judged_by_the_others),
        cmocka_unit_test(rates_are_those_of_the_threshold),
        cmocka_unit_test(a_threshold_is_finite),
        cmocka_unit_test(the_curve_holds_every_threshold),
        cmocka_unit_test(the_curve_is_thinned),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
