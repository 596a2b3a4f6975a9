/* What every learner of the registry must do. */
#include <math.h>
#include <unistd.h>

#include "faulty.h"
#include "learners.h"
#include "same_bytes.h"
#include "support.h"

#include <akin/eval.h>

#include "learn/learner.h"

enum { ROWS = 60, DIM = 90, WORDS = 12, SAMPLE = 3000 };

static akin_status bench_fill(bench *b)
{
    b->rows = class_rows(b->ctx, 5, ROWS, DIM, WORDS, CLASSES);
    return b->rows != NULL ? bench_supervise(b, SAMPLE) : AKIN_ENOMEM;
}

static akin_status bench_make(bench *b)
{
    const akin_status st = akin_ctx_new(&b->ctx, NULL);
    return st == AKIN_OK ? bench_fill(b) : st;
}

static void defaults_are_in_range(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    akin_ctx_new(&ctx, NULL);
    FOR_EACH_LEARNER(x)
    {
        const akin_learner_info *info = x->info;
        const ak_learner *l = ak_learner_find(info->name);
        assert_non_null(l);
        assert_string_equal(info->defaults->learner, info->name);
        assert_int_equal(ak_options_check(ctx, l, info->defaults), AKIN_OK);
        const bool online = l->online != NULL || l->rank != NULL;
        assert_true((l->learn != NULL) != online);
        assert_int_equal(info->is_online != 0, online);
        for (int64_t i = 0; i < info->n_options; ++i)
            for (int64_t k = 0; k < info->options[i].n_grid; ++k)
                assert_true(info->options[i].grid[k] >= info->options[i].min &&
                            info->options[i].grid[k] <= info->options[i].max);
    }
    akin_ctx_free(ctx);
}

static void options_by_name_read_back(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    akin_options *o = NULL;
    char text[64];
    akin_ctx_new(&ctx, NULL);
    assert_int_equal(akin_options_new(&o, ctx, "solis-ada"), AKIN_OK);
    assert_int_equal(akin_options_set(ctx, o, "eta", "0.1"), AKIN_OK);
    assert_int_equal(akin_options_get(text, ctx, o, "eta", sizeof text), 0);
    assert_string_equal(text, "0.1");
    assert_int_equal(akin_options_set(ctx, o, "eta", "0"), AKIN_EINVAL);
    assert_string_equal(akin_ctx_message(ctx),
                        "`eta` 0 is out of range (1e-12 to 1e+06)");
    assert_int_equal(akin_options_set(ctx, o, "eta", "nan"), AKIN_EINVAL);
    assert_int_equal(akin_options_set(ctx, o, "eta", "1x"), AKIN_EINVAL);
    assert_int_equal(akin_options_set(ctx, o, "clock", "never"), AKIN_EINVAL);
    assert_int_equal(akin_options_set(ctx, o, "bogus", "1"), AKIN_EINVAL);
    assert_int_equal(akin_options_get(text, ctx, o, "eta", sizeof text), 0);
    assert_string_equal(text, "0.1");
    akin_options_free(o);
    akin_ctx_free(ctx);
}

static void same_seed_same_bytes_for_any_threads(void **state)
{
    (void)state;
    FOR_EACH_LEARNER(x)
    {
        akin_model *first = NULL;
        bench b = {0};
        assert_int_equal(bench_make(&b), AKIN_OK);
        for (int64_t threads = 1; threads <= 4; threads *= 2) {
            akin_model *m = NULL;
            akin_learn_info li;
            akin_ctx_set_threads(b.ctx, threads);
            assert_int_equal(akin_learn(&m, b.ctx, x->options,
                                        data_for(&b, x->options), &li),
                             AKIN_OK);
            if (first == NULL) {
                first = m;
            } else {
                assert_same_bytes(b.ctx, first, m);
                akin_model_free(m);
            }
        }
        akin_model_free(first);
        bench_free(&b);
    }
}

/* A score a row: of a pair of rows, or of the best label. */
static void score_rows(const bench *b, const akin_model *m, double scores[ROWS])
{
    int64_t ij[2 * ROWS];
    int32_t labels[ROWS];
    for (int64_t i = 0; i < ROWS; ++i) {
        ij[2 * i] = i;
        ij[2 * i + 1] = (7 * i + 3) % ROWS;
    }
    if (!akin_model_compares(m))
        assert_int_equal(
            akin_rank_labels(labels, scores, b->ctx, m, b->rows, 1), AKIN_OK);
    else
        assert_int_equal(akin_model_score(scores, b->ctx, m, b->rows, b->rows,
                                          ij, ROWS, AKIN_BY_DEFAULT),
                         AKIN_OK);
}

/* Through memory it has the bytes of its file, and comes back from them. */
static void assert_same_memory(akin_ctx *ctx, const akin_model *m)
{
    akin_model *back = NULL;
    unsigned char *bytes = NULL;
    char *file = NULL;
    size_t size = 0, file_size = 0;
    assert_int_equal(akin_model_save_memory(&bytes, &size, ctx, m), AKIN_OK);
    file_bytes(ctx, m, &file, &file_size);
    assert_int_equal(size, file_size);
    assert_memory_equal(bytes, file, size);
    assert_int_equal(akin_model_load_memory(&back, ctx, bytes, size), AKIN_OK);
    memset(bytes, 0xff, size);  // nothing points at it
    akin_free(bytes);
    assert_same_bytes(ctx, m, back);
    akin_model_free(back);
    akin_free(file);
}

static void a_saved_model_scores_the_same(void **state)
{
    (void)state;
    FOR_EACH_LEARNER(x)
    {
        akin_model *m = NULL, *back = NULL;
        char path[] = "akin-model-XXXXXX";
        double before[ROWS], after[ROWS];
        bench b = {0};
        assert_int_equal(bench_make(&b), AKIN_OK);
        assert_int_equal(
            akin_learn(&m, b.ctx, x->options, data_for(&b, x->options), NULL),
            AKIN_OK);
        close(mkstemp(path));
        assert_int_equal(akin_model_save(b.ctx, m, path), AKIN_OK);
        assert_int_equal(akin_model_load(&back, b.ctx, path), AKIN_OK);
        unlink(path);
        score_rows(&b, m, before);
        score_rows(&b, back, after);
        assert_memory_equal(before, after, sizeof before);
        assert_string_equal(akin_model_learner(back), x->info->name);
        assert_same_bytes(b.ctx, m, back);
        akin_model_free(back);
        back = NULL;
        assert_same_memory(b.ctx, m);
        akin_model_free(m);
        bench_free(&b);
    }
}

/* ---- rows over the caller's arrays ---- */

static void count_release(void *user)
{
    ++*(int *)user;
}

static akin_model *learn_from(bench *b, const subject *x)
{
    akin_model *m = NULL;
    assert_int_equal(bench_supervise(b, SAMPLE), AKIN_OK);
    assert_int_equal(
        akin_learn(&m, b->ctx, x->options, data_for(b, x->options), NULL),
        AKIN_OK);
    return m;
}

/* Rows of the same values and labels, whose arrays are those of `from`. */
static akin_rows *borrow_sparse(akin_ctx *ctx, const akin_rows *from,
                                int *released)
{
    akin_csr_array a = AKIN_CSR_ARRAY_DEFAULTS;
    const int64_t *offsets;
    const int32_t *columns;
    const float *values;
    akin_rows *rows = NULL;
    a.count = akin_rows_arrays(&offsets, &columns, &values, from);
    a.n = from->n;
    a.d = from->d;
    a.offsets = offsets;
    a.columns = columns;
    a.values = values;
    a.offset_type = AKIN_INT64;
    a.release = count_release;
    a.user = released;
    assert_int_equal(akin_rows_borrow_csr(&rows, ctx, &a), AKIN_OK);
    assert_true(akin_rows_borrows(rows));
    assert_int_equal(ak_rows_copy_labels(rows, ctx, from, NULL), AKIN_OK);
    return rows;
}

static akin_rows *borrow_dense(akin_ctx *ctx, const akin_rows *labelled,
                               const float *values, int *released)
{
    akin_dense_array a = AKIN_DENSE_ARRAY_DEFAULTS;
    akin_rows *rows = NULL;
    a.n = labelled->n;
    a.d = labelled->d;
    a.values = values;
    a.row_step = a.d * (int64_t)sizeof *values;
    a.column_step = sizeof *values;
    a.release = count_release;
    a.user = released;
    assert_int_equal(akin_rows_borrow_dense(&rows, ctx, &a), AKIN_OK);
    assert_true(akin_rows_borrows(rows));
    assert_int_equal(ak_rows_copy_labels(rows, ctx, labelled, NULL), AKIN_OK);
    return rows;
}

/* No learner writes to rows, or needs more than a row shows. */
static void borrowed_rows_learn_the_same_bytes(void **state)
{
    static float values[ROWS * DIM];
    (void)state;
    FOR_EACH_LEARNER(x)
    for (int sparse = 0; sparse <= 1; ++sparse) {
        bench copied = {0}, lent = {0};
        int released = 0;
        assert_int_equal(akin_ctx_new(&copied.ctx, NULL), AKIN_OK);
        lent.ctx = copied.ctx;
        akin_rows *from = class_rows(copied.ctx, 5, ROWS, DIM, WORDS, CLASSES);
        assert_int_equal(
            akin_rows_copy_float(values, copied.ctx, from, 0, ROWS), AKIN_OK);
        if (sparse) {
            copied.rows = class_rows(copied.ctx, 5, ROWS, DIM, WORDS, CLASSES);
            lent.rows = borrow_sparse(copied.ctx, from, &released);
        } else {
            assert_int_equal(akin_rows_new_dense(&copied.rows, copied.ctx, ROWS,
                                                 DIM, values),
                             AKIN_OK);
            assert_int_equal(
                ak_rows_copy_labels(copied.rows, copied.ctx, from, NULL),
                AKIN_OK);
            lent.rows = borrow_dense(copied.ctx, from, values, &released);
        }
        akin_model *a = learn_from(&copied, x), *b = learn_from(&lent, x);
        assert_same_bytes(copied.ctx, a, b);
        assert_int_equal(released, 0);
        bench_empty(&lent);
        assert_int_equal(released, 1);
        akin_model_free(a);
        akin_model_free(b);
        akin_rows_free(from);
        bench_free(&copied);
    }
}

static void learn_range(bench *b, const akin_options *o, const akin_model *from,
                        int64_t sample, akin_model **out)
{
    akin_learning *l = NULL;
    akin_supervision_sample(b->data, sample, 1);
    assert_int_equal(akin_learning_begin(&l, b->ctx, o, b->data, from),
                     AKIN_OK);
    assert_int_equal(akin_learning_observe_all(b->ctx, l), AKIN_OK);
    assert_int_equal(akin_learning_model(out, b->ctx, l), AKIN_OK);
    akin_learning_free(l);
}

static void a_then_b_is_a_and_b(void **state)
{
    (void)state;
    FOR_EACH_LEARNER(x)
    {
        if (!x->info->is_online)
            continue;
        akin_model *a = NULL, *back = NULL, *ab = NULL, *whole = NULL;
        char path[] = "akin-model-XXXXXX";
        bench b = {0};
        assert_int_equal(bench_make(&b), AKIN_OK);
        learn_range(&b, x->options, NULL, 1234, &a);
        close(mkstemp(path));
        assert_int_equal(akin_model_save(b.ctx, a, path), AKIN_OK);
        assert_int_equal(akin_model_load(&back, b.ctx, path), AKIN_OK);
        unlink(path);
        assert_true(akin_model_can_resume(back));
        learn_range(&b, x->options, back, SAMPLE - 1234, &ab);
        learn_range(&b, x->options, NULL, SAMPLE, &whole);
        assert_same_bytes(b.ctx, ab, whole);
        akin_model_free(a);
        akin_model_free(back);
        akin_model_free(ab);
        akin_model_free(whole);
        bench_free(&b);
    }
}

/* Asks to stop at its n-th call; slow enough that every tick is a call. */
typedef struct stopper {
    int calls, stop_at;
} stopper;

static int stop_later(void *user, const akin_progress *p)
{
    stopper *s = user;
    (void)p;
    usleep(21 * 1000);
    return ++s->calls >= s->stop_at;
}

static void assert_usable(const bench *b, const akin_model *m)
{
    const int64_t ij[6] = {0, 0, 0, 1, 2, 1};
    const akin_rows *rows = b->rows;
    double scores[ROWS] = {NAN};
    int32_t labels[ROWS];
    if (!akin_model_compares(m))
        assert_int_equal(akin_rank_labels(labels, scores, b->ctx, m, rows, 1),
                         AKIN_OK);
    else
        assert_int_equal(akin_model_score(scores, b->ctx, m, rows, rows, ij, 3,
                                          AKIN_BY_DEFAULT),
                         AKIN_OK);
    assert_true(isfinite(scores[0]));
    assert_int_equal(akin_model_save(b->ctx, m, "/dev/null"), AKIN_OK);
}

/* Cancelled at its n-th tick, a run has no model while there is no iterate, and
 * then one that can be used. A learner of a closed form has none until the end.
 */
static void assert_cancel_keeps_model(const akin_options *options)
{
    akin_model *m = NULL;
    akin_status st = AKIN_ECANCELLED;
    for (int n = 1; m == NULL && st == AKIN_ECANCELLED; ++n) {
        bench b = {0};
        stopper s = {0, n};
        assert_int_equal(bench_make(&b), AKIN_OK);
        akin_ctx_set_threads(b.ctx, 1);  // the caller's, which reports
        akin_ctx_set_progress(b.ctx, stop_later, &s);
        st = akin_learn(&m, b.ctx, options, data_for(&b, options), NULL);
        akin_ctx_set_progress(b.ctx, NULL, NULL);
        if (m != NULL)
            assert_usable(&b, m);
        bench_free(&b);
    }
    if (st != AKIN_ECANCELLED &&
        !ak_learner_find(options->learner)->is_closed_form)
        fail_msg("%s: status %d", options->learner, (int)st);
    akin_model_free(m);
}

static void a_cancelled_run_keeps_its_model(void **state)
{
    (void)state;
    FOR_EACH_LEARNER(x)
    assert_cancel_keeps_model(x->options);
}

static void every_solver_keeps_its_model(void **state)
{
    static const char *const runs[][2] = {
        {"itml", "cyclic"}, {"sdml", "alm"},   {"s2ml", "alm"},
        {"s2ml", "paper"},  {"s3ml", "paper"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
        akin_options *o = NULL;
        assert_int_equal(akin_options_new(&o, subjects_ctx, runs[i][0]),
                         AKIN_OK);
        assert_int_equal(
            akin_options_set(subjects_ctx, o, "solver", runs[i][1]), AKIN_OK);
        assert_cancel_keeps_model(o);
        akin_options_free(o);
    }
}

static int stop_and_note(void *user, const akin_progress *p)
{
    *(int64_t *)user = p->done;
    return 1;
}

/* The cost of a step of many triplets grows faster than their number. */
static void large_batches_show_progress(void **state)
{
    (void)state;
    akin_model *m = NULL;
    int64_t done = 0;
    akin_loreta_options o = AKIN_LORETA_DEFAULTS;
    bench b = {0};
    o.batch = 200;
    assert_int_equal(bench_make(&b), AKIN_OK);
    akin_ctx_set_progress(b.ctx, stop_and_note, &done);
    assert_int_equal(akin_learn(&m, b.ctx, &o.head, b.data, NULL),
                     AKIN_ECANCELLED);
    assert_in_range(done, 1, 100);
    akin_model_free(m);
    o.batch = 1001;
    assert_int_equal(akin_learn(&m, b.ctx, &o.head, b.data, NULL), AKIN_EINVAL);
    bench_free(&b);
}

/* Learn and save, from rows to file. */
static akin_status whole_job(akin_ctx *ctx, void *arg)
{
    const subject *x = arg;
    akin_model *m = NULL;
    bench b = {.ctx = ctx};
    akin_ctx_set_threads(ctx, 1);
    akin_status st = bench_fill(&b);
    if (st == AKIN_OK) {
        akin_supervision_sample(b.data, 300, 1);
        st = akin_learn(&m, ctx, x->options, data_for(&b, x->options), NULL);
    }
    if (st == AKIN_OK)
        st = akin_model_save(ctx, m, "/dev/null");
    akin_model_free(m);
    bench_empty(&b);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    FOR_EACH_LEARNER(x)
    {
        subject copy = *x;
        if (has_option(x->info, "max_iterations"))  // later ones allocate alike
            akin_options_set(subjects_ctx, copy.options, "max_iterations", "2");
        const int64_t n = faulty_run(whole_job, &copy);
        if (n < 0)
            fail_msg("%s: allocation %d", x->info->name, (int)(-1 - n));
    }
}

static void rows_without_examples_are_refused(void **state)
{
    (void)state;
    FOR_EACH_LEARNER(x)
    {
        if (x->info->takes == AKIN_NOTHING)
            continue;
        const int64_t offsets[3] = {0, 1, 2};
        const int32_t cols[2] = {0, 1};
        const float vals[2] = {1.0f, 1.0f};
        akin_ctx *ctx = NULL;
        akin_rows *rows = NULL;
        akin_supervision *data = NULL;
        akin_model *m = NULL;
        akin_ctx_new(&ctx, NULL);
        akin_rows_new_sparse(&rows, ctx, 2, 2, offsets, cols, vals);
        akin_supervision_new(&data, ctx, rows, NULL, NULL);
        assert_int_equal(akin_learn(&m, ctx, x->options, data, NULL),
                         AKIN_EINVAL);
        assert_true(strlen(akin_ctx_message(ctx)) > 0);
        akin_supervision_free(data);
        akin_rows_free(rows);
        akin_ctx_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_in_range),
        cmocka_unit_test(options_by_name_read_back),
        cmocka_unit_test(same_seed_same_bytes_for_any_threads),
        cmocka_unit_test(a_saved_model_scores_the_same),
        cmocka_unit_test(borrowed_rows_learn_the_same_bytes),
        cmocka_unit_test(a_then_b_is_a_and_b),
        cmocka_unit_test(a_cancelled_run_keeps_its_model),
        cmocka_unit_test(every_solver_keeps_its_model),
        cmocka_unit_test(large_batches_show_progress),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(rows_without_examples_are_refused),
    };
    return cmocka_run_group_tests(tests, make_subjects, free_subjects);
}
