/* LORETA in either form, or as batches of one triplet, equals its definition on
 * dense matrices: pseudo-inverses taken afresh in every round, by solving with
 * the Gram matrix. */
#include <math.h>

#include "support.h"

#include <akin/learn.h>

#include "la/dense.h"
#include "learn/learner.h"
#include "model/factored.h"

enum { N = 40, D = 30, K = 4, ROUNDS = 300 };

typedef struct reference {
    akin_ctx *ctx;
    double A[D * K], B[D * K];  // psd: A alone
    double eta;
} reference;

/* out = A^+ p = (A'A)^-1 A'p */
static void pinv_times(reference *r, const double *A, const double *p,
                       double *out)
{
    double G[K * K], Ap[K] = {0};
    memset(G, 0, sizeof G);
    for (int i = 0; i < D; ++i)
        for (int a = 0; a < K; ++a) {
            Ap[a] += A[i * K + a] * p[i];
            for (int b = 0; b < K; ++b)
                G[a * K + b] += A[i * K + a] * A[i * K + b];
        }
    assert_int_equal(ak_spd_inverse(r->ctx, K, G), AKIN_OK);
    for (int a = 0; a < K; ++a) {
        out[a] = 0.0;
        for (int b = 0; b < K; ++b)
            out[a] += G[a * K + b] * Ap[b];
    }
}

static double dot(const double *x, const double *y)
{
    double sum = 0.0;
    for (int a = 0; a < K; ++a)
        sum += x[a] * y[a];
    return sum;
}

/* (A'x).(B'y) */
static double form(const double *A, const double *B, const double *x,
                   const double *y)
{
    double sum = 0.0;
    for (int a = 0; a < K; ++a) {
        double u = 0.0, v = 0.0;
        for (int i = 0; i < D; ++i) {
            u += A[i * K + a] * x[i];
            v += B[i * K + a] * y[i];
        }
        sum += u * v;
    }
    return sum;
}

/* Algorithm 4, as printed. */
static double round_1(reference *r, const double *x, const double *q)
{
    const double loss = fmax(0.0, 1.0 - form(r->A, r->B, x, q));
    double p[D], a[K], b[K];
    if (loss <= 0.0)
        return loss;
    for (int i = 0; i < D; ++i)
        p[i] = r->eta * x[i];
    pinv_times(r, r->A, p, a);
    pinv_times(r, r->B, q, b);
    const double s = dot(a, b);
    for (int i = 0; i < D; ++i) {
        const double Aa = dot(r->A + i * K, a), Bb = dot(r->B + i * K, b);
        const double ca = (0.375 * s - 0.5) * Aa + (1.0 - 0.5 * s) * p[i];
        const double cb = (0.375 * s - 0.5) * Bb + (1.0 - 0.5 * s) * q[i];
        for (int c = 0; c < K; ++c) {
            r->A[i * K + c] += ca * b[c];
            r->B[i * K + c] += cb * a[c];
        }
    }
    return loss;
}

/* Algorithm 5, as printed. */
static double round_psd(reference *r, const double *x, const double *q)
{
    const double loss = fmax(0.0, 1.0 - form(r->A, r->A, x, q));
    double p[D], h1[K], h2[K];
    if (loss <= 0.0)
        return loss;
    for (int i = 0; i < D; ++i)
        p[i] = r->eta * x[i];
    pinv_times(r, r->A, p, h1);
    pinv_times(r, r->A, q, h2);
    const double s = dot(h1, h2), n1 = dot(h1, h1), n2 = dot(h2, h2);
    for (int i = 0; i < D; ++i) {
        const double g1 = dot(r->A + i * K, h1), g2 = dot(r->A + i * K, h2);
        const double e = -0.25 + 3.0 / 32.0 * s, f = 0.5 - s / 8.0;
        const double l1 = e * g1 + f * p[i] + 3.0 / 32.0 * n1 * g2 -
                          n1 / 8.0 * q[i];
        const double l2 = e * g2 + f * q[i] + 3.0 / 32.0 * n2 * g1 -
                          n2 / 8.0 * p[i];
        for (int c = 0; c < K; ++c)
            r->A[i * K + c] += l1 * h2[c] + l2 * h1[c];
    }
    return loss;
}

static void fill(double *x, const akin_rows *rows, int64_t i)
{
    const ak_sparse v = ak_rows_sparse(rows, i);
    memset(x, 0, D * sizeof *x);
    for (int64_t k = 0; k < v.n; ++k)
        x[v.cols[k]] = (double)v.vals[k];
}

static double off(const akin_model *m, const reference *r, bool psd)
{
    const double *A = ak_factored_A(m), *B = ak_factored_B(m);
    double worst = 0.0;
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j)
            worst = fmax(worst,
                         fabs(dot(A + i * K, B + j * K) -
                              dot(r->A + i * K, (psd ? r->A : r->B) + j * K)));
    return worst;
}

static void compare_run(const char *learner, const char *form, uint64_t seed,
                        double eta)
{
    const bool psd = strcmp(learner, "loreta-psd") == 0;
    reference r = {.eta = eta};
    akin_options *o = NULL;
    akin_supervision *data = NULL;
    akin_learning *l = NULL;
    akin_model *m = NULL;
    char text[32];
    assert_int_equal(akin_ctx_new(&r.ctx, NULL), AKIN_OK);
    akin_rows *rows = class_rows(r.ctx, seed, N, D, 6, 3);
    snprintf(text, sizeof text, "%.17g", eta);
    assert_int_equal(akin_options_new(&o, r.ctx, learner), AKIN_OK);
    assert_int_equal(akin_options_set(r.ctx, o, "rank", "4"), AKIN_OK);
    assert_int_equal(akin_options_set(r.ctx, o, "eta", text), AKIN_OK);
    assert_int_equal(akin_options_set(r.ctx, o, "max_s", "0"), AKIN_OK);
    assert_int_equal(akin_options_set(r.ctx, o, "form", form), AKIN_OK);
    if (strcmp(learner, "loreta") == 0)
        assert_int_equal(akin_options_set(r.ctx, o, "batch", "1"), AKIN_OK);
    assert_int_equal(akin_supervision_new(&data, r.ctx, rows, NULL, NULL), 0);
    assert_int_equal(akin_learning_begin(&l, r.ctx, o, data, NULL), AKIN_OK);
    for (int i = 0; i < K; ++i)
        r.A[i * K + i] = r.B[i * K + i] = 1.0;
    ak_rng rng = ak_rng_new(seed, 99);
    for (int t = 0; t < ROUNDS; ++t) {
        const int64_t triplet[3] = {ak_rng_below(&rng, N),
                                    ak_rng_below(&rng, N),
                                    ak_rng_below(&rng, N)};
        double x[D], q[D], n[D];
        fill(x, rows, triplet[0]);
        fill(q, rows, triplet[1]);
        fill(n, rows, triplet[2]);
        for (int i = 0; i < D; ++i)
            q[i] -= n[i];
        if (psd)
            round_psd(&r, x, q);
        else
            round_1(&r, x, q);
        assert_int_equal(akin_learning_observe(r.ctx, l, triplet, 1), AKIN_OK);
    }
    assert_int_equal(akin_learning_model(&m, r.ctx, l), AKIN_OK);
    const double worst = off(m, &r, psd);
    if (!(worst < 1e-9))
        fail_msg("%s %s seed %d: off by %g", learner, form, (int)seed, worst);
    akin_model_free(m);
    akin_learning_free(l);
    akin_options_free(o);
    akin_supervision_free(data);
    akin_rows_free(rows);
    akin_ctx_free(r.ctx);
}

static void all_forms_equal_the_definition(void **state)
{
    (void)state;
    static const char *const forms[] = {"sparse", "dense", "auto"};
    for (uint64_t seed = 1; seed <= 5; ++seed)
        for (int f = 0; f < 3; ++f) {
            compare_run("loreta-1", forms[f], seed, 0.05);
            compare_run("loreta-psd", forms[f], seed, 0.05);
            compare_run("loreta", forms[f], seed, 0.05);
        }
}

/* Row 0 has no words: as query, and as both others, where D is 0 too. */
static akin_rows *rows_with_an_empty_one(akin_ctx *ctx)
{
    const int64_t offsets[] = {0, 0, 2, 4, 6, 8, 10};
    const int32_t cols[] = {0, 3, 1, 4, 2, 5, 0, 5, 1, 2};
    const float vals[] = {1, 2, 1, 1, 3, 1, 1, 1, 2, 1};
    akin_rows *rows = NULL;
    assert_int_equal(
        akin_rows_new_sparse(&rows, ctx, 6, 6, offsets, cols, vals), AKIN_OK);
    return rows;
}

static void empty_rows_teach_nothing(const char *learner, const char *form,
                                     const char *start)
{
    static const int64_t triplets[] = {0, 1, 2, 1, 0, 0, 3, 3, 3, 2, 1, 3,
                                       0, 0, 0, 4, 1, 5, 5, 4, 0, 3, 5, 1,
                                       1, 0, 2, 2, 4, 5, 0, 3, 4, 4, 4, 4};
    akin_ctx *ctx = NULL;
    akin_options *o = NULL;
    akin_supervision *data = NULL;
    akin_learning *l = NULL;
    akin_model *m = NULL;
    akin_learn_info info;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    akin_rows *rows = rows_with_an_empty_one(ctx);
    assert_int_equal(akin_options_new(&o, ctx, learner), AKIN_OK);
    assert_int_equal(akin_options_set(ctx, o, "rank", "2"), AKIN_OK);
    assert_int_equal(akin_options_set(ctx, o, "form", form), AKIN_OK);
    assert_int_equal(akin_options_set(ctx, o, "start", start), AKIN_OK);
    assert_int_equal(akin_supervision_new(&data, ctx, rows, NULL, NULL), 0);
    assert_int_equal(akin_learning_begin(&l, ctx, o, data, NULL), AKIN_OK);
    for (int turn = 0; turn < 5; ++turn)
        assert_int_equal(akin_learning_observe(ctx, l, triplets, 12), AKIN_OK);
    akin_learning_info(&info, l);
    assert_true(isfinite(info.loss) && info.updates > 10);
    assert_int_equal(akin_learning_model(&m, ctx, l), AKIN_OK);
    for (int i = 0; i < 12; ++i)
        assert_true(isfinite(ak_factored_A(m)[i]) &&
                    isfinite(ak_factored_B(m)[i]));
    akin_model_free(m);
    akin_learning_free(l);
    akin_options_free(o);
    akin_supervision_free(data);
    akin_rows_free(rows);
    akin_ctx_free(ctx);
}

static void empty_rows_give_no_nan(void **state)
{
    (void)state;
    static const char *const names[] = {"loreta-1", "loreta", "loreta-mi",
                                        "loreta-psd"};
    static const char *const starts[] = {"identity", "gauss", "zero"};
    for (int n = 0; n < 4; ++n)
        for (int s = 0; s < 3; ++s) {
            empty_rows_teach_nothing(names[n], "sparse", starts[s]);
            empty_rows_teach_nothing(names[n], "dense", starts[s]);
        }
}

/* Reversed triplets keep the updates coming; the recursions must not decay. */
static void many_updates_stay_finite(void **state)
{
    (void)state;
    static const char *const names[] = {"loreta-1", "loreta-psd"};
    for (int which = 0; which < 2; ++which) {
        akin_ctx *ctx = NULL;
        akin_options *o = NULL;
        akin_supervision *data = NULL;
        akin_learning *l = NULL;
        akin_learn_info info;
        akin_ctx_new(&ctx, NULL);
        akin_rows *rows = class_rows(ctx, 3, N, D, 6, 3);
        akin_options_new(&o, ctx, names[which]);
        akin_options_set(ctx, o, "rank", "4");
        akin_options_set(ctx, o, "eta", "1");
        akin_supervision_new(&data, ctx, rows, NULL, NULL);
        assert_int_equal(akin_learning_begin(&l, ctx, o, data, NULL), AKIN_OK);
        ak_rng rng = ak_rng_new(7, 99);
        for (int t = 0; t < 200000; ++t) {
            const int64_t triplet[3] = {ak_rng_below(&rng, N),
                                        ak_rng_below(&rng, N),
                                        ak_rng_below(&rng, N)};
            assert_int_equal(akin_learning_observe(ctx, l, triplet, 1), 0);
        }
        akin_learning_info(&info, l);
        assert_true(info.updates > 50000 && isfinite(info.loss));
        akin_learning_free(l);
        akin_options_free(o);
        akin_supervision_free(data);
        akin_rows_free(rows);
        akin_ctx_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_equal_the_definition),
        cmocka_unit_test(empty_rows_give_no_nan),
        cmocka_unit_test(many_updates_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
