/* What every learner of the registry must do. */
#include <math.h>
#include <unistd.h>

#include "faulty.h"
#include "same_bytes.h"
#include "support.h"

#include <akin/eval.h>
#include <akin/learn.h>

#include "learn/learner.h"

enum { ROWS = 60, DIM = 90, WORDS = 12, CLASSES = 3, SAMPLE = 3000 };

typedef struct bench {
    akin_ctx *ctx;
    akin_rows *rows;
    akin_supervision *data;
    akin_supervision *captions;  // of the same rows
    akin_supervision *sides;     // the same rows on both
} bench;

/* Photos of two rows, captions with their classes and, in every third, one
 * more. */
static akin_status write_captions(akin_supervision *data, akin_ctx *ctx)
{
    char text[64 * ROWS] = "photo,faces,names\n";
    size_t at = strlen(text);
    for (int i = 0; i + 1 < ROWS; i += 2)
        at += (size_t)snprintf(
            text + at, sizeof text - at, "p%d,%d;%d,c%d;c%d%s\n", i, i, i + 1,
            i % CLASSES, (i + 1) % CLASSES, i % 6 == 0 ? ";c3" : "");
    return akin_supervision_captions(ctx, data, "captions.csv", text);
}

static akin_status bench_fill(bench *b)
{
    b->rows = class_rows(b->ctx, 5, ROWS, DIM, WORDS, CLASSES);
    if (b->rows == NULL)
        return AKIN_ENOMEM;
    const akin_status st =
        akin_supervision_new(&b->data, b->ctx, b->rows, NULL, NULL);
    if (st != AKIN_OK)
        return st;
    akin_supervision_sample(b->data, SAMPLE, 1);
    const akin_status more =
        akin_supervision_new(&b->sides, b->ctx, b->rows, b->rows, NULL);
    if (more != AKIN_OK)
        return more;
    const akin_status most =
        akin_supervision_new(&b->captions, b->ctx, b->rows, NULL, NULL);
    return most == AKIN_OK ? write_captions(b->captions, b->ctx) : most;
}

/* What a learner takes. */
static akin_supervision *data_for(const bench *b, const akin_options *o)
{
    const akin_learner_info *learner = akin_learner_find(o->learner);
    if (learner->takes_right == 2)
        return b->sides;
    return learner->takes == AKIN_BAGS ? b->captions : b->data;
}

static akin_status bench_make(bench *b)
{
    const akin_status st = akin_ctx_new(&b->ctx, NULL);
    return st == AKIN_OK ? bench_fill(b) : st;
}

static void bench_empty(bench *b)
{
    akin_supervision_free(b->data);
    akin_supervision_free(b->captions);
    akin_supervision_free(b->sides);
    akin_rows_free(b->rows);
}

static void bench_free(bench *b)
{
    bench_empty(b);
    akin_ctx_free(b->ctx);
}

/* A learner and what it is run with: its defaults, a kernel where it takes one,
 * and, where it has a choice of tasks, once more to rank labels. */
typedef struct subject {
    const akin_learner_info *info;
    akin_options *options;
} subject;

enum { MOST_SUBJECTS = 128 };

static subject subjects[MOST_SUBJECTS];
static int n_subjects;
static akin_ctx *subjects_ctx;

static bool has_option(const akin_learner_info *info, const char *name)
{
    for (int64_t i = 0; i < info->n_options; ++i)
        if (strcmp(info->options[i].name, name) == 0)
            return true;
    return false;
}

static akin_options *add_subject(const akin_learner_info *info)
{
    subject *s = &subjects[n_subjects++];
    s->info = info;
    assert_int_equal(akin_options_new(&s->options, subjects_ctx, info->name),
                     AKIN_OK);
    return s->options;
}

static int make_subjects(void **state)
{
    const akin_learner_info *info = NULL;
    (void)state;
    akin_ctx_new(&subjects_ctx, NULL);
    for (int64_t i = 0; (info = akin_learner_at(i)) != NULL; ++i) {
        if (info->names_faces == 2)
            continue;  // it trains no model
        add_subject(info);
        if (has_option(info, "kernel"))
            akin_options_set(subjects_ctx, add_subject(info), "kernel", "rbf");
        if (!has_option(info, "task"))
            continue;
        akin_options *o = add_subject(info);
        akin_options_set(subjects_ctx, o, "task", "rank");
        akin_options_set(subjects_ctx, o, "rank", "2");  // of 3 labels
    }
    return 0;
}

static int free_subjects(void **state)
{
    (void)state;
    for (int i = 0; i < n_subjects; ++i)
        akin_options_free(subjects[i].options);
    akin_ctx_free(subjects_ctx);
    return 0;
}

#define FOR_EACH_LEARNER(s) \
    for (const subject *s = subjects; s < subjects + n_subjects; ++s)

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
        akin_model_free(m);
        akin_model_free(back);
        bench_free(&b);
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
        cmocka_unit_test(a_then_b_is_a_and_b),
        cmocka_unit_test(a_cancelled_run_keeps_its_model),
        cmocka_unit_test(every_solver_keeps_its_model),
        cmocka_unit_test(large_batches_show_progress),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(rows_without_examples_are_refused),
    };
    return cmocka_run_group_tests(tests, make_subjects, free_subjects);
}
