/* tests/fuzz/small.h - a context that has little memory. A small file may well
 * be a sparse model of 2^31 columns, for which memory is mapped and hardly
 * touched; not so a million times in a row and under a sanitizer, so that there
 * is no more than SMALL_MOST at once here. */
#ifndef AK_TESTS_FUZZ_SMALL_H
#define AK_TESTS_FUZZ_SMALL_H

#include "fuzz.h"

enum { SMALL_MOST = 1 << 24 };

static void *small_alloc(void *user, size_t size)
{
    (void)user;
    return size > SMALL_MOST ? NULL : calloc(1, size);
}

static void *small_resize(void *user, void *p, size_t size)
{
    (void)user;
    return size > SMALL_MOST ? NULL : realloc(p, size);
}

static void small_release(void *user, void *p)
{
    (void)user;
    free(p);
}

static inline akin_ctx *small_ctx(void)
{
    static const akin_allocator small = {small_alloc, small_resize,
                                         small_release, NULL};
    static akin_ctx *ctx;
    if (ctx == NULL) {
        if (akin_ctx_new(&ctx, &small) != AKIN_OK)
            abort();
        akin_ctx_set_threads(ctx, 1);
    }
    return ctx;
}

#endif
