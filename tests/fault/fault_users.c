/* Weights of users: each allocation fails once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collection_folder.h"
#include "faulty.h"
#include "tastes.h"

static akin_status learn(akin_ctx *ctx, void *arg)
{
    akin_version_info v;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    return akin_collection_learn_user(&v, ctx, collection, NULL, "anna");
}

/* For a user, for nobody, and for the user again. */
static akin_status search(akin_ctx *ctx, void *arg)
{
    akin_find_options o = AKIN_FIND_DEFAULTS;
    akin_collection *c = NULL;
    const int64_t query = 20;
    akin_status st = AKIN_OK;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    o.like = &query;
    o.n_like = 1;
    AK_TRY(akin_collection_open(&c, ctx, collection));
    for (int k = 0; k < 3; ++k) {
        int64_t *rows = NULL;
        double *scores = NULL;
        o.user = k != 1 ? "anna" : NULL;
        AK_TRY(akin_collection_search(&rows, &scores, ctx, c, NULL, &o));
        akin_free(rows);
        akin_free(scores);
    }
done:
    akin_collection_close(c);
    return st;
}

static void make(bool dense)
{
    akin_ctx *ctx = NULL;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    assert_int_equal(tastes_make(ctx, collection, dense), AKIN_OK);
    assert_int_equal(tastes_say(ctx, collection), AKIN_OK);
    assert_int_equal(learn(ctx, NULL), AKIN_OK);
    akin_ctx_free(ctx);
}

static void assert_survives(akin_status (*work)(akin_ctx *ctx, void *arg))
{
    const int64_t n = faulty_run(work, NULL);
    if (n < 0)
        fail_msg("allocation %d", (int)(-1 - n));
    assert_true(n > 10);
}

static void learning_survives(void **state)
{
    (void)state;
    make(false);
    assert_survives(learn);
}

static void searching_survives(void **state)
{
    (void)state;
    make(false);
    assert_survives(search);
}

static void searching_dense_rows_survives(void **state)
{
    (void)state;
    make(true);
    assert_survives(search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learning_survives),
        cmocka_unit_test(searching_survives),
        cmocka_unit_test(searching_dense_rows_survives),
    };
    return cmocka_run_group_tests(tests, collection_begin, collection_end);
}
