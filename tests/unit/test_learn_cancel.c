/* A run that another thread cancels ends soon, whatever learner it is of, and
 * leaves its rows and the context as they were. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <akin/index.h>
#include <akin/naming.h>
#include <akin/tune.h>

#include "learners.h"
#include "same_bytes.h"

enum {
    SPARSE_ROWS = 900,
    SPARSE_DIM = 300,
    WORDS = 40,
    DENSE_ROWS = 600,
    DENSE_DIM = 60,
    ENDLESS = 100000000, /* examples of an online learner */
};

/* CPU seconds of the thread that learns: what else the
 * machine does has no part in them. */
static const double wait_for = 0.05;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const double most = 4.0;
#else
static const double most = 0.2;
#endif

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct canceller {
    akin_ctx *ctx;
    clockid_t clock;
    double at;  // when to ask, then when it was asked
    atomic_bool over;
} canceller;

static void *cancel_later(void *arg)
{
    canceller *c = arg;
    while (!atomic_load(&c->over) && seconds(c->clock) < c->at)
        usleep(500);
    c->at = seconds(c->clock);
    akin_ctx_set_cancelled(c->ctx, 1);
    return NULL;
}

typedef akin_status (*work_fn)(akin_ctx *ctx, void *arg);

/* Work that is cancelled on the way. Returns how long it went on. */
static double cancelled_once(akin_ctx *ctx, work_fn work, void *arg,
                             akin_status *st)
{
    canceller c = {.ctx = ctx};
    pthread_t thread;
    assert_int_equal(pthread_getcpuclockid(pthread_self(), &c.clock), 0);
    c.at = seconds(c.clock) + wait_for;
    assert_int_equal(pthread_create(&thread, NULL, cancel_later, &c), 0);
    *st = work(ctx, arg);
    const double end = seconds(c.clock);
    atomic_store(&c.over, true);
    pthread_join(thread, NULL);
    akin_ctx_set_cancelled(ctx, 0);
    return end - c.at;
}

/* The same, and once more where it was late: a busy neighbour on the same core
 * slows work down, too. */
static double cancelled_run(akin_ctx *ctx, work_fn work, void *arg,
                            akin_status *st)
{
    const double late = cancelled_once(ctx, work, arg, st);
    return late <= most ? late : cancelled_once(ctx, work, arg, st);
}

typedef struct lesson {
    bench *b;
    const subject *x;
} lesson;

static akin_status learn(akin_ctx *ctx, void *arg)
{
    const lesson *l = arg;
    akin_model *m = NULL;
    const akin_status st =
        akin_learn(&m, ctx, l->x->options, data_for(l->b, l->x->options), NULL);
    if (st == AKIN_ECANCELLED)
        assert_null(m);
    akin_model_free(m);
    return st;
}

static akin_rows *make_rows(akin_ctx *ctx, bool sparse)
{
    if (sparse)
        return class_rows(ctx, 5, SPARSE_ROWS, SPARSE_DIM, WORDS, CLASSES);
    akin_rows *from = class_rows(ctx, 5, DENSE_ROWS, DENSE_DIM, 30, CLASSES);
    akin_rows *rows = NULL;
    float *values = calloc(DENSE_ROWS * DENSE_DIM, sizeof *values);
    assert_int_equal(akin_rows_copy_float(values, ctx, from, 0, DENSE_ROWS),
                     AKIN_OK);
    assert_int_equal(
        akin_rows_new_dense(&rows, ctx, DENSE_ROWS, DENSE_DIM, values),
        AKIN_OK);
    assert_int_equal(ak_rows_copy_labels(rows, ctx, from, NULL), AKIN_OK);
    akin_rows_free(from);
    free(values);
    return rows;
}

/* A quick run that gives a model in the same context, twice the same. */
static void assert_still_usable(bench *b)
{
    akin_pca_options o = AKIN_PCA_DEFAULTS;
    akin_model *m = NULL, *again = NULL;
    assert_int_equal(akin_learn(&m, b->ctx, &o.head, b->data, NULL), AKIN_OK);
    assert_int_equal(akin_learn(&again, b->ctx, &o.head, b->data, NULL),
                     AKIN_OK);
    assert_same_bytes(b->ctx, m, again);
    akin_model_free(m);
    akin_model_free(again);
}

static void every_learner_ends_soon(void **state)
{
    int cancelled = 0;
    (void)state;
    for (int sparse = 0; sparse <= 1; ++sparse) {
        bench b = {0};
        assert_int_equal(akin_ctx_new(&b.ctx, NULL), AKIN_OK);
        akin_ctx_set_threads(b.ctx, 1);  // so that one clock has all the work
        b.rows = make_rows(b.ctx, sparse != 0);
        assert_int_equal(bench_supervise(&b, 0), AKIN_OK);
        FOR_EACH_LEARNER(x)
        {
            akin_status st;
            akin_supervision_sample(b.data, x->info->is_online ? ENDLESS : 0,
                                    1);
            lesson l = {&b, x};
            const double late = cancelled_run(b.ctx, learn, &l, &st);
            /* Endless gradient steps may leave the range of numbers. */
            if (st != AKIN_OK && st != AKIN_ECANCELLED && st != AKIN_ENUMERIC)
                fail_msg("%s: %s", x->info->name, akin_status_name(st));
            if (late > most)
                fail_msg("%s, %s rows: went on for %.3f s", x->info->name,
                         sparse ? "sparse" : "dense", late);
            cancelled += st == AKIN_ECANCELLED;
        }
        akin_supervision_sample(b.data, 0, 1);
        assert_still_usable(&b);
        bench_free(&b);
    }
    assert_true(cancelled > n_subjects);  // of twice as many
}

/* ---- races, which have contexts of their own ---- */

static akin_status race(akin_ctx *ctx, void *arg)
{
    const bench *b = arg;
    akin_race_options o = AKIN_RACE_DEFAULTS;
    akin_race *r = NULL;
    akin_model *m = NULL;
    const akin_status st = akin_race_run(&r, &m, ctx, b->data, &o, NULL);
    akin_model_free(m);
    akin_race_free(r);
    return st;
}

static void a_race_ends_soon(void **state)
{
    bench b = {0};
    akin_status st;
    (void)state;
    assert_int_equal(akin_ctx_new(&b.ctx, NULL), AKIN_OK);
    akin_ctx_set_threads(b.ctx, 1);
    b.rows = make_rows(b.ctx, false);
    assert_int_equal(bench_supervise(&b, 0), AKIN_OK);
    const double late = cancelled_run(b.ctx, race, &b, &st);
    assert_int_equal(st, AKIN_ECANCELLED);
    if (late > most)
        fail_msg("went on for %.3f s", late);
    assert_still_usable(&b);
    bench_free(&b);
}

/* ---- naming ---- */

typedef struct photos {
    const akin_supervision *captions;
    const akin_options *options;
} photos;

static akin_status name(akin_ctx *ctx, void *arg)
{
    const photos *p = arg;
    akin_naming *s = NULL;
    akin_estimate *x = NULL;
    akin_status st = akin_naming_learn(&s, ctx, p->options, p->captions, NULL);
    if (st == AKIN_OK)
        st = akin_naming_estimate(&x, ctx, s, NULL);
    akin_estimate_free(x);
    akin_naming_free(s);
    return st;
}

static void every_method_of_naming_ends_soon(void **state)
{
    const akin_learner_info *info;
    bench b = {0};
    int cancelled = 0;
    (void)state;
    assert_int_equal(akin_ctx_new(&b.ctx, NULL), AKIN_OK);
    akin_ctx_set_threads(b.ctx, 1);
    b.rows = make_rows(b.ctx, false);
    assert_int_equal(bench_supervise(&b, 0), AKIN_OK);
    for (int64_t i = 0; (info = akin_learner_at(i)) != NULL; ++i) {
        akin_status st;
        if (!info->names_faces)
            continue;
        photos p = {b.captions, info->defaults};
        const double late = cancelled_run(b.ctx, name, &p, &st);
        if (st != AKIN_OK && st != AKIN_ECANCELLED)
            fail_msg("%s: %s", info->name, akin_ctx_message(b.ctx));
        if (late > most)
            fail_msg("%s: went on for %.3f s", info->name, late);
        cancelled += st == AKIN_ECANCELLED;
    }
    assert_true(cancelled > 0);
    bench_free(&b);
}

/* ---- indexes ---- */

typedef struct library {
    const akin_rows *rows;
    const akin_model *m;
    akin_index_options o;
    akin_index *x;
} library;

static akin_status build(akin_ctx *ctx, void *arg)
{
    const library *l = arg;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    while (st == AKIN_OK) {  // until it is cancelled
        akin_index_free(x);
        x = NULL;
        st = akin_index_build(&x, ctx, l->m, l->rows, &l->o);
    }
    assert_null(x);
    return st;
}

static akin_status search(akin_ctx *ctx, void *arg)
{
    const library *l = arg;
    int64_t *rows = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    while (st == AKIN_OK) {
        akin_free(rows);
        akin_free(scores);
        rows = NULL;
        scores = NULL;
        st = akin_index_search(&rows, &scores, ctx, l->x, l->rows, NULL);
    }
    assert_null(rows);
    assert_null(scores);
    return st;
}

static void assert_ends_soon(akin_ctx *ctx, work_fn work, library *l)
{
    akin_status st;
    const double late = cancelled_run(ctx, work, l, &st);
    assert_int_equal(st, AKIN_ECANCELLED);
    if (late > most)
        fail_msg("%s: went on for %.3f s", l->o.approximate, late);
}

static void an_index_ends_soon(void **state)
{
    akin_ctx *ctx = NULL;
    (void)state;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    akin_ctx_set_threads(ctx, 1);
    for (int k = 0; k < 3; ++k) {
        library l = {.o = AKIN_INDEX_DEFAULTS};
        akin_rows *rows = make_rows(ctx, k == 0);
        akin_model *m = NULL;
        l.o.approximate = k == 2 && akin_index_can("hnsw") ? "hnsw" : "none";
        assert_int_equal(
            akin_model_builtin(&m, ctx, k == 0 ? "tfidf" : "euclidean", rows),
            AKIN_OK);
        l.rows = rows;
        l.m = m;
        assert_ends_soon(ctx, build, &l);
        assert_int_equal(akin_index_build(&l.x, ctx, m, rows, &l.o), AKIN_OK);
        assert_ends_soon(ctx, search, &l);
        int64_t *found = NULL;
        double *scores = NULL;
        assert_int_equal(
            akin_index_search(&found, &scores, ctx, l.x, rows, NULL), AKIN_OK);
        akin_free(found);
        akin_free(scores);
        akin_index_free(l.x);
        akin_model_free(m);
        akin_rows_free(rows);
    }
    akin_ctx_free(ctx);
}

/* Progress that another thread sets while a call runs. */
static int count_call(void *user, const akin_progress *p)
{
    (void)p;
    atomic_fetch_add((atomic_int *)user, 1);
    return 0;
}

typedef struct setter {
    akin_ctx *ctx;
    atomic_int calls;
} setter;

static void *set_progress(void *arg)
{
    setter *s = arg;
    for (int i = 0; i < 200; ++i) {
        akin_ctx_set_progress(s->ctx, i % 2 ? NULL : count_call, &s->calls);
        usleep(1000);
    }
    akin_ctx_set_cancelled(s->ctx, 1);
    return NULL;
}

static void progress_is_set_from_another_thread(void **state)
{
    bench b = {0};
    pthread_t thread;
    (void)state;
    assert_int_equal(akin_ctx_new(&b.ctx, NULL), AKIN_OK);
    setter s = {.ctx = b.ctx};
    akin_oasis_diag_options o = AKIN_OASIS_DIAG_DEFAULTS;
    akin_model *m = NULL;
    b.rows = make_rows(b.ctx, true);
    assert_int_equal(bench_supervise(&b, ENDLESS), AKIN_OK);
    assert_int_equal(pthread_create(&thread, NULL, set_progress, &s), 0);
    assert_int_equal(akin_learn(&m, b.ctx, &o.head, b.data, NULL),
                     AKIN_ECANCELLED);
    pthread_join(thread, NULL);
    assert_true(atomic_load(&s.calls) > 0);
    bench_free(&b);
}

static void a_cancelled_context_begins_nothing(void **state)
{
    bench b = {0};
    (void)state;
    assert_int_equal(akin_ctx_new(&b.ctx, NULL), AKIN_OK);
    b.rows = make_rows(b.ctx, false);
    assert_int_equal(bench_supervise(&b, 0), AKIN_OK);
    akin_ctx_set_cancelled(b.ctx, 1);
    assert_true(akin_ctx_cancelled(b.ctx));
    FOR_EACH_LEARNER(x)
    {
        akin_model *m = NULL;
        assert_int_equal(
            akin_learn(&m, b.ctx, x->options, data_for(&b, x->options), NULL),
            AKIN_ECANCELLED);
        assert_null(m);
        assert_string_equal(akin_ctx_message(b.ctx), "interrupted");
    }
    akin_ctx_set_cancelled(b.ctx, 0);
    assert_still_usable(&b);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_learner_ends_soon),
        cmocka_unit_test(a_race_ends_soon),
        cmocka_unit_test(every_method_of_naming_ends_soon),
        cmocka_unit_test(an_index_ends_soon),
        cmocka_unit_test(progress_is_set_from_another_thread),
        cmocka_unit_test(a_cancelled_context_begins_nothing),
    };
    return cmocka_run_group_tests(tests, make_subjects, free_subjects);
}
