/* tests/same_bytes.h - models that must be written alike. */
#ifndef AKIN_TESTS_SAME_BYTES_H
#define AKIN_TESTS_SAME_BYTES_H

#include <unistd.h>

#include "support.h"

#include <akin/model.h>

#include "base/file.h"

static inline void file_bytes(akin_ctx *ctx, const akin_model *m, char **bytes,
                              size_t *n)
{
    char path[] = "akin-model-XXXXXX";
    close(mkstemp(path));
    assert_int_equal(akin_model_save(ctx, m, path), AKIN_OK);
    assert_int_equal(ak_file_read(ctx, path, bytes, n), AKIN_OK);
    unlink(path);
}

static inline void assert_same_bytes(akin_ctx *ctx, const akin_model *a,
                                     const akin_model *b)
{
    char *x = NULL, *y = NULL;
    size_t nx = 0, ny = 0;
    file_bytes(ctx, a, &x, &nx);
    file_bytes(ctx, b, &y, &ny);
    assert_int_equal(nx, ny);
    assert_memory_equal(x, y, nx);
    akin_free(x);
    akin_free(y);
}

/* As another run finds it. */
static inline akin_model *through_a_file(akin_ctx *ctx, const akin_model *m)
{
    char path[] = "akin-model-XXXXXX";
    akin_model *back = NULL;
    close(mkstemp(path));
    assert_int_equal(akin_model_save(ctx, m, path), AKIN_OK);
    assert_int_equal(akin_model_load(&back, ctx, path), AKIN_OK);
    unlink(path);
    return back;
}

#endif
