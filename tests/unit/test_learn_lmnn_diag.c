/* lmnn-diag: the weights are where the objective is least, zeros are told. */
#include <math.h>

#include "support.h"

#include <akin/learn.h>

#include "model/diagonal.h"

enum { ROWS = 60, DIM = 90, WORDS = 12, CLASSES = 3, SAMPLE = 500 };

static int64_t triplets[3 * SAMPLE];

static void draw_triplets(void)
{
    ak_rng rng = ak_rng_new(9, AK_STREAM_SYNTH);
    for (int64_t t = 0; t < SAMPLE; ++t) {
        const int64_t q = (int64_t)ak_rng_below(&rng, ROWS);
        int64_t other[2];
        for (int k = 0; k < 2; ++k)  // as class_rows deals them out
            do
                other[k] = (int64_t)ak_rng_below(&rng, ROWS);
            while (other[k] == q ||
                   (other[k] % CLASSES == q % CLASSES) != (k == 0));
        triplets[3 * t] = q;
        triplets[3 * t + 1] = other[0];
        triplets[3 * t + 2] = other[1];
    }
}

static akin_model *learn(akin_ctx *ctx, const akin_rows *rows, double mu,
                         akin_learn_info *info)
{
    akin_lmnn_diag_options o = AKIN_LMNN_DIAG_DEFAULTS;
    akin_supervision *data = NULL;
    akin_model *m = NULL;
    if (mu > 0.0)
        o.mu = mu;
    assert_int_equal(akin_supervision_new(&data, ctx, rows, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(
        akin_supervision_set(ctx, data, AKIN_TRIPLETS, triplets, SAMPLE),
        AKIN_OK);
    if (akin_learn(&m, ctx, &o.head, data, info) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    akin_supervision_free(data);
    return m;
}

/* F of the weights, from full rows and by its definition. */
static double objective(const akin_rows *rows, const double *a, double mu)
{
    double sum = 0.0;
    for (int64_t t = 0; t < SAMPLE; ++t) {
        float x[3][DIM];
        double near = 0.0, far = 0.0;
        for (int k = 0; k < 3; ++k) {
            const float *full = ak_rows_full(rows, triplets[3 * t + k], x[k]);
            if (full != x[k])
                memcpy(x[k], full, sizeof x[k]);
        }
        for (int j = 0; j < DIM; ++j) {
            near += a[j] * pow((double)(x[0][j] - x[1][j]), 2);
            far += a[j] * pow((double)(x[0][j] - x[2][j]), 2);
        }
        sum += (1.0 - mu) * near + mu * fmax(0.0, 1.0 + near - far);
    }
    return sum / SAMPLE;
}

/* No other weights near these, or far from them, are better by 1 %. */
static void is_least(const akin_rows *rows, const akin_model *m, double mu,
                     double told)
{
    ak_rng rng = ak_rng_new(3, 1);
    double a[DIM], other[DIM];
    memcpy(a, ak_diagonal_w(m), sizeof a);
    const double least = objective(rows, a, mu);
    assert_true(fabs(least - told) < 1e-9);
    for (int k = 0; k < 100; ++k) {
        const double by = pow(10.0, -(k % 5));
        for (int j = 0; j < DIM; ++j)
            other[j] = fmax(0.0, a[j] + by * ak_rng_normal(&rng));
        assert_true(objective(rows, other, mu) > 0.99 * least);
    }
}

static void the_objective_is_least(void **state)
{
    akin_rows *rows = class_rows(*state, 5, ROWS, DIM, WORDS, CLASSES);
    const double mus[] = {0.7, 0.99};
    assert_non_null(rows);
    draw_triplets();
    for (int k = 0; k < 2; ++k) {
        akin_learn_info info = {0};
        akin_model *m = learn(*state, rows, mus[k], &info);
        assert_int_equal(info.outcome, AKIN_CONVERGED);
        is_least(rows, m, mus[k], info.objective);
        akin_model_free(m);
    }
    akin_rows_free(rows);
}

static void keep_line(void *user, akin_log_level level, const char *line)
{
    assert_int_equal(level, AKIN_LOG_WARNING);
    snprintf(user, 200, "%s", line);
}

static void zeros_are_told(void **state)
{
    akin_rows *rows = class_rows(*state, 5, ROWS, DIM, WORDS, CLASSES);
    char said[200] = "";
    akin_learn_info info = {0};
    draw_triplets();
    akin_ctx_set_log(*state, keep_line, said);
    akin_model *m = learn(*state, rows, 0.0, &info);
    assert_true(akin_model_nonzeros(m) > DIM / 10);
    assert_string_equal(said, "");
    akin_model_free(m);
    m = learn(*state, rows, 0.05, &info);
    assert_true(akin_model_nonzeros(m) < 3);  // those never met in a triplet
    assert_string_equal(
        said,
        "`mu` 0.05 is too small: all distances became zero (try 0.905, or "
        "akin tune)");
    akin_ctx_set_log(*state, NULL, NULL);
    akin_model_free(m);
    akin_rows_free(rows);
}

static akin_compare compared(akin_ctx *ctx, const akin_rows *rows)
{
    akin_learn_info info = {0};
    akin_model *m = learn(ctx, rows, 0.0, &info);
    const akin_compare by = akin_model_compare(m);
    akin_model_free(m);
    return by;
}

static void lengths_count_where_negatives_are_apart(void **state)
{
    akin_rows *rows = class_rows(*state, 5, ROWS, DIM, WORDS, CLASSES);
    akin_rows *dense = NULL;
    float *full = calloc(ROWS * DIM, sizeof *full);
    draw_triplets();
    for (int64_t i = 0; i < ROWS; ++i)
        ak_rows_full(rows, i, full + i * DIM);
    assert_int_equal(akin_rows_new_dense(&dense, *state, ROWS, DIM, full),
                     AKIN_OK);
    assert_int_equal(compared(*state, rows), AKIN_BY_COSINE);
    assert_int_equal(compared(*state, dense), AKIN_BY_DISTANCE);
    for (int64_t t = 0; t < SAMPLE; ++t)  // class 0 against the others
        for (int k = 0; k < 3; ++k) {
            int64_t *row = &triplets[3 * t + k];
            *row = *row / CLASSES * CLASSES + (k == 2);
        }
    assert_int_equal(compared(*state, rows), AKIN_BY_DISTANCE);
    akin_rows_free(rows);
    akin_rows_free(dense);
    free(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_objective_is_least),
        cmocka_unit_test(zeros_are_told),
        cmocka_unit_test(lengths_count_where_negatives_are_apart),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
