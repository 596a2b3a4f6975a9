/* The pairs of features that explain a score: all of them and the rest add up
 * to it, for every kind of model that has pairs, every way to compare and any
 * number of pairs listed; only features that the rows have are named; and under
 * a full matrix a pair is x_a W_ab y_b. */
#include <math.h>

#include "support.h"

#include <akin/learn.h>

#include "model/full.h"
#include "model/model.h"

enum { N = 40, D = 30, WORDS = 8, CLASSES = 4, ALL = D * D };

static const struct {
    const char *learner;
    const char *option, *value;
} cases[] = {
    {"loreta-psd", "blend", "0"},
    {"loreta-psd", "blend", "0.5"},
    {"loreta-psd", "prototypes", "4"},
    {"loreta-1", NULL, NULL},
    {"oasis", NULL, NULL},
    {"itml", NULL, NULL},
    {"pca", NULL, NULL},
    {"lda", NULL, NULL},
};

static const akin_compare ways[] = {AKIN_BY_DEFAULT, AKIN_BY_DOT,
                                    AKIN_BY_COSINE, AKIN_BY_DISTANCE};

static akin_model *learn(akin_ctx *ctx, int c, const akin_rows *rows)
{
    akin_supervision *data = NULL;
    akin_options *o = NULL;
    akin_model *m = NULL;
    assert_int_equal(akin_supervision_new(&data, ctx, rows, NULL, NULL), 0);
    assert_int_equal(akin_options_new(&o, ctx, cases[c].learner), AKIN_OK);
    if (cases[c].option != NULL)
        assert_int_equal(
            akin_options_set(ctx, o, cases[c].option, cases[c].value), AKIN_OK);
    assert_int_equal(akin_learn(&m, ctx, o, data, NULL), AKIN_OK);
    akin_options_free(o);
    akin_supervision_free(data);
    return m;
}

static float value_at(const akin_rows *rows, int64_t i, int64_t column)
{
    const int32_t *columns;
    const float *values;
    const int64_t n = akin_rows_row(&columns, &values, rows, i);
    for (int64_t k = 0; k < n; ++k)
        if (columns[k] == column)
            return values[k];
    return 0.0f;
}

static void check(akin_ctx *ctx, const akin_model *m, const akin_rows *rows,
                  int64_t i, int64_t j, int64_t top, akin_compare by)
{
    static akin_pair_reason r[ALL + 1];
    const int64_t ij[2] = {i, j};
    double score, sum = 0.0, size = 1.0;
    int64_t count;
    assert_int_equal(
        akin_model_explain_pairs(r, &count, ctx, m, rows, i, rows, j, top, by),
        AKIN_OK);
    assert_int_equal(akin_model_score(&score, ctx, m, rows, rows, ij, 1, by),
                     AKIN_OK);
    assert_true(count <= top + 1);
    for (int64_t k = 0; k < count; ++k) {
        sum += r[k].contribution;
        size += fabs(r[k].contribution);
        if (r[k].left < 0) {
            assert_int_equal(k, count - 1);
            continue;
        }
        assert_true(value_at(rows, i, r[k].left) != 0.0f);
        assert_true(value_at(rows, j, r[k].right) != 0.0f);
        if (k > 0)
            assert_true(fabs(r[k - 1].contribution) >= fabs(r[k].contribution));
    }
    assert_true(fabs(sum - score) <= 1e-9 * size);
}

static void pairs_add_up(void **state)
{
    akin_ctx *ctx = *state;
    const int64_t tops[] = {0, 1, 5, ALL};
    akin_rows *rows = class_rows(ctx, 7, N, D, WORDS, CLASSES);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        akin_model *m = learn(ctx, (int)c, rows);
        assert_true(akin_model_has_pairs(m));
        for (int64_t k = 0; k < 30; ++k)
            for (size_t b = 0; b < sizeof ways / sizeof ways[0]; ++b)
                for (size_t t = 0; t < sizeof tops / sizeof tops[0]; ++t)
                    check(ctx, m, rows, k, (7 * k + 3) % N, tops[t], ways[b]);
        akin_model_free(m);
    }
    akin_rows_free(rows);
}

/* Without a rest, and each of them by hand. */
static void pairs_of_a_full_matrix(void **state)
{
    static akin_pair_reason r[ALL + 1];
    static double W[D * D];
    akin_ctx *ctx = *state;
    ak_rng rng = ak_rng_new(3, 5);
    akin_rows *rows = class_rows(ctx, 9, N, D, WORDS, CLASSES);
    akin_model *m = NULL;
    int64_t count;
    for (int k = 0; k < D * D; ++k)
        W[k] = ak_rng_normal(&rng);
    assert_int_equal(ak_full_new(&m, ctx, D, D, W, AKIN_BY_DOT), AKIN_OK);
    assert_int_equal(akin_model_explain_pairs(r, &count, ctx, m, rows, 1, rows,
                                              2, ALL, AKIN_BY_DOT),
                     AKIN_OK);
    for (int64_t k = 0; k < count; ++k) {
        const double p = (double)value_at(rows, 1, r[k].left) *
                         W[r[k].left * D + r[k].right] *
                         (double)value_at(rows, 2, r[k].right);
        assert_true(r[k].left >= 0);
        assert_true(fabs(r[k].contribution - p) <= 1e-12);
    }
    akin_model_free(m);
    akin_rows_free(rows);
}

static void others_are_refused(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 7, N, D, WORDS, CLASSES);
    akin_pair_reason r[2];
    akin_model *m = NULL;
    int64_t count;
    assert_int_equal(akin_model_builtin(&m, ctx, "cosine", rows), AKIN_OK);
    assert_false(akin_model_has_pairs(m));
    assert_int_equal(akin_model_explain_pairs(r, &count, ctx, m, rows, 0, rows,
                                              1, 1, AKIN_BY_DEFAULT),
                     AKIN_EINVAL);
    akin_model_free(m);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest cases_of_pairs[] = {
        cmocka_unit_test(pairs_add_up),
        cmocka_unit_test(pairs_of_a_full_matrix),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(cases_of_pairs, support_set_up,
                                  support_tear_down);
}
