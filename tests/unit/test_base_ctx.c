/* The context: messages are one line, scratch nests, sizes do not overflow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/ctx.h"
#include "base/rng.h"

static void message_is_one_line(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    assert_string_equal(akin_ctx_message(ctx), "");
    assert_int_equal(ak_fail(ctx, AKIN_ESHAPE, "a\nb %d", 3), AKIN_ESHAPE);
    assert_string_equal(akin_ctx_message(ctx), "a?b 3");
    akin_ctx_free(ctx);
}

static void version_says_the_same_everywhere(void **state)
{
    char text[32];
    (void)state;
    snprintf(text, sizeof text, "%d.%d.%d", AKIN_VERSION_MAJOR,
             AKIN_VERSION_MINOR, AKIN_VERSION_PATCH);
    assert_string_equal(akin_version(), text);
    assert_string_equal(AKIN_VERSION, text);
    assert_int_equal(akin_version_number(), AKIN_VERSION_NUMBER);
}

static void scratch_nests(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    akin_ctx_new(&ctx, NULL);
    const ak_mark outer = ak_scratch_begin(ctx);
    double *a, *b;
    assert_int_equal(AK_SCRATCH(ctx, 10, &a), AKIN_OK);
    a[9] = 7.0;
    for (int round = 0; round < 3; ++round) {
        const ak_mark inner = ak_scratch_begin(ctx);
        assert_int_equal(AK_SCRATCH(ctx, 1 << 20, &b), AKIN_OK);
        assert_true((uintptr_t)b % 64 == 0);
        assert_true(b[0] == 0.0 && b[(1 << 20) - 1] == 0.0);
        b[0] = 1.0;
        ak_scratch_end(ctx, inner);
    }
    assert_true(a[9] == 7.0);
    ak_scratch_end(ctx, outer);
    assert_int_equal(AK_SCRATCH(ctx, 10, &a), AKIN_OK);
    assert_true(a[9] == 0.0);
    akin_ctx_free(ctx);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    akin_ctx *ctx = NULL;
    akin_ctx_new(&ctx, NULL);
    double *p = NULL;
    assert_int_equal(AK_NEW(ctx, INT64_MAX, &p), AKIN_ENOMEM);
    assert_int_equal(AK_NEW(ctx, -1, &p), AKIN_ENOMEM);
    assert_int_equal(AK_SCRATCH(ctx, INT64_MAX / 8, &p), AKIN_ENOMEM);
    assert_null(p);
    assert_int_equal(AK_NEW(ctx, 0, &p), AKIN_OK);
    assert_non_null(p);
    akin_free(p);
    akin_ctx_free(ctx);
}

static void draws_do_not_repeat(void **state)
{
    (void)state;
    ak_rng r = ak_rng_new(1, AK_STREAM_TRIPLETS);
    double mean = 0.0;
    for (int i = 0; i < 100000; ++i) {
        ak_rng s = ak_rng_split(r, (uint64_t)i);
        mean += ak_rng_unit(&s) / 100000.0;
        const int64_t k = ak_rng_below(&s, 7);
        assert_in_range(k, 0, 6);
    }
    assert_true(mean > 0.495 && mean < 0.505);
    ak_rng a = ak_rng_split(r, 1), b = ak_rng_split(r, 2);
    assert_true(ak_rng_next(&a) != ak_rng_next(&b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_is_one_line),
        cmocka_unit_test(version_says_the_same_everywhere),
        cmocka_unit_test(scratch_nests),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(draws_do_not_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
