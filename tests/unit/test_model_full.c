/* The kind "full" against x' W y written out over dense vectors. */
#include <math.h>
#include <unistd.h>

#include "definition.h"

#include "model/full.h"

enum { N = 8, L = 7, R = 5 };

typedef struct fixture {
    akin_ctx *ctx;
    float X[N][L], Y[N][R];
    double W[L * R];
    akin_rows *left, *right;
    akin_model *m;
} fixture;

static akin_rows *rows_of(akin_ctx *ctx, int64_t d, const float *values)
{
    int64_t offsets[N + 1] = {0}, n = 0;
    int32_t cols[N * L];
    float vals[N * L];
    akin_rows *rows = NULL;
    for (int64_t i = 0; i < N; ++i) {
        for (int64_t j = 0; j < d; ++j)
            if (values[i * d + j] != 0.0F) {
                cols[n] = (int32_t)j;
                vals[n++] = values[i * d + j];
            }
        offsets[i + 1] = n;
    }
    assert_int_equal(
        akin_rows_new_sparse(&rows, ctx, N, d, offsets, cols, vals), AKIN_OK);
    return rows;
}

static void draw(ak_rng *r, int64_t n, float *x)
{
    for (int64_t i = 0; i < n; ++i)
        x[i] = ak_rng_unit(r) < 0.5 ? (float)ak_rng_normal(r) : 0.0F;
}

static int enter(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    ak_rng r = ak_rng_new(3, 99);
    *state = f;
    if (akin_ctx_new(&f->ctx, NULL) != AKIN_OK)
        return 1;
    draw(&r, (N - 1) * L, f->X[1]);  // row 0 is empty
    draw(&r, (N - 1) * R, f->Y[1]);
    for (int i = 0; i < L * R; ++i)
        f->W[i] = ak_rng_normal(&r);
    f->left = rows_of(f->ctx, L, f->X[0]);
    f->right = rows_of(f->ctx, R, f->Y[0]);
    return ak_full_new(&f->m, f->ctx, L, R, f->W, AKIN_BY_DOT) != AKIN_OK;
}

static int leave(void **state)
{
    fixture *f = *state;
    akin_model_free(f->m);
    akin_rows_free(f->left);
    akin_rows_free(f->right);
    akin_ctx_free(f->ctx);
    free(f);
    return 0;
}

/* By definition, u = W'x against y. */
static double expected(const fixture *f, int i, int j, akin_compare by)
{
    double u[R] = {0.0}, y[R];
    for (int c = 0; c < R; ++c) {
        y[c] = f->Y[j][c];
        for (int k = 0; k < L; ++k)
            u[c] += f->W[k * R + c] * f->X[i][k];
    }
    return compare_by_definition(R, u, y, by);
}

static void scores_and_reasons_are_the_definition(void **state)
{
    const fixture *f = *state;
    for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by)
        for (int t = 0; t < N * N; ++t) {
            const asked a = {f->ctx, f->m, f->left, f->right, t / N, t % N, by};
            assert_scored(&a, expected(f, t / N, t % N, by), 1e-12, true);
        }
}

static void embeddings_have_the_plain_dot_product(void **state)
{
    const fixture *f = *state;
    akin_rows *x = NULL, *y = NULL;
    assert_int_equal(akin_model_embed(&x, f->ctx, f->m, f->left, AKIN_LEFT),
                     AKIN_OK);
    assert_int_equal(akin_model_embed(&y, f->ctx, f->m, f->right, AKIN_RIGHT),
                     AKIN_OK);
    for (int t = 0; t < N * N; ++t) {
        double dot = 0.0;
        for (int c = 0; c < R; ++c)
            dot += (double)ak_rows_dense(x, t / N)[c] *
                   (double)ak_rows_dense(y, t % N)[c];
        assert_true(fabs(dot - expected(f, t / N, t % N, AKIN_BY_DOT)) < 1e-5);
    }
    akin_rows_free(x);
    akin_rows_free(y);
}

static void a_saved_model_is_the_same(void **state)
{
    const fixture *f = *state;
    char path[] = "akin-full-XXXXXX";
    akin_model *back = NULL;
    close(mkstemp(path));
    assert_int_equal(akin_model_save(f->ctx, f->m, path), AKIN_OK);
    assert_int_equal(akin_model_load(&back, f->ctx, path), AKIN_OK);
    unlink(path);
    assert_string_equal(akin_model_kind(back), "full");
    assert_int_equal(akin_model_dim(back, AKIN_RIGHT), R);
    assert_int_equal(akin_model_parameters(back), L * R);
    assert_int_equal(akin_model_nonzeros(back), L * R);
    assert_memory_equal(ak_full_W(back), f->W, sizeof f->W);
    akin_model_free(back);
}

/* A file whose W has another shape than the model, or a number that is none. */
static void bad_files_are_refused(void **state)
{
    fixture *f = *state;
    for (int which = 0; which < 2; ++which) {
        ak_tensors *t = NULL;
        akin_model *m = NULL;
        double W[L * R] = {0};
        W[3] = which == 0 ? 1.0 : (double)NAN;
        assert_int_equal(ak_tensors_new(&t, f->ctx), AKIN_OK);
        ak_tensors_note(t, f->ctx, "kind", "full");
        ak_tensors_note(t, f->ctx, "compare", "dot");
        ak_tensors_note_i64(t, f->ctx, "dim", which == 0 ? R : L);
        ak_tensors_note_i64(t, f->ctx, "dim_right", R);
        ak_tensors_put(t, f->ctx, (ak_tensor){"W", AK_DTYPE_F64, 2, {L, R}, W});
        assert_int_equal(ak_model_take(&m, f->ctx, t), AKIN_EFORMAT);
        assert_null(m);
        ak_tensors_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_and_reasons_are_the_definition),
        cmocka_unit_test(embeddings_have_the_plain_dot_product),
        cmocka_unit_test(a_saved_model_is_the_same),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
