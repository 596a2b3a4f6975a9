/* Synthetic rows with labels: of a tree, the same for any number of threads,
 * and ranked by a matrix of low rank. */
#include <math.h>
#include <string.h>

#include "faulty.h"

#include "context.h"

#include <akin/synth.h>

#include "data/rows.h"

static akin_rows *synth(akin_synth_labels_options o)
{
    akin_rows *rows = NULL;
    if (akin_synth_labels(&rows, ctx, &o) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    return rows;
}

static bool has(const akin_rows *rows, int64_t i, int64_t label)
{
    const int32_t *labels;
    const int64_t n = akin_rows_labels(&labels, rows, i);
    for (int64_t k = 0; k < n; ++k)
        if (labels[k] == label)
            return true;
    return false;
}

static void every_label_brings_those_above_it(void **state)
{
    akin_synth_labels_options o = AKIN_SYNTH_LABELS_DEFAULTS;
    (void)state;
    o.rows = 300;
    o.labels = 100;
    o.branching = 3;
    akin_rows *rows = synth(o);
    for (int64_t i = 0; i < o.rows; ++i) {
        const int32_t *labels;
        const int64_t n = akin_rows_labels(&labels, rows, i);
        int64_t leaves = 0;
        for (int64_t k = 0; k < n; ++k) {
            leaves += 3 * (labels[k] + 1) >= o.labels;
            if (labels[k] >= 3)
                assert_true(has(rows, i, labels[k] / 3 - 1));
            assert_true(k == 0 || labels[k] > labels[k - 1]);
        }
        assert_in_range(leaves, 1, o.leaves);
        assert_int_equal(rows->offsets[i + 1] - rows->offsets[i], o.nonzeros);
        for (int64_t k = rows->offsets[i] + 1; k < rows->offsets[i + 1]; ++k)
            assert_true(rows->cols[k] > rows->cols[k - 1]);
    }
    akin_rows_free(rows);
}

static void threads_do_not_matter(void **state)
{
    akin_synth_labels_options o = AKIN_SYNTH_LABELS_DEFAULTS;
    (void)state;
    o.rows = 200;
    akin_ctx_set_threads(ctx, 1);
    akin_rows *one = synth(o);
    akin_ctx_set_threads(ctx, 3);
    akin_rows *many = synth(o);
    const size_t n = (size_t)one->offsets[one->n];
    assert_memory_equal(one->cols, many->cols, n * sizeof *one->cols);
    assert_memory_equal(one->vals, many->vals, n * sizeof *one->vals);
    assert_memory_equal(one->label_offsets, many->label_offsets,
                        201 * sizeof *one->label_offsets);
    akin_rows_free(one);
    akin_rows_free(many);
}

/* Without noise all rows lie in a space of `rank` dimensions: of rank + 1 of
 * them, what is left after the others is nothing. */
static void rows_without_noise_are_of_low_rank(void **state)
{
    enum { R = 3, D = 10 };
    akin_synth_labels_options o = AKIN_SYNTH_LABELS_DEFAULTS;
    double Q[R + 1][D];
    (void)state;
    o.rows = R + 1;
    o.dim = D;
    o.labels = 50;
    o.rank = R;
    o.nonzeros = 0;
    o.noise = 0.0;
    akin_rows *rows = synth(o);
    assert_null(rows->offsets);
    for (int i = 0; i <= R; ++i) {
        double before = 0.0, after = 0.0;
        for (int j = 0; j < D; ++j) {
            Q[i][j] = rows->vals[i * D + j];
            before += Q[i][j] * Q[i][j];
        }
        for (int twice = 0; twice < 2; ++twice)
            for (int k = 0; k < i; ++k) {
                double dot = 0.0;
                for (int j = 0; j < D; ++j)
                    dot += Q[i][j] * Q[k][j];
                for (int j = 0; j < D; ++j)
                    Q[i][j] -= dot * Q[k][j];
            }
        for (int j = 0; j < D; ++j)
            after += Q[i][j] * Q[i][j];
        assert_true(i < R ? after > 1e-6 * before : after < 1e-10 * before);
        for (int j = 0; j < D; ++j)
            Q[i][j] /= sqrt(after);
    }
    akin_rows_free(rows);
}

static void what_is_out_of_range_is_refused(void **state)
{
    const akin_synth_labels_options standard = AKIN_SYNTH_LABELS_DEFAULTS;
    akin_synth_labels_options o[5];
    akin_rows *rows = NULL;
    (void)state;
    for (int i = 0; i < 5; ++i)
        o[i] = standard;
    o[0].branching = 1;
    o[1].leaves = 65;
    o[2].labels = 0;
    o[3].noise = NAN;
    o[4].wrong = 1.5;
    for (int i = 0; i < 5; ++i)
        assert_int_equal(akin_synth_labels(&rows, ctx, &o[i]), AKIN_EINVAL);
}

static akin_status job(akin_ctx *c, void *arg)
{
    akin_synth_labels_options o = AKIN_SYNTH_LABELS_DEFAULTS;
    akin_rows *rows = NULL;
    (void)arg;
    akin_ctx_set_threads(c, 1);
    o.rows = 5;
    o.labels = 12;
    o.dim = 7;
    o.nonzeros = 3;
    const akin_status st = akin_synth_labels(&rows, c, &o);
    akin_rows_free(rows);
    return st;
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    assert_in_range(faulty_run(job, NULL), 5, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(every_label_brings_those_above_it),
        CONTEXT_CASE(threads_do_not_matter),
        CONTEXT_CASE(rows_without_noise_are_of_low_rank),
        CONTEXT_CASE(what_is_out_of_range_is_refused),
        CONTEXT_CASE(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
