/* Indexes that earlier versions wrote are read, and found in. */
#include <stdio.h>
#include <stdlib.h>

#include <akin/index.h>

#include "context.h"

static void check_golden(const char *name, const char *kind, int64_t present,
                         const int64_t *wanted)
{
    static const int64_t like[1] = {0};
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    char path[1024];
    akin_index *x = NULL;
    int64_t *rows = NULL;
    double *scores = NULL;
    snprintf(path, sizeof path, "%s/golden/%s", getenv("AKIN_TESTS"), name);
    assert_int_equal(akin_index_load(&x, ctx, path), AKIN_OK);
    assert_string_equal(akin_index_kind(x), kind);
    assert_int_equal(akin_index_count(x), 4);
    assert_int_equal(akin_index_present(x), present);
    o.top = 4;
    o.like = like;
    o.n_like = 1;
    assert_int_equal(akin_index_search(&rows, &scores, ctx, x, NULL, &o),
                     AKIN_OK);
    assert_memory_equal(rows, wanted, 4 * sizeof *wanted);
    akin_free(rows);
    akin_free(scores);
    akin_index_free(x);
}

static void version_1_inverted(void **state)
{
    (void)state;
    check_golden("inverted-1.index", "inverted", 3, (int64_t[]){2, 3, -1, -1});
}

static void version_1_with_sums_of_blocks(void **state)
{
    (void)state;
    check_golden("inverted-sums-1.index", "inverted", 3,
                 (int64_t[]){2, 3, -1, -1});
}

static void version_1_hnsw(void **state)
{
    (void)state;
    if (akin_index_can("hnsw"))
        check_golden("hnsw-1.index", "hnsw", 4, (int64_t[]){1, 2, 3, -1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(version_1_inverted),
        CONTEXT_CASE(version_1_with_sums_of_blocks),
        CONTEXT_CASE(version_1_hnsw)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
