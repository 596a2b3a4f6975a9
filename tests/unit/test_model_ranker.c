/* Rankers: scores, order, reasons, files; refused where rows are compared. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <akin/eval.h>

#include "faulty.h"
#include "same_bytes.h"
#include "support.h"

#include "model/ranker.h"

enum { D = 4, L = 3, K = 2 };

static char low[] = "low", mid[] = "mid", high[] = "high";
static char *const names[L] = {low, mid, high};
static const ak_labels labels = {L, names};
/* By feature: the last teaches nothing. */
static const double W[D * L] = {1, 0, -1, 0, 2, 0, 0.5, -1, 3, 0, 0, 0};
static const double A[L * K] = {1, 0, 0, 1, -1, 2};
static const double B[D * K] = {1, 1, 0, -1, 2, 0, 0, 0};

static akin_rows *some_rows(akin_ctx *ctx)
{
    static const float x[3 * D] = {1, 0, 0, 0, 0, 1, 1, 5, 0, 0, 0, 2};
    static const int64_t offsets[4] = {0, 1, 3, 3};
    static const int32_t own[3] = {1, 0, 2};
    static const char *const own_names[] = {"high", "low", "new"};
    akin_rows *rows = NULL;
    if (akin_rows_new_dense(&rows, ctx, 3, D, x) != AKIN_OK)
        return NULL;
    if (akin_rows_set_label_lists(ctx, rows, offsets, own, own_names, 3) !=
        AKIN_OK) {
        akin_rows_free(rows);
        return NULL;
    }
    return rows;
}

static void labels_come_in_order(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = some_rows(ctx);
    akin_model *m = NULL;
    int32_t best[3 * 4];
    double scores[3 * 4];
    assert_int_equal(ak_ranker_new(&m, ctx, labels, D, W), AKIN_OK);
    assert_int_equal(akin_rank_labels(best, scores, ctx, m, rows, 4), AKIN_OK);
    /* Row 0: 1 0 -1; row 1: 0.5 1 3; row 2: all alike, by number. */
    const int32_t want[12] = {0, 1, 2, -1, 2, 1, 0, -1, 0, 1, 2, -1};
    assert_memory_equal(best, want, sizeof want);
    assert_true(scores[0] == 1.0 && scores[2] == -1.0 && scores[4] == 3.0);
    assert_true(scores[3] == 0.0);
    assert_int_equal(akin_rank_labels(best, scores, ctx, m, rows, 0),
                     AKIN_EINVAL);
    akin_model_free(m);
    akin_rows_free(rows);
}

static void what_counts_is_measured(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = some_rows(ctx);
    akin_model *m = NULL;
    akin_ranking r;
    double ap[3];
    assert_int_equal(ak_ranker_new(&m, ctx, labels, D, W), AKIN_OK);
    assert_int_equal(akin_eval_rank(&r, ap, ctx, m, rows), AKIN_OK);
    /* Row 0 is "low", first; row 1 is "high", first, and an unknown one. */
    assert_true(ap[0] == 1.0 && ap[1] == 0.5 && isnan(ap[2]));
    assert_true(r.map == 0.75 && r.mrr == 1.0 && r.precision_at[0] == 1.0);
    assert_true(r.precision_at[1] == 0.2);
    assert_int_equal(r.rows, 2);
    assert_int_equal(r.skipped, 1);
    assert_int_equal(r.labels, L);
    akin_model_free(m);
    akin_rows_free(rows);
}

static void reasons_add_up_to_the_score(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = some_rows(ctx);
    akin_model *m = NULL;
    akin_reason reasons[D + 1];
    int64_t n = 0;
    int32_t best[9];
    double scores[9];
    assert_int_equal(ak_ranker_new_factored(&m, ctx, labels, D, K, A, B),
                     AKIN_OK);
    assert_int_equal(akin_rank_labels(best, scores, ctx, m, rows, 3), AKIN_OK);
    for (int64_t k = 0; k < 9; ++k) {
        double sum = 0.0;
        assert_int_equal(akin_model_explain_label(reasons, &n, ctx, m, rows,
                                                  k / 3, best[k], 1),
                         AKIN_OK);
        for (int64_t i = 0; i < n; ++i)
            sum += reasons[i].contribution;
        assert_true(fabs(sum - scores[k]) < 1e-15);
    }
    assert_int_equal(
        akin_model_explain_label(reasons, &n, ctx, m, rows, 0, L, 1),
        AKIN_EINVAL);
    assert_int_equal(
        akin_model_explain_label(reasons, &n, ctx, m, rows, 3, 0, 1),
        AKIN_ESHAPE);
    akin_model_free(m);
    akin_rows_free(rows);
}

static void rows_are_not_compared(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = some_rows(ctx), *embedded = NULL;
    akin_model *m = NULL;
    akin_retrieval r;
    akin_ranking ranking;
    const int64_t ij[2] = {0, 1};
    double score;
    assert_int_equal(ak_ranker_new(&m, ctx, labels, D, W), AKIN_OK);
    assert_int_equal(
        akin_model_score(&score, ctx, m, rows, rows, ij, 1, AKIN_BY_DEFAULT),
        AKIN_EINVAL);
    assert_int_equal(akin_model_embed(&embedded, ctx, m, rows, AKIN_LEFT),
                     AKIN_EINVAL);
    assert_int_equal(akin_eval_retrieval(&r, NULL, ctx, m, rows, NULL),
                     AKIN_EINVAL);
    akin_model_free(m);
    m = NULL;
    assert_int_equal(akin_model_builtin(&m, ctx, "cosine", rows), AKIN_OK);
    assert_int_equal(akin_model_label_count(m), 0);
    assert_int_equal(akin_eval_rank(&ranking, NULL, ctx, m, rows), AKIN_EINVAL);
    akin_model_free(m);
    akin_rows_free(rows);
}

enum form { FACTORED, FULL, KERNEL };

/* Two support rows, the last two. */
static akin_status make_kernel(akin_model **m, akin_ctx *ctx)
{
    static const int64_t which[2] = {1, 2};
    static const double F[2 * L] = {1, 0, -1, 0.5, 2, 0}, offset[L] = {0, 1, 0};
    akin_rows *rows = some_rows(ctx);
    if (rows == NULL)
        return AKIN_ENOMEM;
    const ak_kernel_part part = {
        {.kind = AK_KERNEL_RBF, .gamma = 0.25}, rows, which, 2, F, offset};
    const akin_status st = ak_ranker_new_kernel(m, ctx, labels, &part);
    akin_rows_free(rows);
    return st;
}

static akin_status make(akin_model **m, akin_ctx *ctx, enum form form)
{
    return form == FULL ? ak_ranker_new(m, ctx, labels, D, W)
           : form == KERNEL
               ? make_kernel(m, ctx)
               : ak_ranker_new_factored(m, ctx, labels, D, K, A, B);
}

static void a_kernel_ranks_by_its_formula(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = some_rows(ctx);
    akin_model *m = NULL;
    assert_int_equal(make_kernel(&m, ctx), AKIN_OK);
    akin_model *back = through_a_file(ctx, m);
    assert_same_bytes(ctx, m, back);
    /* Row 0 is 28 and 5 from the support rows, squared. */
    const double a = exp(-0.25 * 28), b = exp(-0.25 * 5);
    const double want[L] = {a + 0.5 * b, 2 * b - 1, -a};
    for (int file = 0; file < 2; ++file) {
        akin_reason reasons[1];
        int64_t n = 0;
        int32_t best[3 * L];
        double scores[3 * L];
        const akin_model *x = file ? back : m;
        assert_int_equal(akin_rank_labels(best, scores, ctx, x, rows, L),
                         AKIN_OK);
        for (int64_t k = 0; k < L; ++k)
            assert_true(fabs(scores[k] - want[best[k]]) < 1e-15);
        assert_int_equal(
            akin_model_explain_label(reasons, &n, ctx, x, rows, 0, best[0], 1),
            AKIN_OK);
        assert_int_equal(n, 1);
        assert_true(reasons[0].contribution == scores[0]);
        assert_int_equal(akin_model_parameters(x), L * 3);
        assert_int_equal(akin_model_nonzeros(x), 5);
    }
    akin_model_free(back);
    akin_model_free(m);
    akin_rows_free(rows);
}

static void what_is_saved_is_loaded(void **state)
{
    akin_ctx *ctx = *state;
    for (int full = 0; full < 2; ++full) {
        akin_model *m = NULL, *back = NULL;
        char path[] = "akin-model-XXXXXX";
        close(mkstemp(path));
        assert_int_equal(make(&m, ctx, full ? FULL : FACTORED), AKIN_OK);
        assert_int_equal(akin_model_save(ctx, m, path), AKIN_OK);
        assert_int_equal(akin_model_load(&back, ctx, path), AKIN_OK);
        unlink(path);
        assert_string_equal(akin_model_kind(back), "ranker");
        assert_int_equal(akin_model_label_count(back), L);
        assert_string_equal(akin_model_label_name(back, 2), "high");
        assert_int_equal(akin_model_rank(back), full ? 0 : K);
        assert_int_equal(akin_model_nonzeros(back), full ? 6 : 8);
        assert_int_equal(akin_model_parameters(back),
                         full ? L * D : K * (L + D));
        if (full)
            assert_memory_equal(ak_ranker_W(back), W, sizeof W);
        else
            assert_memory_equal(ak_ranker_B(back), B, sizeof B);
        akin_model_free(m);
        akin_model_free(back);
    }
}

/* A file that is not what it says. */
static void refuse(akin_ctx *ctx, enum form form, const char *key,
                   const char *value)
{
    ak_tensors *t = NULL;
    akin_model *m = NULL, *back = NULL;
    assert_int_equal(make(&m, ctx, form), AKIN_OK);
    assert_int_equal(ak_tensors_new(&t, ctx), AKIN_OK);
    ak_tensors_set_path(t, ctx, "a");
    ak_tensors_note(t, ctx, "kind", "ranker");
    ak_tensors_note(t, ctx, "compare", "dot");
    ak_tensors_note(t, ctx, "dim", "4");
    assert_int_equal(m->kind->put(m, ctx, t), AKIN_OK);
    ak_tensors_note(t, ctx, key, value);
    assert_int_equal(ak_model_take(&back, ctx, t), AKIN_EFORMAT);
    assert_memory_equal(akin_ctx_message(ctx), "a: ", 3);
    akin_model_free(m);
    ak_tensors_free(t);
}

static void what_does_not_fit_is_refused(void **state)
{
    refuse(*state, FACTORED, "label_names", "low\nmid\nlow");
    refuse(*state, FACTORED, "label_names", "low\nmid");
    refuse(*state, FACTORED, "rank", "-1");
    refuse(*state, FACTORED, "rank", "0");
    refuse(*state, FACTORED, "rank", "1000000000000");
    refuse(*state, FACTORED, "dim", "2");
    refuse(*state, KERNEL, "label_names", "low\nmid");
    refuse(*state, KERNEL, "dim", "2");
}

static akin_status job(akin_ctx *ctx, void *arg)
{
    const enum form form = *(enum form *)arg;
    akin_rows *rows = NULL;
    akin_model *m = NULL, *back = NULL;
    akin_reason reasons[2];
    akin_ranking r;
    int64_t n;
    int32_t best[3];
    double scores[3];
    static const char path[] = "test_model_ranker.tmp";
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, 1);
    rows = some_rows(ctx);
    if (rows == NULL)
        return AKIN_ENOMEM;
    AK_TRY(make(&m, ctx, form));
    AK_TRY(akin_model_save(ctx, m, path));
    AK_TRY(akin_model_load(&back, ctx, path));
    AK_TRY(akin_rank_labels(best, scores, ctx, back, rows, 1));
    AK_TRY(akin_eval_rank(&r, NULL, ctx, back, rows));
    AK_TRY(akin_model_explain_label(reasons, &n, ctx, back, rows, 0, 0, 1));
done:
    unlink(path);
    akin_model_free(back);
    akin_model_free(m);
    akin_rows_free(rows);
    return st;
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    for (enum form form = FACTORED; form <= KERNEL; ++form)
        assert_in_range(faulty_run(job, &form), 10, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_come_in_order),
        cmocka_unit_test(what_counts_is_measured),
        cmocka_unit_test(reasons_add_up_to_the_score),
        cmocka_unit_test(rows_are_not_compared),
        cmocka_unit_test(a_kernel_ranks_by_its_formula),
        cmocka_unit_test(what_is_saved_is_loaded),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
