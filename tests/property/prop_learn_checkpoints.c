/* A run that is stopped anywhere and continued gives the bytes of a whole one,
 * and a file that does not fit is refused. */
#include "faulty.h"
#include "learners.h"
#include "ranks.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "tensors/tensors.h"

enum { N = 90, COLUMNS = 12, STOPS = 3 };

static char path[64];

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
    akin_checkpoint_options c = AKIN_CHECKPOINT_DEFAULTS;
    akin_model *m = NULL;
    c.path = path;
    c.every = every;
    *out = (bytes){0};
    akin_status st = every > 0 ? akin_learn_checkpointed(&m, &out->continued,
                                                         ctx, o, data, &c, NULL)
                               : akin_learn(&m, ctx, o, data, NULL);
    if (st == AKIN_OK)
        st = akin_model_save_memory(&out->at, &out->n, ctx, m);
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
        {"itml", "solver", "cyclic", 0, 1, AKIN_UNIFORM, false},
        {"itml", "start", "covariance", 0, 1, AKIN_UNIFORM, false},
        {"s3ml", "solver", "alm", 0, 1, AKIN_UNIFORM, false},
        {"s2ml", "solver", "quic", 0, 1, AKIN_UNIFORM, false},
        {"sdml", "beta_share", "0.95", 0, 1, AKIN_UNIFORM, false},
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

/* ---- ranks ---- */

/* A communicator that stops all ranks at the same call. */
typedef struct counted_comm {
    const akin_comm *inner;
    int64_t calls, at;
} counted_comm;

static akin_status counted(counted_comm *c)
{
    return ++c->calls == c->at ? AKIN_ECANCELLED : AKIN_OK;
}

static akin_status exchange(void *user, const void *out, size_t n_out,
                            int64_t to, void *in, size_t n_in, int64_t from)
{
    const counted_comm *c = user;
    return c->inner->exchange(c->inner->user, out, n_out, to, in, n_in, from);
}

static akin_status counted_broadcast(void *user, void *b, size_t n,
                                     int64_t root)
{
    counted_comm *c = user;
    const akin_status st = c->inner->broadcast(c->inner->user, b, n, root);
    return st == AKIN_OK ? counted(c) : st;
}

static akin_status counted_gather(void *user, void *b, const size_t *offsets)
{
    counted_comm *c = user;
    const akin_status st = c->inner->gather(c->inner->user, b, offsets);
    return st == AKIN_OK ? counted(c) : st;
}

typedef struct rank_job {
    const akin_options *options;
    const akin_supervision *data;
    int64_t every, at;  // stopped at this call of the communicator
    int64_t calls;      // how many there were
    bytes out;
} rank_job;

static akin_status rank_learn(akin_ctx *ctx, void *arg)
{
    rank_job *j = arg;
    counted_comm c = {.inner = ak_ctx_comm(ctx), .at = j->at};
    akin_comm comm = *c.inner;
    comm.exchange = exchange;
    comm.broadcast = counted_broadcast;
    comm.gather = counted_gather;
    comm.user = &c;
    akin_ctx_set_comm(ctx, &comm);
    const akin_status st = learn(&j->out, ctx, j->options, j->data, j->every);
    j->calls = c.calls;
    akin_ctx_set_comm(ctx, c.inner);
    return st;
}

/* Returns the calls; *out is of the last rank. */
static int64_t run_ranks(bytes *out, akin_status *st, int64_t ranks,
                         rank_job what)
{
    rank_job jobs[4];
    void *args[4];
    for (int64_t r = 0; r < ranks; ++r) {
        jobs[r] = what;
        args[r] = &jobs[r];
    }
    *st = ranks_run(ranks, rank_learn, args, NULL, NULL);
    for (int64_t r = 0; r + 1 < ranks; ++r)
        akin_free(jobs[r].out.at);
    *out = jobs[ranks - 1].out;
    return jobs[0].calls;
}

/* Begun on one rank, continued on two, ended on four. */
static void ranks_continue(void **state)
{
    static const char *const names[] = {"rsl", "logistic", "s3ml", "loreta-psd",
                                        "solis-ada"};
    akin_ctx *ctx = NULL;
    (void)state;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    for (int i = 0; i < 10; ++i) {
        bench b = bench_of(ctx, i % 2, 1000);
        bytes whole, part, last;
        akin_options *o = NULL;
        akin_status st;
        assert_int_equal(akin_options_new(&o, ctx, names[i / 2]), AKIN_OK);
        rank_job job = {.options = o, .data = b.data, .every = i < 6 ? 1 : 97};
        run(&whole, &st, o, b.data, 0, 0);
        const int64_t calls = run_ranks(&part, &st, 2, job);
        assert_int_equal(st, AKIN_OK);
        assert_same(&part, &whole);
        akin_free(part.at);
        unlink(path);
        const int64_t memory = run(&part, &st, o, b.data, job.every, 0);
        akin_free(part.at);
        unlink(path);
        run(&part, &st, o, b.data, job.every, memory / 3);
        assert_int_equal(st, AKIN_ECANCELLED);
        job.at = calls / 3;
        run_ranks(&part, &st, 2, job);
        assert_int_equal(st, AKIN_ECANCELLED);
        assert_true(part.continued > 0);
        job.at = 0;
        run_ranks(&last, &st, 4, job);
        assert_int_equal(st, AKIN_OK);
        assert_true(last.continued >= part.continued);
        assert_same(&last, &whole);
        akin_free(last.at);
        akin_free(whole.at);
        akin_options_free(o);
        bench_empty(&b);
        unlink(path);
    }
    akin_ctx_free(ctx);
}

/* ---- files that do not fit ---- */

/* A checkpoint that was left by a run. */
static void leave(const akin_options *o, const akin_supervision *data,
                  int64_t every)
{
    bytes out;
    akin_status st;
    run(&out, &st, o, data, every, 0);
    assert_int_equal(st, AKIN_OK);
    akin_free(out.at);
    assert_true(has_file());
}

static void refuses(const akin_options *o, const akin_supervision *data,
                    uint64_t seed, const char *word)
{
    akin_ctx *ctx = NULL;
    bytes out;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    akin_ctx_set_seed(ctx, seed);
    const akin_status st = learn(&out, ctx, o, data, 1);
    assert_int_equal(akin_status_exit(st), 2);
    if (strstr(akin_ctx_message(ctx), word) == NULL)
        fail_msg("%s", akin_ctx_message(ctx));
    akin_ctx_free(ctx);
    assert_true(has_file());
}

static void other_runs_are_refused(void **state)
{
    akin_ctx *ctx = NULL;
    akin_options *o = NULL, *other = NULL;
    akin_model *m = NULL;
    (void)state;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    bench b = bench_of(ctx, false, 1000), c = bench_of(ctx, true, 1000);
    assert_int_equal(akin_options_new(&o, ctx, "logistic"), AKIN_OK);
    assert_int_equal(akin_options_new(&other, ctx, "nca"), AKIN_OK);
    leave(o, b.data, 1);
    refuses(o, c.data, 1, "data");
    refuses(o, b.data, 2, "seed");
    refuses(other, b.data, 1, "learner");
    akin_supervision_sample(b.data, 999, 1);
    refuses(o, b.data, 1, "data");
    akin_supervision_sample(b.data, 1000, 1);
    akin_options_set(ctx, o, "lambda", "0.5");
    refuses(o, b.data, 1, "`lambda` was 0.1 (now 0.5)");
    akin_options_free(other);
    assert_int_equal(akin_options_new(&other, ctx, "pca"), AKIN_OK);
    refuses(other, b.data, 1, "pca has no checkpoints");
    assert_int_equal(akin_learn(&m, ctx, other, b.data, NULL), AKIN_OK);
    assert_int_equal(akin_model_save(ctx, m, path), AKIN_OK);
    refuses(o, b.data, 1, "not a checkpoint");
    assert_int_equal(ak_file_write(ctx, path, "", 0), AKIN_OK);
    refuses(o, b.data, 1, "");
    unlink(path);
    akin_model_free(m);
    akin_options_free(o);
    akin_options_free(other);
    bench_empty(&b);
    bench_free(&c);
}

static void damage_is_refused(void **state)
{
    akin_ctx *ctx = NULL;
    akin_options *o = NULL;
    char *content = NULL;
    size_t n = 0;
    (void)state;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    bench b = bench_of(ctx, false, 1000);
    ak_rng rng = ak_rng_new(3, AK_STREAM_SYNTH);
    assert_int_equal(akin_options_new(&o, ctx, "arc-t"), AKIN_OK);
    leave(o, b.data, 1);
    assert_int_equal(ak_file_read(ctx, path, &content, &n), AKIN_OK);
    for (int i = 0; i < 100; ++i) {
        const size_t at = (size_t)ak_rng_below(&rng, (int64_t)n);
        const size_t kept = i % 4 == 0 ? at : n;
        const char flip = (char)(1 << ak_rng_below(&rng, 8));
        content[at] ^= flip;
        assert_int_equal(ak_file_write(ctx, path, content, kept), AKIN_OK);
        refuses(o, b.data, 1, "");
        content[at] ^= flip;
    }
    unlink(path);
    akin_free(content);
    akin_options_free(o);
    bench_free(&b);
}

typedef struct fault_job {
    const akin_options *options;
    const akin_supervision *data;
    bytes whole;
} fault_job;

static akin_status learn_again(akin_ctx *ctx, void *arg)
{
    const fault_job *j = arg;
    bytes out;
    const akin_status st = learn(&out, ctx, j->options, j->data, 20);
    if (st == AKIN_OK)
        assert_same(&out, &j->whole);
    akin_free(out.at);
    return st;
}

/* Memory that runs out leaves nothing behind, and a file to go on from. */
static void faults_do_no_harm(void **state)
{
    static const char *const names[] = {"logistic", "oasis", "rsl"};
    akin_ctx *ctx = NULL;
    (void)state;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    bench b = bench_of(ctx, false, 300);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        fault_job job = {.data = b.data};
        akin_options *o = NULL;
        akin_status st;
        assert_int_equal(akin_options_new(&o, ctx, names[i]), AKIN_OK);
        job.options = o;
        run(&job.whole, &st, o, b.data, 0, 0);
        assert_true(faulty_run_some(learn_again, &job, 7) >= 0);
        akin_free(job.whole.at);
        akin_options_free(o);
        unlink(path);
    }
    bench_free(&b);
}

/* ---- files that only look right ---- */

static const int64_t counts[] = {-1,   0,         1,         3,
                                 1000, INT64_MAX, INT64_MIN, 1LL << 40};
static const double values[] = {0.0, -1.0, 1e300, -1e-300, INFINITY, NAN};

/* One number of the tensor is another, or its shape or type. */
static ak_tensor changed(ak_rng *rng, ak_tensor t, void *data)
{
    const int64_t n = t.n_dims == 1 ? t.shape[0] : 0;
    const int64_t how = ak_rng_below(rng, 4);
    const size_t i = (size_t)ak_rng_below(rng, ak_max_i64(n, 1));
    if (n == 0)
        return t;
    memcpy(data, t.data, (size_t)n * ak_dtype_size(t.dtype));
    t.data = data;
    if (how == 0)
        t.shape[0] -= 1;
    else if (t.dtype == AK_DTYPE_I64 && how == 1)
        t.dtype = AK_DTYPE_F64;
    else if (t.dtype == AK_DTYPE_I64)
        ((int64_t *)data)[i] = counts[ak_rng_below(rng, 8)];
    else if (t.dtype == AK_DTYPE_F64)
        ((double *)data)[i] = values[ak_rng_below(rng, 6)];
    return t;
}

/* The file with one tensor changed or left out, and all checksums right. */
static void rewrite(akin_ctx *ctx, ak_rng *rng, const ak_tensors *from)
{
    const int64_t which = ak_rng_below(rng, ak_tensors_count(from));
    const bool drop = ak_rng_below(rng, 5) == 0;
    static double room[1 << 16];
    ak_tensors *t = NULL;
    const char *key, *value;
    assert_int_equal(ak_tensors_new(&t, ctx), AKIN_OK);
    for (int64_t i = 0; i < ak_tensors_count(from); ++i) {
        ak_tensor x = *ak_tensors_at(from, i);
        if (i == which)
            x = changed(rng, x, room);
        if (i != which || !drop)
            assert_int_equal(ak_tensors_put(t, ctx, x), AKIN_OK);
    }
    for (int64_t i = 0; i < ak_tensors_note_count(from); ++i) {
        ak_tensors_note_at(from, i, &key, &value);
        if (strncmp(key, "xxh3", 4) != 0 && strncmp(key, "format", 6) != 0 &&
            strcmp(key, "akin_version") != 0)
            assert_int_equal(ak_tensors_note(t, ctx, key, value), AKIN_OK);
    }
    if (ak_rng_below(rng, 8) == 0)
        assert_int_equal(ak_tensors_note_i64(t, ctx, "position",
                                             counts[ak_rng_below(rng, 8)]),
                         AKIN_OK);
    assert_int_equal(ak_tensors_write(t, ctx, path), AKIN_OK);
    ak_tensors_free(t);
}

/* Any status but a crash; what is restored is in range. */
static void wrong_numbers_do_no_harm(void **state)
{
    akin_ctx *ctx = NULL;
    int refused = 0;
    (void)state;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    bench b = bench_of(ctx, false, 500);
    ak_rng rng = ak_rng_new(4, AK_STREAM_SYNTH);
    FOR_EACH_LEARNER(s)
    {
        ak_tensors *from = NULL;
        char *content = NULL;
        size_t n = 0;
        if (akin_learner_checkpoints(s->info) == NULL)
            continue;
        const akin_supervision *data = data_for(&b, s->options);
        leave(s->options, data, s->info->is_online ? 200 : 2);
        assert_int_equal(ak_file_read(ctx, path, &content, &n), AKIN_OK);
        assert_int_equal(ak_tensors_parse(&from, ctx, path, content, n),
                         AKIN_OK);
        for (int i = 0; i < 12; ++i) {
            bytes out;
            rewrite(ctx, &rng, from);
            const akin_status st =
                learn(&out, ctx, s->options, data, INT64_C(1) << 40);
            refused += akin_status_exit(st) == 2;
            akin_free(out.at);
        }
        ak_tensors_free(from);
        akin_free(content);
        unlink(path);
    }
    assert_true(refused > 100);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_learner_continues),
        cmocka_unit_test(variants_continue),
        cmocka_unit_test(ranks_continue),
        cmocka_unit_test(other_runs_are_refused),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(faults_do_no_harm),
        cmocka_unit_test(wrong_numbers_do_no_harm),
    };
    /* In memory if possible: there are thousands of writes, each flushed. */
    snprintf(path, sizeof path, "%sakin-checkpoint-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "");
    close(mkstemp(path));
    unlink(path);
    return cmocka_run_group_tests(tests, make_subjects, free_subjects);
}
