/* A run that is stopped anywhere and continued gives the bytes of a whole one,
 * and a file that does not fit is refused. */
#include "learners.h"
#include "ranks.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "tensors/tensors.h"

enum { N = 90, COLUMNS = 12, STOPS = 3 };

static char path[] = "akin-checkpoint-XXXXXX";

/* ---- stopping ---- */

/* Memory, of which the n-th call asks the run to stop. */
typedef struct stopper {
    akin_ctx *ctx;
    int64_t calls, at;
} stopper;

static void count_call(stopper *s)
{
    if (++s->calls == s->at)
        akin_ctx_set_cancelled(s->ctx, 1);
}

static void *stopper_alloc(void *user, size_t size)
{
    count_call(user);
    return calloc(1, size);
}

static void *stopper_resize(void *user, void *p, size_t size)
{
    count_call(user);
    return realloc(p, size);
}

static void stopper_release(void *user, void *p)
{
    (void)user;
    free(p);
}

/* ---- runs ---- */

typedef struct bytes {
    uint8_t *at;
    size_t n;
    int64_t continued;
} bytes;

static bool has_file(void)
{
    return access(path, F_OK) == 0;
}

static akin_status learn(bytes *out, akin_ctx *ctx, const akin_options *o,
                         const akin_supervision *data, int64_t every)
{
    akin_checkpoint c = AKIN_CHECKPOINT_DEFAULTS;
    akin_model *m = NULL;
    c.path = path;
    c.every = every;
    *out = (bytes){0};
    akin_status st = every > 0
                         ? akin_learn_checkpointed(&m, ctx, o, data, &c, NULL)
                         : akin_learn(&m, ctx, o, data, NULL);
    if (st == AKIN_OK)
        st = akin_model_save_memory(&out->at, &out->n, ctx, m);
    out->continued = c.continued;
    akin_model_free(m);
    return st;
}

/* Stopped at memory call `at`, 0: never; returns how many there were. */
static int64_t run(bytes *out, akin_status *st, const akin_options *o,
                   const akin_supervision *data, int64_t every, int64_t at)
{
    stopper s = {.at = at};
    const akin_allocator a = {stopper_alloc, stopper_resize, stopper_release,
                              &s};
    akin_ctx *ctx = NULL;
    assert_int_equal(akin_ctx_new(&ctx, &a), AKIN_OK);
    akin_ctx_set_threads(ctx, at % 2 + 1);
    s.ctx = ctx;
    *st = learn(out, ctx, o, data, every);
    if (*st != AKIN_OK && *st != AKIN_ECANCELLED)
        print_message("%s: %s\n", o->learner, akin_ctx_message(ctx));
    akin_ctx_free(ctx);
    return s.calls;
}

static void assert_same(const bytes *a, const bytes *b)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->at, b->at, a->n);
}

/* Stopped several times in one run, and then continued to the end. */
static void stop_and_continue(const akin_options *o,
                              const akin_supervision *data, int64_t every)
{
    bytes whole, kept, last;
    akin_status st;
    bool went_on = false;
    run(&whole, &st, o, data, 0, 0);
    assert_int_equal(st, AKIN_OK);
    const int64_t calls = run(&kept, &st, o, data, every, 0);
    assert_int_equal(st, AKIN_OK);
    assert_same(&kept, &whole);
    akin_free(kept.at);
    assert_true(has_file());
    unlink(path);
    for (int64_t i = 1; i <= STOPS; ++i) {
        run(&last, &st, o, data, every, calls * i / (STOPS + 1) + i);
        akin_free(last.at);
        if (st == AKIN_OK)
            break;
        assert_int_equal(st, AKIN_ECANCELLED);
        went_on |= has_file();
    }
    run(&last, &st, o, data, every + 1, 0);
    assert_int_equal(st, AKIN_OK);
    assert_true(went_on);
    assert_true(last.continued > 0);
    assert_same(&last, &whole);
    akin_free(last.at);
    akin_free(whole.at);
    unlink(path);
}

/* ---- data ---- */

/* Sparse rows in classes, or a dense copy of them. */
static akin_rows *make_rows(akin_ctx *ctx, bool sparse)
{
    akin_rows *rows = class_rows(ctx, 5, N, COLUMNS, 5, CLASSES);
    akin_rows *dense = NULL;
    float x[N * COLUMNS] = {0};
    int32_t labels[N];
    const char *names[] = {"0", "1", "2"};
    if (sparse)
        return rows;
    for (int64_t i = 0; i < N; ++i) {
        labels[i] = (int32_t)(i % CLASSES);
        for (int64_t k = rows->offsets[i]; k < rows->offsets[i + 1]; ++k)
            x[i * COLUMNS + rows->cols[k]] = rows->vals[k];
    }
    assert_int_equal(akin_rows_new_dense(&dense, ctx, N, COLUMNS, x), AKIN_OK);
    assert_int_equal(akin_rows_set_labels(ctx, dense, labels, names, CLASSES),
                     AKIN_OK);
    akin_rows_free(rows);
    return dense;
}

static bench bench_of(akin_ctx *ctx, bool sparse, int64_t sample)
{
    bench b = {.ctx = ctx, .rows = make_rows(ctx, sparse)};
    assert_int_equal(bench_supervise(&b, sample), AKIN_OK);
    return b;
}

/* So that a run has several. */
static int64_t every_of(const subject *s)
{
    return s->info->is_online ? 97 : 1;
}

/* ---- cases ---- */

static void every_learner_continues(void **state)
{
    akin_ctx *ctx = NULL;
    (void)state;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    for (int sparse = 0; sparse < 2; ++sparse) {
        bench b = bench_of(ctx, sparse, 1000);
        FOR_EACH_LEARNER(s)
        {
            if (akin_learner_checkpoints(s->info) == NULL)
                continue;
            print_message("%s\n", s->info->name);
            stop_and_continue(s->options, data_for(&b, s->options),
                              every_of(s));
        }
        bench_empty(&b);
    }
    akin_ctx_free(ctx);
}

typedef struct variant {
    const char *learner, *option, *value;
    int64_t sample, passes;
    akin_sampling sampling;
    bool right;
} variant;

static void variants_continue(void **state)
{
    static const variant all[] = {
        {"rsl", "starts", "3", 0, 1, AKIN_UNIFORM, false},
        {"rsl", "hessian", "fd", 0, 1, AKIN_UNIFORM, true},
        {"rsl", "check_derivatives", "1", 0, 1, AKIN_UNIFORM, false},
        {"logistic", "lambda", "0.01", 0, 1, AKIN_UNIFORM, true},
        {"arc-t", "rank", "2", 0, 1, AKIN_UNIFORM, true},
        {"loreta-psd", "average", "tail", 4000, 1, AKIN_UNIFORM, false},
        {"loreta", "average", "tail", 4000, 1, AKIN_UNIFORM, false},
        {"loreta-psd", "prototypes", "6", 1000, 3, AKIN_WARP, false},
        {"gd", "symmetry", "none", 1000, 2, AKIN_UNIFORM, false},
        {"oasis", "symmetry", "none", 1000, 1, AKIN_UNIFORM, false},
        {"lego", "units", "absolute", 1000, 1, AKIN_UNIFORM, false},
        {"perceptron", "average", "all", 0, 0, AKIN_UNIFORM, false},
        {"solis-ada", "start", "mask", 0, 0, AKIN_UNIFORM, false},
        {"solis-ada", "start", "measure", 0, 0, AKIN_UNIFORM, false},
    };
    akin_ctx *ctx = NULL;
    (void)state;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    akin_rows *rows = make_rows(ctx, false);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        const variant *v = &all[i];
        akin_options *o = NULL;
        akin_supervision *data = NULL;
        assert_int_equal(akin_options_new(&o, ctx, v->learner), AKIN_OK);
        assert_int_equal(akin_options_set(ctx, o, v->option, v->value),
                         AKIN_OK);
        assert_int_equal(akin_supervision_new(&data, ctx, rows,
                                              v->right ? rows : NULL, NULL),
                         AKIN_OK);
        akin_supervision_sample(data, v->sample, v->passes);
        akin_supervision_sampling(data, v->sampling);
        print_message("%s %s %s\n", v->learner, v->option, v->value);
        stop_and_continue(o, data,
                          akin_learner_find(v->learner)->is_online ? 190 : 1);
        akin_supervision_free(data);
        akin_options_free(o);
    }
    akin_rows_free(rows);
    akin_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_learner_continues),
        cmocka_unit_test(variants_continue),
    };
    close(mkstemp(path));
    unlink(path);
    return cmocka_run_group_tests(tests, make_subjects, free_subjects);
}
