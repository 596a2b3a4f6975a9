/* Negatives that are ranked too high: which, how heavy, and the same again. */
#include <math.h>

#include "same_bytes.h"
#include "support.h"

#include <akin/learn.h>

#include "learn/warp.h"

enum { ROWS = 60, DIM = 90, SAMPLE = 2000 };

static const char *const able[] = {"loreta-1", "loreta-psd", "gd",
                                   "psd-gd",   "pa",         "oasis"};

typedef struct bench {
    akin_ctx *ctx;
    akin_rows *rows;
    akin_supervision *data;
    akin_options *options;
} bench;

static void bench_make(bench *b, const char *learner)
{
    *b = (bench){0};
    assert_int_equal(akin_ctx_new(&b->ctx, NULL), AKIN_OK);
    b->rows = class_rows(b->ctx, 5, ROWS, DIM, 12, 3);
    assert_int_equal(
        akin_supervision_new(&b->data, b->ctx, b->rows, NULL, NULL), AKIN_OK);
    akin_supervision_sample(b->data, SAMPLE, 1);
    akin_supervision_sampling(b->data, AKIN_WARP);
    assert_int_equal(akin_options_new(&b->options, b->ctx, learner), AKIN_OK);
}

static void bench_free(bench *b)
{
    akin_options_free(b->options);
    akin_supervision_free(b->data);
    akin_rows_free(b->rows);
    akin_ctx_free(b->ctx);
}

static akin_model *learn(bench *b, int64_t sample, const akin_model *from)
{
    akin_learning *l = NULL;
    akin_model *m = NULL;
    akin_supervision_sample(b->data, sample, 1);
    assert_int_equal(akin_learning_begin(&l, b->ctx, b->options, b->data, from),
                     AKIN_OK);
    assert_int_equal(akin_learning_observe_all(b->ctx, l), AKIN_OK);
    assert_int_equal(akin_learning_model(&m, b->ctx, l), AKIN_OK);
    akin_learning_free(l);
    return m;
}

static void same_bytes_in_pieces_and_for_any_threads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof able / sizeof able[0]; ++i) {
        bench b;
        bench_make(&b, able[i]);
        akin_ctx_set_threads(b.ctx, 1);
        akin_model *whole = learn(&b, SAMPLE, NULL);
        akin_ctx_set_threads(b.ctx, 4);
        akin_model *part = learn(&b, 777, NULL);
        akin_model *both = learn(&b, SAMPLE - 777, part);
        assert_same_bytes(b.ctx, whole, both);
        akin_model_free(whole);
        akin_model_free(part);
        akin_model_free(both);
        bench_free(&b);
    }
}

/* A state whose scores are all that is asked for. */
typedef struct fake {
    double near_score;  // of rows of q's class
    int64_t draws;      // of others before one that violates
    int64_t asked;
} fake;

static akin_status fake_score(void *state, akin_ctx *ctx, const akin_rows *rows,
                              int64_t x, int64_t y, double *score)
{
    fake *f = state;
    (void)ctx;
    if (ak_rows_share_label(rows, x, rows, y, NULL))
        *score = f->near_score;
    else
        *score = ++f->asked < f->draws ? f->near_score - 1.0
                                       : f->near_score - 0.999;
    return AKIN_OK;
}

/* 40 negatives of every row: N draws make rank 40 / N. */
static void weights_are_of_the_rank_guessed(void **state)
{
    static const ak_online online = {.score = fake_score};
    (void)state;
    bench b;
    ak_sampler *s = NULL;
    bench_make(&b, "gd");
    assert_int_equal(ak_sampler_new(&s, b.ctx, b.data), AKIN_OK);
    double all = 0.0;
    for (int i = 1; i <= 40; ++i)
        all += 1.0 / i;
    for (int64_t N = 1; N <= 100; ++N) {
        fake f = {.near_score = 3.0, .draws = N};
        int64_t t[3];
        double weight = -1.0, want = 0.0;
        assert_int_equal(
            ak_warp_draw(&online, &f, b.ctx, s, b.rows, N, t, &weight),
            AKIN_OK);
        assert_true(ak_rows_share_label(b.rows, t[0], b.rows, t[1], NULL));
        assert_false(ak_rows_share_label(b.rows, t[0], b.rows, t[2], NULL));
        for (int64_t i = 1; i <= 40 / N || i == 1; ++i)
            want += 1.0 / (double)i;
        want = N <= 32 ? want / all : 0.0;
        assert_true(fabs(weight - want) < 1e-4);
    }
    ak_sampler_free(s);
    bench_free(&b);
}

static void others_are_refused_with_a_line(void **state)
{
    static const char *const unable[] = {"solis-ada", "lego", "lego-diag",
                                         "qpao"};
    (void)state;
    for (size_t i = 0; i < sizeof unable / sizeof unable[0]; ++i) {
        bench b;
        akin_model *m = NULL;
        bench_make(&b, unable[i]);
        assert_int_equal(akin_learn(&m, b.ctx, b.options, b.data, NULL),
                         AKIN_EINVAL);
        assert_non_null(strstr(akin_ctx_message(b.ctx), "`sampler` warp"));
        bench_free(&b);
    }
}

static void given_triplets_are_refused(void **state)
{
    const int64_t triplet[3] = {0, 3, 1};
    (void)state;
    bench b;
    akin_model *m = NULL;
    bench_make(&b, "gd");
    akin_supervision_set(b.ctx, b.data, AKIN_TRIPLETS, triplet, 1);
    assert_int_equal(akin_learn(&m, b.ctx, b.options, b.data, NULL),
                     AKIN_EINVAL);
    assert_non_null(strstr(akin_ctx_message(b.ctx), "are given"));
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_in_pieces_and_for_any_threads),
        cmocka_unit_test(weights_are_of_the_rank_guessed),
        cmocka_unit_test(others_are_refused_with_a_line),
        cmocka_unit_test(given_triplets_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
