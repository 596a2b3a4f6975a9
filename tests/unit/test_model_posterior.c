/* The kind "posterior" against its definition over dense vectors. */
#include <math.h>
#include <unistd.h>

#include "definition.h"

#include <akin/eval.h>

#include "model/posterior.h"

enum { N = 6, D = 9, D_RIGHT = 5, L = 35 };  // more labels than go together

static const double T = 1.7;

typedef struct fixture {
    akin_ctx *ctx;
    double W[2][D * L], b[2][L];
    float X[2][N * D];
    akin_rows *rows[2];
    akin_model *m, *two;  // of one kind of rows, and of two
    akin_model *kernel;   // m as the linear kernel of unit vectors
} fixture;

/* x'e_j is x_j, so that W'x + b is F'k(x) - offset with F = W, offset = -b. */
static akin_status make_kernel(fixture *f, ak_labels labels)
{
    static float units[D * D];
    static int64_t which[D];
    double offset[L];
    akin_rows *rows = NULL;
    for (int j = 0; j < D; ++j) {
        units[j * D + j] = 1.0F;
        which[j] = j;
    }
    for (int l = 0; l < L; ++l)
        offset[l] = -f->b[0][l];
    akin_status st = akin_rows_new_dense(&rows, f->ctx, D, D, units);
    const ak_kernel_part part = {
        {AK_KERNEL_LINEAR, 1.0, 0.0, 1}, rows, which, D, f->W[0], offset};
    if (st == AKIN_OK)
        st = ak_posterior_new_kernel(&f->kernel, f->ctx, labels, &part, T);
    akin_rows_free(rows);
    return st;
}

static int enter(void **state)
{
    static const int64_t d[2] = {D, D_RIGHT};
    static char text[L][4], *names[L];
    fixture *f = calloc(1, sizeof *f);
    ak_rng r = ak_rng_new(4, 99);
    *state = f;
    if (akin_ctx_new(&f->ctx, NULL) != AKIN_OK)
        return 1;
    for (int l = 0; l < L; ++l) {
        snprintf(text[l], sizeof text[l], "%d", l);
        names[l] = text[l];
    }
    for (int s = 0; s < 2; ++s) {
        for (int64_t k = 0; k < d[s] * L; ++k)
            f->W[s][k] = ak_rng_normal(&r);
        for (int l = 0; l < L; ++l)
            f->b[s][l] = ak_rng_normal(&r);
        for (int64_t k = d[s]; k < N * d[s]; ++k)  // row 0 is empty
            f->X[s][k] = (float)ak_rng_normal(&r);
        if (akin_rows_new_dense(&f->rows[s], f->ctx, N, d[s], f->X[s]) !=
            AKIN_OK)
            return 1;
    }
    const ak_labels labels = {L, names};
    const ak_logits left = {D, f->W[0], f->b[0]};
    const ak_logits right = {D_RIGHT, f->W[1], f->b[1]};
    return ak_posterior_new(&f->m, f->ctx, labels, &left, NULL, T) != AKIN_OK ||
           ak_posterior_new(&f->two, f->ctx, labels, &left, &right, T) !=
               AKIN_OK ||
           make_kernel(f, labels) != AKIN_OK;
}

static int leave(void **state)
{
    fixture *f = *state;
    akin_model_free(f->m);
    akin_model_free(f->two);
    akin_model_free(f->kernel);
    akin_rows_free(f->rows[0]);
    akin_rows_free(f->rows[1]);
    akin_ctx_free(f->ctx);
    free(f);
    return 0;
}

/* p^t, normalised, of row i of a side. */
static void posterior(const fixture *f, int side, int i, double t, double *p)
{
    const int d = side ? D_RIGHT : D;
    double sum = 0.0;
    for (int l = 0; l < L; ++l) {
        double z = f->b[side][l];
        for (int j = 0; j < d; ++j)
            z += f->W[side][j * L + l] * (double)f->X[side][i * d + j];
        p[l] = exp(t * z);
        sum += p[l];
    }
    for (int l = 0; l < L; ++l)
        p[l] /= sum;
}

static void scores_and_reasons_are_the_definition(void **state)
{
    const fixture *f = *state;
    double x[L], y[L];
    for (int which = 0; which < 3; ++which)
        for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by)
            for (int t = 0; t < N * N; ++t) {
                const int i = t / N, j = t % N, right = which == 1;
                const akin_model *models[] = {f->m, f->two, f->kernel};
                const asked a = {
                    f->ctx, models[which], f->rows[0], f->rows[right], i, j,
                    by};
                posterior(f, 0, i, T, x);
                posterior(f, right, j, T, y);
                assert_scored(&a, compare_by_definition(L, x, y, by), 1e-10,
                              true);
            }
}

static void assert_ranked(const fixture *f, const akin_model *m)
{
    int32_t labels[N * L];
    double scores[N * L], p[L];
    assert_int_equal(akin_rank_labels(labels, scores, f->ctx, m, f->rows[0], L),
                     AKIN_OK);
    for (int i = 0; i < N; ++i) {
        posterior(f, 0, i, 1.0, p);
        for (int k = 0; k < L; ++k) {
            akin_reason reasons[D + 1];
            int64_t count = 0;
            double sum = 0.0;
            const int l = labels[i * L + k];
            assert_true(fabs(scores[i * L + k] - p[l]) < 1e-12);
            assert_true(k == 0 || scores[i * L + k] <= scores[i * L + k - 1]);
            assert_int_equal(akin_model_explain_label(reasons, &count, f->ctx,
                                                      m, f->rows[0], i, l, D),
                             AKIN_OK);
            for (int64_t c = 0; c < count; ++c)
                sum += reasons[c].contribution;
            assert_true(fabs(sum - log(p[l])) < 1e-10);
        }
    }
}

static void labels_are_ranked_by_probability(void **state)
{
    const fixture *f = *state;
    assert_ranked(f, f->two);
    assert_ranked(f, f->kernel);
}

static akin_model *through_a_file(const fixture *f, const akin_model *m)
{
    char path[] = "akin-posterior-XXXXXX";
    akin_model *back = NULL;
    close(mkstemp(path));
    assert_int_equal(akin_model_save(f->ctx, m, path), AKIN_OK);
    assert_int_equal(akin_model_load(&back, f->ctx, path), AKIN_OK);
    unlink(path);
    return back;
}

static void a_saved_model_is_the_same(void **state)
{
    const fixture *f = *state;
    const int64_t ij[2] = {1, 2};
    akin_model *back = through_a_file(f, f->two), *turned = NULL;
    double a = 0.0, b = 1.0;
    assert_string_equal(akin_model_kind(back), "posterior");
    assert_string_equal(akin_model_label_name(back, 7), "7");
    assert_int_equal(akin_model_label_count(back), L);
    assert_int_equal(akin_model_parameters(back), (D + D_RIGHT + 2) * L);
    assert_int_equal(akin_model_is_symmetric(back), 0);
    assert_int_equal(akin_model_is_symmetric(f->m), 1);
    akin_model_score(&a, f->ctx, f->two, f->rows[0], f->rows[1], ij, 1, 0);
    akin_model_score(&b, f->ctx, back, f->rows[0], f->rows[1], ij, 1, 0);
    assert_true(a == b);
    assert_int_equal(akin_model_turn(&turned, f->ctx, back), AKIN_OK);
    akin_model_score(&b, f->ctx, turned, f->rows[1], f->rows[0],
                     (const int64_t[]){2, 1}, 1, 0);
    assert_true(fabs(a - b) < 1e-12);
    akin_model_free(turned);
    akin_model_free(back);
    back = through_a_file(f, f->kernel);
    assert_int_equal(akin_model_parameters(back), (D + 1) * L);
    assert_int_equal(akin_model_is_symmetric(back), 1);
    assert_ranked(f, back);
    akin_model_free(back);
}

/* Too few offsets, offsets and a sharpness that are no numbers, and no right
 * side where the dimensions differ. */
static void bad_files_are_refused(void **state)
{
    fixture *f = *state;
    for (int which = 0; which < 5; ++which) {
        static double W[2 * 2], b[2];
        static const int32_t index[2] = {0, 1};
        const double t = which == 2 ? 0.0 : 1.0;
        ak_tensors *all = NULL;
        akin_model *m = NULL;
        b[0] = which == 1 ? (double)NAN : 0.0;
        assert_int_equal(ak_tensors_new(&all, f->ctx), AKIN_OK);
        ak_tensors_note(all, f->ctx, "kind", "posterior");
        ak_tensors_note(all, f->ctx, "compare", "dot");
        ak_tensors_note_i64(all, f->ctx, "dim", 2);
        if (which == 3)
            ak_tensors_note_i64(all, f->ctx, "dim_right", 3);
        ak_tensors_note(all, f->ctx, "label_names", "a\nb");
        ak_tensors_put_vector(all, f->ctx, "W.index", AK_DTYPE_I32, 2, index);
        ak_tensors_put(all, f->ctx,
                       (ak_tensor){"W", AK_DTYPE_F64, 2, {2, 2}, W});
        ak_tensors_put_vector(all, f->ctx, "b", AK_DTYPE_F64,
                              which == 0 ? 1 : 2, b);
        ak_tensors_put_vector(all, f->ctx, "sharpness", AK_DTYPE_F64, 1, &t);
        assert_int_equal(ak_model_take(&m, f->ctx, all),
                         which == 4 ? AKIN_OK : AKIN_EFORMAT);
        akin_model_free(m);
        ak_tensors_free(all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_and_reasons_are_the_definition),
        cmocka_unit_test(labels_are_ranked_by_probability),
        cmocka_unit_test(a_saved_model_is_the_same),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
