/* Reading and writing rows with each allocation failing once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/ctx.h"
#include "data/rows.h"
#include "faulty.h"

static akin_status make(akin_rows **out, akin_ctx *ctx, bool sparse)
{
    static const float dense[6] = {1, 0, 2.5F, 0, 0, 3};
    static const int64_t offsets[] = {0, 2, 3};
    static const int32_t cols[] = {0, 2, 2};
    static const float vals[] = {1, 2.5F, 3};
    static const int32_t labels[] = {1, 0};
    static const char *const names[] = {"a", "b"};
    static const char *const columns[] = {"left", "", "right"};
    akin_status st = AKIN_OK;
    AK_TRY(sparse ? akin_rows_new_sparse(out, ctx, 2, 3, offsets, cols, vals)
                  : akin_rows_new_dense(out, ctx, 2, 3, dense));
    AK_TRY(akin_rows_set_labels(ctx, *out, labels, names, 2));
    AK_TRY(akin_rows_set_columns(ctx, *out, columns, 3));
done:
    return st;
}

static akin_status there_and_back(akin_ctx *ctx, const char *path, bool sparse)
{
    const akin_read_options o = {.size = sizeof o,
                                 .label_column = strstr(path, ".csv") ? "label"
                                                                      : NULL};
    const int64_t which[] = {1, 1, 0};
    akin_rows *r = NULL, *back = NULL, *some = NULL;
    int32_t *map;
    akin_status st = AKIN_OK;
    AK_TRY(make(&r, ctx, sparse));
    AK_TRY(akin_rows_write(ctx, r, path));
    AK_TRY(akin_rows_read(&back, ctx, path, &o));
    AK_TRY(akin_rows_select(&some, ctx, back, which, 3));
    AK_TRY(ak_rows_label_map(ctx, r, back, &map));
done:
    akin_rows_free(r);
    akin_rows_free(back);
    akin_rows_free(some);
    return st;
}

static akin_status as_dense(akin_ctx *ctx, void *path)
{
    return there_and_back(ctx, path, false);
}

static akin_status as_sparse(akin_ctx *ctx, void *path)
{
    return there_and_back(ctx, path, true);
}

static void every_failed_allocation_is_survived(void **state)
{
    static char paths[][32] = {"fault-rows.svm",        "fault-rows.svm.gz",
                               "fault-rows.csv.zst",    "fault-rows.npy",
                               "fault-rows.npz",        "fault-rows.fvecs",
                               "fault-rows.safetensors"};
    (void)state;
    for (size_t k = 0; k < sizeof paths / sizeof *paths; ++k) {
        assert_in_range(faulty_run(as_dense, paths[k]), 5, 1000);
        assert_in_range(faulty_run(as_sparse, paths[k]), 5, 1000);
        unlink(paths[k]);
    }
}

static akin_status with_labels(akin_ctx *ctx, void *path)
{
    const akin_read_options o = {.size = sizeof o, .labels = path};
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_rows_read(&r, ctx, "fault-rows.svm", &o));
done:
    akin_rows_free(r);
    return st;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void labels_survive_too(void **state)
{
    static char path[] = "fault-labels.csv";
    (void)state;
    put("fault-rows.svm", "1:1\n1:2\n");
    put(path, "a;b\nc\n");
    assert_in_range(faulty_run(with_labels, path), 5, 1000);
    unlink("fault-rows.svm");
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(labels_survive_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
