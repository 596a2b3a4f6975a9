/* Models with each allocation failing once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include <akin/akin.h>

#include "faulty.h"
#include "model/diagonal.h"
#include "model/metric.h"

static const char path[] = "fault_model.tmp";
static const int64_t ij[4] = {0, 1, 1, 2};

/* Score, embed, explain, save, load, inspect. */
static akin_status use(akin_ctx *ctx, const akin_model *m, const akin_rows *raw)
{
    akin_rows *rows = NULL, *embedded = NULL;
    akin_model *back = NULL, *again = NULL;
    akin_file_info *info = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    akin_reason reasons[3];
    double scores[2];
    int64_t count;
    akin_status st = AKIN_OK;
    AK_TRY(akin_model_prepare(&rows, ctx, m, raw, AKIN_LEFT));
    AK_TRY(
        akin_model_score(scores, ctx, m, rows, rows, ij, 2, AKIN_BY_DEFAULT));
    AK_TRY(akin_model_embed(&embedded, ctx, m, rows, AKIN_RIGHT));
    AK_TRY(akin_model_explain(reasons, &count, ctx, m, rows, 0, rows, 1, 2,
                              AKIN_BY_COSINE));
    AK_TRY(akin_model_save(ctx, m, path));
    AK_TRY(akin_model_load(&back, ctx, path));
    AK_TRY(akin_file_inspect(&info, ctx, path, NULL));
    AK_TRY(akin_model_save_memory(&bytes, &size, ctx, m));
    AK_TRY(akin_model_load_memory(&again, ctx, bytes, size));
done:
    akin_free(bytes);
    akin_model_free(again);
    akin_file_info_free(info);
    akin_model_free(back);
    akin_rows_free(embedded);
    akin_rows_free(rows);
    return st;
}

static akin_status builtin(akin_ctx *ctx, void *name)
{
    static const int64_t offsets[5] = {0, 2, 4, 5, 7};
    static const int32_t cols[7] = {0, 1, 1, 2, 0, 0, 2};
    static const float vals[7] = {1, 2, 3, 4, 5, 6, 7};
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(akin_rows_new_sparse(&rows, ctx, 4, 3, offsets, cols, vals));
    AK_TRY(akin_model_builtin(&m, ctx, name, rows));
    AK_TRY(use(ctx, m, rows));
done:
    akin_model_free(m);
    akin_rows_free(rows);
    return st;
}

static akin_status learned(akin_ctx *ctx, void *arg)
{
    static const double w[3] = {0.0, -1.0, 0.0};
    static const float x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(akin_rows_new_dense(&rows, ctx, 3, 3, x));
    AK_TRY(ak_diagonal_new(&m, ctx, 3, w, AKIN_BY_DOT));
    AK_TRY(ak_tensors_new(&m->state, ctx));
    AK_TRY(ak_tensors_put_vector(m->state, ctx, "g", AK_DTYPE_F64, 3, w));
    AK_TRY(ak_tensors_note_i64(m->state, ctx, "t", 3));
    AK_TRY(use(ctx, m, rows));
done:
    akin_model_free(m);
    akin_rows_free(rows);
    return st;
}

static double B_of_rank_2[6] = {1.0, -2.0, 0.5, 0.0, 3.0, 1.0};

/* A metric of low rank, or one with many zeros. */
static akin_status metric(akin_ctx *ctx, void *factor)
{
    static const double M[9] = {2, 0, -1, 0, 0, 0, -1, 0, 2};
    static const float x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(akin_rows_new_dense(&rows, ctx, 3, 3, x));
    if (factor != NULL)
        AK_TRY(ak_metric_new_factor(&m, ctx, 3, 2, factor, AKIN_BY_DOT));
    else
        AK_TRY(ak_metric_new(&m, ctx, 3, M, AKIN_BY_DOT));
    AK_TRY(use(ctx, m, rows));
done:
    akin_model_free(m);
    akin_rows_free(rows);
    return st;
}

/* What score --decide and predict --side need: a threshold that is kept, the
 * sides exchanged, and labels of rows of either side. */
static akin_status decide(akin_ctx *ctx, void *arg)
{
    static const float x[12] = {1, 2, 2, 1, 1, 3, 3, 1, 2, 3, 3, 2};
    static const int32_t labels[4] = {0, 1, 0, 1},
                         right_labels[6] = {0, 1, 0, 1, 0, 1};
    static const int64_t pairs[12] = {0, 0, 1, 1, 1, 1, 0, 1, -1, 1, 0, -1};
    static const double scores[4] = {3.0, 2.0, 1.0, 2.5};
    const char *names[] = {"a", "b"};
    const akin_logistic_options o = AKIN_LOGISTIC_DEFAULTS;
    const akin_threshold t = {2.0, 0.5, 0.0, 4};
    akin_rows *left = NULL, *right = NULL;
    akin_supervision *known = NULL;
    akin_model *m = NULL, *turned = NULL, *back = NULL;
    akin_verification found;
    akin_threshold kept;
    int32_t first[6];
    double sure[6];
    akin_status st = AKIN_OK;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(akin_rows_new_dense(&left, ctx, 4, 3, x));
    AK_TRY(akin_rows_set_labels(ctx, left, labels, names, 2));
    AK_TRY(akin_rows_new_dense(&right, ctx, 6, 2, x));
    AK_TRY(akin_rows_set_labels(ctx, right, right_labels, names, 2));
    AK_TRY(akin_supervision_new(&known, ctx, left, right, NULL));
    AK_TRY(akin_learn(&m, ctx, &o.head, known, NULL));
    AK_TRY(akin_eval_threshold(&found, ctx, scores, pairs, 4, t.score));
    AK_TRY(akin_model_set_threshold(ctx, m, &t, AKIN_BY_DEFAULT));
    AK_TRY(akin_model_save(ctx, m, path));
    AK_TRY(akin_model_load(&back, ctx, path));
    assert_true(akin_model_threshold(&kept, back, AKIN_BY_DEFAULT));
    AK_TRY(akin_rank_labels(first, sure, ctx, back, left, 1));
    AK_TRY(akin_model_turn(&turned, ctx, back));
    AK_TRY(akin_rank_labels(first, sure, ctx, turned, right, 1));
done:
    akin_model_free(turned);
    akin_model_free(back);
    akin_model_free(m);
    akin_supervision_free(known);
    akin_rows_free(right);
    akin_rows_free(left);
    return st;
}

static void every_failed_allocation_is_survived(void **state)
{
    static char *const names[] = {"euclidean", "tfidf", "mahalanobis"};
    (void)state;
    for (int i = 0; i < 3; ++i)
        assert_in_range(faulty_run(builtin, names[i]), 10, 1000);
    assert_in_range(faulty_run(learned, NULL), 10, 1000);
    assert_in_range(faulty_run(metric, NULL), 10, 1000);
    assert_in_range(faulty_run(metric, B_of_rank_2), 10, 1000);
    assert_in_range(faulty_run(decide, NULL), 10, 100000);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
