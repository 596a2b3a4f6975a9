/* Models, indexes and recipes through memory: the bytes of their files, from
 * any address, and refused like a damaged file. */
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "support.h"

#include <akin/index.h>

static const char path[] = "test_model_memory.tmp";

typedef struct saved {
    uint8_t *bytes;
    size_t size;
} saved;

static void assert_like_file(akin_ctx *ctx, saved s)
{
    char *file = NULL;
    size_t size = 0;
    assert_int_equal(ak_file_read(ctx, path, &file, &size), AKIN_OK);
    assert_int_equal(size, s.size);
    assert_memory_equal(file, s.bytes, size);
    akin_free(file);
    unlink(path);
}

typedef void (*load_fn)(akin_ctx *ctx, const uint8_t *bytes, size_t size,
                        akin_status wanted);

/* Cut short anywhere, with a bit changed anywhere, or empty: refused. */
static void assert_damage_is_noticed(akin_ctx *ctx, saved s, load_fn load)
{
    uint8_t *copy = malloc(s.size + 1);
    for (size_t n = 0; n < s.size; n += 1 + s.size / 97) {
        memcpy(copy, s.bytes, n);
        load(ctx, copy, n, AKIN_EFORMAT);
    }
    for (size_t at = 0; at < s.size; at += 1 + s.size / 997) {
        memcpy(copy, s.bytes, s.size);
        copy[at] ^= 0x10;
        /* A space behind the header may be anything that JSON ignores. */
        if (s.bytes[at] != ' ')
            load(ctx, copy, s.size, AKIN_EFORMAT);
    }
    memcpy(copy + 1, s.bytes, s.size);  // at an odd address
    load(ctx, copy + 1, s.size, AKIN_OK);
    free(copy);
}

static void load_model(akin_ctx *ctx, const uint8_t *bytes, size_t size,
                       akin_status wanted)
{
    akin_model *m = NULL;
    assert_int_equal(akin_model_load_memory(&m, ctx, bytes, size), wanted);
    akin_model_free(m);
}

static void load_recipe(akin_ctx *ctx, const uint8_t *bytes, size_t size,
                        akin_status wanted)
{
    akin_recipe *r = NULL;
    assert_int_equal(akin_recipe_load_memory(&r, ctx, bytes, size), wanted);
    akin_recipe_free(r);
}

static void load_index(akin_ctx *ctx, const uint8_t *bytes, size_t size,
                       akin_status wanted)
{
    akin_index *x = NULL;
    assert_int_equal(akin_index_load_memory(&x, ctx, bytes, size), wanted);
    akin_index_free(x);
}

static void models(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 2, 30, 20, 5, 3);
    akin_model *m = NULL;
    saved s = {0};
    assert_int_equal(akin_model_builtin(&m, ctx, "mahalanobis", rows), AKIN_OK);
    assert_int_equal(akin_model_save(ctx, m, path), AKIN_OK);
    assert_int_equal(akin_model_save_memory(&s.bytes, &s.size, ctx, m),
                     AKIN_OK);
    assert_like_file(ctx, s);
    assert_damage_is_noticed(ctx, s, load_model);
    load_recipe(ctx, s.bytes, s.size, AKIN_EFORMAT);
    load_index(ctx, s.bytes, s.size, AKIN_EFORMAT);
    akin_free(s.bytes);
    akin_model_free(m);
    akin_rows_free(rows);
}

static void recipes(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 2, 30, 20, 5, 3);
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_recipe *r = NULL;
    saved s = {0};
    o.weights = "tfidf";
    o.norm = "l2";
    assert_int_equal(akin_recipe_fit(&r, ctx, rows, &o), AKIN_OK);
    assert_int_equal(akin_recipe_save(ctx, r, path), AKIN_OK);
    assert_int_equal(akin_recipe_save_memory(&s.bytes, &s.size, ctx, r),
                     AKIN_OK);
    assert_like_file(ctx, s);
    assert_damage_is_noticed(ctx, s, load_recipe);
    load_model(ctx, s.bytes, s.size, AKIN_EFORMAT);
    akin_free(s.bytes);
    akin_recipe_free(r);
    akin_rows_free(rows);
}

/* What is found by each row of the index. */
static void assert_finds_the_same(akin_ctx *ctx, const akin_index *a,
                                  const akin_index *b, const akin_rows *rows)
{
    int64_t *x = NULL, *y = NULL;
    double *x_scores = NULL, *y_scores = NULL;
    const size_t n = 10 * (size_t)akin_rows_count(rows);
    assert_int_equal(akin_index_search(&x, &x_scores, ctx, a, rows, NULL),
                     AKIN_OK);
    assert_int_equal(akin_index_search(&y, &y_scores, ctx, b, rows, NULL),
                     AKIN_OK);
    assert_memory_equal(x, y, n * sizeof *x);
    assert_memory_equal(x_scores, y_scores, n * sizeof *x_scores);
    akin_free(x);
    akin_free(y);
    akin_free(x_scores);
    akin_free(y_scores);
}

static void check_index(akin_ctx *ctx, const char *model,
                        const char *approximate, bool sparse)
{
    static float values[200 * 30];
    static const int64_t removed[1] = {7};
    akin_rows *rows = class_rows(ctx, 2, 200, 30, 5, 3);
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_model *m = NULL;
    akin_index *x = NULL, *back = NULL;
    saved s = {0};
    if (!sparse) {
        assert_int_equal(akin_rows_copy_float(values, ctx, rows, 0, 200),
                         AKIN_OK);
        akin_rows_free(rows);
        assert_int_equal(akin_rows_new_dense(&rows, ctx, 200, 30, values),
                         AKIN_OK);
    }
    o.approximate = approximate;
    assert_int_equal(akin_model_builtin(&m, ctx, model, rows), AKIN_OK);
    assert_int_equal(akin_index_build(&x, ctx, m, rows, &o), AKIN_OK);
    assert_int_equal(akin_index_remove(ctx, x, removed, 1), AKIN_OK);
    assert_int_equal(akin_index_save(ctx, x, path), AKIN_OK);
    assert_int_equal(akin_index_save_memory(&s.bytes, &s.size, ctx, x),
                     AKIN_OK);
    assert_like_file(ctx, s);
    assert_damage_is_noticed(ctx, s, load_index);
    assert_int_equal(akin_index_load_memory(&back, ctx, s.bytes, s.size),
                     AKIN_OK);
    memset(s.bytes, 0xff, s.size);  // the index has a copy
    akin_free(s.bytes);
    assert_finds_the_same(ctx, x, back, rows);
    assert_int_equal(akin_index_add(ctx, back, rows), AKIN_OK);
    akin_index_free(x);
    akin_index_free(back);
    akin_model_free(m);
    akin_rows_free(rows);
}

static void indexes(void **state)
{
    check_index(*state, "tfidf", "none", true);
    check_index(*state, "euclidean", "none", false);
    if (akin_index_can("hnsw"))
        check_index(*state, "euclidean", "hnsw", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models),
        cmocka_unit_test(recipes),
        cmocka_unit_test(indexes),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
