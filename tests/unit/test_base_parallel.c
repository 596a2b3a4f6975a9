/* Blocks: each runs once, whatever the number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/parallel.h"

enum { N = 1000 };

static akin_status count_up(void *arg, int64_t begin, int64_t end,
                            int64_t worker)
{
    int *seen = arg;
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
        ++seen[i];
    return begin == 300 || begin == 700
               ? (begin == 300 ? AKIN_EIO : AKIN_ENOMEM)
               : AKIN_OK;
}

static void every_element_once(void **state)
{
    (void)state;
    for (int64_t threads = 1; threads <= 5; ++threads) {
        akin_ctx *ctx = NULL;
        akin_ctx_new(&ctx, NULL);
        akin_ctx_set_threads(ctx, threads);
        int seen[N] = {0};
        for (int round = 0; round < 50; ++round)
            assert_int_equal(ak_parallel_for(ctx, N, 10, count_up, seen),
                             AKIN_EIO);
        for (int i = 0; i < N; ++i)
            assert_int_equal(seen[i], 50);
        akin_ctx_free(ctx);
    }
}

typedef struct nest {
    akin_ctx *ctx;
    int *seen;
} nest;

static akin_status inner(void *arg, int64_t begin, int64_t end, int64_t worker)
{
    nest *n = arg;
    int mine[N] = {0};
    (void)worker;
    ak_parallel_for(n->ctx, N, 10, count_up, mine);
    for (int64_t i = begin; i < end; ++i)
        n->seen[i] += mine[i];
    return AKIN_OK;
}

static void a_call_inside_a_call_runs_alone(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    akin_ctx_new(&ctx, NULL);
    akin_ctx_set_threads(ctx, 4);
    int seen[N] = {0};
    nest n = {ctx, seen};
    assert_int_equal(ak_parallel_for(ctx, N, 100, inner, &n), AKIN_OK);
    for (int i = 0; i < N; ++i)
        assert_int_equal(seen[i], 1);
    akin_ctx_free(ctx);
}

typedef struct awaited {
    atomic_bool started, stopped;
} awaited;

/* A block of another thread goes on until the caller hears a request. */
static akin_status run_until_stopped(void *arg, int64_t begin, int64_t end,
                                     int64_t worker)
{
    awaited *a = arg;
    (void)begin;
    (void)end;
    while (worker == 0 ? !a->started : !a->stopped)
        a->started = a->started || worker != 0;
    return AKIN_OK;
}

static void stop(void *arg)
{
    ((awaited *)arg)->stopped = true;
}

static void a_waiting_caller_watches(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    awaited a = {false, false};
    akin_ctx_new(&ctx, NULL);
    akin_ctx_set_threads(ctx, 2);
    assert_int_equal(
        ak_parallel_for_watched(ctx, 2, 1, run_until_stopped, stop, &a),
        AKIN_OK);
    assert_true(a.stopped);
    akin_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_once),
        cmocka_unit_test(a_call_inside_a_call_runs_alone),
        cmocka_unit_test(a_waiting_caller_watches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
