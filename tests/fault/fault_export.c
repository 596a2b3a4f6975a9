/* Exports with each allocation failing once: nothing is left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <akin/export.h>

#include "base/ctx.h"
#include "export_folders.h"
#include "faulty.h"

typedef struct setting {
    const char *to;
    bool sparse;
} setting;

static akin_status make_index(akin_index **out, akin_ctx *ctx, bool sparse)
{
    static const int64_t offsets[5] = {0, 2, 4, 5, 7};
    static const int32_t cols[7] = {0, 1, 1, 2, 0, 0, 2};
    static const float vals[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 4};
    static const char *const names[2] = {"one", "two"};
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(sparse ? akin_rows_new_sparse(&rows, ctx, 4, 3, offsets, cols, vals)
                  : akin_rows_new_dense(&rows, ctx, 4, 3, vals));
    AK_TRY(akin_model_builtin(&m, ctx, sparse ? "tfidf" : "mahalanobis", rows));
    AK_TRY(akin_index_build(out, ctx, m, rows, NULL));
    AK_TRY(akin_index_set_names(ctx, *out, 0, names, 2));
done:
    akin_model_free(m);
    akin_rows_free(rows);
    return st;
}

/* Export, export what changed, verify. */
static akin_status use(akin_ctx *ctx, void *arg)
{
    static const float vals[3] = {1, 2, 4};
    const setting *s = arg;
    akin_export_options o = AKIN_EXPORT_DEFAULTS;
    akin_export_check r;
    akin_index *x = NULL;
    akin_rows *queries = NULL;
    char first[256];
    akin_status st = AKIN_OK;
    snprintf(first, sizeof first, "%s", export_path("first"));
    o.to = s->to;
    AK_TRY(make_index(&x, ctx, s->sparse));
    AK_TRY(akin_rows_new_dense(&queries, ctx, 1, 3, vals));
    AK_TRY(akin_export(ctx, x, first, &o, NULL));
    if (strcmp(s->to, "pgvector") == 0 || strcmp(s->to, "opensearch") == 0) {
        o.since = first;
        AK_TRY(akin_export(ctx, x, export_path("second"), &o, NULL));
    }
    AK_TRY(akin_export_verify(&r, ctx, x, first, queries, NULL));
done:
    akin_rows_free(queries);
    akin_index_free(x);
    return st;
}

static void every_allocation(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * EXPORT_ENGINES; ++k) {
        setting s = {export_engines[k / 2], k % 2};
        const bool graph = strcmp(s.to, "hnswlib") == 0;
        if ((s.sparse && (graph || strcmp(s.to, "faiss") == 0)) ||
            (graph && !akin_index_can("hnsw")))
            continue;
        const int64_t n = faulty_run(use, &s);
        print_message("%s: %lld allocations\n", s.to, (long long)n);
        assert_true(n > 20);
        char command[256];
        snprintf(command, sizeof command, "ls %s | grep -c new-", export_root);
        assert_int_not_equal(system(command), 0);  // no folder half written
    }
}

static int begin(void **state)
{
    (void)state;
    return export_begin();
}

static int end(void **state)
{
    (void)state;
    return export_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, begin, end);
}
