/* Feedback with each allocation failing once. */

#include <akin/feedback.h>

#include "faulty.h"
#include "support.h"

static akin_status find(void *user, akin_ctx *ctx, const akin_rows *query,
                        int64_t top, akin_rows **found)
{
    const int64_t which[1] = {7};
    (void)query;
    (void)top;
    return akin_rows_select(found, ctx, user, which, 1);
}

/* A query of sparse or dense rows, with expansion. */
static akin_status ask(akin_ctx *ctx, void *dense)
{
    static const int64_t good[2] = {1, 2}, bad[1] = {3};
    static const int64_t others[4] = {4, 5, 6, 8};
    const float x[20] = {1, 0, 2, 0, 1, 2, 3, 0, 0, 4,
                         0, 1, 2, 2, 0, 1, 5, 1, 0, 3};
    static const int64_t offsets[11] = {0, 1, 3, 4, 6, 7, 8, 9, 11, 12, 13};
    static const int32_t cols[13] = {0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0};
    akin_feedback said = AKIN_FEEDBACK_INIT;
    akin_feedback_options o = AKIN_FEEDBACK_DEFAULTS;
    akin_rows *rows = NULL, *part[3] = {NULL}, *q = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(dense ? akin_rows_new_dense(&rows, ctx, 10, 2, x)
                 : akin_rows_new_sparse(&rows, ctx, 10, 2, offsets, cols, x));
    AK_TRY(akin_model_builtin(&m, ctx, "cosine", rows));
    AK_TRY(akin_rows_select(&part[0], ctx, rows, good, 2));
    AK_TRY(akin_rows_select(&part[1], ctx, rows, bad, 1));
    AK_TRY(akin_rows_select(&part[2], ctx, rows, others, 4));
    said.good = part[0];
    said.bad = part[1];
    said.background = part[2];
    o.search = find;
    o.search_user = rows;
    AK_TRY(akin_feedback_query(&q, ctx, &said, m, &o));
done:
    akin_rows_free(q);
    for (int k = 0; k < 3; ++k)
        akin_rows_free(part[k]);
    akin_model_free(m);
    akin_rows_free(rows);
    return st;
}

static void feedback_survives(void **state)
{
    int dense = 1;
    (void)state;
    assert_true(faulty_run(ask, NULL) > 20);
    assert_true(faulty_run(ask, &dense) > 20);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(feedback_survives),
    };
    return cmocka_run_group_tests(cases, NULL, NULL);
}
