/* Cases of rsl: gradient, Hessian, retraction, training, kernels. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/cross/kernel_map.h"
#include "learn/cross/rsl.h"
#include "matrices.h"
#include "run_case.h"

static akin_status read_matrix(double **A, int64_t *m, int64_t *k,
                               akin_ctx *ctx, const json_t *in, const char *key)
{
    const json_t *list;
    akin_status st = AKIN_OK;
    AK_TRY(case_get(&list, ctx, in, key));
    *m = (int64_t)json_array_size(list);
    if (*m > 0 && !json_is_array(json_array_get(list, 0))) {
        *k = 1;
        AK_TRY(case_numbers(A, m, ctx, list));
    } else {
        AK_TRY(case_matrix(A, k, ctx, list, *m));
    }
done:
    return st;
}

/* One sample a column in the case, one a row here. */
static akin_status read_samples(double **X, int64_t *N, int64_t *n,
                                akin_ctx *ctx, const json_t *in,
                                const char *key)
{
    double *columns = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(read_matrix(&columns, n, N, ctx, in, key));
    AK_TRY(AK_SCRATCH(ctx, *N * *n, X));
    for (int64_t i = 0; i < *N; ++i)
        for (int64_t j = 0; j < *n; ++j)
            (*X)[i * *n + j] = columns[j * *N + i];
done:
    return st;
}

static akin_status read_point(ak_fixed_point *x, ak_fixed_rank *r,
                              akin_ctx *ctx, const json_t *in)
{
    int64_t one = 0;
    akin_status st = AKIN_OK;
    AK_TRY(read_matrix(&x->U, &r->m, &r->k, ctx, in, "U"));
    AK_TRY(read_matrix(&x->s, &r->k, &one, ctx, in, "s"));
    AK_TRY(read_matrix(&x->V, &r->n, &r->k, ctx, in, "V"));
done:
    return st;
}

static akin_status read_tangent(double **xi, akin_ctx *ctx, const json_t *in,
                                ak_fixed_rank r)
{
    static const char *const keys[] = {"M", "Up", "Vp"};
    int64_t at = 0, m = 0, k = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ak_tangent_size(r), xi));
    for (int i = 0; i < 3; ++i) {
        double *part = NULL;
        AK_TRY(read_matrix(&part, &m, &k, ctx, in, keys[i]));
        memcpy(*xi + at, part, (size_t)(m * k) * sizeof *part);
        at += m * k;
    }
done:
    return st;
}

static akin_status read_params(ak_rsl *p, akin_ctx *ctx, const json_t *in,
                               double *scale)
{
    const json_t *params;
    akin_status st = AKIN_OK;
    AK_TRY(case_get(&params, ctx, in, "params"));
    const char *loss = json_string_value(json_object_get(params, "loss"));
    const char *reg = json_string_value(json_object_get(params, "reg"));
    p->loss = strcmp(loss, "log") == 0      ? AK_RSL_LOG
              : strcmp(loss, "hinge2") == 0 ? AK_RSL_HINGE2
                                            : AK_RSL_RIDGE;
    p->frobenius = strcmp(reg, "fro") == 0;
    p->lambda = json_number_value(json_object_get(params, "lambda"));
    *scale = json_number_value(json_object_get(params, "scale"));
    p->shape.k = json_integer_value(json_object_get(params, "rank"));
done:
    return st;
}

/* Pairs (i, j) of samples; i and j NULL: number t with number t. */
static akin_status set_pairs(ak_rsl *p, akin_ctx *ctx, const json_t *in,
                             const double *i, const double *j, double scale)
{
    const double weight[2] = {scale, scale};
    const json_t *list;
    double *y = NULL;
    int64_t *numbers = NULL, t = 0;
    akin_status st = AKIN_OK;
    AK_TRY(case_get(&list, ctx, in, "y"));
    AK_TRY(case_numbers(&y, &t, ctx, list));
    AK_TRY(AK_SCRATCH(ctx, 3 * t, &numbers));
    for (int64_t a = 0; a < t; ++a) {
        numbers[3 * a] = i ? (int64_t)i[a] : a;
        numbers[3 * a + 1] = j ? (int64_t)j[a] : a;
        numbers[3 * a + 2] = (int64_t)y[a];
    }
    AK_TRY(ak_rsl_list(&p->pairs, ctx, p->side[0].N, p->side[1].N, numbers, t,
                       weight));
done:
    return st;
}

/* The problem of a case, at its point. */
static akin_status read_problem(ak_rsl *p, akin_ctx *ctx, const json_t *in,
                                const json_t *inputs)
{
    ak_fixed_point x;
    double *X[2], scale = 0.0;
    int64_t N, n;
    akin_status st = AKIN_OK;
    AK_TRY(read_params(p, ctx, in, &scale));
    for (int side = 0; side < 2; ++side) {
        AK_TRY(read_samples(&X[side], &N, &n, ctx, inputs,
                            side == 0 ? "X1" : "X2"));
        ak_rsl_side_dense(&p->side[side], N, n, X[side]);
    }
    AK_TRY(set_pairs(p, ctx, inputs, NULL, NULL, scale));
    AK_TRY(read_point(&x, &p->shape, ctx, inputs));
    AK_TRY(ak_rsl_begin(p, ctx));
    ak_fixed_point_copy(p->shape, x, p->now.x);
    AK_TRY(ak_rsl_move(p, ctx));
done:
    return st;
}

static akin_status put_dense(akin_ctx *ctx, json_t *out, const char *key,
                             ak_fixed_rank r, ak_fixed_point x, const double *s,
                             const double *xi)
{
    double *W = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r.m * r.n, &W));
    dense_of(r, x, s, xi, W);
    AK_TRY(case_put_rows(ctx, out, key, r.m, r.n, W));
done:
    return st;
}

static akin_status case_gradient(akin_ctx *ctx, const json_t *in,
                                 const json_t *inputs, json_t *out)
{
    ak_rsl p = {0};
    double *g = NULL, *f = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(read_problem(&p, ctx, in, inputs));
    const ak_objective J = ak_rsl_objective(&p);
    const int64_t k = p.shape.k;
    AK_TRY(AK_SCRATCH(ctx, J.size, &g));
    AK_TRY(AK_SCRATCH(ctx, p.pairs.count, &f));
    AK_TRY(J.gradient(&p, ctx, g));
    for (int64_t t = 0; t < p.pairs.count; ++t)
        for (int64_t c = 0; c < k; ++c)
            f[t] += p.now.A[t * k + c] * p.now.x.s[c] * p.now.B[t * k + c];
    AK_TRY(case_put_number(ctx, out, "J", p.now.value));
    AK_TRY(case_put(ctx, out, "f", p.pairs.count, f));
    AK_TRY(put_dense(ctx, out, "grad", p.shape, p.now.x, NULL, g));
    AK_TRY(case_put_number(ctx, out, "grad_norm", sqrt(ak_dot(J.size, g, g))));
done:
    return st;
}

static akin_status case_hessian(akin_ctx *ctx, const json_t *in,
                                const json_t *inputs, json_t *out)
{
    ak_rsl p = {0};
    double *xi = NULL, *Hxi = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(read_problem(&p, ctx, in, inputs));
    const ak_objective J = ak_rsl_objective(&p);
    AK_TRY(read_tangent(&xi, ctx, inputs, p.shape));
    AK_TRY(AK_SCRATCH(ctx, J.size, &Hxi));
    AK_TRY(J.hessian(&p, ctx, xi, Hxi));
    AK_TRY(put_dense(ctx, out, "hess", p.shape, p.now.x, NULL, Hxi));
    AK_TRY(case_put_number(ctx, out, "quad", ak_dot(J.size, xi, Hxi)));
done:
    return st;
}

static akin_status case_retract(akin_ctx *ctx, const json_t *in,
                                const json_t *inputs, json_t *out)
{
    ak_fixed_rank r = {0};
    ak_fixed_point x, y;
    double *xi = NULL;
    akin_status st = AKIN_OK;
    (void)in;
    AK_TRY(read_point(&x, &r, ctx, inputs));
    AK_TRY(read_tangent(&xi, ctx, inputs, r));
    AK_TRY(ak_fixed_point_new(&y, ctx, r));
    AK_TRY(ak_fixed_retract(ctx, r, x, xi, 0.0, y));
    AK_TRY(put_dense(ctx, out, "W", r, y, y.s, NULL));
    AK_TRY(case_put(ctx, out, "singular_values", r.k, y.s));
done:
    return st;
}

static akin_status solve(ak_rsl *p, akin_ctx *ctx, ak_trust_info *info)
{
    const double most = (double)((p->shape.m + p->shape.n) * p->shape.k);
    const ak_trust_options o = {.tol = 1e-10,
                                .max_iterations = 500,
                                .radius = most / 4.0,
                                .radius_max = most};
    const ak_objective J = ak_rsl_objective(p);
    return ak_trust_region(ctx, &J, &o, info);
}

/* f of samples that were not trained on. */
static akin_status put_scores(akin_ctx *ctx, json_t *out, const ak_rsl *p,
                              double *X[2], int64_t N)
{
    const int64_t k = p->shape.k;
    double *A[2], *f = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, N, &f));
    for (int side = 0; side < 2; ++side) {
        ak_rsl_side s;
        ak_rsl_side_dense(&s, N, p->side[side].n, X[side]);
        AK_TRY(AK_SCRATCH(ctx, N * k, &A[side]));
        AK_TRY(ak_rsl_project(ctx, &s, k, side ? p->now.x.V : p->now.x.U,
                              A[side]));
    }
    for (int64_t i = 0; i < N * k; ++i)
        f[i / k] += A[0][i] * p->now.x.s[i % k] * A[1][i];
    AK_TRY(case_put(ctx, out, "scores", N, f));
done:
    return st;
}

static akin_status case_train(akin_ctx *ctx, const json_t *in,
                              const json_t *inputs, json_t *out)
{
    ak_rsl p = {0};
    ak_trust_info info;
    double *X[2];
    int64_t N, n;
    akin_status st = AKIN_OK;
    AK_TRY(read_problem(&p, ctx, in, inputs));
    const double first = p.now.value;
    AK_TRY(solve(&p, ctx, &info));
    AK_TRY(read_samples(&X[0], &N, &n, ctx, inputs, "X1_test"));
    AK_TRY(read_samples(&X[1], &N, &n, ctx, inputs, "X2_test"));
    AK_TRY(put_scores(ctx, out, &p, X, N));
    AK_TRY(put_dense(ctx, out, "W", p.shape, p.now.x, p.now.x.s, NULL));
    AK_TRY(case_put_number(ctx, out, "J", p.now.value));
    json_object_set_new(out, "monotone",
                        json_boolean(info.rise <= 1e-9 * fabs(first)));
done:
    return st;
}

/* Features of the training samples, and of new ones by their kernel values
 * (support x new). */
static akin_status kernel_side(ak_rsl_side *s, double **test, int64_t *N,
                               akin_ctx *ctx, const json_t *inputs,
                               const char *key, const char *key_test)
{
    double *K = NULL, *L = NULL, *T = NULL, *Z = NULL;
    int64_t m = 0, n = 0, r = 0;
    akin_status st = AKIN_OK;
    AK_TRY(read_matrix(&K, &m, &m, ctx, inputs, key));
    AK_TRY(ak_kernel_features(&T, &Z, &r, ctx, m, K));
    ak_rsl_side_dense(s, m, r, Z);
    AK_TRY(read_samples(&L, N, &n, ctx, inputs, key_test));
    AK_TRY(AK_SCRATCH(ctx, *N * r, test));
    AK_TRY(
        ak_gemm(ctx, false, false, *N, r, m, 1.0, L, m, T, r, 0.0, *test, r));
done:
    return st;
}

/* Keep the best of several starts; it ends in `now`. */
static akin_status best_of_starts(ak_rsl *p, akin_ctx *ctx, int starts)
{
    ak_rng rng = ak_rng_new(1, AK_STREAM_START);
    ak_fixed_point best;
    ak_trust_info info;
    double least = INFINITY;
    akin_status st = AKIN_OK;
    AK_TRY(ak_fixed_point_new(&best, ctx, p->shape));
    for (int i = 0; i < starts; ++i) {
        AK_TRY(i == 0 ? ak_rsl_spectral(p, ctx, &rng)
                      : ak_rsl_random(p, ctx, &rng));
        AK_TRY(solve(p, ctx, &info));
        if (p->now.value >= least)
            continue;
        least = p->now.value;
        ak_fixed_point_copy(p->shape, p->now.x, best);
    }
    ak_fixed_point_copy(p->shape, best, p->now.x);
    AK_TRY(ak_rsl_move(p, ctx));
done:
    return st;
}

static akin_status case_kernel(akin_ctx *ctx, const json_t *in,
                               const json_t *inputs, json_t *out)
{
    ak_rsl p = {0};
    double *test[2], *i1 = NULL, *i2 = NULL, scale = 0.0;
    int64_t N = 0, t = 0;
    const json_t *list;
    akin_status st = AKIN_OK;
    AK_TRY(read_params(&p, ctx, in, &scale));
    AK_TRY(kernel_side(&p.side[0], &test[0], &N, ctx, inputs, "K1", "k1_test"));
    AK_TRY(kernel_side(&p.side[1], &test[1], &N, ctx, inputs, "K2", "k2_test"));
    AK_TRY(case_get(&list, ctx, inputs, "i1"));
    AK_TRY(case_numbers(&i1, &t, ctx, list));
    AK_TRY(case_get(&list, ctx, inputs, "i2"));
    AK_TRY(case_numbers(&i2, &t, ctx, list));
    AK_TRY(set_pairs(&p, ctx, inputs, i1, i2, scale));
    p.shape.m = p.side[0].n;
    p.shape.n = p.side[1].n;
    AK_TRY(ak_rsl_begin(&p, ctx));
    AK_TRY(best_of_starts(&p, ctx, 6));
    AK_TRY(case_put_number(ctx, out, "J", p.now.value));
    AK_TRY(put_scores(ctx, out, &p, test, N));
done:
    return st;
}

akin_status case_rsl(akin_ctx *ctx, const json_t *in, json_t *out)
{
    static const struct {
        const char *algorithm;
        akin_status (*run)(akin_ctx *ctx, const json_t *in,
                           const json_t *inputs, json_t *out);
    } kinds[] = {{"rsl_grad", case_gradient},
                 {"rsl_hessvec", case_hessian},
                 {"rsl_retract", case_retract},
                 {"rsl_train", case_train},
                 {"rsl_kernel", case_kernel}};
    const char *algorithm = json_string_value(json_object_get(in, "algorithm"));
    const ak_mark mark = ak_scratch_begin(ctx);
    const json_t *inputs;
    akin_status st = AKIN_OK;
    AK_TRY(case_get(&inputs, ctx, in, "inputs"));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strcmp(kinds[i].algorithm, algorithm) == 0)
            AK_TRY(kinds[i].run(ctx, in, inputs, out));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
