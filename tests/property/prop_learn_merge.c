/* Online learners whose ranks learn from examples of their own. */
#include <akin/learn.h>

#include "ranks.h"
#include "support.h"

enum { ROWS = 240, COLUMNS = 40, SAMPLE = 70000, LONG = 20000000 };

typedef struct job {
    const char *learner;
    const char *options[8];  // name, value, ...
    bool dense;
    int64_t stop_rank;   // asks to stop when it has reported so often
    int64_t stop_after;  // 0: never
    int64_t reports;
    bool alone;  // no communicator
    uint8_t *bytes;
    size_t size;
    akin_learn_info info;
} job;

/* Values are quarters, so that sums of products are exact. */
static akin_status make_rows(akin_rows **out, akin_ctx *ctx, bool dense)
{
    ak_rng rng = ak_rng_new(5, AK_STREAM_SYNTH);
    const char *names[] = {"a", "b", "c", "d"};
    int32_t labels[ROWS];
    float *x = NULL;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    if (!dense) {
        *out = class_rows(ctx, 3, ROWS, COLUMNS, 6, 4);
        for (int64_t i = 0; i < (*out)->offsets[ROWS]; ++i)
            (*out)->vals[i] = (float)(1 + i % 4) / 4.0f;
        return AKIN_OK;
    }
    AK_TRY(AK_NEW(ctx, ROWS * COLUMNS, &x));
    for (int64_t i = 0; i < ROWS; ++i) {
        labels[i] = (int32_t)(i % 4);
        for (int64_t j = 0; j < COLUMNS; ++j)
            x[i * COLUMNS + j] =
                (float)(ak_rng_normal(&rng) + (j % 4 == i % 4 ? 1.0 : 0.0));
    }
    AK_TRY(akin_rows_new_dense(&rows, ctx, ROWS, COLUMNS, x));
    AK_TRY(akin_rows_set_labels(ctx, rows, labels, names, 4));
    *out = rows;
done:
    akin_free(x);
    return st;
}

static int report(void *user, const akin_progress *now)
{
    job *j = user;
    (void)now;
    return ++j->reports >= j->stop_after && j->stop_after > 0;
}

static akin_status learn(akin_ctx *ctx, void *arg)
{
    job *j = arg;
    akin_options *o = NULL;
    akin_rows *rows = NULL;
    akin_supervision *s = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    if (j->alone)
        akin_ctx_set_comm(ctx, NULL);
    AK_TRY(make_rows(&rows, ctx, j->dense));
    AK_TRY(akin_supervision_new(&s, ctx, rows, NULL, NULL));
    akin_supervision_sample(s, j->stop_after > 0 ? LONG : SAMPLE, 2);
    AK_TRY(akin_options_new(&o, ctx, j->learner));
    for (int i = 0; j->options[i] != NULL; i += 2)
        AK_TRY(akin_options_set(ctx, o, j->options[i], j->options[i + 1]));
    if (akin_ctx_rank(ctx) == j->stop_rank)
        akin_ctx_set_progress(ctx, report, j);
    st = akin_learn(&m, ctx, o, s, &j->info);
    akin_ctx_set_progress(ctx, NULL, NULL);
    if (m != NULL &&
        akin_model_save_memory(&j->bytes, &j->size, ctx, m) != AKIN_OK)
        st = AKIN_ENOMEM;
done:
    akin_model_free(m);
    akin_supervision_free(s);
    akin_rows_free(rows);
    akin_options_free(o);
    return st;
}

/* On n ranks, which must end alike; the result of the first. */
static job run(int64_t n, job what, akin_status expected, int64_t *bytes)
{
    job jobs[RANKS_MOST];
    void *args[RANKS_MOST];
    for (int64_t r = 0; r < n; ++r) {
        jobs[r] = what;
        args[r] = &jobs[r];
    }
    assert_int_equal(ranks_run(n, learn, args, NULL, bytes), expected);
    for (int64_t r = 1; r < n; ++r) {
        assert_int_equal(jobs[r].size, jobs[0].size);
        assert_memory_equal(jobs[r].bytes, jobs[0].bytes, jobs[0].size);
        assert_int_equal(jobs[r].info.examples, jobs[0].info.examples);
        assert_int_equal(jobs[r].info.updates, jobs[0].info.updates);
        assert_true(jobs[r].info.loss == jobs[0].info.loss);
        akin_free(jobs[r].bytes);
    }
    return jobs[0];
}

static void assert_same(const job *a, const job *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->bytes, b->bytes, a->size);
}

static const job LEARNERS[] = {
    {.learner = "solis-ada", .options = {"lambda", "0.1"}},
    {.learner = "solis-da"},
    {.learner = "solis-tg", .options = {"lambda", "0.1"}},
    {.learner = "solis-afb", .options = {"lambda", "0.1"}},
    {.learner = "solis-ada", .dense = true},
    {.learner = "loreta-1", .options = {"average", "tail"}},
    {.learner = "loreta-1", .options = {"start", "zero", "rank", "5"}},
    {.learner = "loreta-psd", .options = {"rank", "6"}},
    {.learner = "loreta-psd", .dense = true},
    {.learner = "loreta-psd", .options = {"average", "tail"}, .dense = true},
    {.learner = "loreta", .options = {"rank", "6", "batch", "3"}},
};

/* One rank learns as if there were no others; several learn from as many
 * examples, all ranks have one model, and a second run has the same. */
static void ranks_end_with_one_model(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof LEARNERS / sizeof LEARNERS[0]; ++i) {
        job alone = LEARNERS[i];
        alone.alone = true;
        alone = run(1, alone, AKIN_OK, NULL);
        job one = run(1, LEARNERS[i], AKIN_OK, NULL);
        assert_same(&one, &alone);
        for (int64_t n = 2; n <= 4; ++n) {
            int64_t sent = 0;
            job first = run(n, LEARNERS[i], AKIN_OK, &sent);
            job again = run(n, LEARNERS[i], AKIN_OK, NULL);
            print_message("%s, %d ranks: %d bytes, loss %g and %g\n",
                          first.learner, (int)n, (int)sent, one.info.loss,
                          first.info.loss);
            assert_same(&first, &again);
            assert_true(sent > 0);
            assert_int_equal(first.info.examples, one.info.examples);
            assert_true(first.info.loss < 1.4 * one.info.loss + 0.02);
            akin_free(first.bytes);
            akin_free(again.bytes);
        }
        akin_free(one.bytes);
        akin_free(alone.bytes);
    }
}

/* Steps so short that every round is active: the gradients do not depend on the
 * weights, and sums of quarters are exact. Then the sums, the counters and the
 * weights are those of one rank. */
static void dual_sums_add_exactly(void **state)
{
    static const job jobs[] = {
        {.learner = "solis-da",
         .options = {"gamma", "1e6", "units", "absolute", "start", "zero"}},
        {.learner = "solis-ada",
         .options = {"eta", "1e-9", "units", "absolute", "start", "zero"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; ++i) {
        job one = run(1, jobs[i], AKIN_OK, NULL);
        for (int64_t n = 2; n <= 4; n += 2) {
            job more = run(n, jobs[i], AKIN_OK, NULL);
            assert_int_equal(more.info.updates, one.info.updates);
            assert_same(&more, &one);
            akin_free(more.bytes);
        }
        akin_free(one.bytes);
    }
}

/* One rank is asked to stop: all do, with the model so far. */
static void all_ranks_stop_together(void **state)
{
    (void)state;
    for (int64_t rank = 0; rank < 3; ++rank)
        for (int64_t after = 1; after <= 3; ++after) {
            job what = {.learner = "loreta-psd",
                        .options = {"rank", "6"},
                        .stop_rank = rank,
                        .stop_after = after};
            job got = run(3, what, AKIN_ECANCELLED, NULL);
            assert_true(got.info.examples < 2 * (int64_t)LONG);
            akin_free(got.bytes);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_end_with_one_model),
        cmocka_unit_test(dual_sums_add_exactly),
        cmocka_unit_test(all_ranks_stop_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
