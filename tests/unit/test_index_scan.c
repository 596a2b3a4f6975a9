/* Scans: the scores are those of the definition, whatever the storage, the
 * threads, the processor and the other queries. */
#include "exact.h"

#include <malloc.h>
#include <sys/resource.h>

#include "faulty.h"
#include "index/scan/scan.h"
#include "la/sparse.h"
#include "model/diagonal.h"
#include "model/metric.h"

enum { N = 600, NQ = 90, D = 60 };

typedef struct wanted {
    const akin_rows *queries, *rows;
    const int64_t *which;
    const akin_model *m;
    const double *w;
    akin_compare by;
    double *scores;  // count x rows
} wanted;

static akin_status keep(void *arg, int64_t t, const double *scores,
                        int64_t worker)
{
    const wanted *x = arg;
    (void)worker;
    memcpy(x->scores + t * x->rows->n, scores,
           (size_t)x->rows->n * sizeof *scores);
    return AKIN_OK;
}

/* Scores of all queries (or of `which`), to be freed. */
static double *scan(akin_ctx *ctx, wanted x, int64_t count)
{
    const ak_queries q = {x.queries, x.which, count};
    x.scores = calloc((size_t)(count * x.rows->n + 1), sizeof *x.scores);
    assert_int_equal(ak_scan(ctx, x.m, q, x.rows, x.by, keep, &x, NULL, 0),
                     AKIN_OK);
    return x.scores;
}

static void check_exact(akin_ctx *ctx, bool sparse_rows, bool sparse_queries,
                        int weights)
{
    double room[D];
    akin_rows *rows = exact_rows(ctx, 1, N, D, sparse_rows, 0);
    akin_rows *queries = exact_rows(ctx, 2, NQ, D, sparse_queries, 0);
    akin_model *m = NULL;
    wanted x = {.queries = queries, .rows = rows};
    x.w = exact_weights(D, weights, room);
    assert_int_equal(ak_diagonal_new(&m, ctx, D, x.w, AKIN_BY_DOT), AKIN_OK);
    x.m = m;
    for (x.by = AKIN_BY_DOT; x.by <= AKIN_BY_DISTANCE; ++x.by) {
        double *got = scan(ctx, x, NQ);
        for (int64_t t = 0; t < NQ; ++t)
            for (int64_t i = 0; i < N; i += 7)
                assert_true(got[t * N + i] ==
                            exact_score(queries, t, rows, i, x.w, x.by));
        free(got);
    }
    akin_model_free(m);
    akin_rows_free(rows);
    akin_rows_free(queries);
}

static void scores_are_those_of_the_definition(void **state)
{
    for (int storage = 0; storage < 4; ++storage)
        for (int weights = 0; weights < 3; ++weights)
            check_exact(*state, storage & 1, storage >> 1, weights);
}

/* Rows of arbitrary numbers, each third twice. */
static akin_rows *any_rows(akin_ctx *ctx, int64_t n, bool sparse)
{
    akin_rows *r = exact_rows(ctx, 5, n, D, sparse, 0);
    ak_rng rng = ak_rng_new(7, AK_STREAM_SYNTH);
    const int64_t count = sparse ? r->offsets[n] : n * D;
    for (int64_t k = 0; k < count; ++k)
        r->vals[k] = (float)ak_rng_normal(&rng);
    int64_t *which = calloc((size_t)n, sizeof *which);
    for (int64_t i = 0; i < n; ++i)
        which[i] = i % 3 ? i : n / 2 + i / 6;
    akin_rows *twice = NULL;
    assert_int_equal(akin_rows_select(&twice, ctx, r, which, n), AKIN_OK);
    free(which);
    akin_rows_free(r);
    return twice;
}

/* A metric of rank 5, which embeds; or a diagonal of any sign. */
static akin_model *any_model(akin_ctx *ctx, bool metric)
{
    ak_rng rng = ak_rng_new(9, AK_STREAM_SYNTH);
    akin_model *m = NULL;
    double L[5 * D], w[D];
    double *M = calloc(D * D, sizeof *M);
    for (int64_t k = 0; k < 5 * D; ++k)
        L[k] = ak_rng_normal(&rng);
    for (int64_t i = 0; i < D * D; ++i)
        for (int64_t k = 0; k < 5; ++k)
            M[i] += L[k * D + i / D] * L[k * D + i % D];
    for (int64_t j = 0; j < D; ++j)
        w[j] = ak_rng_normal(&rng);
    assert_int_equal(metric ? ak_metric_new(&m, ctx, D, M, AKIN_BY_DISTANCE)
                            : ak_diagonal_new(&m, ctx, D, w, AKIN_BY_DOT),
                     AKIN_OK);
    free(M);
    return m;
}

static void check_any(akin_ctx *ctx, const akin_model *m, const akin_rows *rows,
                      akin_compare by)
{
    wanted x = {.queries = rows, .rows = rows, .m = m, .by = by};
    const int64_t n = rows->n;
    double *got = scan(ctx, x, n);
    for (int64_t t = 0; t < n; t += 97)
        for (int64_t i = 0; i < n; ++i) {
            const double want = m->kind->score(m, rows, t, rows, i, by);
            assert_true(fabs(got[t * n + i] - want) <=
                        1e-9 * (fabs(want) + 1.0));
            const int64_t copy = n / 2 + i / 6;
            if (i % 3 == 0 && copy % 3 != 0)
                assert_true(got[t * n + i] == got[t * n + copy]);
        }
    /* One at a time, on any number of threads, on any processor. */
    for (int64_t threads = 1; threads <= 4; ++threads) {
        const int64_t t = 17 * threads;
        akin_ctx_set_threads(ctx, threads);
        ak_la_use((ak_la_level)(threads % 3));
        x.which = &t;
        double *one = scan(ctx, x, 1);
        assert_memory_equal(one, got + t * n, (size_t)n * sizeof *one);
        x.which = NULL;
        double *all = scan(ctx, x, n);
        assert_memory_equal(all, got, (size_t)(n * n) * sizeof *all);
        free(one);
        free(all);
    }
    akin_ctx_set_threads(ctx, 0);
    ak_la_use(AK_LA_AVX512);
    free(got);
}

static void scores_depend_on_the_query_alone(void **state)
{
    akin_ctx *ctx = *state;
    for (int k = 0; k < 4; ++k) {
        akin_rows *rows = any_rows(ctx, 1100, k & 1);
        akin_model *m = any_model(ctx, k >> 1);
        for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by)
            check_any(ctx, m, rows, by);
        akin_model_free(m);
        akin_rows_free(rows);
    }
}

static void equal_sparse_rows_have_distance_zero(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = any_rows(ctx, 300, true);
    akin_model *m = any_model(ctx, false);
    wanted x = {.queries = rows, .rows = rows, .m = m, .by = AKIN_BY_DISTANCE};
    double *got = scan(ctx, x, 300);
    for (int64_t i = 0; i < 300; ++i)
        assert_true(got[i * 300 + i] == 0.0);
    free(got);
    akin_model_free(m);
    akin_rows_free(rows);
}

static void no_rows_and_no_queries_are_fine(void **state)
{
    akin_ctx *ctx = *state;
    for (int sparse = 0; sparse < 2; ++sparse) {
        akin_rows *rows = exact_rows(ctx, 1, 40, D, sparse, 0), *none = NULL;
        akin_model *m = any_model(ctx, false);
        assert_int_equal(akin_rows_select(&none, ctx, rows, NULL, 0), AKIN_OK);
        free(scan(ctx, (wanted){.queries = none, .rows = rows, .m = m}, 0));
        free(scan(ctx, (wanted){.queries = rows, .rows = none, .m = m}, 40));
        akin_rows_free(none);
        akin_rows_free(rows);
        akin_model_free(m);
    }
}

static void wrong_columns_are_refused(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = exact_rows(ctx, 1, 40, D + 1, true, 0);
    akin_model *m = any_model(ctx, false);
    const ak_queries q = {rows, NULL, 40};
    assert_int_equal(ak_scan(ctx, m, q, rows, AKIN_BY_DOT, keep, NULL, NULL, 0),
                     AKIN_ESHAPE);
    akin_rows_free(rows);
    akin_model_free(m);
}

static int stop(void *user, const akin_progress *p)
{
    (void)user;
    return p->done > 0;
}

static void a_scan_can_be_cancelled(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = exact_rows(ctx, 1, 200, D, true, 0);
    akin_model *m = any_model(ctx, false);
    wanted x = {.rows = rows};
    x.scores = calloc(200 * 200, sizeof *x.scores);
    akin_ctx_set_progress(ctx, stop, NULL);
    const ak_queries q = {rows, NULL, 200};
    assert_int_equal(ak_scan(ctx, m, q, rows, AKIN_BY_DOT, keep, &x, NULL, 0),
                     AKIN_ECANCELLED);
    akin_ctx_set_progress(ctx, NULL, NULL);
    free(x.scores);
    akin_rows_free(rows);
    akin_model_free(m);
}

static akin_status scan_once(akin_ctx *ctx, void *arg)
{
    wanted *x = arg;
    const ak_queries q = {x->queries, NULL, 20};
    akin_ctx_set_threads(ctx, 1);
    return ak_scan(ctx, x->m, q, x->rows, x->by, keep, x, NULL, 0);
}

static void every_failed_allocation_is_survived(void **state)
{
    akin_ctx *ctx = *state;
    for (int k = 0; k < 4; ++k) {
        akin_rows *rows = any_rows(ctx, 50, k & 1);
        akin_model *m = any_model(ctx, k >> 1);
        wanted x = {
            .queries = rows, .rows = rows, .m = m, .by = AKIN_BY_COSINE};
        x.scores = calloc(20 * 50, sizeof *x.scores);
        assert_in_range(faulty_run(scan_once, &x), 2, 100);
        free(x.scores);
        akin_model_free(m);
        akin_rows_free(rows);
    }
}

/* KiB of memory that have been in use at once. */
static int64_t peak(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss;
}

/* A small file may be of many columns: what is there costs memory, not what
 * might be. */
static void columns_that_nobody_has_take_no_memory(void **state)
{
    enum { MANY = 100000000, LEAST = 200 << 10 };  // 500 MB when all touched
    static const int64_t offsets[] = {0, 2, 3};
    static const int32_t cols[] = {0, MANY - 1, MANY - 1}, heavy = MANY - 1;
    static const float vals[] = {1, 2, 3};
    static const double two = 2.0;
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    ak_tensors *t = NULL;
    mallopt(M_PERTURB, 0);  // meson's, under which all memory is touched
    const int64_t before = peak();
    assert_int_equal(
        akin_rows_new_sparse(&rows, *state, 2, MANY, offsets, cols, vals),
        AKIN_OK);
    assert_int_equal(ak_tensors_new(&t, *state), AKIN_OK);
    assert_int_equal(ak_tensors_note(t, *state, "kind", "diagonal"), AKIN_OK);
    assert_int_equal(ak_tensors_note(t, *state, "compare", "dot"), AKIN_OK);
    assert_int_equal(ak_tensors_note_i64(t, *state, "dim", MANY), AKIN_OK);
    assert_int_equal(
        ak_tensors_put_vector(t, *state, "w.index", AK_DTYPE_I32, 1, &heavy),
        AKIN_OK);
    assert_int_equal(
        ak_tensors_put_vector(t, *state, "w.value", AK_DTYPE_F64, 1, &two),
        AKIN_OK);
    assert_int_equal(ak_model_take(&m, *state, t), AKIN_OK);
    assert_int_equal(akin_model_nonzeros(m), 1);
    const wanted x = {.queries = rows, .rows = rows, .m = m, .by = AKIN_BY_DOT};
    double *got = scan(*state, x, 2);
    assert_true(got[0] == 8.0 && got[1] == 12.0 && got[3] == 18.0);
    assert_true(peak() - before < LEAST);
    free(got);
    ak_tensors_free(t);
    akin_model_free(m);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_of_the_definition),
        cmocka_unit_test(scores_depend_on_the_query_alone),
        cmocka_unit_test(equal_sparse_rows_have_distance_zero),
        cmocka_unit_test(no_rows_and_no_queries_are_fine),
        cmocka_unit_test(wrong_columns_are_refused),
        cmocka_unit_test(a_scan_can_be_cancelled),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(columns_that_nobody_has_take_no_memory),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
