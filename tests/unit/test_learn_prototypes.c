/* The heaps of a learned space: as many as there are, again the same. */
#include <math.h>

#include "faulty.h"
#include "support.h"

#include <akin/learn.h>

#include "learn/prototypes.h"
#include "model/factored.h"

enum { ROWS = 90, DIM = 60, HEAPS = 3 };

/* Rows around HEAPS directions; every seventh is empty. */
static akin_rows *heap_rows(akin_ctx *ctx)
{
    static float X[ROWS][DIM];
    akin_rows *rows = NULL;
    ak_rng r = ak_rng_new(1, 99);
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < DIM; ++j)
            X[i][j] = i % 7 == 0       ? 0.0F
                      : j == i % HEAPS ? 1.0F
                      : j < HEAPS + 2  ? (float)(0.1 * ak_rng_normal(&r))
                                       : 0.0F;
    akin_rows_new_dense(&rows, ctx, ROWS, DIM, X[0]);
    return rows;
}

/* The first columns of the identity, as a model of rank 5. */
static akin_status plain_model(akin_model **m, akin_ctx *ctx)
{
    enum { K = 5 };
    static double Y[DIM * K];
    for (int i = 0; i < K; ++i)
        Y[i * K + i] = 1.0;
    return ak_factored_new(m, ctx, DIM, DIM, K, Y, NULL, AKIN_BY_DOT);
}

static akin_status job(akin_model **m, akin_ctx *ctx, int64_t most)
{
    akin_rows *rows = heap_rows(ctx);
    akin_supervision *data = NULL;
    akin_status st = rows ? AKIN_OK : AKIN_ENOMEM;
    if (st == AKIN_OK)
        st = akin_supervision_new(&data, ctx, rows, NULL, NULL);
    if (st == AKIN_OK)
        st = plain_model(m, ctx);
    if (st == AKIN_OK)
        st = ak_prototypes_learn(m, ctx, data, most);
    akin_supervision_free(data);
    akin_rows_free(rows);
    return st;
}

static void as_many_as_there_are_heaps(void **state)
{
    akin_ctx *ctx = *state;
    for (int64_t most = HEAPS; most <= 80; most += 11) {
        akin_model *m = NULL;
        akin_ctx_set_threads(ctx, 1 + most % 3);
        assert_int_equal(job(&m, ctx, most), AKIN_OK);
        assert_string_equal(akin_model_kind(m), "prototypes");
        if (most > 4 * HEAPS)
            assert_string_equal(akin_model_note(m, "prototypes"), "3");
        akin_model_free(m);
    }
}

static void rows_of_a_heap_are_alike(void **state)
{
    akin_ctx *ctx = *state;
    akin_model *m = NULL;
    akin_rows *rows = heap_rows(ctx);
    const int64_t ij[6] = {1, 4, 1, 2, 1, 7};  // same heap, another, empty
    double s[3];
    assert_int_equal(job(&m, ctx, 20), AKIN_OK);
    assert_int_equal(akin_model_score(s, ctx, m, rows, rows, ij, 3, 0), 0);
    assert_true(s[0] > 0.9);
    assert_true(s[1] < 0.1);
    assert_true(s[2] == 0.0);
    akin_model_free(m);
    akin_rows_free(rows);
}

static akin_status whole_job(akin_ctx *ctx, void *arg)
{
    akin_model *m = NULL;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    const akin_status st = job(&m, ctx, 10);
    akin_model_free(m);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(faulty_run(whole_job, NULL) > 0);
}

static akin_model *learn(akin_ctx *ctx, const akin_rows *rows, int64_t sample,
                         const akin_model *from)
{
    akin_supervision *data = NULL;
    akin_options *o = NULL;
    akin_learning *l = NULL;
    akin_model *m = NULL;
    assert_int_equal(akin_supervision_new(&data, ctx, rows, NULL, NULL), 0);
    akin_supervision_sample(data, sample, 1);
    assert_int_equal(akin_options_new(&o, ctx, "loreta-psd"), AKIN_OK);
    assert_int_equal(akin_options_set(ctx, o, "prototypes", "12"), AKIN_OK);
    assert_int_equal(akin_learning_begin(&l, ctx, o, data, from), AKIN_OK);
    assert_int_equal(akin_learning_observe_all(ctx, l), AKIN_OK);
    assert_int_equal(akin_learning_model(&m, ctx, l), AKIN_OK);
    akin_learning_free(l);
    akin_options_free(o);
    akin_supervision_free(data);
    return m;
}

/* Prototypes are of the model; what learns goes on without them. */
static void a_then_b_is_a_and_b(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 5, 60, 90, 12, 3);
    const int64_t ij[4] = {0, 3, 5, 19};
    double a[2], b[2];
    akin_model *first = learn(ctx, rows, 700, NULL);
    akin_model *then = learn(ctx, rows, 500, first);
    akin_model *whole = learn(ctx, rows, 1200, NULL);
    akin_model_score(a, ctx, then, rows, rows, ij, 2, AKIN_BY_DEFAULT);
    akin_model_score(b, ctx, whole, rows, rows, ij, 2, AKIN_BY_DEFAULT);
    assert_memory_equal(a, b, sizeof a);
    akin_model_free(first);
    akin_model_free(then);
    akin_model_free(whole);
    akin_rows_free(rows);
}

static void rankers_have_none(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 5, 60, 90, 12, 3);
    akin_supervision *data = NULL;
    akin_options *o = NULL;
    akin_model *m = NULL;
    akin_supervision_new(&data, ctx, rows, NULL, NULL);
    akin_options_new(&o, ctx, "pa");
    akin_options_set(ctx, o, "prototypes", "12");
    akin_options_set(ctx, o, "task", "rank");
    assert_int_equal(akin_learn(&m, ctx, o, data, NULL), AKIN_EINVAL);
    assert_non_null(strstr(akin_ctx_message(ctx), "`prototypes`"));
    akin_options_free(o);
    akin_supervision_free(data);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_as_there_are_heaps),
        cmocka_unit_test(rows_of_a_heap_are_alike),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_then_b_is_a_and_b),
        cmocka_unit_test(rankers_have_none),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
