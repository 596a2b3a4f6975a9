/* The kind "prototypes" against its definition over dense vectors. */
#include <math.h>
#include <unistd.h>

#include "definition.h"

#include "model/prototypes.h"

enum { N = 8, D = 40, K = 35, P = 3 };

static const double T = 4.0;

typedef struct fixture {
    akin_ctx *ctx;
    double A[D * K], Z[P * K];
    float X[N][D];
    akin_rows *rows;
    akin_model *m;
} fixture;

static int enter(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    ak_rng r = ak_rng_new(4, 99);
    *state = f;
    if (akin_ctx_new(&f->ctx, NULL) != AKIN_OK)
        return 1;
    for (int i = 1; i < N; ++i)  // row 0 is empty
        for (int j = 0; j < D; ++j)
            f->X[i][j] = ak_rng_unit(&r) < 0.3 ? (float)ak_rng_normal(&r)
                                               : 0.0F;
    for (int i = 0; i < D * K; ++i)
        f->A[i] = ak_rng_normal(&r);
    for (int p = 0; p < P; ++p) {
        double length = 0.0;
        for (int c = 0; c < K; ++c) {
            f->Z[p * K + c] = ak_rng_normal(&r);
            length += f->Z[p * K + c] * f->Z[p * K + c];
        }
        for (int c = 0; c < K; ++c)
            f->Z[p * K + c] /= sqrt(length);
    }
    return akin_rows_new_dense(&f->rows, f->ctx, N, D, f->X[0]) != AKIN_OK ||
           ak_prototypes_new(&f->m, f->ctx, D, K, P, f->A, f->Z, T) != AKIN_OK;
}

static int leave(void **state)
{
    fixture *f = *state;
    akin_model_free(f->m);
    akin_rows_free(f->rows);
    akin_ctx_free(f->ctx);
    free(f);
    return 0;
}

static void shares(const fixture *f, int i, double *out)
{
    double a[K] = {0}, length = 0.0, sum = 0.0;
    for (int c = 0; c < K; ++c) {
        for (int j = 0; j < D; ++j)
            a[c] += f->A[j * K + c] * f->X[i][j];
        length += a[c] * a[c];
    }
    for (int p = 0; p < P; ++p) {
        double dot = 0.0;
        for (int c = 0; c < K; ++c)
            dot += a[c] * f->Z[p * K + c];
        out[p] = length > 0.0 ? exp(T * dot / sqrt(length)) : 0.0;
        sum += out[p];
    }
    for (int p = 0; p < P; ++p)
        out[p] /= sum > 0.0 ? sum : 1.0;
}

static double expected(const fixture *f, int i, int j, akin_compare by)
{
    double x[P], y[P];
    shares(f, i, x);
    shares(f, j, y);
    return compare_by_definition(P, x, y, by);
}

static void scores_and_reasons_are_the_definition(void **state)
{
    const fixture *f = *state;
    for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by)
        for (int t = 0; t < N * N; ++t) {
            const int i = t / N, j = t % N;
            const asked a = {f->ctx, f->m, f->rows, f->rows, i, j, by};
            /* An empty row gives no reasons. */
            assert_scored(&a, expected(f, i, j, by), 1e-10, i > 0 && j > 0);
        }
}

static void embeddings_are_the_shares(void **state)
{
    const fixture *f = *state;
    akin_rows *x = NULL;
    assert_int_equal(akin_model_embed(&x, f->ctx, f->m, f->rows, AKIN_LEFT),
                     AKIN_OK);
    assert_int_equal(akin_rows_dim(x), P);
    for (int i = 0; i < N; ++i) {
        double want[P];
        shares(f, i, want);
        for (int p = 0; p < P; ++p)
            assert_true(fabs(want[p] - (double)ak_rows_dense(x, i)[p]) < 1e-6);
    }
    akin_rows_free(x);
}

static void a_saved_model_is_the_same(void **state)
{
    const fixture *f = *state;
    char path[] = "akin-prototypes-XXXXXX";
    const int64_t ij[2] = {1, 2};
    akin_model *back = NULL;
    double a = 0.0, b = 0.0;
    close(mkstemp(path));
    assert_int_equal(akin_model_save(f->ctx, f->m, path), AKIN_OK);
    assert_int_equal(akin_model_load(&back, f->ctx, path), AKIN_OK);
    unlink(path);
    assert_string_equal(akin_model_kind(back), "prototypes");
    assert_int_equal(akin_model_rank(back), K);
    assert_int_equal(akin_model_parameters(back), (D + P) * K);
    assert_int_equal(akin_model_nonzeros(back), (D + P) * K);
    akin_model_score(&a, f->ctx, f->m, f->rows, f->rows, ij, 1, 0);
    akin_model_score(&b, f->ctx, back, f->rows, f->rows, ij, 1, 0);
    assert_true(a == b);
    akin_model_free(back);
}

/* No prototypes, too many, one that is not finite. */
static void bad_files_are_refused(void **state)
{
    fixture *f = *state;
    static const int64_t counts[] = {0, AK_PROTOTYPES_MOST + 1, 1};
    for (int which = 0; which < 3; ++which) {
        static double Z[AK_PROTOTYPES_MOST + 1];
        static const double sharpness = 1.0;
        ak_tensors *t = NULL;
        akin_model *m = NULL;
        Z[0] = which == 2 ? (double)INFINITY : 1.0;
        assert_int_equal(ak_tensors_new(&t, f->ctx), AKIN_OK);
        ak_tensors_note(t, f->ctx, "kind", "prototypes");
        ak_tensors_note(t, f->ctx, "compare", "dot");
        ak_tensors_note_i64(t, f->ctx, "dim", D);
        ak_tensors_put(
            t, f->ctx,
            (ak_tensor){"prototypes", AK_DTYPE_F64, 2, {counts[which], 1}, Z});
        ak_tensors_put(
            t, f->ctx,
            (ak_tensor){"sharpness", AK_DTYPE_F64, 1, {1}, &sharpness});
        assert_int_equal(ak_model_take(&m, f->ctx, t), AKIN_EFORMAT);
        assert_null(m);
        ak_tensors_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_and_reasons_are_the_definition),
        cmocka_unit_test(embeddings_are_the_shares),
        cmocka_unit_test(a_saved_model_is_the_same),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
