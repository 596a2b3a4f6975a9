/* Indexes with each allocation failing once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <akin/index.h>

#include "base/ctx.h"
#include "faulty.h"

static const char path[] = "fault_index.tmp";

typedef struct setting {
    const char *model, *approximate;
    bool sparse;
} setting;

static akin_status make_rows(akin_rows **out, akin_ctx *ctx, bool sparse)
{
    static const int64_t offsets[5] = {0, 2, 4, 5, 7};
    static const int32_t cols[7] = {0, 1, 1, 2, 0, 0, 2};
    static const float vals[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 4};
    return sparse ? akin_rows_new_sparse(out, ctx, 4, 3, offsets, cols, vals)
                  : akin_rows_new_dense(out, ctx, 4, 3, vals);
}

static akin_status search(akin_ctx *ctx, const akin_index *x,
                          const akin_rows *queries, akin_compare by)
{
    static const int64_t like[2] = {1, 2}, pair[2] = {0, 1};
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_lists *ignore = NULL;
    int64_t *rows = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_lists_new(&ignore, ctx, 4, pair, 1));
    o.ignore = ignore;
    o.by = by;
    o.like = like;
    o.n_like = 1;
    o.unlike = like + 1;
    o.n_unlike = 1;
    o.like_rows = o.unlike_rows = queries;
    AK_TRY(akin_index_search(&rows, &scores, ctx, x, queries, &o));
    akin_free(rows);
    akin_free(scores);
done:
    akin_lists_free(ignore);
    return st;
}

/* Another comparison, another recipe, other weights. After a failure the index
 * still serves. */
static akin_status set_models(akin_ctx *ctx, akin_index *x,
                              const akin_rows *rows, const setting *s)
{
    static const char *const models[3] = {"euclidean", "tfidf", "tfidf"};
    akin_status st = AKIN_OK;
    for (int k = 0; k < 3 && s->sparse; ++k) {
        akin_model *m = NULL;
        AK_TRY(akin_model_builtin(&m, ctx, models[k], rows));
        st = akin_index_set_model(ctx, x, m);
        akin_model_free(m);
        if (st != AKIN_OK)
            assert_int_equal(search(ctx, x, rows, AKIN_BY_DEFAULT), AKIN_OK);
        AK_TRY(st);
    }
    if (s->sparse)
        AK_TRY(akin_index_save(ctx, x, path));
done:
    return st;
}

/* Build, save, load, search, change, search again. */
static akin_status use(akin_ctx *ctx, void *arg)
{
    const setting *s = arg;
    static const char *const names[3] = {"one", "", "three"};
    static const int64_t removed[1] = {3};
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    akin_index *x = NULL, *y = NULL, *z = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, 1);
    o.approximate = s->approximate;
    AK_TRY(make_rows(&rows, ctx, s->sparse));
    AK_TRY(akin_model_builtin(&m, ctx, s->model, rows));
    AK_TRY(akin_index_build(&x, ctx, m, rows, &o));
    AK_TRY(akin_index_set_names(ctx, x, 1, names, 3));
    AK_TRY(akin_index_save(ctx, x, path));
    AK_TRY(akin_index_load(&y, ctx, path));
    AK_TRY(search(ctx, y, rows, AKIN_BY_DEFAULT));
    AK_TRY(akin_index_save_memory(&bytes, &size, ctx, y));
    AK_TRY(akin_index_load_memory(&z, ctx, bytes, size));
    AK_TRY(search(ctx, z, rows, AKIN_BY_DEFAULT));
    AK_TRY(set_models(ctx, y, rows, s));
    AK_TRY(akin_index_add(ctx, y, rows));
    AK_TRY(akin_index_remove(ctx, y, removed, 1));
    AK_TRY(search(ctx, y, rows,
                  s->approximate[0] == 'n' ? AKIN_BY_COSINE : AKIN_BY_DEFAULT));
done:
    akin_index_free(x);
    akin_index_free(y);
    akin_index_free(z);
    akin_free(bytes);
    akin_model_free(m);
    akin_rows_free(rows);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    setting all[] = {{"tfidf", "none", true},
                     {"euclidean", "none", true},
                     {"euclidean", "none", false},
                     {"cosine", "hnsw", false}};
    (void)state;
    for (int i = 0; i < 4; ++i)
        if (akin_index_can(all[i].approximate))
            assert_true(faulty_run(use, &all[i]) > 0);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
