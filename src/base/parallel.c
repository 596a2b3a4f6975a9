/* A pool of threads that take fixed blocks from a shared counter. The calling
 * thread is worker 0, so one thread means no pool and no locks. */
#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WORKERS = 256, WATCH_NS = 50 * 1000 * 1000 };

typedef struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work, idle;
    pthread_t threads[MAX_WORKERS];
    int64_t n_threads;  // beside the caller
    int64_t n_active;   // of them, still in this round
    int64_t n_wanted;   // of them, to take part in this round
    uint64_t round;
    bool quit;
    bool busy;  // a call inside a call runs in its own thread

    const akin_ctx *ctx;
    ak_block_fn fn;
    void *arg;
    int64_t n, block;
    _Atomic int64_t next;
    int64_t failed_at;  // begin of the first failing block, -1 none
    akin_status failed;
} pool;

typedef struct start {
    pool *p;
    int64_t worker;
} start;

static void run_blocks(pool *p, int64_t worker)
{
    for (;;) {
        const int64_t begin = atomic_fetch_add(&p->next, p->block);
        if (begin >= p->n)
            return;
        const int64_t end = ak_min_i64(begin + p->block, p->n);
        akin_status st = ak_ctx_poll(p->ctx);
        if (st == AKIN_OK)
            st = p->fn(p->arg, begin, end, worker);
        if (st == AKIN_OK)
            continue;
        pthread_mutex_lock(&p->lock);
        if (p->failed_at < 0 || begin < p->failed_at) {
            p->failed_at = begin;
            p->failed = st;
        }
        pthread_mutex_unlock(&p->lock);
    }
}

static void *worker_main(void *arg)
{
    pool *p = ((start *)arg)->p;
    const int64_t worker = ((start *)arg)->worker;
    uint64_t seen = 0;
    pthread_mutex_lock(&p->lock);
    --p->n_active;  // the start record is read: the caller may go on
    pthread_cond_signal(&p->idle);
    for (;;) {
        while (!p->quit && (p->round == seen || worker > p->n_wanted))
            pthread_cond_wait(&p->work, &p->lock);
        if (p->quit)
            break;
        seen = p->round;
        pthread_mutex_unlock(&p->lock);
        run_blocks(p, worker);
        pthread_mutex_lock(&p->lock);
        if (--p->n_active == 0)
            pthread_cond_signal(&p->idle);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Threads up to `wanted`; fewer when the system has none left to give. */
static void pool_grow(pool *p, int64_t wanted)
{
    while (p->n_threads < wanted) {
        start s = {p, p->n_threads + 1};
        pthread_mutex_lock(&p->lock);
        p->n_active = 1;
        pthread_mutex_unlock(&p->lock);
        if (pthread_create(&p->threads[p->n_threads], NULL, worker_main, &s))
            break;
        pthread_mutex_lock(&p->lock);
        while (p->n_active > 0)
            pthread_cond_wait(&p->idle, &p->lock);
        pthread_mutex_unlock(&p->lock);
        ++p->n_threads;
    }
    p->n_active = 0;
}

static pool *pool_get(akin_ctx *ctx)
{
    pool *p = ak_ctx_pool(ctx);
    if (p == NULL) {
        p = ak_block_new(ctx, sizeof *p);
        if (p == NULL)
            return NULL;  // one thread does the work then
        pthread_mutex_init(&p->lock, NULL);
        pthread_cond_init(&p->work, NULL);
        pthread_cond_init(&p->idle, NULL);
        ak_ctx_set_pool(ctx, p);
    }
    return p;
}

void ak_pool_free(void *pool_)
{
    pool *p = pool_;
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (int64_t i = 0; i < p->n_threads; ++i)
        pthread_join(p->threads[i], NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->work);
    pthread_cond_destroy(&p->idle);
    akin_free(p);
}

int64_t ak_workers(akin_ctx *ctx)
{
    int64_t n = akin_ctx_threads(ctx);
    if (n == 0)
        n = sysconf(_SC_NPROCESSORS_ONLN);
    return ak_max_i64(1, ak_min_i64(n, MAX_WORKERS));
}

static akin_status serial_for(const akin_ctx *ctx, int64_t n, int64_t block,
                              ak_block_fn fn, void *arg)
{
    akin_status first = AKIN_OK;
    for (int64_t i = 0; i < n; i += block) {
        akin_status st = ak_ctx_poll(ctx);
        if (st == AKIN_OK)
            st = fn(arg, i, ak_min_i64(i + block, n), 0);
        if (first == AKIN_OK)
            first = st;
    }
    return first;
}

/* Until the other threads have no more blocks; under the lock. */
static void wait_for_others(pool *p, void (*watch)(void *), void *arg)
{
    while (p->n_active > 0) {
        if (watch == NULL) {
            pthread_cond_wait(&p->idle, &p->lock);
            continue;
        }
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WATCH_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&p->idle, &p->lock, &until) == 0)
            continue;
        pthread_mutex_unlock(&p->lock);
        watch(arg);
        pthread_mutex_lock(&p->lock);
    }
}

akin_status ak_parallel_for(akin_ctx *ctx, int64_t n, int64_t block,
                            ak_block_fn fn, void *arg)
{
    return ak_parallel_for_watched(ctx, n, block, fn, NULL, arg);
}

akin_status ak_parallel_for_watched(akin_ctx *ctx, int64_t n, int64_t block,
                                    ak_block_fn fn, void (*watch)(void *),
                                    void *arg)
{
    const int64_t blocks = n / block + (n % block != 0);
    const int64_t helpers = ak_min_i64(ak_workers(ctx), blocks) - 1;
    pool *p = helpers > 0 ? pool_get(ctx) : NULL;
    if (p != NULL && p->busy)
        return serial_for(ctx, n, block, fn, arg);
    if (p != NULL)
        pool_grow(p, helpers);
    if (p == NULL || p->n_threads == 0)
        return serial_for(ctx, n, block, fn, arg);

    p->busy = true;
    pthread_mutex_lock(&p->lock);
    p->ctx = ctx;
    p->fn = fn;
    p->arg = arg;
    p->n = n;
    p->block = block;
    p->next = 0;
    p->failed_at = -1;
    p->failed = AKIN_OK;
    p->n_wanted = ak_min_i64(helpers, p->n_threads);
    p->n_active = p->n_wanted;
    ++p->round;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);

    run_blocks(p, 0);

    pthread_mutex_lock(&p->lock);
    wait_for_others(p, watch, arg);
    pthread_mutex_unlock(&p->lock);
    p->busy = false;
    return p->failed;
}
