/* Tensors with each allocation failing once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "faulty.h"
#include "tensors/tensors.h"

static const char path[] = "fault_tensors.tmp";

static akin_status fill(ak_tensors *t, akin_ctx *ctx)
{
    static const double w[3] = {1.0, 2.0, 3.0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_put_vector(t, ctx, "w", AK_DTYPE_F64, 3, w));
    AK_TRY(
        ak_tensors_put_copy(t, ctx, (ak_tensor){"v", AK_DTYPE_F64, 1, {3}, w}));
    AK_TRY(ak_tensors_note(t, ctx, "kind", "one"));
    AK_TRY(ak_tensors_note(t, ctx, "kind", "two"));
    AK_TRY(ak_tensors_write(t, ctx, path));
done:
    return st;
}

static akin_status write_and_read(akin_ctx *ctx, void *arg)
{
    ak_tensors *t = NULL, *back = NULL;
    akin_status st = AKIN_OK;
    (void)arg;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(fill(t, ctx));
    AK_TRY(ak_tensors_read(&back, ctx, path));
done:
    ak_tensors_free(t);
    ak_tensors_free(back);
    return st;
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    assert_in_range(faulty_run(write_and_read, NULL), 10, 1000);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
