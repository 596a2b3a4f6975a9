/* tests/ranks.h - ranks that are threads of one process, each with a context
 * of its own, so that tests need no mpirun. */
#ifndef AK_TESTS_RANKS_H
#define AK_TESTS_RANKS_H

#include <akin/comm.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 8 };

typedef struct ranks_room {
    pthread_barrier_t barrier;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const void *sent[RANKS_MOST][RANKS_MOST];  // from, to; NULL: nothing waits
    void *shown[RANKS_MOST];                   // by each rank, to all
    int64_t size;
} ranks_room;

typedef struct ranks_member {
    ranks_room *all;
    akin_comm comm;
    akin_status (*work)(akin_ctx *ctx, void *arg);
    void *arg;
    const akin_allocator *allocator;
    akin_status status;
    int64_t communicated;
} ranks_member;

static akin_status ranks_exchange(void *user, const void *out, size_t n_out,
                                  int64_t to, void *in, size_t n_in,
                                  int64_t from)
{
    const ranks_member *m = user;
    ranks_room *r = m->all;
    const void **sent = &r->sent[m->comm.rank][to];
    const void **waits = &r->sent[from][m->comm.rank];
    pthread_mutex_lock(&r->lock);
    if (n_out > 0)
        *sent = out;
    pthread_cond_broadcast(&r->changed);
    while (n_in > 0 && *waits == NULL)
        pthread_cond_wait(&r->changed, &r->lock);
    if (n_in > 0) {
        memcpy(in, *waits, n_in);
        *waits = NULL;
    }
    pthread_cond_broadcast(&r->changed);
    while (n_out > 0 && *sent != NULL)
        pthread_cond_wait(&r->changed, &r->lock);
    pthread_mutex_unlock(&r->lock);
    return AKIN_OK;
}

/* Show memory to all others, and wait until all have shown theirs. */
static void ranks_show(const ranks_member *m, void *bytes)
{
    m->all->shown[m->comm.rank] = bytes;
    pthread_barrier_wait(&m->all->barrier);
}

static akin_status ranks_broadcast(void *user, void *bytes, size_t n,
                                   int64_t root)
{
    const ranks_member *m = user;
    ranks_show(m, bytes);
    if (m->comm.rank != root && n > 0)
        memcpy(bytes, m->all->shown[root], n);
    pthread_barrier_wait(&m->all->barrier);
    return AKIN_OK;
}

static akin_status ranks_gather(void *user, void *bytes, const size_t *offsets)
{
    const ranks_member *m = user;
    ranks_show(m, bytes);
    for (int64_t r = 0; r < m->comm.size; ++r)
        if (r != m->comm.rank && offsets[r + 1] > offsets[r])
            memcpy((char *)bytes + offsets[r],
                   (const char *)m->all->shown[r] + offsets[r],
                   offsets[r + 1] - offsets[r]);
    pthread_barrier_wait(&m->all->barrier);
    return AKIN_OK;
}

static void *ranks_main(void *arg)
{
    ranks_member *m = arg;
    akin_ctx *ctx = NULL;
    m->status = akin_ctx_new(&ctx, m->allocator);
    if (m->status == AKIN_OK) {
        akin_ctx_set_threads(ctx, 2);
        akin_ctx_set_comm(ctx, &m->comm);
        m->status = m->work(ctx, m->arg);
        m->communicated = akin_ctx_communicated(ctx);
    }
    akin_ctx_free(ctx);
    return NULL;
}

/* Run `work` on `size` ranks; args[r] is the argument of rank r, allocators
 * (NULL: the C library's) its memory. Each must end with the same status, which
 * is returned, and have counted the same bytes. */
static inline akin_status
ranks_run(int64_t size, akin_status (*work)(akin_ctx *ctx, void *arg),
          void *const *args, const akin_allocator *allocators,
          int64_t *communicated)
{
    ranks_room all = {.size = size};
    ranks_member members[RANKS_MOST];
    pthread_t threads[RANKS_MOST];
    pthread_barrier_init(&all.barrier, NULL, (unsigned)size);
    pthread_mutex_init(&all.lock, NULL);
    pthread_cond_init(&all.changed, NULL);
    for (int64_t r = 0; r < size; ++r) {
        members[r] =
            (ranks_member){.all = &all,
                           .comm = {r, size, ranks_exchange, ranks_broadcast,
                                    ranks_gather, &members[r]},
                           .work = work,
                           .arg = args[r],
                           .allocator = allocators ? &allocators[r] : NULL};
        if (pthread_create(&threads[r], NULL, ranks_main, &members[r]) != 0)
            abort();
    }
    for (int64_t r = 0; r < size; ++r)
        pthread_join(threads[r], NULL);
    for (int64_t r = 1; r < size; ++r)
        if (members[r].status != members[0].status ||
            members[r].communicated != members[0].communicated)
            abort();
    pthread_barrier_destroy(&all.barrier);
    pthread_mutex_destroy(&all.lock);
    pthread_cond_destroy(&all.changed);
    if (communicated != NULL)
        *communicated = members[0].communicated;
    return members[0].status;
}

#endif
