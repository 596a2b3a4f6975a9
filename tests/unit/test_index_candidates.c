/* Candidates: all that may be among the best, few of the others. */
#include "index/candidates.h"

#include <math.h>

#include "base/rng.h"
#include "support.h"

enum { N = 5000 };

typedef struct instance {
    float sums[N], times[N], plus[N];
    unsigned char flags[N];
    int32_t rows[N];
    float scores[N];
} instance;

/* So many distinct scores: some rows are flagged, some gone. */
static void fill(instance *x, ak_rng *rng, int64_t distinct)
{
    for (int64_t i = 0; i < N; ++i) {
        x->sums[i] = (float)(ak_rng_below(rng, distinct) - distinct / 2);
        x->times[i] = 0.25F;
        x->plus[i] = ak_rng_below(rng, 9) == 0 ? -INFINITY : 3.0F;
        x->flags[i] = ak_rng_below(rng, 9) == 0;
    }
}

static float score_of(const instance *x, int64_t i)
{
    return x->flags[i] ? -INFINITY : x->sums[i] * x->times[i] + x->plus[i];
}

/* The top-th best, by the slow way. */
static float last_wanted(const instance *x, int64_t top)
{
    float last = INFINITY;
    for (int64_t count = 0; count < top;) {
        float next = -INFINITY;
        for (int64_t i = 0; i < N; ++i)
            if (score_of(x, i) < last)
                next = fmaxf(next, score_of(x, i));
        for (int64_t i = 0; i < N; ++i)
            count += score_of(x, i) == next;
        last = next;
    }
    return last;
}

static ak_candidates select_from(instance *x, int64_t top, double slack,
                                 int64_t room)
{
    ak_candidates s = {.top = top, .slack = slack, .least = -INFINITY};
    s.rows = x->rows;
    s.scores = x->scores;
    s.room = room;
    ak_candidates_clear(&s);
    for (int64_t i = 0; i < N; i += 1000)
        ak_candidates_rows(&s, i, 1000, x->sums + i, x->times + i, x->plus + i,
                           x->flags + i);
    ak_candidates_filter(&s);
    return s;
}

static void nothing_that_may_be_best_is_lost(void **state)
{
    static instance x;
    ak_rng rng = ak_rng_new(5, AK_STREAM_SYNTH);
    (void)state;
    for (int turn = 0; turn < 60; ++turn) {
        const int64_t top = 1 + ak_rng_below(&rng, 150);
        const double slack = (double)(turn % 3);
        fill(&x, &rng, turn % 2 ? 20 : 100000);
        const float last = last_wanted(&x, top) - (float)slack;
        const ak_candidates s = select_from(&x, top, slack, N);
        int64_t wanted = 0, found = 0;
        for (int64_t i = 0; i < N; ++i)
            wanted += score_of(&x, i) >= last && score_of(&x, i) > -INFINITY;
        for (int64_t k = 0; k < s.n_rows; ++k) {
            assert_true(s.scores[k] == score_of(&x, s.rows[k]));
            assert_true(k == 0 || s.rows[k] > s.rows[k - 1]);
            found += s.scores[k] >= last;
        }
        assert_false(s.full);
        assert_int_equal(found, wanted);
        assert_true(s.n_rows <= wanted + top / 16 + 8);
    }
}

static void too_many_candidates_are_told(void **state)
{
    static instance x;
    ak_rng rng = ak_rng_new(6, AK_STREAM_SYNTH);
    (void)state;
    fill(&x, &rng, 1);
    assert_true(select_from(&x, 10, 0.0, 1000).full);
    fill(&x, &rng, 100000);
    assert_false(select_from(&x, 10, 0.0, 1000).full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_that_may_be_best_is_lost),
        cmocka_unit_test(too_many_candidates_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
