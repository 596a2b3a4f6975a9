/* What the fuzz targets share. Each is built twice: with replay.c, which runs
 * it over files, and (-Dfuzz=true, clang) with libFuzzer. */
#ifndef AK_TESTS_FUZZ_H
#define AK_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/ctx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* One context for all runs, on one thread, reachable until the end. */
static inline akin_ctx *fuzz_ctx(void)
{
    static akin_ctx *ctx;
    if (ctx == NULL) {
        if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
            abort();
        akin_ctx_set_threads(ctx, 1);
    }
    return ctx;
}

#endif
