/* Every prefix and every single-byte change of an index: refused in one line
 * that names the file. Only a blank behind the header may become another. */
#include <akin/index.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "context.h"
#include "index/index.h"

static const char name[] = "damaged";
static const char path[] = "prop_index_damage.index";

static char *saved(const char *model, const char *approximate, bool sparse,
                   size_t *n)
{
    static const int64_t offsets[5] = {0, 2, 4, 5, 7}, gone[1] = {2};
    static const int32_t cols[7] = {0, 1, 1, 2, 0, 0, 2};
    static const float vals[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 4};
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    akin_index *x = NULL;
    char *bytes = NULL;
    o.approximate = approximate;
    o.links = 2;
    assert_int_equal(
        sparse ? akin_rows_new_sparse(&rows, ctx, 4, 3, offsets, cols, vals)
               : akin_rows_new_dense(&rows, ctx, 4, 3, vals),
        AKIN_OK);
    assert_int_equal(akin_model_builtin(&m, ctx, model, rows), AKIN_OK);
    assert_int_equal(akin_index_build(&x, ctx, m, rows, &o), AKIN_OK);
    assert_int_equal(akin_index_remove(ctx, x, gone, 1), AKIN_OK);
    assert_int_equal(akin_index_save(ctx, x, path), AKIN_OK);
    assert_int_equal(ak_file_read(ctx, path, &bytes, n), AKIN_OK);
    unlink(path);
    akin_index_free(x);
    akin_model_free(m);
    akin_rows_free(rows);
    return bytes;
}

static akin_status load(const char *bytes, size_t n)
{
    ak_tensors *t = NULL;
    akin_index *x = NULL;
    akin_status st = ak_tensors_parse(&t, ctx, name, bytes, n);
    if (st == AKIN_OK)
        st = ak_index_take(&x, ctx, t);
    akin_index_free(x);
    return st;
}

static void check_refused(akin_status st)
{
    const char *message = akin_ctx_message(ctx);
    assert_int_equal(st, AKIN_EFORMAT);
    assert_int_equal(strncmp(message, name, strlen(name)), 0);
    assert_null(strchr(message, '\n'));
}

static void check_damage(const char *model, const char *approximate,
                         bool sparse)
{
    size_t n = 0;
    uint64_t header;
    char *bytes = saved(model, approximate, sparse, &n);
    memcpy(&header, bytes, sizeof header);
    char *text_end = bytes + sizeof header + header;
    while (text_end[-1] == ' ')
        --text_end;
    assert_int_equal(load(bytes, n), AKIN_OK);
    for (size_t k = 0; k < n; ++k)
        check_refused(load(bytes, k));
    for (size_t k = 0; k < n; ++k)
        for (int bit = 0; bit < 8; ++bit) {
            const char before = bytes[k];
            bytes[k] = (char)(before ^ (1 << bit));
            const akin_status st = load(bytes, n);
            const bool blank = bytes + k >= text_end &&
                               strchr("\t\r\n", bytes[k]) != NULL;
            if (!(blank && st == AKIN_OK))
                check_refused(st);
            bytes[k] = before;
        }
    ak_release(ctx, bytes);
}

static void damage_is_refused(void **state)
{
    (void)state;
    check_damage("tfidf", "none", true);
    check_damage("euclidean", "none", false);
    if (akin_index_can("hnsw"))
        check_damage("cosine", "hnsw", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {CONTEXT_CASE(damage_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
