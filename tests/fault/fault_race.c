/* A race, as train auto and compare run it, with each allocation failing. */
#include "support.h"

#include <akin/tune.h>

#include "faulty.h"

enum { N = 16 };

typedef struct contest {
    const char *const *methods;
    int64_t halving;
} contest;

static akin_status race(akin_ctx *ctx, void *arg)
{
    const contest *c = arg;
    akin_race_options o = AKIN_RACE_DEFAULTS;
    akin_supervision *known = NULL;
    akin_learn_info info = {0};
    akin_race *r = NULL;
    akin_model *m = NULL;
    float x[2 * N];
    int32_t labels[N];
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, 1);
    for (int i = 0; i < N; ++i) {
        labels[i] = i % 2;
        x[2 * i] = (float)(i % 2) + 0.01f * (float)i;
        x[2 * i + 1] = 0.1f * (float)(i * i % 7);
    }
    AK_TRY(akin_rows_new_dense(&rows, ctx, N, 2, x));
    AK_TRY(
        akin_rows_set_labels(ctx, rows, labels, (const char *[]){"a", "b"}, 2));
    AK_TRY(akin_supervision_new(&known, ctx, rows, NULL, NULL));
    o.effort = 1;
    o.methods = c->methods;
    o.halving = c->halving;
    AK_TRY(akin_race_run(&r, c->halving ? &m : NULL, ctx, known, &o, &info));
done:
    akin_race_free(r);
    akin_model_free(m);
    akin_supervision_free(known);
    akin_rows_free(rows);
    return st;
}

/* A learner that runs out of memory drops out, and the others go on: so the
 * race ends well or with ENOMEM, and leaves nothing behind. */
static void check_race(contest *c)
{
    for (int64_t n = 0;; n += n < 60 ? 1 : 97) {
        faulty f = {n, 0};
        const akin_status st = faulty_once(&f, race, c);
        assert_int_equal(f.alive, 0);
        assert_true(st == AKIN_OK || st == AKIN_ENOMEM);
        if (f.left >= 0) {
            assert_int_equal(st, AKIN_OK);
            return;
        }
    }
}

static void races_survive(void **state)
{
    static const char *const methods[] = {"lda", "euclidean", NULL};
    contest compare = {methods, 0}, choose = {methods, 1};
    (void)state;
    check_race(&compare);
    check_race(&choose);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(races_survive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
