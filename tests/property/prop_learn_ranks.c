/* Models, races and words: the bytes of one rank on several. */
#include <akin/learn.h>
#include <akin/tune.h>

#include "cluster/kmeans.h"
#include "ranks.h"
#include "support.h"

enum {
    FEW = 240,
    SOME = 600,
    MANY = 2500
};  // rows; MANY: sums are of several blocks

typedef struct job {
    const char *learner;  // NULL: a race of some
    bool sparse;
    int64_t rows;
    uint8_t *bytes;
    size_t size;
} job;

/* Sparse rows in classes, or a dense copy of them. */
static akin_status make_rows(akin_rows **out, akin_ctx *ctx, const job *j)
{
    akin_rows *rows = class_rows(ctx, 3, j->rows, 30, 6, 4);
    akin_rows *dense = NULL;
    float *x = NULL;
    int32_t labels[MANY];
    const char *names[] = {"a", "b", "c", "d"};
    akin_status st = AKIN_OK;
    *out = rows;
    if (j->sparse)
        return AKIN_OK;
    AK_TRY(AK_NEW(ctx, rows->n * rows->d, &x));
    for (int64_t i = 0; i < rows->n; ++i) {
        labels[i] = (int32_t)(i % 4);
        for (int64_t k = rows->offsets[i]; k < rows->offsets[i + 1]; ++k)
            x[i * rows->d + rows->cols[k]] = rows->vals[k];
    }
    AK_TRY(akin_rows_new_dense(&dense, ctx, rows->n, rows->d, x));
    AK_TRY(akin_rows_set_labels(ctx, dense, labels, names, 4));
    *out = dense;
done:
    akin_free(x);
    akin_rows_free(rows);
    return st;
}

static akin_status race(akin_model **out, akin_ctx *ctx,
                        const akin_supervision *s)
{
    static const char *const methods[] = {"lda", "pca", "loreta-psd", NULL};
    akin_race_options o = AKIN_RACE_DEFAULTS;
    akin_race *r = NULL;
    o.effort = 1;
    o.methods = methods;
    const akin_status st = akin_race_run(&r, out, ctx, s, &o, NULL);
    akin_race_free(r);
    return st;
}

static akin_status learn(akin_ctx *ctx, void *arg)
{
    job *j = arg;
    akin_options *o = NULL;
    akin_rows *rows = NULL;
    akin_supervision *s = NULL;
    akin_model *m = NULL;
    akin_learn_info info;
    akin_status st = AKIN_OK;
    AK_TRY(make_rows(&rows, ctx, j));
    AK_TRY(akin_supervision_new(&s, ctx, rows, NULL, NULL));
    if (j->learner != NULL) {
        AK_TRY(akin_options_new(&o, ctx, j->learner));
        AK_TRY(akin_learn(&m, ctx, o, s, &info));
    } else {
        AK_TRY(race(&m, ctx, s));
    }
    AK_TRY(akin_model_save_memory(&j->bytes, &j->size, ctx, m));
done:
    akin_model_free(m);
    akin_supervision_free(s);
    akin_rows_free(rows);
    akin_options_free(o);
    return st;
}

/* On one rank, and then on more. */
static void compare_ranks(akin_status (*work)(akin_ctx *ctx, void *arg),
                          job what)
{
    job one = what;
    void *alone[1] = {&one};
    assert_int_equal(ranks_run(1, work, alone, NULL, NULL), AKIN_OK);
    for (int64_t n = 2; n <= 4; n += 2) {
        job jobs[4];
        void *args[4];
        int64_t bytes = 0;
        for (int64_t r = 0; r < n; ++r) {
            jobs[r] = what;
            args[r] = &jobs[r];
        }
        assert_int_equal(ranks_run(n, work, args, NULL, &bytes), AKIN_OK);
        assert_true(bytes > 0);
        for (int64_t r = 0; r < n; ++r) {
            assert_int_equal(jobs[r].size, one.size);
            assert_memory_equal(jobs[r].bytes, one.bytes, one.size);
            akin_free(jobs[r].bytes);
        }
    }
    akin_free(one.bytes);
}

static void learners_give_the_same_model(void **state)
{
    static const struct {
        const char *learner;
        bool sparse;
        int64_t rows;
    } all[] = {
        {"rsl", false, FEW},      {"rsl", true, FEW},
        {"s3ml", false, FEW},     {"lrml", false, MANY},
        {"logistic", false, FEW}, {"logistic", true, FEW},
        {"pca", true, FEW},       {"pca", false, MANY},
        {"lda", false, MANY},     {"mahalanobis", false, MANY},
        {"cca", false, MANY},     {"s2ml", false, FEW},
        {"sdml", false, FEW},     {"nca", false, SOME},
        {"lmnn", false, SOME},    {"itml", false, SOME},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        print_message("%s\n", all[i].learner);
        compare_ranks(learn, (job){.learner = all[i].learner,
                                   .sparse = all[i].sparse,
                                   .rows = all[i].rows});
    }
}

static void a_race_ends_alike(void **state)
{
    (void)state;
    compare_ranks(learn, (job){.rows = FEW});
}

static akin_status cluster(akin_ctx *ctx, void *arg)
{
    job *j = arg;
    ak_rng rng = ak_rng_new(1, AK_STREAM_SYNTH);
    const ak_kmeans_options o = {.k = 150,
                                 .iterations = 5,
                                 .probe = j->sparse ? 3 : 0,
                                 .batch = j->sparse ? 500 : 0};
    ak_kmeans_info info;
    ak_codebook *c = NULL;
    float *x = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 2000 * 8, &x));
    for (int64_t i = 0; i < 2000 * 8; ++i)
        x[i] = (float)ak_rng_normal(&rng);
    const ak_points points = {.n = 2000, .d = 8, .f32 = x};
    AK_TRY(ak_kmeans(&c, ctx, &points, &o, &info));
    j->size = (size_t)(c->k * c->d) * sizeof *c->at;
    AK_TRY(ak_alloc(ctx, (int64_t)j->size, 1, &j->bytes));
    memcpy(j->bytes, c->at, j->size);
done:
    ak_codebook_free(c);
    akin_free(x);
    return st;
}

static void words_are_the_same(void **state)
{
    (void)state;
    compare_ranks(cluster, (job){.sparse = false});
    compare_ranks(cluster, (job){.sparse = true});  // batches, in cells
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learners_give_the_same_model),
        cmocka_unit_test(a_race_ends_alike),
        cmocka_unit_test(words_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
