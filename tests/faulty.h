/* An allocator that fails one call, for tests that fail each in turn. */
#ifndef AK_TESTS_FAULTY_H
#define AK_TESTS_FAULTY_H

#include <akin/base.h>
#include <stdlib.h>

typedef struct faulty {
    int64_t left;   // calls until the one that fails, below 0: none will
    int64_t alive;  // allocations not yet released
} faulty;

static void *faulty_alloc(void *user, size_t size)
{
    faulty *f = user;
    void *p = f->left-- == 0 ? NULL : calloc(1, size);
    f->alive += p != NULL;
    return p;
}

static void *faulty_resize(void *user, void *old, size_t size)
{
    faulty *f = user;
    void *p = f->left-- == 0 ? NULL : realloc(old, size);
    f->alive += p != NULL && old == NULL;
    return p;
}

static void faulty_release(void *user, void *p)
{
    faulty *f = user;
    f->alive -= p != NULL;
    free(p);
}

/* Run `work` in a context of its own, with the allocation that f says failing.
 */
static inline akin_status
faulty_once(faulty *f, akin_status (*work)(akin_ctx *ctx, void *arg), void *arg)
{
    const akin_allocator a = {faulty_alloc, faulty_resize, faulty_release, f};
    akin_ctx *ctx = NULL;
    akin_status st = akin_ctx_new(&ctx, &a);
    if (st == AKIN_OK)
        st = work(ctx, arg);
    akin_ctx_free(ctx);
    return st;
}

/* Run `work` with the n-th allocation failing, for n = 0, step, 2 step, ...
 * until it succeeds: each time it must return ENOMEM and leave nothing behind.
 * Returns an n that it succeeds with, or -1 - n where that did not hold. */
static inline int64_t faulty_run_some(akin_status (*work)(akin_ctx *ctx,
                                                          void *arg),
                                      void *arg, int64_t step)
{
    for (int64_t n = 0;; n += step) {
        faulty f = {n, 0};
        const akin_status st = faulty_once(&f, work, arg);
        if (f.alive != 0 || (st != AKIN_OK && st != AKIN_ENOMEM) ||
            (st == AKIN_ENOMEM) != (f.left < 0))
            return -1 - n;
        if (st == AKIN_OK)
            return n;
    }
}

/* Each of them; returns how many allocations there are. */
static inline int64_t faulty_run(akin_status (*work)(akin_ctx *ctx, void *arg),
                                 void *arg)
{
    return faulty_run_some(work, arg, 1);
}

#endif
