/* tests/context.h - a context for each case. */
#ifndef AKIN_TESTS_CONTEXT_H
#define AKIN_TESTS_CONTEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ctx.h"

static akin_ctx *ctx;

static int context_begin(void **state)
{
    (void)state;
    return akin_ctx_new(&ctx, NULL) != AKIN_OK;
}

static int context_end(void **state)
{
    (void)state;
    akin_ctx_free(ctx);
    return 0;
}

#define CONTEXT_CASE(f) \
    cmocka_unit_test_setup_teardown(f, context_begin, context_end)

#endif
