/* gd, psd-gd, pa, oasis and lego, which touch only what a triplet touches,
 * against the same rounds on dense matrices. */
#include <math.h>

#include "support.h"

#include <akin/learn.h>

#include "model/factored.h"
#include "model/full.h"
#include "model/metric.h"

enum { N = 40, D = 30, ROUNDS = 300 };

/* W = A B' with A and B D x k; B is the identity for oasis, and A the whole of
 * M for lego. */
typedef struct reference {
    int k;
    double A[D * D], B[D * D];
    double rate;  // eta or C
} reference;

typedef void (*round_fn)(reference *r, const double *x, const double *p,
                         const double *n);

static double dot(int n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* A'x */
static void times(const reference *r, const double *A, const double *x,
                  double *out)
{
    for (int c = 0; c < r->k; ++c) {
        out[c] = 0.0;
        for (int i = 0; i < D; ++i)
            out[c] += A[i * r->k + c] * x[i];
    }
}

static void add(const reference *r, double *A, double f, const double *x,
                const double *v)
{
    for (int i = 0; i < D; ++i)
        for (int c = 0; c < r->k; ++c)
            A[i * r->k + c] += f * x[i] * v[c];
}

/* d = p - n, A'x, B'd; returns the loss. */
static double look(const reference *r, const double *x, const double *p,
                   const double *n, double *d, double *Ax, double *Bd)
{
    for (int i = 0; i < D; ++i)
        d[i] = p[i] - n[i];
    times(r, r->A, x, Ax);
    times(r, r->B, d, Bd);
    return 1.0 - dot(r->k, Ax, Bd);
}

static void round_gd(reference *r, const double *x, const double *p,
                     const double *n)
{
    double d[D], Ax[D], Bd[D];
    if (look(r, x, p, n, d, Ax, Bd) <= 0.0)
        return;
    add(r, r->A, r->rate, x, Bd);
    add(r, r->B, r->rate, d, Ax);
}

static void round_psd_gd(reference *r, const double *x, const double *p,
                         const double *n)
{
    double d[D], Ax[D], Bd[D];
    if (look(r, x, p, n, d, Ax, Bd) > 0.0) {
        add(r, r->A, r->rate, x, Bd);
        add(r, r->A, r->rate, d, Ax);
    }
    memcpy(r->B, r->A, sizeof r->B);
}

static double length(const reference *r, double loss, double square)
{
    return loss > 0.0 && square > 0.0 ? fmin(r->rate, loss / square) : 0.0;
}

static void pa_B(reference *r, double loss, const double *d, const double *Ax)
{
    add(r, r->B, length(r, loss, dot(D, d, d) * dot(r->k, Ax, Ax)), d, Ax);
}

static void round_pa(reference *r, const double *x, const double *p,
                     const double *n)
{
    double d[D], Ax[D], Bd[D];
    const double loss = look(r, x, p, n, d, Ax, Bd);
    if (loss <= 0.0)
        return;
    add(r, r->A, length(r, loss, dot(D, x, x) * dot(r->k, Bd, Bd)), x, Bd);
    pa_B(r, look(r, x, p, n, d, Ax, Bd), d, Ax);
}

static void round_pa_at_once(reference *r, const double *x, const double *p,
                             const double *n)
{
    double d[D], Ax[D], Bd[D];
    const double loss = look(r, x, p, n, d, Ax, Bd);
    if (loss <= 0.0)
        return;
    add(r, r->A, length(r, loss, dot(D, x, x) * dot(r->k, Bd, Bd)), x, Bd);
    pa_B(r, loss, d, Ax);
}

static void round_oasis(reference *r, const double *x, const double *p,
                        const double *n)
{
    double d[D], Ax[D], Bd[D];
    const double loss = look(r, x, p, n, d, Ax, Bd);
    add(r, r->A, length(r, loss, dot(D, x, x) * dot(D, d, d)), x, d);
}

/* The LogDet step by Sherman and Morrison, the root by halving. */
static void lego_pair(reference *r, const double *x, const double *y,
                      double want)
{
    double z[D], Mz[D];
    for (int i = 0; i < D; ++i)
        z[i] = x[i] - y[i];
    times(r, r->A, z, Mz);
    const double h = dot(D, z, Mz);
    double low = 0.0, high = fmax(h, want) + 1.0;
    if (h <= 0.0)
        return;
    for (int i = 0; i < 200; ++i) {  // 1/d = 1/h + rate (d - want)
        const double d = 0.5 * (low + high);
        if (1.0 / h + r->rate * (d - want) > 1.0 / d)
            high = d;
        else
            low = d;
    }
    const double c = r->rate * (0.5 * (low + high) - want);
    add(r, r->A, -c / (1.0 + c * h), Mz, Mz);
}

static void round_lego(reference *r, const double *x, const double *p,
                       const double *n)
{
    lego_pair(r, x, p, 1.0);
    lego_pair(r, x, n, 1.9);
}

static double got(const akin_model *m, int i, int j)
{
    const double *W = ak_full_W(m);
    if (ak_model_is_factored(m)) {
        const int64_t k = ak_factored_rank(m);
        return dot((int)k, ak_factored_A(m) + i * k, ak_factored_B(m) + j * k);
    }
    return W != NULL ? W[i * D + j] : ak_metric_M(m)[i * D + j];
}

static void assert_close(const akin_model *m, const reference *r,
                         const char *name, bool lego)
{
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) {
            const double want =
                lego ? r->A[i * D + j]
                     : dot(r->k, r->A + i * r->k, r->B + j * r->k);
            if (!(fabs(got(m, i, j) - want) < 1e-9))
                fail_msg("%s: %g is off by %g", name, want,
                         got(m, i, j) - want);
        }
}

static void fill(double *x, const akin_rows *rows, int64_t i)
{
    const ak_sparse v = ak_rows_sparse(rows, i);
    memset(x, 0, D * sizeof *x);
    for (int64_t k = 0; k < v.n; ++k)
        x[v.cols[k]] = (double)v.vals[k];
}

typedef struct rival {
    const char *name, *option, *value;  // one option besides the defaults
    int k;
    double rate;
    round_fn round;
} rival;

static const rival rivals[] = {
    {"gd", "eta", "0.02", 4, 0.02, round_gd},
    {"psd-gd", "eta", "0.02", 4, 0.02, round_psd_gd},
    {"pa", "order", "sequential", 4, 0.3, round_pa},
    {"pa", "order", "simultaneous", 4, 0.3, round_pa_at_once},
    {"oasis", "C", "0.1", D, 0.1, round_oasis},
    {"lego", "eta", "0.1", D, 0.1, round_lego},
};

static void compare_run(const rival *x, uint64_t seed)
{
    reference r = {.k = x->k, .rate = x->rate};
    akin_ctx *ctx = NULL;
    akin_options *o = NULL;
    akin_supervision *data = NULL;
    akin_learning *l = NULL;
    akin_model *m = NULL;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    akin_rows *rows = class_rows(ctx, seed, N, D, 6, 3);
    assert_int_equal(akin_options_new(&o, ctx, x->name), AKIN_OK);
    assert_int_equal(akin_options_set(ctx, o, x->option, x->value), AKIN_OK);
    if (x->k < D)
        assert_int_equal(akin_options_set(ctx, o, "rank", "4"), AKIN_OK);
    assert_int_equal(akin_supervision_new(&data, ctx, rows, NULL, NULL), 0);
    assert_int_equal(akin_learning_begin(&l, ctx, o, data, NULL), AKIN_OK);
    for (int i = 0; i < x->k; ++i)
        r.A[i * x->k + i] = r.B[i * x->k + i] = 1.0;
    ak_rng rng = ak_rng_new(seed, 99);
    for (int t = 0; t < ROUNDS; ++t) {
        double row[3][D];
        int64_t triplet[3];
        for (int i = 0; i < 3; ++i) {
            triplet[i] = ak_rng_below(&rng, N);
            fill(row[i], rows, triplet[i]);
        }
        x->round(&r, row[0], row[1], row[2]);
        assert_int_equal(akin_learning_observe(ctx, l, triplet, 1), AKIN_OK);
    }
    assert_int_equal(akin_learning_model(&m, ctx, l), AKIN_OK);
    assert_close(m, &r, x->name, x->round == round_lego);
    akin_model_free(m);
    akin_learning_free(l);
    akin_options_free(o);
    akin_supervision_free(data);
    akin_rows_free(rows);
    akin_ctx_free(ctx);
}

static void equal_to_dense_rounds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; ++seed)
        for (size_t i = 0; i < sizeof rivals / sizeof rivals[0]; ++i)
            compare_run(&rivals[i], seed);
}

/* 2^31 columns squared must be refused before memory is asked for. */
static void a_matrix_too_large_is_refused(void **state)
{
    static const char *const names[] = {"oasis", "lego"};
    const int64_t offsets[3] = {0, 1, 2}, triplet[3] = {0, 1, 0};
    const int32_t cols[2] = {0, 1};
    const float vals[2] = {1.0F, 1.0F};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        akin_ctx *ctx = NULL;
        akin_rows *rows = NULL;
        akin_supervision *data = NULL;
        akin_model *m = NULL;
        akin_options *o = NULL;
        akin_ctx_new(&ctx, NULL);
        akin_rows_new_sparse(&rows, ctx, 2, INT32_MAX, offsets, cols, vals);
        akin_supervision_new(&data, ctx, rows, NULL, NULL);
        akin_supervision_set(ctx, data, AKIN_TRIPLETS, triplet, 1);
        akin_options_new(&o, ctx, names[i]);
        assert_int_equal(akin_learn(&m, ctx, o, data, NULL), AKIN_EINVAL);
        assert_non_null(strstr(akin_ctx_message(ctx), "2147483647 x"));
        akin_options_free(o);
        akin_supervision_free(data);
        akin_rows_free(rows);
        akin_ctx_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_to_dense_rounds),
        cmocka_unit_test(a_matrix_too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
