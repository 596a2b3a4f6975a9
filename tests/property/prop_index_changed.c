/* An index in use whose file another program cuts off or writes into: searches
 * fail in one line that names the file, and nothing else happens. A file that
 * was replaced does no harm. */
#include <akin/index.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "context.h"

enum { N = 3000, DIM = 200, PER_ROW = 12, QUERIES = 20 };

static const char path[] = "prop_index_changed.index";
static const char *const kinds[] = {"none", "hnsw"};

/* Sparse rows, or the same as dense ones. */
static akin_rows *random_rows(ak_rng *rng, int64_t n, bool sparse)
{
    static float vals[N * DIM];
    static int64_t offsets[N + 1];
    static int32_t cols[N * PER_ROW];
    akin_rows *rows = NULL;
    for (int64_t k = 0; k < n * DIM; ++k)
        vals[k] = (float)ak_rng_unit(rng);
    for (int64_t i = 0; i < n; ++i) {
        offsets[i + 1] = (i + 1) * PER_ROW;
        for (int64_t k = 0; k < PER_ROW; ++k)
            cols[i * PER_ROW + k] = (int32_t)(k * (DIM / PER_ROW) +
                                              ak_rng_below(rng, DIM / PER_ROW));
    }
    assert_int_equal(
        sparse ? akin_rows_new_sparse(&rows, ctx, n, DIM, offsets, cols, vals)
               : akin_rows_new_dense(&rows, ctx, n, DIM, vals),
        AKIN_OK);
    return rows;
}

static void save(const char *approximate, bool sparse)
{
    ak_rng rng = ak_rng_new(3, 0);
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_model *m = NULL;
    akin_index *x = NULL;
    akin_rows *rows = random_rows(&rng, N, sparse);
    o.approximate = approximate;
    o.links = 4;
    o.effort = 10;
    assert_int_equal(akin_model_builtin(&m, ctx, "cosine", rows), AKIN_OK);
    assert_int_equal(akin_index_build(&x, ctx, m, rows, &o), AKIN_OK);
    assert_int_equal(akin_index_save(ctx, x, path), AKIN_OK);
    akin_index_free(x);
    akin_model_free(m);
    akin_rows_free(rows);
}

static akin_status search(akin_ctx *c, const akin_index *x,
                          const akin_rows *queries)
{
    int64_t *rows = NULL;
    double *scores = NULL;
    const akin_status st =
        akin_index_search(&rows, &scores, c, x, queries, NULL);
    akin_free(rows);
    akin_free(scores);
    return st;
}

static void check_refused(akin_status st)
{
    const char *message = akin_ctx_message(ctx);
    assert_int_equal(st, AKIN_EFORMAT);
    assert_non_null(strstr(message, path));
    assert_null(strchr(message, '\n'));
}

static void check_cut(const akin_rows *queries, off_t length)
{
    akin_index *x = NULL;
    assert_int_equal(akin_index_load(&x, ctx, path), AKIN_OK);
    assert_int_equal(search(ctx, x, queries), AKIN_OK);
    assert_int_equal(truncate(path, length), 0);
    check_refused(search(ctx, x, queries));
    check_refused(akin_index_save(ctx, x, "prop_index_changed.copy"));
    akin_index_free(x);
}

static void a_file_that_is_cut_off(void **state)
{
    ak_rng rng = ak_rng_new(4, 0);
    (void)state;
    for (int kind = 0; kind < 3; ++kind) {
        akin_rows *queries = random_rows(&rng, QUERIES, kind == 0);
        if (!akin_index_can(kinds[kind == 2]))
            continue;
        for (int cut = 0; cut < 5; ++cut) {
            struct stat s;
            save(kinds[kind == 2], kind == 0);
            assert_int_equal(stat(path, &s), 0);
            check_cut(queries, s.st_size * cut / 5);
        }
        akin_rows_free(queries);
    }
    unlink(path);
}

typedef struct writer {
    ak_rng rng;
    atomic_bool stop;
} writer;

/* Bytes at random places, until it is told to stop. */
static void *write_into(void *arg)
{
    writer *w = arg;
    struct stat s;
    const int fd = open(path, O_WRONLY);
    if (fd < 0 || fstat(fd, &s) != 0)
        return NULL;
    while (!atomic_load(&w->stop)) {
        const uint64_t bytes = ak_rng_next(&w->rng);
        const size_t n = 1 + (size_t)ak_rng_below(&w->rng, 8);
        const off_t at = (off_t)ak_rng_below(&w->rng, s.st_size - 8);
        if (pwrite(fd, &bytes, n, at) < 0)
            break;
    }
    close(fd);
    return NULL;
}

static void a_file_that_is_written_into(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind) {
        writer w = {0};
        pthread_t thread;
        akin_index *x = NULL;
        if (!akin_index_can(kinds[kind == 2]))
            continue;
        w.rng = ak_rng_new(5, 0);
        akin_rows *queries = random_rows(&w.rng, QUERIES, kind == 0);
        save(kinds[kind == 2], kind == 0);
        assert_int_equal(akin_index_load(&x, ctx, path), AKIN_OK);
        assert_int_equal(pthread_create(&thread, NULL, write_into, &w), 0);
        for (int k = 0; k < 50; ++k) {
            const akin_status st = search(ctx, x, queries);
            if (st != AKIN_OK)
                check_refused(st);
        }
        atomic_store(&w.stop, true);
        pthread_join(thread, NULL);
        check_refused(search(ctx, x, queries));
        akin_index_free(x);
        akin_rows_free(queries);
    }
    unlink(path);
}

static void a_file_that_is_replaced(void **state)
{
    ak_rng rng = ak_rng_new(6, 0);
    akin_index *x = NULL;
    (void)state;
    akin_rows *queries = random_rows(&rng, QUERIES, true);
    save("none", true);
    assert_int_equal(akin_index_load(&x, ctx, path), AKIN_OK);
    save("none", true);
    assert_int_equal(search(ctx, x, queries), AKIN_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(search(ctx, x, queries), AKIN_OK);
    akin_index_free(x);
    akin_rows_free(queries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(a_file_that_is_cut_off),
        CONTEXT_CASE(a_file_that_is_written_into),
        CONTEXT_CASE(a_file_that_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
