/* Pairs drawn from labels: as many as asked for, none twice. */
#include "support.h"

#include "context.h"

#include "learn/metric/constraints.h"

enum { ROWS = 60, DIM = 12 };

static int by_pair(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    const int64_t p = x[0] * ROWS + x[1], q = y[0] * ROWS + y[1];
    return (p > q) - (p < q);
}

/* `most` pairs of ROWS rows in classes: how many, and how many similar. */
static void count_pairs(int64_t classes, int64_t most, int64_t *count,
                        int64_t *similar)
{
    akin_rows *rows = class_rows(ctx, 5, ROWS, DIM, 3, classes);
    akin_supervision *data = NULL;
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *x;
    assert_int_equal(akin_supervision_new(&data, ctx, rows, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(ak_constraints_draw(&x, count, ctx, data, most), AKIN_OK);
    *similar = 0;
    for (int64_t t = 0; t < *count; ++t) {
        int64_t *y = x + 3 * t;
        const bool same = ak_rows_share_label(rows, y[0], rows, y[1], NULL);
        assert_true(y[0] != y[1] && same == (y[2] > 0));
        *similar += same;
        if (y[1] < y[0]) {
            const int64_t first = y[1];
            y[1] = y[0];
            y[0] = first;
        }
    }
    qsort(x, (size_t)*count, 3 * sizeof *x, by_pair);
    for (int64_t t = 1; t < *count; ++t)
        assert_true(by_pair(x + 3 * t - 3, x + 3 * t) < 0);
    ak_scratch_end(ctx, mark);
    akin_supervision_free(data);
    akin_rows_free(rows);
}

static void half_are_similar(void **state)
{
    int64_t count, similar;
    (void)state;
    for (int64_t most = 2; most < 600; most = 3 * most + 1) {
        count_pairs(2, most, &count, &similar);
        assert_int_equal(count, most);
        assert_int_equal(similar, most / 2);
    }
}

/* With twelve classes 120 or so of 1770 pairs are similar. */
static void few_similar_ones_are_all_there(void **state)
{
    int64_t count, similar, again;
    (void)state;
    count_pairs(12, 1600, &count, &similar);
    assert_int_equal(count, 1600);
    assert_true(similar < 300);
    count_pairs(12, 1500, &count, &again);
    assert_int_equal(count, 1500);
    assert_int_equal(similar, again);
}

static void no_more_than_there_are(void **state)
{
    int64_t count, similar;
    (void)state;
    count_pairs(2, 100000, &count, &similar);
    assert_int_equal(count, ROWS * (ROWS - 1) / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(half_are_similar),
        CONTEXT_CASE(few_similar_ones_are_all_there),
        CONTEXT_CASE(no_more_than_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
