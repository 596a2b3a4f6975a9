/* What stands on a similarity that rsl learned: the middles of the classes, and
 * the rows' own cosine. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "definition.h"
#include "faulty.h"

#include <akin/learn.h>

#include "model/model.h"

enum { N = 24, DL = 6, DR = 4, CLASSES = 3 };

static const char *const kernels[] = {"none", "rbf"};

typedef struct sides {
    akin_rows *left, *right;
    akin_supervision *data;
} sides;

/* Rows around a point of their class. */
static akin_status make_rows(akin_rows **out, akin_ctx *ctx, uint64_t seed,
                             int64_t d)
{
    static const char *const names[CLASSES] = {"a", "b", "c"};
    ak_rng r = ak_rng_new(seed, 7);
    float x[N * DL];
    int32_t labels[N];
    akin_status st = AKIN_OK;
    for (int i = 0; i < N; ++i) {
        labels[i] = i % CLASSES;
        for (int64_t j = 0; j < d; ++j)
            x[i * d + j] =
                (float)(0.3 * ak_rng_normal(&r) + (j % CLASSES == i % CLASSES));
    }
    AK_TRY(akin_rows_new_dense(out, ctx, N, d, x));
    AK_TRY(akin_rows_set_labels(ctx, *out, labels, names, CLASSES));
done:
    return st;
}

static akin_status make_sides(sides *s, akin_ctx *ctx, int64_t d_right)
{
    akin_status st = AKIN_OK;
    AK_TRY(make_rows(&s->left, ctx, 1, DL));
    AK_TRY(make_rows(&s->right, ctx, 2, d_right));
    AK_TRY(akin_supervision_new(&s->data, ctx, s->left, s->right, NULL));
done:
    return st;
}

static void drop_sides(sides *s)
{
    akin_supervision_free(s->data);
    akin_rows_free(s->left);
    akin_rows_free(s->right);
}

static akin_status learn(akin_model **m, akin_ctx *ctx, const sides *s,
                         const char *kernel, const char *name,
                         const char *value)
{
    akin_options *o = NULL;
    akin_learn_info info;
    akin_status st = AKIN_OK;
    AK_TRY(akin_options_new(&o, ctx, "rsl"));
    AK_TRY(akin_options_set(ctx, o, "kernel", kernel));
    AK_TRY(akin_options_set(ctx, o, "lambda", "0.01"));
    if (name == NULL || strcmp(name, "prototypes") != 0)
        AK_TRY(akin_options_set(ctx, o, "prototypes", "0"));
    if (name != NULL)
        AK_TRY(akin_options_set(ctx, o, name, value));
    AK_TRY(akin_learn(m, ctx, o, s->data, &info));
done:
    akin_options_free(o);
    return st;
}

/* Row i of a side in the learned space, at length 1; k numbers. */
static void unit_place(akin_ctx *ctx, const akin_model *m,
                       const akin_rows *rows, akin_side side, int i, int64_t k,
                       double *out)
{
    akin_rows *e = NULL;
    double square = 0.0;
    assert_int_equal(akin_model_embed(&e, ctx, m, rows, side), AKIN_OK);
    assert_int_equal(akin_rows_dim(e), k);
    for (int64_t c = 0; c < k; ++c) {
        out[c] = (double)ak_rows_dense(e, i)[c];
        square += out[c] * out[c];
    }
    for (int64_t c = 0; c < k; ++c)
        out[c] /= sqrt(square);
    akin_rows_free(e);
}

static void set_length_1(double *x)
{
    double square = 0.0;
    for (int c = 0; c < CLASSES; ++c)
        square += x[c] * x[c];
    for (int c = 0; c < CLASSES; ++c)
        x[c] /= sqrt(square);
}

/* The middles of the classes by definition, of rank CLASSES. */
static void find_middles(akin_ctx *ctx, const akin_model *m, const sides *s,
                         double Z[CLASSES][CLASSES])
{
    memset(Z, 0, sizeof(double[CLASSES][CLASSES]));
    for (int side = 0; side < 2; ++side) {
        double sums[CLASSES][CLASSES] = {{0}};
        for (int i = 0; i < N; ++i) {
            double e[CLASSES];
            unit_place(ctx, m, side ? s->right : s->left, (akin_side)side, i,
                       CLASSES, e);
            for (int c = 0; c < CLASSES; ++c)
                sums[i % CLASSES][c] += e[c];
        }
        for (int p = 0; p < CLASSES; ++p) {
            set_length_1(sums[p]);
            for (int c = 0; c < CLASSES; ++c)
                Z[p][c] += sums[p][c];
        }
    }
    for (int p = 0; p < CLASSES; ++p)
        set_length_1(Z[p]);
}

static void shares(const double *e, double Z[CLASSES][CLASSES], double *f)
{
    double sum = 0.0;
    for (int p = 0; p < CLASSES; ++p) {
        double dot = 0.0;
        for (int c = 0; c < CLASSES; ++c)
            dot += e[c] * Z[p][c];
        f[p] = exp(5.0 * dot);
        sum += f[p];
    }
    for (int p = 0; p < CLASSES; ++p)
        f[p] /= sum;
}

static void prototypes_are_class_means(void **state)
{
    akin_ctx *ctx = *state;
    sides s = {0};
    assert_int_equal(make_sides(&s, ctx, DR), AKIN_OK);
    for (int k = 0; k < 2; ++k) {
        akin_model *plain = NULL, *m = NULL;
        double Z[CLASSES][CLASSES];
        assert_int_equal(learn(&plain, ctx, &s, kernels[k], NULL, NULL), 0);
        assert_int_equal(learn(&m, ctx, &s, kernels[k], "prototypes", "1"), 0);
        assert_string_equal(akin_model_kind(m), "prototypes");
        assert_false(akin_model_is_symmetric(m));
        find_middles(ctx, plain, &s, Z);
        for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by)
            for (int t = 0; t < N; ++t) {
                const int i = t, j = (7 * t + 1) % N;
                const asked a = {ctx, m, s.left, s.right, i, j, by};
                double x[CLASSES], y[CLASSES], f[CLASSES], g[CLASSES];
                unit_place(ctx, plain, s.left, AKIN_LEFT, i, CLASSES, x);
                unit_place(ctx, plain, s.right, AKIN_RIGHT, j, CLASSES, y);
                shares(x, Z, f);
                shares(y, Z, g);
                assert_scored(&a, compare_by_definition(CLASSES, f, g, by),
                              1e-5, true);
            }
        akin_model_free(plain);
        akin_model_free(m);
    }
    drop_sides(&s);
}

static double own_cosine(const sides *s, int i, int j)
{
    double x[DL], y[DL];
    for (int c = 0; c < DL; ++c) {
        x[c] = (double)ak_rows_dense(s->left, i)[c];
        y[c] = (double)ak_rows_dense(s->right, j)[c];
    }
    return compare_by_definition(DL, x, y, AKIN_BY_COSINE);
}

static void blend_adds_the_cosine_of_the_rows(void **state)
{
    akin_ctx *ctx = *state;
    sides s = {0};
    assert_int_equal(make_sides(&s, ctx, DL), AKIN_OK);
    for (int k = 0; k < 2; ++k) {
        akin_model *plain = NULL, *m = NULL;
        assert_int_equal(learn(&plain, ctx, &s, kernels[k], NULL, NULL), 0);
        assert_int_equal(learn(&m, ctx, &s, kernels[k], "blend", "3"), 0);
        assert_string_equal(akin_model_kind(m), "blend");
        assert_false(akin_model_is_symmetric(m));
        for (int i = 0; i < N; ++i) {
            const int j = (5 * i + 2) % N;
            const int64_t ij[2] = {i, j};
            const asked a = {ctx, m, s.left, s.right, i, j, AKIN_BY_COSINE};
            double learned = 0.0;
            akin_model_score(&learned, ctx, plain, s.left, s.right, ij, 1,
                             AKIN_BY_COSINE);
            assert_scored(&a, (learned + 3.0 * own_cosine(&s, i, j)) / 4.0,
                          1e-10, true);
        }
        akin_model_free(plain);
        akin_model_free(m);
    }
    drop_sides(&s);
}

/* Over each kind that can be below. */
static void saved_model_loads_unchanged(void **state)
{
    static const char *const what[] = {"prototypes", "blend"};
    akin_ctx *ctx = *state;
    sides s = {0};
    assert_int_equal(make_sides(&s, ctx, DL), AKIN_OK);
    for (int t = 0; t < 4; ++t) {
        char path[] = "akin-classes-XXXXXX";
        const int64_t ij[2] = {2, 9};
        akin_model *m = NULL, *back = NULL;
        double a = 0.0, b = 0.0;
        assert_int_equal(learn(&m, ctx, &s, kernels[t / 2], what[t % 2], "1"),
                         AKIN_OK);
        close(mkstemp(path));
        assert_int_equal(akin_model_save(ctx, m, path), AKIN_OK);
        assert_int_equal(akin_model_load(&back, ctx, path), AKIN_OK);
        unlink(path);
        assert_string_equal(akin_model_kind(back), akin_model_kind(m));
        assert_int_equal(akin_model_rank(back), akin_model_rank(m));
        assert_int_equal(akin_model_parameters(back), akin_model_parameters(m));
        akin_model_score(&a, ctx, m, s.left, s.right, ij, 1, AKIN_BY_DEFAULT);
        akin_model_score(&b, ctx, back, s.left, s.right, ij, 1,
                         AKIN_BY_DEFAULT);
        assert_true(a == b && a != 0.0);
        akin_model_free(m);
        akin_model_free(back);
    }
    drop_sides(&s);
}

static void unsupported_combination_is_refused_first(void **state)
{
    static const int64_t pairs[] = {0, 0, 1, 1, 2, -1};
    akin_ctx *ctx = *state;
    sides s = {0};
    akin_model *m = NULL;
    assert_int_equal(make_sides(&s, ctx, DR), AKIN_OK);
    assert_int_equal(learn(&m, ctx, &s, "none", "blend", "1"), AKIN_ESHAPE);
    assert_non_null(strstr(akin_ctx_message(ctx), "blend requires"));
    assert_int_equal(akin_supervision_set(ctx, s.data, AKIN_PAIRS, pairs, 2),
                     AKIN_OK);
    assert_int_equal(learn(&m, ctx, &s, "none", "blend", "1"), AKIN_ESHAPE);
    assert_null(m);
    drop_sides(&s);
}

/* Pairs have no classes: their model compares by what was learned alone. */
static void pairs_have_no_prototypes(void **state)
{
    static const int64_t pairs[] = {0, 0, 1, 1, 2, -1, 4, 1, 1, 3, 7, -1};
    sides s = {0};
    akin_model *m = NULL;
    akin_threshold t;
    assert_int_equal(make_sides(&s, *state, DR), AKIN_OK);
    assert_int_equal(akin_supervision_set(*state, s.data, AKIN_PAIRS, pairs, 4),
                     AKIN_OK);
    assert_int_equal(learn(&m, *state, &s, "auto", "prototypes", "1"), AKIN_OK);
    assert_string_equal(akin_model_kind(m), "factored");
    assert_true(akin_model_threshold(&t, m, AKIN_BY_DEFAULT));
    assert_true(t.score == 0.0 && t.pairs == 0 && isnan(t.miss_rate));
    akin_model_free(m);
    drop_sides(&s);
}

/* From labels, dense rows get a kernel and class means by default. */
static void labels_have_both(void **state)
{
    static const struct {
        const char *kernel, *learned;
    } cases[] = {{"auto", "kernel"}, {"none", "factored"}};
    for (int i = 0; i < 2; ++i) {
        sides s = {0};
        akin_model *m = NULL;
        akin_threshold t;
        assert_int_equal(make_sides(&s, *state, DR), AKIN_OK);
        assert_int_equal(
            learn(&m, *state, &s, cases[i].kernel, "prototypes", "1"), AKIN_OK);
        assert_string_equal(akin_model_kind(m), "prototypes");
        assert_string_equal(akin_model_kind(m->kind->learned(m)),
                            cases[i].learned);
        assert_false(akin_model_threshold(&t, m, AKIN_BY_DEFAULT));
        akin_model_free(m);
        drop_sides(&s);
    }
}

/* A turned model scores (y, x) as the model scored (x, y), whatever stands on
 * what was learned. */
static void sides_can_be_exchanged(void **state)
{
    static const char *const what[] = {"prototypes", "blend"};
    static const int64_t ij[] = {3, 5}, ji[] = {5, 3};
    for (int t = 0; t < 4; ++t) {
        sides s = {0};
        akin_model *m = NULL, *turned = NULL;
        double before = 0.0, after = 1.0;
        assert_int_equal(make_sides(&s, *state, t % 2 ? DL : DR), AKIN_OK);
        assert_int_equal(
            learn(&m, *state, &s, kernels[t / 2], what[t % 2], "1"), AKIN_OK);
        assert_int_equal(akin_model_turn(&turned, *state, m), AKIN_OK);
        assert_int_equal(akin_model_score(&before, *state, m, s.left, s.right,
                                          ij, 1, AKIN_BY_DEFAULT),
                         AKIN_OK);
        assert_int_equal(akin_model_score(&after, *state, turned, s.right,
                                          s.left, ji, 1, AKIN_BY_DEFAULT),
                         AKIN_OK);
        assert_true(before == after);
        akin_model_free(turned);
        akin_model_free(m);
        drop_sides(&s);
    }
}

static akin_status whole_job(akin_ctx *ctx, void *arg)
{
    static const char *const what[] = {"prototypes", "blend"};
    const int t = *(const int *)arg;
    sides s = {0};
    akin_model *m = NULL;
    akin_rows *e = NULL;
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(make_sides(&s, ctx, DL));
    AK_TRY(learn(&m, ctx, &s, kernels[t / 2], what[t % 2], "1"));
    AK_TRY(akin_model_embed(&e, ctx, m, s.left, AKIN_LEFT));
done:
    akin_rows_free(e);
    akin_model_free(m);
    drop_sides(&s);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int t = 0; t < 4; ++t)
        assert_true(faulty_run(whole_job, &t) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prototypes_are_class_means),
        cmocka_unit_test(blend_adds_the_cosine_of_the_rows),
        cmocka_unit_test(saved_model_loads_unchanged),
        cmocka_unit_test(sides_can_be_exchanged),
        cmocka_unit_test(unsupported_combination_is_refused_first),
        cmocka_unit_test(pairs_have_no_prototypes),
        cmocka_unit_test(labels_have_both),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
