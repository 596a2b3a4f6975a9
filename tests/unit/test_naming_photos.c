/* How many names a photo shows. */
#include <stdlib.h>

#include "context.h"

#include "base/rng.h"
#include "naming/photos.h"

static int falling(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a < b) - (a > b);
}

/* The j that makes gains and t largest together, less theta a name. */
static int64_t best_count(const ak_prior_photo *x, int64_t count,
                          const double *gains, double theta)
{
    const double *t = x->prior->t[x->n][x->r] + x->taken;
    double best = 0.0, sum = 0.0;
    int64_t found = 0;
    for (int64_t j = 1; j <= count; ++j) {
        sum += gains[j - 1] - theta;
        if (sum + t[j] - t[0] > best) {
            best = sum + t[j] - t[0];
            found = j;
        }
    }
    return found;
}

static void theta_finds_the_best_count(void **state)
{
    ak_rng rng = ak_rng_new(4, AK_STREAM_START);
    (void)state;
    for (int trial = 0; trial < 2000; ++trial) {
        ak_count_prior prior = {.known = true};
        ak_prior_photo x = {&prior, 1 + ak_rng_below(&rng, 6),
                            1 + ak_rng_below(&rng, 6), 0};
        const int64_t most = ak_min_i64(x.n, x.r);
        double gains[8], pooled[8];
        x.taken = ak_rng_below(&rng, most);
        const int64_t count = most - x.taken;
        for (int64_t j = 0; j < count; ++j)
            gains[j] = ak_rng_normal(&rng);
        qsort(gains, (size_t)count, sizeof *gains, falling);
        for (int64_t j = 0; j <= most; ++j)
            prior.t[x.n][x.r][j] = 3.0 * ak_rng_normal(&rng);
        const double theta = ak_rng_normal(&rng);
        const double none =
            ak_count_prior_theta(&x, count, gains, pooled, theta);
        int64_t found = 0;
        while (found < count && gains[found] > none)
            ++found;
        assert_int_equal(found, best_count(&x, count, gains, theta));
        for (int64_t j = 1; j < count; ++j)
            assert_true(pooled[j] <= pooled[j - 1] + 1e-12);
    }
}

static void large_photos_add_nothing(void **state)
{
    static const ak_count_prior prior = {.known = true};
    const ak_prior_photo x = {&prior, 20, 30, 1};
    double gains[2] = {2.0, 1.0}, pooled[2];
    (void)state;
    ak_count_prior_gains(&x, 2, gains);
    assert_true(gains[0] == 2.0 && gains[1] == 1.0);
    const double none = ak_count_prior_theta(&x, 2, gains, pooled, 1.5);
    assert_true(none == 1.5);
    assert_true(ak_count_prior_theta(&x, 0, gains, pooled, 1.5) == 1.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(theta_finds_the_best_count),
        CONTEXT_CASE(large_photos_add_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
